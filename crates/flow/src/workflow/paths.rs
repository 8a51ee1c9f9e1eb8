//! Patterns of files that a step leaves open: how they are checked, filled in and compared.
//!
//! A pattern is a path below the project in which `*` and `?` stand for what is in one name, and
//! `**` for any number of names. A backslash takes the meaning from the sign behind it: what is
//! filled in is always a path, never a pattern.

use std::collections::BTreeMap;

use pacenote_model::Value;

use super::{
    definition::{Handler, Param, Step, StepId, Tools, Workflow},
    expression::{self, Names},
    run::Run,
};

/// Longest pattern. Comparing takes time by its length, and paths are not longer either.
const PATTERN_BYTES: usize = 1024;

/// The name that stands for any number of names.
const ANY_NAMES: &str = "**";

/// Signs that mean something in a pattern, here or in patterns of others.
const SIGNS: &str = "*?[]{}\\";

/// The directory in which nothing is ever left open: git runs what lies there.
const GIT: &str = ".git";

/// Returns the patterns of the files that tools leave open at a step, with their gaps filled in.
/// One that something was filled into that is not a path below the project opens nothing.
pub fn editable(workflow: &Workflow, run: &Run, step: &StepId, tools: &Tools) -> Vec<String> {
    let mut params = BTreeMap::new();
    let mut unfit = Vec::new();
    for (name, value) in &run.params {
        let value = match value {
            Value::Text(text) => {
                let Some(text) = literal(text) else {
                    unfit.push(name.as_str());
                    continue;
                };
                Value::Text(text)
            }
            Value::Bool(_) | Value::Number(_) => value.clone(),
        };
        params.insert(name.clone(), value);
    }
    let task = literal(&run.task);
    if task.is_none() {
        unfit.push("task");
    }
    let mut names = Names::of(workflow, run, step);
    names.params = &params;
    names.task = task.as_deref().unwrap_or_default();
    // An answer is a value too. A step whose answer is not a path is left out, so that a pattern
    // that asks about it cannot be filled in.
    names.steps.retain(|_, state| match state.answer.as_deref().map(literal) {
        Some(None) => false,
        Some(answer) => {
            state.answer = answer;
            true
        }
        None => true,
    });
    let uses_unfit = |pattern: &str| {
        expression::names_in_text(pattern).map_or(true, |used| {
            let roots = used.iter().map(|name| name.split('.').next().unwrap_or(name));
            roots.into_iter().any(|root| unfit.contains(&root))
        })
    };
    let sound = tools.edit.iter().filter(|pattern| !uses_unfit(pattern));
    let filled = sound.filter_map(|pattern| expression::fill(pattern, &names).ok());
    filled.filter(|pattern| find_fault(pattern).is_none()).collect()
}

/// Reports whether a step names files by a parameter that it leaves open.
pub(super) fn is_used(workflow: &Workflow, param: &str) -> bool {
    let of_step = |step: &Step| {
        let sent = match &step.handler {
            Handler::Dispatch(dispatch) => dispatch.tools.edit.as_slice(),
            Handler::Work
            | Handler::Ask(_)
            | Handler::Check(_)
            | Handler::Choose(_)
            | Handler::Gate(_) => &[],
        };
        let names = |pattern: &String| {
            expression::names_in_text(pattern)
                .is_ok_and(|used| used.iter().any(|name| name.split('.').next() == Some(param)))
        };
        step.tools.edit.iter().chain(sent).any(names)
    };
    workflow.steps.iter().any(of_step)
}

/// Returns the parameters that name a file which a step leaves open by that name alone.
pub fn open_files(workflow: &Workflow) -> impl Iterator<Item = &Param> {
    let is_alone = |param: &Param| {
        let gap = format!("{{{{ {} }}}}", param.name);
        workflow.steps.iter().any(|step| step.tools.edit.contains(&gap))
    };
    workflow.params.iter().filter(move |param| is_alone(param))
}

/// Reports whether a value can be part of a path below the project.
pub(super) fn is_inside(value: &Value) -> bool {
    match value {
        Value::Text(text) => literal(text).is_some(),
        Value::Bool(_) | Value::Number(_) => true,
    }
}

