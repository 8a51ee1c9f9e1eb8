//! What one session leaves behind for the next: noted by hooks, completed by the worker, taken once.

use std::path::Path;

use pacenote_context::{
    escape::InstallSecret,
    fragments::Handoff as Fragment,
    handoff::{parse, render},
};
use pacenote_files::{Beneath, FileKind, Links, Readers, git::MARKER};
use pacenote_model::{
    AgentName, CommitKey, Effect, Forest, Handoff, HostId, HostName, KeptHandoff, Message, Moment,
    Number, Project, Record, Session, SessionId, SessionStatus, StartSource, Task,
};
use pacenote_store::{Access, Store, StoreError};

use crate::{
    Clock, Data, Desk, EngineError,
    journal::{Entry, Journal, Request},
    secrets,
};

/// Open tasks that are named; the tree has all of them.
const TASKS: usize = 10;

/// How long after its last sign a session that never said goodbye counts as ended: shorter than a
/// lunch, longer than a long tool call.
const SILENT_MINUTES: u32 = 30;

/// How a log words the events between which a session has done nothing yet.
const BEGINNINGS: [StartSource; 3] = [StartSource::Startup, StartSource::Clear, StartSource::Fork];
const END: &str = "session_end";

/// What a session left behind.
#[derive(Clone, Debug)]
pub struct Left {
    /// Our id of the session.
    pub session: SessionId,
    /// Its number.
    pub number: Number,
    /// What it left.
    pub handoff: Handoff,
    /// How to read all of it.
    pub file: String,
}

impl Left {
    /// Returns what is told of it.
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

/// Notes what a hook has at hand.
pub(crate) fn draft(
    tasks: &[Task],
    messages: &[Message],
    agent: Option<&AgentName>,
    branch: Option<&str>,
    records: &[Record],
) -> Handoff {
    let forest = Forest::new(tasks);
    let line = |task: &Task| format!("{} {}", task.short, task.title);
    let open = forest.walk().into_iter().filter(|(_, task)| !task.state.is_over());
    let mail = |message: &Message| {
        format!("{} from @{}: {}", message.number, message.sender, message.subject)
    };
    Handoff {
        active_task: forest.current(agent).map(line),
        open_tasks: open.map(|(_, task)| line(task)).take(TASKS).collect(),
        branch: branch.map(str::to_owned),
        unread_mail: messages.iter().map(mail).collect(),
        active_skills: skills_told(records),
        compact_summary: summary(records),
        ..Handoff::default()
    }
}

/// Returns the skills that a session was told the text of.
fn skills_told(records: &[Record]) -> Vec<String> {
    let items = records.iter().filter_map(Record::offered).flat_map(|receipt| &receipt.items);
    let mut skills: Vec<String> = Vec::new();
    for item in items.filter(|item| item.kind == "skill" && item.is_shown()) {
        let name = item.id.strip_prefix("skill:").unwrap_or(&item.id);
        let name = name.split('#').next().unwrap_or(name).to_owned();
        if !skills.contains(&name) {
            skills.push(name);
        }
    }
    skills
}

/// Returns the host's last summary of a context that it threw away.
fn summary(records: &[Record]) -> Option<String> {
    records.iter().rev().find_map(|record| {
        if let Record::Drafted { handoff, .. } = record {
            handoff.compact_summary.clone()
        } else {
            None
        }
    })
}

/// Who asks for a handoff.
pub(crate) struct Heir<'a> {
    pub(crate) host: &'a HostName,
    pub(crate) host_id: &'a HostId,
    pub(crate) source: StartSource,
    pub(crate) now: Moment,
}

/// Returns what another session left behind for one that begins now, if nobody took it.
pub(crate) fn waiting(
    store: &dyn Store,
    project: &Project,
    heir: &Heir<'_>,
) -> Result<Option<Left>, EngineError> {
    let mut waiting = in_line(store, project)?.into_iter();
    let found = waiting.find(|(session, _)| is_left(session, heir));
    Ok(found.map(|(session, kept)| left(&session, kept.handoff)))
}

