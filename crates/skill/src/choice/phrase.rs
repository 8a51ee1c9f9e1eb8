//! Phrases that are looked for in titles: whole words, in order, whatever the case.
//!
//! A word also stands for its plain inflections (`merge`: `merges`, `merged`, `merging`), and small
//! words may stand between two words of a phrase: `write plan` is in "Writing the plan". A word
//! within another is never meant: `PR` is not in "print".
//!
//! Two marks: where a phrase has `…`, up to two other words may stand (`merge … branch` is in "Merge
//! the new login branch"), and one that begins with `^` begins the title, perhaps after `Task 3:`.

use std::fmt;

use thiserror::Error;

use crate::spelling::folded;

/// Most words of a phrase; longer ones would match one title only.
pub const PHRASE_WORDS: usize = 8;

/// Longest word of a phrase, in bytes; no title has a longer one that means anything.
const WORD_BYTES: usize = 100;

/// Words that may stand between two words of a phrase.
const FILLERS: [&str; 10] = ["the", "a", "an", "this", "that", "our", "my", "your", "its", "of"];

/// Most fillers between two words: "write the plan", "plan of the week".
const FILLERS_IN_A_ROW: usize = 2;

/// Most words, besides fillers, where a phrase has a gap: "merge the new login branch".
const GAP_WORDS: usize = 2;

/// Words that lead to something else, so that what follows does not belong to what is before: "merge
/// conflict in the release".
const LINKS: [&str; 16] = [
    "in", "on", "at", "for", "with", "from", "to", "into", "by", "and", "or", "when", "after",
    "before", "if", "about",
];

/// Words that number a title, as in `Task 3: …`.
const LABELS: [&str; 2] = ["task", "step"];

/// Shortest word with inflections; a shorter one has its plural only (`PRs`).
const INFLECTED_CHARACTERS: usize = 3;

/// Words to look for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Phrase {
    written: Box<str>,
    start: Start,
    words: Vec<Word>,
}

/// Where in a title a phrase may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    Anywhere,
    /// At the beginning, or after a label such as `Task 3:`.
    Title,
}

/// A word of a phrase, with what may stand before it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Word {
    before: Before,
    forms: Forms,
}

/// What may stand between a word and the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    /// Small words.
    Fillers,
    /// Small words and a few others.
    Gap,
}

/// Why a text is no phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BadPhrase {
    /// It has no words.
    #[error("a phrase has neither letter nor digit")]
    NoWord,
    /// It has more words than are looked for.
    #[error("a phrase has more than {PHRASE_WORDS} words")]
    TooLong,
    /// One of its words is longer than any.
    #[error("a word of a phrase has more than {WORD_BYTES} bytes")]
    WordTooLong,
}

impl Phrase {
    pub(super) fn parse(raw: &str) -> Result<Self, BadPhrase> {
        let (start, text) = match raw.trim_start().strip_prefix('^') {
            Some(rest) => (Start::Title, rest),
            None => (Start::Anywhere, raw),
        };
        let mut found: Vec<Word> = Vec::new();
        for (place, part) in text.replace("...", "…").split('…').enumerate() {
            for (number, word) in words(part).into_iter().enumerate() {
                let is_gap = place > 0 && number == 0 && !found.is_empty();
                let before = if is_gap { Before::Gap } else { Before::Fillers };
                if word.len() > WORD_BYTES {
                    return Err(BadPhrase::WordTooLong);
                }
                found.push(Word { before, forms: Forms::of(&word) });
            }
        }
        if found.is_empty() {
            return Err(BadPhrase::NoWord);
        }
        if found.len() > PHRASE_WORDS {
            return Err(BadPhrase::TooLong);
        }
        let written = raw.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(Self { written: written.into(), start, words: found })
    }

    /// Reports whether the words of a title have the phrase in them. A word of `others`, in a gap or
    /// right behind the phrase, means that the title is about something else.
    pub(super) fn is_in(&self, title: &[String], others: &[&str]) -> bool {
        let begins = |start: usize| self.begins(title.get(start..).unwrap_or_default(), others);
        match self.start {
            Start::Anywhere => (0..title.len()).any(begins),
            Start::Title => begins(0) || begins(label_of(title)),
        }
    }

    fn begins(&self, mut title: &[String], others: &[&str]) -> bool {
        let is_filler = |word: &str| FILLERS.contains(&word);
        let is_other = |word: &str| others.contains(&word);
        for (number, wanted) in self.words.iter().enumerate() {
            let (mut fillers, mut gap) = match (number, wanted.before) {
                (0, _) => (0, 0),
                (_, Before::Fillers) => (FILLERS_IN_A_ROW, 0),
                (_, Before::Gap) => (FILLERS_IN_A_ROW, GAP_WORDS),
            };
            loop {
                let Some((word, rest)) = title.split_first() else { return false };
                title = rest;
                if wanted.forms.has(word) {
                    break;
                }
                let room = if is_filler(word) {
                    &mut fillers
                } else if LINKS.contains(&word.as_str()) || is_other(word) {
                    return false;
                } else {
                    &mut gap
                };
                if *room == 0 {
                    return false;
                }
                *room -= 1;
            }
        }
        !title.first().is_some_and(|next| is_other(next))
    }
}

/// Returns how many words of a title only number it.
fn label_of(title: &[String]) -> usize {
    let is_label = |word: &String| LABELS.contains(&word.as_str());
    let is_number = |word: &String| word.starts_with(|c: char| c.is_ascii_digit());
    match title {
        [label, number, ..] if is_label(label) && is_number(number) => 2,
        _ => 0,
    }
}

/// Returns the words of a title without those that only number it.
pub(super) fn unlabelled(title: &[String]) -> &[String] {
    title.get(label_of(title)..).unwrap_or_default()
}

impl fmt::Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

/// Returns the words of a text, folded.
pub(super) fn words(text: &str) -> Vec<String> {
    let folded = folded(text);
    let words = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// A word and its plain inflections.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Forms(Vec<String>);

impl Forms {
    fn of(word: &str) -> Self {
        let mut forms = vec![word.to_owned(), format!("{word}s")];
        if word.chars().count() < INFLECTED_CHARACTERS {
            return Self(forms);
        }
        if let Some(stem) = word.strip_suffix('e') {
            forms.extend([format!("{stem}ed"), format!("{stem}ing")]);
        } else if let Some(stem) = word.strip_suffix('y') {
            forms.extend([format!("{stem}ies"), format!("{stem}ied"), format!("{word}ing")]);
        } else {
            forms.extend(["es", "ed", "ing"].map(|ending| format!("{word}{ending}")));
            // `plan`, `planned`, `planning`; where the last letter is not doubled, nobody writes so.
            if let Some(last) = word.chars().next_back() {
                forms.extend(["ed", "ing"].map(|ending| format!("{word}{last}{ending}")));
            }
        }
        Self(forms)
    }

    fn has(&self, word: &str) -> bool {
        self.0.iter().any(|form| form == word)
    }
}
