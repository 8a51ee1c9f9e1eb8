//! Which workflows there are, and what they look like.

use std::process::ExitCode;

use pacenote_context::{estimate::estimate_tokens, inert};
use pacenote_engine::flows::{self, Catalogue, Definition};
use pacenote_flow::{
    Problem,
    workflow::{Handler, Param, Preview, Step, Target, Workflow, graph, previews, render},
};
use pacenote_store::Access;
use serde::Serialize;

use super::{
    super::columns,
    arguments::{CheckArguments, GraphArguments, GraphFormat, ShowArguments},
    shelves,
};
use crate::{
    arguments::JsonFlag,
    environment::Environment,
    failure::{Failure, Kind},
    output::Output,
};

/// Longest sentence about a workflow in a list, in characters; `flow show` has all of it.
const ABOUT_CHARACTERS: usize = 72;

pub(super) fn list(
    environment: &Environment,
    json: JsonFlag,
    output: &mut Output,
) -> Result<(), Failure> {
    let desk = environment.desk(Access::Read)?;
    let catalogue = flows::catalogue(&desk, &shelves(environment))?;
    remark(&catalogue, output);
    if json.json {
        let workflows = catalogue.definitions.iter().map(ListedView::new).collect();
        return output.json(&ListView { workflows });
    }
    if catalogue.definitions.is_empty() {
        output.say("there are no workflows");
        return Ok(());
    }
    let rows: Vec<[String; 4]> = catalogue
        .definitions
        .iter()
        .map(|Definition { workflow, origin, .. }| {
            let steps = format!("{} steps", workflow.steps.len());
            let about = first_sentence(&workflow.description);
            [workflow.name.clone(), steps, origin.word().to_owned(), about]
        })
        .collect();
    output.text(&columns(&rows))
}

/// Says what keeps workflows from being listed.
fn remark(catalogue: &Catalogue, output: &mut Output) {
    for problem in &catalogue.problems {
        output.warn(&inert(&problem.to_string()));
    }
    for path in &catalogue.inert {
        let path = inert(&path.display().to_string());
        output.warn(&format!("`{path}` is not trusted as it is"));
    }
    if !catalogue.inert.is_empty() {
        output.say("`pacenote trust status` shows it, `pacenote trust approve` takes it into use");
    }
}

pub(super) fn show(
    environment: &Environment,
    asked: &ShowArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let desk = environment.desk(Access::Read)?;
    let definition = flows::definition(&desk, &shelves(environment), &asked.name)?;
    if asked.tokens {
        return bill(&definition.workflow, asked.json, output);
    }
    if asked.json.json {
        return output
            .json(&ShownView { origin: definition.origin.word(), workflow: &definition.workflow });
    }
    output.text(&described(&definition))
}

/// Counts what each step costs when it is printed once, in the longer of its forms.
fn bill(workflow: &Workflow, json: JsonFlag, output: &mut Output) -> Result<(), Failure> {
    let previews = previews(workflow)
        .map_err(|error| Failure::new(Kind::Bug, format!("a step cannot be shown: {error}")))?;
    let steps: Vec<StepBill<'_>> = previews
        .iter()
        .map(|Preview { step, view }| {
            let tokens = view.as_ref().map_or(0, |view| {
                estimate_tokens(&render::xml(view)).max(estimate_tokens(&render::text(view)))
            });
            StepBill { step: step.id.as_str(), tokens }
        })
        .collect();
    let total = steps.iter().map(|step| step.tokens).sum();
    if json.json {
        return output.json(&BillView { steps, total });
    }
    let row = |tokens: u32, what: &str| format!("{tokens:>7} tokens  {what}");
    let mut lines: Vec<String> = steps.iter().map(|step| row(step.tokens, step.step)).collect();
    lines.push(row(total, "in all, each step once"));
    output.text(&lines.join("\n"))
}

#[derive(Serialize)]
struct StepBill<'a> {
    step: &'a str,
    tokens: u32,
}

#[derive(Serialize)]
struct BillView<'a> {
    steps: Vec<StepBill<'a>>,
    total: u32,
}

fn described(definition: &Definition) -> String {
    let Workflow { name, description, version, params, steps, .. } = &definition.workflow;
    let origin = definition.origin.word();
    let mut text = format!("{name} (version {version}, {origin})\n{}\n", inert(description));
    if !params.is_empty() {
        let rows: Vec<[String; 3]> = params.iter().map(param_row).collect();
        text = format!("{text}\nparameters:\n{}\n", indented(&columns(&rows)));
    }
    let rows: Vec<[String; 4]> =
        steps.iter().zip(1..).map(|(step, number)| step_row(step, number)).collect();
    format!("{text}\nsteps:\n{}", indented(&columns(&rows)))
}

