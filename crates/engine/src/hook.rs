//! The hook path: one event in, one answer out, in milliseconds.
//!
//! It opens the store for reading only, appends a few lines to the session's log, and must never
//! write the database, sync a file, start a process or wait long for a lock. A log that cannot be
//! had is trouble to be told of; the context is delivered all the same.

use std::path::Path;

use pacenote_context::{
    delivery::{Arrival, Decision, Standing},
    fragment::{ItemId, Kind},
    pack::{self, PackLimits, Packed, PartCount, Shares},
};
use pacenote_files::{
    Bytes,
    config::Settings,
    session_log::{HeldLog, LINE, Line, LogPath},
};
use pacenote_hosts::{Ceiling, capabilities_of};
use pacenote_model::{
    AgentName, Digest, Event, HostName, Project, Receipt, Record, limits,
    receipt::{EmissionId, Extent},
};
use pacenote_skill::{digest::digest_of, reference::Reference};
use pacenote_store::{Access, Store};

use crate::{
    Caller, Clock, Data, Desk, EngineError,
    notes::{Clean, Notes, Reader, Scope, kinds_off, rules_of},
    secret,
    skills::Surroundings,
};

/// How much of a session's log is looked at: some thousand events, and the texts between them.
const LOG_TAIL: Bytes = Bytes::mib(1);

/// Hexadecimal digits by which payloads and emissions are told apart within one session.
const DIGITS: usize = 16;

/// What a hook is told.
pub struct Call<'a> {
    /// Where the user's data lies.
    pub data: &'a Data,
    /// The host that fired.
    pub host: &'a HostName,
    /// What happened.
    pub event: &'a Event,
    /// The agent's name, when its environment says so.
    pub agent: Option<AgentName>,
    /// Which part of the answer this process prints.
    pub part: PartOf,
    /// The payload as it came.
    pub payload: &'a [u8],
    /// The settings.
    pub settings: &'a Settings,
    /// Where skills are looked for.
    pub surroundings: Surroundings<'a>,
}

/// A part of an answer, of so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartOf {
    part: u8,
    count: PartCount,
}

impl PartOf {
    /// The whole answer in one part.
    pub const WHOLE: Self = Self { part: 1, count: PartCount::ONE };

    /// Parses `2/3`.
    pub fn parse(raw: &str) -> Option<Self> {
        let (part, count) = raw.split_once('/')?;
        let (part, count) = (part.parse().ok()?, PartCount::new(count.parse().ok()?)?);
        (1..=count.get()).contains(&part).then_some(Self { part, count })
    }
}

/// What a hook answers.
#[derive(Debug, Default)]
pub struct Answer {
    /// What the model is to be told.
    pub context: Option<String>,
    /// What has to be noted once that was printed.
    pub unprinted: Option<Unprinted>,
    /// What went wrong on the way without spoiling the answer.
    pub trouble: Option<EngineError>,
}

/// A part that is about to be printed.
#[derive(Debug)]
pub struct Unprinted {
    log: LogPath,
    record: Record,
}

impl Unprinted {
    /// Notes that the part was printed: only then later events count on it.
    pub fn note_printed(&self, clock: Clock) -> Result<(), EngineError> {
        Ok(self.log.append_soon(&line(&self.record)?, clock.fresh().as_u128())?)
    }
}

/// Answers one event. A project that pacenote was never used in gets silence.
pub fn answer(call: &Call<'_>, clock: Clock) -> Result<Answer, EngineError> {
    let directory = Path::new(call.event.directory());
    let desk = Desk::open(call.data.clone(), directory, Caller::Unknown, Access::Hook)?;
    let Some(here) = desk.here()? else { return Ok(Answer::default()) };
    if !call.settings.context_is_on(&desk.place().root) {
        return Ok(Answer::default());
    }
    let scene = Scene { call, desk: &desk, store: here.store, project: &here.project, clock };
    let log = call.data.logs().log_for(call.host.as_str(), call.event.session().as_str())?;
    let answer = match log.hold_soon() {
        Ok(held) => scene.answer_once(&log, held),
        // Somebody holds the log: the notes are worth more than the record of them.
        Err(error) => {
            let packed = scene.full(&scene.limits(), &[])?.packed;
            let context = part_text(&packed, call.part.part);
            Ok(Answer { context, unprinted: None, trouble: Some(error.into()) })
        }
    };
    // The process ends in a moment: closing a database that was only read is time for nothing.
    std::mem::forget(desk);
    answer
}

