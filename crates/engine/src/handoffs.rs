//! What one session leaves behind for the next: drafted by hooks, completed by the worker, taken once.

mod taking;

use std::path::Path;

use pacenote_context::{
    escape::InstallSecret,
    fragments::Handoff as Fragment,
    handoff::{parse, render},
};
use pacenote_files::{Beneath, FileKind, Links, Readers, git::MARKER};
use pacenote_model::{
    Effect, Forest, Handoff, KeptHandoff, Message, Number, Record, Session, SessionId, StartSource,
    Task,
};

pub(crate) use self::taking::{CLAIMS, Heir, find_taken, forget_claims};
use crate::{Desk, EngineError, records::list_skills_in_use, secrets, situation::Situation};

/// Open tasks that are named; the tree has all of them.
const TASKS: usize = 10;

/// How a log words the events between which a session has done nothing yet.
const BEGINNINGS: [StartSource; 3] = [StartSource::Startup, StartSource::Clear, StartSource::Fork];
const END: &str = "session_end";

/// What a session left behind.
#[derive(Clone, Debug)]
pub struct Left {
    pub session: SessionId,
    pub number: Number,
    /// What it left.
    pub handoff: Handoff,
    /// How to read all of it.
    pub file: String,
}

impl Left {
    fn of(session: &Session, handoff: Handoff) -> Self {
        let number = session.number;
        let file = format!("`pacenote session handoff show '{number}'`");
        Self { session: session.id, number, handoff, file }
    }

    /// Returns what is injected of it.
    pub(crate) fn fragment<'a>(&self, secret: &'a InstallSecret) -> Fragment<'a> {
        Fragment::of(self.number, &self.handoff, &self.file, secret)
    }
}

/// What the files are called in which people find what sessions left, as a pattern of git's.
pub(crate) const FILES: &str = ".pacenote/handoff-*.md";

/// Returns the file in which people find what a session left, relative to the project's root.
pub fn file_of(number: Number) -> String {
    format!(".pacenote/handoff-{}.md", number.get())
}

/// Drafts what a session would leave behind, from what a hook has at hand.
pub(crate) fn draft(situation: &Situation<'_>) -> Result<Handoff, EngineError> {
    let (agent, records) = (situation.agent()?, situation.records()?);
    let forest = Forest::new(situation.tasks()?);
    let line = |task: &Task| format!("{} {}", task.short, task.title);
    let open = forest.walk().into_iter().filter(|(_, task)| !task.state.is_over());
    let mail = |message: &Message| {
        format!("{} from @{}: {}", message.number, message.sender, message.subject)
    };
    Ok(Handoff {
        active_task: forest.current(agent).map(line),
        open_tasks: open.map(|(_, task)| line(task)).take(TASKS).collect(),
        branch: situation.desk.place().branch.clone(),
        unread_mail: situation.unread()?.iter().map(mail).collect(),
        active_skills: list_skills_in_use(records),
        compact_summary: find_summary(records),
        ..Handoff::default()
    })
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
    let effect = Effect::HandoffWritten {
        host: session.host.clone(),
        host_id: session.host_id.clone(),
        handoff: Box::new(handoff.clone()),
        completes: false,
    };
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
