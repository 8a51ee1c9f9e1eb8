//! Blocks that hand work to other agents.
//!
//! Whoever leads the work and the agent read the same block: `mandatory` is for the first, the rest
//! becomes the prompt of the second.

use super::{
    super::{
        super::view::{DispatchView, Invoke, ParallelView, Report},
        element::Element,
    },
    instruction::orchestrator_action,
    said,
};

/// Hands work to one agent.
pub(super) fn subagent_dispatch(dispatch: &DispatchView, passed_on: &[&str]) -> Element {
    let (mode, invoke) = match &dispatch.invoke {
        Invoke::Script { command } => {
            ("script", Element::block("invoke").text(SCRIPT).text(command))
        }
        Invoke::FreeForm { instruction } => {
            ("free-form", Element::block("free_form_instruction").text(instruction))
        }
    };
    let report = dispatch.report.as_ref();
    Element::block("subagent_dispatch")
        .attribute("agent", dispatch.role.word())
        .attribute("mode", mode)
        .child(Element::block("mandatory").text(&one_agent(dispatch, passed_on)))
        .children(model_selection(dispatch.model.as_deref()))
        .children(variables("context", &dispatch.context))
        .child(invoke)
        .children(said("handoff_instruction", &dispatch.handoff))
        .children(dispatch.answer.as_deref().map(|schema| {
            let what =
                if report.is_some() { "Below its first line the report" } else { LAST_MESSAGE };
            answer_schema(what, schema)
        }))
        .children(report.map(qr_report_passthrough))
}

/// Hands work to several agents at once.
pub(super) fn parallel_dispatch(dispatch: &ParallelView, passed_on: &[&str]) -> Element {
    let agents = dispatch.agents.iter();
    let launched = agents.clone().map(|(id, _)| Element::item("agent").attribute("id", id));
    let parts = agents.map(|(id, told)| Element::item("category").attribute("ref", id).text(told));
    Element::block("parallel_dispatch")
        .attribute("agent", dispatch.role.word())
        .attribute("count", &dispatch.agents.len().to_string())
        .child(Element::block("mandatory").text(&all_agents(dispatch, passed_on)))
        .children(said("instruction", &dispatch.instruction))
        .children(model_selection(dispatch.model.as_deref()))
        .children(variables("shared_context", &dispatch.context))
        .child(Element::block("agents_to_launch").children(launched))
        .child(Element::block("categories").children(parts))
        .children(said("template", &dispatch.template))
        .children(dispatch.answer.as_deref().map(|schema| answer_schema(LAST_MESSAGE, schema)))
}

/// Blocks that are part of a free-form instruction already.
const TOLD_ALREADY: [&str; 3] = ["state banner", "severity filter", "user response"];

/// How an agent begins that follows a workflow of its own.
const SCRIPT: &str = "\
Run this command first, before you look at anything, and follow what it prints step by step until \
it says WORKFLOW COMPLETE, WORKFLOW ENDED or WORKFLOW ABORTED:";

fn one_agent(dispatch: &DispatchView, passed_on: &[&str]) -> String {
    let role = dispatch.role.word();
    let told: &[&str] = match dispatch.invoke {
        Invoke::Script { .. } => &[],
        Invoke::FreeForm { .. } => &TOLD_ALREADY,
    };
    let end = if dispatch.report.is_some() {
        "When it ends, do only what the orchestrator action in its answer says. If you cannot start \
         agents here, tell the person and end your turn: nobody reviews their own work."
    } else {
        "If you cannot start agents here, do this block yourself, exactly as it says."
    };
    format!(
        "Start one new agent in the foreground (of the type {role} if there is one, else a general \
         one) and wait until it ends. Do not do its work yourself.\nIts prompt is the rest of this \
         block{}, word for word, and nothing else.\n{end}",
        beside(passed_on, told)
    )
}

fn all_agents(dispatch: &ParallelView, passed_on: &[&str]) -> String {
    let role = dispatch.role.word();
    let count = dispatch.agents.len();
    let own = if dispatch.template.trim().is_empty() {
        "the text of the category with its id"
    } else {
        "the template with the text of the category with its id in the place of AGENT"
    };
    format!(
        "Start one new agent (of the type {role} if there is one, else a general one) for every \
         entry of agents to launch, {count} in all, in one single message, so that they work at the \
         same time. Wait until every one has ended. Do not do their work yourself.\nThe prompt of \
         each is the instruction and the shared context of this block{}, then {own}, word for word, \
         and nothing else.\nIf you cannot start agents here, do their parts yourself, one after the \
         other, exactly as they say.",
        beside(passed_on, &TOLD_ALREADY)
    )
}

/// Names the blocks beside this one that go into a prompt.
fn beside(passed_on: &[&str], told: &[&str]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in passed_on {
        if !names.contains(name) && !told.contains(name) {
            names.push(name);
        }
    }
    if names.is_empty() {
        return String::new();
    }
    format!(" and these blocks of DO ({})", names.join(", "))
}

fn model_selection(model: Option<&str>) -> Option<Element> {
    let model = model?;
    Some(Element::block("model_selection").line(&format!("If you can choose, take: {model}")))
}

fn variables(name: &'static str, context: &[(String, String)]) -> Option<Element> {
    let variables = context
        .iter()
        .map(|(name, value)| Element::item("var").attribute("name", name).text(value));
    (!context.is_empty()).then(|| Element::block(name).children(variables))
}

/// What has the form of an answer, unless there is a report.
const LAST_MESSAGE: &str = "Your last message";

fn answer_schema(what: &str, schema: &str) -> Element {
    Element::block("answer_schema")
        .line(&format!("{what} is one JSON value that fits this JSON Schema, and nothing else:"))
        .text(schema)
}

/// Keeps what a reviewer found in its file, and puts the next action into its answer: whoever leads
/// the work reads that answer last, and nothing said before it.
fn qr_report_passthrough(report: &Report) -> Element {
    let answer = Element::block("final_answer")
        // A form that is copied as it stands must never read as a verdict.
        .line("RESULT: VERDICT")
        .line(&format!("REPORT: {}", report.path))
        .child(orchestrator_action(&report.command));
    Element::block("qr_report_passthrough")
        .attribute("report", &report.path)
        .text(PASSTHROUGH)
        .child(answer)
}

/// What a reviewer hands back.
const PASSTHROUGH: &str = "\
First write the report file. Its first line is RESULT: PASS if you found nothing that counts, \
otherwise RESULT: FAIL; below it stands every finding with its severity, its place and what is \
wrong.
Then answer only with the lines of the final answer below, with the same PASS or FAIL in the place \
of VERDICT. Say nothing of what you found: the report is for the one who fixes the findings.";
