//! Names that say what their value is.

use std::ops::Range;

use crate::redact::place::Place;

/// Longest name.
const NAME_BYTES: usize = 64;

/// What a name says about its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A password: a person may have chosen it.
    Password,
    /// A token, a secret, the key to an interface: a machine made it.
    Secret,
    /// Some key.
    Key,
}

/// A name that the keyword is the end of.
#[derive(Debug)]
pub(super) struct Name {
    pub(super) range: Range<usize>,
    pub(super) kind: Kind,
    /// Whether it is written like a variable of the environment.
    pub(super) is_variable: bool,
    /// Whether it is written like a flag: `--token`.
    pub(super) is_flag: bool,
}

/// What may stand behind the keyword and leave it what it is, in lower case.
const SUFFIXES: [&str; 15] = [
    "s3",
    "base64",
    "b64",
    "_base64",
    "_b64",
    "_base",
    "_value",
    "_prod",
    "_production",
    "_staging",
    "_dev",
    "_test",
    "_old",
    "_new",
    "_raw",
];

/// What makes a key one that everybody may see, in lower case.
const PUBLIC: [&str; 26] = [
    "public",
    "publishable",
    "pub",
    "primary",
    "foreign",
    "cache",
    "sort",
    "partition",
    "idempotency",
    "object",
    "host",
    "hot",
    "row",
    "lookup",
    "unique",
    "dedupe",
    "group",
    "routing",
    "i18n",
    "translation",
    "json",
    "map",
    "storage_bucket",
    "index",
    "next",
    "page",
];

/// What makes a key one to an interface, in lower case.
const SECRET_KEYS: [&str; 18] = [
    "api",
    "access",
    "secret",
    "private",
    "auth",
    "account",
    "encryption",
    "signing",
    "master",
    "service",
    "admin",
    "license",
    "shared",
    "app",
    "jwt",
    "session",
    "security",
    "webhook",
];

impl Name {
    /// Reads the name around a keyword; nothing where it goes on and becomes another one.
    pub(super) fn read(place: &Place<'_>) -> Option<Self> {
        let Range { start, end } = place.keyword;
        let behind = place.skip(end, 12, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !is_suffix(place.part(end..behind)) {
            return None;
        }
        let first = place.skip_back(start, NAME_BYTES, |byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
        });
        let before = place.part(first..start);
        let keyword = place.part(start..end);
        let kind = kind(before, keyword)?;
        let name = place.part(first..behind);
        let is_variable = name
            .iter()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_');
        Some(Self { range: first..behind, kind, is_variable, is_flag: name.starts_with(b"-") })
    }
}

fn is_suffix(text: &[u8]) -> bool {
    text.iter().all(u8::is_ascii_digit)
        || SUFFIXES.iter().any(|suffix| text.eq_ignore_ascii_case(suffix.as_bytes()))
}

/// Returns what a keyword means behind the rest of its name.
fn kind(before: &[u8], keyword: &[u8]) -> Option<Kind> {
    let is = |word: &str| keyword.eq_ignore_ascii_case(word.as_bytes());
    if is("password") || is("passwd") || is("passphrase") {
        return Some(Kind::Password);
    }
    if is("secret") || is("credential") {
        return Some(Kind::Secret);
    }
    let begins = begins_a_word(before, keyword) && !ends_with(trim_separator(before), "no");
    if is("pwd") || is("pass") {
        return begins.then_some(Kind::Password);
    }
    if is("token") {
        return (begins || ends_with(before, "auth") || ends_with(before, "access"))
            .then_some(Kind::Secret);
    }
    let qualifier = trim_separator(before);
    let is_one_of = |words: &[&str]| words.iter().any(|word| ends_with(qualifier, word));
    if is_one_of(&PUBLIC) {
        return None;
    }
    if is_one_of(&SECRET_KEYS) {
        return Some(Kind::Secret);
    }
    begins.then_some(Kind::Key)
}

/// Tells whether a keyword is a word of its own: `my_key` and `myKey`, but not `monkey`.
fn begins_a_word(before: &[u8], keyword: &[u8]) -> bool {
    let Some(last) = before.last() else { return true };
    let is_capital = keyword.first().is_some_and(u8::is_ascii_uppercase);
    !last.is_ascii_alphabetic() || last.is_ascii_lowercase() && is_capital
}

fn trim_separator(before: &[u8]) -> &[u8] {
    match before {
        [rest @ .., b'_' | b'-' | b'.'] => rest,
        all => all,
    }
}

fn ends_with(text: &[u8], word: &str) -> bool {
    let from = text.len().saturating_sub(word.len());
    text.get(from..).is_some_and(|end| end.eq_ignore_ascii_case(word.as_bytes()))
}
