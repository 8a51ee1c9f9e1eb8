//! What a subagent needs for its role: its task, the plan as far as it concerns the role, the skill.

use pacenote_context::{
    errand::is_review,
    fragment::{Fragment, FragmentKind},
    fragments::{InstructionsBy, PromptBy, RoleNote},
    role::Role,
    role_prompt::is_in,
};
use pacenote_flow::lifecycle::Source;
use pacenote_model::Task;

use super::{Fragments, SourceRow};
use crate::{
    EngineError,
    briefing::{
        Form,
        skill::{BoundSkillNote, SkillExtent},
        work::Gathering,
    },
    wanted::WantedSource,
};

pub(super) static ROW: SourceRow = SourceRow { kinds: &[FragmentKind::ROLE], gather };

/// Returns what a subagent reads about its role; `None` for a reader without one.
pub(super) fn note_of<'x>(
    gathering: &'x Gathering<'_>,
) -> Result<Option<RoleNote<'x>>, EngineError> {
    let Gathering { situation, forest, .. } = gathering;
    let Some(role) = situation.role()? else { return Ok(None) };
    let task = situation.task_in(forest)?;
    let whole = task.and_then(|task| forest.get(task.parent?));
    let prompt = match gathering.layout.form {
        Form::Answer => PromptBy::Caller,
        Form::Page { .. } => PromptBy::Us,
    };
    let instructions = match gathering.role_prompt()? {
        Some(_) => InstructionsBy::Others,
        None => InstructionsBy::Us,
    };
    Ok(Some(RoleNote { role, task, whole, prompt, instructions }))
}

fn gather<'x>(gathering: &'x Gathering<'_>, _wanted: &WantedSource) -> Fragments<'x> {
    let situation = gathering.situation;
    let Some(note) = note_of(gathering)? else { return Ok(Vec::new()) };
    let (role, task) = (note.role, note.task);
    let mut fragments: Vec<Box<dyn Fragment + 'x>> = vec![Box::new(note)];
    let secret = situation.secret();
    // One that was filled in is in the prompt already.
    let asked = situation.errand_prompt().unwrap_or_default();
    if let Some(prompt) = gathering.role_prompt()?.filter(|prompt| !is_in(prompt.body(), asked)) {
        fragments.push(Box::new(prompt.fragment(SkillExtent::Whole, secret)));
    }
    let Some(task) =
        task.filter(|_| role != Role::Explorer && !gathering.wants(Source::TaskContext))
    else {
        return Ok(fragments);
    };
    let work = gathering.work()?;
    // A reviewer judges by itself, whatever others think of the work.
    if let Some(notes) = work.notes.as_ref().filter(|_| role != Role::Reviewer) {
        fragments.push(Box::new(notes.clone()));
    }
    if let Some(plan) = &work.plan {
        fragments.push(Box::new(plan.fragment(secret)));
    }
    for skill in &work.skills {
        if let Some(extent) = extent_for(role, task, skill) {
            fragments.push(Box::new(skill.fragment(extent, secret)));
        }
    }
    for missing in work.missing.iter().filter(|_| role == Role::Implementer) {
        fragments.push(Box::new(missing.clone()));
    }
    Ok(fragments)
}

/// Returns how much of the skill of its task a subagent reads, if any.
fn extent_for(role: Role, task: &Task, skill: &BoundSkillNote) -> Option<SkillExtent> {
    let whole = skill.is_named.then_some(SkillExtent::Whole);
    match role {
        Role::Implementer => Some(match skill.extent {
            SkillExtent::Whole => SkillExtent::Whole,
            // What nobody named it for, it needs the core of all the same: nobody else says it.
            SkillExtent::Core | SkillExtent::Line => SkillExtent::Core,
        }),
        // The skill of the work is for the one who does it, that of a review for the reviewer.
        Role::Reviewer => whole.filter(|_| task.skill.is_some() && is_review(task.title.as_str())),
        Role::Planner | Role::Writer | Role::Other => whole,
        Role::Explorer => None,
    }
}

#[cfg(test)]
mod tests {
    use pacenote_context::estimate::estimate_tokens;
    use pacenote_skill::builtin::BUILT_IN;

    use super::*;

    #[test]
    fn the_skill_of_an_implementer_begins_with_what_its_briefing_says() {
        let skill = BUILT_IN.iter().find(|built_in| built_in.name == "implementer").unwrap();
        let lines = Role::Implementer.instructions().iter().map(|line| format!("- {line}\n"));
        let lines: String = lines.collect();
        assert!(skill.text.contains(&format!("\n## In short\n\n{lines}\n")), "{lines}");
        let reporting = "The agent that sent you keeps the tasks: do not claim, note, block or \
                         close any. To read yours: `pacenote task show ID`.";
        assert!(skill.text.contains(reporting), "who may change tasks is said twice");
        assert!(estimate_tokens(&lines) <= 250, "{} tokens", estimate_tokens(&lines));
    }
}
