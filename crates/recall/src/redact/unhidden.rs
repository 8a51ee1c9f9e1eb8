//! A text as it is seen: without invisible characters and colour codes, and with the two signs that
//! tokens are full of decoded, `_` and `-`.
//!
//! A token with a zero-width space in it is shown, copied and used like the token, but has its shape
//! only here. Where each byte came from is remembered, so that what is found here is taken out of
//! the text with everything that was hidden in it.

use std::ops::Range;

use pacenote_model::text::is_hidden;

/// Bytes that are tested at once for something unusual, in registers.
const CHUNK: usize = 64;

/// Longest colour code: `ESC[38;2;255;255;255;48;2;255;255;255m` has 37 bytes.
const COLOUR_BYTES: usize = 64;

/// Longest command to a terminal that ends with a sign of its own, such as a link.
const COMMAND_BYTES: usize = 2048;

/// Most backslashes before an escape: each time that a text is escaped, their number is doubled.
const BACKSLASHES: usize = 8;

/// Longest number in braces: the six digits of the last character, and the brace that closes them.
const BRACED_BYTES: usize = 7;

/// Written escapes after which a text is worth looking at as it is seen, in lower case.
///
/// A keyword has three bytes, so `\_` of Markdown comes with the letters that stand before the first
/// `_` of a token.
pub(super) const ESCAPES: [&str; 37] = [
    "%5f", "%2d", r"\u005f", r"\u002d", r"\x5f", r"\x2d", r"\u001b[", r"\x1b[", r"\033[", r"\e[",
    r"\u00ad", r"\u034f", r"\u061c", r"\u180e", r"\u200", r"\u202", r"\u206", r"\ufe0", r"\ufeff",
    r"\u{", r"\\_", r"a\_", r"b\_", r"c\_", r"d\_", r"e\_", r"f\_", r"i\_", r"k\_", r"m\_", r"n\_",
    r"o\_", r"p\_", r"r\_", r"s\_", r"t\_", r"u\_",
];

/// How an escape character is written where it cannot stand itself.
const WRITTEN_ESCAPES: [&[u8]; 8] =
    [br"\u{1b}", br"\u{1B}", br"\u001b", br"\u001B", br"\x1b", br"\x1B", br"\033", br"\e"];

/// A text as it is seen.
#[derive(Debug)]
pub(super) struct Unhidden {
    /// What is seen.
    pub(super) text: String,
    /// Where it came from, in order.
    joints: Vec<Joint>,
}

/// A place from which on what is seen lies side by side in the text too.
#[derive(Clone, Copy, Debug)]
struct Joint {
    /// The byte of what is seen.
    seen: usize,
    /// The byte of the text.
    at: usize,
    /// How many bytes of the text stand for that one.
    width: usize,
}

/// Something in a text that is not seen as it stands there.
struct Hidden {
    bytes: usize,
    seen_as: Option<char>,
}

/// Which written escapes are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Escapes {
    /// None: the text has none of [`ESCAPES`].
    None,
    /// All of them.
    Written,
}

impl Unhidden {
    /// Returns a text as it is seen; `None` when that is the text itself.
    pub(super) fn of(text: &str, escapes: Escapes) -> Option<Self> {
        let mut unhidden = Self { text: String::new(), joints: Vec::new() };
        let mut copied = 0;
        let mut at = 0;
        while let Some(next) = next_suspect(text.as_bytes(), at, escapes) {
            let rest = text.get(next..)?;
            let Some(hidden) = hidden_at(rest) else {
                at = next + rest.chars().next().map_or(1, char::len_utf8);
                continue;
            };
            unhidden.copy(text, copied..next);
            if let Some(character) = hidden.seen_as {
                unhidden.join(next, hidden.bytes);
                unhidden.text.push(character);
            }
            at = next + hidden.bytes;
            copied = at;
        }
        if copied == 0 {
            return None;
        }
        unhidden.copy(text, copied..text.len());
        Some(unhidden)
    }

    /// Returns where in the text a part of what is seen stands.
    pub(super) fn in_text(&self, seen: &Range<usize>) -> Range<usize> {
        let start = self.byte_in_text(seen.start).0;
        let (last, width) = self.byte_in_text(seen.end.saturating_sub(1));
        start..(last + width).max(start)
    }

    /// Returns where the byte of the text is that is seen as this one, and how many stand for it.
    fn byte_in_text(&self, seen: usize) -> (usize, usize) {
        let next = self.joints.partition_point(|joint| joint.seen <= seen);
        match next.checked_sub(1).and_then(|last| self.joints.get(last)) {
            Some(joint) if joint.seen == seen => (joint.at, joint.width),
            Some(joint) => (joint.at + (seen - joint.seen), 1),
            None => (seen, 1),
        }
    }

