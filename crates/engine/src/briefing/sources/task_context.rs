//! Where the work stands, what to do next, the tree, and what goes with the current task.

use pacenote_context::{
    fragment::{Fragment, FragmentKind},
    fragments::{NextAction, PositionNote, TaskTree},
};

use super::{Fragments, SourceRow};
use crate::{briefing::work::Gathering, wanted::WantedSource};

pub(super) static ROW: SourceRow = SourceRow {
    kinds: &[
        FragmentKind::POSITION,
        FragmentKind::NEXT,
        FragmentKind::TASKS,
        FragmentKind::SKILL,
        FragmentKind::NOTICE,
        FragmentKind::PLAN,
    ],
    gather,
};

fn gather<'x>(gathering: &'x Gathering<'_>, _wanted: &WantedSource) -> Fragments<'x> {
    let Gathering { situation, forest, .. } = gathering;
    let agent = situation.agent()?;
    let mut fragments: Vec<Box<dyn Fragment + 'x>> = Vec::new();
    if !situation.tasks()?.is_empty() {
        fragments.push(Box::new(PositionNote::of(forest, agent).beside_tree()));
        // A reader who follows a workflow has one thing to do next, and one who is woken does what
        // the message asks for.
        if !gathering.follows_a_workflow() && gathering.layout.incoming.is_none() {
            fragments.push(Box::new(NextAction::of(forest, agent)));
        }
        fragments.push(Box::new(TaskTree::of(forest, agent)));
    }
    let work = gathering.work()?;
    if let Some(skill) = &work.skill {
        fragments.push(Box::new(skill.fragment(situation.secret())));
    }
    if let Some(missing) = &work.missing {
        fragments.push(Box::new(missing.clone()));
    }
    if let Some(plan) = &work.plan {
        fragments.push(Box::new(plan.fragment(situation.secret())));
    }
    Ok(fragments)
}
