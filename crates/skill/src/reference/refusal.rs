//! What no reference may contain, and how that is said.

use std::fmt;

use thiserror::Error;

/// Most characters of a foreign text that are shown: with its sentence it fills a line.
const SHOWN_CHARACTERS: usize = 40;

/// A text that names no skill.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{found}` names no skill: {rule}")]
pub struct BadReference {
    /// The beginning of what was given, made harmless to show.
    pub found: Box<str>,
    /// The rule that it breaks.
    pub rule: Rule,
}

impl BadReference {
    pub(super) fn new(raw: &str, rule: Rule) -> Self {
        Self { found: shown(raw), rule }
    }
}

/// A rule of references, as it is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// There is nothing.
    Empty,
    /// It is longer than any name or path.
    TooLong,
    /// The list has more items than are read.
    TooMany,
    /// A control character, or one that changes how its neighbours look.
    Hidden,
    /// A part is `..`.
    Climbs,
    /// A character is written with a percent sign and two digits.
    Percent,
    /// A backslash, two slashes at the beginning or a drive letter.
    OtherSystem,
    /// A part of a path begins or ends with white space.
    Blank,
    /// A part begins with `-`.
    Option,
    /// A part has neither letter nor digit.
    NoLetter,
    /// What stands before `:` is no name of a plugin.
    Plugin,
    /// There is a second `:`.
    TwoPlugins,
    /// What stands after `@` is no version.
    Version,
    /// More than a skill and its nested agent.
    TooDeep,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "it is empty",
            Self::TooLong => "it is longer than 256 bytes, or 4096 for a path",
            Self::TooMany => "the list is longer than 100",
            Self::Hidden => "it has control characters or characters that hide others",
            Self::Climbs => "it has a part `..`",
            Self::Percent => "it has characters written as `%` and two digits",
            Self::OtherSystem => "it has a backslash, `//` at the beginning or a drive letter",
            Self::Blank => "a part of the path begins or ends with white space",
            Self::Option => "a part begins with `-`",
            Self::NoLetter => "a part has neither letter nor digit",
            Self::Plugin => "a plugin's name is 2 to 64 letters, digits, `.`, `_` and `-`",
            Self::TwoPlugins => "it has a second `:`",
            Self::Version => "a version is 1 to 64 of a-z, A-Z, 0-9, `.`, `+`, `_`, `-`",
            Self::TooDeep => "after the skill comes one nested agent; a path begins with `./`",
        })
    }
}

/// Refuses what no form of reference may contain.
pub(super) fn check(text: &str) -> Result<(), Rule> {
    let rules = [
        (Rule::Hidden, text.chars().any(hides)),
        (Rule::Option, text.starts_with('-')),
        (Rule::Climbs, text.split(['/', '\\', ':', '@']).any(|part| part.trim() == "..")),
        (Rule::Percent, has_percent_escape(text)),
        (Rule::OtherSystem, is_of_another_system(text)),
    ];
    match rules.into_iter().find(|(_, broken)| *broken) {
        Some((rule, _)) => Err(rule),
        None => Ok(()),
    }
}

/// Returns the beginning of a foreign text on one line, with everything that hides escaped.
pub(crate) fn shown(text: &str) -> Box<str> {
    let mut shown = String::new();
    for character in text.chars().take(SHOWN_CHARACTERS) {
        if hides(character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    if text.chars().nth(SHOWN_CHARACTERS).is_some() {
        shown.push('…');
    }
    shown.into()
}

/// Tells whether a character is not seen itself and changes what is seen.
fn hides(character: char) -> bool {
    let turns = matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}')
        || matches!(character, '\u{2066}'..='\u{2069}');
    let is_tag = matches!(character, '\u{e0000}'..='\u{e007f}');
    character.is_control() || turns || is_tag
}

fn has_percent_escape(text: &str) -> bool {
    text.as_bytes().windows(3).any(|three| {
        matches!(three, [b'%', high, low] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit())
    })
}

fn is_of_another_system(text: &str) -> bool {
    let is_drive = |rest: &str| {
        let mut characters = rest.chars();
        characters.next().is_some_and(|letter| letter.is_ascii_alphabetic())
            && characters.next() == Some(':')
    };
    text.contains('\\') || text.starts_with("//") || is_drive(text)
}
