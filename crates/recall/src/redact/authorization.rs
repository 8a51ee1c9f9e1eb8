//! Credentials in a header: `Bearer` with a token, `Basic` with a user and a password.

use std::ops::Range;

use super::{marker, place::Place, value, wrapped};

/// Fewest bytes of a token.
const TOKEN_BYTES: usize = 12;

/// Fewest bits in each byte of a token.
const TOKEN_BITS: f64 = 3.0;

/// Fewest bytes of an encoded user with a password.
const ENCODED_BYTES: usize = 8;

/// Most bytes of either.
const MOST_BYTES: usize = 4096;

/// Returns the token behind the keyword `bearer`.
pub(super) fn bearer(place: &Place<'_>) -> Option<Range<usize>> {
    let is_mark = |byte: u8| matches!(byte, b'"' | b'\'' | b'`' | b'\\');
    let name = place.skip(place.keyword.end, 2, is_mark);
    let separator = place.skip(name, 4, |byte| matches!(byte, b' ' | b'\t' | b':' | b'='));
    if separator == name {
        return None;
    }
    let start = place.skip(separator, 2, is_mark);
    let body = place.skip(start, MOST_BYTES, |byte| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'.' | b'_' | b'~' | b'+' | b'/' | b'|' | b'-')
    });
    let token = place.part(start..body);
    let is_secret = token.len() >= TOKEN_BYTES
        && value::is_random(token, TOKEN_BITS)
        && !value::is_placeholder(token)
        && !marker::follows(place.bytes(), body);
    let end = place.skip(body, 2, |byte| byte == b'=');
    is_secret.then(|| start..wrapped::extend(place, &(start..end)))
}

/// Returns the user and the password behind the keyword `basic`.
pub(super) fn basic(place: &Place<'_>) -> Option<Range<usize>> {
    let start = place.skip(place.keyword.end, 8, |byte| byte == b' ');
    if start == place.keyword.end {
        return None;
    }
    let end = place.skip(start, MOST_BYTES, |byte| sextet(byte).is_some());
    let padded = place.skip(end, 2, |byte| byte == b'=');
    let encoded = place.part(start..end);
    let is_secret = encoded.len() >= ENCODED_BYTES
        && is_user_with_password(encoded)
        && !marker::follows(place.bytes(), padded);
    is_secret.then_some(start..padded)
}

/// Returns the user and the password of `"auth": "…"`, as registries of containers keep them.
pub(super) fn registry(place: &Place<'_>) -> Option<Range<usize>> {
    let is_between = |byte: u8| matches!(byte, b'"' | b'\\' | b':' | b' ' | b'\n' | b'\r' | b'\t');
    let start = place.skip(place.keyword.end, 16, is_between);
    let end = place.skip(start, MOST_BYTES, |byte| sextet(byte).is_some());
    let padded = place.skip(end, 2, |byte| byte == b'=');
    let is_value = matches!(place.byte_before(start), Some(b'"'))
        && matches!(place.byte(padded), Some(b'"' | b'\\'));
    let encoded = place.part(start..end);
    let is_secret = is_value && encoded.len() >= ENCODED_BYTES && is_user_with_password(encoded);
    is_secret.then_some(start..padded)
}

/// Farthest behind its name that a cookie is looked for.
const COOKIES_BYTES: usize = 240;

/// What is in the name of a cookie that opens a session, in lower case.
const SESSION_NAMES: [&str; 5] = ["sess", "sid", "auth", "token", "jwt"];

/// Returns the value of the first cookie behind the keyword that opens a session.
pub(super) fn cookie(place: &Place<'_>) -> Option<Range<usize>> {
    let mut at = place.keyword.end;
    let limit = place.keyword.end + COOKIES_BYTES;
    while at < limit {
        let name = place.skip(at, 4, |byte| matches!(byte, b' ' | b';' | b','));
        let equals = place.skip(name, 64, |byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
        });
        if equals == name || place.byte(equals) != Some(b'=') {
            return None;
        }
        let value = equals + 1..place.skip(equals + 1, MOST_BYTES, is_cookie_byte);
        let text = place.part(value.clone());
        let is_session = {
            let name = place.part(name..equals).to_ascii_lowercase();
            SESSION_NAMES
                .iter()
                .any(|word| name.windows(word.len()).any(|part| part == word.as_bytes()))
        };
        if is_session
            && text.len() >= TOKEN_BYTES
            && value::is_random(text, TOKEN_BITS)
            && !value::is_placeholder(text)
            && !marker::follows(place.bytes(), value.end)
        {
            return Some(value);
        }
        at = value.end;
        if place.byte(at) != Some(b';') {
            return None;
        }
    }
    None
}

fn is_cookie_byte(byte: u8) -> bool {
    byte.is_ascii_graphic() && !matches!(byte, b';' | b',' | b'"' | b'\'' | b'\\' | b'[' | b'<')
}

/// Tells whether something decodes to a user and a password; words decode to no text at all.
fn is_user_with_password(encoded: &[u8]) -> bool {
    let mut colon = None;
    let mut decoded = 0_usize;
    for group in encoded.chunks(4) {
        let sextets = group.iter().filter_map(|byte| sextet(*byte));
        let word = sextets.fold(0_u32, |word, bits| word << 6 | bits) << (6 * (4 - group.len()));
        let [_, bytes @ ..] = word.to_be_bytes();
        for byte in bytes.into_iter().take(group.len().saturating_sub(1)) {
            if !matches!(byte, b' '..=b'~') {
                return false;
            }
            if byte == b':' {
                colon = colon.or(Some(decoded));
            }
            decoded += 1;
        }
    }
    colon.is_some_and(|colon| colon > 0)
}

/// Returns the six bits that a byte stands for.
fn sextet(byte: u8) -> Option<u32> {
    let bits = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(u32::from(bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_user_with_a_password_is_decoded() {
        for (encoded, expected) in [
            ("dXNlcjpodW50ZXIy", true),
            ("YTpiYzEyMzQ1Ng", true),
            ("understanding", false),
            ("Operations", false),
            ("aGVsbG8gd29ybGQ", false),
            ("authentication", false),
        ] {
            assert_eq!(is_user_with_password(encoded.as_bytes()), expected, "{encoded}");
        }
    }
}
