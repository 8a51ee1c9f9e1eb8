//! The one assembler: what an agent reads in a situation, in a layout, with the receipt of it.
//!
//! A hook, `brief`, `wake` and the prompt of a subagent come here. Rules say which sources are
//! wanted; each source brings its fragments (`sources/`); packing fits them under the limits; what is
//! left is written the way its reader takes it, without secrets. This runs inside hooks: it reads rows
//! by their indexes, a plan and the files of one skill, and never walks a directory, writes or waits.

mod activity;
mod plan;
mod role_prompt;
mod skill;
mod sources;
mod templates;
mod work;

use std::{collections::BTreeMap, path::Path};

use pacenote_context::{
    delivery::Standing,
    estimate::estimate_tokens,
    fragment::{Again, Fragment, FragmentKind, ItemId, Share},
    fragments::{IncomingNote, NextAction, Notice, PositionNote, Section},
    markdown::{Brackets, MARK, NEWS, markdown},
    next::Incoming,
    pack::{self, PackLimits, Packed, Part, PartCount, Shares, pack_delta},
    page::page,
    size::Size,
};
use pacenote_hosts::{Ceiling, Host, Markup};
use pacenote_model::{
    AgentName, Digest, Event, EventBody, HostId, HostName, Receipt, StartSource, limits,
    receipt::Extent, record::InjectedSkill,
};
use pacenote_skill::digest::digest_of;

pub(crate) use self::{
    activity::find_news,
    sources::kinds_of,
    work::{find_changed_runs, has_unseen_skill, is_position_known},
};
use self::{skill::BoundSkillNote, work::Gathering};
use crate::{
    Caller, Desk, EngineError,
    handoffs::{self, Heir, Left},
    lifecycle,
    records::{digits, skill_named_by},
    secrets,
    situation::{Audience, Person, Situation},
    wanted::{RuleSentence, Wanted},
};

/// Room round the text of a fragment that gets room of its own: tags, fences, a line in each part.
const FRAME_TOKENS: u32 = 300;

/// Most tokens of a skill on a page, which is one mail: the message must have room beside it.
const PAGE_SKILL_TOKENS: u32 = 7_000;

/// A ceiling from which an answer has room for a long skill beside everything else.
const ROOMY_UTF16: usize = 2 * limits::CLAUDE_CONTEXT_UTF16;

/// What a page has besides the notes it is written from, in UTF-16 units: its title.
const PAGE_UTF16: usize = 256;

/// How a briefing is laid out.
pub(crate) struct Layout<'a> {
    /// What rules want in it.
    pub(crate) wanted: &'a Wanted,
    pub(crate) scope: Scope<'a>,
    pub(crate) form: Form<'a>,
    pub(crate) limits: PackLimits,
    /// Tokens beside the budget, for a skill that a task names.
    pub(crate) skill_tokens: u32,
    /// What is known from before the reader's context began.
    pub(crate) left: Option<&'a Left>,
    /// The message that wakes the reader, or with which a subagent is sent out.
    pub(crate) incoming: Option<Incoming<'a>>,
}

/// How much a reader needs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scope<'s> {
    /// Everything: it knows nothing.
    Full,
    /// What changed since.
    Changes(&'s Standing),
    /// What is new to somebody who is woken and still knows where it is.
    News,
}

impl Scope<'_> {
    /// Returns the word for it in receipts.
    pub(crate) const fn extent(self) -> Extent {
        match self {
            Self::Full => Extent::Full,
            Self::Changes(_) | Self::News => Extent::Delta,
        }
    }
}

/// How a briefing is written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form<'a> {
    /// As the host takes it.
    Answer,
    /// As a page of Markdown, under a title.
    Page { title: &'a str },
}

/// The kinds of which somebody who is woken and still knows where it is reads.
const NEWS_KINDS: [FragmentKind; 5] = [
    FragmentKind::MAIL,
    FragmentKind::POSITION,
    FragmentKind::NEXT,
    FragmentKind::INCOMING,
    FragmentKind::NOTICE,
];

