//! Reservations of paths, so that two agents do not edit the same files.

use alloc::{boxed::Box, string::String, vec::Vec};
use core::fmt;

use serde::{Deserialize, Serialize};

use crate::{AgentName, BadName, Moment, ProjectId, ReservationId, Title, limits};

/// How many characters are compared between two looks at the outcome: a few registers full, so that
/// the looking costs little.
const LANES: usize = 64;

/// What a pattern may be.
const INSIDE: &str = "a path inside the project, relative to its root, with `*`, `?` and `**`";

/// How large a pattern may be, in the words of [`limits`].
const SMALL: &str = "at most 512 bytes, in 32 parts of 255, with 10 wildcards";

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
        let bad = |rule| BadName { what: "a path pattern", rule, found: raw.into() };
        if raw.len() > limits::PATH_PATTERN_BYTES {
            return Err(bad(SMALL));
        }
        let mut text = raw;
        while let Some(rest) = text.strip_prefix("./") {
            text = rest;
        }
        let below = if text.ends_with('/') { "/**" } else { "" };
        let text = text.trim_end_matches('/');
        let is_inside = !text.is_empty()
            && !raw.starts_with(['/', '-'])
            && !text.contains(['\\', ':'])
            && !text.chars().any(char::is_control)
            && text.split('/').all(|part| !["", ".", ".."].contains(&part));
        if !is_inside {
            return Err(bad(INSIDE));
        }
        // What is kept is measured, for it is read again when it comes out of the store.
        let kept = alloc::format!("{text}{below}");
        let is_small = kept.len() <= limits::PATH_PATTERN_BYTES
            && kept.split('/').count() <= limits::PATH_PATTERN_PARTS
            && kept.split('/').all(|part| part.len() <= limits::PATH_PATTERN_PART_BYTES)
            && wildcards(&kept) <= limits::PATH_PATTERN_WILDCARDS;
        if is_small { Ok(Self(kept.into())) } else { Err(bad(SMALL)) }
    }

    /// Returns the pattern.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Tells whether some path matches both patterns.
    pub fn overlaps(&self, other: &Self) -> bool {
        if self.0.is_ascii() && other.0.is_ascii() {
            paths_meet(self.0.as_bytes(), other.0.as_bytes())
        } else {
            let characters = |pattern: &Self| pattern.0.chars().collect::<Vec<char>>();
            paths_meet(&characters(self), &characters(other))
        }
    }
}

/// Counts wildcards; stars in a row are one.
fn wildcards(text: &str) -> usize {
    let mut before = ' ';
    let mut count = 0;
    for character in text.chars() {
        count += usize::from(character == '?' || (character == '*' && before != '*'));
        before = character;
    }
    count
}

/// Tells whether two patterns, given as their characters or ASCII bytes, have a common instance.
fn paths_meet<C: Copy + PartialEq + From<u8>>(left: &[C], right: &[C]) -> bool {
    let is_slash = |c: &C| *c == C::from(b'/');
    let left: Vec<&[C]> = left.split(is_slash).collect();
    let right: Vec<&[C]> = right.split(is_slash).collect();
    let is_any_parts = |part: &&[C]| **part == [C::from(b'*'); 2];
    meet(&left, &right, &is_any_parts, &|left, right| {
        left.iter().zip(right).all(|(left, right)| names_meet(left, right))
    })
}

fn names_meet<C: Copy + PartialEq + From<u8>>(left: &[C], right: &[C]) -> bool {
    let is_any_characters = |c: &C| *c == C::from(b'*');
    left == right || meet(left, right, &is_any_characters, &characters_alike)
}

