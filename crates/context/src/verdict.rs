//! What a message says about a piece of work, told from its words.
//!
//! It is a reading for a suggestion, never a decision: an agent does what follows or does not. When
//! in doubt a message says nothing.

use std::collections::BTreeSet;

use crate::review_words::{is_to_come, reviews_in};

/// How much of a message is read, in characters: a verdict stands at its beginning.
const READ_CHARACTERS: usize = 4_000;

/// How many words before a phrase may turn it round: `not`, `not yet`, `has not been`.
const REACH: usize = 3;

/// What a message says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// A review passed.
    Passed,
    /// A review did not pass.
    Failed,
    /// A piece of work is finished and can be looked at.
    Finished,
    /// That it passed and that it did not: the reader has to see which of it is about what.
    Mixed,
    /// Nothing that is clear.
    Silent,
}

/// Says that a review passed.
const PASSED: [&[&str]; 11] = [
    &["approved"],
    &["approve"],
    &["passed"],
    &["passes"],
    &["pass"],
    &["lgtm"],
    &["looks", "good"],
    &["no", "issues"],
    &["no", "findings"],
    &["no", "problems"],
    &["requirements", "met"],
];

/// Says that a review did not pass.
const FAILED: [&[&str]; 17] = [
    &["fail"],
    &["fails"],
    &["failed"],
    &["rejected"],
    &["changes", "requested"],
    &["request", "changes"],
    &["requesting", "changes"],
    &["changes", "needed"],
    &["changes", "required"],
    &["needs", "changes"],
    &["needs", "work"],
    &["must", "fix"],
    &["blocking"],
    &["requirement", "missing"],
    &["requirements", "missing"],
    &["requirement", "is", "missing"],
    &["requirements", "are", "missing"],
];

/// What a review may have found.
const FOUND: [&[&str]; 6] =
    [&["issue"], &["issues"], &["finding"], &["findings"], &["problems"], &["missing"]];

/// Says that a piece of work can be looked at.
const FINISHED: [&[&str]; 2] = [&["ready", "for", "review"], &["implemented"]];

/// Says that something is over: a review where the sentence names one, else a piece of work. How a
/// review ended is to be seen from the rest.
const OVER: [&[&str]; 4] = [&["done"], &["complete"], &["completed"], &["finished"]];

/// Stands beside one of these where the review was named before: `Spec review of Task 2: it is done`.
const IT_IS: [&str; 6] = ["it", "is", "all", "now", "this", "that"];

/// Turns round what follows, like every word in `n't`.
const NOT: [&str; 10] =
    ["not", "no", "never", "cannot", "without", "nothing", "none", "zero", "0", "nor"];

/// Makes a wish, a plan or a condition of what follows in its sentence.
const PERHAPS: [&str; 16] = [
    "if", "when", "once", "until", "unless", "before", "whether", "should", "would", "could",
    "will", "must", "may", "might", "please", "let",
];

/// What passes or fails without being a review.
const TESTS: [&str; 10] =
    ["test", "tests", "build", "builds", "lint", "clippy", "ci", "suite", "compile", "checks"];

/// A message as it was read.
pub(crate) struct Reading {
    /// What it says.
    pub(crate) verdict: Verdict,
    clauses: Vec<Clause>,
}

/// Words that belong together.
pub(crate) struct Clause {
    pub(crate) words: Vec<String>,
    sentence: usize,
    signs: BTreeSet<Sign>,
}

/// Where in a message something stands, seen from the clauses that make its verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stretch {
    /// In these clauses.
    Verdict,
    /// Before them in the same sentence: `Spec review of Task 2: PASS`.
    Lead,
    /// After them in the same sentence: `Approved (Task 2)`.
    Trail,
    /// In a sentence before them, such as the subject of a mail.
    Above,
}

impl Reading {
    /// Reads a message. Lines that quote an earlier message are somebody else's words, and a question
    /// says nothing.
    pub(crate) fn of(message: &str) -> Self {
        let read: String = message.chars().take(READ_CHARACTERS).collect();
        let read = read.to_lowercase().replace('’', "'").replace('#', " # ");
        let own = read.lines().filter(|line| !line.trim_start().starts_with('>'));
        let sentences = own.flat_map(sentences_of);
        let stated = sentences.filter(|sentence| !sentence.ends_with('?')).enumerate();
        let clauses: Vec<Clause> = stated.flat_map(|(at, one)| clauses_of(at, one)).collect();
        let verdict = verdict_from(&clauses);
        Self { verdict, clauses }
    }

