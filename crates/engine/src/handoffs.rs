//! What one session leaves behind for the next: drafted by hooks, completed by the worker, taken once.

mod taking;

use std::path::Path;

use pacenote_context::handoff::{Conversation, ITEM_CHARACTERS, parse, render, shorten};
use pacenote_files::{Beneath, FileKind, Links, Readers, git::MARKER};
use pacenote_model::{
    Body, Effect, EventBody, Forest, Handoff, HandoffEffect, KeptHandoff, Moment, Number, Record,
    Session, SessionId, StartSource, Task,
};

pub(crate) use self::taking::{CLAIMS, Heir, find_taken, forget_claims};
use crate::{Desk, EngineError, records::list_skills_in_use, secrets, situation::Situation};

/// Most notes that a handoff repeats, the latest of them; the task has all of them.
const NOTES: usize = 10;

/// How a log words the events between which a session has done nothing yet.
const BEGINNINGS: [StartSource; 3] = [StartSource::Startup, StartSource::Clear, StartSource::Fork];
const END: &str = "session_end";

/// What is known from before a context began: what another session left, or what the reader itself
/// knew before its context was lost.
#[derive(Clone, Debug)]
pub struct Left {
    /// What was said in the reader's own session; empty where another one left this.
    pub(crate) conversation: Conversation,
    /// What was left.
    pub(crate) handoff: Handoff,
    /// The session that left it; `None` where nobody stated anything.
    pub(crate) by: Option<LeftBy>,
}

/// The session that left something.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeftBy {
    pub(crate) session: SessionId,
    pub(crate) number: Number,
}

impl Left {
    fn of(session: &Session, handoff: Handoff) -> Self {
        let by = LeftBy { session: session.id, number: session.number };
        Self { conversation: Conversation::default(), handoff, by: Some(by) }
    }

    /// Returns all of it as one document.
    pub(crate) fn document(&self) -> Handoff {
        let mut handoff = self.handoff.clone();
        if !self.conversation.is_empty() {
            self.conversation.write_into(&mut handoff);
        }
        handoff
    }
}

impl LeftBy {
    /// Says how to read all of it.
    pub(crate) fn command(self) -> String {
        format!("`pacenote session handoff show '{}'`", self.number)
    }
}

/// What the files are called in which people find what sessions left, as a pattern of git's.
pub(crate) const FILES: &str = ".pacenote/handoff-*.md";

/// Returns the file in which people find what a session left, relative to the project's root.
pub fn file_of(number: Number) -> String {
    format!(".pacenote/handoff-{}.md", number.get())
}

/// Drafts what a session would leave behind, from what a hook has at hand; `said` is what is said right
/// now.
pub(crate) fn draft(
    situation: &Situation<'_>,
    said: Option<&Record>,
) -> Result<Handoff, EngineError> {
    let (agent, records) = (situation.agent()?, situation.records()?);
    let forest = Forest::new(situation.tasks()?);
    let task = forest.current(agent);
    let mut handoff = Handoff {
        active_task: task.map(|task| format!("{} {}", task.short, task.title)),
        notes: list_notes(situation, task)?,
        branch: situation.desk.place().branch.clone(),
        active_skills: list_skills_in_use(records),
        compact_summary: find_summary(records),
        ..Handoff::default()
    };
    Conversation::of(records.iter().chain(said)).write_into(&mut handoff);
    Ok(handoff)
}

/// Returns what the reader's own session knew before its context was lost: what was said in it, and
/// what it stated for whoever goes on, or was handed itself. `None` when nothing was said in it.
pub(crate) fn recollect(situation: &Situation<'_>) -> Result<Option<Left>, EngineError> {
    let mut conversation = Conversation::of(situation.records()?);
    if conversation.is_empty() {
        return Ok(None);
    }
    if let EventBody::Prompt { .. } = situation.event.body {
        conversation = conversation.continued();
    }
    let stated = match find_own(situation)? {
        Some(own) => Some(own),
        None => find_taken(situation)?,
    };
    let (handoff, by) = stated.map_or_else(Default::default, |left| {
        let handoff = left.handoff.stated();
        let by = left.by.filter(|_| !handoff.is_empty());
        (handoff, by)
    });
    Ok(Some(Left { conversation, handoff, by }))
}

/// Returns what the session itself stated so far.
fn find_own(situation: &Situation<'_>) -> Result<Option<Left>, EngineError> {
    let Some(session) = situation.session()? else { return Ok(None) };
    let kept = situation.store.handoff(situation.project.id, session.id)?;
    let is_stated = |kept: &KeptHandoff| !kept.handoff.clone().stated().is_empty();
    Ok(kept.filter(is_stated).map(|kept| Left::of(session, kept.handoff)))
}

