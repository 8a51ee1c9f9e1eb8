//! The skill that is in force for a task, as rules ask for it: by its name alone.
//!
//! It is chosen as it is for a briefing. This opens files, so nothing comes here unless a rule asks.

use std::cell::LazyCell;

use pacenote_model::{Forest, Task};
use pacenote_skill::reference::Reference;

use crate::{
    EngineError,
    situation::Situation,
    skill_records::SkillRecords,
    skills::{Quick, TaskDescent, at_hand, rules_in},
};

/// Returns the name of the skill in force for a task, or for the step of it that is at hand: the one
/// that the task names, that its title calls for, that a task above has, or the default. Several are
/// joined by commas, as a task names them; without any the text is empty.
pub(super) fn skill_in_force(
    situation: &Situation<'_>,
    forest: &Forest<'_>,
    task: &Task,
) -> Result<String, EngineError> {
    let Some(task) = forest.get(task.id) else { return Ok(String::new()) };
    let task = at_hand(forest, situation.agent()?, task);
    let rules = LazyCell::new(|| rules_in(situation.settings()));
    let quick = Quick::open(situation.desk, &situation.surroundings())?;
    let session = SkillRecords(situation.records()?);
    let find = |wanted: &Reference| {
        let found = quick.as_ref()?.find(wanted, &session).ok()?;
        Some(found.candidate.reference())
    };
    let choice = TaskDescent::of(task, &forest.ancestors(task.id)).choose(&rules, &find);
    let names = choice.iter().flat_map(|choice| &choice.skills).map(|one| name_of(&one.skill));
    Ok(names.collect::<Vec<_>>().join(","))
}

/// Returns the name of a skill without its plugin: which of two sources it comes from is nothing that
/// a rule should depend on.
fn name_of(skill: &Reference) -> String {
    skill.key().map_or_else(|| skill.to_string(), ToString::to_string)
}