    /// Returns the clauses of a stretch.
    pub(crate) fn stretch(&self, stretch: Stretch) -> impl Iterator<Item = &Clause> {
        let is_work = self.verdict == Verdict::Finished;
        let decides = move |clause: &Clause| {
            clause.signs.iter().any(|sign| (*sign == Sign::Finished) == is_work)
        };
        let of_sentence = move |sentence: usize| {
            let places = self.clauses.iter().enumerate();
            places
                .filter(move |(_, one)| one.sentence == sentence && decides(one))
                .map(|(at, _)| at)
        };
        let first = self.clauses.iter().find(|clause| decides(clause)).map(|one| one.sentence);
        let is_in = move |at: usize, clause: &Clause| {
            let mut deciding = of_sentence(clause.sentence);
            match stretch {
                Stretch::Verdict => decides(clause),
                Stretch::Lead => !decides(clause) && deciding.any(|other| other > at),
                Stretch::Trail => {
                    let last = deciding.next_back();
                    last.is_some_and(|last| last < at)
                }
                Stretch::Above => first.is_some_and(|first| clause.sentence < first),
            }
        };
        let places = self.clauses.iter().enumerate();
        places.filter(move |(at, clause)| is_in(*at, clause)).map(|(_, clause)| clause)
    }
}

/// Splits a line into sentences; `Task 2.1` and `v1.2` go on.
fn sentences_of(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    core::iter::from_fn(move || {
        let goes_on = |at: usize| {
            let after = rest.get(at + 1..).and_then(|after| after.chars().next());
            rest.get(at..).is_some_and(|end| end.starts_with('.'))
                && after.is_some_and(char::is_alphanumeric)
        };
        let mut ends = rest.match_indices(['.', '!', '?']).map(|(at, _)| at);
        let end = ends.find(|at| !goes_on(*at)).map_or(rest.len(), |at| at + 1);
        let (sentence, after) = rest.split_at_checked(end)?;
        rest = after;
        (!sentence.is_empty()).then_some(sentence)
    })
}

/// Something that a clause can say.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sign {
    Passed,
    Failed,
    Reviewed,
    Found,
    Finished,
}

fn clauses_of(sentence: usize, text: &str) -> Vec<Clause> {
    let mut clauses: Vec<Clause> = Vec::new();
    let (mut is_perhaps, mut is_review, mut is_tests) = (false, false, false);
    for clause in text.split([',', ';', ':', '(', ')', '–', '—']) {
        let parts = clause.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '#');
        let words: Vec<&str> = parts.filter(|word| !word.is_empty()).collect();
        let signs = signs_in(&words, Context { is_perhaps, is_review, is_tests });
        // `Findings: none`.
        if let ([word], Some(before)) = (&*words, clauses.last_mut())
            && NOT.contains(word)
        {
            before.signs.remove(&Sign::Found);
        }
        is_review |= names_review(&words);
        is_perhaps |= words.iter().any(|word| PERHAPS.contains(word));
        // `Tests: PASS` is about the tests, `tests pass, approved` is not.
        let says = [&PASSED[..], &FAILED[..]].into_iter().any(|phrases| says_one(&words, phrases));
        is_tests = names_tests(&words) && !says && !is_review;
        let words = words.into_iter().map(str::to_owned).collect();
        clauses.push(Clause { words, sentence, signs });
    }
    clauses
}

/// What the clauses before say about one.
#[derive(Clone, Copy)]
struct Context {
    is_perhaps: bool,
    is_review: bool,
    is_tests: bool,
}

fn signs_in(words: &[&str], context: Context) -> BTreeSet<Sign> {
    let is_about_tests = context.is_tests || names_tests(words);
    let is_it = |word: &&str| IT_IS.contains(word) || OVER.iter().any(|over| over.contains(word));
    let is_review = context.is_review && words.iter().all(is_it);
    let mut signs = BTreeSet::new();
    for end in 1..=words.len() {
        let Some(read) = words.get(..end).filter(|_| !context.is_perhaps) else { continue };
        // `The review failed to start` says nothing.
        let is_attempt = words.get(end) == Some(&"to") && matches!(read, [.., "failed" | "fails"]);
        if is_attempt {
            continue;
        }
        let is_review = is_review || names_review(read);
        let over = if is_review { Sign::Reviewed } else { Sign::Finished };
        let said = [
            (&PASSED[..], Sign::Passed, Some(Sign::Failed)),
            (&FAILED[..], Sign::Failed, None),
            (&FOUND[..], Sign::Found, None),
            (&FINISHED[..], Sign::Finished, None),
            (&OVER[..], over, None),
        ];
        signs.extend(said.into_iter().filter_map(|(phrases, yes, no)| {
            match claim_of(read, phrases)? {
                Claim::Yes => Some(yes),
                Claim::No => no,
            }
        }));
    }
    if is_about_tests {
        signs.retain(|sign| !matches!(sign, Sign::Passed | Sign::Failed));
    }
    signs
}

fn verdict_from(clauses: &[Clause]) -> Verdict {
    let said = |sign: Sign| clauses.iter().any(|clause| clause.signs.contains(&sign));
    let over = (said(Sign::Reviewed), said(Sign::Found));
    match (said(Sign::Passed), said(Sign::Failed), over.0, over.1) {
        (true, false, _, _) | (false, false, true, false) => Verdict::Passed,
        (false, true, _, _) | (false, false, true, true) => Verdict::Failed,
        (false, false, false, _) if said(Sign::Finished) => Verdict::Finished,
        (false, false, false, _) => Verdict::Silent,
        (true, true, _, _) => Verdict::Mixed,
    }
}

