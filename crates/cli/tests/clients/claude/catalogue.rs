//! Workflows of the catalogue, played from their first step to their last.
//!
//! The scripted model does little, but what it does is real: files, tests, commits, tasks. It runs
//! no command of ours that it was not shown.

mod deepthink;
mod executor;
mod planner;
mod play;

use pacenote_probe::{Request, Server};

use self::play::MARK;
use super::transcript::{Entry, last_calls, transcript};
use super::workplace::{conversation, notes_in};

/// How many lines a tool's answer is shown with that is neither a step nor a document.
const LINES: usize = 4;

/// What the client says of a command that says nothing.
const SILENT: &str = "(Bash completed with no output)";

/// Writes down what was played, shortened to headers, results of gates, commands and answers.
fn page(model: &Server, errands: &[String]) -> String {
    let errands: Vec<&str> = errands.iter().map(String::as_str).collect();
    transcript(&model.requests(), &errands, shortened)
}

fn shortened(entry: &Entry) -> Option<String> {
    match entry {
        Entry::Person(text) if text.starts_with(MARK) => {
            text.split_once('\n').map(|(_, errand)| errand.to_owned())
        }
        Entry::Person(text) => Some(text.clone()),
        Entry::Notes(notes) => notes.lines().find(|line| line.starts_with("STEP ")).map(Into::into),
        Entry::Model(text) => text.lines().next().map(Into::into),
        Entry::Result(text) if text.starts_with("<step_header") => {
            let told = ["<step_header", "<gate_result", "<NEXT>"];
            let is_told = |line: &&str| told.iter().any(|element| line.starts_with(element));
            Some(text.lines().filter(is_told).collect::<Vec<_>>().join("\n"))
        }
        Entry::Result(text) if text == SILENT => None,
        Entry::Result(text) if text.contains("\n# ") => Some(first_lines(text, 1)),
        Entry::Result(text) => Some(first_lines(text, LINES)),
    }
}

fn first_lines(text: &str, most: usize) -> String {
    let mut lines: Vec<&str> = text.lines().take(most).collect();
    if text.lines().count() > most {
        lines.push("…");
    }
    lines.join("\n")
}

/// Makes sure that whoever worked ran only what they were shown, and that agents were asked what the
/// step said: each command of ours was in front of them, with a word of their own only where a word
/// in capitals stood, and each line of an errand, too.
fn must_have_been_shown(model: &Server, errands: &[String]) {
    assert_eq!(model.replies_left(), 0, "somebody did not come to their end");
    let requests = conversation(model);
    let of = |errand: &String| {
        let is_theirs = |request: &&Request| request.occurrences(errand) > 0;
        requests.iter().filter(is_theirs).collect::<Vec<_>>()
    };
    let is_leading =
        |request: &&Request| errands.iter().all(|errand| request.occurrences(errand) == 0);
    let leading: Vec<&Request> = requests.iter().filter(is_leading).collect();
    for conversation in errands.iter().map(of).chain([leading]) {
        for [shown, after] in conversation.array_windows() {
            let texts: Vec<String> = shown.texts().into_iter().map(|text| text.text).collect();
            for input in last_calls(after) {
                if let Some(command) = input["command"].as_str()
                    && command.starts_with("pacenote ")
                {
                    assert!(
                        texts.iter().any(|text| shows(text, command)),
                        "{command}\n{}",
                        notes_in(shown)
                    );
                }
                for line in input["prompt"].as_str().unwrap_or_default().lines().skip(1) {
                    let is_in = |text: &String| text.contains(&with_placeholders(line));
                    assert!(texts.iter().any(is_in), "{line}");
                }
            }
        }
    }
}

/// Puts the word of the step back where the id of a task stands.
fn with_placeholders(line: &str) -> String {
    let is_id = |word: &str| word.strip_prefix("t-").is_some_and(|id| id.len() == 5);
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '-';
    let ids = line.split(|character| !is_part(character)).filter(|word| is_id(word));
    ids.fold(line.to_owned(), |line, id| line.replace(id, "ID"))
}

/// Tells whether a text shows a command. Of a start only the workflow counts: what is wanted of it
/// are the model's own words.
fn shows(text: &str, command: &str) -> bool {
    let command = words(command);
    let compared =
        if command.get(2).is_some_and(|word| word == "start") { 4 } else { command.len() };
    text.split("pacenote ").skip(1).any(|rest| {
        let line = rest.split(['\n', '`', '<']).next().unwrap_or_default();
        let shown = words(&format!("pacenote {line}"));
        let is_whole = compared < command.len() || shown.len() == command.len();
        let pairs = || shown.iter().zip(&command).take(compared);
        is_whole && pairs().count() == compared && pairs().all(|(shown, word)| fits(shown, word))
    })
}

/// Tells whether a word is the one shown, or stands in the place of one in capitals.
fn fits(shown: &str, word: &str) -> bool {
    let is_open = |character: char| character.is_ascii_uppercase() || character == '…';
    let around = shown.split_once(is_open).zip(shown.rsplit_once(is_open));
    shown == word
        || around.is_some_and(|((before, _), (_, after))| {
            word.starts_with(before) && word.ends_with(after)
        })
}

/// Splits a command at white space, with what is quoted kept together.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut quote) = (vec![String::new()], None);
    for character in line.trim().chars() {
        match (quote, character) {
            (Some(open), close) if open == close => quote = None,
            (None, '"' | '\'') => quote = Some(character),
            (None, ' ') => words.push(String::new()),
            (Some(_) | None, other) => words.last_mut().expect("a word").push(other),
        }
    }
    words
}

#[test]
fn a_command_is_shown_word_for_word_or_with_a_word_for_each_in_capitals() {
    let text = "Run `pacenote task note ID \"…\"`, then:\n  pacenote flow next 1 --at 2 --outcome OUTCOME\n\
                <x>pacenote flow start deepthink --param 'question=Why?'</x>";
    for (command, is_shown) in [
        ("pacenote task note t-12345 'it works'", true),
        ("pacenote flow next 1 --at 2 --outcome fail", true),
        ("pacenote flow start deepthink --param 'question=What?' --param mode=full", true),
        ("pacenote task note t-12345", false),
        ("pacenote flow next 1 --at 3 --outcome fail", false),
        ("pacenote flow next 1 --at 2", false),
        ("pacenote flow start planner --param 'question=Why?'", false),
        ("pacenote task close t-12345", false),
    ] {
        assert_eq!(shows(text, command), is_shown, "{command}");
    }
}
