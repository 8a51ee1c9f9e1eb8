//! The condition of a rule, the text after `when:`.
//!
//! The usual conditions name a fact or compare one with a word. They are answered without the
//! expression evaluator, because a hook has microseconds; everything else is handed to it. Both
//! ways give the same answers.

use std::collections::BTreeMap;

use minijinja::ErrorKind;

use super::facts::{self, Facts};
use crate::{language, problem::shown};

/// Longest condition. The longest sensible one has 200 bytes.
pub const CONDITION_BYTES: usize = 1024;

/// A condition that can be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    form: Form,
}

/// Why a condition has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConditionError {
    /// It is longer than any condition.
    #[error("the condition has {bytes} bytes, {CONDITION_BYTES} are allowed")]
    TooLong {
        /// How long it is.
        bytes: usize,
    },
    /// It is not an expression.
    #[error("the condition cannot be read: {reason}")]
    Unreadable {
        /// What is wrong.
        reason: String,
    },
    /// It asks about a name that does not exist.
    #[error("the condition asks about `{name}`, which does not exist")]
    Missing { name: String },
    /// It came to no answer.
    #[error("the condition came to no answer: {reason}")]
    Unanswered {
        /// What happened.
        reason: String,
    },
}

impl Condition {
    /// Reads a condition.
    pub fn parse(text: &str) -> Result<Self, ConditionError> {
        if text.len() > CONDITION_BYTES {
            return Err(ConditionError::TooLong { bytes: text.len() });
        }
        if let Some(choices) = quick(text) {
            return Ok(Self { form: Form::Quick(choices) });
        }
        language::check_expression(text).map_err(|reason| ConditionError::Unreadable { reason })?;
        language::environment()
            .compile_expression(text)
            .map_err(|error| ConditionError::Unreadable { reason: language::complaint(&error) })?;
        Ok(Self { form: Form::Full(text.to_owned()) })
    }

    /// Returns the names it asks about, each once, also those after a test that decides.
    pub(super) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = match &self.form {
            Form::Quick(choices) => {
                choices.iter().flatten().map(|test| test.name.clone()).collect()
            }
            Form::Full(text) => {
                let environment = language::environment();
                let compiled = environment.compile_expression(text);
                let names = compiled.map(|expression| expression.undeclared_variables(true));
                names.unwrap_or_default().into_iter().filter(|name| !is_language(name)).collect()
            }
        };
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Returns the words with which a simple condition compares a name.
    pub(super) fn words_for<'c>(&'c self, name: &'c str) -> impl Iterator<Item = &'c str> {
        let tests = match &self.form {
            Form::Quick(choices) => choices.as_slice(),
            Form::Full(_) => &[],
        };
        let tests = tests.iter().flatten().filter(move |test| test.name == name);
        tests.filter_map(|test| match &test.ask {
            Ask::Is(word) | Ask::IsNot(word) => Some(word.as_str()),
            Ask::Holds | Ask::HoldsNot => None,
        })
    }

