//! Where the frontmatter of a skill begins and ends, and what it says.
//!
//! Three ways lead to its keys: the plain one, the parser, and line by line where the parser
//! refuses. None of them fails: in the worst case there are no keys.

use std::ops::ControlFlow;

use pacenote_model::limits;

use crate::{
    finding::{Finding, Problem},
    lenient, plain,
    strict::{self, Entry, Refusal},
};

/// The line that opens and closes a frontmatter.
pub(crate) const FENCE: &str = "---";

/// The other line that closes one: the end of a YAML document.
const END: &str = "...";

/// A text divided into the frontmatter and the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parts<'t> {
    pub(crate) head: Head<'t>,
    pub(crate) body: &'t str,
    /// The line the body begins on, counted from one.
    pub(crate) body_line: usize,
}

/// What there is of a frontmatter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Head<'t> {
    /// The text between the fences; its first line is this one of the file.
    Closed { text: &'t str, line: usize },
    /// Lines with keys after a fence that nothing closes.
    Unclosed { text: &'t str },
    /// No fence on the first line.
    Missing,
}

/// Divides a text into the frontmatter and the body.
pub(crate) fn divide(text: &str) -> Parts<'_> {
    let blank_lines = text.split('\n').take_while(|line| line.trim().is_empty()).count();
    let missing = Parts { head: Head::Missing, body: text, body_line: 1 };
    let mut lines = Lines { rest: text, number: 1 };
    for _ in 0..blank_lines {
        lines.next();
    }
    if lines.next().is_none_or(|first| first.trim_end() != FENCE) {
        return missing;
    }
    let (head, line) = (lines.rest, lines.number);
    let closed = std::iter::from_fn(|| {
        let before = lines.rest;
        lines.next().map(|line| (before, line))
    })
    .try_for_each(|(before, line)| match line.trim_end() {
        FENCE | END => ControlFlow::Break(before),
        _ => ControlFlow::Continue(()),
    });
    match closed.break_value().and_then(|fence| head.strip_suffix(fence)) {
        // After blank lines a fence without keys is a rule across the page.
        Some(text) if blank_lines > 0 && !lenient::begins_with_key(text) => missing,
        Some(text) => {
            Parts { head: Head::Closed { text, line }, body: lines.rest, body_line: lines.number }
        }
        None if blank_lines > 0 => missing,
        None => Parts { head: Head::Unclosed { text: leading_keys(head) }, ..missing },
    }
}

/// Returns the keys of a frontmatter with the lines of the file they stand on.
pub(crate) fn entries(head: Head<'_>, findings: &mut Vec<Finding>) -> Vec<Entry> {
    match head {
        Head::Missing => {
            findings.push(Finding::reading(Problem::FrontmatterMissing, Some(1)));
            Vec::new()
        }
        Head::Unclosed { text } => {
            findings.push(Finding::reading(Problem::FrontmatterUnclosed, Some(1)));
            lenient::parse(text, 2, findings)
        }
        Head::Closed { text, line } => {
            if line > 2 {
                findings.push(Finding::reading(Problem::LateFence, Some(1)));
            }
            closed_entries(text, line, findings)
        }
    }
}

fn closed_entries(text: &str, line: usize, findings: &mut Vec<Finding>) -> Vec<Entry> {
    let parsed = match plain::parse(text) {
        Some(entries) => Ok(entries),
        None => strict::parse(text),
    };
    match parsed {
        Ok(mut entries) => {
            for entry in &mut entries {
                entry.line += line - 1;
            }
            entries
        }
        Err(Refusal { problem, line: at }) => {
            // The lenient reading names each repeated key itself.
            if !matches!(problem, Problem::DuplicateKey { .. }) {
                let at = at.map_or(line, |at| at + line - 1);
                findings.push(Finding::reading(problem, Some(at)));
            }
            lenient::parse(within_cap(text), line, findings)
        }
    }
}

/// Returns the lines after an unclosed fence that look like a frontmatter.
fn leading_keys(text: &str) -> &str {
    let text = within_cap(text);
    let mut lines = Lines { rest: text, number: 1 };
    let mut rest = text;
    while let Some(line) = lines.next() {
        if line.trim().is_empty() || line.starts_with('#') {
            break;
        }
        rest = lines.rest;
    }
    text.strip_suffix(rest).unwrap_or(text)
}

/// Cuts a text to what is read of a frontmatter.
fn within_cap(text: &str) -> &str {
    text.get(..text.floor_char_boundary(limits::FRONTMATTER_BYTES)).unwrap_or(text)
}

/// The lines of a text, with what is left of it and the number of the next line.
struct Lines<'t> {
    rest: &'t str,
    number: usize,
}

impl<'t> Iterator for Lines<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        if self.rest.is_empty() {
            return None;
        }
        let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        self.rest = rest;
        self.number += 1;
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        let Parts { head, body, body_line } = divide(text);
        format!("{head:?} {body_line} {body:?}")
    }

    #[test]
    fn the_frontmatter_lies_between_fences() {
        let texts = [
            "---\na: b\n---\n\nbody\n",
            "---\na: b\n...\nbody",
            "---  \na: b\n---\t\nbody",
            "---\n---\n",
            "---\n---",
            "\n \n---\na: b\n---\nbody",
        ];
        insta::assert_snapshot!(texts.map(told).join("\n"), @r#"
        Closed { text: "a: b\n", line: 2 } 4 "\nbody\n"
        Closed { text: "a: b\n", line: 2 } 4 "body"
        Closed { text: "a: b\n", line: 2 } 4 "body"
        Closed { text: "", line: 2 } 3 ""
        Closed { text: "", line: 2 } 3 ""
        Closed { text: "a: b\n", line: 4 } 6 "body"
        "#);
    }

    #[test]
    fn without_fences_everything_is_body() {
        let texts = [
            "",
            "# Title",
            " ---\na: b\n---",
            "----\na: b\n---",
            "--- # comment\na: b\n---",
            "\n---\na rule\n---\n",
            "---\nname: x\ndescription: y\n\n# Body\n",
            "---\n",
            "---",
        ];
        insta::assert_snapshot!(texts.map(told).join("\n"), @r##"
        Missing 1 ""
        Missing 1 "# Title"
        Missing 1 " ---\na: b\n---"
        Missing 1 "----\na: b\n---"
        Missing 1 "--- # comment\na: b\n---"
        Missing 1 "\n---\na rule\n---\n"
        Unclosed { text: "name: x\ndescription: y\n" } 1 "---\nname: x\ndescription: y\n\n# Body\n"
        Unclosed { text: "" } 1 "---\n"
        Unclosed { text: "" } 1 "---"
        "##);
    }
}