/// What an agent reads, and how many secrets were taken out of it.
#[derive(Debug, Default)]
pub(crate) struct Briefing {
    pub(crate) packed: Packed,
    pub(crate) redacted: usize,
    /// Texts of rules that could not be filled in, and why.
    pub(crate) troubles: Vec<String>,
    /// The skills whose text is in it.
    pub(crate) skills: Vec<InjectedSkill>,
}

impl Briefing {
    /// Writes the receipt of this at an event. The event is part of its name: what is injected again
    /// later in an epoch is another emission.
    pub(crate) fn receipt(
        &self,
        event: &Event,
        payload: &str,
        epoch: u32,
        scope: Scope<'_>,
    ) -> Receipt {
        let texts = self.packed.parts.iter().map(|part| part.text.as_bytes());
        let parts: Vec<Digest> = texts.map(digest_of).collect();
        let injected = parts.iter().flat_map(Digest::bytes).copied();
        let all: Vec<u8> = payload.bytes().chain(injected).collect();
        Receipt {
            emission: digits(&digest_of(&all)),
            epoch,
            event: event.word().to_owned(),
            extent: scope.extent(),
            tokens: self.packed.tokens(),
            hidden: self.packed.hidden,
            redacted: self.redacted,
            parts,
            items: self.packed.items.clone(),
        }
    }
}

/// Assembles the briefing of a situation.
pub(crate) fn brief(
    situation: &Situation<'_>,
    layout: &Layout<'_>,
) -> Result<Briefing, EngineError> {
    let forest = pacenote_model::Forest::new(situation.tasks()?);
    let gathering = Gathering::new(situation, layout, &forest)?;
    let mut fragments = sources::gather(&gathering)?;
    fragments.extend(incoming(&gathering)?);
    let mut troubles = Vec::new();
    fragments.extend(notices(&gathering, &mut troubles)?);
    fragments.extend(loaded_skills(&gathering)?);
    fragments.retain(|fragment| is_read(situation, layout, fragment.kind()));
    let last = last_kinds(situation, layout.form)?;
    fragments.sort_by_key(|fragment| last.iter().position(|kind| *kind == fragment.kind()));
    let limits = with_room(&gathering, layout);
    let mut packer = Packer { gathering: &gathering, layout, fragments };
    let briefing = clean(layout, situation.host(), &limits, &mut |limits| packer.pack(limits))?;
    let skills = find_injected(&gathering, &briefing.packed)?;
    Ok(Briefing { troubles, skills, ..briefing })
}

/// Returns the kinds that come last, in their order: what to do is read best there. Somebody who is
/// woken reads how to work, what for and where it stands, then the message.
fn last_kinds(
    situation: &Situation<'_>,
    form: Form<'_>,
) -> Result<&'static [FragmentKind], EngineError> {
    Ok(match form {
        Form::Answer => &[FragmentKind::POSITION, FragmentKind::NEXT],
        Form::Page { .. } if situation.role()?.is_some() => {
            &[FragmentKind::INCOMING, FragmentKind::NEXT]
        }
        Form::Page { .. } => &[
            FragmentKind::SKILL,
            FragmentKind::PLAN,
            FragmentKind::TASKS,
            FragmentKind::POSITION,
            FragmentKind::NOTES,
            FragmentKind::ACTIVITY,
            FragmentKind::MAIL,
            FragmentKind::INCOMING,
            FragmentKind::NEXT,
        ],
    })
}

/// Returns the skills of which a briefing has the text, or some sections of it.
fn find_injected(
    gathering: &Gathering<'_>,
    packed: &Packed,
) -> Result<Vec<InjectedSkill>, EngineError> {
    let agent = gathering.situation.agent()?;
    let is_shown = |skill: &&BoundSkillNote| {
        packed.items.iter().any(|item| {
            item.is_shown() && skill_named_by(&item.id) == Some(skill.reference.as_str())
        })
    };
    let shown = gathering.known_skills().iter().filter(is_shown);
    Ok(shown.filter_map(|skill| skill.injected(agent)).collect())
}

