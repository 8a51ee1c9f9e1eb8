//! What a message says about a piece of work, told from its words.
//!
//! It is a reading for a suggestion, never a decision: an agent does what follows or does not. When
//! in doubt a message says nothing.

use std::collections::BTreeSet;

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

/// Says that a review is over; how it ended is to be seen from the rest.
const REVIEWED: [&[&str]; 6] = [
    &["review", "complete"],
    &["review", "completed"],
    &["review", "done"],
    &["review", "finished"],
    &["review", "is", "complete"],
    &["review", "is", "done"],
];

/// Says that a review did not pass.
const FAILED: [&[&str]; 13] = [
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
];

/// What a review may have found.
const FOUND: [&[&str]; 6] =
    [&["issue"], &["issues"], &["finding"], &["findings"], &["problems"], &["missing"]];

/// Says that a piece of work is finished.
const FINISHED: [&[&str]; 6] = [
    &["ready", "for", "review"],
    &["done"],
    &["complete"],
    &["completed"],
    &["finished"],
    &["implemented"],
];

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

/// Reads what a message says. Lines that quote an earlier message are somebody else's words.
pub(crate) fn verdict_of(message: &str) -> Verdict {
    let read: String = message.chars().take(READ_CHARACTERS).collect();
    let read = read.to_lowercase().replace('’', "'");
    let own = read.lines().filter(|line| !line.trim_start().starts_with('>'));
    let mut said = Said::default();
    for sentence in own.flat_map(|line| line.split_inclusive(['.', '!', '?'])) {
        // A question says nothing.
        if !sentence.ends_with('?') {
            said.read(sentence);
        }
    }
    said.verdict()
}

/// Something that a sentence can say.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sign {
    Passed,
    Failed,
    Reviewed,
    Found,
    Finished,
}

/// What the sentences of a message said.
#[derive(Default)]
struct Said(BTreeSet<Sign>);

impl Said {
    fn read(&mut self, sentence: &str) {
        let mut is_perhaps = false;
        for clause in sentence.split([',', ';', ':', '(', ')', '–', '—']) {
            let parts = clause.split(|c: char| !c.is_alphanumeric() && c != '\'');
            let words: Vec<&str> = parts.filter(|word| !word.is_empty()).collect();
            self.read_clause(&words, is_perhaps);
            is_perhaps |= words.iter().any(|word| PERHAPS.contains(word));
        }
    }

    fn read_clause(&mut self, words: &[&str], is_perhaps: bool) {
        let is_about_tests = words.iter().any(|word| TESTS.contains(word)) || counts_tests(words);
        for end in 1..=words.len() {
            let Some(read) = words.get(..end) else { continue };
            let claim = |phrases: &[&[&str]]| claim_of(read, phrases).filter(|_| !is_perhaps);
            let denied = (claim(&PASSED) == Some(Claim::No)).then_some(Sign::Failed);
            let judged = [(&PASSED[..], Sign::Passed), (&FAILED[..], Sign::Failed)];
            let told = [
                (&REVIEWED[..], Sign::Reviewed),
                (&FOUND[..], Sign::Found),
                (&FINISHED[..], Sign::Finished),
            ];
            let is_said = |(phrases, sign): (&[&[&str]], Sign)| {
                (claim(phrases) == Some(Claim::Yes)).then_some(sign)
            };
            let judged = judged.into_iter().filter_map(is_said).chain(denied);
            self.0.extend(judged.filter(|_| !is_about_tests));
            self.0.extend(told.into_iter().filter_map(is_said));
        }
    }

    fn verdict(&self) -> Verdict {
        let said = |sign: Sign| self.0.contains(&sign);
        let over = (said(Sign::Reviewed), said(Sign::Found));
        match (said(Sign::Passed), said(Sign::Failed), over.0, over.1) {
            (true, false, _, _) | (false, false, true, false) => Verdict::Passed,
            (false, true, _, _) | (false, false, true, true) => Verdict::Failed,
            (false, false, false, _) if said(Sign::Finished) => Verdict::Finished,
            // Nothing, or both: whoever is woken has to read it.
            (false, false, false, _) | (true, true, _, _) => Verdict::Silent,
        }
    }
}

/// Whether a phrase is said or denied.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Claim {
    Yes,
    No,
}

/// Tells whether a clause is like `12 passed` or `0 failed`.
fn counts_tests(words: &[&str]) -> bool {
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    words.windows(2).any(|pair| matches!(pair, [count, "passed" | "failed"] if is_number(count)))
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
        use Verdict::{Failed, Finished, Passed, Silent};
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
            ("Task 2 implementation complete, ready for review", Finished),
            ("Done, all tests passed.", Finished),
            ("Implemented it; 12 passed, 0 failed", Finished),
            ("Done.\n> It is not approved, it failed", Finished),
            ("Not done yet.", Silent),
            ("Is it approved?", Silent),
            ("Please tell me once it is approved", Silent),
            ("If the tests are green, approved", Silent),
            ("The build failed", Silent),
            ("One reviewer approved, the other rejected it.", Silent),
            ("Which store?", Silent),
            ("", Silent),
        ] {
            assert_eq!(verdict_of(message), verdict, "{message}");
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
            prop_assert_eq!(verdict_of(&message), verdict_of(&message.to_uppercase()));
        }
    }
}