/// One event of one session.
struct Scene<'a> {
    call: &'a Call<'a>,
    desk: &'a Desk,
    store: &'a dyn Store,
    project: &'a Project,
    clock: Clock,
}

impl Scene<'_> {
    /// Decides with the log in hand, so that the processes of one event agree.
    fn answer_once(&self, log: &LogPath, mut held: HeldLog) -> Result<Answer, EngineError> {
        let lines = held.tail(LOG_TAIL)?;
        let records = records_of(&lines);
        let standing = Standing::of(&records);
        let payload = digits(&digest_of(self.call.payload));
        let arrival = Arrival {
            payload: &payload,
            part: self.call.part.part,
            begins_epoch: self.call.event.begins_epoch(),
        };
        // A transcript is not asked: what may not have arrived is better said twice than never.
        let decision = standing.decide(&arrival, &|_| false);
        let mut noted = Vec::new();
        if !standing.is_noted(&payload) {
            noted.extend(self.beginning());
        }
        let outcome = match &decision {
            Decision::Silence { epoch } => Outcome { epoch: *epoch, told: None },
            Decision::Repeat { emission, part, epoch } => Outcome {
                epoch: *epoch,
                told: text_in(&lines, emission, *part).map(|text| (emission.clone(), *part, text)),
            },
            Decision::Full { epoch } => {
                let clean = self.full(&self.limits(), &records)?;
                self.offered(*epoch, Extent::Full, &clean, &payload, &mut noted)
            }
            Decision::Delta { epoch } => {
                let limits = PackLimits { parts: PartCount::ONE, ..self.limits() };
                let clean = self.changes(&standing, &limits, &records)?;
                self.offered(*epoch, Extent::Delta, &clean, &payload, &mut noted)
            }
        };
        noted.insert(0, self.seen(&payload, outcome.epoch));
        let trouble = self.append(&mut held, &noted).err();
        drop(held);
        let unprinted = outcome.told.as_ref().map(|(emission, part, _)| Unprinted {
            log: log.clone(),
            record: Record::Printed {
                host: self.call.host.clone(),
                host_id: self.call.event.session().clone(),
                place: self.project.place.clone(),
                name: self.project.name.clone(),
                emission: emission.clone(),
                part: *part,
            },
        });
        let context = outcome.told.map(|(_, _, text)| text);
        Ok(Answer { context, unprinted, trouble })
    }

    fn seen(&self, payload: &str, epoch: u32) -> Record {
        Record::Seen {
            at: self.clock.now(),
            host: self.call.host.clone(),
            host_id: self.call.event.session().clone(),
            place: self.project.place.clone(),
            name: self.project.name.clone(),
            payload: payload.to_owned(),
            part: self.call.part.part,
            epoch,
            begins: self.call.event.begins_epoch(),
        }
    }

    /// Returns what is noted about the beginning of a session's context.
    fn beginning(&self) -> Option<Record> {
        let Event::SessionStart { session, source, transcript, .. } = self.call.event else {
            return None;
        };
        Some(Record::SessionStart {
            at: self.clock.now(),
            host: self.call.host.clone(),
            host_id: session.clone(),
            source: *source,
            place: self.project.place.clone(),
            name: self.project.name.clone(),
            transcript: transcript.clone(),
            agent: self.call.agent.clone(),
        })
    }

    /// Notes what is offered, and returns the part that this process prints.
    fn offered(
        &self,
        epoch: u32,
        extent: Extent,
        clean: &Clean,
        payload: &str,
        noted: &mut Vec<Record>,
    ) -> Outcome {
        let packed = &clean.packed;
        if packed.parts.is_empty() {
            return Outcome { epoch, told: None };
        }
        let texts: Vec<&str> = packed.parts.iter().map(|part| part.text.as_str()).collect();
        // The event is part of it: what is told again later in an epoch is another emission.
        let emission = digits(&digest_of([payload, &texts.concat()].concat().as_bytes()));
        noted.push(Record::Offered {
            at: self.clock.now(),
            host: self.call.host.clone(),
            host_id: self.call.event.session().clone(),
            place: self.project.place.clone(),
            name: self.project.name.clone(),
            payload: payload.to_owned(),
            receipt: Receipt {
                emission: emission.clone(),
                epoch,
                event: self.call.event.word().to_owned(),
                extent,
                tokens: packed.tokens(),
                hidden: packed.hidden,
                redacted: clean.redacted,
                parts: texts.iter().map(|text| digest_of(text.as_bytes())).collect(),
                items: packed.items.clone(),
            },
        });
        for (part, text) in (1..).zip(texts) {
            let text = text.to_owned();
            noted.push(Record::Text { emission: emission.clone(), part, text });
        }
        let part = self.call.part.part;
        let told = part_text(packed, part).map(|text| (emission, part, text));
        Outcome { epoch, told }
    }

    fn append(&self, held: &mut HeldLog, records: &[Record]) -> Result<(), EngineError> {
        let lines: Vec<String> = records.iter().map(line).collect::<Result<_, _>>()?;
        let fits = |line: &&str| u64::try_from(line.len()).is_ok_and(|size| size <= LINE.get());
        // A text that is too long for a line is not kept: it was told, and its receipt says what.
        let lines: Vec<&str> = lines.iter().map(String::as_str).filter(fits).collect();
        Ok(held.append(&lines, self.clock.fresh().as_u128())?)
    }

    fn limits(&self) -> PackLimits {
        PackLimits {
            budget_tokens: self.call.settings.context_budget_tokens(),
            ceiling: ceiling(self.call.host),
            parts: self.call.part.count,
            shares: Shares::default(),
        }
    }

    fn full(&self, limits: &PackLimits, records: &[Record]) -> Result<Clean, EngineError> {
        self.with_notes(Scope::Full, records, |notes| notes.pack(limits))
    }

    fn changes(
        &self,
        standing: &Standing,
        limits: &PackLimits,
        records: &[Record],
    ) -> Result<Clean, EngineError> {
        let scope = Scope::Changes(standing);
        self.with_notes(scope, records, |notes| notes.pack_changes(standing, limits))
    }

    fn with_notes(
        &self,
        scope: Scope<'_>,
        records: &[Record],
        pack: impl FnOnce(&Notes<'_>) -> Clean,
    ) -> Result<Clean, EngineError> {
        let call = self.call;
        let known = self.store.session(call.host, call.event.session())?;
        let session = known.as_ref().map(|known| known.number);
        let agent = call.agent.clone().or_else(|| known.and_then(|known| known.agent));
        let secret = secret::of(call.data);
        let off = kinds_off(call.settings);
        let reader = Reader {
            desk: self.desk,
            host: call.host,
            agent,
            session,
            surroundings: &call.surroundings,
            rules: &|| rules_of(call.settings),
            received: &|skill| was_told(records, skill),
            secret: &secret,
            off: &off,
        };
        let notes = Notes::gather(&reader, self.store, self.project.clone(), scope)?;
        Ok(if notes.is_silent() { Clean::default() } else { pack(&notes) })
    }
}

