//! What agents are told, looked at from outside: now, before, and at what price.

use std::path::Path;

use pacenote_context::{
    delivery::Standing,
    fragment::Kind,
    pack::{PackLimits, Packed, PartCount, Shares},
};
use pacenote_files::config::Settings;
use pacenote_flow::lifecycle::Source;
use pacenote_model::{
    AgentName, Happening, HostId, HostName, KeptReceipt, Record, Session, StartSource, TaskRef,
    receipt::Extent,
};
use pacenote_store::Store;

use crate::{
    Caller, Clock, Desk, EngineError,
    flows::in_force::{RunNote, Runs},
    handoffs::{self, Heir, Left},
    hook::{ceiling, records_in, was_told},
    lifecycle,
    notes::{Base, Notes, Reader, Scope, core_format, kinds_off, rules_of, written_for},
    presence, secret,
    skills::Surroundings,
};

/// Receipts that are looked through for one item; the newest answer is what is asked for.
const RECEIPTS: u32 = 20;

/// What a look at the notes is about.
pub struct BriefRequest<'a> {
    /// The host they are for.
    pub host: &'a HostName,
    /// The agent they are for; the caller's own without one.
    pub agent: Option<&'a str>,
    /// The moment.
    pub moment: Moment,
    /// Another budget than that of the settings.
    pub budget: Option<u32>,
    /// The most parts.
    pub parts: PartCount,
    /// The settings.
    pub settings: &'a Settings,
    /// The person's own lifecycle rules.
    pub rules: Option<&'a Path>,
    /// Where skills are looked for.
    pub surroundings: &'a Surroundings<'a>,
}

/// The moments at which an agent is told something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Its context is empty.
    Beginning,
    /// It goes on in a context that it knows.
    Within,
}

/// Returns exactly what would be told now. Nothing is written.
pub fn brief(desk: &Desk, request: &BriefRequest<'_>) -> Result<Packed, EngineError> {
    let Some(here) = desk.here()? else { return Ok(Packed::default()) };
    if !request.settings.context_is_on(&desk.place().root) {
        return Ok(Packed::default());
    }
    let session = match desk.caller() {
        Caller::Session { host, host_id } => here.store.session(host, host_id)?,
        Caller::Agent(_) | Caller::Person | Caller::Unknown => None,
    };
    let agent = match request.agent {
        Some(raw) => Some(AgentName::parse(raw)?),
        None => match desk.caller() {
            Caller::Agent(name) => Some(name.clone()),
            Caller::Session { .. } => session.as_ref().and_then(|session| session.agent.clone()),
            Caller::Person | Caller::Unknown => None,
        },
    };
    let secret = secret::of(desk.data());
    let off = kinds_off(request.settings);
    let records = records(desk, session.as_ref())?;
    let loaded = lifecycle::load(desk, request.rules)?;
    let branch = desk.branch();
    let base = Base::read(here.store, &here.project, agent.as_ref(), branch.as_ref(), &off)?;
    let id = session.as_ref().map(|session| session.id);
    let are_marked = presence::has_runs(desk.data(), desk.place());
    let runs = Runs::read_if(are_marked, here.store, &here.project, || Ok(id))?;
    let happening = match request.moment {
        Moment::Beginning => Happening::SessionStart { source: StartSource::Startup },
        Moment::Within => Happening::Prompt { prompt: String::new() },
    };
    let telling = lifecycle::would_tell(
        &loaded.rules,
        &lifecycle::Look {
            desk,
            project: &here.project,
            host: request.host,
            agent: agent.as_ref(),
            session: session.as_ref(),
            base: &base,
            records: &records,
            happening,
            has_runs: !runs.is_empty(),
            on: None,
        },
    );
    let left = match (&telling.of(Source::Handoff), request.moment) {
        (Some(_), Moment::Beginning) => left(desk, &here, session.as_ref(), &records)?,
        (_, _) => None,
    };
    let artifacts = match &session {
        Some(session) => here.store.artifacts(here.project.id, session.id)?,
        None => Vec::new(),
    };
    let reader = Reader {
        desk,
        host: request.host,
        agent: agent.clone(),
        session: session.as_ref().map(|session| session.number),
        surroundings: request.surroundings,
        rules: &|| rules_of(request.settings),
        received: &|skill| was_told(&records, skill),
        secret: &secret,
        off: &off,
        core_format: core_format(request.settings),
        telling: &telling,
        left: left.as_ref(),
        artifacts: &artifacts,
        prompt: None,
        role: None,
        given: None,
        // Who names a budget means all of it.
        skill_tokens: match request.budget {
            Some(_) => 0,
            None => request.settings.context_skill_tokens(),
        },
        runs: run_notes(&runs, request.moment, agent.as_ref()),
    };
    let limits = PackLimits {
        budget_tokens: request.budget.unwrap_or_else(|| request.settings.context_budget_tokens()),
        ceiling: ceiling(request.host),
        parts: request.parts,
        shares: Shares::default(),
    };
    let project = here.project.clone();
    let packed = match request.moment {
        Moment::Beginning => {
            Notes::gather(&reader, here.store, project, base, Scope::Full)?.pack(&limits).packed
        }
        Moment::Within => {
            let standing = Standing::of(&records);
            let scope = Scope::Changes(&standing);
            let notes = Notes::gather(&reader, here.store, project, base, scope)?;
            let limits = PackLimits { parts: PartCount::ONE, ..limits };
            notes.pack_changes(&standing, &limits).packed
        }
    };
    let extent = match request.moment {
        Moment::Beginning => Extent::Full,
        Moment::Within => Extent::Delta,
    };
    Ok(written_for(request.host, extent, packed))
}