    fn copy(&mut self, text: &str, part: Range<usize>) {
        if !part.is_empty() {
            self.join(part.start, 1);
            self.text.push_str(text.get(part).unwrap_or_default());
        }
    }

    fn join(&mut self, at: usize, width: usize) {
        self.joints.push(Joint { seen: self.text.len(), at, width });
    }
}

/// Returns the next byte from `from` on at which something hidden could begin.
fn next_suspect(bytes: &[u8], from: usize, escapes: Escapes) -> Option<usize> {
    let mut start = from;
    for chunk in bytes.get(from..)?.chunks(CHUNK) {
        if escapes == Escapes::Written || has_unusual(chunk) {
            let suspects = (start..).zip(chunk).filter(|(_, byte)| is_suspect(**byte));
            let mut suspects = suspects.map(|(at, _)| at);
            if let Some(at) = suspects.find(|at| begins_hidden(bytes, *at, escapes)) {
                return Some(at);
            }
        }
        start += chunk.len();
    }
    None
}

/// Reports whether a byte is there that is neither a sign of ASCII nor a blank.
fn has_unusual(chunk: &[u8]) -> bool {
    let is_unusual = |byte: &&u8| !matches!(byte, b' '..=b'~' | b'\t'..=b'\r');
    // Counting compares all bytes of a chunk at once, where looking for the first goes one by one.
    chunk.iter().filter(is_unusual).count() > 0
}

/// Reports whether something hidden could begin with a byte.
const fn is_suspect(byte: u8) -> bool {
    matches!(byte, 0..=0x08 | 0x0e..=0x1f | 0x7f | b'%' | b'\\')
        || matches!(byte, 0xc2 | 0xcd | 0xd8 | 0xe1..=0xe3 | 0xef | 0xf0 | 0xf3)
}

/// Reports whether something hidden could begin with a suspect byte and the one behind it.
fn begins_hidden(bytes: &[u8], at: usize, escapes: Escapes) -> bool {
    match (bytes.get(at), bytes.get(at + 1)) {
        (Some(b'%' | b'\\'), _) => escapes == Escapes::Written,
        (Some(0xc2), Some(second)) => matches!(second, 0x80..=0x9f | 0xad),
        (Some(0xcd), Some(second)) => *second == 0x8f,
        (Some(0xd8), Some(second)) => *second == 0x9c,
        (Some(0xe1), Some(second)) => matches!(second, 0x85 | 0x9e | 0xa0),
        (Some(0xe2), Some(second)) => matches!(second, 0x80 | 0x81),
        (Some(0xe3), Some(second)) => *second == 0x85,
        (Some(0xef), Some(second)) => matches!(second, 0xb8 | 0xbb | 0xbe | 0xbf),
        (Some(0xf0), Some(second)) => matches!(second, 0x93 | 0x9b | 0x9d),
        (Some(_), _) => true,
        (None, _) => false,
    }
}

/// Returns what is hidden at the beginning of a text.
fn hidden_at(rest: &str) -> Option<Hidden> {
    let bytes = rest.as_bytes();
    let dropped = |bytes| Some(Hidden { bytes, seen_as: None });
    match rest.chars().next()? {
        '%' => decoded(bytes.get(1..3)?, 3),
        '\\' => {
            let backslashes = bytes.iter().take(BACKSLASHES).take_while(|byte| **byte == b'\\');
            if let Some(more @ 1..) = backslashes.count().checked_sub(1) {
                let hidden = hidden_at(rest.get(more..)?)?;
                return Some(Hidden { bytes: more + hidden.bytes, ..hidden });
            }
            for escape in WRITTEN_ESCAPES {
                if let Some(behind) = bytes.strip_prefix(escape) {
                    // Without a colour code behind it, it is a text about escapes.
                    return colour_bytes(behind).and_then(|length| dropped(escape.len() + length));
                }
            }
            match bytes.get(1)? {
                b'x' => decoded(bytes.get(2..4)?, 4),
                b'u' => {
                    // In JSON there are four digits; in Rust and JavaScript braces hold up to six.
                    let (digits, length) = match rest.get(2..)?.strip_prefix('{') {
                        Some(inside) => {
                            let end =
                                inside.bytes().take(BRACED_BYTES).position(|byte| byte == b'}')?;
                            (inside.get(..end)?, r"\u{}".len() + end)
                        }
                        None => (rest.get(2..6)?, 6),
                    };
                    let character = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
                    if is_hidden(character) {
                        return dropped(length);
                    }
                    decoded(digits.trim_start_matches('0').as_bytes(), length)
                }
                // Markdown.
                b'_' => Some(Hidden { bytes: 2, seen_as: Some('_') }),
                _ => None,
            }
        }
        '\u{1b}' => dropped(1 + command_bytes(bytes.get(1..)?)),
        '\u{9b}' => dropped(2 + parameter_bytes(bytes.get(2..)?).unwrap_or_default()),
        character if character.is_control() || is_hidden(character) => {
            dropped(character.len_utf8())
        }
        _ => None,
    }
}

