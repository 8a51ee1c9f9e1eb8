//! What tells a secret from a word, a placeholder or a piece of code.

/// Bytes of a value that are judged; what follows hardly changes the answer.
const JUDGED: usize = 128;

/// Fewest different bytes of anything random that is long enough for a token.
const DIFFERENT: usize = 6;

/// Signs that something is left to fill in.
const GAPS: [&str; 7] = ["xxxx", "****", "....", "…", "${", "$(", "{{"];

/// Words that begin what stands where a secret should be put, in lower case.
const PLACEHOLDERS: [&str; 27] = [
    "changeme",
    "change-me",
    "change_me",
    "replace",
    "example",
    "sample",
    "placeholder",
    "your",
    "dummy",
    "redacted",
    "insert",
    "fake",
    "foobar",
    "foo",
    "mock",
    "todo",
    "undefined",
    "process.env",
    "os.environ",
    "getenv",
    "env.",
    "secrets.",
    "not-a-",
    "my-",
    "my_",
    "some-",
    "http",
];

/// Values that are no secret when they are all there is, in lower case.
const DEFAULTS: [&str; 35] = [
    "true", "false", "null", "none", "nil", "yes", "no", "on", "off", "empty", "string", "number",
    "boolean", "required", "optional", "hidden", "disabled", "enabled", "default", "root", "admin",
    "user", "guest", "test", "testing", "postgres", "mysql", "secret", "token", "pass", "passwd",
    "password", "letmein", "masked", "unset",
];

/// Tells whether a token is made of filling: `xxxxxxxx`, `your-token-here`.
///
/// Only for tokens that are known by their shape; what looks random is taken at its word.
pub(super) fn is_filling(token: &[u8]) -> bool {
    let token = judged(token);
    different(token) < DIFFERENT.min(token.len())
        || contains(token, "xxxxx")
        || contains(token, "your-")
        || contains(token, "your_")
        || contains(token, "abcdefghij")
}

/// Tells whether a value stands for a secret that is somewhere else.
pub(super) fn is_placeholder(value: &[u8]) -> bool {
    let value = judged(value);
    refers_elsewhere(value)
        || different(value) < 4
        || is_default(value)
        || has_gap(value)
        || has_placeholder(value)
}

/// Tells whether a value names a variable, a file or another place.
fn refers_elsewhere(value: &[u8]) -> bool {
    match value {
        [b'<' | b'{' | b'`', ..] | [b'$' | b'%', b'{' | b'(', ..] => true,
        // Random text may begin like this too, so the rest must be words.
        [b'$' | b'%' | b'@' | b'&' | b'*' | b'#' | b'/' | b'.' | b'~', rest @ ..] => is_words(rest),
        _ => false,
    }
}

/// Tells whether a value is one that everybody knows.
fn is_default(value: &[u8]) -> bool {
    DEFAULTS.iter().any(|word| value.eq_ignore_ascii_case(word.as_bytes()))
}

/// Tells whether a value is as mixed as made-up text never is: letters and digits, no words with
/// numbers between them, and at least so many bits in each byte.
pub(super) fn is_random(value: &[u8], least_bits: f64) -> bool {
    let value = judged(value);
    has_letter_and_digit(value) && !is_words(value) && bits(value) >= least_bits
}

/// Tells whether a part of a token is none of a text: letters with digits, or both cases mixed.
pub(super) fn is_fragment(part: &[u8]) -> bool {
    let part = judged(part);
    let has_capital_inside = part.windows(2).any(|pair| match pair {
        [first, second] => first.is_ascii_lowercase() && second.is_ascii_uppercase(),
        _ => false,
    });
    (has_letter_and_digit(part) || has_capital_inside) && !is_words(part)
}

/// Tells whether letters and digits are both there.
fn has_letter_and_digit(value: &[u8]) -> bool {
    value.iter().any(u8::is_ascii_alphabetic) && value.iter().any(u8::is_ascii_digit)
}

/// Tells whether a value is made of words and numbers: `claude-3-5-sonnet`, `users.v2`, `base64`.
pub(super) fn is_words(value: &[u8]) -> bool {
    value.split(|byte| !byte.is_ascii_alphanumeric()).all(is_word)
}

/// Longest word; hexadecimal digits of more bytes are none.
const WORD_BYTES: usize = 20;

/// Shortest part that is more than an abbreviation such as `e2e`.
const SHORT_WORD_BYTES: usize = 3;

