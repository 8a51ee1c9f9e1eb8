//! Versions of plugins and skills.

use std::{cmp::Ordering, fmt};

use semver::Version;

/// A version as a plugin or a skill gives it, without a leading `v`.
///
/// Most follow semantic versioning, some are a commit or a word; the text decides what is equal,
/// [`SkillVersion::compare`] what is newer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SkillVersion(Box<str>);

impl SkillVersion {
    /// Longest version, in bytes: a commit in hexadecimal digits takes 40 or 64.
    pub const LONGEST: usize = 64;

    /// Parses letters, digits, `.`, `+`, `_` and `-` that begin with a letter or digit.
    pub fn parse(raw: &str) -> Option<Self> {
        let text = match raw.strip_prefix(['v', 'V']) {
            Some(number) if number.starts_with(|first: char| first.is_ascii_digit()) => number,
            Some(_) | None => raw,
        };
        let fits = text.len() <= Self::LONGEST
            && text.starts_with(|first: char| first.is_ascii_alphanumeric())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".+_-".contains(&byte));
        fits.then(|| Self(text.into()))
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Compares by semantic versioning; what does not follow it is older than all that does.
    pub fn compare(&self, other: &Self) -> Ordering {
        self.numbers().cmp(&other.numbers())
    }

    /// Returns the version by semantic versioning, when it follows it.
    ///
    /// Missing numbers are zero: `1.2` is common and means `1.2.0`.
    pub(crate) fn numbers(&self) -> Option<Version> {
        ["", ".0", ".0.0"].iter().find_map(|end| Version::parse(&format!("{}{end}", self.0)).ok())
    }
}

impl fmt::Display for SkillVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_by_meaning() {
        let rising = ["1", "1.2.0-rc.1", "1.2", "1.2.1", "v1.10.0", "2.0.0"];
        let versions: Vec<_> = rising.iter().filter_map(|raw| SkillVersion::parse(raw)).collect();
        assert_eq!(versions.len(), rising.len());
        for pair in versions.windows(2) {
            assert_eq!(pair[0].compare(&pair[1]), Ordering::Less, "{pair:?}");
        }
        let word = SkillVersion::parse("vendored").unwrap();
        assert_eq!(word.as_str(), "vendored");
        assert_eq!(word.compare(&versions[0]), Ordering::Less);
        assert_eq!(word.compare(&SkillVersion::parse("d34db33f").unwrap()), Ordering::Equal);
    }

    #[test]
    fn versions_have_no_marks_of_a_reference() {
        for raw in ["", "-1", ".1", "1/2", "1@2", "1:2", "1 2", "1\n", &"1".repeat(65)] {
            assert_eq!(SkillVersion::parse(raw), None, "{raw:?}");
        }
    }
}
