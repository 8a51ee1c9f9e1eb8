use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::spoken::entry;

/// Lines of real rollouts, with names and texts of our own.
const RECORDED: &str = include_str!("../fixtures/0.166.0/rollout.jsonl");

/// Notes in them that came from our hooks, whole.
const NOTES: [&str; 2] = [
    "<pacenote project=\"shop\">\nNothing is in progress; next is Draw the login form.\n</pacenote>",
    "<pacenote project=\"shop\">\nMail from backend: use argon2.\n</pacenote>",
];

fn told(line: &str) -> String {
    read(line).iter().map(entry).collect::<Vec<_>>().join(" | ")
}

#[test]
fn recorded_lines() {
    let all: Vec<String> = RECORDED.lines().map(told).filter(|told| told != "-").collect();
    insta::assert_snapshot!(all.join("\n"), @r#"
    prompt "add the login form\nand a test"
    uses Bash | failure "test result: FAILED. 2 passed; 1 failed\n"
    answer "The form is drawn, a test fails."
    prompt "go on"
    uses Bash | failure "test result: FAILED. 2 passed; 1 failed\n"
    answer "The form is drawn, a test fails."
    prompt "add the login form\nand a test"
    answer "I draw the form first."
    prompt "go on"
    answer "I draw the form first."
    "#);
}

#[test]
fn nothing_is_learnt_from_our_own_notes() {
    let whole: String = RECORDED.lines().map(told).collect();
    assert!(!whole.contains("pacenote"), "{whole}");
    assert!(RECORDED.contains("<pacenote "));
}

#[test]
fn notes_are_found_whole_and_as_what_they_are() {
    for note in NOTES {
        assert!(RECORDED.lines().any(|line| holds(line, note)), "{note}");
        let half: String = note.chars().take(40).collect();
        assert!(!RECORDED.lines().any(|line| holds(line, &half)));
    }
    // What the person wrote is not what a hook said.
    let prompt = "add the login form\nand a test";
    assert!(RECORDED.lines().any(|line| line.contains(r"add the login form\nand a test")));
    assert!(!RECORDED.lines().any(|line| holds(line, prompt)));
}

#[test]
fn odd_lines_are_passed_over() {
    for (line, said) in [
        ("", ""),
        ("{", ""),
        ("{}", "-"),
        ("[]", "-"),
        (r#"{"type":"event_msg","payload":{"type":"item_completed"}}"#, "-"),
        (
            r#"{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"Sketch"}}}"#,
            "-",
        ),
        (
            r#"{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"UserMessage","content":"a"}}}"#,
            "-",
        ),
        (
            r#"{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"UserMessage","content":[7,{"text":"a"},{"type":"image"},{"text":"b"}]}}}"#,
            r#"prompt "a" | prompt "b""#,
        ),
        (
            r#"{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","status":"completed"}}}"#,
            r#"uses Bash | result """#,
        ),
    ] {
        assert_eq!(told(line), said, "{line}");
    }
    assert_eq!(read(&" ".repeat(LINE_BYTES + 1)), [Entry::Other]);
}

#[test]
fn a_line_cut_anywhere_never_panics() {
    for line in RECORDED.lines() {
        for cut in (0..line.len()).filter_map(|end| line.get(..end)) {
            assert_eq!(read(cut), [], "{cut}");
            assert!(!holds(cut, NOTES[0]));
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_known_again(text in any::<String>()) {
        let line = json!({
            "type": "response_item",
            "payload": {
                "type": "message",
                "role": "developer",
                "content": [{ "type": "input_text", "text": text }],
            },
        });
        prop_assert!(holds(&line.to_string(), &text));
        prop_assert_eq!(read(&line.to_string()), [Entry::Other]);
        let other = format!("{text}.");
        prop_assert!(!holds(&line.to_string(), &other));
    }
}