/// Returns a value as a pattern that only its own path fits, if it is one below the project.
fn literal(value: &str) -> Option<String> {
    let is_unfit = value.is_empty()
        || value.trim() != value
        || value.starts_with(['/', '~'])
        || value.contains(|sign: char| sign.is_control() || sign == '`');
    let parts: Vec<&str> = value.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    if is_unfit || parts.is_empty() || parts.contains(&"..") {
        return None;
    }
    let mut escaped = String::new();
    for sign in parts.join("/").chars() {
        if SIGNS.contains(sign) {
            escaped.push('\\');
        }
        escaped.push(sign);
    }
    Some(escaped)
}

/// What is wrong with a pattern, and what to do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) what: &'static str,
    pub(super) hint: &'static str,
}

/// Finds what is wrong with a pattern that has no gaps.
pub(super) fn find_fault(pattern: &str) -> Option<Fault> {
    let below = "write it relative to the root of the project";
    let fault = |what, hint| Some(Fault { what, hint });
    if pattern.len() > PATTERN_BYTES {
        return fault("is too long", "1024 bytes are allowed");
    }
    if pattern.starts_with(['/', '~']) {
        return fault("leads out of the project", below);
    }
    if pattern.contains(char::is_control) {
        return fault("cannot be read", "write it on one line, without signs that control");
    }
    let parts: Vec<&str> = pattern.split('/').collect();
    if parts.contains(&"..") {
        return fault("leads out of the project", below);
    }
    if parts.iter().any(|part| matches!(*part, "" | ".")) {
        return fault(
            "cannot be read",
            "every part between `/` is a name; `docs/**` means all below",
        );
    }
    if parts.iter().any(|part| *part != ANY_NAMES && part.contains(ANY_NAMES)) {
        return fault("cannot be read", "`**` stands alone between `/`");
    }
    let mut signs = pattern.chars();
    while let Some(sign) = signs.next() {
        let is_sound = match sign {
            '\\' => signs.next().is_some_and(|next| SIGNS.contains(next)),
            '[' | ']' | '{' | '}' => false,
            _ => true,
        };
        if !is_sound {
            return fault("cannot be read", "only `*`, `**` and `?` have a meaning");
        }
    }
    None
}

/// Finds what is wrong with a pattern as it was written, as far as that shows before its gaps are
/// filled in.
pub(super) fn find_written_fault(pattern: &str) -> Option<Fault> {
    let mut rest = pattern;
    let mut text = String::new();
    while let Some((before, gap)) = rest.split_once("{{") {
        let (_, after) = gap.split_once("}}")?;
        text.push_str(before);
        // Any name will do.
        text.push('x');
        rest = after;
    }
    text.push_str(rest);
    // What depends on a condition shows later.
    if text.contains("{%") || text.contains("{#") { None } else { find_fault(&text) }
}

/// Tells whether a path fits a pattern; both are relative to the root of the project.
pub fn fits_path(pattern: &str, path: &str) -> bool {
    if find_fault(pattern).is_some() {
        return false;
    }
    let names: Vec<&str> = path.split('/').collect();
    let is_unfit = |name: &&str| matches!(*name, "" | "." | "..") || name.eq_ignore_ascii_case(GIT);
    if names.iter().any(is_unfit) {
        return false;
    }
    let parts: Vec<&str> = pattern.split('/').collect();
    // What is below a directory is not the directory: the last `**` stands for one name at least.
    let parts: Vec<&str> = match parts.split_last() {
        Some((&ANY_NAMES, before)) => before.iter().copied().chain([ANY_NAMES, "*"]).collect(),
        Some(_) | None => parts,
    };
    let is_any = |part: &&str| *part == ANY_NAMES;
    matches(&parts, &names, is_any, |part, name| fits_name(part, name))
}

/// Reports whether something that fits a pattern may be below a directory.
pub fn is_above(directory: &str, pattern: &str) -> bool {
    if find_fault(pattern).is_some() {
        return false;
    }
    let mut parts = pattern.split('/').peekable();
    for name in directory.split('/') {
        if matches!(name, "" | "." | "..") || name.eq_ignore_ascii_case(GIT) {
            return false;
        }
        match parts.next() {
            Some(ANY_NAMES) => return true,
            Some(part) if fits_name(part, name) => {}
            Some(_) | None => return false,
        }
    }
    parts.peek().is_some()
}