fn run_notes(runs: &Runs, moment: Moment, reader: Option<&AgentName>) -> Vec<RunNote> {
    match moment {
        Moment::Beginning => runs.whole(),
        Moment::Within => runs.changes(reader, |_| false),
    }
}

/// Returns what the session would be told of another's work, without taking it.
fn left(
    desk: &Desk,
    here: &crate::Here<'_>,
    session: Option<&Session>,
    records: &[Record],
) -> Result<Option<Left>, EngineError> {
    if let Some(again) = handoffs::taken(here.store, &here.project, records)? {
        return Ok(Some(again));
    }
    let nobody = (HostName::parse("none")?, HostId::parse("none")?);
    let (host, host_id) =
        session.map_or((&nobody.0, &nobody.1), |session| (&session.host, &session.host_id));
    let source = StartSource::Startup;
    let heir = Heir { host, host_id, source, now: desk.clock().now() };
    handoffs::waiting(here.store, &here.project, &heir)
}

/// Returns what the log of a session says.
fn records(desk: &Desk, session: Option<&Session>) -> Result<Vec<Record>, EngineError> {
    let Some(session) = session else { return Ok(Vec::new()) };
    let log = desk.data().logs().log_for(session.host.as_str(), session.host_id.as_str())?;
    records_in(&log)
}

/// When and why something was told.
#[derive(Clone, Debug)]
pub struct Occasion {
    /// The session.
    pub session: Session,
    /// What was told with it.
    pub receipt: KeptReceipt,
    /// The items that were asked about.
    pub items: Vec<usize>,
}

/// Returns the occasions on which something was told in this project, the newest first.
///
/// It is named like in a receipt (`mail:#7`, `skill:writing-plans`), by its bare name, or, for a
/// task, by its id.
pub fn why(desk: &Desk, raw: &str) -> Result<Vec<Occasion>, EngineError> {
    let Some(here) = desk.here()? else { return Ok(Vec::new()) };
    let sessions = here.store.sessions(here.project.id)?;
    let names =
        [raw.to_owned(), format!("skill:{raw}"), format!("skills:{raw}"), format!("mail:{raw}")];
    let mut found: Vec<KeptReceipt> = Vec::new();
    for name in &names {
        found.extend(here.store.receipts_with(here.project.id, name, RECEIPTS)?);
    }
    let is_asked = |id: &str| {
        names.iter().any(|name| {
            id == name || id.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('#'))
        })
    };
    let mut occasions = Vec::new();
    for receipt in found {
        let items = receipt.receipt.items.iter().enumerate();
        let items = items.filter(|(_, item)| is_asked(&item.id)).map(|(place, _)| place).collect();
        add(&mut occasions, &sessions, receipt, items);
    }
    if let Ok(task) = TaskRef::parse(raw)
        && let Some(task) = here.store.task(here.project.id, &task)?
    {
        for session in &sessions {
            for receipt in
                here.store.receipts(session.id)?.into_iter().rev().take(RECEIPTS as usize)
            {
                let items = naming(here.store, &receipt, task.short.as_str())?;
                if !items.is_empty() {
                    add(&mut occasions, &sessions, receipt, items);
                }
            }
        }
    }
    occasions.sort_by_key(|occasion: &Occasion| std::cmp::Reverse(occasion.receipt.at));
    Ok(occasions)
}

