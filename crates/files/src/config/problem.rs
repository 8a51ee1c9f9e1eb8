//! What can be wrong with a setting, said so that it can be put right: where, which key, what is
//! allowed. Text from files is shown without control characters, and cut.

use std::fmt;
use std::path::PathBuf;

use toml::de::DeValue;

use super::setting::{Given, SETTINGS, Setting};

/// Most characters of a wrong key or value that are repeated in a message.
const SHOWN: usize = 60;

/// Farthest a known key may be from what was written to be proposed; past this it is a guess.
const FARTHEST: usize = 3;

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The table of settings.
    BuiltIn,
    /// The user's file.
    User {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
    },
    /// The project's file, which decides nothing.
    Project {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
    },
    /// An environment variable.
    Environment {
        /// The name of the variable.
        variable: &'static str,
    },
    /// The command line.
    Flag,
}

/// Something wrong in a layer, and how much that matters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Whether a command should stop.
    pub weight: Weight,
    /// What is wrong.
    pub error: SettingError,
}

/// How much a problem matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// The user's own settings are wrong.
    Error,
    /// A layer that is ignored anyway is wrong.
    Warning,
}

/// What is wrong with one setting, or with the file it is in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// The file is not TOML.
    #[error("{origin} is not TOML: {message}")]
    Syntax {
        /// The file and line.
        origin: Origin,
        /// What the parser says.
        message: String,
    },
    /// No setting has this key.
    #[error("{origin} has an unknown setting `{key}`")]
    Unknown {
        /// Where the key is.
        origin: Origin,
        /// The key as written, printable and cut.
        key: String,
        /// The known key that is nearest, if one is near.
        nearest: Option<&'static str>,
    },
    /// The setting does not allow this value.
    #[error("{origin} sets `{key}` to {found}, but it must be {allowed}")]
    Refused {
        /// Where the value is.
        origin: Origin,
        key: &'static str,
        /// The value as written, printable and cut.
        found: String,
        allowed: String,
    },
}

impl SettingError {
    /// Returns what the user could do, to be shown after the error.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Unknown { nearest: Some(nearest), .. } => {
                Some(format!("did you mean `{nearest}`?"))
            }
            Self::Unknown { nearest: None, .. } | Self::Syntax { .. } | Self::Refused { .. } => {
                None
            }
        }
    }

    pub(super) fn unknown(origin: Origin, key: &str) -> Self {
        Self::Unknown { origin, nearest: nearest_to(key), key: printable(key) }
    }

    pub(super) fn refused(origin: Origin, setting: &Setting, given: &Given<'_>) -> Self {
        Self::Refused {
            origin,
            key: setting.key(),
            found: shown(given),
            allowed: setting.allowed(),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn => formatter.write_str("built in"),
            Self::User { path, line } | Self::Project { path, line } => {
                write!(formatter, "`{}` line {line}", path.display())
            }
            Self::Environment { variable } => write!(formatter, "the variable `{variable}`"),
            Self::Flag => formatter.write_str("the command line"),
        }
    }
}

/// Returns the known key that was probably meant.
fn nearest_to(key: &str) -> Option<&'static str> {
    // What is far longer than any key is near to none, and comparing it would take its time.
    if key.chars().count() > SHOWN {
        return None;
    }
    let inside = format!("{key}.");
    if let Some(setting) = SETTINGS.iter().find(|setting| setting.key().starts_with(&inside)) {
        return Some(setting.key());
    }
    // A mistake in three letters of fifteen is a slip; in three of four it is another word.
    let farthest = (key.chars().count() / 3).clamp(1, FARTHEST);
    let keys = SETTINGS.iter().map(Setting::key);
    let distances = keys.map(|known| (distance(key, known), known));
    distances.filter(|(distance, _)| *distance <= farthest).min().map(|(_, known)| known)
}

/// Counts the edits to the whole key, or to its last part when that is nearer.
fn distance(key: &str, known: &str) -> usize {
    let last = known.rsplit('.').next().unwrap_or(known);
    strsim::osa_distance(key, known).min(strsim::osa_distance(key, last))
}

fn shown(given: &Given<'_>) -> String {
    match given {
        Given::Text(text) => quoted(text),
        Given::Toml(DeValue::String(text)) => format!("the text {}", quoted(text)),
        Given::Toml(DeValue::Integer(number)) => quoted(&number.to_string()),
        Given::Toml(DeValue::Float(number)) => quoted(&number.to_string()),
        Given::Toml(DeValue::Boolean(truth)) => quoted(&truth.to_string()),
        Given::Toml(DeValue::Datetime(moment)) => quoted(&moment.to_string()),
        Given::Toml(DeValue::Array(_)) => "an array".to_owned(),
        Given::Toml(DeValue::Table(_)) => "a table".to_owned(),
    }
}

fn quoted(text: &str) -> String {
    format!("`{}`", printable(text))
}

/// Escapes what could act on a terminal and cuts what is long.
fn printable(text: &str) -> String {
    let mut kept: String = text.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    if text.chars().count() > SHOWN {
        kept.push('…');
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_key_is_proposed_only_when_it_is_near() {
        let table = [
            ("mail.inbx_limit", Some("mail.inbox_limit")),
            ("mial.inbox_limit", Some("mail.inbox_limit")),
            ("inbox_limit", Some("mail.inbox_limit")),
            ("output.colour", Some("output.color")),
            ("colour", Some("output.color")),
            ("store", Some("store.backups_kept")),
            ("store.backup_hour", Some("store.backup_hours")),
            ("log", None),
            ("x", None),
            ("", None),
            ("editor.theme", None),
        ];
        for (key, expected) in table {
            assert_eq!(nearest_to(key), expected, "{key}");
        }
        assert_eq!(nearest_to(&"mail".repeat(10_000)), None);
    }

    #[test]
    fn text_of_a_file_cannot_act_on_the_terminal() {
        assert_eq!(printable("a\u{1b}[2J\n\u{202e}b"), "a\\u{1b}[2J\\n\\u{202e}b");
        assert_eq!(printable(&"ü".repeat(61)), format!("{}…", "ü".repeat(60)));
    }
}
