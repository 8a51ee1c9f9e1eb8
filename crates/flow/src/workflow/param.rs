//! What a parameter may be, and what somebody wrote for it.

use std::collections::BTreeMap;

use pacenote_model::Value;

use super::{
    definition::{Param, ParamKind, Workflow},
    paths,
    refusal::Refusal,
    shell,
    words::Confidence,
};
use crate::problem::{listed, nearest, shown};

/// Longest text of a parameter: a page of goals, and no file.
pub const PARAM_BYTES: usize = 8 * 1024;

/// Returns what a run begins with: what was written, and the defaults of the rest.
pub(super) fn chosen(
    workflow: &Workflow,
    written: &[(String, String)],
) -> Result<BTreeMap<String, Value>, Refusal> {
    let mut chosen = BTreeMap::new();
    for (name, text) in written {
        let param = known(workflow, name)?;
        let value = value_in(workflow, param, text)?;
        if chosen.insert(name.clone(), value).is_some() {
            return Err(Refusal::ParamTwice { name: shown(name) });
        }
    }
    let mut missing = Vec::new();
    for param in &workflow.params {
        if chosen.contains_key(&param.name) {
            continue;
        }
        match &param.default {
            Some(default) => {
                chosen.insert(param.name.clone(), default.clone());
            }
            None => missing.push(param),
        }
    }
    if missing.is_empty() {
        return Ok(chosen);
    }
    let said = written.iter().map(|(name, text)| format!("{name}={text}"));
    let said: Vec<String> = said.map(|pair| format!(" --param {}", shell::word(&pair))).collect();
    let start = format!("pacenote flow start {}{}", workflow.name, said.concat());
    Err(Refusal::ParamsMissing {
        command: format!("`{start}{}`", gaps(&missing)),
        params: with_allowed(&missing),
    })
}

/// Refuses to leave a step whose parameters were not said.
pub(super) fn require_said(missing: &[&Param]) -> Result<(), Refusal> {
    if missing.is_empty() {
        return Ok(());
    }
    let command = format!("add `{}` to the command", gaps(missing).trim_start());
    Err(Refusal::ParamsMissing { command, params: with_allowed(missing) })
}

/// Returns the options of a command for parameters, with their names in capitals for the values.
fn gaps(params: &[&Param]) -> String {
    let gap = |param: &&Param| format!(" --param {}={}", param.name, param.name.to_uppercase());
    params.iter().map(gap).collect::<Vec<_>>().concat()
}

fn with_allowed(params: &[&Param]) -> Vec<(String, String)> {
    params.iter().map(|param| (param.name.clone(), allowed(&param.kind))).collect()
}

/// Returns what a parameter is changed to on the way.
pub(super) fn changed(workflow: &Workflow, name: &str, text: &str) -> Result<Value, Refusal> {
    let param = known(workflow, name)?;
    if !param.mutable {
        let mutable = workflow.params.iter().filter(|param| param.mutable);
        let mutable: Vec<&str> = mutable.map(|param| param.name.as_str()).collect();
        return Err(Refusal::ParamFixed { name: param.name.clone(), mutable: listed(&mutable) });
    }
    value_in(workflow, param, text)
}

/// Parses what was written for a parameter, also for what the steps use it for: one that names a file
/// which a step leaves open has to be a path below the project. Otherwise nothing could be opened, and
/// the step could not be done.
fn value_in(workflow: &Workflow, param: &Param, text: &str) -> Result<Value, Refusal> {
    let value = value(param, text)?;
    if paths::is_used(workflow, &param.name) && !paths::is_inside(&value) {
        return Err(Refusal::ParamWrong {
            name: param.name.clone(),
            text: shown(text),
            allowed: allowed(&ParamKind::Path),
        });
    }
    Ok(value)
}