/// Compares characters, as many at once as the machine can.
///
/// A name of one repeated letter agrees almost to the end wherever another of its kind is laid, so
/// this is where the time goes for patterns that were made to be slow.
#[expect(clippy::needless_bitwise_bool, reason = "without branches, all lanes are done at once")]
fn characters_alike<C: Copy + PartialEq + From<u8>>(left: &[C], right: &[C]) -> bool {
    let wild = C::from(b'?');
    let same = |alike, (a, b): (&C, &C)| alike & ((a == b) | (*a == wild) | (*b == wild));
    let length = left.len().min(right.len());
    let (Some(left), Some(right)) = (left.get(..length), right.get(..length)) else { return false };
    let (left, left_rest) = left.as_chunks::<LANES>();
    let (right, right_rest) = right.as_chunks::<LANES>();
    left.iter().zip(right).all(|(left, right)| left.iter().zip(right).fold(true, same))
        && left_rest.iter().zip(right_rest).fold(true, same)
}

/// Tells whether two sequences have a common instance.
///
/// `any` marks the elements that stand for any number of elements, and `alike` compares sequences
/// without such elements as far as the shorter one goes.
fn meet<T>(
    left: &[T],
    right: &[T],
    any: &impl Fn(&T) -> bool,
    alike: &impl Fn(&[T], &[T]) -> bool,
) -> bool {
    match (left.iter().any(any), right.iter().any(any)) {
        (false, false) => left.len() == right.len() && alike(left, right),
        (true, false) => fits(left, right, any, alike),
        (false, true) => fits(right, left, any, alike),
        // Only what stands before the first and behind the last `any` matters: that of each takes
        // whatever lies between the ends of the other.
        (true, true) => {
            let (mut left, mut right) = (left.split(any), right.split(any));
            let starts = (left.next().unwrap_or_default(), right.next().unwrap_or_default());
            let ends =
                (left.next_back().unwrap_or_default(), right.next_back().unwrap_or_default());
            alike(starts.0, starts.1) && alike(last(ends.0, ends.1), last(ends.1, ends.0))
        }
    }
}

/// Returns the end of a sequence that lies over another of perhaps smaller length.
fn last<'a, T>(sequence: &'a [T], over: &[T]) -> &'a [T] {
    sequence.get(sequence.len().saturating_sub(over.len())..).unwrap_or_default()
}

/// Tells whether a sequence with an `any` has `fixed`, a sequence without, for an instance.
///
/// Each piece between two `any` is put as far to the front as it goes, which leaves the most room
/// for those behind it.
fn fits<T>(
    pattern: &[T],
    fixed: &[T],
    any: &impl Fn(&T) -> bool,
    alike: &impl Fn(&[T], &[T]) -> bool,
) -> bool {
    let mut pieces = pattern.split(any);
    let start = pieces.next().unwrap_or_default();
    let end = pieces.next_back().unwrap_or_default();
    let Some(room) = fixed.len().checked_sub(end.len()) else { return false };
    let Some((front, back)) = fixed.split_at_checked(room) else { return false };
    let Some((front, mut rest)) = front.split_at_checked(start.len()) else { return false };
    alike(front, start)
        && alike(back, end)
        && pieces.filter(|piece| !piece.is_empty()).all(|piece| {
            let found = rest.windows(piece.len()).position(|here| alike(here, piece));
            let behind = found.and_then(|at| rest.get(at + piece.len()..));
            rest = behind.unwrap_or_default();
            behind.is_some()
        })
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
    pub id: ReservationId,
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

/// A change of a reservation of paths.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ReservationEffect {
    /// A path pattern is reserved. Refused when it conflicts; renewed when the same agent holds it.
    Made { reservation: Reservation },
    /// A reservation is given back before its time.
    Released { reservation: ReservationId },
}

impl ReservationEffect {
    /// Returns the word under which the effect stands in the journal.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Made { .. } => "made",
            Self::Released { .. } => "released",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

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

