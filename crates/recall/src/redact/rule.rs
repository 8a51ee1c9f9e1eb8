//! What a rule is, and the list of all of them.

use std::ops::Range;

use super::{
    before::Before,
    place::Place,
    rules::{
        chat, cloud, generic, headers, keys, mail, models, payment, registries, services,
        source_hosting,
    },
};

/// One kind of secret.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Its name, as it stands in a marker; unique among all rules.
    pub id: &'static str,
    /// Words of which one is in or near every such secret, in lower case.
    pub keywords: &'static [&'static str],
    /// How it is found.
    pub(super) look: Look,
    /// Texts with one such secret each.
    pub hits: &'static [Example],
    /// Texts that come near and have none.
    pub misses: &'static [&'static str],
}

/// A text with a secret in it.
///
/// It is written in parts so that those who look for leaked secrets do not take it for one.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// What stands before the secret.
    pub before: &'static str,
    /// The secret, in two parts.
    pub secret: [&'static str; 2],
    /// What stands behind it.
    pub behind: &'static str,
}

/// How a secret is found.
#[derive(Clone, Copy, Debug)]
pub(super) enum Look {
    /// It begins with the keyword.
    ///
    /// In this and in the other patterns, the first group is the secret; the whole match is where
    /// there is no group.
    Token {
        /// What stands before the keyword.
        before: Before,
        /// Fewest bytes without a blank from the keyword on; where there are fewer, the pattern is
        /// not even compiled.
        run: usize,
        /// Whether it may go on over the next lines when the pattern is content already.
        length: Length,
        /// The keyword and the rest.
        pattern: &'static str,
        /// What is no secret after all.
        judge: Judge,
    },
    /// It is in the bytes around the keyword.
    Around {
        /// How many bytes before the keyword are searched.
        before: usize,
        /// How many bytes behind it.
        behind: usize,
        /// Fewest bytes without a blank among them; where there are fewer, the pattern is not even
        /// compiled.
        run: usize,
        /// What is searched for.
        pattern: &'static str,
        /// What stands beside it.
        beside: Beside,
        /// What is no secret after all.
        judge: Judge,
    },
    /// By code that answers where the secret is.
    Read(fn(&Place<'_>) -> Option<Range<usize>>),
}

/// What may stand beside a secret that is found around a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beside {
    /// Anything: its shape is like no other.
    Anything,
    /// Nothing that could be part of it: it is known by its length.
    Nothing,
}

/// Whether the pattern knows where a secret ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    /// The pattern takes all of it.
    Fixed,
    /// The pattern takes all of it, and nothing that could be part of it follows.
    Exact,
    /// They are of any length.
    Open,
}

/// What makes a match a secret.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Judge {
    /// The shape says it all, unless somebody filled it with `xxxx`.
    Shape,
    /// It is no placeholder, looks random and has at least so many bits in each byte.
    Random(f64),
    /// It has capitals, small letters and digits, and at least so many bits in each byte.
    Mixed(f64),
}

/// Returns all rules, the most exact ones first.
pub fn rules() -> impl Iterator<Item = &'static Rule> + Clone {
    TABLES.iter().copied().flatten()
}

const TABLES: [&[Rule]; 11] = [
    keys::RULES,
    source_hosting::RULES,
    cloud::RULES,
    models::RULES,
    chat::RULES,
    mail::RULES,
    payment::RULES,
    registries::RULES,
    services::RULES,
    headers::RULES,
    generic::RULES,
];
