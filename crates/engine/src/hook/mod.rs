//! The hook path: one event in, one answer out, in milliseconds.
//!
//! It opens the store once, for reading, appends a few lines to the session's log, and must never
//! sync a file, start a process or wait long for a lock. Only what a host put on its own list is
//! committed, because the next turn counts on it; a handoff is claimed in a small log of its own.
//! A log that cannot be had is trouble to be reported; the context is delivered all the same.

mod compose;
mod decide;
mod echo;
mod left;
mod phases;
mod record;
mod request;
mod said;

use std::path::{Path, PathBuf};

use pacenote_context::{inert, pack::PartCount};
use pacenote_files::{exists, git::ProjectPlace, is_name_taken, session_log::LogPath};
use pacenote_flow::lifecycle::is_built_in_at;
use pacenote_hosts::{Host, Reply};
use pacenote_model::{AgentName, Event, EventBody, HostName, Project, Record, ToolClass};
use pacenote_store::{Access, Store, StoreError};

use crate::{
    Clock, Data, Desk, EngineError,
    ingest::ingest_log,
    presence::{self, Presence, TrustedRules},
    records::line,
    rules::{Loaded, PROJECT_FILE, load_without_store, refuse_without_store},
    situation::{Audience, Person, Situation},
};

/// What a host asks: an event, and how its answer is delivered.
pub struct HookCall<'a> {
    pub data: &'a Data,
    pub host: Host,
    pub event: &'a Event,
    /// The agent's name, when its environment says so.
    pub agent: Option<AgentName>,
    /// Which part of the answer this process prints.
    pub part: PartOf,
    /// The payload as it came.
    pub payload: &'a [u8],
    /// What a look at the event's directory found.
    pub presence: &'a Presence,
    /// Whether the host reads a context in the answer to this event.
    pub carries_context: bool,
    pub person: Person<'a>,
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
    pub reply: Reply,
    /// What has to be recorded once that was printed.
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
    /// Records that the part was printed: only then later events count on it.
    pub fn record_printed(&self, clock: Clock) -> Result<(), EngineError> {
        Ok(self.log.append_soon(&line(&self.record)?, clock.fresh().as_u128())?)
    }
}

/// Answers one event. A project that pacenote was never used in gets silence.
pub fn answer(call: &HookCall<'_>, clock: Clock) -> Result<Answer, EngineError> {
    if is_idle(call) {
        return Ok(Answer::default());
    }
    let place = match &call.presence.place {
        Some(place) => Ok(place.clone()),
        None => presence::find_place(call.data, Path::new(&call.event.directory)),
    };
    let EventBody::BeforeTool { tool } = &call.event.body else {
        let (answer, _) = answer_at(call, open_store(call)?, place?, clock);
        return answer.map(|answer| answer.unwrap_or_else(|| answer_without_store(call)));
    };
    let mut store = open_store(call)?;
    if let Ok(place) = place {
        let (answered, unused) = answer_at(call, store, place, clock);
        if let Ok(Some(answer)) = answered {
            return Ok(answer);
        }
        store = unused;
    }
    // The agent went elsewhere, perhaps to a place that is not a project: the gates of its session's
    // project hold there too, and those of the person hold everywhere.
    if let Some(root) = find_root_of_session(call, store.as_deref())? {
        let place = presence::find_place(call.data, &root)?;
        if let Some(answer) = answer_at(call, store, place, clock).0? {
            return Ok(answer);
        }
    }
    let loaded = load_without_store(call.data, call.person.rules.as_deref(), call.presence);
    let verdict = refuse_without_store(&loaded, call.event, tool);
    let mut reply = Reply { verdict, ..Reply::nothing() };
    add_notice(call, &notices_of(call, &loaded), &mut reply);
    Ok(Answer { reply, ..Answer::default() })
}

/// Returns what the person should know where there is no store, but gates of the project are closed.
fn answer_without_store(call: &HookCall<'_>) -> Answer {
    let mut answer = Answer::default();
    if call.presence.rules == TrustedRules::WithGates {
        let loaded = load_without_store(call.data, call.person.rules.as_deref(), call.presence);
        add_notice(call, &notices_of(call, &loaded), &mut answer.reply);
    }
    answer
}

