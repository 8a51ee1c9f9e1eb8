//! The skill that is in force for a task, as rules ask for it: by its name alone.
//!
//! It is chosen as it is for a briefing. This opens files, so nothing comes here unless a rule asks.

use std::cell::LazyCell;

use pacenote_context::position::{Naming, Position};
use pacenote_model::{Forest, Task};
use pacenote_skill::{
    choice::{Rules, TaskView, choose},
    reference::Reference,
};

use crate::{EngineError, records::was_injected, situation::Situation, skills::Quick};

/// Returns the name of the skill in force for a task, or for the step of it that is at hand: the one
/// that the task names, that its title calls for, that a task above has, or the default.
pub(super) fn skill_in_force(
    situation: &Situation<'_>,
    forest: &Forest<'_>,
    task: &Task,
) -> Result<String, EngineError> {
    let position = Position::of(forest, situation.agent()?, Naming::Id);
    let step = position.step.filter(|_| position.current == Some(task.id));
    let task = step.and_then(|step| forest.get(step)).unwrap_or(task);
    let mut line = vec![task];
    line.extend(forest.ancestors(task.id));
    let named: Vec<(String, Option<Reference>)> = line
        .iter()
        .map(|task| {
            let skill = task.skill.as_ref().and_then(|skill| Reference::parse(skill.as_str()).ok());
            (task.number.to_string(), skill)
        })
        .collect();
    let views: Vec<TaskView<'_>> = line
        .iter()
        .zip(&named)
        .map(|(task, (name, skill))| TaskView {
            name,
            skill: skill.as_ref(),
            title: task.title.as_str(),
        })
        .collect();
    let Some((own, above)) = views.split_first() else { return Ok(String::new()) };
    let rules = LazyCell::new(|| {
        let rows = situation.settings().skills_task_rules();
        Rules::parse(rows.iter().map(String::as_str)).unwrap_or_default()
    });
    let quick = Quick::open(situation.desk, &situation.surroundings())?;
    let records = situation.records()?;
    let received = |skill: &Reference| was_injected(records, skill);
    let find = |wanted: &Reference| {
        let (candidate, _) = quick.as_ref()?.find(wanted, &received).ok()?;
        Some(candidate.reference())
    };
    Ok(name_of(&choose(own, above, &rules, &find).skill))
}

/// Returns the name of a skill without its plugin: which of two sources it comes from is nothing that
/// a rule should depend on.
fn name_of(skill: &Reference) -> String {
    skill.key().map_or_else(|| skill.to_string(), ToString::to_string)
}
