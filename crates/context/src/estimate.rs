//! How many tokens a text costs, without a tokenizer.
//!
//! A tokenizer takes 50 ms to load, forty times as long as a whole hook, and none of the public
//! ones is the model's own. Classes of characters come close enough: letters cost by the length of
//! their word, digits by threes, punctuation by twos, a line break or a run of spaces one, Chinese
//! and Japanese three for four characters, an emoji two, and anything else beyond ASCII half a token
//! per character.
//!
//! The estimate is meant to err on the high side: of documentation, skills, code and four languages
//! it lies between 10 % below and 35 % above what the tokenizer `o200k` counts, which
//! `tests/calibration.rs` holds it to. Random text such as base64 may cost half as much again.

/// Letters of one word that cost one token; a longer word costs one more for each so many.
const LETTERS_PER_TOKEN: u32 = 8;

/// Digits that cost one token.
const DIGITS_PER_TOKEN: u32 = 3;

/// Punctuation marks that cost one token.
const MARKS_PER_TOKEN: u32 = 2;

/// Characters of Chinese or Japanese that cost [`WIDE_TOKENS`].
const WIDE_CHARACTERS: u32 = 4;

/// What so many of them cost.
const WIDE_TOKENS: u32 = 3;

/// What one emoji costs.
const EMOJI_TOKENS: u32 = 2;

/// What a run of characters is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    SmallLetters,
    Capitals,
    Digits,
    Marks,
    Space,
    LineBreak,
    Wide,
    Emoji,
    Other,
}

/// The classes of ASCII, which nearly all text is: everything that is told is measured, most of it
/// twice, and looking a class up is several times as fast as finding it out.
const ASCII: [Class; 128] = {
    let mut classes = [Class::Marks; 128];
    let mut byte: u8 = 0;
    while let Some((_, rest)) = classes.split_at_mut_checked(byte as usize)
        && let [class, ..] = rest
    {
        *class = match byte {
            b'a'..=b'z' => Class::SmallLetters,
            b'A'..=b'Z' => Class::Capitals,
            b'0'..=b'9' => Class::Digits,
            b'\n' | b'\r' => Class::LineBreak,
            b' ' | b'\t' => Class::Space,
            _ => Class::Marks,
        };
        byte += 1;
    }
    classes
};

impl Class {
    fn of_ascii(byte: u8) -> Self {
        ASCII.get(usize::from(byte)).copied().unwrap_or(Self::Other)
    }

    fn of(character: char) -> Self {
        match character {
            '\0'..='\x7f' => u8::try_from(character).map_or(Self::Other, Self::of_ascii),
            // Radicals, kana and ideographs, with their punctuation and full-width forms.
            '\u{2e80}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{ff00}'..='\u{ffef}'
            | '\u{20000}'..='\u{3ffff}' => Self::Wide,
            '\u{2600}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}' => {
                Self::Emoji
            }
            _ => Self::Other,
        }
    }

    /// Returns what a run of `length` characters costs.
    const fn cost(self, length: u32) -> u32 {
        match self {
            Self::SmallLetters | Self::Capitals => length.div_ceil(LETTERS_PER_TOKEN),
            Self::Digits => length.div_ceil(DIGITS_PER_TOKEN),
            Self::Marks | Self::Other => length.div_ceil(MARKS_PER_TOKEN),
            Self::Wide => length.saturating_mul(WIDE_TOKENS).div_ceil(WIDE_CHARACTERS),
            Self::Emoji => length.saturating_mul(EMOJI_TOKENS),
            // One space belongs to the word after it; more of them are indentation.
            Self::Space => (length > 1) as u32,
            Self::LineBreak => 1,
        }
    }
}

/// Returns about how many tokens a text costs.
pub fn estimate_tokens(text: &str) -> u32 {
    if text.is_ascii() {
        cost(text.bytes().map(Class::of_ascii))
    } else {
        cost(text.chars().map(Class::of))
    }
}

fn cost(classes: impl Iterator<Item = Class>) -> u32 {
    let mut total: u32 = 0;
    // An empty run of spaces costs nothing.
    let (mut class, mut length) = (Class::Space, 0);
    for next in classes {
        // Most characters are like the one before them, and everything that is told comes by here.
        if next != class {
            // A capital after a small letter begins another word: `readFile` costs two.
            if (class, next) != (Class::Capitals, Class::SmallLetters) {
                total += class.cost(length);
                length = 0;
            }
            class = next;
        }
        length += 1;
    }
    total + class.cost(length)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_numbers_and_marks() {
        for (text, expected) in [
            ("", 0),
            ("hello", 1),
            ("hello world", 2),
            ("internationalization", 3),
            ("readFile", 2),
            ("12345", 2),
            ("a\n\n    b", 4),
            ("fn main() {}", 4),
            ("héllo", 3),
            ("日本語", 3),
            ("日本語の", 3),
            ("🦀🚀", 4),
            ("привет", 3),
        ] {
            assert_eq!(estimate_tokens(text), expected, "{text:?}");
        }
    }

    proptest! {
        /// The whole never costs more than its parts, nor more than two tokens per character.
        #[test]
        fn estimates_add_up(left in "\\PC{0,40}", right in "\\PC{0,40}") {
            let whole = estimate_tokens(&format!("{left}{right}"));
            prop_assert!(whole <= estimate_tokens(&left) + estimate_tokens(&right) + 1);
            prop_assert!(whole as usize <= 2 * (left.chars().count() + right.chars().count()) + 1);
        }
    }
}
