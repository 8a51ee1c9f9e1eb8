//! Texts with gaps: what a rule tells, with facts and sources filled in.
//!
//! A template cannot reach anything but what it is given, cannot run on, and cannot grow past its
//! cap. Nothing is escaped here: whoever puts the text before a model does that.

use std::collections::BTreeMap;

use minijinja::ErrorKind;

use super::{
    condition::is_language,
    facts::{self, Facts},
};
use crate::{language, problem::shown};

/// Longest template: four pages.
pub const TEMPLATE_BYTES: usize = 16 * 1024;

/// Longest text a template may come to; no host takes more from a hook.
pub const OUTPUT_BYTES: usize = 64 * 1024;

/// Why a template gives no text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// It is longer than any template.
    #[error("the template has {bytes} bytes, {TEMPLATE_BYTES} are allowed")]
    TooLong {
        /// How long it is.
        bytes: usize,
    },
    /// It is not a template.
    #[error("the template cannot be read: {reason}")]
    Unreadable {
        /// What is wrong.
        reason: String,
    },
    /// It asks for a name that does not exist.
    #[error("the template asks for `{name}`, which does not exist")]
    Missing { name: String },
    /// It came to more text than is allowed.
    #[error("the template comes to more than {OUTPUT_BYTES} bytes")]
    TooMuch,
    /// It could not be filled in.
    #[error("the template could not be filled in: {reason}")]
    Unfinished {
        /// What happened.
        reason: String,
    },
}

/// Fills in a template; `values` are what the sources say, by their names.
pub fn render(
    template: &str,
    values: &BTreeMap<&str, String>,
    facts: &Facts,
) -> Result<String, TemplateError> {
    check_form(template)?;
    let environment = language::environment();
    let compiled = environment.template_from_str(template).map_err(|error| unreadable(&error))?;
    match language::write_out(&compiled, facts::names(facts, values), OUTPUT_BYTES) {
        None => Err(TemplateError::TooMuch),
        Some(Ok(text)) => Ok(text),
        Some(Err(error)) if matches!(error.kind(), ErrorKind::UndefinedError) => {
            let mut names: Vec<_> = compiled.undeclared_variables(true).into_iter().collect();
            names.sort_unstable();
            let is_there = |name: &str| values.contains_key(name) || facts.known(name).is_some();
            let name = names.into_iter().find(|name| !is_there(name)).unwrap_or_default();
            Err(TemplateError::Missing { name: shown(&name) })
        }
        Some(Err(error)) => Err(TemplateError::Unfinished { reason: language::complaint(&error) }),
    }
}

/// Returns the names that a template asks for, each once, without filling it in.
pub fn names_in(template: &str) -> Result<Vec<String>, TemplateError> {
    check_form(template)?;
    let environment = language::environment();
    let compiled = environment.template_from_str(template).map_err(|error| unreadable(&error))?;
    let names = compiled.undeclared_variables(true).into_iter();
    let mut names: Vec<String> = names.filter(|name| !is_language(name)).collect();
    names.sort_unstable();
    Ok(names)
}

fn check_form(template: &str) -> Result<(), TemplateError> {
    if template.len() > TEMPLATE_BYTES {
        return Err(TemplateError::TooLong { bytes: template.len() });
    }
    language::check_template(template).map_err(|reason| TemplateError::Unreadable { reason })
}