/// Returns what nobody took, that of the session that was seen last first: the worker takes in and
/// completes in an order of its own.
fn in_line(
    store: &dyn Store,
    project: &Project,
) -> Result<Vec<(Session, KeptHandoff)>, EngineError> {
    let waiting = store.handoffs(project.id)?;
    if waiting.is_empty() {
        return Ok(Vec::new());
    }
    let sessions = store.sessions(project.id)?;
    let of = |kept: &KeptHandoff| sessions.iter().find(|session| session.id == kept.session);
    let mut line: Vec<_> =
        waiting.into_iter().filter_map(|kept| Some((of(&kept)?.clone(), kept))).collect();
    line.sort_by_key(|(session, _)| std::cmp::Reverse(session.last_seen));
    Ok(line)
}

/// Tells whether nothing happened in a session between its beginning and its end, as its log says.
pub(crate) fn is_untouched(records: &[Record]) -> bool {
    let events = || {
        records.iter().filter_map(|record| {
            if let Record::Seen { event, .. } = record { Some(event.as_str()) } else { None }
        })
    };
    let begins = |event: &str| BEGINNINGS.iter().any(|source| source.word() == event);
    events().any(begins) && events().all(|event| begins(event) || event == END)
}

/// Tells whether a session is over as far as anybody knows, so that another may go on.
fn is_left(session: &Session, heir: &Heir<'_>) -> bool {
    if (&session.host, &session.host_id) == (heir.host, heir.host_id) {
        return false;
    }
    match session.status {
        SessionStatus::AwaitingHandoff | SessionStatus::Completed | SessionStatus::Expired => true,
        // The person emptied a context: the session before goes on under another id, and its last
        // word may not have been taken in yet.
        SessionStatus::Paused if heir.source == StartSource::Clear => session.host == *heir.host,
        SessionStatus::Active | SessionStatus::Paused => {
            session.last_seen.plus_minutes(SILENT_MINUTES) < heir.now
        }
    }
}

/// Returns what this session took before, as its receipts say.
pub(crate) fn taken(
    store: &dyn Store,
    project: &Project,
    records: &[Record],
) -> Result<Option<Left>, EngineError> {
    let items = records.iter().filter_map(Record::offered).flat_map(|receipt| &receipt.items);
    let mut names = items.filter(|item| item.kind == "handoff").map(|item| item.id.as_str());
    let number = names.next().and_then(|name| {
        let number = name.strip_prefix("handoff:#")?.split('#').next()?;
        Number::parse(number)
    });
    let Some(number) = number else { return Ok(None) };
    let sessions = store.sessions(project.id)?;
    let Some(session) = sessions.iter().find(|session| session.number == number) else {
        return Ok(None);
    };
    let kept = store.handoff(project.id, session.id)?;
    Ok(kept.map(|kept| left(session, kept.handoff)))
}

fn left(session: &Session, handoff: Handoff) -> Left {
    let number = session.number;
    let file = format!("`pacenote session handoff show '{number}'`");
    Left { session: session.id, number, handoff, file }
}

/// Takes a handoff for a session. Only one session ever gets it; whoever comes later gets nothing.
pub(crate) fn take(
    data: &Data,
    project: &Project,
    left: &Left,
    by: &HostId,
    clock: Clock,
) -> Result<bool, EngineError> {
    let mut store = pacenote_store::open(&data.store(), Access::Write)?;
    // Older ones are out of date, and must not surface as news later.
    let line = in_line(&store, project)?.into_iter().map(|(session, _)| session.id);
    let older = line.skip_while(|session| *session != left.session).skip(1);
    let sessions = std::iter::once(left.session).chain(older);
    let list = sessions.map(|session| Effect::HandoffTaken { session, by: by.clone() }).collect();
    let key = CommitKey::parse(&format!("handoff:{}:{}", left.session, clock.fresh()))?;
    let entry = Entry::of_system(project.id, Request::keyed(key), list, clock);
    match Journal::new(&mut store, data, clock).commit(entry) {
        Ok(_) => Ok(true),
        Err(EngineError::Store(StoreError::Refused(_))) => Ok(false),
        Err(error) => Err(error),
    }
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
