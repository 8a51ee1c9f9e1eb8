//! The words of a passage, each with what stands between it and the next.

use std::ops::Range;

use super::passage::Form;

/// Marks that hold a word together: those of names, and those of addresses and paths, so that no
/// part of an address passes for a name.
const WITHIN: &str = "-_:./@=?&#%~+";

/// One word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word<'p> {
    pub(super) text: &'p str,
    pub(super) bytes: Range<usize>,
    /// What stands before it.
    pub(super) lead: Lead,
    /// What stands between it and the next word.
    pub(super) gap: &'p str,
}

/// What stands right before a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lead {
    /// Nothing that belongs to it.
    Free,
    /// A slash, which makes it a command.
    Slash,
    /// A mark that makes it something else than a name: `--json`, `:smile:`, `$name`.
    Other,
}

impl Word<'_> {
    /// Tells whether it is one of these words, whatever the case.
    pub(super) fn is_one_of(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.text.eq_ignore_ascii_case(word))
    }

    /// Tells whether the sentence ends after it.
    pub(super) fn ends_sentence(&self, form: Form) -> bool {
        let gap = self.gap.trim_start_matches([')', '"', '\'', '`', '*']);
        gap.starts_with(['.', '!', '?', ';']) || form == Form::Verbatim && gap.contains('\n')
    }

    /// Tells whether a colon follows; in code it may stand in stars.
    pub(super) fn has_colon(&self) -> bool {
        self.gap.trim_start_matches([' ', '*', '_']).starts_with(':')
    }

    /// Tells whether nothing but white space, stars and backticks stand before the next word.
    pub(super) fn is_beside_next(&self) -> bool {
        !self.gap.is_empty()
            && self.gap.chars().all(|c| c.is_whitespace() || matches!(c, '*' | '`'))
    }
}

/// Returns the words of a text.
pub(super) fn words(text: &str) -> Vec<Word<'_>> {
    let mut words: Vec<Word<'_>> = Vec::new();
    let mut rest = text;
    let mut before = None;
    let mut ended = 0;
    while let Some(first) = rest.chars().next() {
        let raw = match rest.find(|c: char| !is_within(c)) {
            Some(end) => rest.get(..end).unwrap_or_default(),
            None => rest,
        };
        let at = text.len() - rest.len();
        let (step, last) = match raw.chars().next_back() {
            Some(last) => (raw.len(), last),
            None => (first.len_utf8(), first),
        };
        let after = rest.get(step..).unwrap_or_default();
        let inner = raw.trim_start_matches(|c: char| !c.is_alphanumeric());
        let start = at + (raw.len() - inner.len());
        let inner = inner.trim_end_matches(|c: char| !c.is_alphanumeric());
        if !inner.is_empty() {
            if let Some(previous) = words.last_mut() {
                previous.gap = text.get(ended..start).unwrap_or_default();
            }
            ended = start + inner.len();
            let lead = lead(before, text.get(at..start).unwrap_or_default());
            // `superpowers:writing-<topic>` and `acme:{name}` are forms to fill in.
            let is_form = after.starts_with(['{', '$'])
                || text.get(ended..).is_some_and(|rest| rest.starts_with('-'));
            let lead = if is_form { Lead::Other } else { lead };
            words.push(Word { text: inner, bytes: start..ended, lead, gap: "" });
        }
        before = Some(last);
        rest = after;
    }
    if let Some(last) = words.last_mut() {
        last.gap = text.get(ended..).unwrap_or_default();
    }
    words
}

fn is_within(c: char) -> bool {
    c.is_alphanumeric() || WITHIN.contains(c)
}

/// Judges the marks at the beginning of a word and the character before them.
fn lead(before: Option<char>, marks: &str) -> Lead {
    match (before, marks) {
        (Some('$' | '}' | '\\'), _) => Lead::Other,
        (_, "") => Lead::Free,
        (_, "/") => Lead::Slash,
        _ => Lead::Other,
    }
}
