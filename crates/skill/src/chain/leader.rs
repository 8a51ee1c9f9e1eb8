//! The words that announce the names of skills.

use super::{Kind, passage::Role, word::Word};

/// Words that announce names, in their sentence and in a list that follows at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leader {
    /// The skills that come next, or are needed.
    Points(Kind, Trust),
    /// The skills that come before: it is they who name this one.
    Callers,
}

/// How sure it is that skills are announced and nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// What is named is a skill even if there is none of that name.
    Firm,
    /// Other things are announced in the same words, so only skills that there are count.
    Loose,
}

/// The word itself.
pub(super) const SKILL: [&str; 2] = ["skill", "skills"];

/// Verbs before `the … skill`.
const VERBS: [&str; 21] = [
    "use", "uses", "using", "invoke", "invokes", "invoking", "load", "loads", "loading", "run",
    "runs", "call", "calls", "calling", "see", "via", "follow", "follows", "apply", "activate",
    "read",
];

/// Words that may stand between a verb and a name.
const ARTICLES: [&str; 6] = ["the", "our", "your", "its", "my", "their"];

/// Words that may stand between a leader and the first name.
const OPENINGS: [&str; 6] = ["skill", "skills", "and", "or", "then", "a"];

/// Returns the leader that begins at a word, and its length in words.
pub(super) fn leader(role: Role, words: &[Word<'_>], at: usize) -> Option<(Leader, usize)> {
    let word = words.get(at)?;
    let next = words.get(at + 1).filter(|_| word.is_beside_next());
    let third = words.get(at + 2).filter(|_| next.is_some_and(Word::is_beside_next));
    let is_last = |length: usize| role == Role::Heading && words.len() == at + length;
    // What is announced follows a colon, or the heading that the leader is.
    let ends = |last: &Word<'_>, length: usize| last.has_colon() || is_last(length);
    if let Some(next) = next
        && word.is_one_of(&["called", "used", "invoked", "referenced", "required"])
        && next.is_one_of(&["by", "from"])
    {
        return ends(next, 2).then_some((Leader::Callers, 2));
    }
    if word.is_one_of(&["required"]) {
        return required(word, next, third, &ends);
    }
    if word.is_one_of(&["calls", "invokes"]) {
        let is_leader = word.has_colon() && begins_line(words, at);
        return is_leader.then_some((Leader::Points(Kind::Calls, Trust::Firm), 1));
    }
    let next = next.filter(|next| word.is_one_of(&["next"]) && next.is_one_of(&SKILL))?;
    let precedes = Leader::Points(Kind::Precedes, Trust::Firm);
    let is = third.is_some_and(|third| third.is_one_of(&["is", "are"]));
    if is { Some((precedes, 3)) } else { ends(next, 2).then_some((precedes, 2)) }
}

/// Returns the leader that begins with `required`.
fn required(
    word: &Word<'_>,
    next: Option<&Word<'_>>,
    third: Option<&Word<'_>>,
    ends: &dyn Fn(&Word<'_>, usize) -> bool,
) -> Option<(Leader, usize)> {
    let shouts = word.text == "REQUIRED";
    let requires = |trust| Leader::Points(Kind::Requires, trust);
    if let Some(next) = next {
        if next.is_one_of(&["sub-skill", "sub-skills", "subskill"]) {
            return (shouts || ends(next, 2)).then_some((requires(Trust::Firm), 2));
        }
        if next.is_one_of(&["background"]) {
            let builds_on = Leader::Points(Kind::BuildsOn, Trust::Firm);
            return (shouts || next.has_colon()).then_some((builds_on, 2));
        }
        if next.is_one_of(&SKILL) && ends(next, 2) {
            return Some((requires(Trust::Loose), 2));
        }
    }
    // `Required workflow skills:`
    if third.is_some_and(|third| third.is_one_of(&SKILL) && ends(third, 3)) {
        return Some((requires(Trust::Loose), 3));
    }
    (shouts && word.has_colon()).then_some((requires(Trust::Loose), 1))
}

/// Tells whether an arrow, `use the` or a like verb stands before a word.
pub(super) fn is_asked_for(words: &[Word<'_>], at: usize) -> bool {
    let place = |back: usize| at.checked_sub(back).and_then(|place| words.get(place));
    let before = |back: usize| place(back).filter(|word| word.is_beside_next());
    if place(1).is_some_and(|word| word.gap.contains(['→', '▼']) || word.gap.contains("->")) {
        return true;
    }
    let back = if before(1).is_some_and(|word| word.is_one_of(&ARTICLES)) { 2 } else { 1 };
    let is_verb = before(back).is_some_and(|verb| verb.is_one_of(&VERBS));
    let is_refused = before(back + 1).is_some_and(|word| word.is_one_of(&["not", "never"]));
    is_verb && !is_refused
}

/// Tells whether a word may stand before the names that a leader announces.
pub(super) fn is_opening(word: &Word<'_>) -> bool {
    word.is_one_of(&VERBS) || word.is_one_of(&ARTICLES) || word.is_one_of(&OPENINGS)
}

fn begins_line(words: &[Word<'_>], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    before.is_none_or(|before| before.gap.contains(['\n', '.', ';']))
}
