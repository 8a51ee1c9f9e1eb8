//! Tokens that a terminal, a mail program or a diff broke over several lines.
//!
//! A line break is taken out only when what follows looks like the rest of a token and not like
//! words, so that a token at the end of a line does not swallow the next one.

use std::ops::Range;

use super::{place::Place, value};

/// Longest part of a token on one line, in bytes: what wraps lines makes them far shorter.
const PART_BYTES: usize = 256;

/// Most lines a token is put together from until it has the shape of one.
const SHAPE_LINES: usize = 4;

/// Most lines over which a secret goes on that has its shape already.
const LINES: usize = 128;

/// Shortest line that anything wraps, in bytes.
const WRAPPED_LINE: usize = 40;

/// Shortest rest of a token that is told from a word.
const REST_BYTES: usize = 3;

/// A token with the line breaks taken out.
#[derive(Debug)]
pub(super) struct Unwrapped {
    /// Its bytes, in one piece.
    pub(super) bytes: Vec<u8>,
    /// Where its parts are in the text, in order.
    parts: Vec<Range<usize>>,
}

impl Unwrapped {
    /// Returns where in the text a part of the token is.
    pub(super) fn in_text(&self, found: &Range<usize>) -> Range<usize> {
        self.byte_in_text(found.start)..self.byte_in_text(found.end)
    }

    fn byte_in_text(&self, end: usize) -> usize {
        let mut left = end;
        for part in &self.parts {
            if left <= part.len() {
                return part.start + left;
            }
            left -= part.len();
        }
        self.parts.last().map_or(0, |part| part.end)
    }

    /// Tells whether a match that ends at a byte of the token needs more than one part.
    pub(super) fn is_joined(&self, end: usize) -> bool {
        self.parts.first().is_some_and(|first| end > first.len())
    }
}

/// What a `+` or `-` is with which a line begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// The mark of a line in a diff.
    OfADiff,
    /// A byte of the token.
    OfTheToken,
}

/// Tells whether a line break follows the bytes of the token that begins at a byte.
pub(super) fn is_interrupted(place: &Place<'_>, start: usize) -> bool {
    let end = place.skip(start, PART_BYTES, is_token_byte);
    behind_break(place, end).is_some()
}

/// Puts together the token that begins at a byte, if the next line looks like the rest of it.
pub(super) fn unwrap(place: &Place<'_>, start: usize, sign: Sign) -> Option<Unwrapped> {
    let first = start..place.skip(start, PART_BYTES, is_token_byte);
    rest(place, first.end, sign)?;
    let mut bytes = place.part(first.clone()).to_vec();
    let mut parts = vec![first];
    while let Some(end) = parts.last().map(|part| part.end)
        && parts.len() < SHAPE_LINES
        && let Some(part) = rest(place, end, sign)
    {
        bytes.extend_from_slice(place.part(part.clone()));
        parts.push(part);
    }
    Some(Unwrapped { bytes, parts })
}

/// Returns where a secret ends that goes on over the next lines, given where it ends on the first.
///
/// Only for secrets of no fixed length: the rest must follow a line that was long enough to be
/// wrapped.
pub(super) fn extend(place: &Place<'_>, secret: &Range<usize>) -> usize {
    let line = secret.start - place.skip_back(secret.start, WRAPPED_LINE, |byte| byte != b'\n');
    if line + secret.len() < WRAPPED_LINE {
        return secret.end;
    }
    let opening = place.part(secret.start..secret.start + REST_BYTES);
    let mut end = secret.end;
    for _ in 0..LINES {
        // A pattern leaves out what ends a sentence, but before a break it was part of the token.
        let line_end =
            place.skip(end, 2, |byte| !byte.is_ascii_alphanumeric() && is_token_byte(byte));
        match rest(place, line_end, Sign::OfADiff) {
            // The next token of a list is not the rest of this one.
            Some(part) if place.part(part.clone()).starts_with(opening) => break,
            Some(part) => end = part.end,
            None => break,
        }
    }
    end
}

/// Returns the rest of a token on the line behind the break at a byte.
fn rest(place: &Place<'_>, at: usize, sign: Sign) -> Option<Range<usize>> {
    let line = behind_break(place, at)?;
    let start = behind_indentation(place, line, sign);
    let end = place.skip(start, PART_BYTES, is_token_byte);
    let part = place.part(start..end);
    // An address or a call is no rest of a token, and neither is a name with its value.
    let is_alone = !matches!(place.byte(end), Some(b'(' | b':' | b'[' | b'{' | b'@'));
    let body = part.strip_suffix(b"==").or_else(|| part.strip_suffix(b"=")).unwrap_or(part);
    let name = body.iter().position(|byte| *byte == b'=').and_then(|equals| body.get(..equals));
    let is_rest =
        part.len() >= REST_BYTES && !name.is_some_and(value::is_words) && value::is_fragment(body);
    (is_alone && is_rest).then_some(start..end)
}

/// Returns the byte behind a line break at a byte; in JSON it is written `\n`.
fn behind_break(place: &Place<'_>, at: usize) -> Option<usize> {
    [&b"\n"[..], b"\r\n", b"\\\n", b"\\\r\n", b"\\n", b"\\r\\n"]
        .into_iter()
        .find(|ending| place.has(at, ending))
        .map(|ending| at + ending.len())
}

/// Returns the byte behind what stands before a line: blanks, and the mark of a diff or quotation.
fn behind_indentation(place: &Place<'_>, at: usize, sign: Sign) -> usize {
    const INDENTATION: usize = 64;
    let is_blank = |byte: u8| matches!(byte, b' ' | b'\t');
    let mark = place.skip(at, INDENTATION, is_blank);
    match place.byte(mark) {
        Some(b'+' | b'-') if sign == Sign::OfTheToken => mark,
        Some(b'+' | b'-' | b'>' | b'|' | b'#' | b'*') => {
            place.skip(mark + 1, INDENTATION, is_blank)
        }
        Some(_) | None => mark,
    }
}

fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'/' | b'=' | b'.' | b'~')
}
