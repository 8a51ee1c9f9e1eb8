//! Halves of characters.
//!
//! Clients written in JavaScript count text in UTF-16 units. Where one cuts between the two of one
//! character, for instance in a tool's output, it writes the half that is left as an escape of its
//! own, which is no character and which a strict reader refuses, and with it the whole event.

use std::borrow::Cow;

/// What a half is replaced with.
const REPLACEMENT: &str = "\\ufffd";

/// Returns a JSON text in which every escaped half of a character is the replacement character.
pub(super) fn without_halves(json: &str) -> Cow<'_, str> {
    // Whole characters are hardly ever escaped, so nearly no payload has any such escape.
    if !json.contains("\\ud") && !json.contains("\\uD") {
        return Cow::Borrowed(json);
    }
    let mut mended = String::with_capacity(json.len());
    let mut rest = json;
    while let Some((before, escape)) = rest.split_once('\\') {
        mended.push_str(before);
        let (kept, after) = match unit(escape) {
            Some((0xd800..=0xdbff, after)) => match after.strip_prefix('\\').and_then(unit) {
                Some((0xdc00..=0xdfff, after)) => (Kept::AsItIs, after),
                Some(_) | None => (Kept::Replaced, after),
            },
            Some((0xdc00..=0xdfff, after)) => (Kept::Replaced, after),
            Some((_, after)) => (Kept::AsItIs, after),
            // The next character belongs to the escape: it may be a backslash too.
            None => {
                let mut characters = escape.chars();
                characters.next();
                (Kept::AsItIs, characters.as_str())
            }
        };
        match kept {
            Kept::AsItIs => {
                mended.push('\\');
                let length = escape.len() - after.len();
                mended.push_str(escape.get(..length).unwrap_or_default());
            }
            Kept::Replaced => mended.push_str(REPLACEMENT),
        }
        rest = after;
    }
    mended.push_str(rest);
    Cow::Owned(mended)
}

/// What becomes of an escape.
enum Kept {
    AsItIs,
    Replaced,
}

/// Reads the UTF-16 unit of an escape from behind its backslash, with what follows it.
fn unit(escape: &str) -> Option<(u16, &str)> {
    let (digits, after) = escape.strip_prefix('u')?.split_at_checked(4)?;
    // The parser of the standard library would take a sign.
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    Some((u16::from_str_radix(digits, 16).ok()?, after))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_halves_are_replaced() {
        for (json, mended) in [
            (r#""plain""#, r#""plain""#),
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""cut \ud83d""#, r#""cut \ufffd""#),
            (r#""\uDE00 late""#, r#""\ufffd late""#),
            (r#""\ude00\ud83d""#, r#""\ufffd\ufffd""#),
            (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            (r#""\ud83d\n""#, r#""\ufffd\n""#),
            // A backslash that is itself escaped begins no escape.
            (r#""\\ud83d""#, r#""\\ud83d""#),
            (r#""\\\ud83d""#, r#""\\\ufffd""#),
            (r#""\u00e9 \ud7ff \ue000""#, r#""\u00e9 \ud7ff \ue000""#),
            // What is no JSON stays what it is.
            (r"\ud83", r"\ud83"),
            (r"\ud8é", r"\ud8é"),
            (r"\ud+12", r"\ud+12"),
            (r"\ud800\", r"\ufffd\"),
        ] {
            assert_eq!(without_halves(json), mended, "{json}");
        }
    }

    proptest! {
        /// Any sequence of UTF-16 units is read as the standard library reads it leniently.
        #[test]
        fn any_units_can_be_read(units in prop::collection::vec(
            prop_oneof![any::<u16>(), 0xd7f0_u16..0xe010, Just(0x5c), Just(0x75)],
            0..40,
        )) {
            let mut json = String::from("\"");
            for unit in &units {
                write!(json, "\\u{unit:04x}").unwrap();
            }
            json.push('"');
            let read: String = serde_json::from_str(&without_halves(&json)).unwrap();
            prop_assert_eq!(read, String::from_utf16_lossy(&units));
        }

        /// Text without such escapes is not touched.
        #[test]
        fn other_text_is_untouched(text in any::<String>()) {
            let json = serde_json::to_string(&text).unwrap();
            prop_assert_eq!(without_halves(&json), json.as_str());
        }
    }
}