/// Returns what the agent wrote down in this session about its task.
fn list_notes(situation: &Situation<'_>, task: Option<&Task>) -> Result<Vec<String>, EngineError> {
    let (Some(task), Some(agent)) = (task, situation.agent()?) else { return Ok(Vec::new()) };
    let known = situation.session()?.map(|session| session.first_seen);
    let Some(since) = known.or_else(|| find_beginning(situation.records().ok()?)) else {
        return Ok(Vec::new());
    };
    let notes = situation.store.notes(task.id)?;
    let own = notes.iter().rev().filter(|note| note.author == *agent && note.at >= since);
    let mut lines: Vec<String> = own.map(|note| note_line(&note.text)).take(NOTES).collect();
    lines.reverse();
    Ok(lines)
}

/// Returns what a handoff says of a note.
pub(crate) fn note_line(text: &Body) -> String {
    shorten(text.as_str(), ITEM_CHARACTERS)
}

/// Returns the first moment that a log tells of.
fn find_beginning(records: &[Record]) -> Option<Moment> {
    records.iter().find_map(
        |record| {
            if let Record::Seen { at, .. } = record { Some(*at) } else { None }
        },
    )
}

/// Reports whether a handoff is worth reading. Where nothing is going on, a conversation that changed
/// nothing and left nothing open is not.
pub(crate) fn is_worth_reading(
    situation: &Situation<'_>,
    handoff: &Handoff,
) -> Result<bool, EngineError> {
    if handoff.is_about_work() {
        return Ok(true);
    }
    let has_words = handoff.last_request.is_some() || handoff.last_words.is_some();
    Ok(has_words && situation.tasks()?.iter().any(|task| !task.state.is_over()))
}

/// Reports whether a session that ends now leaves nothing that is worth reading.
pub(crate) fn leaves_nothing(situation: &Situation<'_>) -> Result<bool, EngineError> {
    if is_untouched(situation.records()?) {
        return Ok(true);
    }
    let known = match situation.session()? {
        Some(session) => situation.store.handoff(situation.project.id, session.id)?,
        None => None,
    };
    let known = known.map(|kept| kept.handoff).unwrap_or_default();
    Ok(!is_worth_reading(situation, &draft(situation, None)?.over(known))?)
}

/// Returns the host's last summary of a context that it threw away.
fn find_summary(records: &[Record]) -> Option<String> {
    records.iter().rev().find_map(|record| {
        if let Record::Drafted { handoff, .. } = record {
            handoff.compact_summary.clone()
        } else {
            None
        }
    })
}

/// Reports whether nothing happened in a session between its beginning and its end, as its log says.
pub(crate) fn is_untouched(records: &[Record]) -> bool {
    let events = || {
        records.iter().filter_map(|record| {
            if let Record::Seen { event, .. } = record { Some(event.as_str()) } else { None }
        })
    };
    let begins = |event: &str| BEGINNINGS.iter().any(|source| source.word() == event);
    events().any(begins) && events().all(|event| begins(event) || event == END)
}

/// Returns what a session left behind.
pub fn show(desk: &Desk, session: &Session) -> Result<Option<KeptHandoff>, EngineError> {
    Ok(match desk.here()? {
        Some(here) => here.store.handoff(here.project.id, session.id)?,
        None => None,
    })
}

/// Writes down what a session leaves behind, on top of what is known.
pub fn set(desk: &mut Desk, session: &Session, handoff: Handoff) -> Result<Handoff, EngineError> {
    let known = show(desk, session)?.map(|kept| kept.handoff).unwrap_or_default();
    let handoff = handoff.over(known);
    let effect = Effect::Handoff(HandoffEffect::Written {
        host: session.host.clone(),
        host_id: session.host_id.clone(),
        handoff: Box::new(handoff.clone()),
        completes: false,
    });
    desk.begin(None)?.commit(vec![effect])?;
    let clean = secrets::handoff_without(handoff, &mut 0);
    publish(&desk.place().root, session, &clean)?;
    Ok(clean)
}

/// Puts a handoff where people find it, in a project that keeps such files.
pub(crate) fn publish(
    root: &Path,
    session: &Session,
    handoff: &Handoff,
) -> Result<(), EngineError> {
    let root = Beneath::open(root, Links::Follow)?;
    if root.kind_of(Path::new(MARKER))? != Some(FileKind::Directory) {
        return Ok(());
    }
    let text = render(handoff, session.number, &session.host);
    Ok(root.write(Path::new(&file_of(session.number)), text.as_bytes(), Readers::Owner)?)
}

/// Reads a handoff that a person or an agent wrote: JSON with the fields, or the Markdown of ours.
pub fn read(text: &str) -> Result<Handoff, serde_json::Error> {
    if text.trim_start().starts_with('{') { serde_json::from_str(text) } else { Ok(parse(text)) }
}
