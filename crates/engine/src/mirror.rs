//! The host's own list of things to do, as tasks.
//!
//! An agent that keeps its steps in its client's list would lose them with the session. What it puts
//! there becomes a task below the one it works on, and follows it: begun, done, taken off. A task
//! that people or other agents moved meanwhile is left where they put it.

use pacenote_model::{
    AgentName, Body, CommitKey, Effect, Forest, NewTask, Project, Task, TaskEffect, TaskId,
    TaskRef, TaskState, TaskVerb, Title, Todo, TodoState, limits, record::Origin,
};
use pacenote_skill::digest::digest_of;
use pacenote_store::StoreError;
use uuid::Uuid;

use crate::{
    EngineError,
    identity::session_actor,
    journal::{Entry, Journal, Request},
};

/// Hexadecimal digits of an id.
const DIGITS: usize = 32;

/// The version of UUIDs that are made from something known, not from the time.
const DERIVED: usize = 8;

/// Why a task is skipped that the agent took off its list.
const TAKEN_OFF: &str = "taken off the agent's own list";

/// Brings the tasks of a project up to what changed on a session's list.
pub(crate) fn mirror(
    journal: &mut Journal<'_>,
    project: &Project,
    from: &Origin,
    todos: &[Todo],
    key: CommitKey,
) -> Result<(), EngineError> {
    let (store, clock) = (journal.store(), journal.clock());
    let session = store.session(&from.host, &from.host_id)?;
    let (mut unknown, mut list) = (Vec::new(), Vec::new());
    let by = session_actor(store, session, &from.host, &from.host_id, clock, &mut unknown)?;
    let tasks = store.tasks(project.id)?;
    let forest = Forest::new(&tasks);
    let parent = parent_of(&forest, &by.name);
    for todo in todos {
        let Some(id) = id_of(from, todo) else { continue };
        match store.task(project.id, &TaskRef::Id(id))? {
            Some(task) => list.extend(moved(&task, todo, &forest, &by.name)),
            None => list.extend(added(id, todo, parent, &by.name)),
        }
    }
    if list.is_empty() {
        return Ok(());
    }
    let entered = journal.commit(Entry {
        project: project.id,
        by,
        at: from.at,
        request: Request::keyed(key),
        tasks_as_of: None,
        mark: None,
        unknown,
        list,
    });
    match entered {
        // A task that changed in this moment stays as somebody else put it.
        Ok(_) | Err(EngineError::Store(StoreError::Refused(_) | StoreError::KeyReused { .. })) => {
            Ok(())
        }
        Err(error) => Err(error),
    }
}

/// Returns the id that the mirror of a thing to do always has.
fn id_of(from: &Origin, todo: &Todo) -> Option<TaskId> {
    let (kind, known_by) = match (&todo.id, &todo.title) {
        (Some(id), _) => ("id", id),
        (None, Some(title)) => ("title", title),
        (None, None) => return None,
    };
    let whose = [from.host.as_str(), from.host_id.as_str(), kind, known_by].join("\u{1f}");
    let digest = digest_of(whose.as_bytes()).to_string();
    let digits: String = digest.rsplit('-').next()?.chars().take(DIGITS).collect();
    let bytes = u128::from_str_radix(&digits, 16).ok()?.to_be_bytes();
    Some(TaskId::new(uuid::Builder::from_custom_bytes(bytes).into_uuid()))
}

fn is_mirror(task: &Task) -> bool {
    let uuid: Uuid = task.id.uuid();
    uuid.get_version_num() == DERIVED
}

/// Returns the task that the agent works on: what it puts on its list are steps of that.
fn parent_of(forest: &Forest<'_>, agent: &AgentName) -> Option<TaskId> {
    let current =
        forest.current(Some(agent)).filter(|task| task.assignee.as_ref() == Some(agent))?;
    let above = forest.ancestors(current.id);
    [current].into_iter().chain(above).find(|task| !is_mirror(task)).map(|task| task.id)
}

/// Returns what makes a new thing to do a task.
fn added(id: TaskId, todo: &Todo, parent: Option<TaskId>, agent: &AgentName) -> Vec<Effect> {
    let Some(title) = todo.title.as_deref().and_then(title_of) else { return Vec::new() };
    let (state, is_claimed) = match todo.state {
        Some(TodoState::Dropped) => return Vec::new(),
        Some(TodoState::Done) => (TaskState::Done, false),
        Some(TodoState::Doing) => (TaskState::Open, true),
        Some(TodoState::Open) | None => (TaskState::Open, false),
    };
    let task = NewTask { parent, state, ..NewTask::titled(id, title) };
    let claim =
        is_claimed.then(|| Effect::Task(TaskEffect::Claimed { task: id, agent: agent.clone() }));
    [Effect::Task(TaskEffect::Added { task })].into_iter().chain(claim).collect()
}

/// Returns what moves a task to where the thing to do stands.
fn moved(task: &Task, todo: &Todo, forest: &Forest<'_>, agent: &AgentName) -> Vec<Effect> {
    let id = task.id;
    let to = |verb: TaskVerb| Effect::Task(TaskEffect::Moved { task: id, verb, reason: None });
    let claim = || Effect::Task(TaskEffect::Claimed { task: id, agent: agent.clone() });
    let is_others = task.assignee.as_ref().is_some_and(|assignee| assignee != agent);
    match (todo.state, task.state) {
        (Some(TodoState::Done), TaskState::Open | TaskState::InProgress | TaskState::Blocked)
            if forest.unfinished_steps(id).is_empty() =>
        {
            vec![to(TaskVerb::Close)]
        }
        (Some(TodoState::Doing), TaskState::Open | TaskState::Blocked) if !is_others => {
            vec![claim()]
        }
        (Some(TodoState::Doing), TaskState::Done) => vec![to(TaskVerb::Reopen), claim()],
        (Some(TodoState::Open), TaskState::Done) => vec![to(TaskVerb::Reopen)],
        (Some(TodoState::Open), TaskState::InProgress) if !is_others => vec![to(TaskVerb::Reopen)],
        (
            Some(TodoState::Dropped),
            TaskState::Open | TaskState::InProgress | TaskState::Blocked,
        ) => {
            let reason = Body::note(TAKEN_OFF).ok();
            vec![Effect::Task(TaskEffect::Moved { task: id, verb: TaskVerb::Skip, reason })]
        }
        (None, _)
        | (
            Some(TodoState::Open | TodoState::Doing | TodoState::Done | TodoState::Dropped),
            TaskState::Open
            | TaskState::InProgress
            | TaskState::Blocked
            | TaskState::Done
            | TaskState::Skipped
            | TaskState::Failed,
        ) => Vec::new(),
    }
}

/// Returns a title from whatever an agent wrote: on one line, and as much as a title takes.
fn title_of(raw: &str) -> Option<Title> {
    let words: Vec<&str> = raw.split(|c: char| c.is_whitespace() || c.is_control()).collect();
    let line = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let line: String =
        line.trim_start_matches('-').chars().take(limits::TITLE_CHARACTERS).collect();
    Title::parse(&line).ok()
}
