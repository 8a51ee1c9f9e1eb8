//! Ranking skills for a request, and knowing when none fits.
//!
//! What calls a skill outright (its name, a trigger of its author, a file it is for) comes first.
//! The rest is ranked by words: the lists of words give scores, this room makes them comparable,
//! adds them up and says how much of the request the best skill really covers. A rank alone never
//! makes a skill fit.

mod cues;
mod request;

use std::collections::BTreeMap;

pub use cues::{Call, Calls, about, cues};
pub use request::Request;

/// What each list adds to a score. Each list is first divided by its own best, so that these are
/// comparable. They were chosen on questions that skills' own authors wrote, see
/// `pacenote bench skills`.
const WORDS: f64 = 1.0;
const BODIES: f64 = 1.3;
const PAIRS: f64 = 0.4;
const QUOTED: f64 = 0.4;

/// The best score a skill can have by words alone; above it are those that were called.
const BY_WORDS: f64 = 0.7;

/// What a word that no skill has counts for, compared with one that a single skill has. A request is
/// full of names that no skill can know, so they weigh less than what it is about.
const UNKNOWN_WORD: f64 = 0.5;

/// How much of a request, weighted by how telling each word is, a skill must have to be offered.
const COVERED: f64 = 0.2;

/// How much it must have to be offered unasked.
const WELL_COVERED: f64 = 0.36;

/// Long requests are never covered; so many words' worth that few skills have are enough.
const TELLING_WORDS: f64 = 1.5;

/// The least, in the same measure, below which a part of a request proves nothing.
const LEAST_TELLING: f64 = 0.5;

/// A skill that has nearly all of a request fits however common the words are.
const NEARLY_ALL: f64 = 0.8;

/// What a skill must have of the best one's score; below that it has some words by chance.
const IN_REACH: f64 = 0.3;

/// What is known about one skill that has something of the request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// The skill's file.
    pub path: String,
    /// Its score in the list of names and descriptions.
    pub words: f64,
    /// Its score in the list with the bodies.
    pub bodies: f64,
    /// Its score for words that stand side by side.
    pub pairs: f64,
    /// Its score for phrases that its description quotes.
    pub quoted: f64,
    /// The request's words that its name and description have, by their place.
    pub in_words: Vec<usize>,
    /// The request's words that it has anywhere, by their place.
    pub anywhere: Vec<usize>,
    /// What called it outright.
    pub call: Option<Call>,
}

/// How telling each word of a request is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// How many skills there are.
    pub documents: u64,
    /// How many of them have each word.
    pub frequencies: Vec<u64>,
}

/// A skill with its place in the answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    /// The skill's file.
    pub path: String,
    /// How well it fits, from 0 to 1.
    pub score: f64,
    /// Why it is there.
    pub why: Why,
    /// Whether it can be offered unasked.
    pub fit: Fit,
}

/// Why a skill is in the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// It was called outright.
    Called(Call),
    /// It has words of the request: in its name or description, and only in its body.
    Words {
        /// Those in its name or description.
        about: Vec<String>,
        /// Those in its body alone.
        body: Vec<String>,
    },
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Called(call) => std::fmt::Display::fmt(call, f),
            Self::Words { about, body } => {
                let parts = [("is about", about), ("mentions", body)];
                let told = parts.iter().filter(|(_, words)| !words.is_empty());
                let told: Vec<String> =
                    told.map(|(verb, words)| format!("{verb} {}", words.join(", "))).collect();
                f.write_str(&told.join("; "))
            }
        }
    }
}

/// How sure the answer is, the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// It was called, or covers the request well.
    Good,
    /// Worth a look when somebody asks.
    Possible,
}

/// Ranks skills for a request, the best first; nothing when none fits.
pub fn rank(request: &Request, statistics: &Statistics, evidence: Vec<Evidence>) -> Vec<Ranked> {
    let best = Best::of(&evidence);
    let telling = Telling::of(statistics);
    let mut scored: Vec<(f64, Evidence)> =
        evidence.into_iter().map(|one| (best.share(&one), one)).collect();
    scored.sort_by(|(score, one), (other_score, other)| {
        other_score.total_cmp(score).then_with(|| one.path.cmp(&other.path))
    });
    // Whether the words say anything is decided by the one that has the most of them.
    let by_words = scored.iter().find(|(_, one)| one.call.is_none());
    let fit = by_words.and_then(|(_, one)| telling.fit(one));
    let least = scored.first().map_or(0.0, |(share, _)| IN_REACH * share);
    let mut ranked: Vec<Ranked> = scored
        .into_iter()
        .filter_map(|(share, one)| {
            let fit =
                if one.call.is_some() { Some(Fit::Good) } else { fit.filter(|_| share >= least) };
            Some(placed(request, share, one, fit?))
        })
        .collect();
    ranked.sort_by(|one, other| {
        other.score.total_cmp(&one.score).then_with(|| one.path.cmp(&other.path))
    });
    ranked
}

