//! What a subagent needs for its role: its task, the plan as far as it concerns the role, the skill.

use pacenote_context::{
    fragment::{Fragment, FragmentKind},
    fragments::{PromptBy, RoleNote},
    position::{Naming, Position},
    role::Role,
};
use pacenote_flow::lifecycle::Source;

use super::{Fragments, SourceRow};
use crate::{
    briefing::{Form, skill::SkillExtent, work::Gathering},
    wanted::WantedSource,
};

pub(super) static ROW: SourceRow = SourceRow { kinds: &[FragmentKind::ROLE], gather };

fn gather<'x>(gathering: &'x Gathering<'_>, _wanted: &WantedSource) -> Fragments<'x> {
    let Gathering { situation, forest, .. } = gathering;
    let Some(role) = situation.role()? else { return Ok(Vec::new()) };
    let position = Position::of(forest, situation.agent()?, Naming::Title).sentence;
    let task = situation.task_in(forest)?;
    let prompt = match gathering.layout.form {
        Form::Answer => PromptBy::Caller,
        Form::Page { .. } => PromptBy::Us,
    };
    let mut fragments: Vec<Box<dyn Fragment + 'x>> =
        vec![Box::new(RoleNote { role, task, position, prompt })];
    if gathering.wants(Source::TaskContext) {
        return Ok(fragments);
    }
    let (work, secret) = (gathering.work()?, situation.secret());
    let plan = work.plan.as_ref().and_then(|plan| match role {
        Role::Implementer | Role::Reviewer => Some(plan.fragment(secret)),
        Role::Planner | Role::Writer => plan.goal_fragment(secret),
        Role::Explorer | Role::Other => None,
    });
    fragments.extend(plan.map(|plan| Box::new(plan) as Box<dyn Fragment + 'x>));
    if role == Role::Implementer {
        for skill in &work.skills {
            // What nobody named it for, it needs the core of all the same: nobody else says it.
            let extent = match skill.extent {
                SkillExtent::Whole => SkillExtent::Whole,
                SkillExtent::Core | SkillExtent::Line => SkillExtent::Core,
            };
            fragments.push(Box::new(skill.fragment(extent, secret)));
        }
        for missing in &work.missing {
            fragments.push(Box::new(missing.clone()));
        }
    }
    Ok(fragments)
}
