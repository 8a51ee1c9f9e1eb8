//! The words by which a text speaks of a review.
//!
//! Tables and questions about single words; what a message means is decided above.

use pacenote_model::Task;

/// The words in the title of a step that judges other steps.
pub(crate) const REVIEW_WORDS: [&str; 6] =
    ["review", "reviews", "audit", "approval", "validation", "verdict"];

/// The kinds of a review; the words of a row mean the same.
const KINDS: [&[&str]; 12] = [
    &["spec", "specs", "specification", "requirements"],
    &["code"],
    &["quality"],
    &["security"],
    &["design"],
    &["architecture"],
    &["performance"],
    &["accessibility"],
    &["documentation", "docs"],
    &["api"],
    &["ux", "ui"],
    &["plan"],
];

/// Kinds that mean a review even without the word: `Spec: PASS`.
const ALONE: [&str; 3] = ["spec", "quality", "security"];

/// Kinds that people use for each other.
pub(crate) const ALIKE: [&str; 2] = ["code", "quality"];

/// Words before `review` that name no kind.
const PLAIN: &str = "a the this that my your our his her their and first second third another full \
    quick peer re compliance task step result of is so whole";

/// Words before a review that is not the one spoken of: `ready for spec review`.
const BEFORE_ANOTHER: [&str; 9] =
    ["for", "after", "from", "per", "since", "during", "to", "before", "until"];

/// Words after `review` that make it something else: `review fixes`.
const AFTER_ANOTHER: [&str; 8] =
    ["fixes", "fix", "findings", "comments", "feedback", "remarks", "notes", "app"];

/// Words beside a review that is still to come.
const TO_COME: &str = "start starts started starting begin begins began beginning pending next can \
    need needs waiting awaiting progress doing";

/// What fails or passes beside the tasks, and names its own matter.
pub(crate) const MATTERS: &str = "deploy deployed deployment deployments staging production prod release \
    rollout pipeline migration server outage backup job";

/// What may hold the work of the step, or any other.
pub(crate) const REQUESTS: [&str; 4] = ["pr", "prs", "mr", "pull"];

/// What is another project's, unless a task is named with it.
pub(crate) const REPOSITORIES: [&str; 4] = ["repo", "repos", "repository", "repositories"];

/// What may stand in a clause beside the words of its verdict: `it is approved by me`.
pub(crate) const BARE: &str = "all it this that was has have been i me by to a an the not yet does did \
    doesn't didn't with found any everything and result task t";

/// Words before a number that count something else than tasks.
pub(crate) const COUNTED: [&str; 8] =
    ["pr", "mr", "issue", "request", "mail", "message", "ticket", "finding"];

/// Tells whether a step judges others.
pub(crate) fn is_review(step: &Task) -> bool {
    has_word(step, &REVIEW_WORDS)
}

/// Tells whether the title of a task has one of the words.
pub(crate) fn has_word(task: &Task, words: &[&str]) -> bool {
    words_of(task.title.as_str()).iter().any(|word| words.contains(&word.as_str()))
}

/// Returns the reviews that the words speak of, with the kinds that each names.
pub(crate) fn reviews_in(words: &[&str]) -> Vec<Vec<String>> {
    let kind_words = || words.iter().filter_map(|word| kind_of(word));
    if kind_words().count() == words.len() && kind_words().any(|kind| ALONE.contains(&kind)) {
        return Vec::from([kind_words().map(str::to_owned).collect()]);
    }
    let is_noun = |word: &str| REVIEW_WORDS.contains(&word) || word == "reviewed";
    let places = words.iter().enumerate().filter(|(_, word)| is_noun(word));
    places.filter_map(|(at, _)| review_at(words, at)).collect()
}

/// Returns the kinds of the review at a place; `None` where it is not the one spoken of.
fn review_at(words: &[&str], at: usize) -> Option<Vec<String>> {
    let (before, after) = (words.get(..at)?, words.get(at + 1));
    let is_kind = |word: &&&str| kind_of(word).is_some() || **word == "compliance";
    let named = before.iter().rev().take_while(is_kind).count();
    let (rest, named) = before.split_at(before.len() - named);
    let mut kinds: Vec<String> =
        named.iter().filter_map(|word| kind_of(word)).map(str::to_owned).collect();
    let mut lead = rest.iter().rev().skip_while(|word| is_among(PLAIN, word));
    let is_another = lead.next().is_some_and(|word| BEFORE_ANOTHER.contains(word))
        || after.is_some_and(|word| AFTER_ANOTHER.contains(word));
    // A word that is not known is taken for a kind: `dependency review`.
    let unknown = rest.last().filter(|word| !is_among(PLAIN, word) && !is_number(word));
    if kinds.is_empty() && words.get(at) != Some(&"reviewed") {
        kinds.extend(unknown.map(|word| (*word).to_owned()));
    }
    (!is_another).then_some(kinds)
}

pub(crate) fn kind_of(word: &str) -> Option<&'static str> {
    KINDS.iter().find(|row| row.contains(&word)).and_then(|row| row.first().copied())
}

/// Tells whether the words speak of a review that is still to come.
pub(crate) fn is_to_come(words: &[&str]) -> bool {
    words.iter().any(|word| is_among(TO_COME, word))
}

pub(crate) fn is_among(words: &str, word: &str) -> bool {
    words.split(' ').any(|one| one == word)
}

pub(crate) fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

pub(crate) fn words_of(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let parts = lower.split(|c: char| !c.is_alphanumeric() && c != '\'');
    parts.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}