fn placed(request: &Request, share: f64, one: Evidence, fit: Fit) -> Ranked {
    let word = |at: &usize| request.words().get(*at).cloned();
    let (score, why) = if let Some(call) = one.call {
        (call.score(share), Why::Called(call))
    } else {
        let body = one.anywhere.iter().filter(|at| !one.in_words.contains(at));
        let words = Why::Words {
            about: one.in_words.iter().filter_map(word).collect(),
            body: body.filter_map(word).collect(),
        };
        (BY_WORDS * share, words)
    };
    Ranked { path: one.path, score, why, fit }
}

/// The best score of each list.
struct Best {
    words: f64,
    bodies: f64,
    pairs: f64,
    quoted: f64,
}

impl Best {
    fn of(evidence: &[Evidence]) -> Self {
        let best = |score: fn(&Evidence) -> f64| evidence.iter().map(score).fold(0.0, f64::max);
        Self {
            words: best(|one| one.words),
            bodies: best(|one| one.bodies),
            pairs: best(|one| one.pairs),
            quoted: best(|one| one.quoted),
        }
    }

    /// Returns what a skill has of the best of all lists, from 0 to 1.
    fn share(&self, one: &Evidence) -> f64 {
        let part = |weight: f64, score: f64, best: f64| {
            if best > 0.0 { weight * score.max(0.0) / best } else { 0.0 }
        };
        let sum = part(WORDS, one.words, self.words)
            + part(BODIES, one.bodies, self.bodies)
            + part(PAIRS, one.pairs, self.pairs)
            + part(QUOTED, one.quoted, self.quoted);
        sum / (WORDS + BODIES + PAIRS + QUOTED)
    }
}

/// What each word of a request weighs.
struct Telling {
    weights: Vec<f64>,
    /// What a word that one skill has weighs.
    rare: f64,
}

impl Telling {
    fn of(statistics: &Statistics) -> Self {
        let rare = telling(statistics.documents, 1);
        let weights = statistics.frequencies.iter().map(|frequency| match frequency {
            0 => UNKNOWN_WORD * rare,
            some => telling(statistics.documents, *some),
        });
        Self { weights: weights.collect(), rare }
    }

    fn fit(&self, one: &Evidence) -> Option<Fit> {
        let all: f64 = self.weights.iter().sum();
        let weight = |at: &usize| self.weights.get(*at).copied().unwrap_or_default();
        let has: f64 = one.anywhere.iter().map(weight).sum();
        // A skill that says nothing of it about itself mentions it by chance.
        if one.in_words.is_empty() || all <= 0.0 || self.rare <= 0.0 {
            return None;
        }
        let (covered, words) = (has / all, has / self.rare);
        let proves = words >= LEAST_TELLING || covered >= NEARLY_ALL;
        if words >= TELLING_WORDS || (covered >= WELL_COVERED && proves) {
            Some(Fit::Good)
        } else if covered >= COVERED && proves {
            Some(Fit::Possible)
        } else {
            None
        }
    }
}

/// Returns how telling it is that a skill has a word that so many have.
#[expect(clippy::cast_precision_loss, reason = "counts of skills are far below 2^52")]
fn telling(documents: u64, frequency: u64) -> f64 {
    let (documents, frequency) = (documents.max(frequency) as f64, frequency as f64);
    ((documents - frequency + 0.5) / (frequency + 0.5)).ln_1p()
}

/// Returns what a phrase that a description quotes adds: its words, the less the more skills quote it.
fn quoted_score(words: usize, skills: usize) -> f64 {
    let count = |count: usize| u32::try_from(count).map_or(f64::MAX, f64::from);
    count(words) / (1.0 + count(skills.max(1)).ln())
}

/// Joins what the lists found with what was called, by file.
pub fn gather(
    found: impl IntoIterator<Item = Evidence>,
    calls: BTreeMap<String, Calls>,
) -> Vec<Evidence> {
    let mut all: BTreeMap<String, Evidence> = BTreeMap::new();
    for one in found {
        let known = all
            .entry(one.path.clone())
            .or_insert_with(|| Evidence { path: one.path.clone(), ..Evidence::default() });
        known.words += one.words;
        known.bodies += one.bodies;
        known.pairs += one.pairs;
        join(&mut known.in_words, one.in_words);
        join(&mut known.anywhere, one.anywhere);
    }
    for (path, calls) in calls {
        let known =
            all.entry(path.clone()).or_insert_with(|| Evidence { path, ..Evidence::default() });
        known.call = calls.call;
        known.quoted = calls.quoted;
    }
    all.into_values().collect()
}

fn join(known: &mut Vec<usize>, more: Vec<usize>) {
    known.extend(more);
    known.sort_unstable();
    known.dedup();
}

#[cfg(test)]
mod tests;