/// Returns what a log says, as far back as a hook looks.
pub(crate) fn records_in(log: &LogPath) -> Result<Vec<Record>, EngineError> {
    // A log that was never begun says nothing, and is not begun by looking at it.
    if !pacenote_files::exists(log.path()) {
        return Ok(Vec::new());
    }
    Ok(records_of(&log.hold_soon()?.tail(LOG_TAIL)?))
}

/// How a line begins that says an event was seen, and how one that holds a text.
const SEEN: &str = r#"{"kind":"seen""#;
const TEXT: &str = r#"{"kind":"text""#;

/// What a line holds that says a context began.
const BEGINS: &str = r#""begins":true"#;

/// Returns the lines that matter for what is to be done; what a newer version wrote is passed over.
///
/// Of the events within an epoch only the last matters. Texts are looked for when one is wanted:
/// a session of a thousand prompts must not make the next one slow.
fn records_of(lines: &[Line]) -> Vec<Record> {
    let texts: Vec<&String> = lines.iter().filter_map(|line| line.text.as_ref().ok()).collect();
    let is_seen = |text: &&String| text.starts_with(SEEN);
    // The first one says in which epoch all this is, should its beginning not have been seen.
    let ends = [texts.iter().position(is_seen), texts.iter().rposition(is_seen)];
    let matters = |(place, text): &(usize, &&String)| {
        let is_passing = is_seen(text) && !text.contains(BEGINS) && !ends.contains(&Some(*place));
        !is_passing && !text.starts_with(TEXT)
    };
    let chosen = texts.iter().enumerate().filter(matters);
    chosen.filter_map(|(_, text)| serde_json::from_str(text).ok()).collect()
}

