//! Tasks: add, move, import.

mod import;
mod undo;

use std::path::Path;

use pacenote_files::git::ProjectPlace;
use pacenote_model::{
    Address, AgentName, Body, Effect, Forest, NewTask, Note, PlanPlace, Recipient, Refusal, Task,
    TaskEffect, TaskId, TaskRef, TaskSkills, TaskState, TaskVerb, Title, task::PlanFile,
};
use pacenote_store::{Committed, StoreError};

pub use self::{
    import::{Imported, import},
    undo::{UndoneTask, undo},
};
use crate::{
    Desk, EngineError, Here, Work,
    desk::find_task,
    mail::{MentionMail, mail_mentioned},
    names,
};

/// A task as it is asked for.
#[derive(Clone, Debug, Default)]
pub struct AddRequest<'a> {
    pub title: &'a str,
    /// The task it is a step of.
    pub parent: Option<&'a str>,
    /// The tasks it waits on.
    pub after: &'a [String],
    /// The skills it asks for, separated by commas, or `none`.
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
    if let Some(earlier) = work.earlier()? {
        return answered(work, &earlier);
    }
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
        assignee: request.assignee.map(names::parse_agent).transpose()?,
        skill: request.skill.map(TaskSkills::parse).transpose()?,
        plan,
        after,
        ..NewTask::titled(TaskId::new(work.fresh()), Title::parse(request.title)?)
    };
    let committed = work.commit(vec![Effect::Task(TaskEffect::Added { task })])?;
    answered(work, &committed)
}

/// Returns a plan's path as it is stored: relative to the project's root where it lies inside.
fn plan_file(place: &ProjectPlace, path: &Path) -> Result<PlanFile, EngineError> {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    // The file need not exist yet; where it does, links are resolved so that it has one name.
    let known = pacenote_files::canonical(&absolute).unwrap_or(absolute);
    let shown = known.strip_prefix(&place.root).unwrap_or(&known);
    Ok(PlanFile::parse(&shown.to_string_lossy())?)
}

/// What a claim does about a task that another agent holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeldByOther {
    /// It is refused.
    Refuse,
    /// The task passes to the one who claims it.
    TakeOver,
}

/// Gives a task to an agent.
pub fn claim(
    work: &mut Work<'_>,
    raw: &str,
    agent: Option<&str>,
    held: HeldByOther,
) -> Result<Task, EngineError> {
    if let Some(earlier) = work.earlier()? {
        return answered(work, &earlier);
    }
    let agent = names::known_agent(&work.actor.name, agent.map(names::parse_agent).transpose()?)?;
    let task = work.task(raw)?.id;
    let claimed = Effect::Task(TaskEffect::Claimed { task, agent: agent.clone() });
    if held == HeldByOther::Refuse {
        let committed = work.commit(vec![claimed])?;
        return answered(work, &committed);
    }
    // Who holds it must hold it still when it passes on: otherwise nothing passes, and the caller
    // believes to have it.
    decide(work, |_, tasks| {
        let found = tasks.iter().find(|found| found.id == task);
        let holder = found.and_then(|found| found.assignee.clone());
        let holder = holder.filter(|holder| *holder != agent);
        let passed =
            holder.map(|from| Effect::Task(TaskEffect::Passed { task, from, to: agent.clone() }));
        // What passes while somebody works on it is claimed with that.
        let is_begun = found.is_some_and(|found| found.state == TaskState::InProgress);
        let claimed = (passed.is_none() || !is_begun).then(|| claimed.clone());
        Ok(Decision { effects: passed.into_iter().chain(claimed).collect(), outcome: () })
    })?;
    work.committed_task(task)
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
    if let Some(earlier) = work.earlier()? {
        return answered(work, &earlier);
    }
    let task = work.task(raw)?;
    let reason = reason.map(Body::note).transpose()?;
    let itself = Effect::Task(TaskEffect::Moved { task: task.id, verb, reason });
    match reach {
        Reach::Task => {
            work.commit(vec![itself])?;
        }
        Reach::Steps => decide(work, |_, tasks| {
            // Deepest first: a step with steps of its own closes only after them.
            let steps = Forest::new(tasks).unfinished_steps(task.id).into_iter().rev();
            let moved = steps
                .map(|step| Effect::Task(TaskEffect::Moved { task: step.id, verb, reason: None }));
            Ok(Decision { effects: moved.chain([itself.clone()]).collect(), outcome: () })
        })?,
    }
    work.committed_task(task.id)
}

/// What now holds a task up.
#[derive(Clone, Debug)]
pub struct Blocked {
    pub task: Task,
    /// The task it was made to wait on.
    pub on: Option<Task>,
}

