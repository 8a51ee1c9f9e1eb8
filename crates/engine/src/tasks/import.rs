//! Importing a plan.

use std::{collections::BTreeSet, path::Path};

use pacenote_context::{Plan, Reconciled, reconcile};
use pacenote_files::{Bytes, Links, git::ProjectPlace, read_text};
use pacenote_model::{Effect, ShortId, Task, TaskId, limits, task::PlanFile};

use super::{Decision, decide, plan_file};
use crate::{EngineError, Work};

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
    /// What left the plan but has work or notes in it, and stays.
    pub kept: Vec<ShortId>,
    /// What looked like a task and was not.
    pub findings: Vec<String>,
}

impl Imported {
    fn new(file: PlanFile, reconciled: Reconciled, findings: Vec<String>) -> Self {
        let Reconciled { effects: _, added, revised, removed, unchanged, kept } = reconciled;
        Self { file, added, revised, removed, unchanged, kept, findings }
    }
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
    let findings: Vec<String> = findings.iter().map(ToString::to_string).collect();
    if plan.tasks.is_empty() {
        return Err(EngineError::EmptyPlan { file: file.to_string(), findings });
    }
    if work.earlier()?.is_some() {
        // The same wish changes nothing a second time, whatever the plan says by now.
        let reconciled = Reconciled { unchanged: plan.items(), ..Reconciled::default() };
        return Ok(Imported::new(file, reconciled, findings));
    }
    let reconciled = decide(work, |work, tasks| {
        let noted = noted(work, &file, tasks)?;
        let mut fresh = || TaskId::new(work.fresh());
        let mut reconciled = reconcile(&plan, &file, tasks, &noted, &mut fresh);
        let effects = std::mem::take(&mut reconciled.effects).into_iter().map(Effect::Task);
        Ok(Decision { effects: effects.collect(), outcome: reconciled })
    })?;
    Ok(Imported::new(file, reconciled, findings))
}

/// Returns the tasks of a plan that somebody has written notes on.
fn noted(
    work: &Work<'_>,
    file: &PlanFile,
    tasks: &[Task],
) -> Result<BTreeSet<TaskId>, EngineError> {
    let mut noted = BTreeSet::new();
    for task in tasks {
        let is_ours = task.plan.as_ref().is_some_and(|place| place.file == *file);
        if is_ours && !work.store().notes(task.id)?.is_empty() {
            noted.insert(task.id);
        }
    }
    Ok(noted)
}