/// Most digits behind a word, as in `ed25519`.
const WORD_DIGITS: usize = 5;

/// Tells whether a part is a number or a word, perhaps with a number behind it.
fn is_word(part: &[u8]) -> bool {
    let letters = part.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let digits = part.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    if letters == 0 {
        return digits == part.len() && digits <= WORD_BYTES;
    }
    let word = part.get(..letters).unwrap_or_default();
    part.len() <= SHORT_WORD_BYTES
        || letters + digits == part.len()
            && digits <= WORD_DIGITS
            && letters <= WORD_BYTES
            && is_cased_like_a_word(word)
}

/// Tells whether a capital stands only where words have one; `camelCase` is two words.
fn is_cased_like_a_word(word: &[u8]) -> bool {
    let capitals = word.iter().filter(|byte| byte.is_ascii_uppercase()).count();
    // One in four: `getUserName` has two of eleven, random letters have half.
    capitals == word.len() || capitals * 4 <= word.len()
}

/// Returns the bits in each byte of a value, by how often each byte is there.
pub(super) fn bits(value: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    let mut all = 0_u32;
    for byte in judged(value) {
        if let Some(count) = counts.get_mut(usize::from(*byte)) {
            *count += 1;
            all += 1;
        }
    }
    let share = |count: u32| f64::from(count) / f64::from(all);
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| -share(*count) * share(*count).log2())
        .sum()
}

fn different(value: &[u8]) -> usize {
    let mut seen = [false; 256];
    for byte in value {
        if let Some(seen) = seen.get_mut(usize::from(*byte)) {
            *seen = true;
        }
    }
    seen.iter().filter(|seen| **seen).count()
}

fn contains(value: &[u8], word: &str) -> bool {
    value.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
}

/// Tells whether something is left to fill in.
fn has_gap(value: &[u8]) -> bool {
    let rests = (0..value.len()).filter_map(|at| value.get(at..));
    rests.into_iter().any(|rest| GAPS.iter().any(|gap| starts_with(rest, gap)))
}

/// Tells whether a placeholder stands at the beginning or behind something else than letters.
fn has_placeholder(value: &[u8]) -> bool {
    let mut before = None;
    for (at, byte) in value.iter().enumerate() {
        let begins = !before.is_some_and(u8::is_ascii_alphanumeric);
        before = Some(byte);
        let rest = value.get(at..).unwrap_or_default();
        if begins && PLACEHOLDERS.iter().any(|word| starts_with(rest, word)) {
            return true;
        }
    }
    false
}

fn starts_with(value: &[u8], word: &str) -> bool {
    value.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
}

fn judged(value: &[u8]) -> &[u8] {
    value.get(..JUDGED).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_from_random_text() {
        for words in [
            "claude-3-5-sonnet-20241022",
            "users.v2",
            "sha512",
            "getUserName",
            "APPLICATION_JSON",
            "us-east-1",
            "2026-01-31",
            "",
            "e2e-tests",
            "README.md",
        ] {
            assert!(is_words(words.as_bytes()), "{words}");
        }
        for random in
            ["a3f8c1d9e7b2", "9fZk2LqP", "k8Jd-2mQ9x-pL0", "0b7e4a6c-19d2-4c2f-8f5e-3a1d9c7b6e50"]
        {
            assert!(!is_words(random.as_bytes()), "{random}");
        }
    }

    #[test]
    fn bits_grow_with_the_mixture() {
        assert!(bits(b"aaaaaaaa") < 0.1);
        assert!((bits(b"abababab") - 1.0).abs() < 1e-9);
        assert!(bits(b"b3d9f0a17c5e2846b3d9f0a17c5e2846") > 3.9);
    }

    #[test]
    fn placeholders_are_known() {
        for value in [
            "changeme",
            "<token>",
            "${TOKEN}",
            "your-api-key",
            "xxxxxxxx",
            "null",
            "$DB_PASSWORD",
            "{{ token }}",
            "/run/secrets/db",
            "example-1234",
            "process.env.KEY",
            "00000000",
        ] {
            assert!(is_placeholder(value.as_bytes()), "{value}");
        }
        for value in ["hunter2hunter", "p4ssW0rd!", "b3d9f0a17c5e2846"] {
            assert!(!is_placeholder(value.as_bytes()), "{value}");
        }
    }
}