/// Returns a line for each skill that the agent loaded by itself, where it lost its context since.
fn loaded_skills<'x>(
    gathering: &'x Gathering<'_>,
) -> Result<Vec<Box<dyn Fragment + 'x>>, EngineError> {
    let situation = gathering.situation;
    let is_new = matches!(
        situation.event.body,
        EventBody::SessionStart { source: StartSource::Startup | StartSource::Clear }
            | EventBody::SubagentStart { .. }
    );
    let is_lost = matches!(gathering.layout.scope, Scope::Full) && !is_new;
    if !is_lost || situation.is_off(FragmentKind::SKILL) {
        return Ok(Vec::new());
    }
    let lines = skill::find_loaded(situation.records()?, gathering.known_skills());
    Ok(lines.into_iter().map(|line| Box::new(line) as Box<dyn Fragment + 'x>).collect())
}

/// Reports whether a kind is in a briefing at all.
fn is_read(situation: &Situation<'_>, layout: &Layout<'_>, kind: FragmentKind) -> bool {
    let is_wanted = match layout.scope {
        Scope::Full => true,
        Scope::Changes(_) => kind.again() == Again::WhenChanged,
        // Who is given a role has to know of it.
        Scope::News if kind == FragmentKind::IDENTITY => situation.stated_role().is_some(),
        Scope::News => NEWS_KINDS.contains(&kind),
    };
    is_wanted && !situation.is_off(kind)
}

/// Packs fragments as a layout wants them.
struct Packer<'p, 'g> {
    gathering: &'p Gathering<'g>,
    layout: &'p Layout<'p>,
    fragments: Vec<Box<dyn Fragment + 'p>>,
}

impl Packer<'_, '_> {
    /// Packs with a position that names no titles, and with titles where the tree is not beside it.
    fn pack(&mut self, limits: &PackLimits) -> Result<Packed, EngineError> {
        let short = self.pack_once(limits);
        let item = |kind: FragmentKind| short.items.iter().find(|item| item.kind == kind.word());
        let Some(position) = item(FragmentKind::POSITION) else { return Ok(short) };
        // A line that says where the tree is to be found names nothing of it.
        let is_beside = item(FragmentKind::TASKS)
            .is_some_and(|tree| tree.is_shown() && tree.part == position.part);
        let place = self.fragments.iter().position(|one| one.kind() == FragmentKind::POSITION);
        let Some(place) = place.filter(|_| !is_beside) else { return Ok(short) };
        let agent = self.gathering.situation.agent()?;
        let titled = Box::new(PositionNote::of(self.gathering.forest, agent));
        let Some(slot) = self.fragments.get_mut(place) else { return Ok(short) };
        let untitled = std::mem::replace(slot, titled);
        let packed = self.pack_once(limits);
        // With less room the tree may stand beside it again.
        if let Some(slot) = self.fragments.get_mut(place) {
            *slot = untitled;
        }
        Ok(packed)
    }

    fn pack_once(&self, limits: &PackLimits) -> Packed {
        let fragments: Vec<&dyn Fragment> = self.fragments.iter().map(Box::as_ref).collect();
        let project = &self.gathering.situation.project.name;
        match self.layout.scope {
            Scope::Full | Scope::News => pack::pack(project, &fragments, limits),
            Scope::Changes(standing) => {
                let known = standing.told();
                let already = |id: &ItemId, digest: &Digest| {
                    is_in(&known, id, digest) && !self.is_repeated(id)
                };
                pack_delta(project, &fragments, &already, limits)
            }
        }
    }

    /// Reports whether something is injected although it was injected before.
    fn is_repeated(&self, id: &ItemId) -> bool {
        let mut repeated = self.layout.wanted.sentences.iter().filter(|one| one.is_repeated);
        repeated.any(|one| ItemId::of(FragmentKind::NOTICE, &one.rule) == *id)
    }
}

pub(crate) fn is_in(known: &BTreeMap<&str, &Digest>, id: &ItemId, digest: &Digest) -> bool {
    known.get(id.as_str()) == Some(&digest)
}

/// Returns the message that wakes the reader, and what to do after it.
fn incoming<'x>(gathering: &'x Gathering<'_>) -> Result<Vec<Box<dyn Fragment + 'x>>, EngineError> {
    let Some(incoming) = &gathering.layout.incoming else { return Ok(Vec::new()) };
    let note = IncomingNote {
        from: gathering.sender(),
        text: incoming.text,
        trust: incoming.trust(),
        secret: gathering.situation.secret(),
    };
    let mut fragments: Vec<Box<dyn Fragment + 'x>> = vec![Box::new(note)];
    if gathering.situation.role()?.is_none() {
        let agent = gathering.situation.agent()?;
        let hands = gathering.hands()?;
        let next = NextAction::after(gathering.forest, agent, Some(incoming), hands);
        fragments.push(Box::new(next));
    }
    Ok(fragments)
}

/// Returns the sentences of rules, and their own texts round what sources say. A text that cannot be
/// filled in costs that text, and a line for `doctor`.
fn notices<'x>(
    gathering: &'x Gathering<'_>,
    troubles: &mut Vec<String>,
) -> Result<Vec<Box<dyn Fragment + 'x>>, EngineError> {
    let wanted = gathering.layout.wanted;
    let mut found: Vec<Box<dyn Fragment + 'x>> = Vec::new();
    for RuleSentence { rule, text, trust, .. } in &wanted.sentences {
        found.push(Box::new(Notice { rule: rule.clone(), text: text.clone(), trust: *trust }));
    }
    for one in &wanted.templates {
        match templates::fill(gathering, one)? {
            Ok(filled) => found.extend(filled),
            Err(error) => troubles.push(format!("rule `{}`: {error}", one.rule)),
        }
    }
    Ok(found)
}

