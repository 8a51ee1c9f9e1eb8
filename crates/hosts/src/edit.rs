//! Registering our hooks in a host's settings file, and taking them out again: text in, text out.
//!
//! A settings file belongs to a person and is written by several programs. So nothing is parsed and
//! printed again: entries are put in and cut out where they stand, and every other byte stays,
//! comments and odd formatting included. What is not understood is refused, never mended.

mod command;
mod hooks;
pub(crate) mod json;
mod own;
mod status_line;

use thiserror::Error;

pub(crate) use self::command::Call;
pub use self::{
    command::quoted,
    hooks::{
        Difference, Foreign, Found, LISTED, Listed, Ours, Registration, Removed, found, install,
        remove,
    },
    json::Kind,
    own::{OwnFile, OwnFound},
    status_line::{StatusLineFound, add_status_line, find_status_line},
};

/// Largest settings file that is edited, in bytes. Those of people have some kilobytes.
pub const SETTINGS_BYTES: usize = 1024 * 1024;

/// How deep values may be nested in a settings file. Reading goes one call deeper for each level.
pub const SETTINGS_DEPTH: usize = 128;

/// Longest excerpt of a settings file in a message or a list, in characters: about a line.
const EXCERPT_CHARACTERS: usize = 120;

/// Why a settings file is left alone.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EditError {
    /// It is larger than we edit, or would become so.
    #[error("the file has {bytes} bytes, and at most {SETTINGS_BYTES} are edited")]
    TooLarge {
        /// Its size.
        bytes: usize,
    },
    /// Its values are nested deeper than we read.
    #[error("the file nests values more than {SETTINGS_DEPTH} deep")]
    TooDeep,
    /// It is not JSON, even with comments and trailing commas.
    #[error("line {line}, column {column} is no JSON: {expected} was expected")]
    Syntax {
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
        /// What would have made sense there.
        expected: &'static str,
    },
    /// It holds something else than settings.
    #[error("the file holds {found}, not an object")]
    NotSettings {
        /// What it holds.
        found: Kind,
    },
    /// Its hooks are something else than hooks by event.
    #[error("`hooks` is {found}, not an object")]
    NotHooks {
        /// What they are.
        found: Kind,
    },
    /// The hooks of an event are not a list.
    #[error("`hooks.{event}` is {found}, not an array")]
    NotAList {
        event: &'static str,
        /// What they are.
        found: Kind,
    },
    /// It has hooks more than once, and programs differ in which of them they read.
    #[error("`hooks` is there more than once")]
    HooksTwice,
    /// It has an event more than once.
    #[error("`hooks.{event}` is there more than once")]
    ListTwice { event: &'static str },
    /// It should hold nothing but ours, and holds something of others.
    #[error("the file holds something that is not ours")]
    Foreign,
    /// What is to be registered would not be known for ours again.
    #[error("only an absolute path of a program called `pacenote` is registered, not `{program}`")]
    Program {
        /// What was to be registered, shortened and made printable.
        program: String,
    },
}

/// Shortens foreign text and makes it printable.
fn excerpt(text: &str) -> String {
    text.chars().take(EXCERPT_CHARACTERS).flat_map(char::escape_debug).collect()
}

/// Tells whether a text is JSON as the standard has it: without comments and trailing commas. A mark
/// before it is none of its business.
pub fn is_plain(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.trim().is_empty() || serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}
