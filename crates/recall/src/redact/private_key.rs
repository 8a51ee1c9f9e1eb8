//! Private keys between their `BEGIN` and `END` lines, the whole block.
//!
//! The block may be indented, quoted, part of a diff, or one JSON string with `\n` in it. When its
//! end is missing, everything that still looks like a key is taken.

use std::ops::Range;

use super::{marker, place::Place};

/// Longest name between `BEGIN` and the dashes.
const LABEL_BYTES: usize = 48;

/// Fewest bytes of a key; a text about keys has dots or nothing in their place.
const KEY_BYTES: usize = 16;

const DASHES: &[u8] = b"-----";

/// Returns the block whose first line has the keyword `begin`.
pub(super) fn read(place: &Place<'_>) -> Option<Range<usize>> {
    let start = place.keyword.start.checked_sub(DASHES.len())?;
    if start < place.floor || !place.has(start, b"-----BEGIN ") {
        return None;
    }
    let body = behind_label(place, place.keyword.end)?;
    let rest = place.part(body..place.bytes().len());
    let dashes = rest.windows(DASHES.len()).position(|bytes| bytes == DASHES);
    let limit = dashes.map_or(place.bytes().len(), |at| body + at);
    // What stands behind a marker belongs to something else.
    let limit = marker::first(place.bytes(), body..limit);
    let is_closed = place.has(limit, b"-----END ");
    let end = if is_closed {
        behind_label(place, limit + "-----END".len()).unwrap_or(limit)
    } else {
        behind_key(place, body..limit)
    };
    let key = place.part(body..end.min(limit));
    (longest_line(key) >= KEY_BYTES).then_some(start..end)
}

/// Most lines of a `.ppk` file; one of 16,384 bits has 150.
const PUTTY_LINES: usize = 256;

/// Returns the private lines of a `.ppk` file, whose number stands behind the keyword `private-lines:`.
pub(super) fn putty(place: &Place<'_>) -> Option<Range<usize>> {
    let number = place.skip(place.keyword.end, 4, |byte| byte == b' ');
    let number_end = place.skip(number, 3, |byte| byte.is_ascii_digit());
    let digits = std::str::from_utf8(place.part(number..number_end)).ok()?;
    let lines: usize = digits.parse().ok()?;
    let start = behind_break(place, number_end)?;
    let mut end = number_end;
    for _ in 0..lines.min(PUTTY_LINES) {
        // A key that breaks off is taken as far as it goes.
        let Some(line) = behind_break(place, end) else { break };
        let line_end = place.skip(line, place.bytes().len(), is_key_byte);
        if line_end == line {
            break;
        }
        end = line_end;
    }
    (longest_line(place.part(start..end)) >= KEY_BYTES).then_some(start..end)
}

/// Returns the byte behind a line break and what indents; in JSON it is written `\n`.
fn behind_break(place: &Place<'_>, at: usize) -> Option<usize> {
    let breaks: [&[u8]; 4] = [b"\r\n", b"\n", br"\r\n", br"\n"];
    let found = breaks.into_iter().find(|ending| place.has(at, ending))?;
    Some(place.skip(at + found.len(), 16, |byte| matches!(byte, b' ' | b'\t')))
}

/// Returns the byte behind the label of a private key and its dashes.
fn behind_label(place: &Place<'_>, at: usize) -> Option<usize> {
    let end = place.skip(at, LABEL_BYTES, |byte| {
        byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b' '
    });
    let label = place.part(at..end);
    let is_private = label.windows(11).any(|words| words == b"PRIVATE KEY");
    (is_private && place.has(end, DASHES)).then_some(end + DASHES.len())
}

/// Returns the byte behind the last line that looks like one of a key.
fn behind_key(place: &Place<'_>, within: Range<usize>) -> usize {
    let Range { start, end: limit } = within;
    let mut end = start;
    let mut at = start;
    while at < limit {
        let line_end = place.skip(at, limit - at, is_key_byte);
        let line = place.part(at..line_end);
        if line.len() >= KEY_BYTES {
            end = line_end;
        } else if end == start
            && !line.is_empty()
            && matches!(place.byte(line_end), Some(b':' | b'-'))
        {
            // A header such as `Proc-Type`, as encrypted keys have them.
            at = place.skip(line_end, limit - line_end, |byte| byte != b'\n');
            continue;
        } else if !matches!(line, b"" | b"n" | b"r") {
            // Words of a text are shorter than the lines of a key; `\n` is a line break in JSON.
            break;
        }
        at = place.skip(line_end, limit - line_end, |byte| {
            matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'\\' | b'|' | b'>')
        });
        if at == line_end {
            break;
        }
    }
    end
}

/// Returns the length of the longest run of bytes that a key is written in.
fn longest_line(key: &[u8]) -> usize {
    key.split(|byte| !is_key_byte(*byte)).map(<[u8]>::len).max().unwrap_or_default()
}

fn is_key_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}
