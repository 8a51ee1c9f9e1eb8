//! The rules made ready: the table of their keywords, and patterns that are compiled when they are
//! tried for the first time.

use std::{ops::Range, sync::OnceLock};

use regex::bytes::Regex;

use super::{
    keywords::{Keywords, Sighting},
    marker, pattern,
    place::Place,
    rule::{Beside, Judge, Length, Look, Rule, rules},
    span::Spans,
    unhidden::{ESCAPES, Escapes},
    value,
    wrapped::{self, Sign},
};

/// Longest token on one line, in bytes: that of a session in a cloud has about two thousand.
const TOKEN_BYTES: usize = 8 * 1024;

/// All rules, ready to be tried.
#[derive(Debug)]
pub(super) struct Probes {
    keywords: Keywords,
    probes: Vec<Probe>,
}

/// A rule with its pattern.
#[derive(Debug)]
struct Probe {
    rule: &'static Rule,
    compiled: OnceLock<Option<Regex>>,
}

impl Probes {
    /// Makes all rules ready.
    pub(super) fn new() -> Self {
        let probes: Vec<_> =
            rules().map(|rule| Probe { rule, compiled: OnceLock::new() }).collect();
        let owned = probes.iter().enumerate().flat_map(|(owner, probe)| {
            probe.rule.keywords.iter().map(move |keyword| (*keyword, owner))
        });
        // The owners behind all rules are none: the beginning of a marker, and then what escapes.
        let others = std::iter::once((marker::OPENING, probes.len()))
            .chain(ESCAPES.map(|escape| (escape, probes.len() + 1)));
        let keywords = Keywords::new(owned.chain(others));
        Self { keywords, probes }
    }

    /// Adds all secrets of a text, and returns whether something in it is written as an escape.
    pub(super) fn look(&self, bytes: &[u8], spans: &mut Spans) -> Escapes {
        let mut escapes = Escapes::None;
        self.keywords.look(bytes, &mut |seen: &Sighting| match self.probes.get(seen.owner) {
            Some(_) if spans.is_known(seen.keyword.start, seen.owner) => {}
            Some(probe) => probe.look(bytes, seen, spans),
            None if seen.owner > self.probes.len() => escapes = Escapes::Written,
            None => {
                if let Some(marker) = marker::at(bytes, seen.keyword.start) {
                    spans.pass_marker(marker.end);
                }
            }
        });
        escapes
    }
}

/// What came of trying a token.
enum Tried {
    Secret(Range<usize>),
    /// It has the shape of one, and is filled with something else.
    Refused(Range<usize>),
    /// It has another shape.
    Nothing,
}

impl Probe {
    fn look(&self, bytes: &[u8], seen: &Sighting, spans: &mut Spans) {
        let rank = seen.owner;
        let floor = spans.floor(seen.keyword.start);
        let place = Place::new(bytes, seen.keyword.clone(), floor);
        match self.rule.look {
            Look::Token { before, run, length, judge, .. } => {
                if before.allows(&place) {
                    match self.token(&place, run, length, judge) {
                        Tried::Secret(found) => spans.add(found, self.rule.id, rank),
                        Tried::Refused(found) => spans.refuse(&found, rank),
                        Tried::Nothing => {}
                    }
                }
            }
            // Only a token is worth being put together from two lines.
            Look::Around { .. } | Look::Read(_) if seen.is_split => {}
            Look::Around { before, behind, run, beside, judge, .. } => {
                let Range { start, end } = place.keyword;
                let from = start.saturating_sub(before).max(place.floor).max(spans.searched(rank));
                let to = (end + behind).min(bytes.len());
                if place.has_run(from..to, run) {
                    let accepts = |found: &Range<usize>| {
                        beside.allows(&place, found) && judge.is_secret(&place, found)
                    };
                    let to = marker::first(bytes, end.min(to)..to);
                    self.around(bytes, from..to, |found| {
                        if accepts(&found) {
                            spans.add(found, self.rule.id, rank);
                        } else {
                            spans.search(found.end, rank);
                        }
                    });
                }
            }
            Look::Read(read) => {
                if let Some(found) = read(&place) {
                    spans.add(found, self.rule.id, rank);
                }
            }
        }
    }

