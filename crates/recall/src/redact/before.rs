//! What may stand right before a token.

use super::place::Place;

/// What a rule asks of the byte before its keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    /// Nothing: the keyword occurs nowhere else.
    Anything,
    /// It is not part of a longer word, as `sk-` is in `task-` and in `css-sk-cube`.
    ///
    /// That also bounds the time: a run without blanks is tried once and not at every keyword.
    NoWord,
}

impl Before {
    /// Tells whether a keyword may be tried where it stands.
    pub(super) fn allows(self, place: &Place<'_>) -> bool {
        match self {
            Self::Anything => true,
            Self::NoWord => begins_a_word(place, place.keyword.start),
        }
    }
}

/// Tells whether no word reaches from before a byte to that byte.
///
/// The letters that end an escape are no word: `\n`, `%3D` and the colour code `ESC[31m`.
pub(super) fn begins_a_word(place: &Place<'_>, at: usize) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    match place.byte_before(at) {
        Some(byte) if is_word(byte) => ends_an_escape(place, at),
        Some(_) | None => true,
    }
}

/// Longest colour code before its last letter, as in `[38;5;196m`.
const COLOUR_BYTES: usize = 12;

fn ends_an_escape(place: &Place<'_>, at: usize) -> bool {
    match place.part(at.saturating_sub(3).max(place.floor)..at) {
        [.., b'\\', b'n' | b'r' | b't'] => true,
        [b'%', high, low] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => true,
        [.., b'm'] => {
            let parameters =
                place.skip_back(at - 1, COLOUR_BYTES, |byte| byte.is_ascii_digit() || byte == b';');
            place.byte_before(parameters) == Some(b'[')
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_begins_behind_anything_but_a_word() {
        for (text, expected) in [
            ("sk-", true),
            (" sk-", true),
            ("task-", false),
            ("\"sk-", true),
            (r"\nsk-", true),
            (r"\tsk-", true),
            ("nsk-", false),
            ("%3Dsk-", true),
            ("3Dsk-", false),
            ("\u{1b}[31msk-", true),
            (r"\u001b[1;31msk-", true),
            ("msk-", false),
            ("css-sk-", false),
            ("é sk-", true),
        ] {
            let start = text.len() - 3;
            let place = Place::new(text.as_bytes(), start..text.len(), 0);
            assert_eq!(Before::NoWord.allows(&place), expected, "{text}");
        }
    }
}
