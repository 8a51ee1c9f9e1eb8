use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::spoken::entry;

/// Lines of real transcripts, with names and texts of our own.
const RECORDED: &str = include_str!("../fixtures/1.0.102/events.jsonl");

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
    our note at session-start "<pacenote project=\"shop\">\nNothing is in progress; next is Draw the login"
    our note at prompt "<pacenote project=\"shop\">\nMail from backend: use argon2.\n</pacenote>"
    prompt "add the login form\nand a test"
    uses bash
    our note at after-tool "<pacenote project=\"shop\">\nMail from backend: use argon2.\n</pacenote>"
    result "test result: FAILED. 2 passed; 1 failed\n<shellId: 0 completed with exit code 1>"
    answer "The form is drawn."
    our note at session-start "<pacenote project=\"shop\">\nNothing is in progress; next is Draw the login"
    prompt "add the login form\nand a test"
    uses task
    our note at subagent-start "<pacenote project=\"shop\">\nMail from backend: use argon2.\n</pacenote>"
    task "Find where the login form is drawn."
    answer "src/login.rs"
    result "src/login.rs"
    answer "The form is drawn."
    summary "Login form added, its test is missing."
    "#);
}

#[test]
fn our_notes_are_marked_wherever_they_come_back() {
    for entry in RECORDED.lines().flat_map(read) {
        let is_marked = matches!(entry, Entry::Injected { ours: true, .. });
        assert_eq!(format!("{entry:?}").contains("<pacenote "), is_marked, "{entry:?}");
    }
}

#[test]
fn notes_are_found_whole() {
    for note in NOTES {
        assert!(RECORDED.lines().any(|line| holds(line, note)), "{note}");
        let half: String = note.chars().take(40).collect();
        assert!(!RECORDED.lines().any(|line| holds(line, &half)));
    }
    assert!(!RECORDED.lines().any(|line| holds(line, "add the login form\nand a test")));
}

#[test]
fn odd_lines_are_passed_over() {
    for (line, said) in [
        ("", ""),
        ("{", ""),
        ("{}", "-"),
        (r#"{"type":"user.message","data":{"content":["a"]}}"#, "-"),
        (
            r#"{"type":"assistant.message","data":{"content":"","toolRequests":[7,{"name":"bash"}]}}"#,
            "uses bash",
        ),
        (
            r#"{"type":"tool.execution_complete","data":{"success":false,"error":{"message":"no file"}}}"#,
            r#"failure "no file""#,
        ),
        (
            r#"{"type":"hook.end","data":{"hookType":"preDawn","output":{"additionalContext":"a"}}}"#,
            r#"a hook's word at another event "a""#,
        ),
        (r#"{"type":"session.compaction_complete","data":{"success":false}}"#, "-"),
    ] {
        assert_eq!(told(line), said, "{line}");
    }
    assert_eq!(read(&" ".repeat(LINE_BYTES + 1)), [Entry::Other]);
    // A hook that failed reached nobody.
    let failed =
        r#"{"type":"hook.end","data":{"success":false,"output":{"additionalContext":"a"}}}"#;
    assert!(!holds(failed, "a"));
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
        let data = json!({ "success": true, "output": { "additionalContext": text } });
        let line = json!({ "type": "hook.end", "data": data }).to_string();
        prop_assert!(holds(&line, &text));
        let other = format!("{text}.");
        prop_assert!(!holds(&line, &other));
    }
}