    /// Answers it.
    pub fn holds(&self, facts: &Facts) -> Result<bool, ConditionError> {
        match &self.form {
            Form::Quick(choices) => holds_quickly(choices, facts),
            Form::Full(text) => holds_fully(text, facts),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Form {
    /// One of these lists of tests has to hold as a whole.
    Quick(Vec<Vec<Test>>),
    /// For the evaluator.
    Full(String),
}

/// One question about one name.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Test {
    name: String,
    ask: Ask,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Ask {
    Holds,
    HoldsNot,
    Is(String),
    IsNot(String),
}

fn holds_quickly(choices: &[Vec<Test>], facts: &Facts) -> Result<bool, ConditionError> {
    for tests in choices {
        let mut all = true;
        for Test { name, ask } in tests {
            let known =
                facts.known(name).ok_or_else(|| ConditionError::Missing { name: shown(name) })?;
            let is = |word: &str| known == facts::Known::Text(word);
            all = match ask {
                Ask::Holds => known.holds(),
                Ask::HoldsNot => !known.holds(),
                Ask::Is(word) => is(word),
                Ask::IsNot(word) => !is(word),
            };
            // What stands after a test that failed is not asked, so it cannot break either.
            if !all {
                break;
            }
        }
        if all {
            return Ok(true);
        }
    }
    Ok(false)
}

fn holds_fully(text: &str, facts: &Facts) -> Result<bool, ConditionError> {
    let environment = language::environment();
    let unanswered = |error: &minijinja::Error| ConditionError::Unanswered {
        reason: language::complaint(error),
    };
    let expression = environment.compile_expression(text).map_err(|error| unanswered(&error))?;
    let missing = || {
        let mut names: Vec<_> = expression.undeclared_variables(true).into_iter().collect();
        names.sort_unstable();
        let name = names.into_iter().find(|name| facts.known(name).is_none());
        ConditionError::Missing { name: shown(&name.unwrap_or_else(|| text.to_owned())) }
    };
    match expression.eval(facts::names(facts, &BTreeMap::new())) {
        Ok(value) if value.is_undefined() => Err(missing()),
        Ok(value) => Ok(value.is_true()),
        Err(error) if matches!(error.kind(), ErrorKind::UndefinedError) => Err(missing()),
        Err(error) => Err(unanswered(&error)),
    }
}

/// Reports whether a name belongs to the language: its function, and what a loop brings.
pub(super) fn is_language(name: &str) -> bool {
    matches!(name.split('.').next(), Some("range" | "loop"))
}

/// Reads a condition of the simple kind, or returns nothing if it is of another.
fn quick(text: &str) -> Option<Vec<Vec<Test>>> {
    let mut choices = vec![Vec::new()];
    let mut rest = text.trim();
    loop {
        let (test, after) = quick_test(rest)?;
        choices.last_mut()?.push(test);
        let Some((word, after)) = word(after) else {
            return after.is_empty().then_some(choices);
        };
        match word {
            "and" => {}
            "or" => choices.push(Vec::new()),
            _ => return None,
        }
        rest = after;
    }
}

fn quick_test(text: &str) -> Option<(Test, &str)> {
    let (first, rest) = word(text)?;
    if first == "not" {
        let (name, rest) = word(rest).filter(|(name, _)| is_name(name))?;
        // `not a == 'b'` asks about the whole comparison.
        let bare = !rest.starts_with(['=', '!']);
        return bare.then(|| (Test { name: name.to_owned(), ask: Ask::HoldsNot }, rest));
    }
    if !is_name(first) {
        return None;
    }
    let name = first.to_owned();
    if let Some(rest) = rest.strip_prefix("==") {
        let (literal, rest) = literal(rest.trim_start())?;
        return Some((Test { name, ask: Ask::Is(literal) }, rest));
    }
    if let Some(rest) = rest.strip_prefix("!=") {
        let (literal, rest) = literal(rest.trim_start())?;
        return Some((Test { name, ask: Ask::IsNot(literal) }, rest));
    }
    Some((Test { name, ask: Ask::Holds }, rest))
}

/// Takes a dotted word off the front, and the white space after it.
fn word(text: &str) -> Option<(&str, &str)> {
    let end = text
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.')
        .unwrap_or(text.len());
    let (word, rest) = text.split_at_checked(end)?;
    (!word.is_empty()).then(|| (word, rest.trim_start()))
}

/// Takes a text in quotes off the front, and the white space after it.
fn literal(text: &str) -> Option<(String, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let (literal, rest) = text.strip_prefix(quote)?.split_once(quote)?;
    // What a backslash means is for the evaluator to say.
    (!literal.contains('\\')).then(|| (literal.to_owned(), rest.trim_start()))
}

fn is_name(word: &str) -> bool {
    let mut parts = word.split('.');
    let starts_well =
        |part: &str| part.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    let first = parts.clone().next().unwrap_or_default();
    let is_reserved = first != "variables" && language::RESERVED.contains(&first);
    !is_reserved && parts.all(starts_well)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::lifecycle::{SessionFacts, TaskFacts, Value};

    fn facts() -> Facts {
        Facts {
            event: "on_session_start".into(),
            source: "compact".into(),
            host: "claude".into(),
            depth: 2,
            session: SessionFacts { number: 7, ..SessionFacts::default() },
            task: TaskFacts { active: true, title: "it's \"done\"".into(), ..TaskFacts::default() },
            variables: BTreeMap::from([
                ("strict".into(), Value::Bool(true)),
                ("count".into(), Value::Number(0)),
                ("mode".into(), Value::Text("slow".into())),
            ]),
            ..Facts::default()
        }
    }

    fn told(text: &str) -> String {
        match Condition::parse(text).and_then(|condition| condition.holds(&facts())) {
            Ok(holds) => format!("{text}: {holds}"),
            Err(error) => format!("{text}: {error}"),
        }
    }

    #[test]
    fn conditions_are_answered() {
        let texts = [
            "task.active",
            "not task.active",
            "source == 'compact'",
            "source != \"compact\"",
            "trigger == 'auto'",
            "role == 'reviewer'",
            "role",
            "strict and mode == 'slow'",
            "count",
            "variables.mode",
            "plan_mode or strict and not count",
            "depth > 1 and session.number == 7",
            "source in ['startup', 'compact']",
            "not source == 'compact'",
            "(plan_mode or strict) and host is startingwith('cl')",
            "task.title == 'it\\'s \"done\"'",
            "true",
            "mode | upper == 'SLOW'",
            "missing is defined",
        ];
        let told: Vec<_> = texts.iter().map(|text| told(text)).collect();
        insta::assert_snapshot!(told.join("\n"), @r#"
        task.active: true
        not task.active: false
        source == 'compact': true
        source != "compact": false
        trigger == 'auto': false
        role == 'reviewer': false
        role: false
        strict and mode == 'slow': true
        count: false
        variables.mode: true
        plan_mode or strict and not count: true
        depth > 1 and session.number == 7: true
        source in ['startup', 'compact']: true
        not source == 'compact': false
        (plan_mode or strict) and host is startingwith('cl'): true
        task.title == 'it\'s "done"': true
        true: true
        mode | upper == 'SLOW': true
        missing is defined: false
        "#);
    }

    #[test]
    fn broken_conditions_say_why() {
        let texts = [
            "missing",
            "task.missing == 'x'",
            "depth > missing",
            "task.title.missing",
            "source =",
            "source == 'compact",
            "and",
            "",
            "source ~ 'x' == 'y'",
            "'x' * 100000000 == 'y'",
            "source | replace('a', 'b')",
            "open('file')",
            "depth > 'x' and depth < none",
            "source == 'a' source",
            "task.1",
        ];
        let told: Vec<_> = texts.iter().map(|text| told(text)).collect();
        insta::assert_snapshot!(told.join("\n"), @"
        missing: the condition asks about `missing`, which does not exist
        task.missing == 'x': the condition asks about `task.missing`, which does not exist
        depth > missing: the condition asks about `missing`, which does not exist
        task.title.missing: the condition asks about `task.title.missing`, which does not exist
        source =: the condition cannot be read: unexpected input after expression
        source == 'compact: the condition cannot be read: unexpected end of string
        and: the condition asks about `and`, which does not exist
        : the condition cannot be read: unexpected end of input, expected expression
        source ~ 'x' == 'y': the condition cannot be read: `~` is not part of the language
        'x' * 100000000 == 'y': the condition cannot be read: `*` is not part of the language
        source | replace('a', 'b'): the condition cannot be read: there is no filter `replace`, only `lower`, `upper`, `trim`, `quoted`, `length`, `default`
        open('file'): the condition cannot be read: there is no function `open`
        depth > 'x' and depth < none: false
        source == 'a' source: the condition cannot be read: unexpected input after expression
        task.1: the condition asks about `task.1`, which does not exist
        ");
        assert!(matches!(
            Condition::parse(&"a ".repeat(1000)),
            Err(ConditionError::TooLong { bytes: 2000 })
        ));
        assert!(Condition::parse(&"(".repeat(1000)).is_err());
        assert!(Condition::parse(&"not ".repeat(250)).is_err());
        assert!(Condition::parse(&"[".repeat(1000)).is_err());
    }

    fn name() -> impl Strategy<Value = &'static str> {
        prop::sample::select(vec![
            "event",
            "source",
            "role",
            "plan_mode",
            "depth",
            "task",
            "task.active",
            "task.title",
            "session.number",
            "variables",
            "variables.mode",
            "mode",
            "count",
            "strict",
            "missing",
            "task.missing",
            "mode.missing",
            "variables.missing",
            "work",
            "tool.command",
        ])
    }

    fn test() -> impl Strategy<Value = String> {
        let word =
            prop::sample::select(vec!["''", "'compact'", "\"slow\"", "'x'", "\"it's\"", "'0'"]);
        (name(), word, 0..5_u8).prop_map(|(name, word, form)| match form {
            0 => format!("not {name}"),
            1 => format!("{name} == {word}"),
            2 => format!("{name}!={word}"),
            _ => name.to_owned(),
        })
    }

    proptest! {
        #[test]
        fn the_quick_way_and_the_evaluator_agree(
            first in test(),
            more in prop::collection::vec((any::<bool>(), test()), 0..5),
            source in prop::sample::select(vec!["", "compact", "slow"]),
            plan_mode: bool,
            count in -1_i64..2,
        ) {
            let mut text = first;
            for (all, test) in more {
                text = format!("{text} {} {test}", if all { "and" } else { "or" });
            }
            let mut facts = Facts { source: source.into(), plan_mode, ..facts() };
            facts.variables.insert("count".into(), Value::Number(count));
            let condition = Condition::parse(&text).unwrap();
            prop_assert!(matches!(condition.form, Form::Quick(_)), "{}", text);
            let quick = condition.holds(&facts).map_err(drop);
            prop_assert_eq!(quick, holds_fully(&text, &facts).map_err(drop), "{}", text);
        }

        #[test]
        fn any_text_is_answered_or_refused(text in "[a-z.=!'\"() \\[\\]{}|~*+\\\\0-9é]{0,60}") {
            if let Ok(condition) = Condition::parse(&text) {
                // The quick way only takes what the evaluator could read too.
                let compiled = language::environment().compile_expression(&text).is_ok();
                prop_assert!(compiled, "{}", text);
                condition.holds(&facts()).ok();
            }
        }
    }
}