fn unreadable(error: &minijinja::Error) -> TemplateError {
    TemplateError::Unreadable { reason: language::complaint(error) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::lifecycle::{TaskFacts, Value};

    fn told(template: &str) -> String {
        let facts = Facts {
            host: "claude".into(),
            task: TaskFacts { active: true, title: "Ship <it>".into(), ..TaskFacts::default() },
            variables: BTreeMap::from([("rounds".into(), Value::Number(3))]),
            ..Facts::default()
        };
        let values =
            BTreeMap::from([("handoff", "left & right".to_owned()), ("skills", String::new())]);
        render(template, &values, &facts).unwrap_or_else(|error| format!("error: {error}"))
    }

    #[test]
    fn gaps_are_filled_with_facts_variables_and_what_sources_say() {
        let templates = [
            "plain",
            "{{ handoff }} for {{ task.title }} on {{ host }}, round {{ rounds }}",
            "{% if skills %}skills{% else %}none{% endif %}{{ role }}",
            "{% for n in range(3) %}{{ n }}{% if not loop.last %}, {% endif %}{% endfor %}",
            "{% for n in range(rounds) -%} {{ n }} {%- endfor %}",
            "{% for name in variables %}{{ name }}{% endfor %}",
            "{{ role | default('nobody') }} {{ handoff | upper | length }} {{ '}}' }} { }",
            "{# a note with {{ }} in it #}after",
            "{{ missing }}",
            "{{ task.missing }}",
        ];
        let told: Vec<_> = templates.iter().map(|template| told(template)).collect();
        insta::assert_snapshot!(told.join("\n"), @"
        plain
        left & right for Ship <it> on claude, round 3
        none
        0, 1, 2
        012
        rounds
         12 }} { }
        after
        error: the template asks for `missing`, which does not exist
        error: the template asks for `task.missing`, which does not exist
        ");
    }

    #[test]
    fn what_runs_on_grows_or_reaches_out_is_stopped() {
        let templates = [
            "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}",
            "{% for a in range(9999999) %}{% endfor %}",
            "{% for a in range(2000) %}more than thirty bytes of plain text{% endfor %}",
            "{% set x = 'a' %}",
            "{% set x %}{{ x }}{{ x }}{% endset %}",
            "{% with x = 'a' %}{% endwith %}",
            "{%- set x = 'a' %}",
            "{{ 'a' ~ 'a' }}",
            "{{ 'a' * 1000000000 }}",
            "{{ handoff + handoff }}",
            "{% for x in [handoff, handoff] %}{% endfor %}",
            "{% for x in (handoff, handoff) %}{% endfor %}",
            "{% for x in variables recursive %}{{ loop(x) }}{% endfor %}",
            "{% macro m() %}{{ m() }}{% endmacro %}",
            "{% include 'other' %}",
            "{% import 'other' as o %}",
            "{% extends 'other' %}",
            "{% raw %}x{% endraw %}",
            "{% filter upper %}x{% endfilter %}",
            "{{ handoff | replace('a', 'aaaa') }}",
            "{{ [handoff, handoff] | upper }}",
            "{{ 'x' | indent(100000) }}",
            "{{ namespace() }}",
            "{{ {'a': 1} }}",
            "{{ handoff",
            "{% if %}",
        ];
        let told: Vec<_> = templates.iter().map(|template| told(template)).collect();
        insta::assert_snapshot!(told.join("\n"), @"
        error: the template could not be filled in: it was stopped after 10000 steps
        error: the template could not be filled in: range has too many elements
        error: the template comes to more than 65536 bytes
        error: the template cannot be read: `set` is not a statement, there are `if`, `elif`, `else`, `endif`, `for`, `endfor`
        error: the template cannot be read: `set` is not a statement, there are `if`, `elif`, `else`, `endif`, `for`, `endfor`
        error: the template cannot be read: `with` is not a statement, there are `if`, `elif`, `else`, `endif`, `for`, `endfor`
        error: the template cannot be read: `set` is not a statement, there are `if`, `elif`, `else`, `endif`, `for`, `endfor`
        error: the template cannot be read: `~` is not part of the language
        error: the template cannot be read: `*` is not part of the language
        error: the template cannot be read: `+` is not part of the language
        error: the template cannot be read: a loop goes over one name, or over `range(…)`
        error: the template cannot be read: a loop goes over one name, or over `range(…)`
        error: the template cannot be read: a loop goes over one name, or over `range(…)`
        error: the template cannot be read: there is no function `m`
        error: the template cannot be read: `include` is not a statement, there are `if`, `elif`, `else`, `endif`, `for`, `endfor`
        error: the template cannot be read: `import` is not a statement, there are `if`, `elif`, `else`, `endif`, `for`, `endfor`
        error: the template cannot be read: `extends` is not a statement, there are `if`, `elif`, `else`, `endif`, `for`, `endfor`
        error: the template cannot be read: `raw` is not a statement, there are `if`, `elif`, `else`, `endif`, `for`, `endfor`
        error: the template cannot be read: `filter` is not a statement, there are `if`, `elif`, `else`, `endif`, `for`, `endfor`
        error: the template cannot be read: there is no filter `replace`, only `lower`, `upper`, `trim`, `quoted`, `length`, `default`
        error: the template could not be filled in: value is not a string
        error: the template cannot be read: there is no filter `indent`, only `lower`, `upper`, `trim`, `quoted`, `length`, `default`
        error: the template cannot be read: there is no function `namespace`
        error: the template cannot be read: `{` is not part of the language
        error: the template cannot be read: unexpected end of input, expected end of variable block
        error: the template cannot be read: unexpected end of block
        ");
        let deep = "{% if host %}".repeat(1000);
        assert!(told_error(&deep));
        assert!(told_error(&format!("{{{{ {} }}}}", "(".repeat(5000))));
        assert_eq!(
            render(&"x".repeat(TEMPLATE_BYTES + 1), &BTreeMap::new(), &Facts::default()),
            Err(TemplateError::TooLong { bytes: TEMPLATE_BYTES + 1 })
        );
    }

    fn told_error(template: &str) -> bool {
        told(template).starts_with("error: ")
    }

    #[test]
    fn a_text_up_to_the_cap_is_whole() {
        let whole = "é".repeat(OUTPUT_BYTES / 2);
        let values = BTreeMap::from([("summary", whole.clone())]);
        assert_eq!(render("{{ summary }}", &values, &Facts::default()), Ok(whole));
        assert_eq!(
            render("{{ summary }}.", &values, &Facts::default()),
            Err(TemplateError::TooMuch)
        );
    }

    proptest! {
        #[test]
        fn any_template_is_filled_in_or_refused(
            template in "([{}%# \\-+'\"a-z0-9.|()\\[\\]~*\\\\é]|\\{\\{|\\}\\}|\\{%|%\\}| for | in | if | host ){0,30}"
        ) {
            if let Ok(text) = render(&template, &BTreeMap::new(), &Facts::default()) {
                prop_assert!(text.len() <= OUTPUT_BYTES);
            }
        }
    }
}
