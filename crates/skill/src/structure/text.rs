//! The text of one block, with where its bold parts, code and links are.

use std::ops::Range;

use crate::pattern::PATTERN_BYTES;

/// Most bytes kept of one block.
///
/// Twice the longest pattern that is compiled: a pattern that was cut is still seen to be too long.
pub(super) const BLOCK_BYTES: usize = 2 * PATTERN_BYTES;

/// Most characters of one line of what is given back: a check, a rule, a step.
///
/// Whoever writes more in one bullet writes prose, of which the beginning says what it is about.
pub(super) const LINE_CHARACTERS: usize = 500;

/// Plain text on one line; emphasis is gone, code keeps its backticks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Text {
    plain: String,
    strong: Vec<Range<usize>>,
    code: Vec<Range<usize>>,
    links: Vec<String>,
    cut: bool,
}

/// A piece of code in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Code<'t> {
    /// What stands before it, back to the code before.
    pub(super) before: &'t str,
    /// The code, without its backticks.
    pub(super) text: &'t str,
    /// What stands after it, to the end of the text.
    pub(super) after: &'t str,
}

impl Text {
    pub(super) fn as_str(&self) -> &str {
        &self.plain
    }

    /// Tells whether the block was longer than what is kept of one.
    pub(super) const fn is_cut(&self) -> bool {
        self.cut
    }

    /// Returns the bold text the block begins with, and what comes after it.
    pub(super) fn lead(&self) -> Option<(&str, &str)> {
        let range = self.strong.first()?;
        let before = self.plain.get(..range.start)?;
        // A bullet or an emoji before the bold words changes nothing.
        if before.contains(char::is_alphanumeric) {
            return None;
        }
        let strong = self.plain.get(range.clone())?.trim();
        (!strong.is_empty()).then_some((strong, self.plain.get(range.end..)?))
    }

    /// Returns the code in the block, without its backticks.
    pub(super) fn code(&self) -> impl Iterator<Item = &str> {
        self.code.iter().filter_map(|range| self.plain.get(range.clone()))
    }

    /// Returns the code in the block with what stands around it.
    pub(super) fn around_code(&self) -> Vec<Code<'_>> {
        let mut end = 0;
        let around = self.code.iter().map(|range| {
            let start = std::mem::replace(&mut end, range.end + 1);
            Code {
                before: self.plain.get(start..range.start.saturating_sub(1)).unwrap_or_default(),
                text: self.plain.get(range.clone()).unwrap_or_default(),
                after: self.plain.get(range.end + 1..).unwrap_or_default(),
            }
        });
        around.collect()
    }

    /// Returns where the links of the block lead.
    pub(super) fn links(&self) -> impl Iterator<Item = &str> {
        self.links.iter().map(String::as_str)
    }

    /// Adds text; every run of white space and control characters is one space.
    pub(super) fn push(&mut self, text: &str) {
        for character in text.chars() {
            if self.plain.len() >= BLOCK_BYTES {
                self.cut = true;
                return;
            }
            if !character.is_whitespace() && !character.is_control() {
                self.plain.push(character);
            } else if !self.plain.is_empty() && !self.plain.ends_with(' ') {
                self.plain.push(' ');
            }
        }
    }

    /// Adds code as it stands.
    pub(super) fn push_code(&mut self, code: &str) {
        if self.plain.len() + code.len() >= BLOCK_BYTES {
            self.cut = true;
            return;
        }
        self.plain.push('`');
        let start = self.plain.len();
        self.plain.extend(code.chars().map(|c| if c.is_control() { ' ' } else { c }));
        self.code.push(start..self.plain.len());
        self.plain.push('`');
    }

    /// Marks what was added since `start` as bold.
    pub(super) fn mark_strong(&mut self, start: usize) {
        if start < self.plain.len() {
            self.strong.push(start..self.plain.len());
        }
    }

    pub(super) fn push_link(&mut self, target: &str) {
        if self.links.len() < BLOCK_BYTES && target.len() < BLOCK_BYTES {
            self.links.push(target.to_owned());
        }
    }

    pub(super) fn trim_end(&mut self) {
        self.plain.truncate(self.plain.trim_end().len());
    }
}

/// Returns the words of a text in lower case between single spaces, one at each end as well.
///
/// Whole words can then be looked for with `contains`, whatever dashes and marks stand between.
pub(super) fn words(text: &str) -> String {
    let mut words = String::from(" ");
    for character in text.chars().filter(|c| !matches!(c, '\'' | '’')) {
        if character.is_alphanumeric() {
            words.extend(character.to_lowercase());
        } else if !words.ends_with(' ') {
            words.push(' ');
        }
    }
    if !words.ends_with(' ') {
        words.push(' ');
    }
    words
}

/// Tells whether one of the phrases is among the words.
pub(super) fn has_any(words: &str, phrases: &[&str]) -> bool {
    words.match_indices(' ').any(|(space, _)| {
        let rest = words.get(space + 1..).unwrap_or_default();
        let begins =
            |phrase: &str| rest.strip_prefix(phrase).is_some_and(|after| after.starts_with(' '));
        phrases.iter().any(|phrase| begins(phrase))
    })
}

/// Returns a line of what is given back, shortened where it is too long.
pub(super) fn line(text: &str) -> String {
    shortened(text.trim(), LINE_CHARACTERS)
}

/// Returns at most so many characters, with `…` for what is missing.
pub(super) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default().trim_end()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_are_looked_for() {
        let title = words("3) Auto–Validated “Patterns”, don’t");
        assert_eq!(title, " 3 auto validated patterns dont ");
        assert!(has_any(&title, &["x", "auto validated"]));
        assert!(!has_any(&title, &["auto valid", "pattern"]));
    }

    #[test]
    fn what_is_too_long_is_cut_and_told() {
        let mut text = Text::default();
        text.push("a  b\n");
        text.push_code(&"x".repeat(BLOCK_BYTES));
        assert!(text.is_cut());
        assert_eq!((text.as_str(), text.code().count()), ("a b ", 0));
        assert_eq!(shortened("äöü", 2), "äö…");
    }
}
