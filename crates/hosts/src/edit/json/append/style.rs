//! How a text is formatted, as far as it tells.

use super::super::{Document, Value, trivia::MARK};

/// What most programs that write settings indent with.
const USUAL_UNIT: &str = "  ";

/// The habits of a text.
#[derive(Debug)]
pub(super) struct Style {
    /// What ends a line.
    pub(super) newline: &'static str,
    /// One step of indentation.
    pub(super) unit: String,
    /// What stands between a key and its value.
    pub(super) colon: &'static str,
    /// What stands behind a comma in the middle of a line.
    pub(super) gap: &'static str,
    /// Whether all values are written on one line.
    pub(super) one_line: bool,
}

/// How the members of a container are laid out.
#[derive(Clone, Debug)]
pub(super) enum Layout {
    /// One line for each, so indented.
    Lines { indent: String },
    /// All in the line of the bracket.
    OneLine,
}

impl Style {
    /// Reads the habits of a text from its first lines and its root.
    pub(super) fn of(document: &Document<'_>) -> Self {
        let Document { text, root } = document;
        let mut members = root.iter().flat_map(|root| &root.members);
        let keyed = members.find_map(|member| Some((member.key?, &member.value)));
        let (colon, gap) = match keyed {
            Some((key, value)) if key.end + 1 == value.span.start => (":", ""),
            Some(_) | None => (": ", " "),
        };
        Self {
            newline: newline(text),
            unit: root.as_ref().and_then(|root| unit(text, root)).unwrap_or(USUAL_UNIT).to_owned(),
            colon,
            gap,
            one_line: root.as_ref().is_some_and(|root| is_one_line(text, root)),
        }
    }
}

impl Layout {
    /// Returns the layout of a container that stands in this one.
    pub(super) fn deeper(&self, style: &Style) -> Self {
        match self {
            Self::Lines { indent } => Self::Lines { indent: format!("{indent}{}", style.unit) },
            Self::OneLine => Self::OneLine,
        }
    }

    /// Returns what stands between a comma and the next member.
    pub(super) fn between(&self, style: &Style) -> String {
        match self {
            Self::Lines { indent } => format!("{}{indent}", style.newline),
            Self::OneLine => style.gap.to_owned(),
        }
    }

    /// Returns what stands between a bracket and the member beside it.
    pub(super) fn beside_bracket(&self, style: &Style) -> String {
        match self {
            Self::Lines { indent } => format!("{}{indent}", style.newline),
            Self::OneLine => String::new(),
        }
    }
}

/// Returns the indentation of the line that a place is in.
pub(super) fn indent_at(text: &str, at: usize) -> &str {
    let line = line_before(text, at);
    let indented = line.trim_start_matches([' ', '\t']);
    line.strip_suffix(indented).unwrap_or_default()
}

/// Tells whether only whitespace stands before a place in its line, and a line before that.
pub(super) fn is_on_its_own_line(text: &str, at: usize) -> bool {
    let line = line_before(text, at);
    line.len() < at && line.trim_start_matches([' ', '\t']).is_empty()
}

/// Tells whether what is written at the end of a text begins a line.
pub(super) fn is_at_line_start(text: &str) -> bool {
    line_before(text, text.len()).trim_start_matches(MARK).is_empty()
}

fn line_before(text: &str, at: usize) -> &str {
    text.get(..at).unwrap_or_default().rsplit('\n').next().unwrap_or_default()
}

fn newline(text: &str) -> &'static str {
    let first = text.split_once('\n').map(|(line, _)| line);
    if first.is_some_and(|line| line.ends_with('\r')) { "\r\n" } else { "\n" }
}

fn is_one_line(text: &str, root: &Value) -> bool {
    !root.members.is_empty() && !root.span.of(text).contains('\n')
}

/// Returns by how much the first member on a line of its own is indented beyond its container.
fn unit<'a>(text: &'a str, container: &Value) -> Option<&'a str> {
    let members = || container.members.iter().enumerate();
    // Looking for the beginning of a line is only cheap where the line is known to be short.
    let begins_a_line =
        |index: usize| container.gap_before(index).is_some_and(|gap| gap.of(text).contains('\n'));
    members()
        .find(|(index, _)| begins_a_line(*index))
        .map(|(_, member)| member.span().start)
        .filter(|start| is_on_its_own_line(text, *start))
        .and_then(|start| {
            indent_at(text, start).strip_prefix(indent_at(text, container.span.start))
        })
        .filter(|unit| !unit.is_empty())
        .or_else(|| members().find_map(|(_, member)| unit(text, &member.value)))
}
