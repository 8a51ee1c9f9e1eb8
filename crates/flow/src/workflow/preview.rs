//! Every step as somebody sees it who comes to it for the first time, for a look at what a workflow
//! says and costs before anybody follows it.

use std::collections::BTreeMap;

use pacenote_model::Value;

use super::{
    definition::{Handler, Param, ParamKind, Step, Workflow},
    run::{Run, Standing, StepState, Why},
    show::{Spoken, show},
    view::{Question, View},
    words::Confidence,
};

/// How the run is called that there is not.
const RUN: &str = "1";
const DIRECTORY: &str = ".pacenote/runs/1";

/// A step as it is shown.
#[derive(Clone, Debug)]
pub struct Preview<'w> {
    pub step: &'w Step,
    /// What is shown; `None` for a step that is only passed through.
    pub view: Option<View>,
}

/// Returns every step as it is shown, in the order of the file.
pub fn previews(workflow: &Workflow) -> Result<Vec<Preview<'_>>, String> {
    workflow.steps.iter().map(|step| preview(workflow, step)).collect()
}

fn preview<'w>(workflow: &'w Workflow, step: &'w Step) -> Result<Preview<'w>, String> {
    if step.is_passed_through() {
        return Ok(Preview { step, view: None });
    }
    let id = step.id.clone();
    let standing = match &step.handler {
        Handler::Ask(ask) => {
            let options = ask.options.iter().map(|option| option.label.clone()).collect();
            let (text, free_text) = (ask.question.clone(), ask.free_text);
            let why = if ask.approval { Why::Approval } else { Why::Step };
            let question = Question { id: "q1".to_owned(), text, options, free_text };
            Standing::Asking { step: id.clone(), why, questions: vec![question] }
        }
        Handler::Check(_) => Standing::Checking { step: id.clone() },
        Handler::Work | Handler::Dispatch(_) | Handler::Choose(_) | Handler::Gate(_) => {
            Standing::Working { step: id.clone() }
        }
    };
    let entered = StepState { visits: 1, ..StepState::default() };
    let run = Run {
        params: workflow.params.iter().map(|param| (param.name.clone(), value(param))).collect(),
        standing,
        revision: if id == workflow.entry { 1 } else { 2 },
        steps: workflow.steps.iter().map(|step| (step.id.clone(), entered.clone())).collect(),
        gates: BTreeMap::new(),
        answers: Vec::new(),
        ended_by: None,
        through: None,
        failed: None,
        task: String::new(),
        directory: DIRECTORY.to_owned(),
    };
    let spoken = Spoken { run: RUN, checks_itself: true };
    Ok(Preview { step, view: Some(show(workflow, &run, spoken)?) })
}

/// Returns what a parameter would be, or its name where only somebody can say.
fn value(param: &Param) -> Value {
    if let Some(default) = &param.default {
        return default.clone();
    }
    match &param.kind {
        ParamKind::Text | ParamKind::Path => Value::Text(param.name.to_uppercase()),
        ParamKind::Flag => Value::Bool(true),
        ParamKind::Number { least, .. } => Value::Number(*least),
        ParamKind::Choice { choices } => Value::Text(choices.first().cloned().unwrap_or_default()),
        ParamKind::Confidence => Value::Text(Confidence::Medium.word().to_owned()),
    }
}