/// Gives a skill that a task names, and the message that wakes the reader, room beside the budget, so
/// that all of them is read. A single answer with a low ceiling has none to give to a skill: there it
/// would push out everything else.
fn with_room(gathering: &Gathering<'_>, layout: &Layout<'_>) -> PackLimits {
    let mut limits = layout.limits.clone();
    if limits.budget_tokens == 0 {
        return limits;
    }
    let mut give = |kind: FragmentKind, more: u32| {
        let share = limits.shares.of(kind);
        let floor = share.floor.max(more).min(kind.cap());
        limits.budget_tokens = limits.budget_tokens.saturating_add(more);
        let shares = std::mem::take(&mut limits.shares);
        limits.shares = shares.with(kind, Share { floor, ..share });
    };
    if let Some(incoming) = &layout.incoming {
        let tokens = estimate_tokens(incoming.text).saturating_add(FRAME_TOKENS);
        give(FragmentKind::INCOMING, tokens);
    }
    let is_roomy = layout.limits.parts > PartCount::ONE
        || match layout.limits.ceiling {
            pack::Ceiling::Utf16(most) => most >= ROOMY_UTF16,
            pack::Ceiling::Tokens(_) => false,
            pack::Ceiling::None => true,
        };
    let is_full = matches!(layout.scope, Scope::Full);
    let named = gathering.known_skills().iter().filter(|skill| skill.is_named);
    let named = named.chain(gathering.known_role_prompt());
    let needed: u32 = named.clone().map(BoundSkillNote::tokens).sum();
    if is_full && is_roomy && needed > 0 {
        let frames = u32::try_from(named.count()).unwrap_or(u32::MAX).saturating_mul(FRAME_TOKENS);
        let most = match layout.form {
            Form::Answer => layout.skill_tokens,
            Form::Page { .. } => layout.skill_tokens.min(PAGE_SKILL_TOKENS),
        };
        let more = needed.saturating_add(frames).min(most);
        give(FragmentKind::SKILL, more);
    }
    limits
}

