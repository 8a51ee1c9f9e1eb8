//! What somebody wants, as the words that skills are looked for by.

use pacenote_model::PathPattern;

/// Most bytes of a request that are looked at. A prompt may hold a whole log; what it wants stands
/// at its beginning.
const REQUEST_BYTES: usize = 8 * 1024;

/// Most words that are looked for: past this a request is a document, and each word costs a search.
const WORDS: usize = 48;

/// Longest word that is looked for, in bytes; longer ones are keys and encoded data.
const WORD_BYTES: usize = 64;

/// Most paths that are looked at.
const PATHS: usize = 32;

/// Words that every request has. The list is short on purpose: what is common in skills is found out
/// by counting.
const IDLE: [&str; 31] = [
    "a", "an", "and", "are", "as", "at", "be", "by", "can", "do", "for", "from", "i", "in", "is",
    "it", "me", "my", "of", "on", "or", "our", "that", "the", "this", "to", "was", "we", "with",
    "you", "your",
];

/// A request, taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    words: Vec<String>,
    pairs: Vec<(String, String)>,
    phrase: String,
    written: String,
    paths: Vec<PathPattern>,
}

impl Request {
    /// Takes a request apart; whatever it is, there is an answer.
    pub fn parse(raw: &str) -> Self {
        let raw = raw.get(..raw.floor_char_boundary(REQUEST_BYTES)).unwrap_or_default();
        let all: Vec<String> = words_of(raw).collect();
        let mut words: Vec<String> = Vec::new();
        for word in &all {
            if words.len() < WORDS && is_telling(word) && !words.contains(word) {
                words.push(word.clone());
            }
        }
        let mut pairs: Vec<(String, String)> = Vec::new();
        for (one, next) in all.iter().zip(all.iter().skip(1)) {
            let pair = (one.clone(), next.clone());
            if pairs.len() < WORDS && is_telling(one) && is_telling(next) && !pairs.contains(&pair)
            {
                pairs.push(pair);
            }
        }
        Self {
            words,
            pairs,
            phrase: surrounded(&all),
            written: raw.to_lowercase(),
            paths: raw.split_whitespace().filter_map(path).take(PATHS).collect(),
        }
    }

    /// Returns the words, each once, in the order of the request.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Returns the words that stand side by side.
    pub fn pairs(&self) -> &[(String, String)] {
        &self.pairs
    }

    /// Tells whether the request has the words of a phrase, whole and in their order.
    pub fn has_phrase(&self, phrase: &str) -> bool {
        let phrase = surrounded(&words_of(phrase).collect::<Vec<_>>());
        phrase.len() > 2 && self.phrase.contains(&phrase)
    }

    /// Tells whether the request is this name, or has it written out: a name of several parts is
    /// no accident, one of a single word may be.
    pub fn names(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        if name.is_empty() {
            return false;
        }
        if self.written.trim() == name {
            return true;
        }
        let has_parts = name.contains(['-', ':', '/', '_']);
        let inside = |letter: char| letter.is_alphanumeric() || ['-', '_'].contains(&letter);
        has_parts
            && self.written.match_indices(&name).any(|(at, found)| {
                let before = self.written.get(..at).and_then(|text| text.chars().next_back());
                let rest = self.written.get(at + found.len()..);
                let after = rest.and_then(|text| text.chars().next());
                !before.is_some_and(inside) && !after.is_some_and(inside)
            })
    }

    /// Returns the first path of the request that a pattern covers.
    pub fn path_in(&self, pattern: &PathPattern) -> Option<&PathPattern> {
        self.paths.iter().find(|path| pattern.overlaps(path))
    }
}

/// Returns how many words a phrase has.
pub(super) fn word_count(phrase: &str) -> usize {
    words_of(phrase).count()
}

fn words_of(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty() && word.len() <= WORD_BYTES);
    // Lower case can bring a mark of its own: `İ` becomes an `i` and a dot above it.
    words
        .map(|word| word.to_lowercase().chars().filter(|letter| letter.is_alphanumeric()).collect())
}

fn is_telling(word: &str) -> bool {
    !IDLE.contains(&word)
}

/// Words between single spaces, with one at each end, so that a search finds whole words only.
fn surrounded(words: &[String]) -> String {
    format!(" {} ", words.join(" "))
}

/// A word that looks like a path: it has a directory or an extension.
fn path(word: &str) -> Option<PathPattern> {
    let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric() && letter != '.');
    let bare = bare.trim_end_matches('.');
    let has_extension = bare
        .rsplit_once('.')
        .is_some_and(|(stem, extension)| !stem.is_empty() && (1..=8).contains(&extension.len()));
    let is_path = (bare.contains('/') || has_extension) && !bare.contains(['*', '?']);
    is_path.then(|| PathPattern::parse(bare.trim_start_matches('/')).ok()).flatten()
}
