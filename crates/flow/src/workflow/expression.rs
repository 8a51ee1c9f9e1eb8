//! Conditions and texts of a workflow: which names they use, and what they come to.
//!
//! The language is that of lifecycle rules: nothing in it can reach out, run on or grow.

use std::collections::{BTreeMap, BTreeSet};

use minijinja::{Environment, ErrorKind, Expression, value::Serde};
use pacenote_model::Value;
use serde::Serialize;

use super::{
    definition::{StepId, Workflow},
    run::{GateState, Run, StepState},
};
use crate::{language, problem::shown};

/// Longest condition. The longest sensible one has 200 bytes.
pub(super) const CONDITION_BYTES: usize = 1024;

/// Longest text of one action, and the most it may come to: four pages.
pub(super) const TEXT_BYTES: usize = 16 * 1024;

/// Names that every condition and text may use beside the parameters.
pub(super) const FACTS: [&str; 5] = ["iteration", "task", "directory", "steps", "gates"];

/// What conditions and texts may ask about.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Names<'n> {
    #[serde(flatten)]
    pub(super) params: &'n BTreeMap<String, Value>,
    /// How often the step at hand was entered.
    pub(super) iteration: u32,
    /// The task the run is for.
    pub(super) task: &'n str,
    /// Where agents leave what is too long to say.
    pub(super) directory: &'n str,
    /// What is known of each step, also of those that were not entered yet: whoever asks how
    /// often one was done must not break where the answer is never.
    pub(super) steps: BTreeMap<&'n StepId, StepState>,
    /// What is known of each gate.
    pub(super) gates: BTreeMap<&'n StepId, GateState>,
}

impl<'n> Names<'n> {
    /// Returns what a step of a run may ask about.
    pub(super) fn of(workflow: &'n Workflow, run: &'n Run, step: &StepId) -> Self {
        Self {
            params: &run.params,
            iteration: run.steps.get(step).map_or(0, |state| state.visits),
            task: &run.task,
            directory: &run.directory,
            steps: workflow.steps.iter().map(|step| (&step.id, run.state(&step.id))).collect(),
            gates: workflow.gates().map(|(step, _)| (&step.id, run.gate(&step.id))).collect(),
        }
    }
}

/// Refuses a condition that cannot be read.
pub(super) fn check_condition(text: &str) -> Result<(), String> {
    compile(&language::environment(), text).map(drop)
}

/// Tells whether a condition holds.
pub(super) fn holds(text: &str, names: &Names<'_>) -> Result<bool, String> {
    let environment = language::environment();
    let expression = compile(&environment, text)?;
    let value =
        expression.eval(minijinja::Value::from(Serde(names))).map_err(|error| said(&error))?;
    if value.is_undefined() {
        return Err(format!("`{}` asks about something that does not exist", shown(text)));
    }
    Ok(value.is_true())
}

/// Refuses a text with gaps that cannot be read.
pub(super) fn check_text(text: &str) -> Result<(), String> {
    check_length("text", text, TEXT_BYTES)?;
    language::check_template(text)?;
    language::environment().template_from_str(text).map(drop).map_err(|error| said(&error))
}

/// Returns the names that a text with gaps uses.
pub(super) fn names_in_text(text: &str) -> Result<BTreeSet<String>, String> {
    let environment = language::environment();
    let template = environment.template_from_str(text).map_err(|error| said(&error))?;
    Ok(template.undeclared_variables(true).into_iter().collect())
}

/// Fills in the gaps of a text.
pub(super) fn fill(text: &str, names: &Names<'_>) -> Result<String, String> {
    if !text.contains('{') {
        return Ok(text.trim_end().to_owned());
    }
    language::check_template(text)?;
    let environment = language::environment();
    let template = environment.template_from_str(text).map_err(|error| said(&error))?;
    let names = minijinja::Value::from(Serde(names));
    match language::write_out(&template, names, FILLED_BYTES) {
        Some(Ok(filled)) => Ok(filled.trim_end().to_owned()),
        Some(Err(error)) => Err(said(&error)),
        None => Err(format!("the text comes to more than {FILLED_BYTES} bytes")),
    }
}

/// Most a text may come to, its gaps filled in: thirty of the longest parameters.
pub(super) const FILLED_BYTES: usize = 16 * TEXT_BYTES;

fn compile<'e>(
    environment: &'e Environment<'static>,
    text: &'e str,
) -> Result<Expression<'e, 'e>, String> {
    check_length("condition", text, CONDITION_BYTES)?;
    language::check_expression(text)?;
    environment.compile_expression(text).map_err(|error| said(&error))
}

fn check_length(what: &str, text: &str, most: usize) -> Result<(), String> {
    if text.len() <= most {
        return Ok(());
    }
    Err(format!("the {what} has {} bytes, {most} are allowed", text.len()))
}

