//! Undoing the last change that the caller made to tasks.
//!
//! An undo is a change like others: it stands in the journal, it is refused where somebody changed a
//! task since, and it can be undone itself.

use std::collections::BTreeMap;

use pacenote_model::{AgentName, Aggregate, Effect, Refusal, Task, TaskEffect, TaskFields, TaskId};
use pacenote_store::{Entry, EntryKind, Lately};

use super::{Decision, decide};
use crate::{EngineError, Work};

/// Entries of the project that are looked at: a day of work with its bookkeeping. An older change is
/// better corrected than undone.
const ENTRIES: u32 = 5_000;

/// The changes that can be undone. A note stays: it is a text that others may have read.
const KINDS: [EntryKind<'static>; 8] = [
    (Aggregate::Task, "added"),
    (Aggregate::Task, "claimed"),
    (Aggregate::Task, "passed"),
    (Aggregate::Task, "moved"),
    (Aggregate::Task, "waits"),
    (Aggregate::Task, "revised"),
    (Aggregate::Task, "deleted"),
    (Aggregate::Task, "restored"),
];

/// What an undo left a task as.
#[derive(Clone, Debug)]
pub struct UndoneTask {
    pub task: Task,
    /// Whether it is gone, because its beginning was undone.
    pub is_gone: bool,
}

/// Makes the tasks again what they were before the last change of the caller.
///
/// What changes between reading and writing is noticed, and the decision is made again: otherwise an
/// undo would take what another agent did in that moment for its own.
pub fn undo(work: &mut Work<'_>) -> Result<Vec<UndoneTask>, EngineError> {
    if let Some(earlier) = work.earlier()? {
        return read_undone(work, earlier.applied.iter().filter_map(|applied| applied.task()));
    }
    if work.actor.name.as_str() == AgentName::UNKNOWN {
        return Err(EngineError::Nameless);
    }
    let changed = decide(work, |work, tasks| {
        let before = find_undoable(work, tasks)?;
        let mut effects = Vec::new();
        for (task, to) in &before {
            let now = work.store().task_fields(*task)?.ok_or(EngineError::NothingToUndo)?;
            let (from, to) = (Box::new(now), Box::new(to.clone()));
            effects.push(Effect::Task(TaskEffect::Restored { task: *task, from, to }));
        }
        Ok(Decision { effects, outcome: before })
    })?;
    read_undone(work, changed.into_iter().map(|(task, _)| task))
}

/// Returns what the last change of the caller replaced; refused where somebody built on it since.
fn find_undoable(
    work: &Work<'_>,
    tasks: &[Task],
) -> Result<Vec<(TaskId, TaskFields)>, EngineError> {
    let wanted = Lately {
        project: work.project.id,
        kinds: &KINDS,
        since: None,
        among: ENTRIES,
        limit: usize::try_from(ENTRIES).unwrap_or(usize::MAX),
    };
    let entries = work.store().lately(&wanted)?;
    let is_own = |entry: &&Entry| entry.actor == work.actor.name && !entry.replaced.is_empty();
    let last = entries.iter().find(is_own).ok_or(EngineError::NothingToUndo)?;
    let (of_others, own): (Vec<&Entry>, Vec<&Entry>) =
        entries.iter().partition(|entry| entry.commit != last.commit);
    let before = fields_before(&own);
    let is_later = |entry: &&&Entry| entry.sequence > last.sequence;
    let later: Vec<TaskId> = of_others
        .iter()
        .filter(is_later)
        .flat_map(|entry| entry.replaced.iter().map(|(task, _)| *task))
        .collect();
    for (id, to) in &before {
        let is_built_on =
            later.contains(id) || to.is_hidden && has_more(work, tasks, *id, &before)?;
        if is_built_on {
            let known = work.store().task_ever(*id)?;
            let task = known.ok_or(EngineError::NothingToUndo)?.short;
            return Err(Refusal::ChangedSince { task }.into());
        }
    }
    Ok(before)
}

/// Reports whether a task that an undo would remove has something that the undo does not remove with
/// it: a step, a task that waits on it, or a note of somebody else.
fn has_more(
    work: &Work<'_>,
    tasks: &[Task],
    id: TaskId,
    removed: &[(TaskId, TaskFields)],
) -> Result<bool, EngineError> {
    let rests_on = |task: &&Task| task.parent == Some(id) || task.after.contains(&id);
    let stays = |task: &Task| removed.iter().all(|(gone, _)| *gone != task.id);
    if tasks.iter().filter(rests_on).any(stays) {
        return Ok(true);
    }
    let notes = work.store().notes(id)?;
    Ok(notes.iter().any(|note| note.author != work.actor.name))
}

/// Returns what each task was before a commit, with tasks before their steps: `entries` are newest
/// first, and a task that was changed twice was first what its oldest entry says.
fn fields_before(entries: &[&Entry]) -> Vec<(TaskId, TaskFields)> {
    let mut order = Vec::new();
    let mut before = BTreeMap::new();
    for (task, was) in entries.iter().flat_map(|entry| &entry.replaced) {
        if before.insert(*task, was.clone()).is_none() {
            order.push(*task);
        }
    }
    order.into_iter().filter_map(|task| before.remove(&task).map(|was| (task, was))).collect()
}

fn read_undone(
    work: &Work<'_>,
    changed: impl Iterator<Item = TaskId>,
) -> Result<Vec<UndoneTask>, EngineError> {
    let mut undone = Vec::new();
    for id in changed {
        let is_gone = work.store().task_fields(id)?.is_none_or(|fields| fields.is_hidden);
        undone.extend(work.store().task_ever(id)?.map(|task| UndoneTask { task, is_gone }));
    }
    Ok(undone)
}
