//! The parts of a named reference and the marks between them.

use std::fmt;

use pacenote_model::SkillKey;

use super::refusal::Rule;
use crate::{key::derive_key, spelling::lower_case};

/// The name of a plugin, folded so that spellings which differ only by case or normalisation are
/// one plugin.
///
/// Other than a skill's key it keeps `.`, `_` and `-` apart: plugins are published by different
/// people, and one must not answer for another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PluginName(Box<str>);

impl PluginName {
    /// Longest plugin name, in bytes: that of a skill's key.
    pub const LONGEST: usize = SkillKey::LONGEST;

    /// Parses letters, digits, `.`, `_` and `-` that begin with a letter, a digit or `_`.
    ///
    /// A single letter is refused: with its colon it could not be told from a drive.
    pub fn parse(raw: &str) -> Option<Self> {
        if raw.len() > Self::LONGEST {
            return None;
        }
        let folded = lower_case(raw);
        let fits = (2..=Self::LONGEST).contains(&folded.len())
            && folded.starts_with(|first: char| first.is_alphanumeric() || first == '_')
            && folded.chars().all(|one| one.is_alphanumeric() || "._-".contains(one));
        fits.then(|| Self(folded.into()))
    }

    /// Returns the folded text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PluginName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Returns the key of a name as it was found.
pub(super) fn key_of(name: &str) -> Result<SkillKey, Rule> {
    let name = name.trim();
    if name.starts_with('-') {
        return Err(Rule::Option);
    }
    if !name.chars().any(char::is_alphanumeric) {
        return Err(Rule::NoLetter);
    }
    Ok(derive_key(name))
}

/// Splits at the first mark that separates.
///
/// A mark beside white space belongs to a name as it was found: `Code Review: Rust`, `CI / CD`.
pub(super) fn split_first(text: &str, mark: char) -> Option<(&str, &str)> {
    text.match_indices(mark).find_map(|(at, _)| split_at_mark(text, at, mark))
}

/// Splits at the last mark that separates.
pub(super) fn split_last(text: &str, mark: char) -> Option<(&str, &str)> {
    text.rmatch_indices(mark).find_map(|(at, _)| split_at_mark(text, at, mark))
}

fn split_at_mark(text: &str, at: usize, mark: char) -> Option<(&str, &str)> {
    let (before, rest) = text.split_at_checked(at)?;
    let after = rest.strip_prefix(mark)?;
    let in_a_name = before.ends_with(char::is_whitespace) || after.starts_with(char::is_whitespace);
    (!in_a_name).then_some((before, after))
}