/// Decodes two hexadecimal digits, if they stand for a sign of which tokens are full.
fn decoded(digits: &[u8], bytes: usize) -> Option<Hidden> {
    let seen_as = match digits {
        [b'5', b'f' | b'F'] => '_',
        [b'2', b'd' | b'D'] => '-',
        _ => return None,
    };
    Some(Hidden { bytes, seen_as: Some(seen_as) })
}

/// Returns the length of the command to a terminal behind an escape character; nothing where there
/// is none.
fn command_bytes(rest: &[u8]) -> usize {
    match rest.first() {
        Some(b'[') => colour_bytes(rest).unwrap_or(1),
        // Up to the sign that ends it: a bell, or an escape with a backslash.
        Some(b']' | b'P' | b'X' | b'^' | b'_') => {
            let within = rest.get(..COMMAND_BYTES).unwrap_or(rest);
            let end = within.iter().position(|byte| matches!(byte, 0x07 | 0x1b | b'\n'));
            match end.and_then(|end| within.get(end..)) {
                Some([0x07, ..]) => end.unwrap_or_default() + 1,
                Some([0x1b, b'\\', ..]) => end.unwrap_or_default() + 2,
                Some(_) | None => 1,
            }
        }
        Some(b' '..=b'/') => 2,
        Some(0x30..=0x7e) => 1,
        Some(_) | None => 0,
    }
}

/// Returns the length of `[31m`.
fn colour_bytes(rest: &[u8]) -> Option<usize> {
    let behind = rest.strip_prefix(b"[")?;
    Some(1 + parameter_bytes(behind)?)
}

/// Returns the length of `31m`: parameters and the letter that ends them.
fn parameter_bytes(rest: &[u8]) -> Option<usize> {
    let within = rest.get(..COLOUR_BYTES).unwrap_or(rest);
    let end = within.iter().position(|byte| !matches!(byte, b' '..=b'?'))?;
    matches!(within.get(end)?, b'@'..=b'~').then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_unhidden_and_its_bytes_are_found_again() {
        for (text, seen) in [
            ("gh\u{200b}p_x", "ghp_x"),
            ("\u{feff}a\u{ad}b\u{e0041}", "ab"),
            ("a\u{1b}[31mb\u{1b}[0m", "ab"),
            ("a\u{1b}]8;;https://x\u{7}b\u{1b}]8;;\u{1b}\\c", "abc"),
            ("a\u{9b}1;31mb\u{8}c\u{7f}", "abc"),
            ("a\u{1b}(Bb", "ab"),
            (r"a\u001b[1mb\x1b[0mc\033[2md\e[me", "abcde"),
            (r"a\u200bb\u00adc\uFEFFd", "abcd"),
            ("a%5Fb%2dc", "a_b-c"),
            (r"a\u005fb\x2Dc", "a_b-c"),
            (r"a\u{200b}b\u{5f}c\u{00002D}d\u{e0041}", "ab_c-d"),
            (r"a\_b\_c", "a_b_c"),
            (r"a\\_b\\\\u{2060}c\u{1b}[31md", "a_bcd"),
            ("naïve — 日本", "naïve — 日本"),
            (
                r"\u{ \u{} \u{41} \u{0000005f} \u{日本} \*",
                r"\u{ \u{} \u{41} \u{0000005f} \u{日本} \*",
            ),
            (
                r"100% \n \u0041 \x41 \e is an escape, %20",
                r"100% \n \u0041 \x41 \e is an escape, %20",
            ),
        ] {
            let unhidden = Unhidden::of(text, Escapes::Written);
            let found = unhidden.as_ref().map_or(text, |unhidden| unhidden.text.as_str());
            assert_eq!(found, seen, "{text:?}");
            let Some(unhidden) = unhidden else { continue };
            for (at, character) in seen.char_indices() {
                let original = unhidden.in_text(&(at..at + character.len_utf8()));
                let original = text.get(original).expect("whole characters");
                let is_same = original.starts_with(character);
                let is_decoded = original.starts_with(['%', '\\']) && "_-".contains(character);
                assert!(is_same || is_decoded, "{text:?} at {at}: {original:?}");
            }
        }
    }

    #[test]
    fn every_hidden_character_is_seen_to_be_one() {
        for character in char::MIN..=char::MAX {
            let text = String::from(character);
            let is_control = character.is_control() && !matches!(character, '\t'..='\r');
            let hides = Unhidden::of(&text, Escapes::None).is_some();
            assert_eq!(hides, is_hidden(character) || is_control, "{character:?}");
        }
    }
}
