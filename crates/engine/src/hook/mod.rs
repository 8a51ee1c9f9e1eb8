//! The hook path: one event in, one answer out, in milliseconds.
//!
//! It opens the store for reading only, appends a few lines to the session's log, and must never
//! sync a file, start a process or wait long for a lock; only the taking of a handoff is a commit.
//! A log that cannot be had is trouble to be told of; the context is delivered all the same.

mod asked;
mod echo;
mod field;
mod log;
mod noting;
mod request;
mod scene;

use std::path::{Path, PathBuf};

use pacenote_context::{
    inert,
    pack::{self, PartCount},
};
use pacenote_files::{
    config::Settings, exists, git::ProjectPlace, is_name_taken, session_log::LogPath,
};
use pacenote_flow::lifecycle::is_built_in_at;
use pacenote_hosts::{Ceiling, Reply, capabilities_of};
use pacenote_model::{AgentName, Event, Happening, HostName, Project, Record, ToolClass, limits};
use pacenote_store::{Access, Store as _, StoreError};

pub(crate) use self::{
    asked::Given,
    log::{records_in, was_told},
};
use self::{log::line, scene::Scene};
use crate::{
    Caller, Clock, Data, Desk, EngineError,
    flows::in_force::{Runs, hands_in},
    ingest::ingest_log,
    journal::Journal,
    lifecycle::{self, PROJECT_FILE, Unsound, occasion_of},
    presence::{self, Presence, TrustedRules},
    skills::Surroundings,
};

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
    /// What a look at the event's directory told.
    pub presence: &'a Presence,
    /// The settings.
    pub settings: &'a Settings,
    /// Whether the host reads a context in the answer to this event.
    pub carries_context: bool,
    /// The person's own lifecycle rules.
    pub rules: Option<&'a Path>,
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
    /// What the host is told.
    pub reply: Reply,
    /// What has to be noted once that was printed.
    pub unprinted: Option<Unprinted>,
    /// Whether there is something to do that takes longer than a hook may.
    pub has_work: bool,
    /// What went wrong on the way without spoiling the answer.
    pub trouble: Option<EngineError>,
    /// What is wrong with rules.
    pub remarks: Vec<String>,
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
    let directory = Path::new(&call.event.directory);
    if is_idle(call, directory) {
        return Ok(Answer::default());
    }
    let answered = match &call.presence.place {
        Some(place) => answer_at(call, place, clock),
        None => presence::find_place(call.data, directory)
            .map_err(EngineError::from)
            .and_then(|place| answer_at(call, &place, clock)),
    };
    let Happening::BeforeTool { tool } = &call.event.happening else {
        return answered.map(|answer| answer.unwrap_or_else(|| answer_without_store(call)));
    };
    if let Ok(Some(answer)) = answered {
        return Ok(answer);
    }
    // The agent went elsewhere, perhaps to a place that is none: the gates of its session's project
    // hold there too, and those of the person hold everywhere.
    if let Some(root) = root_of_session(call)?
        && let Some(answer) = answer_at(call, &presence::find_place(call.data, &root)?, clock)?
    {
        return Ok(answer);
    }
    let loaded = lifecycle::load_without_store(call.data, call.rules, call.presence);
    let verdict = lifecycle::refused_without_store(&loaded, call.event, tool);
    let mut reply = Reply { verdict, ..Reply::nothing() };
    add_notice(call, &loaded.unsound, &mut reply);
    Ok(Answer { reply, ..Answer::default() })
}

/// Returns what the person should know where there is no store, but gates of the project are closed.
fn answer_without_store(call: &Call<'_>) -> Answer {
    let mut answer = Answer::default();
    if call.presence.rules == TrustedRules::WithGates {
        let loaded = lifecycle::load_without_store(call.data, call.rules, call.presence);
        add_notice(call, &loaded.unsound, &mut answer.reply);
    }
    answer
}