/// Parses what was written for a parameter.
pub(super) fn value(param: &Param, text: &str) -> Result<Value, Refusal> {
    let wrong = || Refusal::ParamWrong {
        name: param.name.clone(),
        text: shown(text),
        allowed: allowed(&param.kind),
    };
    match &param.kind {
        ParamKind::Text | ParamKind::Path => {
            let is_inside = param.kind == ParamKind::Text || stays_inside(text);
            let is_sound = text.len() <= PARAM_BYTES && !text.trim().is_empty() && is_inside;
            is_sound.then(|| Value::Text(text.to_owned())).ok_or_else(wrong)
        }
        ParamKind::Flag => match text {
            "true" => Ok(Value::Bool(true)),
            "false" => Ok(Value::Bool(false)),
            _ => Err(wrong()),
        },
        ParamKind::Number { least, most } => {
            let number = text.parse().ok().filter(|number| (*least..=*most).contains(number));
            number.map(Value::Number).ok_or_else(wrong)
        }
        ParamKind::Choice { choices } => {
            let choice = choices.iter().find(|choice| *choice == text);
            choice.map(|choice| Value::Text(choice.clone())).ok_or_else(wrong)
        }
        ParamKind::Confidence => {
            let degree = Confidence::from_word(text);
            degree.map(|degree| Value::Text(degree.word().to_owned())).ok_or_else(wrong)
        }
    }
}

/// Tells whether a path stays inside the project, as it is written.
fn stays_inside(path: &str) -> bool {
    !path.starts_with(['/', '~']) && path.split('/').all(|part| part != "..")
}

/// Tells whether a value is one that a parameter may have.
pub(super) fn fits(kind: &ParamKind, value: &Value) -> bool {
    match (kind, value) {
        (ParamKind::Text | ParamKind::Path, Value::Text(text)) => {
            text.len() <= PARAM_BYTES && (!text.trim().is_empty() || *kind == ParamKind::Text)
        }
        (ParamKind::Flag, Value::Bool(_)) => true,
        (ParamKind::Number { least, most }, Value::Number(number)) => {
            (*least..=*most).contains(number)
        }
        (ParamKind::Choice { choices }, Value::Text(text)) => choices.contains(text),
        (ParamKind::Confidence, Value::Text(text)) => Confidence::from_word(text).is_some(),
        (
            ParamKind::Text
            | ParamKind::Path
            | ParamKind::Flag
            | ParamKind::Number { .. }
            | ParamKind::Choice { .. }
            | ParamKind::Confidence,
            Value::Bool(_) | Value::Number(_) | Value::Text(_),
        ) => false,
    }
}

/// Says what a parameter may be.
pub(super) fn allowed(kind: &ParamKind) -> String {
    match kind {
        ParamKind::Text => format!("a text of 1 to {PARAM_BYTES} bytes"),
        ParamKind::Path => "the path of a file or directory, relative to the project".to_owned(),
        ParamKind::Flag => "`true` or `false`".to_owned(),
        ParamKind::Number { least, most } => format!("a whole number from {least} to {most}"),
        ParamKind::Choice { choices } => {
            let choices: Vec<&str> = choices.iter().map(String::as_str).collect();
            format!("one of {}", listed(&choices))
        }
        ParamKind::Confidence => {
            format!("one of {}", listed(&Confidence::ALL.map(Confidence::word)))
        }
    }
}