    #[test]
    fn patterns_have_their_limits() {
        let (bytes, parts) = (limits::PATH_PATTERN_BYTES, limits::PATH_PATTERN_PARTS);
        let (part, wild) = (limits::PATH_PATTERN_PART_BYTES, limits::PATH_PATTERN_WILDCARDS);
        let deep = |parts: usize| std::vec!["a"; parts].join("/");
        let long = |bytes: usize| alloc::format!("a/{}", "b".repeat(bytes));
        let wide = |bytes: usize| long(250) + "/" + &"c".repeat(bytes - 253);
        let starred = |count: usize| "a*".repeat(count);
        for (fits, too_large) in [
            (deep(parts), deep(parts + 1)),
            (deep(parts - 1) + "/", deep(parts) + "/"),
            (long(part), long(part + 1)),
            (wide(508), long(250) + "/" + &wide(260)),
            (starred(wild), starred(wild + 1)),
            (starred(wild - 1) + "/", starred(wild) + "/"),
        ] {
            let kept = pattern(&fits);
            assert_eq!(PathPattern::parse(kept.as_str()), Ok(kept), "{fits}");
            assert_eq!(PathPattern::parse(&too_large).unwrap_err().rule, SMALL, "{too_large}");
        }
        let said = alloc::format!(
            "at most {bytes} bytes, in {parts} parts of {part}, with {wild} wildcards"
        );
        assert_eq!(SMALL, said);
        for (raw, count) in [("src/**/*.rs", 2), ("a**b?", 2), ("??", 2), ("plain", 0)] {
            assert_eq!(wildcards(raw), count, "{raw}");
        }
    }

    /// Searches all pairs of positions, as slow as it is plain.
    fn meet_by_search(left: &[&str], right: &[&str]) -> bool {
        fn search<T>(
            left: &[T],
            right: &[T],
            any: &dyn Fn(&T) -> bool,
            same: &dyn Fn(&T, &T) -> bool,
        ) -> bool {
            match (left.split_first(), right.split_first()) {
                (None, None) => true,
                (Some((a, rest)), _) if any(a) => {
                    let longer = !right.is_empty() && search(left, &right[1..], any, same);
                    longer || search(rest, right, any, same)
                }
                (_, Some((b, _))) if any(b) => search(right, left, any, same),
                (Some((a, left)), Some((b, right))) => same(a, b) && search(left, right, any, same),
                (Some(_), None) | (None, Some(_)) => false,
            }
        }
        search(left, right, &|part| *part == "**", &|a, b| {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            search(&a, &b, &|c| *c == '*', &|a, b| a == b || *a == '?' || *b == '?')
        })
    }

    #[test]
    fn hostile_patterns_are_compared_in_no_time() {
        let a = |count: usize| "a".repeat(count);
        let hostile = [
            "a*".repeat(10) + &a(230),
            alloc::format!("*{}b*", a(240)),
            alloc::format!("{}/{}b", a(254), a(254)),
            alloc::format!("**/*{}?b*/*{0}?b*", a(110)),
            alloc::format!("**/{}", std::vec!["*aaaaab*"; 4].join("/")),
            alloc::format!("{}/*b", std::vec!["aaaaaaaaaaaab"; 31].join("/")),
            std::vec!["aaaaaaaaaaaaab"; 32].join("/"),
        ];
        let hostile: Vec<PathPattern> = hostile.iter().map(|raw| pattern(raw)).collect();
        // As many as one request may want, against many that are held: milliseconds in a release
        // build, where a search of all pairs of positions takes minutes.
        let wanted = hostile.iter().cycle().take(limits::RESERVATION_PATTERNS);
        let held = hostile.iter().cycle().take(200);
        let began = Instant::now();
        let met: usize = wanted.map(|one| held.clone().filter(|it| one.overlaps(it)).count()).sum();
        assert!(met > 0 && began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    }

    proptest! {
        #[test]
        fn patterns_overlap_when_a_search_finds_a_path(
            left in "[ab*?é]{1,5}(/([ab*?]{1,3}|\\*\\*)){0,4}",
            right in "[ab*?]{1,5}(/([ab*?é]{1,3}|\\*\\*)){0,4}",
        ) {
            let (Ok(one), Ok(two)) = (PathPattern::parse(&left), PathPattern::parse(&right)) else {
                return Ok(());
            };
            let (left, right): (Vec<&str>, Vec<&str>) =
                (left.split('/').collect(), right.split('/').collect());
            let expected = meet_by_search(&left, &right);
            prop_assert_eq!((one.overlaps(&two), two.overlaps(&one)), (expected, expected));
        }

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
