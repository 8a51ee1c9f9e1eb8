//! The rules that a commit is held to: who may claim, move, wait, reserve, take, pass and advance what.
//!
//! Pure functions over rows. The store calls them inside its transaction, with rows that nobody can
//! change meanwhile, and passes time in; what they refuse, they refuse whoever asks. They never read
//! a row themselves, so that a rule is tested without a database and holds for every store.

use alloc::vec::Vec;

use crate::{
    AgentName, Forest, HostId, KeptRun, Number, Opening, Refusal, Reservation, ReservationId,
    SessionId, ShortId, Task, TaskFields, TaskId, TaskState, TaskVerb, limits,
};

/// What a claim comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The agent holds the task already.
    Held,
    /// It may have it.
    Free,
}

/// Decides whether an agent may claim a task, as far as the task itself says.
pub fn claim(task: &Task, agent: &AgentName) -> Result<Claim, Refusal> {
    if task.state.is_over() {
        return Err(wrong_state(task.short.clone(), task.state, "claimed"));
    }
    if let Some(by) = task.assignee.clone().filter(|by| by != agent) {
        return Err(Refusal::Held { task: task.short.clone(), by });
    }
    Ok(if task.state == TaskState::InProgress { Claim::Held } else { Claim::Free })
}

/// Reports whether a task passes from one agent to another: only what is unfinished, and still held by
/// the first.
pub fn passes_on(task: &Task, from: &AgentName) -> bool {
    !task.state.is_over() && task.assignee.as_ref() == Some(from)
}

/// Refuses work on a step of something that is over; `above` is a task above it that is.
pub fn work_below(above: Option<(ShortId, TaskState)>) -> Result<(), Refusal> {
    match above {
        Some((short, state)) => Err(wrong_state(short, state, "worked on")),
        None => Ok(()),
    }
}

/// Refuses work on a task that others have to be finished before.
pub fn work_after(forest: &Forest<'_>, task: &Task) -> Result<(), Refusal> {
    let on = short_ids(forest.held_up_by(task.id));
    if on.is_empty() {
        return Ok(());
    }
    Err(Refusal::StillWaits { task: task.short.clone(), on })
}

/// What a move of a task comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// It is where it should be, and there is nothing new to say about it.
    Done,
    /// It gets this state, and this assignee.
    To(TaskState, Option<AgentName>),
}

/// Decides where a verb moves a task; `has_reason` says whether there is something new to say.
pub fn step(task: &Task, verb: TaskVerb, has_reason: bool) -> Result<Step, Refusal> {
    let Some(to) = verb.applied_to(task.state) else {
        let wanted = match verb {
            TaskVerb::Block => "blocked",
            TaskVerb::Close => "closed",
            TaskVerb::Fail => "failed",
            TaskVerb::Skip => "skipped",
            TaskVerb::Reopen => "reopened",
        };
        return Err(wrong_state(task.short.clone(), task.state, wanted));
    };
    let is_free = task.assignee.is_none() || verb != TaskVerb::Reopen;
    if to == task.state && !has_reason && is_free {
        return Ok(Step::Done);
    }
    // Reopening gives a task back to everyone.
    let assignee = task.assignee.clone().filter(|_| verb != TaskVerb::Reopen);
    Ok(Step::To(to, assignee))
}

/// Refuses to undo a change of a task that changed since; `now` is what it is.
pub fn restore(task: &ShortId, now: &TaskFields, from: &TaskFields) -> Result<(), Refusal> {
    if now == from { Ok(()) } else { Err(Refusal::ChangedSince { task: task.clone() }) }
}

/// Refuses to close a task with steps that are not finished.
pub fn close(forest: &Forest<'_>, task: &Task) -> Result<(), Refusal> {
    let steps = short_ids(forest.unfinished_steps(task.id));
    if steps.is_empty() {
        return Ok(());
    }
    Err(Refusal::OpenSteps { task: task.short.clone(), steps })
}

/// Refuses to let a task wait on another where that is a loop, or one dependency too many.
pub fn wait(forest: &Forest<'_>, task: &Task, on: TaskId) -> Result<(), Refusal> {
    if let Some(path) = forest.loop_through(task.id, on) {
        let path = short_ids(path.into_iter().filter_map(|id| forest.get(id)));
        return Err(Refusal::Loop { task: task.short.clone(), path });
    }
    if task.after.len() >= limits::TASK_DEPENDENCIES && !task.after.contains(&on) {
        let most = limits::TASK_DEPENDENCIES;
        return Err(Refusal::TooMany { what: "dependencies of one task", most });
    }
    Ok(())
}

/// Decides under which id a reservation is kept: an agent that holds the pattern already renews
/// that. `held` is what is held at the moment of the commit.
pub fn reserve(held: &[Reservation], wanted: &Reservation) -> Result<ReservationId, Refusal> {
    if let Some(other) = held.iter().find(|held| held.conflicts_with(wanted)) {
        return Err(Refusal::Reserved {
            wanted: wanted.pattern.clone(),
            pattern: other.pattern.clone(),
            by: other.agent.clone(),
            until: other.until,
        });
    }
    let is_own = |held: &&Reservation| held.agent == wanted.agent && held.pattern == wanted.pattern;
    Ok(held.iter().find(is_own).map_or(wanted.id, |held| held.id))
}

/// Decides whether a handoff that is no longer waiting counts as taken by the session that asks;
/// `taken_by` is who took it, if anybody did.
pub fn take_again(taken_by: Option<HostId>, by: &HostId) -> Result<(), Refusal> {
    match taken_by {
        Some(taken_by) if taken_by == *by => Ok(()),
        Some(by) => Err(Refusal::HandoffTaken { by }),
        None => Err(Refusal::UnknownHandoff),
    }
}

/// Reports whether an opening lets a session pass what a rule refuses; `was_used` says whether it has
/// done so before, which a commit may not know yet.
pub fn passes(opening: &Opening, rule: &str, session: Option<SessionId>, was_used: bool) -> bool {
    let is_for_session = opening.session.is_none_or(|wanted| Some(wanted) == session);
    opening.rule == rule && is_for_session && !(opening.once && was_used)
}

/// Reports whether an opening stays after it was used.
pub const fn stays_open(opening: &Opening) -> bool {
    !opening.once
}

/// Refuses to begin a run under a number that is not the next one.
pub fn begin_run(next: Number, run: &KeptRun) -> Result<(), Refusal> {
    if next == run.number { Ok(()) } else { Err(Refusal::RunNumberTaken) }
}

/// Refuses to move a run that is not known, or that somebody moved meanwhile.
pub fn advance_run(before: Option<&KeptRun>, number: Number, from: u32) -> Result<(), Refusal> {
    match before {
        None => Err(Refusal::UnknownRun { number }),
        Some(before) if before.revision != from => {
            Err(Refusal::RunMoved { number, revision: before.revision })
        }
        Some(_) => Ok(()),
    }
}

fn wrong_state(task: ShortId, state: TaskState, wanted: &'static str) -> Refusal {
    Refusal::WrongState { task, state: state.label(), wanted }
}

fn short_ids<'t>(tasks: impl IntoIterator<Item = &'t Task>) -> Vec<ShortId> {
    tasks.into_iter().map(|task| task.short.clone()).collect()
}

#[cfg(test)]
mod tests;