/// Packs, writes, takes secrets out, and packs again with less room where the result is too long.
fn clean(
    layout: &Layout<'_>,
    host: Option<Host>,
    limits: &PackLimits,
    pack: &mut dyn FnMut(&PackLimits) -> Result<Packed, EngineError>,
) -> Result<Briefing, EngineError> {
    let ceiling = limits.ceiling;
    let mut limits = limits.clone();
    loop {
        let mut briefing = Briefing { packed: pack(&limits)?, ..Briefing::default() };
        let mut excess = 0;
        for part in &mut briefing.packed.parts {
            if let Some(text) = written(layout, host, &part.text) {
                (part.size, part.text) = (Size::of(&text), text);
            }
            let (text, found) = secrets::without(&part.text);
            if found > 0 {
                briefing.redacted += found;
                let text = text.into_owned();
                (part.size, part.text) = (Size::of(&text), text);
            }
            excess = excess.max(excess_of(part, ceiling, layout.form));
        }
        if excess == 0 {
            return Ok(briefing);
        }
        limits.ceiling = match limits.ceiling {
            pack::Ceiling::Utf16(most) => pack::Ceiling::Utf16(most.saturating_sub(excess)),
            pack::Ceiling::Tokens(most) => {
                pack::Ceiling::Tokens(most.saturating_sub(most.div_ceil(10).max(1)))
            }
            pack::Ceiling::None => return Ok(briefing),
        };
    }
}

/// Returns by how much a part is too long, 0 when it is not.
fn excess_of(part: &Part, ceiling: pack::Ceiling, form: Form<'_>) -> usize {
    let over = match ceiling {
        pack::Ceiling::Utf16(most) => part.size.utf16.saturating_sub(most),
        pack::Ceiling::Tokens(most) => usize::from(part.size.tokens > most),
        pack::Ceiling::None => 0,
    };
    match form {
        Form::Answer => over,
        // A page is sent as mail. A unit has three bytes at most.
        Form::Page { .. } => {
            over.max(part.text.len().saturating_sub(limits::MAIL_BODY_BYTES).div_ceil(3))
        }
    }
}

/// Writes packed notes the way their reader takes them; `None` when that is as they are.
fn written(layout: &Layout<'_>, host: Option<Host>, text: &str) -> Option<String> {
    let mark = match layout.scope.extent() {
        Extent::Full => MARK,
        Extent::Delta => NEWS,
    };
    let markup = host.map_or(Markup::Tags, |host| host.capabilities().markup);
    match (layout.form, markup) {
        (Form::Page { title }, _) => Some(page(title, text)),
        (Form::Answer, Markup::Markdown) => {
            let is_spelled = host.is_some_and(Host::spells_brackets);
            let brackets = if is_spelled { Brackets::Spelled } else { Brackets::Kept };
            Some(markdown(text, mark, brackets))
        }
        (Form::Answer, Markup::Tags) => None,
    }
}

/// Returns how much one answer to a host may hold.
pub(crate) fn ceiling_of(host: Host) -> pack::Ceiling {
    match host.capabilities().ceiling {
        Ceiling::Utf16(units) => pack::Ceiling::Utf16(units),
        Ceiling::NoneSeen => pack::Ceiling::None,
    }
}

/// Returns the limits of a page that is sent as mail.
pub(crate) fn page_limits(budget_tokens: u32) -> PackLimits {
    PackLimits {
        budget_tokens,
        ceiling: pack::Ceiling::Utf16(limits::MAIL_BODY_BYTES - PAGE_UTF16),
        parts: PartCount::ONE,
        shares: Shares::default(),
    }
}

/// Takes secrets out of titles, which name items in receipts; texts are gone through when packed.
fn without_secrets_in_titles(mut sections: Vec<Section>) -> Vec<Section> {
    let titles: Vec<&str> = sections.iter().map(|section| section.title.as_str()).collect();
    if secrets::without(&titles.join("\n")).1 > 0 {
        for section in &mut sections {
            section.title = secrets::without_secrets(&section.title);
        }
    }
    sections
}

