//! Texts that people and agents write, checked once at the edge.

use alloc::{boxed::Box, string::String};
use core::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::limits;

/// Why a text was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BadText {
    /// Nothing that can be seen.
    #[error("the {what} is empty")]
    Empty {
        /// What was being read, such as `title`.
        what: &'static str,
    },
    /// Over the cap.
    #[error("the {what} is too long: at most {most} {unit}, found {found}")]
    TooLong {
        /// What was being read.
        what: &'static str,
        /// The cap.
        most: usize,
        /// The cap's unit.
        unit: &'static str,
        /// How many there were.
        found: usize,
    },
    /// A line break or another control character.
    #[error("the {what} holds a control character (U+{code:04X})")]
    Control {
        /// What was being read.
        what: &'static str,
        /// Its code point.
        code: u32,
    },
    /// A leading dash, which another program would take for an option.
    #[error("the {what} starts with `-`")]
    LeadingDash {
        /// What was being read.
        what: &'static str,
    },
}

/// One line of text: a task's title or a mail's subject.
///
/// Holding one proves it is trimmed, can be seen, is at most [`limits::TITLE_CHARACTERS`] long and
/// without control characters and a leading dash.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Title(Box<str>);

impl Title {
    /// Parses a title; surrounding white space is dropped.
    pub fn parse(raw: &str) -> Result<Self, BadText> {
        Self::parse_as("title", raw)
    }

    /// Parses a title under another name, so that the error speaks the caller's language.
    pub fn parse_as(what: &'static str, raw: &str) -> Result<Self, BadText> {
        let text = raw.trim();
        if text.is_empty() {
            return Err(BadText::Empty { what });
        }
        // Byte length bounds the character count from above, so a megabyte is refused unread.
        if text.len() > limits::TITLE_CHARACTERS {
            let found = text.chars().count();
            if found > limits::TITLE_CHARACTERS {
                let most = limits::TITLE_CHARACTERS;
                return Err(BadText::TooLong { what, most, unit: "characters", found });
            }
        }
        if let Some(control) = text.chars().find(|c| c.is_control()) {
            return Err(BadText::Control { what, code: u32::from(control) });
        }
        if text.starts_with('-') {
            return Err(BadText::LeadingDash { what });
        }
        if !text.chars().any(is_visible) {
            return Err(BadText::Empty { what });
        }
        Ok(Self(text.into()))
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Title {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Title {
    type Error = BadText;

    fn try_from(raw: String) -> Result<Self, BadText> {
        Self::parse(&raw)
    }
}

impl From<Title> for String {
    fn from(title: Title) -> Self {
        title.0.into()
    }
}

/// A longer text: a note, a reason, a mail's body. Not empty, bounded, no NUL.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Body(Box<str>);

impl Body {
    /// Parses a note or a reason, at most [`limits::NOTE_BYTES`] long.
    pub fn note(raw: &str) -> Result<Self, BadText> {
        Self::parse("note", raw, limits::NOTE_BYTES)
    }

    /// Parses a mail body, at most [`limits::MAIL_BODY_BYTES`] long.
    pub fn mail(raw: &str) -> Result<Self, BadText> {
        Self::parse("message", raw, limits::MAIL_BODY_BYTES)
    }

    fn parse(what: &'static str, raw: &str, most: usize) -> Result<Self, BadText> {
        let text = raw.trim_end();
        if text.trim_start().is_empty() {
            return Err(BadText::Empty { what });
        }
        if text.len() > most {
            return Err(BadText::TooLong { what, most, unit: "bytes", found: text.len() });
        }
        if text.contains('\0') {
            return Err(BadText::Control { what, code: 0 });
        }
        Ok(Self(text.into()))
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Body {
    type Error = BadText;

    fn try_from(raw: String) -> Result<Self, BadText> {
        Self::mail(&raw)
    }
}

impl From<Body> for String {
    fn from(body: Body) -> Self {
        body.0.into()
    }
}

/// Reports whether a character is invisible, or changes the order in which others are seen.
///
/// This is the only list of such characters: escaping for models, terminals and JSON and the search
/// for secrets must agree on what a reader cannot see. Control characters are not in it; `char`
/// knows those.
pub const fn is_hidden(character: char) -> bool {
    matches!(character,
        // Soft hyphen, grapheme joiner, Arabic letter mark, fillers and vowels without a shape.
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        // Mongolian selectors, zero-width characters, directional marks.
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
        // Line and paragraph separators, directional embeddings, isolates, invisible operators.
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        // Hangul fillers, variation selectors, byte order mark, annotations.
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        // Controls of hieroglyphs, shorthand and music.
        | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        // The tag block, in which a whole sentence can hide, and the selectors beside it.
        | '\u{e0000}'..='\u{e0fff}')
}

/// Reports whether a character leaves a mark: a line of white space, joiners and tags looks blank
/// to every reader, while a program still finds a text in it.
fn is_visible(character: char) -> bool {
    let is_blank = is_hidden(character) || character == EMPTY_BRAILLE_CELL;
    !is_blank && !character.is_whitespace() && !character.is_control()
}

/// A character of Braille that is drawn without a dot. It has a width, so it hides nothing in a
/// text.
const EMPTY_BRAILLE_CELL: char = '\u{2800}';

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn a_title_is_one_clean_line() {
        assert_eq!(Title::parse("  Add login ").unwrap().as_str(), "Add login");
        let long = "é".repeat(300);
        assert_eq!(Title::parse(&long).unwrap().as_str(), long);
        for (raw, said) in [
            ("", "the title is empty"),
            (" \t ", "the title is empty"),
            ("a\nb", "the title holds a control character (U+000A)"),
            ("a\u{1b}[31m", "the title holds a control character (U+001B)"),
            ("-rf", "the title starts with `-`"),
            ("--", "the title starts with `-`"),
        ] {
            assert_eq!(Title::parse(raw).unwrap_err().to_string(), said, "{raw:?}");
        }
        let megabyte = "x".repeat(1 << 20);
        assert_eq!(
            Title::parse(&megabyte).unwrap_err().to_string(),
            "the title is too long: at most 300 characters, found 1048576"
        );
    }

    #[test]
    fn a_title_can_be_seen() {
        let hidden: String = "ignore this"
            .chars()
            .map(|c| char::from_u32(0xe0000 + u32::from(c)).unwrap())
            .collect();
        for blank in [
            "\u{200b}",
            "\u{ad}\u{ad}",
            "\u{200d} \u{fe0f}",
            "\u{202e}\u{2066}\u{feff}",
            "\u{3164}\u{2800}",
            "\u{e0100}",
            &hidden,
        ] {
            let refused = Title::parse(blank).unwrap_err();
            assert_eq!(refused, BadText::Empty { what: "title" }, "{blank:?}");
        }
        for seen in ["👩\u{200d}🚀", "❤\u{fe0f}", "می\u{200c}خواهم", "\u{200b}x", ".", "中"]
        {
            assert_eq!(Title::parse(seen).unwrap().as_str(), seen);
        }
    }

    #[test]
    fn a_body_keeps_its_lines_and_has_a_cap() {
        assert_eq!(Body::note("a\n  b\n\n").unwrap().as_str(), "a\n  b");
        assert!(Body::note("\n \n").is_err());
        assert!(Body::note("a\0b").is_err());
        assert!(Body::note(&"x".repeat(limits::NOTE_BYTES + 1)).is_err());
        assert!(Body::mail(&"x".repeat(limits::NOTE_BYTES + 1)).is_ok());
        assert!(Body::mail(&"x".repeat(limits::MAIL_BODY_BYTES + 1)).is_err());
    }
}