fn known<'w>(workflow: &'w Workflow, name: &str) -> Result<&'w Param, Refusal> {
    workflow.param(name).ok_or_else(|| {
        let names: Vec<&str> = workflow.params.iter().map(|param| param.name.as_str()).collect();
        let nearest = nearest(name, names.iter().copied()).map(str::to_owned);
        Refusal::ParamUnknown { name: shown(name), nearest, known: listed(&names) }
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::workflow::StepId;

    fn param(name: &str, kind: ParamKind) -> Param {
        let description = String::new();
        Param { name: name.to_owned(), description, kind, default: None, mutable: false }
    }

    fn kinds() -> [ParamKind; 6] {
        let choices = ["shallow", "deep"].map(str::to_owned).to_vec();
        [
            ParamKind::Text,
            ParamKind::Path,
            ParamKind::Flag,
            ParamKind::Number { least: -1, most: 9 },
            ParamKind::Choice { choices },
            ParamKind::Confidence,
        ]
    }

    fn workflow(params: Vec<Param>) -> Workflow {
        Workflow {
            name: "w".to_owned(),
            description: "d".to_owned(),
            version: "1".to_owned(),
            params,
            phases: Vec::new(),
            entry: StepId("a".to_owned()),
            steps: Vec::new(),
            library: crate::workflow::Library::default(),
        }
    }

    fn told(refusal: &Refusal) -> String {
        format!("{refusal} ({})", refusal.hint().unwrap_or_default())
    }

    #[test]
    fn each_kind_takes_what_it_may_be_and_says_so_otherwise() {
        let long = "x".repeat(PARAM_BYTES + 1);
        let written = ["a b", "", "true", "True", "9", "10", "-1", "1.5", "deep", "high", &long];
        let lines = kinds().map(|kind| {
            let param = param("p", kind);
            let taken = written.iter().filter(|text| value(&param, text).is_ok());
            let taken: Vec<&str> = taken.copied().collect();
            let refused = value(&param, " ").unwrap_err();
            format!("{taken:?} else {}", told(&refused))
        });
        insta::assert_snapshot!(lines.join("\n"), @r#"
        ["a b", "true", "True", "9", "10", "-1", "1.5", "deep", "high"] else the parameter `p` cannot be ` ` (it may be a text of 1 to 8192 bytes)
        ["a b", "true", "True", "9", "10", "-1", "1.5", "deep", "high"] else the parameter `p` cannot be ` ` (it may be the path of a file or directory, relative to the project)
        ["true"] else the parameter `p` cannot be ` ` (it may be `true` or `false`)
        ["9", "-1"] else the parameter `p` cannot be ` ` (it may be a whole number from -1 to 9)
        ["deep"] else the parameter `p` cannot be ` ` (it may be one of `shallow`, `deep`)
        ["high"] else the parameter `p` cannot be ` ` (it may be one of `exploring`, `low`, `medium`, `high`, `certain`)
        "#);
    }

    #[test]
    fn a_run_begins_with_what_was_written_and_the_defaults_of_the_rest() {
        let goal = param("goal", ParamKind::Text);
        let quick = param("quick", ParamKind::Flag);
        let quick = Param { default: Some(Value::Bool(false)), ..quick };
        let plan = Param { default: None, ..param("plan", ParamKind::Path) };
        let many = workflow(vec![goal.clone(), plan, quick.clone()]);
        let all = super::chosen(&many, &[("quick".to_owned(), "true".to_owned())]).unwrap_err();
        let workflow = workflow(vec![goal, quick]);
        let chosen = |written: &[(&str, &str)]| {
            let owned = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
            let written: Vec<_> = written.iter().map(owned).collect();
            match chosen(&workflow, &written) {
                Ok(chosen) => format!("{chosen:?}"),
                Err(refusal) => told(&refusal),
            }
        };
        let told = [
            chosen(&[("goal", "x")]),
            chosen(&[("quick", "true"), ("goal", "x")]),
            chosen(&[]),
            self::told(&all),
            chosen(&[("gaol", "x")]),
            chosen(&[("something\nelse", "x")]),
            chosen(&[("goal", "x"), ("goal", "y")]),
            chosen(&[("goal", "x"), ("quick", "yes")]),
        ];
        insta::assert_snapshot!(told.join("\n"), @r#"
        {"goal": Text("x"), "quick": Bool(false)}
        {"goal": Text("x"), "quick": Bool(true)}
        the parameter `goal` is missing: a text of 1 to 8192 bytes (`pacenote flow start w --param goal=GOAL`)
        2 parameters are missing: `goal` (a text of 1 to 8192 bytes), `plan` (the path of a file or directory, relative to the project) (`pacenote flow start w --param quick=true --param goal=GOAL --param plan=PLAN`)
        there is no parameter `gaol` (did you mean `goal`?)
        there is no parameter `something\nelse` (there are `goal`, `quick`)
        the parameter `goal` is given twice ()
        the parameter `quick` cannot be `yes` (it may be `true` or `false`)
        "#);
    }

    #[test]
    fn only_what_is_mutable_changes() {
        let fixed = workflow(vec![param("goal", ParamKind::Text)]);
        let refused = changed(&fixed, "goal", "x").unwrap_err();
        assert_eq!(
            told(&refused),
            "the parameter `goal` is fixed once a run has begun (none of this workflow can be changed)"
        );
        let free = Param { mutable: true, ..param("goal", ParamKind::Text) };
        let changed = changed(&workflow(vec![free]), "goal", "x").unwrap();
        assert_eq!(changed, Value::Text("x".to_owned()));
    }

    proptest! {
        #[test]
        fn what_is_taken_fits(text in ".{0,20}", number in any::<i64>()) {
            for kind in kinds() {
                for text in [text.clone(), number.to_string()] {
                    let param = param("p", kind.clone());
                    if let Ok(value) = value(&param, &text) {
                        prop_assert!(fits(&kind, &value), "{kind:?} {text:?}");
                    }
                }
            }
        }
    }
}