/// The moment that a look at a briefing is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BriefingMoment {
    /// The context of the agent is empty.
    Beginning,
    /// It goes on in a context that it knows.
    Within,
}

/// What a look at a briefing may ask for besides.
#[derive(Clone, Copy, Debug)]
pub struct Preview<'a> {
    /// The agent it is for; the caller's own without one.
    pub agent: Option<&'a str>,
    pub host: Host,
    /// Where skills are looked for besides the project.
    pub directory: &'a Path,
    pub moment: BriefingMoment,
    /// Another budget than that of the settings.
    pub budget: Option<u32>,
    pub parts: PartCount,
}

/// Returns exactly what an agent would read now. Nothing is written.
pub fn preview(
    desk: &Desk,
    person: &Person<'_>,
    preview: &Preview<'_>,
) -> Result<Packed, EngineError> {
    let Some(here) = desk.here()? else { return Ok(Packed::default()) };
    let body = match preview.moment {
        BriefingMoment::Beginning => EventBody::SessionStart { source: StartSource::Startup },
        BriefingMoment::Within => EventBody::Prompt { prompt: String::new() },
    };
    let session = match desk.caller() {
        Caller::Session { host, host_id } => Some((host.clone(), host_id.clone())),
        Caller::Agent(_) | Caller::Person | Caller::Unknown => None,
    };
    let agent = match (preview.agent, desk.caller()) {
        (Some(raw), _) => Some(AgentName::parse(raw)?),
        (None, Caller::Agent(name)) => Some(name.clone()),
        (None, Caller::Session { .. } | Caller::Person | Caller::Unknown) => None,
    };
    let event = own_event(preview.directory, session.as_ref(), body)?;
    let audience = Audience { host: Some(preview.host), agent, session, role: None };
    let situation = Situation::new(desk, here.store, here.project.clone(), person, audience, event);
    if !situation.is_on() {
        return Ok(Packed::default());
    }
    let wanted = lifecycle::wanted_in(&situation)?;
    let standing = Standing::of(situation.records()?);
    let left = match preview.moment {
        BriefingMoment::Beginning
            if wanted.of(pacenote_flow::lifecycle::Source::Handoff).is_some() =>
        {
            match handoffs::find_taken(&situation)? {
                Some(again) => Some(again),
                None => Heir::new(&situation, StartSource::Startup)?.find_waiting()?,
            }
        }
        BriefingMoment::Beginning | BriefingMoment::Within => None,
    };
    let (scope, parts) = match preview.moment {
        BriefingMoment::Beginning => (Scope::Full, preview.parts),
        BriefingMoment::Within => (Scope::Changes(&standing), PartCount::ONE),
    };
    let settings = situation.settings();
    let layout = Layout {
        wanted: &wanted,
        scope,
        form: Form::Answer,
        limits: PackLimits {
            budget_tokens: preview.budget.unwrap_or_else(|| settings.context_budget_tokens()),
            ceiling: ceiling_of(preview.host),
            parts,
            shares: Shares::default(),
        },
        // Who names a budget means all of it.
        skill_tokens: preview.budget.map_or_else(|| settings.context_skill_tokens(), |_| 0),
        left: left.as_ref(),
        incoming: None,
    };
    Ok(brief(&situation, &layout)?.packed)
}

/// Returns an event that no host sent.
pub(crate) fn own_event(
    directory: &Path,
    session: Option<&(HostName, HostId)>,
    body: EventBody,
) -> Result<Event, EngineError> {
    let session = match session {
        Some((_, host_id)) => host_id.clone(),
        None => HostId::parse("none")?,
    };
    let directory = directory.display().to_string();
    let (transcript, subagent) = (None, None);
    Ok(Event { session, directory, transcript, plan_mode: false, subagent, body })
}