/// Returns the directory of the project in which a session was last seen.
fn root_of_session(call: &Call<'_>) -> Result<Option<PathBuf>, EngineError> {
    let store = match pacenote_store::open(&call.data.store(), Access::Hook) {
        Ok(store) => store,
        Err(StoreError::Missing { .. }) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let Some(session) = store.session(call.host, &call.event.session)? else { return Ok(None) };
    let projects = store.projects()?;
    let project = projects.into_iter().find(|project| project.id == session.project);
    Ok(project.map(|project| presence::usual_root(Path::new(&project.place))))
}

/// Answers one event in a project; `None` when that is none of ours.
fn answer_at(
    call: &Call<'_>,
    place: &ProjectPlace,
    clock: Clock,
) -> Result<Option<Answer>, EngineError> {
    let is_here = call.presence.place.as_ref() == Some(place);
    let open = |access| Desk::at(call.data.clone(), place.clone(), Caller::Unknown, access);
    let desk = open(Access::Glance)?;
    // One that says by its `.pacenote/` that it wants notes may be new to this person's store.
    let project = match desk.here()? {
        Some(here) => here.project,
        None if is_here && (call.presence.is_used || call.settings.hooks_are_everywhere()) => {
            desk.unmet_project()
        }
        None => return Ok(None),
    };
    let desk = if is_about_to_take(call, &desk, &project)? {
        drop(desk);
        open(Access::Hook)?
    } else {
        desk
    };
    let Some(store) = desk.store() else { return Ok(None) };
    let mut loaded = lifecycle::load(&desk, call.rules)?;
    let session = || {
        let session = store.session(call.host, &call.event.session)?;
        Ok(session.map(|session| session.id))
    };
    let are_marked =
        if is_here { call.presence.has_runs } else { presence::has_runs(call.data, desk.place()) };
    let runs = Runs::read_if(are_marked, store, &project, session)?;
    if !runs.is_empty() {
        // A worktree may be new to us; where nothing can be written, the run binds all the same.
        presence::note_root(call.data, desk.place()).ok();
    }
    if !runs.is_empty() && !hands_in(call.event, desk.place()) {
        loaded.rules.rules.extend(runs.gates(call.event.subagent.is_some()));
    }
    let log = call.data.logs().log_for(call.host.as_str(), &log_name(call.event))?;
    let scene = Scene {
        call,
        desk: &desk,
        store,
        project: &project,
        rules: &loaded.rules,
        clock,
        runs: &runs,
    };
    let mut answer = match log.hold_soon() {
        Ok(held) => scene.answer_once(&log, held),
        // Somebody holds the log: the notes are worth more than the record of them.
        Err(error) => scene.answer_unnoted(error),
    };
    let mirrors = !call.event.todos().is_empty() && call.settings.tasks_are_mirrored();
    match &mut answer {
        Ok(answer) if mirrors => {
            drop(desk);
            // The next turn counts on what is on the list; if this fails, a command does it later.
            answer.trouble = answer.trouble.take().or(mirrored(call.data, &log, clock).err());
        }
        // The process ends in a moment: closing a database that was only read is time for nothing.
        Ok(_) => std::mem::forget(desk),
        Err(_) => drop(desk),
    }
    if let Ok(answer) = &mut answer {
        answer.remarks.extend(loaded.warnings());
        add_notice(call, &loaded.unsound, &mut answer.reply);
    }
    answer.map(Some)
}

/// Adds what the person should know of rules that cannot be used: where a turn begins, and where
/// something was refused.
fn add_notice(call: &Call<'_>, unsound: &[Unsound], reply: &mut Reply) {
    let begins =
        matches!(call.event.happening, Happening::SessionStart { .. } | Happening::Prompt { .. });
    // The other parts of an answer are for the same moment.
    if unsound.is_empty() || !(begins && call.part.part == 1 || reply.verdict.is_some()) {
        return;
    }
    let lines = unsound.iter().map(|one| inert(&format!("pacenote: {one}")));
    let lines: Vec<String> = reply.notice.take().into_iter().chain(lines).collect();
    reply.notice = Some(lines.join("\n"));
}

/// Tells whether a session may be about to take what another left behind, which is a commit.
fn is_about_to_take(call: &Call<'_>, desk: &Desk, project: &Project) -> Result<bool, EngineError> {
    let begins = matches!(call.event.happening, Happening::SessionStart { .. });
    match desk.store() {
        Some(store) if begins => Ok(!store.handoffs(project.id)?.is_empty()),
        Some(_) | None => Ok(false),
    }
}

/// Takes a log in at once: what the host put on its own list becomes tasks.
fn mirrored(data: &Data, log: &LogPath, clock: Clock) -> Result<(), EngineError> {
    let mut store = pacenote_store::open(&data.store(), Access::Write)?;
    ingest_log(log, &mut Journal::new(&mut store, data, clock)).map(drop)
}

/// Tells whether nobody has anything to say about an event: most uses of tools concern no rule, and
/// there are thousands of them.
fn is_idle(call: &Call<'_>, directory: &Path) -> bool {
    let tool = match &call.event.happening {
        Happening::BeforeTool { tool } | Happening::AfterTool { tool, .. } => tool,
        Happening::SessionStart { .. }
        | Happening::Prompt { .. }
        | Happening::Todos { .. }
        | Happening::Request { .. }
        | Happening::PreCompact { .. }
        | Happening::PostCompact { .. }
        | Happening::Stop { .. }
        | Happening::SubagentStart { .. }
        | Happening::SubagentStop { .. }
        | Happening::SessionEnd { .. } => return false,
    };
    let on = occasion_of(&call.event.happening);
    tool.class != ToolClass::Agent
        && tool.todos.is_empty()
        && !on.is_some_and(is_built_in_at)
        && !call.rules.is_some_and(is_name_taken)
        && !call.presence.has_runs
        && call.presence.rules == TrustedRules::Unmarked
        // Data of an earlier version has no mark until the first event that is not about a tool.
        && !directory.ancestors().any(|above| exists(&above.join(PROJECT_FILE)))
}

/// Returns the name of the log: a subagent has a context of its own.
fn log_name(event: &Event) -> String {
    match &event.happening {
        Happening::SubagentStart { agent, .. } | Happening::SubagentStop { agent, .. } => {
            format!("{}.{agent}", event.session)
        }
        Happening::SessionStart { .. }
        | Happening::Prompt { .. }
        | Happening::BeforeTool { .. }
        | Happening::AfterTool { .. }
        | Happening::Todos { .. }
        | Happening::Request { .. }
        | Happening::PreCompact { .. }
        | Happening::PostCompact { .. }
        | Happening::Stop { .. }
        | Happening::SessionEnd { .. } => event.session.to_string(),
    }
}

/// Returns how much one answer may hold. A host without a known ceiling gets the smallest known.
pub(crate) fn ceiling(host: &HostName) -> pack::Ceiling {
    match capabilities_of(host).map(|known| known.ceiling) {
        Some(Ceiling::Utf16(units)) => pack::Ceiling::Utf16(units),
        Some(Ceiling::NoneSeen) => pack::Ceiling::None,
        None => pack::Ceiling::Utf16(limits::CLAUDE_CONTEXT_UTF16),
    }
}

#[cfg(test)]
mod tests {
    use pacenote_files::FileLock;
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
        let event = Event {
            session: HostId::parse("s-1").unwrap(),
            directory: directory.path().to_str().unwrap().into(),
            transcript: None,
            plan_mode: false,
            subagent: None,
            happening: Happening::SessionStart { source: StartSource::Startup },
        };
        let settings = Settings::built_in();
        let call = Call {
            data: &data,
            host: &host,
            event: &event,
            agent: None,
            part: PartOf::WHOLE,
            payload: b"{}",
            presence: &presence::look(&data, directory.path()),
            settings: &settings,
            carries_context: true,
            rules: None,
            surroundings: Surroundings {
                home: None,
                directory: directory.path().into(),
                variable: &|_| None,
                extra: Vec::new(),
            },
        };
        let free = answer(&call, Clock::System).unwrap();
        assert!(free.trouble.is_none() && free.reply.context.is_some());

        let log = data.logs().log_for("claude", "s-1").unwrap();
        let _held = FileLock::exclusive(log.path()).unwrap();
        let held = answer(&call, Clock::System).unwrap();
        assert_eq!(held.reply.context, free.reply.context);
        let Some(EngineError::File(trouble)) = held.trouble else { panic!("{:?}", held.trouble) };
        assert_eq!(trouble.path(), log.path());
    }
}
