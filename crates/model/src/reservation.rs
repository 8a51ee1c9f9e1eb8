//! Reservations of paths, so that two agents do not edit the same files.

use alloc::{boxed::Box, collections::BTreeSet, string::String, vec::Vec};
use core::fmt;

use serde::{Deserialize, Serialize};

use crate::{AgentName, BadName, Moment, ProjectId, ReservationId, Title, limits};

/// A path or glob relative to the project's root: `src/**`, `docs/*.md`, `Cargo.toml`.
///
/// Holding one proves that it stays inside the project: no leading slash, no `..`, no drive letter.
/// `*` and `?` stay within one part of the path, `**` as a part stands for any number of parts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PathPattern(Box<str>);

impl PathPattern {
    /// Parses a pattern; `./` in front and `/` at the end are dropped (`src/` means `src/**`).
    pub fn parse(raw: &str) -> Result<Self, BadName> {
        let bad = || BadName {
            what: "a path pattern",
            rule: "a path inside the project, relative to its root, with `*`, `?` and `**`",
            found: raw.into(),
        };
        let mut text = raw;
        while let Some(rest) = text.strip_prefix("./") {
            text = rest;
        }
        let below = text.ends_with('/');
        let text = text.trim_end_matches('/');
        let clean = !text.is_empty()
            && raw.len() <= limits::PATH_PATTERN_BYTES
            && !raw.starts_with(['/', '-'])
            && !text.contains(['\\', ':'])
            && !text.chars().any(char::is_control)
            && text.split('/').all(|part| !["", ".", ".."].contains(&part));
        match (clean, below) {
            (false, _) => Err(bad()),
            (true, true) => Ok(Self(alloc::format!("{text}/**").into())),
            (true, false) => Ok(Self(text.into())),
        }
    }

    /// Returns the pattern.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Tells whether some path matches both patterns.
    pub fn overlaps(&self, other: &Self) -> bool {
        let left: Vec<&str> = self.0.split('/').collect();
        let right: Vec<&str> = other.0.split('/').collect();
        meet(&left, &right, &|part| *part == "**", &|a, b| {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            meet(&a, &b, &|c| *c == '*', &|a, b| a == b || *a == '?' || *b == '?')
        })
    }
}

/// Tells whether two sequences with wildcards have a common instance.
///
/// `any` marks the element that stands for any number of elements. The search visits each pair of
/// positions once, so hostile patterns cost at most the product of their lengths.
fn meet<T>(
    left: &[T],
    right: &[T],
    any: &dyn Fn(&T) -> bool,
    same: &dyn Fn(&T, &T) -> bool,
) -> bool {
    let mut seen = BTreeSet::new();
    let mut waiting = Vec::from([(0, 0)]);
    while let Some(place) = waiting.pop() {
        if !seen.insert(place) {
            continue;
        }
        let (at, to) = place;
        match (left.get(at), right.get(to)) {
            (None, None) => return true,
            (Some(a), _) if any(a) => {
                waiting.push((at + 1, to));
                if to < right.len() {
                    waiting.push((at, to + 1));
                }
            }
            (_, Some(b)) if any(b) => {
                waiting.push((at, to + 1));
                if at < left.len() {
                    waiting.push((at + 1, to));
                }
            }
            (Some(a), Some(b)) if same(a, b) => waiting.push((at + 1, to + 1)),
            (Some(_) | None, Some(_) | None) => {}
        }
    }
    false
}

impl fmt::Display for PathPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for PathPattern {
    type Error = BadName;

    fn try_from(raw: String) -> Result<Self, BadName> {
        Self::parse(&raw)
    }
}

impl From<PathPattern> for String {
    fn from(pattern: PathPattern) -> Self {
        pattern.0.into()
    }
}

/// A pattern that one agent holds for a while.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reservation {
    /// Its id.
    pub id: ReservationId,
    /// The project.
    pub project: ProjectId,
    /// Who holds it.
    pub agent: AgentName,
    /// What is held.
    pub pattern: PathPattern,
    /// Whether nobody else may hold an overlapping pattern, even shared.
    pub exclusive: bool,
    /// What for.
    pub reason: Option<Title>,
    /// Since when.
    pub since: Moment,
    /// Until when; it lapses by itself.
    pub until: Moment,
}

impl Reservation {
    /// Tells whether this one and `other` cannot both be held.
    pub fn conflicts_with(&self, other: &Self) -> bool {
        self.project == other.project
            && self.agent != other.agent
            && (self.exclusive || other.exclusive)
            && self.pattern.overlaps(&other.pattern)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pattern(raw: &str) -> PathPattern {
        PathPattern::parse(raw).unwrap()
    }

    #[test]
    fn patterns_stay_inside_the_project() {
        for (raw, kept) in [("./src/", "src/**"), ("Cargo.toml", "Cargo.toml"), ("**", "**")] {
            assert_eq!(pattern(raw).as_str(), kept);
        }
        for raw in ["", "/", "/etc/passwd", "../x", "a/../b", "a//b", "-rf", "C:\\x", "a\nb", "."] {
            assert!(PathPattern::parse(raw).is_err(), "{raw:?}");
        }
    }

    #[test]
    fn overlaps() {
        for (a, b, expected) in [
            ("src/**", "src/auth/login.rs", true),
            ("src/*.rs", "src/auth/login.rs", false),
            ("src/**/*.rs", "**/login.*", true),
            ("docs/**", "src/**", false),
            ("a/*/c", "a/b/*", true),
            ("*.rs", "*.toml", false),
            ("ab*", "*ba", true),
            ("?", "ab", false),
            ("**", "anything/at/all", true),
            ("src/**", "src", true),
        ] {
            assert_eq!(pattern(a).overlaps(&pattern(b)), expected, "{a} ~ {b}");
            assert_eq!(pattern(b).overlaps(&pattern(a)), expected, "{b} ~ {a}");
        }
    }

    proptest! {
        /// A pattern made from a path by putting wildcards in always overlaps the path, and two
        /// such patterns of one path overlap each other.
        #[test]
        fn patterns_of_one_path_overlap(
            parts in prop::collection::vec("[ab]{1,3}", 1..5),
            stars in prop::collection::vec(0u8..4, 10),
        ) {
            let loosen = |choices: &[u8]| {
                let parts: Vec<String> = parts
                    .iter()
                    .zip(choices)
                    .map(|(part, choice)| match choice {
                        0 => part.clone(),
                        1 => "*".into(),
                        2 => "**".into(),
                        _ => alloc::format!("{}*", part.chars().next().unwrap()),
                    })
                    .collect();
                pattern(&parts.join("/"))
            };
            let path = pattern(&parts.join("/"));
            let (one, two) = (loosen(&stars[..5]), loosen(&stars[5..]));
            prop_assert!(one.overlaps(&path) && path.overlaps(&one));
            prop_assert!(one.overlaps(&two) && two.overlaps(&one));
        }
    }
}
