//! Undoing the last change that the caller made to tasks.
//!
//! An undo is a change like others: it stands in the journal, it is refused where somebody changed a
//! task since, and it can be undone itself.

use std::collections::BTreeMap;

use pacenote_model::{AgentName, Aggregate, Effect, Refusal, Task, TaskEffect, TaskFields, TaskId};
use pacenote_store::{Committed, Entry, EntryKind, Lately};

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
pub fn undo(work: &mut Work<'_>) -> Result<Vec<UndoneTask>, EngineError> {
    if let Some(earlier) = work.earlier()? {
        return read_undone(work, &earlier);
    }
    if work.actor.name.as_str() == AgentName::UNKNOWN {
        return Err(EngineError::Nameless);
    }
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
    let (of_others, rest): (Vec<&Entry>, Vec<&Entry>) =
        entries.iter().partition(|entry| entry.commit != last.commit);
    let before = fields_before(&rest);
    for (task, _) in &before {
        let is_later = |entry: &&&Entry| entry.sequence > last.sequence;
        let changes = |entry: &&Entry| entry.replaced.iter().any(|(changed, _)| changed == task);
        if of_others.iter().filter(is_later).any(changes) {
            let known = work.store().task_ever(*task)?;
            let task = known.ok_or(EngineError::NothingToUndo)?.short;
            return Err(Refusal::ChangedSince { task }.into());
        }
    }
    let mut effects = Vec::new();
    for (task, to) in before {
        let now = work.store().task_fields(task)?.ok_or(EngineError::NothingToUndo)?;
        let (from, to) = (Box::new(now), Box::new(to));
        effects.push(Effect::Task(TaskEffect::Restored { task, from, to }));
    }
    let committed = work.commit(effects)?;
    read_undone(work, &committed)
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

fn read_undone(work: &Work<'_>, committed: &Committed) -> Result<Vec<UndoneTask>, EngineError> {
    let mut undone = Vec::new();
    for id in committed.applied.iter().filter_map(|applied| applied.task()) {
        let is_gone = work.store().task_fields(id)?.is_none_or(|fields| fields.is_hidden);
        undone.extend(work.store().task_ever(id)?.map(|task| UndoneTask { task, is_gone }));
    }
    Ok(undone)
}