/// Blocks a task, by a reason, by another task, or both.
pub fn block(
    work: &mut Work<'_>,
    raw: &str,
    reason: Option<&str>,
    by: Option<&str>,
) -> Result<Blocked, EngineError> {
    if let Some(earlier) = work.earlier()? {
        let on = by.and_then(|by| work.task(by).ok());
        return Ok(Blocked { task: answered(work, &earlier)?, on });
    }
    let task = work.task(raw)?;
    let on = by.map(|by| work.task(by)).transpose()?;
    let mut list = Vec::new();
    list.extend(on.as_ref().map(|on| Effect::Task(TaskEffect::Waits { task: task.id, on: on.id })));
    // A task that waits on another is held up by that alone; it needs no state to be undone later.
    if let Some(reason) = reason {
        let reason = Some(Body::note(reason)?);
        list.push(Effect::Task(TaskEffect::Moved { task: task.id, verb: TaskVerb::Block, reason }));
    }
    work.commit(list)?;
    Ok(Blocked { task: work.committed_task(task.id)?, on })
}

/// A task with a new note, and whom the note mentions.
#[derive(Clone, Debug)]
pub struct Noted {
    pub task: Task,
    /// The agents that got the note as mail.
    pub mailed: Vec<Recipient>,
    /// Mentions that are nobody's name here, and so went to nobody.
    pub strangers: Vec<Address>,
}

/// Adds a note to a task; whom it mentions gets it as mail.
pub fn note(work: &mut Work<'_>, raw: &str, text: &str) -> Result<Noted, EngineError> {
    if let Some(earlier) = work.earlier()? {
        let task = answered(work, &earlier)?;
        return Ok(Noted { task, mailed: Vec::new(), strangers: Vec::new() });
    }
    let task = work.task(raw)?;
    let note = Effect::Task(TaskEffect::Noted { task: task.id, text: Body::note(text)? });
    let subject = format!("mentioned in {}", task.short);
    let MentionMail { effect, recipients, strangers } = mail_mentioned(work, &subject, text, None)?;
    let committed = work.commit([note].into_iter().chain(effect).collect())?;
    Ok(Noted { task: answered(work, &committed)?, mailed: recipients, strangers })
}

/// What a deletion removed.
#[derive(Clone, Debug)]
pub struct Deleted {
    pub task: Task,
    /// How many steps went with it.
    pub steps: usize,
}

/// Deletes a task and all below it.
pub fn delete(work: &mut Work<'_>, raw: &str) -> Result<Deleted, EngineError> {
    if let Some(earlier) = work.earlier()? {
        // How many steps went with it the first time is not known any more.
        return Ok(Deleted { task: answered(work, &earlier)?, steps: 0 });
    }
    let task = work.task(raw)?;
    let tasks = work.store().tasks(work.project.id)?;
    let steps = count_below(&Forest::new(&tasks), task.id);
    work.commit(vec![Effect::Task(TaskEffect::Deleted { task: task.id })])?;
    Ok(Deleted { task, steps })
}

fn count_below(forest: &Forest<'_>, task: TaskId) -> usize {
    let mut waiting: Vec<&Task> = forest.children(Some(task)).to_vec();
    let mut count = 0;
    while let Some(step) = waiting.pop() {
        count += 1;
        waiting.extend(forest.children(Some(step.id)));
    }
    count
}

/// How often a decision is made anew before its caller is told that the tasks keep changing. Each
/// time another process got something done; so many in a row is a loop, not a race.
const DECISIONS: usize = 20;

/// What follows from the tasks as they were read.
struct Decision<T> {
    effects: Vec<Effect>,
    /// What the caller is told once the effects are committed.
    outcome: T,
}

/// Commits a decision that rests on all tasks of the project, or makes it anew when one of them
/// changed between reading and writing.
fn decide<T>(
    work: &mut Work<'_>,
    make: impl Fn(&Work<'_>, &[Task]) -> Result<Decision<T>, EngineError>,
) -> Result<T, EngineError> {
    let mut left = DECISIONS;
    loop {
        left -= 1;
        // The entry is read before the tasks: what changes between the two is noticed.
        let since = work.sequence()?;
        // A project that was new a moment ago may have been made known, with tasks, by another.
        if let Some(known) = work.store().project_at(&work.project.place)? {
            work.project = known;
        }
        let tasks = work.store().tasks(work.project.id)?;
        let Decision { effects, outcome } = make(work, &tasks)?;
        if effects.is_empty() {
            return Ok(outcome);
        }
        match work.commit_if_unchanged(effects, since) {
            Ok(_) => return Ok(outcome),
            Err(EngineError::Store(StoreError::Refused(Refusal::TasksChanged))) if left > 0 => {}
            Err(error) => return Err(error),
        }
    }
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
    let tasks = desk.tasks_of(&here)?;
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

/// Returns the task a commit answered for: on a retry the one of the first try, deleted or not.
///
/// Where a commit changed several, the task that was named comes after its steps.
fn answered(work: &Work<'_>, committed: &Committed) -> Result<Task, EngineError> {
    let named = committed.applied.iter().rev().find_map(|applied| applied.task());
    let id = named.unwrap_or_else(|| TaskId::new(uuid::Uuid::nil()));
    let unknown = EngineError::UnknownTask { task: TaskRef::Id(id), nearest: None };
    work.store().task_ever(id)?.ok_or(unknown)
}
