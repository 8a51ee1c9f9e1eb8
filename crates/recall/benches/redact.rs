//! How long redacting takes, beside one pass of an automaton over the same keywords.
//!
//! Both look at the same text in every round, each as often first as the other.

#![expect(clippy::print_stdout, reason = "a benchmark: it prints what it measured")]

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use pacenote_recall::redact::{Redactor, rules};

/// How much text is redacted, in bytes.
const TEXT_BYTES: usize = 1_500_000;

/// What a hook redacts, in bytes.
const HOOK_BYTES: [usize; 2] = [10_000, 100_000];

/// Rounds of which the median is told.
const ROUNDS: usize = 51;

/// Prose, code and a lock file: what a session shows.
const SOURCES: [&str; 5] = [
    include_str!("../../../README.md"),
    include_str!("../../../ARCHITECTURE.md"),
    include_str!("../../../Cargo.lock"),
    include_str!("../src/redact.rs"),
    include_str!("../src/redact/assignment.rs"),
];

fn main() {
    let text = mixed_text();
    let redactor = Redactor::new();
    let start = Instant::now();
    let found = redactor.redact(&text).found.len();
    let first = start.elapsed();
    let automaton = automaton();
    let mut redacting = Vec::new();
    let mut passing = Vec::new();
    for round in 0..ROUNDS {
        let mut redact = || redacting.push(time(|| redactor.redact(&text)));
        let mut pass = || passing.push(time(|| automaton.find_overlapping_iter(&text).count()));
        if round % 2 == 0 {
            redact();
            pass();
        } else {
            pass();
            redact();
        }
    }
    let (redacting, passing) = (median(redacting), median(passing));
    let ratio = redacting.as_secs_f64() / passing.as_secs_f64();
    println!("text          {} bytes, {found} secrets, median of {ROUNDS} rounds", text.len());
    println!("redact        {redacting:>12.2?}  ({ratio:.2} x the pass, at most 2)");
    println!("Aho-Corasick  {passing:>12.2?}  {} keywords", keywords().count());
    println!("first time    {first:>12.2?}  with the patterns that are compiled for it");
    println!("automaton     {:>12.2?}  to build, for comparison", median_of(self::automaton));
    println!("nothing       {:>12.2?}  a new redactor with an empty text", cold(""));
    for bytes in HOOK_BYTES {
        let text = text.get(..text.floor_char_boundary(bytes)).unwrap_or_default();
        println!("hook          {:>12.2?}  a new redactor with {bytes} bytes", cold(text));
    }
}

/// Returns the sources again and again, with one example of a rule behind each.
fn mixed_text() -> String {
    let mut text = String::with_capacity(2 * TEXT_BYTES);
    let mut examples = rules().flat_map(|rule| rule.hits).cycle();
    while text.len() < TEXT_BYTES {
        for source in SOURCES {
            text.push_str(source);
            if let Some(example) = examples.next() {
                let [first, second] = example.secret;
                text.extend(["\n", example.before, first, second, example.behind, "\n"]);
            }
        }
    }
    text.truncate(text.floor_char_boundary(TEXT_BYTES));
    text
}

fn keywords() -> impl Iterator<Item = &'static str> {
    rules().flat_map(|rule| rule.keywords).copied()
}

fn automaton() -> AhoCorasick {
    let mut builder = AhoCorasick::builder();
    builder.ascii_case_insensitive(true).kind(Some(AhoCorasickKind::DFA));
    builder.build(keywords()).unwrap_or_else(|error| panic!("our keywords: {error}"))
}

/// Returns what a process pays that redacts one text.
fn cold(text: &str) -> Duration {
    median_of(|| Redactor::new().redact(text).found.len())
}

fn median_of<T>(mut work: impl FnMut() -> T) -> Duration {
    median((0..ROUNDS).map(|_| time(&mut work)).collect())
}

fn time<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    black_box(work());
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
