//! Passwords in addresses: `scheme://user:password@host`. Scheme, user and host are kept.

use std::ops::Range;

use super::{marker, place::Place, value};

/// Longest user with password.
const USER_BYTES: usize = 512;

/// Fewest bytes of a user's name that is a token itself.
const TOKEN_BYTES: usize = 16;

/// Fewest bits in each byte of such a name.
const TOKEN_BITS: f64 = 3.0;

/// Returns the password in the address whose `://` is the keyword.
pub(super) fn read(place: &Place<'_>) -> Option<Range<usize>> {
    let start = place.keyword.end;
    place.byte_before(place.keyword.start).filter(u8::is_ascii_alphanumeric)?;
    let reach = place.skip(start, USER_BYTES, |byte| {
        !byte.is_ascii_whitespace() && !matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>' | b'\\')
    });
    let host = place.skip(start, reach - start, |byte| !matches!(byte, b'/' | b'?' | b'#'));
    let colon = place.skip(start, host - start, |byte| byte != b':');
    let secret = if colon < host {
        // A password may have a slash in it, whatever the standard says.
        let user = user(place, start..host).or_else(|| user(place, start..reach))?;
        colon.min(user.end).saturating_add(1)..user.end
    } else {
        user(place, start..host)?
    };
    let text = place.part(secret.clone());
    let is_secret = if secret.start > start {
        let port = text.iter().take_while(|byte| **byte != b'/');
        let is_port = secret.end > host && port.into_iter().all(u8::is_ascii_digit);
        !is_port && !text.is_empty() && !is_spoken(text)
    } else {
        text.len() >= TOKEN_BYTES && value::is_random(text, TOKEN_BITS)
    };
    let is_cut = marker::first(place.bytes(), secret.clone()) < secret.end;
    (is_secret && !is_cut).then_some(secret)
}

/// Returns what stands before the last `@`.
fn user(place: &Place<'_>, within: Range<usize>) -> Option<Range<usize>> {
    let at = place.part(within.clone()).iter().rposition(|byte| *byte == b'@')?;
    Some(within.start..within.start + at)
}

/// Tells whether a text speaks of a password instead of giving one.
fn is_spoken(text: &[u8]) -> bool {
    value::is_placeholder(text) || text == b"pw" || text == b"p" || text.contains(&b'[')
}