/// Tells whether a session was told a skill, in whichever epoch.
pub(crate) fn was_told(records: &[Record], skill: &Reference) -> bool {
    let name = ItemId::of(Kind::Skill, skill);
    let offered = records.iter().filter_map(|record| match record {
        Record::Offered { receipt, .. } => Some(receipt),
        Record::SessionStart { .. }
        | Record::Seen { .. }
        | Record::Text { .. }
        | Record::Printed { .. } => None,
    });
    let mut items = offered.flat_map(|receipt| &receipt.items);
    items.any(|item| {
        let rest = item.id.strip_prefix(name.as_str());
        item.is_shown() && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('#'))
    })
}

/// What comes of an event.
struct Outcome {
    epoch: u32,
    told: Option<(EmissionId, u8, String)>,
}

/// Returns how much one answer may hold. A host without a known ceiling gets the smallest known.
pub(crate) fn ceiling(host: &HostName) -> pack::Ceiling {
    match capabilities_of(host).map(|known| known.ceiling) {
        Some(Ceiling::Utf16(units)) => pack::Ceiling::Utf16(units),
        Some(Ceiling::NoneSeen) | None => pack::Ceiling::Utf16(limits::CLAUDE_CONTEXT_UTF16),
    }
}

fn part_text(packed: &Packed, part: u8) -> Option<String> {
    let place = usize::from(part.checked_sub(1)?);
    packed.parts.get(place).map(|part| part.text.clone())
}

/// Returns the text of a part as it was noted.
fn text_in(lines: &[Line], wanted: &str, of: u8) -> Option<String> {
    let texts = lines.iter().rev().filter_map(|line| line.text.as_ref().ok());
    let texts = texts.filter(|text| text.starts_with(TEXT) && text.contains(wanted));
    texts.filter_map(|text| serde_json::from_str(text).ok()).find_map(|record| match record {
        Record::Text { emission, part, text } => (emission == wanted && part == of).then_some(text),
        Record::SessionStart { .. }
        | Record::Seen { .. }
        | Record::Offered { .. }
        | Record::Printed { .. } => None,
    })
}

fn digits(digest: &Digest) -> String {
    let written = digest.to_string();
    let digits = written.rsplit('-').next().unwrap_or_default();
    digits.chars().take(DIGITS).collect()
}

fn line(record: &Record) -> Result<String, EngineError> {
    serde_json::to_string(record).map_err(|source| EngineError::Unwritten { source })
}

#[cfg(test)]
mod tests {
    use pacenote_files::{FileLock, config::Layers};
    use pacenote_model::{HostId, StartSource};

    use super::*;
    use crate::tasks::{AddRequest, add};

    #[test]
    fn a_log_that_is_held_costs_the_record_and_not_the_context() {
        let directory = tempfile::tempdir().unwrap();
        let data = Data::new(directory.path().join("data"));
        let mut desk =
            Desk::open(data.clone(), directory.path(), Caller::Person, Access::Write).unwrap();
        let place = desk.place().clone();
        let request = AddRequest {
            title: "Add login",
            parent: None,
            after: &[],
            skill: None,
            plan: None,
            section: None,
            assignee: None,
        };
        add(&mut desk.begin(None).unwrap(), &place, &request).unwrap();

        let host = HostName::parse("claude").unwrap();
        let event = Event::SessionStart {
            session: HostId::parse("s-1").unwrap(),
            source: StartSource::Startup,
            directory: directory.path().to_str().unwrap().into(),
            transcript: None,
        };
        let layers =
            Layers { user: None, project: None, environment: &|_| None, flags: Vec::new() };
        let settings = Settings::load(layers).0;
        let call = Call {
            data: &data,
            host: &host,
            event: &event,
            agent: None,
            part: PartOf::WHOLE,
            payload: b"{}",
            settings: &settings,
            surroundings: Surroundings {
                home: None,
                directory: directory.path().into(),
                variable: &|_| None,
                extra: Vec::new(),
            },
        };
        let free = answer(&call, Clock).unwrap();
        assert!(free.trouble.is_none() && free.context.is_some());

        let log = data.logs().log_for("claude", "s-1").unwrap();
        let _held = FileLock::exclusive(log.path()).unwrap();
        let held = answer(&call, Clock).unwrap();
        assert_eq!(held.context, free.context);
        let Some(EngineError::File(trouble)) = held.trouble else { panic!("{:?}", held.trouble) };
        assert_eq!(trouble.path(), log.path());
    }
}
