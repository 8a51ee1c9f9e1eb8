//! What came of a payload, and why one may be refused.

use std::fmt;

use pacenote_model::{BadName, CompactTrigger, Event, StartSource};
use serde::de::Error as _;
use thiserror::Error;

use crate::Form;

/// Longest excerpt of a payload in a message, in characters: a log line, not a dump.
const EXCERPT_CHARACTERS: usize = 60;

/// A payload that was understood, or that is not for us.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decoded {
    /// An event, with what was odd about it.
    Known {
        event: Box<Event>,
        /// What was read leniently.
        warnings: Vec<Warning>,
        /// The form in which the answer is wanted.
        form: Form,
    },
    /// Something we know that tells us nothing we need, such as an event of a client's own making:
    /// the answer is empty.
    Passed {
        /// Its name on the command line, or what it is.
        name: String,
    },
    /// An event of a client newer than we know, which is no error: the answer is empty, and `doctor`
    /// counts it.
    Unknown {
        /// Its name on the command line.
        name: String,
    },
}

/// Something in a payload that was read leniently; `doctor` counts these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// A reason for the start that we do not know, taken for a new session.
    UnknownSource {
        /// The reason, shortened and made printable.
        found: String,
    },
    /// No reason for the start at all, taken for a new session.
    NoSource,
    /// A trigger of a compaction that we do not know, taken for the host itself.
    UnknownTrigger {
        /// The trigger, shortened and made printable.
        found: String,
    },
    /// No trigger of a compaction at all, taken for the host itself.
    NoTrigger,
    /// A class of tool that we do not know, for which no rule about tools holds.
    UnknownClass {
        /// The class, shortened and made printable.
        found: String,
    },
}

impl Warning {
    /// Notes an unknown source.
    pub(crate) fn unknown_source(found: &str) -> Self {
        Self::UnknownSource { found: excerpt(found) }
    }

    /// Notes an unknown trigger.
    pub(crate) fn unknown_trigger(found: &str) -> Self {
        Self::UnknownTrigger { found: excerpt(found) }
    }

    /// Notes an unknown class.
    pub(crate) fn unknown_class(found: &str) -> Self {
        Self::UnknownClass { found: excerpt(found) }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownSource { found } => {
                write!(f, "the source `{found}` is not known and taken for `startup`")
            }
            Self::NoSource => f.write_str("there is no source, taken for `startup`"),
            Self::UnknownTrigger { found } => {
                write!(f, "the trigger `{found}` is not known and taken for `auto`")
            }
            Self::NoTrigger => f.write_str("there is no trigger, taken for `auto`"),
            Self::UnknownClass { found } => {
                write!(f, "the class `{found}` is not known and taken for `other`")
            }
        }
    }
}

/// Why a payload was refused.
#[derive(Debug, Error)]
pub enum DecodeError {
    /// The bytes are not text.
    #[error("the payload is not UTF-8")]
    NotText(#[source] std::str::Utf8Error),
    /// The text is not JSON of the expected shape: cut off, too deep, a field missing.
    #[error("the payload is not that of a `{event}` hook")]
    NotThePayload {
        /// The event on the command line.
        event: &'static str,
        /// What the parser says.
        #[source]
        source: serde_json::Error,
    },
    /// The payload names another event than the command line.
    #[error("the command line says `{expected}` and the payload `{found}`")]
    OtherEvent {
        /// The host's name of the event on the command line.
        expected: &'static str,
        /// The event in the payload, shortened and made printable.
        found: String,
    },
    /// The session's id is unusable.
    #[error("the payload names no usable session")]
    Session(#[source] BadName),
}

impl DecodeError {
    /// Notes a contradiction between command line and payload.
    pub(crate) fn other_event(expected: &'static str, found: &str) -> Self {
        Self::OtherEvent { expected, found: excerpt(found) }
    }
}

/// Returns a field without which the event means nothing.
pub(crate) fn needed<T>(field: &'static str, value: Option<T>) -> Result<T, serde_json::Error> {
    value.ok_or_else(|| serde_json::Error::missing_field(field))
}

/// Reports whether fields that may hold the path of a file name more than one.
pub(crate) fn are_several(paths: &[&Option<String>]) -> bool {
    let mut given = paths.iter().filter_map(|path| path.as_ref());
    given.next().is_some_and(|first| given.any(|other| other != first))
}

/// The file by which a skill is read where a client has no tool for that.
const SKILL_FILE: &str = "/SKILL.md";

/// Returns the skill whose file a path or a command names: the directory that it lies in.
pub(crate) fn skill_in(text: &str) -> Option<String> {
    let (before, _) = text.split_once(SKILL_FILE)?;
    let is_part = |c: char| c.is_alphanumeric() || "_.-".contains(c);
    let name = before.rsplit(|c: char| !is_part(c)).next()?;
    (!name.is_empty()).then(|| name.to_owned())
}

/// Returns why a context begins. A source we do not know counts as a new session: notes given twice
/// are better than none.
pub(crate) fn start_source(word: Option<&str>) -> (StartSource, Option<Warning>) {
    match word {
        Some("startup") => (StartSource::Startup, None),
        Some("resume") => (StartSource::Resume, None),
        Some("clear") => (StartSource::Clear, None),
        Some("compact") => (StartSource::Compact, None),
        Some("fork") => (StartSource::Fork, None),
        Some(other) => (StartSource::Startup, Some(Warning::unknown_source(other))),
        None => (StartSource::Startup, Some(Warning::NoSource)),
    }
}

/// Returns who asked for a compaction. A trigger we do not know is not the person's: that one has always
/// had the same word.
pub(crate) fn compact_trigger(word: Option<&str>) -> (CompactTrigger, Option<Warning>) {
    match word {
        Some("manual") => (CompactTrigger::Manual, None),
        Some("auto") => (CompactTrigger::Auto, None),
        Some(other) => (CompactTrigger::Auto, Some(Warning::unknown_trigger(other))),
        None => (CompactTrigger::Auto, Some(Warning::NoTrigger)),
    }
}

fn excerpt(found: &str) -> String {
    found.chars().take(EXCERPT_CHARACTERS).flat_map(char::escape_debug).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skill_is_known_by_its_file() {
        for (text, skill) in [
            ("cat ~/.codex/skills/lint-rust/SKILL.md", Some("lint-rust")),
            ("sed -n 1,200p '/home/dev/.agents/skills/plans/SKILL.md' | head", Some("plans")),
            ("/repo/.agents/skills/a.b/SKILL.md", Some("a.b")),
            ("cat SKILL.md", None),
            ("cat /SKILL.md", None),
            ("ls skills", None),
        ] {
            assert_eq!(skill_in(text).as_deref(), skill, "{text}");
        }
    }
}
