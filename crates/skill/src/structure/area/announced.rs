//! What announces a category: a heading, bold words, or a plain item with a severity.

use super::super::{
    severity::{self, Label, Severities},
    text::{Text, words},
};

/// Longest name of an area, in bytes; what is longer is a sentence.
const NAME_BYTES: usize = 120;

/// Bold words without a severity that begin a paragraph and announce no category.
const NOT_NAMES: [&str; 17] = [
    "note",
    "notes",
    "example",
    "examples",
    "important",
    "tip",
    "tips",
    "warning",
    "caution",
    "why",
    "remember",
    "see also",
    "output",
    "agent",
    "model",
    "goal",
    "fix",
];

/// Who a text announces, and what it says behind that.
pub(super) struct Announced<'t> {
    pub(super) name: &'t str,
    pub(super) severities: Option<Severities>,
    pub(super) rest: &'t str,
}

impl<'t> Announced<'t> {
    /// Takes a label and what comes after it.
    fn labelled(label: &Label<'t>, rest: &'t str) -> Option<Self> {
        Self::named(label.name, Some(label.severities), rest)
    }

    /// Takes a name without what numbers and decorates it, if it can be one.
    pub(super) fn named(
        name: &'t str,
        severities: Option<Severities>,
        rest: &'t str,
    ) -> Option<Self> {
        let name = cleaned(name);
        is_name(name).then_some(Self { name, severities, rest })
    }
}

/// Reads a heading within what is checked: its severity, if it says one, is behind its name.
pub(super) fn by_title(text: &str) -> Option<Announced<'_>> {
    // "Critical Issues" is a category by its severity alone.
    by_label(text).or_else(|| Announced::named(text, group_severity(text), ""))
}

/// Reads a heading that says a severity.
pub(super) fn by_label(text: &str) -> Option<Announced<'_>> {
    Announced::labelled(&severity::label(text)?, "")
}

/// Reads the bold words a text begins with.
pub(super) fn in_bold(text: &Text) -> Option<Announced<'_>> {
    let (lead, rest) = text.lead()?;
    if let Some(label) = severity::label(lead) {
        return Announced::labelled(&label, severity::unmarked(rest));
    }
    if let Some((severities, rest)) = severity::behind_name(rest) {
        return Announced::named(lead, Some(severities), rest);
    }
    // Bold words in the middle of a sentence announce nothing.
    let after = rest.trim_start();
    let ends = lead.ends_with(':') || after.is_empty() || after.starts_with([':', '-', '–', '—']);
    let is_other = NOT_NAMES.contains(&words(lead).trim());
    if !ends || is_other {
        return None;
    }
    Announced::named(lead, None, severity::unmarked(rest))
}

/// Reads `Name (Major): checks`, which only counts where checks are listed.
pub(super) fn plainly(text: &str) -> Option<Announced<'_>> {
    let label = severity::leading_label(text)?;
    Announced::labelled(&label, label.rest)
}

/// Reads `Accuracy (Critical), Clarity (Major)`, with or without words before it.
pub(super) fn enumerated(text: &str) -> Vec<Announced<'_>> {
    let list = text.split_once(": ").map_or(text, |(_, list)| list);
    let found: Vec<_> = list.split(", ").filter_map(plainly).collect();
    // One alone is a sentence that happens to have a word in brackets.
    if found.len() > 1 { found } else { Vec::new() }
}

/// Reads a title such as "Critical" or "Minor Issues".
fn group_severity(title: &str) -> Option<Severities> {
    let words = words(title);
    let (first, rest) = words.trim().split_once(' ').unwrap_or((words.trim(), ""));
    let is_group = ["", "issues", "findings", "problems", "checks"].contains(&rest);
    if is_group { severity::expression(first) } else { None }
}

/// Removes what numbers and decorates a name.
pub(super) fn cleaned(name: &str) -> &str {
    let name = name.trim_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '*' | '_' | '`'));
    let name = name.trim_start_matches(|c: char| {
        !c.is_alphanumeric() && !matches!(c, '(' | '[' | '{' | '<' | '"' | '`' | '.' | '@' | '#')
    });
    let unnumbered = name.trim_start_matches(|c: char| c.is_ascii_digit());
    match unnumbered.strip_prefix(['.', ')']) {
        Some(after) if unnumbered.len() < name.len() && after.starts_with(' ') => {
            after.trim_start()
        }
        Some(_) | None => name,
    }
}

/// Tells whether a text can be the name of a category: short, and no placeholder of a template.
fn is_name(text: &str) -> bool {
    text.len() <= NAME_BYTES
        && text.contains(char::is_alphabetic)
        && !text.starts_with(['[', '{', '<'])
        && !text.contains("{{")
}
