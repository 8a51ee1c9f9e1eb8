//! Tasks: add, move, import.

use std::path::Path;

use pacenote_context::{Plan, Reconciled, reconcile};
use pacenote_files::{Bytes, Links, git::ProjectPlace, read_text};
use pacenote_model::{
    AgentName, Body, Effect, Forest, NewTask, Note, PlanPlace, ShortId, SkillRef, Task, TaskId,
    TaskState, TaskVerb, Title, limits, task::PlanFile,
};
use pacenote_store::Committed;

use crate::{Desk, EngineError, Here, Work, desk::find_task};

/// A task as it is asked for.
#[derive(Clone, Debug, Default)]
pub struct AddRequest<'a> {
    /// Its title.
    pub title: &'a str,
    /// The task it is a step of.
    pub parent: Option<&'a str>,
    /// The tasks it waits on.
    pub after: &'a [String],
    /// The skill bound to it.
    pub skill: Option<&'a str>,
    /// The plan that describes it.
    pub plan: Option<&'a Path>,
    /// Where in the plan.
    pub section: Option<&'a str>,
    /// Who is to do it.
    pub assignee: Option<&'a str>,
}

/// Adds a task.
pub fn add(
    work: &mut Work<'_>,
    place: &ProjectPlace,
    request: &AddRequest<'_>,
) -> Result<Task, EngineError> {
    let parent = request.parent.map(|raw| work.task(raw)).transpose()?;
    let after: Vec<TaskId> = request
        .after
        .iter()
        .map(|raw| work.task(raw).map(|task| task.id))
        .collect::<Result<_, _>>()?;
    let section = request.section.map(|raw| Title::parse_as("section", raw)).transpose()?;
    let plan = request
        .plan
        .map(|path| plan_file(place, path).map(|file| PlanPlace { file, section: section.clone() }))
        .transpose()?;
    let task = NewTask {
        parent: parent.map(|parent| parent.id),
        assignee: request.assignee.map(AgentName::parse).transpose()?,
        skill: request.skill.map(SkillRef::parse).transpose()?,
        plan,
        after,
        ..NewTask::titled(TaskId::new(work.fresh()), Title::parse(request.title)?)
    };
    let committed = work.commit(vec![Effect::TaskAdded { task }])?;
    committed_task(work, &committed)
}

/// Returns a plan's path as it is stored: relative to the project's root where it lies inside.
fn plan_file(place: &ProjectPlace, path: &Path) -> Result<PlanFile, EngineError> {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    // The file need not exist yet; where it does, links are resolved so that it has one name.
    let known = pacenote_files::canonical(&absolute).unwrap_or(absolute);
    let shown = known.strip_prefix(&place.root).unwrap_or(&known);
    Ok(PlanFile::parse(&shown.to_string_lossy())?)
}

/// Gives a task to an agent.
pub fn claim(work: &mut Work<'_>, raw: &str, agent: Option<&str>) -> Result<Task, EngineError> {
    let agent = match agent {
        Some(raw) => AgentName::parse(raw)?,
        None => work.actor.name.clone(),
    };
    if agent.as_str() == AgentName::UNKNOWN {
        return Err(EngineError::Nameless);
    }
    let task = work.task(raw)?.id;
    let committed = work.commit(vec![Effect::TaskClaimed { task, agent }])?;
    committed_task(work, &committed)
}

/// Which tasks a verb reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The task alone.
    Task,
    /// The task and its unfinished steps.
    Steps,
}

/// Changes a task's state, with a reason where there is one.
pub fn move_to(
    work: &mut Work<'_>,
    raw: &str,
    verb: TaskVerb,
    reason: Option<&str>,
    reach: Reach,
) -> Result<Task, EngineError> {
    let task = work.task(raw)?;
    let reason = reason.map(Body::note).transpose()?;
    let mut list = Vec::new();
    if reach == Reach::Steps {
        let tasks = work.store().tasks(work.project.id)?;
        // Deepest first: a step with steps of its own closes only after them.
        let steps = Forest::new(&tasks).unfinished_steps(task.id);
        list.extend(steps.iter().rev().map(|step| Effect::TaskMoved {
            task: step.id,
            verb,
            reason: None,
        }));
    }
    list.push(Effect::TaskMoved { task: task.id, verb, reason });
    work.commit(list)?;
    work.committed_task(task.id)
}

/// Blocks a task, by a reason, by another task, or both.
pub fn block(
    work: &mut Work<'_>,
    raw: &str,
    reason: Option<&str>,
    by: Option<&str>,
) -> Result<Task, EngineError> {
    let task = work.task(raw)?;
    let mut list = Vec::new();
    if let Some(by) = by {
        list.push(Effect::TaskWaits { task: task.id, on: work.task(by)?.id });
    }
    // A task that waits on another is held up by that alone; it needs no state to be undone later.
    if let Some(reason) = reason {
        let reason = Some(Body::note(reason)?);
        list.push(Effect::TaskMoved { task: task.id, verb: TaskVerb::Block, reason });
    }
    work.commit(list)?;
    work.committed_task(task.id)
}

/// Adds a note to a task.
pub fn note(work: &mut Work<'_>, raw: &str, text: &str) -> Result<Task, EngineError> {
    let task = work.task(raw)?.id;
    let committed = work.commit(vec![Effect::TaskNoted { task, text: Body::note(text)? }])?;
    committed_task(work, &committed)
}

/// What a deletion removed.
#[derive(Clone, Debug)]
pub struct Deleted {
    /// The task.
    pub task: Task,
    /// How many steps went with it.
    pub steps: usize,
}

