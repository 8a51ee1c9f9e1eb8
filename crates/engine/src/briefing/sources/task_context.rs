//! Where the work stands, what to do next, the tree, and what goes with the current task.

use pacenote_context::{
    fragment::{Fragment, FragmentKind},
    fragments::{NextAction, PositionNote, TaskTree},
};

use super::{Fragments, SourceRow, mail};
use crate::{
    briefing::{Form, Scope, activity, plan::PlanNote, work::Gathering},
    wanted::WantedSource,
};

pub(super) static ROW: SourceRow = SourceRow {
    kinds: &[
        FragmentKind::POSITION,
        FragmentKind::NEXT,
        FragmentKind::TASKS,
        FragmentKind::NOTES,
        FragmentKind::SKILL,
        FragmentKind::PLAN,
    ],
    gather,
};

fn gather<'x>(gathering: &'x Gathering<'_>, _wanted: &WantedSource) -> Fragments<'x> {
    let Gathering { situation, forest, .. } = gathering;
    let agent = situation.agent()?;
    let mut fragments: Vec<Box<dyn Fragment + 'x>> = Vec::new();
    let work = gathering.work()?;
    // A page is read by somebody who sends work out, step by step.
    let is_page = matches!(gathering.layout.form, Form::Page { .. });
    let has_section = !is_page && work.plan.as_ref().is_some_and(PlanNote::has_section);
    match gathering.layout.scope {
        Scope::Full if !situation.tasks()?.is_empty() => {
            let tree = TaskTree::of(forest, agent);
            fragments.push(Box::new(if has_section { tree.beside_plan() } else { tree }));
        }
        Scope::Full | Scope::News => {}
        // With a prompt a line for each thing that others did, and never the tree.
        Scope::Changes(_) => {
            let noted = work.notes.as_ref().map(|notes| notes.task.id);
            let news = activity::find_news(situation, noted)?;
            fragments.extend(news.map(|news| Box::new(news) as Box<dyn Fragment + 'x>));
        }
    }
    if let Some(notes) = &work.notes {
        fragments.push(Box::new(notes.clone()));
    }
    if let Some(plan) = &work.plan {
        fragments.push(Box::new(plan.fragment(situation.secret())));
    }
    for skill in &work.skills {
        fragments.extend(skill.fragments(situation.secret()));
    }
    for missing in &work.missing {
        fragments.push(Box::new(missing.clone()));
    }
    if !situation.tasks()?.is_empty() {
        // In which form a reader learned its place does not matter: it knows it.
        let is_known =
            matches!(gathering.layout.scope, Scope::Changes(_)) && gathering.is_settled();
        if !is_known {
            let position = PositionNote::of(forest, agent);
            let is_titled = is_page || has_section;
            let position =
                if is_titled { position.beside_numbers() } else { position.beside_tree() };
            fragments.push(Box::new(position));
        }
        // A reader who follows a workflow has one thing to do next, and one who is woken does what
        // the message asks for.
        if !gathering.follows_a_workflow() && gathering.layout.incoming.is_none() {
            let next = mail::find_next(gathering)?.unwrap_or_else(|| {
                if gathering.is_orchestrator() {
                    NextAction::to_dispatch(forest, agent)
                } else {
                    NextAction::of(forest, agent)
                }
            });
            fragments.push(Box::new(next));
        }
    }
    Ok(fragments)
}
