//! Lists and sentences as lines: what a reviewer is to check, and what not to report.
//!
//! A nested item is one line with the words of the items around it, `parent: child`; an item that
//! has others below it is no line of its own. Each line can then be read alone.

use super::text::{line, shortened};

/// Most characters of a parent's words that are repeated before each of its children.
const PARENT_CHARACTERS: usize = 80;

/// Most words of one part of an enumeration that is taken apart at its commas.
const PART_WORDS: usize = 8;

/// The lines of a list.
#[derive(Debug)]
pub(super) struct Lines {
    written: Vec<String>,
    parents: Vec<Parent>,
    most: usize,
    is_full: bool,
}

/// An item that may have others below it.
#[derive(Debug)]
struct Parent {
    depth: u8,
    words: String,
    /// How many lines were written when it had become one itself.
    written: Option<usize>,
}

impl Lines {
    /// Begins a list of at most so many lines.
    pub(super) const fn new(most: usize) -> Self {
        Self { written: Vec::new(), parents: Vec::new(), most, is_full: false }
    }

    /// Adds an item.
    pub(super) fn add(&mut self, depth: u8, text: &str) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        let own = self.begin(depth, text);
        if self.written.len() < self.most {
            self.written.push(line(&own));
            let written = Some(self.written.len());
            self.parents.push(Parent { depth, words: parent_words(&own), written });
        } else {
            self.is_full = true;
        }
    }

    /// Adds an item that only introduces those below it, whose lines do not repeat it.
    pub(super) fn introduce(&mut self, depth: u8) {
        self.begin(depth, "");
        self.parents.push(Parent { depth, words: String::new(), written: None });
    }

    /// Forgets the items around: another list begins.
    pub(super) fn end_list(&mut self) {
        self.parents.clear();
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.written.is_empty()
    }

    /// Tells whether lines were left out because there are too many.
    pub(super) const fn is_full(&self) -> bool {
        self.is_full
    }

    pub(super) fn into_vec(self) -> Vec<String> {
        self.written
    }

    /// Leaves what is not around the new item, and returns its text with the words around it.
    fn begin(&mut self, depth: u8, text: &str) -> String {
        while self.parents.last().is_some_and(|parent| parent.depth >= depth) {
            self.parents.pop();
        }
        let Some(parent) = self.parents.last_mut() else { return text.to_owned() };
        // The item above turns out to have others below it.
        if parent.written.take() == Some(self.written.len()) {
            self.written.pop();
        }
        if parent.words.is_empty() { text.to_owned() } else { format!("{}: {text}", parent.words) }
    }
}

fn parent_words(text: &str) -> String {
    shortened(text.trim_end_matches([':', '.', '-', '–', '—', ' ']), PARENT_CHARACTERS)
}

/// Takes prose apart: at semicolons, at the commas of an enumeration, or into sentences.
pub(super) fn parts(prose: &str) -> Vec<&str> {
    let prose = prose.trim().trim_end_matches('.');
    let semicolons = split(prose, |_, mark, _| mark == ';');
    if semicolons.len() > 1 {
        return semicolons;
    }
    let sentences = split(prose, |_, mark, after| mark == '.' && after.starts_with(' '));
    let commas = split(prose, |_, mark, after| mark == ',' && after.starts_with(' '));
    let is_enumeration = sentences.len() == 1
        && commas.len() > 1
        && commas.iter().all(|part| part.split(' ').count() <= PART_WORDS);
    if is_enumeration { commas.into_iter().map(without_and).collect() } else { sentences }
}

/// Takes prose apart into sentences, each with the marks that end it.
pub(super) fn sentences(prose: &str) -> Vec<&str> {
    split(prose, |before, mark, after| {
        let is_end = before.trim_end_matches(['"', '”', '*']).ends_with(['.', '?', '!']);
        mark == ' ' && is_end && !after.starts_with(char::is_lowercase)
    })
}

/// Splits at the marks that stand outside of brackets and code.
fn split(text: &str, is_mark: impl Fn(&str, char, &str) -> bool) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut brackets, mut code) = (0, 0_usize, false);
    for (place, character) in text.char_indices() {
        match character {
            '`' => code = !code,
            '(' | '[' => brackets += 1,
            ')' | ']' => brackets = brackets.saturating_sub(1),
            _ => {
                let end = place + character.len_utf8();
                let before = text.get(..place).unwrap_or_default();
                let after = text.get(end..).unwrap_or_default();
                if brackets == 0 && !code && is_mark(before, character, after) {
                    parts.push(text.get(start..place).unwrap_or_default());
                    start = end;
                }
            }
        }
    }
    parts.push(text.get(start..).unwrap_or_default());
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

fn without_and(part: &str) -> &str {
    part.strip_prefix("and ").or_else(|| part.strip_prefix("or ")).unwrap_or(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_items_carry_the_words_around_them() {
        let mut lines = Lines::new(10);
        for (depth, text) in [
            (1, "Injection:"),
            (2, "SQL"),
            (3, "concatenated"),
            (2, "shell"),
            (1, "Secrets"),
            (1, "Tokens"),
        ] {
            lines.add(depth, text);
        }
        lines.introduce(1);
        lines.add(2, "Fixtures");
        let expected =
            ["Injection: SQL: concatenated", "Injection: shell", "Secrets", "Tokens", "Fixtures"];
        assert_eq!(lines.into_vec(), expected);
    }

    #[test]
    fn there_are_only_so_many_lines() {
        let mut lines = Lines::new(2);
        for _ in 0..5 {
            lines.add(1, &"x".repeat(10_000));
        }
        assert!(lines.is_full());
        let lines = lines.into_vec();
        assert_eq!(lines.len(), 2);
        assert!(lines.iter().all(|line| line.chars().count() == 501));
    }

    #[test]
    fn sentences_keep_their_marks() {
        for (prose, expected) in [
            ("One. Two? \"Three!\" Four", "One.|Two?|\"Three!\"|Four"),
            ("In (brackets? no) and `code? no`?", "In (brackets? no) and `code? no`?"),
            ("v1.2 is out, e.g. here.", "v1.2 is out, e.g. here."),
            ("", ""),
        ] {
            assert_eq!(sentences(prose).join("|"), expected, "{prose}");
        }
    }

    #[test]
    fn prose_is_taken_apart() {
        for (prose, expected) in [
            ("dead code, unused exports, and stale flags.", "dead code|unused exports|stale flags"),
            ("one (a, b); two, three", "one (a, b)|two, three"),
            ("It is fine. It is not.", "It is fine|It is not"),
            ("`a, b` only", "`a, b` only"),
            (" . ", ""),
        ] {
            assert_eq!(parts(prose).join("|"), expected, "{prose}");
        }
    }
}
