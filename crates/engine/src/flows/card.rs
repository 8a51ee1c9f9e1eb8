//! What hooks tell of a run: made when it is moved, so that a hook need not read its workflow.

use pacenote_flow::workflow::{Handler, Run, Step, Tools, View, Workflow, editable, render};
use pacenote_model::{RunCard, ToolClass, ToolScope};

/// Returns what is told of a run.
pub(super) fn card(workflow: &Workflow, run: &Run, view: &View) -> RunCard {
    let step = run.step().and_then(|id| workflow.step(id));
    let dispatch = step.and_then(|step| match &step.handler {
        Handler::Dispatch(dispatch) => Some(dispatch),
        Handler::Work
        | Handler::Ask(_)
        | Handler::Check(_)
        | Handler::Choose(_)
        | Handler::Gate(_) => None,
    });
    let scope_of =
        |step: &Step, tools: &Tools| scope(tools, editable(workflow, run, &step.id, tools));
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    RunCard {
        step: count(view.header.step),
        total: count(view.header.total),
        title: view.header.title.clone(),
        id: step.map(|step| step.id.to_string()).unwrap_or_default(),
        next: render::next_line(view),
        text: render::text(view),
        tools: step.map(|step| scope_of(step, &step.tools)).unwrap_or_default(),
        agent_role: dispatch.map(|dispatch| dispatch.role.word().to_owned()),
        agent_tools: step.zip(dispatch).map(|(step, dispatch)| scope_of(step, &dispatch.tools)),
    }
}

fn scope(tools: &Tools, edit: Vec<String>) -> ToolScope {
    let mut block = tools.block.clone();
    if edit.is_empty() && !tools.edit.is_empty() {
        // None of its paths opens anything, so nothing is open.
        block.push(ToolClass::Edit.word().to_owned());
    }
    ToolScope { allow: tools.allow.clone(), block, edit }
}
