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
    let path = place.skip(start, reach - start, |byte| !matches!(byte, b'/' | b'?' | b'#'));
    // A marker hides where the user ends: only what lies before the path is sure then.
    let marker = marker::first(place.bytes(), start..reach);
    let user = match user(place, start..path) {
        _ if marker < path => None,
        None if marker < reach => None,
        // A password may have a slash in it, whatever the standard says.
        None => user(place, start..reach),
        found => found,
    }?;
    let colon = place.skip(start, user.end - start, |byte| byte != b':');
    let secret = if colon < user.end { colon + 1..user.end } else { user };
    let text = place.part(secret.clone());
    let is_secret = if secret.start > start {
        colon < path && !is_port(text) && !is_spoken(text)
    } else {
        secret.end <= path
            && text.len() >= TOKEN_BYTES
            && value::is_random(text, TOKEN_BITS)
            && !value::is_placeholder(text)
    };
    is_secret.then_some(secret)
}

/// Returns what stands before the last `@`.
fn user(place: &Place<'_>, within: Range<usize>) -> Option<Range<usize>> {
    let at = place.part(within.clone()).iter().rposition(|byte| *byte == b'@')?;
    Some(within.start..within.start + at)
}

/// Tells whether what follows a colon is a port with a path, and not a password.
fn is_port(text: &[u8]) -> bool {
    let port = text.split(|byte| *byte == b'/').next().unwrap_or_default();
    port.len() < text.len() && port.iter().all(u8::is_ascii_digit)
}

/// Tells whether a text speaks of a password instead of giving one.
fn is_spoken(text: &[u8]) -> bool {
    text.is_empty()
        || value::is_placeholder(text)
        || matches!(text, b"pw" | b"p")
        || text.contains(&b'[')
}