/// Opens the store, the only time that a hook does; where there is none yet, an empty one in memory
/// stands in, because a hook makes no file that must be synced. What is on a host's own list is committed, so
/// then it is opened for that; where nobody can write right now, the list stays in the log.
fn open_store(call: &HookCall<'_>) -> Result<Option<Box<dyn Store>>, EngineError> {
    let place = call.data.store();
    let writes = !call.event.todos().is_empty();
    let for_writing = writes.then(|| pacenote_store::open_in_passing(&place).ok().flatten());
    let opened = match for_writing.flatten() {
        Some(store) => Ok(store),
        None => pacenote_store::open(&place, Access::Glance),
    };
    match opened {
        Ok(store) => Ok(Some(Box::new(store))),
        // Somebody who was given the project with its hooks has no store before the first command:
        // nothing is in it, and that can be said. Marks of trusted rules mean that there was one.
        Err(StoreError::Missing { .. }) if call.presence.rules == TrustedRules::Unmarked => {
            Ok(Some(Box::new(pacenote_store::open_empty(&place)?)))
        }
        Err(StoreError::Missing { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Returns the directory of the project in which a session was last seen.
fn find_root_of_session(
    call: &HookCall<'_>,
    store: Option<&dyn Store>,
) -> Result<Option<PathBuf>, EngineError> {
    let Some(store) = store else { return Ok(None) };
    let host = HostName::parse(call.host.name())?;
    let Some(session) = store.session(&host, &call.event.session)? else { return Ok(None) };
    let projects = store.projects()?;
    let project = projects.into_iter().find(|project| project.id == session.project);
    Ok(project.map(|project| presence::usual_root(Path::new(&project.place))))
}

/// An answer; `None` where a place is none of ours.
type Answered = Result<Option<Answer>, EngineError>;

/// Answers one event in a project; without an answer where that is none of ours. Gives the store back
/// when somebody may still need it.
fn answer_at(
    call: &HookCall<'_>,
    store: Option<Box<dyn Store>>,
    place: ProjectPlace,
    clock: Clock,
) -> (Answered, Option<Box<dyn Store>>) {
    let mut desk = Desk::around(store, call.data.clone(), place).with_clock(clock);
    let answered = answer_at_desk(call, &mut desk);
    if let Ok(Some(_)) = &answered
        && call.event.todos().is_empty()
    {
        // The process ends in a moment: closing a database that was only read is time for nothing.
        std::mem::forget(desk);
        return (answered, None);
    }
    (answered, desk.into_store())
}

fn answer_at_desk(call: &HookCall<'_>, desk: &mut Desk) -> Answered {
    let Some(project) = find_project(call, desk)? else { return Ok(None) };
    let Some(store) = desk.store() else { return Ok(None) };
    let logs = call.data.logs();
    let log = logs.log_for(call.host.name(), &name_log(call.event))?;
    let audience = Audience {
        host: Some(call.host),
        agent: call.agent.clone(),
        session: Some((HostName::parse(call.host.name())?, call.event.session.clone())),
        role: None,
    };
    let situation =
        Situation::new(desk, store, project, &call.person, audience, call.event.clone());
    let rules = situation.rules()?;
    let remarks = remarks_of(call, rules);
    let notices = notices_of(call, rules);
    if !situation.runs()?.is_empty() {
        // A worktree may be new to us; where nothing can be written, the run binds all the same.
        presence::note_root(call.data, desk.place()).ok();
    }
    let mirrors = !call.event.todos().is_empty()
        && situation.settings().tasks_are_mirrored()
        && exists(&call.data.store().database());
    let mut answer = match log.hold_soon() {
        Ok(held) => phases::answer(call, situation, &log, held)?,
        // Somebody holds the log: the notes are worth more than the record of them.
        Err(error) => phases::answer_unrecorded(call, situation, error)?,
    };
    answer.remarks.extend(remarks);
    add_notice(call, &notices, &mut answer.reply);
    if mirrors && let Some(mut journal) = desk.journal() {
        // The next turn counts on what is on the list; if this fails, a command does it later.
        let failed = ingest_log(&log, &mut journal).err();
        answer.trouble = answer.trouble.take().or(failed);
    }
    Ok(Some(answer))
}

/// Returns the project at a desk; `None` where that is none of ours.
fn find_project(call: &HookCall<'_>, desk: &Desk) -> Result<Option<Project>, EngineError> {
    if let Some(here) = desk.here()? {
        return Ok(Some(here.project));
    }
    // One that says by its `.pacenote/` that it wants notes may be new to this person's store.
    let is_here = call.presence.place.as_ref() == Some(desk.place());
    let is_ours = is_here
        && (call.presence.is_used || call.person.read_settings(desk).hooks_are_everywhere());
    Ok(is_ours.then(|| desk.unmet_project()))
}

/// Returns what is recorded of rules: what makes a file unusable with every event, what is left out where
/// a session begins. A rule that does not work is recorded when it is asked.
fn remarks_of(call: &HookCall<'_>, rules: &Loaded) -> Vec<String> {
    let unsound = rules.unsound.iter().map(ToString::to_string);
    let problems = rules.problems.iter().map(ToString::to_string);
    let begins = matches!(call.event.body, EventBody::SessionStart { .. });
    let left_out = if begins { rules.remarks() } else { Vec::new() };
    unsound.chain(problems).chain(left_out).collect()
}

/// Returns what the person should know of rules that do not work: with every turn that a file cannot
/// be used, and where a session begins that a rule names what does not exist.
fn notices_of(call: &HookCall<'_>, rules: &Loaded) -> Vec<String> {
    let begins = matches!(call.event.body, EventBody::SessionStart { .. });
    let unknown = rules.unknown_names.first().filter(|_| begins).map(|first| {
        let more = match rules.unknown_names.len() {
            1 => String::new(),
            count => format!(" (and {} more)", count - 1),
        };
        format!("{first}{more}, so its rule does not work; see `pacenote lifecycle check`")
    });
    rules.unsound.iter().map(ToString::to_string).chain(unknown).collect()
}

/// Adds what the person should know of rules: where a turn begins, and where something was refused.
fn add_notice(call: &HookCall<'_>, notices: &[String], reply: &mut Reply) {
    let begins =
        matches!(call.event.body, EventBody::SessionStart { .. } | EventBody::Prompt { .. });
    // The other parts of an answer are for the same moment.
    if notices.is_empty() || !(begins && call.part.part == 1 || reply.verdict.is_some()) {
        return;
    }
    let lines = notices.iter().map(|one| inert(&format!("pacenote: {one}")));
    let lines: Vec<String> = reply.notice.take().into_iter().chain(lines).collect();
    reply.notice = Some(lines.join("\n"));
}

/// Reports whether nobody has anything to say about an event: most uses of tools concern no rule, and
/// there are thousands of them.
fn is_idle(call: &HookCall<'_>) -> bool {
    let (EventBody::BeforeTool { tool } | EventBody::AfterTool { tool, .. }) = &call.event.body
    else {
        return false;
    };
    let directory = Path::new(&call.event.directory);
    tool.class != ToolClass::Agent
        && tool.todos.is_empty()
        && tool.skill.is_none()
        && !is_built_in_at(call.event.kind())
        && !call.person.rules.as_deref().is_some_and(is_name_taken)
        && !call.presence.has_runs
        && call.presence.rules == TrustedRules::Unmarked
        // Data of an earlier version has no mark until the first event that is not about a tool.
        && !directory.ancestors().any(|above| exists(&above.join(PROJECT_FILE)))
}

/// Returns the name of the log: a subagent has a context of its own.
fn name_log(event: &Event) -> String {
    match event.own_subagent() {
        Some(agent) => format!("{}.{agent}", event.session),
        None => event.session.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use pacenote_files::{FileLock, config::Settings};
    use pacenote_model::{HostId, StartSource};

    use super::*;
    use crate::{
        Caller,
        situation::SettingsSource,
        tasks::{AddRequest, add},
    };

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

        let event = Event {
            session: HostId::parse("s-1").unwrap(),
            directory: directory.path().to_str().unwrap().into(),
            transcript: None,
            plan_mode: false,
            subagent: None,
            body: EventBody::SessionStart { source: StartSource::Startup },
        };
        let settings = Settings::built_in();
        let call = HookCall {
            data: &data,
            host: Host::Claude,
            event: &event,
            agent: None,
            part: PartOf::WHOLE,
            payload: b"{}",
            presence: &presence::look(&data, directory.path()),
            carries_context: true,
            person: Person {
                home: None,
                rules: None,
                variable: &|_| None,
                settings: SettingsSource::Known(&settings),
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
