//! Phrases that are looked for in titles: whole words, in order, whatever the case.
//!
//! A word also stands for its plain inflections (`merge`: `merges`, `merged`, `merging`), and small
//! words may stand between two words of a phrase: `write plan` is in "Writing the plan". A word
//! within another is never meant: `PR` is not in "print".

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

/// Shortest word with inflections; a shorter one has its plural only (`PRs`).
const INFLECTED_CHARACTERS: usize = 3;

/// Words to look for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Phrase {
    written: Box<str>,
    words: Vec<Forms>,
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
        let words = words(raw);
        if words.is_empty() {
            return Err(BadPhrase::NoWord);
        }
        if words.len() > PHRASE_WORDS {
            return Err(BadPhrase::TooLong);
        }
        if words.iter().any(|word| word.len() > WORD_BYTES) {
            return Err(BadPhrase::WordTooLong);
        }
        let written = raw.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(Self {
            written: written.into(),
            words: words.iter().map(|word| Forms::of(word)).collect(),
        })
    }

    /// Tells whether the words of a title have the phrase in them.
    pub(super) fn is_in(&self, title: &[String]) -> bool {
        (0..title.len()).any(|start| self.begins(title.get(start..).unwrap_or_default()))
    }

    fn begins(&self, mut title: &[String]) -> bool {
        for (number, forms) in self.words.iter().enumerate() {
            let is_filler = |word: &&String| FILLERS.contains(&word.as_str());
            let most = if number == 0 { 0 } else { FILLERS_IN_A_ROW };
            let mut skipped = 0;
            loop {
                let Some((word, rest)) = title.split_first() else { return false };
                title = rest;
                if forms.has(word) {
                    break;
                }
                skipped += 1;
                if skipped > most || !is_filler(&word) {
                    return false;
                }
            }
        }
        true
    }
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
