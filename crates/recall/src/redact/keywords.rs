//! The keywords of all rules, looked for in one pass.
//!
//! Every keyword is known by its first three bytes, and one bit says for each three bytes whether
//! a keyword begins like that. That table is made in microseconds, where an automaton over the same
//! keywords takes a millisecond: a hook redacts a few kilobytes and is gone.
//!
//! Line breaks and what indents the next line are not seen: a keyword that a terminal wrapped is
//! found like any other.

use std::ops::Range;

/// Bits of a byte that count; they are the same for a capital and its small letter.
const BYTE_BITS: usize = 5;

/// Bytes at the beginning of a keyword that are looked up.
const HEAD_BYTES: usize = 3;

/// How many different heads there are.
const HEADS: usize = 1 << (BYTE_BITS * HEAD_BYTES);

/// The keywords, and whom each of them belongs to.
#[derive(Debug)]
pub(super) struct Keywords {
    /// One bit for each head.
    heads: Box<[u64; HEADS / 64]>,
    /// In the order of their heads.
    words: Vec<Word>,
}

#[derive(Clone, Copy, Debug)]
struct Word {
    head: usize,
    text: &'static [u8],
    owner: usize,
}

/// How far a text was looked through.
#[derive(Clone, Copy, Debug)]
struct Position {
    /// The next byte.
    at: usize,
    /// Where its line begins, behind the indentation.
    line_start: usize,
    /// The last bytes before it.
    head: usize,
}

/// A keyword that was seen.
#[derive(Clone, Debug)]
pub(super) struct Sighting {
    /// Where it stands; a line break may be inside.
    pub(super) keyword: Range<usize>,
    /// Whether a line break is inside.
    pub(super) is_split: bool,
    /// Whom it belongs to.
    pub(super) owner: usize,
}

impl Keywords {
    /// Makes keywords ready; each has at least three bytes and no line break.
    pub(super) fn new(keywords: impl IntoIterator<Item = (&'static str, usize)>) -> Self {
        let mut words: Vec<_> = keywords
            .into_iter()
            .map(|(text, owner)| Word {
                head: head_of(text.as_bytes()),
                text: text.as_bytes(),
                owner,
            })
            .collect();
        words.sort_by_key(|word| word.head);
        let mut heads = Box::new([0; HEADS / 64]);
        for word in &words {
            if let Some(bits) = heads.get_mut(word.head / 64) {
                *bits |= 1 << (word.head % 64);
            }
        }
        Self { heads, words }
    }

    /// Tells every keyword in a text, in the order of their beginnings and whatever their case.
    pub(super) fn look(&self, bytes: &[u8], told: &mut impl FnMut(&Sighting)) {
        let mut position = Position { at: 0, line_start: 0, head: 0 };
        while let Some(next) = self.next_head(bytes, position) {
            self.tell(bytes, next, told);
            position = next;
        }
    }

    /// Goes on to the next byte that ends the head of a keyword.
    // In a function of its own it keeps everything in registers, which halves its time.
    #[inline(never)]
    fn next_head(&self, bytes: &[u8], from: Position) -> Option<Position> {
        let Position { mut at, mut line_start, mut head } = from;
        loop {
            let rest = bytes.get(at..)?;
            let mut line = rest.iter();
            for &byte in line.by_ref() {
                if matches!(byte, b'\n' | b'\r') {
                    break;
                }
                head = next_head(head, byte);
                if self.begins(head) {
                    return Some(Position { at: bytes.len() - line.len(), line_start, head });
                }
            }
            at = bytes.len() - line.len();
            if at == bytes.len() {
                return None;
            }
            at += line.take_while(|byte| is_blank(**byte)).count();
            line_start = at;
        }
    }

    fn begins(&self, head: usize) -> bool {
        self.heads.get(head / 64).is_some_and(|bits| bits >> (head % 64) & 1 == 1)
    }

    /// Tells the keywords that begin with a head.
    fn tell(&self, bytes: &[u8], position: Position, told: &mut impl FnMut(&Sighting)) {
        let Position { at, line_start, head } = position;
        let start = if at < line_start + HEAD_BYTES && line_start > 0 {
            start_before_breaks(bytes, at)
        } else {
            at.saturating_sub(HEAD_BYTES)
        };
        let first = self.words.partition_point(|word| word.head < head);
        for word in self.words.iter().skip(first).take_while(|word| word.head == head) {
            if let Some(end) = end_of(word.text, bytes, start) {
                let is_split = end - start > word.text.len();
                told(&Sighting { keyword: start..end, is_split, owner: word.owner });
            }
        }
    }
}

fn head_of(word: &[u8]) -> usize {
    word.iter().take(HEAD_BYTES).fold(0, |head, byte| next_head(head, *byte))
}

fn next_head(head: usize, byte: u8) -> usize {
    let byte = usize::from(byte) & ((1 << BYTE_BITS) - 1);
    (head << BYTE_BITS | byte) & (HEADS - 1)
}

/// Returns where a head begins that ends before a byte and has line breaks inside.
fn start_before_breaks(bytes: &[u8], end: usize) -> usize {
    let head = bytes.iter().enumerate().take(end).rev();
    let mut seen = head.filter(|(_, byte)| !is_blank(**byte)).map(|(at, _)| at);
    seen.nth(HEAD_BYTES - 1).unwrap_or_default()
}

/// Returns where a keyword ends that begins at a byte; line breaks inside it do not count.
fn end_of(word: &[u8], bytes: &[u8], start: usize) -> Option<usize> {
    let rest = bytes.get(start..)?;
    if rest.get(..word.len()).is_some_and(|text| text.eq_ignore_ascii_case(word)) {
        return Some(start + word.len());
    }
    let mut at = start;
    for (index, expected) in word.iter().enumerate() {
        if index > 0 && matches!(bytes.get(at), Some(b'\n' | b'\r')) {
            at += bytes.get(at..)?.iter().take_while(|byte| is_blank(**byte)).count();
        }
        if !bytes.get(at)?.eq_ignore_ascii_case(expected) {
            return None;
        }
        at += 1;
    }
    Some(at)
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r' | b' ' | b'\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_seen_in_any_case_and_over_line_breaks() {
        let keywords =
            Keywords::new([("ghp_", 0), ("token", 1), ("key", 2), ("hp_k", 3), ("keys", 4)]);
        let seen = |text: &str| {
            let mut seen = Vec::new();
            keywords.look(text.as_bytes(), &mut |one: &Sighting| {
                seen.push((one.owner, one.keyword.clone(), one.is_split));
            });
            seen
        };
        assert_eq!(seen("a TOKEN"), [(1, 2..7, false)]);
        assert_eq!(seen("gh\r\n   p_Key"), [(0, 0..9, true), (3, 1..10, true), (2, 9..12, false)]);
        assert_eq!(seen("ghp_\n  key"), [(0, 0..4, false), (3, 1..8, true), (2, 7..10, false)]);
        assert_eq!(
            seen("to\n k\ne\nn keys"),
            [(1, 0..9, true), (2, 10..13, false), (4, 10..14, false)]
        );
        assert_eq!(seen("tok en"), []);
        assert_eq!(seen("\n\nkey"), [(2, 2..5, false)]);
        assert_eq!(seen("ke"), []);
    }
}