fn param_row(param: &Param) -> [String; 3] {
    use pacenote_flow::workflow::ParamKind;
    let kind = match &param.kind {
        ParamKind::Text => "text".to_owned(),
        ParamKind::Path => "path".to_owned(),
        ParamKind::Flag => "flag".to_owned(),
        ParamKind::Number { least, most } => format!("number {least}..{most}"),
        ParamKind::Choice { choices } => choices.join("|"),
        ParamKind::Confidence => "confidence".to_owned(),
    };
    let default = match &param.default {
        Some(value) => format!("default {}", shown_value(value)),
        None => "has to be said".to_owned(),
    };
    let mutable = if param.mutable { ", can change" } else { "" };
    [param.name.clone(), kind, format!("{default}{mutable}")]
}

fn shown_value(value: &pacenote_model::Value) -> String {
    match value {
        pacenote_model::Value::Bool(flag) => flag.to_string(),
        pacenote_model::Value::Number(number) => number.to_string(),
        pacenote_model::Value::Text(text) => format!("`{text}`"),
    }
}

fn step_row(step: &Step, number: usize) -> [String; 4] {
    let what = match &step.handler {
        Handler::Dispatch(dispatch) if dispatch.agents.is_empty() => {
            format!("dispatch {}", dispatch.role.word())
        }
        Handler::Dispatch(dispatch) => {
            format!("dispatch {} × {}", dispatch.agents.len(), dispatch.role.word())
        }
        handler @ (Handler::Work
        | Handler::Ask(_)
        | Handler::Check(_)
        | Handler::Choose(_)
        | Handler::Gate(_)) => handler.word().to_owned(),
    };
    let mut ways: Vec<String> = step
        .next
        .iter()
        .map(|(outcome, target)| format!("{} → {}", outcome.word(), way(target)))
        .collect();
    ways.extend(step.default.as_ref().map(|target| format!("else → {}", way(target))));
    ways.extend(step.on_error.as_ref().map(|target| format!("error → {}", way(target))));
    if let Handler::Gate(gate) = &step.handler {
        ways.push(format!("pass → {}", way(&gate.pass)));
        ways.push(format!("fail → {}", gate.work));
    }
    [number.to_string(), step.id.to_string(), what, ways.join(", ")]
}

fn way(target: &Target) -> String {
    target.to_string()
}

pub(super) fn check(
    environment: &Environment,
    asked: &CheckArguments,
    output: &mut Output,
) -> Result<ExitCode, Failure> {
    let desk = environment.desk(Access::Read)?;
    let shelves = shelves(environment);
    let problems = if asked.files.is_empty() {
        let catalogue = flows::catalogue(&desk, &shelves)?;
        let mut problems = catalogue.problems;
        // What is not trusted yet is looked at as it is: that is when one wants to know.
        let is_definition = |path: &&std::path::PathBuf| {
            path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml")
        };
        let inert: Vec<_> = catalogue.inert.iter().filter(is_definition).cloned().collect();
        problems.extend(flows::check(&desk, &shelves, &inert)?);
        problems
    } else {
        flows::check(&desk, &shelves, &asked.files)?
    };
    let code = if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) };
    if asked.json.json {
        output.json(&ProblemsView { problems: &problems })?;
        return Ok(code);
    }
    if problems.is_empty() {
        output.text("no problems found")?;
    }
    for problem in &problems {
        output.text(&inert(&problem.to_string()))?;
        if let Some(hint) = &problem.hint {
            output.text(&format!("  hint: {}", inert(hint)))?;
        }
    }
    Ok(code)
}

pub(super) fn graph(
    environment: &Environment,
    asked: &GraphArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let desk = environment.desk(Access::Read)?;
    let workflow = flows::definition(&desk, &shelves(environment), &asked.name)?.workflow;
    output.text(&match asked.format {
        GraphFormat::Dot => graph::dot(&workflow),
        GraphFormat::Mermaid => graph::mermaid(&workflow),
        GraphFormat::Svg => graph::svg(&workflow),
    })
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

/// Returns what a list says of a workflow: its first sentence, as far as a line goes.
fn first_sentence(text: &str) -> String {
    let first = text.split_once(". ").map_or(text, |(first, _)| first).trim_end_matches('.');
    let mut cut: String = first.chars().take(ABOUT_CHARACTERS).collect();
    if cut.len() < first.len() {
        cut = format!("{}…", cut.trim_end());
    }
    cut
}

#[derive(Serialize)]
struct ListView<'a> {
    workflows: Vec<ListedView<'a>>,
}

#[derive(Serialize)]
struct ListedView<'a> {
    name: &'a str,
    description: &'a str,
    version: &'a str,
    origin: &'static str,
    steps: usize,
}

impl<'a> ListedView<'a> {
    fn new(definition: &'a Definition) -> Self {
        let Workflow { name, description, version, steps, .. } = &definition.workflow;
        let (origin, steps) = (definition.origin.word(), steps.len());
        Self { name, description, version, origin, steps }
    }
}

#[derive(Serialize)]
struct ShownView<'a> {
    origin: &'static str,
    workflow: &'a Workflow,
}

#[derive(Serialize)]
struct ProblemsView<'a> {
    problems: &'a [Problem],
}