fn fits_name(part: &str, name: &str) -> bool {
    let (mut signs, mut rest) = (Vec::new(), part.chars());
    while let Some(sign) = rest.next() {
        signs.push(match sign {
            '*' => Sign::Any,
            '?' => Sign::One,
            '\\' => Sign::Itself(rest.next().unwrap_or(sign)),
            other => Sign::Itself(other),
        });
    }
    let name: Vec<char> = name.chars().collect();
    let fits = |sign: &Sign, character: &char| match sign {
        Sign::Itself(own) => own == character,
        Sign::One => true,
        Sign::Any => false,
    };
    matches(&signs, &name, |sign| *sign == Sign::Any, fits)
}

/// One sign of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Itself(char),
    One,
    Any,
}

/// Compares a pattern with what it may mean. Only the last sign that stands for anything is ever
/// tried again, so the time grows with the product of both lengths and never beyond.
fn matches<P, T>(
    pattern: &[P],
    text: &[T],
    is_any: impl Fn(&P) -> bool,
    fits: impl Fn(&P, &T) -> bool,
) -> bool {
    let (mut at, mut place) = (0, 0);
    let mut again = None;
    while let Some(item) = text.get(place) {
        match pattern.get(at) {
            Some(part) if is_any(part) => {
                at += 1;
                again = Some((at, place));
            }
            Some(part) if fits(part, item) => {
                at += 1;
                place += 1;
            }
            Some(_) | None => {
                let Some((after, from)) = again else { return false };
                at = after;
                place = from + 1;
                again = Some((after, place));
            }
        }
    }
    pattern.get(at..).unwrap_or_default().iter().all(is_any)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_fits_or_does_not() {
        for (pattern, path, expected) in [
            ("docs/x.md", "docs/x.md", true),
            ("docs/x.md", "docs/x.md/y", false),
            ("docs/*.md", "docs/a.md", true),
            ("docs/*.md", "docs/a/b.md", false),
            ("docs/**", "docs/a/b.md", true),
            ("docs/**", "docs", false),
            ("docs/**", "docsx/a", false),
            ("**", "a", true),
            ("**", ".git/config", false),
            ("**/*.md", "a.md", true),
            ("**/*.md", "a/b/c.md", true),
            ("a/**/b", "a/b", true),
            ("a/**/b", "a/x/y/b", true),
            ("a/**/b", "a/x/y/c", false),
            ("a?c", "abc", true),
            ("a?c", "a/c", false),
            ("a?c", "aéc", true),
            ("*", "a/b", false),
            ("a*b*c", "axbxbxc", true),
            ("\\*\\*", "a", false),
            ("\\*\\*", "**", true),
            ("docs/**", "docs/../src/a", false),
            ("docs/**", "docs/./a", false),
            ("/etc/*", "/etc/x", false),
            ("a[b]", "ab", false),
        ] {
            assert_eq!(fits_path(pattern, path), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn a_directory_is_above_what_fits_or_not() {
        for (directory, pattern, expected) in [
            ("docs", "docs/plans/x.md", true),
            ("docs/plans", "docs/plans/x.md", true),
            ("docs/plans/x.md", "docs/plans/x.md", false),
            ("docs/other", "docs/plans/x.md", false),
            ("src", "docs/plans/x.md", false),
            ("docs/a", "docs/*/x.md", true),
            ("docs/a/b", "docs/**", true),
            (".git", "**", false),
            ("docs/..", "docs/**", false),
            ("docs", "/docs/x", false),
        ] {
            assert_eq!(is_above(directory, pattern), expected, "{directory} {pattern}");
        }
    }

    #[test]
    fn a_pattern_built_to_take_long_does_not() {
        let pattern = "*a".repeat(400);
        assert!(!fits_path(&pattern, &"a".repeat(4000).replace("aaaa", "aab")));
        let pattern = "**/a/".repeat(200) + "b";
        assert!(!fits_path(&pattern, "a/".repeat(2000).trim_end_matches('/')));
    }

    #[test]
    fn a_value_is_a_path_or_nothing() {
        for (value, expected) in [
            ("docs/x.md", Some("docs/x.md")),
            ("./docs//x.md", Some("docs/x.md")),
            ("**", Some("\\*\\*")),
            ("a\\b", Some("a\\\\b")),
            ("{a,b}", Some("\\{a,b\\}")),
            ("", None),
            (".", None),
            ("/etc/x", None),
            ("~/x", None),
            ("../x", None),
            ("a/../../x", None),
            ("a\nb", None),
            ("a`b", None),
            (" a", None),
        ] {
            assert_eq!(literal(value).as_deref(), expected, "{value}");
        }
    }
}