    /// Tries the token that begins with the keyword, on its line or over several.
    fn token(&self, place: &Place<'_>, run: usize, length: Length, judge: Judge) -> Tried {
        let start = place.keyword.start;
        if place.run(start, run) >= run
            && let Some(pattern) = self.compiled()
            && let Some(found) = secret(pattern, place.part(start..start + TOKEN_BYTES))
        {
            let found = start + found.start..start + found.end;
            if !length.fits(place, &found) || !judge.is_secret(place, &found) {
                return Tried::Refused(found);
            }
            return Tried::Secret(length.whole(place, found));
        }
        if !wrapped::is_interrupted(place, start) {
            return Tried::Nothing;
        }
        let found = [Sign::OfADiff, Sign::OfTheToken]
            .into_iter()
            .find_map(|sign| self.wrapped_token(place, run, judge, sign));
        found.map_or(Tried::Nothing, |found| Tried::Secret(length.whole(place, found)))
    }

    fn wrapped_token(
        &self,
        place: &Place<'_>,
        run: usize,
        judge: Judge,
        sign: Sign,
    ) -> Option<Range<usize>> {
        let token = wrapped::unwrap(place, place.keyword.start, sign)?;
        if token.bytes.len() < run {
            return None;
        }
        let found = secret(self.compiled()?, &token.bytes)?;
        let is_secret = token.is_joined(found.end)
            && token.bytes.get(found.clone()).is_some_and(|text| judge.accepts(text));
        is_secret.then(|| token.in_text(&found))
    }

    /// Tells all matches in a part of the text.
    fn around(&self, bytes: &[u8], within: Range<usize>, mut told: impl FnMut(Range<usize>)) {
        let Some(pattern) = self.compiled() else { return };
        let mut at = within.start;
        while let Some(rest) = bytes.get(at..within.end)
            && let Some(found) = secret(pattern, rest)
        {
            let found = at + found.start..at + found.end;
            at = found.end.max(at + 1);
            told(found);
        }
    }

    /// Returns the compiled pattern; that each of them compiles is tested.
    fn compiled(&self) -> Option<&Regex> {
        let compile = || match self.rule.look {
            Look::Token { pattern, .. } => pattern::compile_anchored(pattern),
            Look::Around { pattern, .. } => pattern::compile(pattern),
            Look::Read(_) => None,
        };
        self.compiled.get_or_init(compile).as_ref()
    }
}

/// Returns the first secret in some bytes: the first group of the pattern, or all of it.
fn secret(pattern: &Regex, bytes: &[u8]) -> Option<Range<usize>> {
    if pattern.captures_len() == 1 {
        return pattern.find(bytes).map(|found| found.range());
    }
    let groups = pattern.captures(bytes)?;
    groups.iter().skip(1).flatten().next().map(|group| group.range())
}

impl Beside {
    fn allows(self, place: &Place<'_>, found: &Range<usize>) -> bool {
        match self {
            Self::Anything => true,
            Self::Nothing => {
                let before = place.byte_before(found.start);
                !before.is_some_and(|byte| byte != b'=' && is_part(byte))
                    && Length::Exact.fits(place, found)
            }
        }
    }
}

impl Length {
    fn fits(self, place: &Place<'_>, found: &Range<usize>) -> bool {
        match self {
            Self::Fixed | Self::Open => true,
            // What a marker stands for was part of it, as far as anybody knows.
            Self::Exact => {
                !place.byte(found.end).is_some_and(is_part)
                    && !marker::follows(place.bytes(), found.end)
            }
        }
    }

    /// Returns all of a secret whose beginning has its shape.
    fn whole(self, place: &Place<'_>, found: Range<usize>) -> Range<usize> {
        match self {
            Self::Open => found.start..wrapped::extend(place, &found),
            Self::Fixed | Self::Exact => found,
        }
    }
}

/// Tells whether a byte beside a secret could be part of it.
fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'+' | b'=' | b'_' | b'-')
}

impl Judge {
    fn is_secret(self, place: &Place<'_>, found: &Range<usize>) -> bool {
        let is_cut = self != Self::Shape && marker::follows(place.bytes(), found.end);
        !is_cut && self.accepts(place.part(found.clone()))
    }

    fn accepts(self, token: &[u8]) -> bool {
        match self {
            Self::Shape => !value::is_filling(token),
            Self::Random(bits) => !value::is_placeholder(token) && value::is_random(token, bits),
            Self::Mixed(bits) => {
                token.iter().any(u8::is_ascii_uppercase)
                    && token.iter().any(u8::is_ascii_lowercase)
                    && token.iter().any(u8::is_ascii_digit)
                    && value::bits(token) >= bits
            }
        }
    }
}