/// Returns the last time that the session seen last among those that were told anything was told
/// something, with all that was in it.
pub fn last_told(desk: &Desk) -> Result<Option<Occasion>, EngineError> {
    let Some(here) = desk.here()? else { return Ok(None) };
    let mut sessions = here.store.sessions(here.project.id)?;
    sessions.sort_by_key(|session| std::cmp::Reverse(session.last_seen));
    for session in sessions {
        if let Some(receipt) = here.store.receipts(session.id)?.pop() {
            let items = (0..receipt.receipt.items.len()).collect();
            return Ok(Some(Occasion { session, receipt, items }));
        }
    }
    Ok(None)
}

fn add(
    occasions: &mut Vec<Occasion>,
    sessions: &[Session],
    receipt: KeptReceipt,
    items: Vec<usize>,
) {
    let is_same = |known: &&mut Occasion| {
        known.receipt.session == receipt.session
            && known.receipt.receipt.epoch == receipt.receipt.epoch
            && known.receipt.receipt.emission == receipt.receipt.emission
    };
    // One text may be asked for in several ways at once.
    if let Some(known) = occasions.iter_mut().find(is_same) {
        known.items.extend(items);
        known.items.sort_unstable();
        known.items.dedup();
        return;
    }
    let session = sessions.iter().find(|session| session.id == receipt.session);
    if let Some(session) = session {
        occasions.push(Occasion { session: session.clone(), receipt, items });
    }
}

/// Returns the items about tasks, when the text of a receipt names one.
fn naming(store: &dyn Store, kept: &KeptReceipt, short: &str) -> Result<Vec<usize>, EngineError> {
    let mut is_named = false;
    for digest in &kept.receipt.parts {
        is_named |= store.told(digest)?.is_some_and(|text| text.contains(short));
    }
    if !is_named {
        return Ok(Vec::new());
    }
    let about = [Kind::Tasks, Kind::Position, Kind::Next].map(Kind::word);
    let items = kept.receipt.items.iter().enumerate();
    Ok(items.filter(|(_, item)| about.contains(&item.kind.as_str())).map(|(at, _)| at).collect())
}

/// Something that was told, with its texts.
#[derive(Clone, Debug)]
pub struct Telling {
    /// What it was.
    pub receipt: KeptReceipt,
    /// The texts of its parts; `None` where it is not kept any more.
    pub texts: Vec<Option<String>>,
}

/// Returns everything a session was told, in order.
pub fn replay(desk: &Desk, session: &Session) -> Result<Vec<Telling>, EngineError> {
    let Some(store) = desk.store() else { return Ok(Vec::new()) };
    store
        .receipts(session.id)?
        .into_iter()
        .map(|receipt| {
            let texts: Result<Vec<_>, _> =
                receipt.receipt.parts.iter().map(|digest| store.told(digest)).collect();
            Ok(Telling { texts: texts?, receipt })
        })
        .collect()
}

/// Throws away the texts that were told more than so many days ago; their receipts stay.
pub fn forget_old(store: &mut dyn Store, days: u32, clock: Clock) -> Result<(), EngineError> {
    const MILLISECONDS_A_DAY: i64 = 24 * 60 * 60 * 1000;
    let age = i64::from(days).saturating_mul(MILLISECONDS_A_DAY);
    let before = clock.now().millis().saturating_sub(age);
    store.forget_told(pacenote_model::Moment::from_millis(before))?;
    Ok(())
}
