//! What calls a skill outright, and by what words it is found.

use std::{collections::BTreeMap, fmt};

use pacenote_model::{Cue, CueKind, PathPattern};

use super::{
    quoted_score,
    request::{Request, word_count},
};
use crate::skill::Skill;

/// Most cues of one kind that are taken from a skill; the longest real list of triggers has forty.
const CUES: usize = 64;

/// Longest cue, in bytes: a phrase, not a paragraph.
const CUE_BYTES: usize = 120;

/// Fewest letters of a phrase that a description quotes; shorter ones are parts of speech.
const QUOTED_LETTERS: usize = 3;

/// Quotation marks as they open and close.
const QUOTES: [(char, char); 3] = [('"', '"'), ('“', '”'), ('‘', '’')];

/// Why a skill was called outright.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    /// The request names it.
    Name(String),
    /// The request has a phrase that its author lists.
    Phrase(String),
    /// The request is about a file that it is for.
    Path {
        /// The pattern of the skill.
        pattern: String,
        /// The file.
        path: String,
    },
}

impl Call {
    /// Returns the score: names before phrases before paths, and among equals the words decide.
    pub(super) fn score(&self, share: f64) -> f64 {
        const STEP: f64 = 0.1;
        match self {
            Self::Name(_) => 1.0 - STEP + STEP * share,
            Self::Phrase(_) => 1.0 - 2.0 * STEP + STEP * share,
            Self::Path { .. } => 1.0 - 3.0 * STEP + STEP * share,
        }
    }

    /// The smaller, the stronger.
    const fn strength(&self) -> u8 {
        match self {
            Self::Name(_) => 0,
            Self::Phrase(_) => 1,
            Self::Path { .. } => 2,
        }
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "the request names `{name}`"),
            Self::Phrase(phrase) => write!(f, "the request has its trigger `{phrase}`"),
            Self::Path { pattern, path } => write!(f, "`{path}` is a file for it (`{pattern}`)"),
        }
    }
}

/// What of a skill's cues is in a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Calls {
    /// The strongest call.
    pub call: Option<Call>,
    /// What the phrases that its description quotes add.
    pub quoted: f64,
}

impl Calls {
    /// Looks for the cues of all skills in a request; skills without any are left out.
    pub fn in_request<'c>(
        request: &Request,
        cues: impl IntoIterator<Item = (&'c str, &'c Cue)>,
    ) -> BTreeMap<String, Self> {
        let mut found: BTreeMap<String, Self> = BTreeMap::new();
        let mut quotes: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for (path, cue) in cues {
            let call = match cue.kind {
                CueKind::Name => request.names(&cue.text).then(|| Call::Name(cue.text.clone())),
                CueKind::Phrase => {
                    request.has_phrase(&cue.text).then(|| Call::Phrase(cue.text.clone()))
                }
                CueKind::Path => for_path(request, &cue.text),
                CueKind::Quoted => {
                    if request.has_phrase(&cue.text) {
                        quotes.entry(cue.text.to_lowercase()).or_default().push(path);
                    }
                    None
                }
            };
            if let Some(call) = call {
                found.entry(path.to_owned()).or_default().take(call);
            }
        }
        for (phrase, paths) in quotes {
            for path in &paths {
                let score = quoted_score(word_count(&phrase), paths.len());
                found.entry((*path).to_owned()).or_default().quoted += score;
            }
        }
        found
    }

    /// Keeps the stronger call; the longer phrase among phrases.
    fn take(&mut self, call: Call) {
        let order = |call: &Call| match call {
            Call::Name(text) | Call::Phrase(text) => (call.strength(), usize::MAX - text.len()),
            Call::Path { .. } => (call.strength(), 0),
        };
        if self.call.as_ref().is_none_or(|known| order(&call) < order(known)) {
            self.call = Some(call);
        }
    }
}

fn for_path(request: &Request, pattern: &str) -> Option<Call> {
    let parsed = PathPattern::parse(pattern).ok()?;
    let path = request.path_in(&parsed)?.as_str().to_owned();
    Some(Call::Path { pattern: pattern.to_owned(), path })
}

/// Returns what calls a skill: its names, its author's triggers, its files, and what its
/// description quotes.
pub fn cues(skill: &Skill) -> Vec<Cue> {
    let fields = &skill.fields;
    let mut cues = Vec::new();
    let names = [skill.name.as_str(), skill.key.as_str()].map(str::to_owned);
    add(&mut cues, CueKind::Name, names.into_iter().chain(fields.aliases.iter().cloned()));
    add(&mut cues, CueKind::Phrase, fields.triggers.iter().cloned());
    add(&mut cues, CueKind::Path, fields.paths.iter().cloned());
    let described = skill.description.iter().chain(&fields.when_to_use);
    add(&mut cues, CueKind::Quoted, described.flat_map(|text| quoted(text)));
    cues
}

fn add(cues: &mut Vec<Cue>, kind: CueKind, texts: impl Iterator<Item = String>) {
    let mut known: Vec<String> = Vec::new();
    for text in texts {
        let text = text.trim().to_owned();
        let fits = !text.is_empty() && text.len() <= CUE_BYTES && !text.contains(char::is_control);
        if fits && known.len() < CUES && !known.contains(&text) {
            known.push(text.clone());
            cues.push(Cue { kind, text });
        }
    }
}

/// Returns the phrases between quotation marks. An apostrophe is none: it has no other end.
fn quoted(text: &str) -> Vec<String> {
    let mut phrases = Vec::new();
    let mut rest = text;
    while let Some((opened, close)) = rest.char_indices().find_map(|(at, letter)| {
        let (_, close) = QUOTES.iter().find(|(open, _)| *open == letter)?;
        Some((at + letter.len_utf8(), *close))
    }) {
        let Some(after) = rest.get(opened..) else { break };
        let Some(end) = after.find(close) else {
            rest = after;
            continue;
        };
        let phrase = after.get(..end).unwrap_or_default();
        let phrase = phrase.trim().trim_end_matches([',', '.', ';']);
        if phrase.chars().filter(|letter| letter.is_alphanumeric()).count() >= QUOTED_LETTERS {
            phrases.push(phrase.to_owned());
        }
        rest = after.get(end + close.len_utf8()..).unwrap_or_default();
    }
    phrases
}

/// Returns everything a skill says it is for, in words.
pub fn about(skill: &Skill) -> String {
    let fields = &skill.fields;
    let texts = skill.description.iter().chain(&fields.when_to_use);
    let words = fields.triggers.iter().chain(&fields.tags).chain(&fields.aliases);
    texts.chain(words).cloned().collect::<Vec<_>>().join("\n")
}