/// Tells whether a review is spoken of that may be over.
fn names_review(words: &[&str]) -> bool {
    !is_to_come(words) && !reviews_in(words).is_empty()
}

fn names_tests(words: &[&str]) -> bool {
    words.iter().any(|word| TESTS.contains(word)) || counts_tests(words)
}

/// Tells whether a word belongs to a phrase that judges.
pub(crate) fn is_of_verdict(word: &str) -> bool {
    PASSED.iter().chain(&FAILED).any(|phrase| phrase.contains(&word))
}

fn says_one(words: &[&str], phrases: &[&[&str]]) -> bool {
    (1..=words.len())
        .filter_map(|end| words.get(..end))
        .any(|read| phrases.iter().any(|phrase| read.ends_with(phrase)))
}

/// Whether a phrase is said or denied.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Claim {
    Yes,
    No,
}

/// Tells whether a clause is like `12 passed` or `0 failed`, and not like `Task 1 passed`.
fn counts_tests(words: &[&str]) -> bool {
    let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let counts = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        words.get(at).is_some_and(is_number)
            && matches!(words.get(at + 1), Some(&("passed" | "failed")))
            && !matches!(before, Some(&("task" | "tasks" | "step" | "#" | "t" | "and")))
    };
    (0..words.len()).any(counts)
}

/// Finds out whether the words end in one of the phrases, and in which sense.
fn claim_of(words: &[&str], phrases: &[&[&str]]) -> Option<Claim> {
    let before = phrases.iter().find_map(|phrase| words.strip_suffix(*phrase))?;
    if before.iter().any(|word| PERHAPS.contains(word)) {
        return None;
    }
    let turns = |word: &&&str| NOT.contains(*word) || word.ends_with("n't");
    let near = before.iter().rev().take(REACH);
    Some(if near.filter(turns).count() % 2 == 1 { Claim::No } else { Claim::Yes })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn messages_are_read_as_people_mean_them() {
        use Verdict::{Failed, Finished, Mixed, Passed, Silent};
        for (message, verdict) in [
            ("Spec review complete. All requirements met, no extras added.", Passed),
            ("Review complete, approved with no issues", Passed),
            ("PASS\n\n- one suggestion", Passed),
            ("LGTM!", Passed),
            ("I found no issues.", Passed),
            ("Spec review passed; all tests pass.", Passed),
            ("Review done, no blocking issues.", Passed),
            ("Approved. Will merge when CI is green.", Passed),
            ("FAIL: the rate limit is missing", Failed),
            ("Not approved: the rate limit is missing.", Failed),
            ("It does not pass.", Failed),
            ("The review didn’t pass", Failed),
            ("This is not yet approved", Failed),
            ("Changes requested.", Failed),
            ("Review complete. 3 issues: see below.", Failed),
            ("Review complete. I found issues.", Failed),
            ("Review failed. All tests passed.", Failed),
            ("Code quality review of Task 1: PASS", Passed),
            ("Spec review of Task 1 passed", Passed),
            ("Review of #12 failed", Failed),
            ("Spec review of Task 1 complete", Passed),
            ("Spec review of Task 1: done.", Passed),
            ("Spec review of Task 1 complete: 2 requirements are missing.", Failed),
            ("2 requirements are missing", Failed),
            ("No requirements are missing", Silent),
            ("Tests: PASS", Silent),
            ("CI on main: failed", Silent),
            ("Review of Task 1 done. Findings: none.", Passed),
            ("Spec review done; issues: 0", Passed),
            ("Spec review failed to start.", Silent),
            ("Starting the spec review of Task 1; the implementation is complete.", Finished),
            ("Spec review can begin now that Task 1 is complete.", Finished),
            ("Task 1 done and spec review open.", Finished),
            ("Spec review in progress: 3 of 5 requirements done.", Finished),
            ("Review fixes done.", Finished),
            ("After the spec review the fixes are done.", Finished),
            ("Task 2 implementation complete, ready for review", Finished),
            ("Done, all tests passed.", Finished),
            ("Implemented it; 12 passed, 0 failed", Finished),
            ("Done.\n> It is not approved, it failed", Finished),
            ("Not done yet.", Silent),
            ("Is it approved?", Silent),
            ("Please tell me once it is approved", Silent),
            ("If the tests are green, approved", Silent),
            ("The build failed", Silent),
            ("One reviewer approved, the other rejected it.", Mixed),
            ("Which store?", Silent),
            ("", Silent),
        ] {
            assert_eq!(Reading::of(message).verdict, verdict, "{message}");
        }
    }

    proptest! {
        #[test]
        fn any_message_can_be_read(
            words in prop::collection::vec(
                prop_oneof![
                    Just("approved"), Just("not"), Just("fail"), Just("review complete"), Just("?"),
                    Just("."), Just(","), Just("\n>"), Just("'"), Just("İ"), Just("done"),
                ],
                0..60,
            ),
        ) {
            let message = words.join(" ");
            let read = |text: &str| Reading::of(text).verdict;
            prop_assert_eq!(read(&message), read(&message.to_uppercase()));
        }
    }
}
