//! A keyword in its text, and how far from it a rule may look.

use std::ops::Range;

/// Farthest before a keyword that anything is looked at.
pub(super) const BEFORE: usize = 256;

/// Farthest behind a keyword that a secret begins.
pub(super) const AHEAD: usize = 256;

/// Farthest behind a keyword that anything is looked at: a private key of 16,384 bits has 13,000
/// bytes, and exported key rings somewhat more.
pub(super) const BEHIND: usize = 32 * 1024;

/// A keyword in its text.
#[derive(Clone, Debug)]
pub(super) struct Place<'t> {
    bytes: &'t [u8],
    /// Where the keyword stands.
    pub(super) keyword: Range<usize>,
    /// What stands before this is a secret itself, or too far away.
    pub(super) floor: usize,
}

impl<'t> Place<'t> {
    /// Describes a keyword; nothing before `floor` is looked at.
    pub(super) fn new(bytes: &'t [u8], keyword: Range<usize>, floor: usize) -> Self {
        let end = keyword.end.saturating_add(BEHIND).min(bytes.len());
        let floor = floor.max(keyword.start.saturating_sub(BEFORE)).min(keyword.start);
        Self { bytes: bytes.get(..end).unwrap_or(bytes), keyword, floor }
    }

    /// Returns the text, up to the last byte that may be looked at.
    pub(super) fn bytes(&self) -> &'t [u8] {
        self.bytes
    }

    /// Returns a byte of the text.
    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    /// Returns the byte before another one, unless it will be gone.
    pub(super) fn byte_before(&self, at: usize) -> Option<u8> {
        if at <= self.floor { None } else { self.byte(at - 1) }
    }

    /// Returns a part of the text, empty where there is none.
    pub(super) fn part(&self, range: Range<usize>) -> &'t [u8] {
        self.bytes.get(range.start..range.end.min(self.bytes.len())).unwrap_or_default()
    }

    /// Tells whether a text continues like this at a byte.
    pub(super) fn has(&self, at: usize, text: &[u8]) -> bool {
        self.bytes.get(at..).is_some_and(|rest| rest.starts_with(text))
    }

    /// Returns the first byte from `at` on, within `most` bytes, that is of another kind.
    pub(super) fn skip(&self, at: usize, most: usize, kind: impl Fn(u8) -> bool) -> usize {
        let part = self.part(at..at.saturating_add(most));
        at + part.iter().position(|byte| !kind(*byte)).unwrap_or(part.len())
    }

    /// Returns where the run of bytes of a kind begins that ends at `at`, within `most` bytes.
    pub(super) fn skip_back(&self, at: usize, most: usize, kind: impl Fn(u8) -> bool) -> usize {
        let from = at.saturating_sub(most).max(self.floor).min(at);
        let part = self.part(from..at);
        from + part.iter().rposition(|byte| !kind(*byte)).map_or(0, |last| last + 1)
    }

    /// Returns how many bytes without a blank there are from `at` on, counting up to `most`.
    pub(super) fn run(&self, at: usize, most: usize) -> usize {
        self.skip(at, most, |byte| byte > b' ') - at
    }

    /// Tells whether a part of the text has so many bytes in a row without a blank.
    pub(super) fn has_run(&self, within: Range<usize>, least: usize) -> bool {
        let mut at = within.start;
        // Such a run covers one of the bytes that are looked at first.
        while at + least <= within.end.min(self.bytes.len()) {
            let from = self.skip_back_within(at + least, at);
            if from == at {
                return true;
            }
            at = from;
        }
        false
    }

    /// Returns where the bytes without a blank begin that end at `at`, not before `from`.
    fn skip_back_within(&self, at: usize, from: usize) -> usize {
        let part = self.part(from..at);
        from + part.iter().rposition(|byte| *byte <= b' ').map_or(0, |last| last + 1)
    }
}