/// Deletes a task and all below it.
pub fn delete(work: &mut Work<'_>, raw: &str) -> Result<Deleted, EngineError> {
    let task = work.task(raw)?;
    let tasks = work.store().tasks(work.project.id)?;
    let below = |id: TaskId| Forest::new(&tasks).ancestors(id).iter().any(|up| up.id == task.id);
    let steps = tasks.iter().filter(|other| below(other.id)).count();
    work.commit(vec![Effect::TaskDeleted { task: task.id }])?;
    Ok(Deleted { task, steps })
}

/// What an import did.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The plan, as stored.
    pub file: PlanFile,
    /// How many tasks and steps were added.
    pub added: usize,
    /// How many got another title or place.
    pub revised: usize,
    /// How many left the plan untouched and went.
    pub removed: usize,
    /// How many stand as before.
    pub unchanged: usize,
    /// What left the plan but has work in it, and stays.
    pub kept: Vec<ShortId>,
    /// What looked like a task and was not.
    pub findings: Vec<String>,
}

/// Makes the tasks of a plan, or brings them up to date with it.
pub fn import(
    work: &mut Work<'_>,
    place: &ProjectPlace,
    path: &Path,
) -> Result<Imported, EngineError> {
    let text = read_text(path, Bytes::new(limits::PLAN_BYTES), Links::Follow)?;
    let file = plan_file(place, path)?;
    let (plan, findings) = Plan::parse(&text);
    if plan.tasks.is_empty() {
        return Err(EngineError::EmptyPlan { file: file.to_string() });
    }
    let existing = work.store().tasks(work.project.id)?;
    let clock = crate::Clock;
    let mut reconciled = reconcile(&plan, &file, &existing, &mut || TaskId::new(clock.fresh()));
    keep_noted(work, &existing, &mut reconciled)?;
    if !reconciled.effects.is_empty() {
        work.commit(reconciled.effects)?;
    }
    Ok(Imported {
        file,
        added: reconciled.added,
        revised: reconciled.revised,
        removed: reconciled.removed,
        unchanged: reconciled.unchanged,
        kept: reconciled.kept,
        findings: findings.iter().map(ToString::to_string).collect(),
    })
}

/// Takes back the deletion of tasks that somebody has written notes on.
fn keep_noted(
    work: &Work<'_>,
    existing: &[Task],
    reconciled: &mut Reconciled,
) -> Result<(), EngineError> {
    let forest = Forest::new(existing);
    let mut noted: Vec<TaskId> = Vec::new();
    for effect in &reconciled.effects {
        let Effect::TaskDeleted { task } = effect else { continue };
        let below = existing
            .iter()
            .filter(|other| forest.ancestors(other.id).iter().any(|above| above.id == *task));
        for candidate in below.map(|task| task.id).chain([*task]) {
            if !work.store().notes(candidate)?.is_empty() {
                noted.push(*task);
                break;
            }
        }
    }
    reconciled
        .effects
        .retain(|effect| !matches!(effect, Effect::TaskDeleted { task } if noted.contains(task)));
    reconciled.removed = reconciled.removed.saturating_sub(noted.len());
    let kept = noted.iter().filter_map(|task| forest.get(*task)).map(|task| task.short.clone());
    reconciled.kept.extend(kept);
    Ok(())
}

/// Which tasks are listed.
#[derive(Clone, Debug, Default)]
pub struct ListRequest<'a> {
    /// Only these states; empty means all.
    pub states: &'a [TaskState],
    /// Only what this agent is to do.
    pub assignee: Option<&'a AgentName>,
    /// Only what could be begun now.
    pub ready: bool,
}

/// The tasks of the project at hand, in tree order.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// All tasks that are not deleted.
    pub tasks: Vec<Task>,
    /// Those that were asked for, by id, in tree order.
    pub chosen: Vec<TaskId>,
    /// The one the caller works on.
    pub current: Option<TaskId>,
}

/// Lists tasks.
pub fn list(desk: &Desk, request: &ListRequest<'_>) -> Result<Listing, EngineError> {
    let Some(here) = desk.here()? else { return Ok(Listing::default()) };
    let tasks = here.store.tasks(here.project.id)?;
    let forest = Forest::new(&tasks);
    let chosen = forest
        .walk()
        .into_iter()
        .map(|(_, task)| task)
        .filter(|task| request.states.is_empty() || request.states.contains(&task.state))
        .filter(|task| request.assignee.is_none() || task.assignee.as_ref() == request.assignee)
        .filter(|task| !request.ready || forest.is_ready(task))
        .map(|task| task.id)
        .collect();
    let reader = desk.reader().ok();
    let current = forest.current(reader.as_ref()).map(|task| task.id);
    Ok(Listing { tasks, chosen, current })
}

/// A task with what surrounds it.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The task.
    pub task: Task,
    /// All tasks of the project, for its parent, steps and dependencies.
    pub tasks: Vec<Task>,
    /// Its notes, oldest first.
    pub notes: Vec<Note>,
}

/// Shows one task.
pub fn show(here: &Here<'_>, raw: &str) -> Result<Shown, EngineError> {
    let task = find_task(here.store, here.project.id, raw)?;
    let tasks = here.store.tasks(here.project.id)?;
    let notes = here.store.notes(task.id)?;
    Ok(Shown { task, tasks, notes })
}

/// Returns the task a commit answered for: on a retry that is the one of the first try.
fn committed_task(work: &Work<'_>, committed: &Committed) -> Result<Task, EngineError> {
    let id = committed.applied.iter().find_map(|applied| applied.task());
    work.committed_task(id.unwrap_or_else(|| TaskId::new(uuid::Uuid::nil())))
}