fn said(error: &minijinja::Error) -> String {
    if matches!(error.kind(), ErrorKind::UndefinedError) {
        return "it asks about something that does not exist".to_owned();
    }
    language::complaint(error)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::workflow::{Library, Purpose, Shelf, begin, read};

    /// A gate that was never come to, and a little to ask about.
    fn begun() -> (Workflow, Run) {
        let text = "
name: w
description: d
params:
  goal: {type: text, default: a bridge}
  rounds: {type: number, default: 3}
  quick: {type: flag, default: false}
  confidence: {type: confidence, default: medium}
steps:
  - {id: work, title: Work, next: review}
  - {id: review, title: Review, check: tests, next: {ok: gate, fail: gate}}
  - {id: gate, title: Gate, gate: {name: G, work: work, pass: end}}
";
        let shelf = Shelf { library: &Library::default(), workflows: &BTreeSet::new() };
        let workflow = read(text, "w.yaml", &shelf).unwrap();
        let (run, _) = begin(&workflow, &[], Purpose { task: "T1", directory: "runs/1" }).unwrap();
        (workflow, run)
    }

    #[test]
    fn conditions_hold_or_not_or_break() {
        let (workflow, run) = begun();
        let names = Names::of(&workflow, &run, &StepId("work".to_owned()));
        let long = format!("'{}' == goal", "x".repeat(CONDITION_BYTES));
        let told = [
            "goal == 'a bridge'",
            "quick",
            "rounds > 2 and not quick",
            "confidence is atleast('low')",
            "confidence is atleast('high')",
            "confidence is atleast('highest')",
            "iteration == 1",
            "task == 'T1'",
            "steps.work.visits == 1",
            "steps.gate.visits > 0",
            "steps.review.outcome == 'fail'",
            "steps.review.outcome is defined",
            "gates.gate.iteration > 1",
            "gates.gate.failed",
            "gates.work.failed",
            "steps.nobody.visits",
            "nothing",
            "'x' * 9",
            "rounds >",
            &long,
        ]
        .map(|condition| {
            let shown: String = condition.chars().take(40).collect();
            format!("{shown} → {:?}", holds(condition, &names))
        });
        insta::assert_snapshot!(told.join("\n"), @r#"
        goal == 'a bridge' → Ok(true)
        quick → Ok(false)
        rounds > 2 and not quick → Ok(true)
        confidence is atleast('low') → Ok(true)
        confidence is atleast('high') → Ok(false)
        confidence is atleast('highest') → Err("'highest' is no degree of confidence")
        iteration == 1 → Ok(true)
        task == 'T1' → Ok(true)
        steps.work.visits == 1 → Ok(true)
        steps.gate.visits > 0 → Ok(false)
        steps.review.outcome == 'fail' → Ok(false)
        steps.review.outcome is defined → Ok(true)
        gates.gate.iteration > 1 → Ok(false)
        gates.gate.failed → Ok(false)
        gates.work.failed → Err("it asks about something that does not exist")
        steps.nobody.visits → Err("it asks about something that does not exist")
        nothing → Err("`nothing` asks about something that does not exist")
        'x' * 9 → Err("`*` is not part of the language")
        rounds > → Err("unexpected end of input, expected expression")
        'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx → Err("the condition has 1034 bytes, 1024 are allowed")
        "#);
    }

    #[test]
    fn texts_are_filled_in() {
        let (workflow, mut run) = begun();
        let whole = "x".repeat(TEXT_BYTES / 2);
        run.params.insert("goal".to_owned(), Value::Text(whole));
        let names = Names::of(&workflow, &run, &StepId("work".to_owned()));
        assert_eq!(
            fill("Round {{ iteration }} of {{ rounds }}.\n\n", &names).unwrap(),
            "Round 1 of 3."
        );
        assert_eq!(fill("A brace {\n", &names).unwrap(), "A brace {");
        let many = "{{ goal }}".repeat(33);
        insta::assert_snapshot!(fill(&many, &names).unwrap_err(), @"the text comes to more than 262144 bytes");
        insta::assert_snapshot!(fill("{{ nothing }}", &names).unwrap_err(), @"it asks about something that does not exist");
        insta::assert_snapshot!(fill("{% set x = 1 %}", &names).unwrap_err(), @"`set` is not a statement, there are `if`, `elif`, `else`, `endif`, `for`, `endfor`");
    }

    #[test]
    fn values_are_not_templates() {
        let (workflow, mut run) = begun();
        run.params.insert("goal".to_owned(), Value::Text("{{ task }}<&>".to_owned()));
        let names = Names::of(&workflow, &run, &StepId("work".to_owned()));
        assert_eq!(fill("{{ goal }}", &names).unwrap(), "{{ task }}<&>");
    }

    /// Texts that are made of what the language is made of.
    fn code() -> impl Strategy<Value = String> {
        let words = [
            "goal",
            "rounds",
            "quick",
            "steps",
            ".",
            "work",
            "visits",
            "'",
            "\"",
            "(",
            ")",
            "[",
            "]",
            "{{",
            "}}",
            "{%",
            "%}",
            "if",
            "endif",
            "for x in range(9)",
            "endfor",
            "is atleast",
            "9999999",
            "-",
            "/",
            "%",
            "|",
            "length",
            "and",
            "not",
            " ",
            "\n",
            "\u{e9}",
        ];
        prop::collection::vec(prop::sample::select(words.to_vec()), 0..20)
            .prop_map(|words| words.join(" "))
    }

    proptest! {
        #[test]
        fn nothing_written_is_too_much(code in code()) {
            let (workflow, run) = begun();
            let names = Names::of(&workflow, &run, &StepId("work".to_owned()));
            if let Ok(filled) = fill(&code, &names) {
                prop_assert!(filled.len() <= FILLED_BYTES);
            }
            // What cannot be read when it is declared cannot be asked later.
            if check_condition(&code).is_err() {
                prop_assert!(holds(&code, &names).is_err());
            }
        }
    }
}
