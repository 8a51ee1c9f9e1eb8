use pacenote_model::EventKind;

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::spoken::entry;

/// Lines of real transcripts, with names and texts of our own.
const RECORDED: &str = include_str!("../fixtures/2.1.325/transcript.jsonl");

/// Notes in them that came from our hooks, whole.
const NOTES: [&str; 4] = [
    "<pacenote project=\"shop\" part=\"1\" of=\"2\">\nNothing is in progress; next is Draw the login form.\n</pacenote>",
    "<pacenote project=\"shop\" part=\"2\" of=\"2\">\nÉlise decided: passwords are hashed with argon2.\n</pacenote>",
    "<pacenote project=\"shop\">\nMail from backend: use argon2.\n</pacenote>",
    "<pacenote project=\"shop\">\nsrc/login.rs is reserved by backend.\n</pacenote>",
];

fn told(line: &str) -> String {
    read(line).iter().map(entry).collect::<Vec<_>>().join(" | ")
}

#[test]
fn recorded_lines() {
    let all: Vec<String> = RECORDED.lines().map(told).collect();
    insta::assert_snapshot!(all.join("\n"), @r#"
    -
    -
    a hook's word at session-start "the linter is on"
    -
    our note at session-start "<pacenote project=\"shop\" part=\"2\" of=\"2\">\nÉlise decided: passwords are h" | our note at session-start "<pacenote project=\"shop\" part=\"1\" of=\"2\">\nNothing is in progress; next i"
    prompt "add the login form\nand a test"
    -
    our note at prompt "<pacenote project=\"shop\">\nMail from backend: use argon2.\n</pacenote>"
    -
    answer "I draw the form first."
    uses Bash
    our note at before-tool "<pacenote project=\"shop\">\nsrc/login.rs is reserved by backend.\n</pacenot"
    result "test result: ok. 3 passed"
    failure "PreToolUse:Write hook error: no task is claimed"
    result "[Subagent hand-back] The report follows:\n  src/login.rs\nagentId: a7c41e09d52b6f830"
    our note at prompt "<persisted-output>\nOutput too large (9.8KB). Full output saved to: /home"
    -
    a hook's word at stop "a task is open"
    -
    summary "Login form added, its test is missing."
    -
    -
    -
    -
    -
    -
    task "Find where the login form is drawn.\nName the file only."
    our note at subagent-start "<pacenote project=\"shop\">\nRead docs/login.md first.\n</pacenote>"
    "#);
}

#[test]
fn a_note_that_arrived_is_held_by_one_line() {
    for note in NOTES {
        let lines = RECORDED.lines().filter(|line| holds(line, note)).count();
        assert_eq!(lines, 1, "{note}");
        let without_end = note.strip_suffix('>').unwrap();
        for other in ["", without_end, &format!("{note}\n")] {
            assert!(!RECORDED.lines().any(|line| holds(line, other)), "{other:?}");
        }
    }
}

#[test]
fn only_what_a_hook_said_is_held_or_ours() {
    let note = NOTES[2];
    for line in [
        json!({ "type": "user", "message": { "content": note } }),
        json!({ "type": "assistant", "message": { "content": [{ "type": "text", "text": note }] } }),
        json!({ "type": "user", "message": { "content": [
            { "type": "tool_result", "content": format!("{CONTEXT} {note}") },
        ] } }),
        json!({ "type": "attachment", "attachment": { "type": "file", "content": [note] } }),
        json!({ "type": "attachment", "rendered": [{ "content": note, "type": CONTEXT }] }),
    ] {
        let line = line.to_string();
        assert!(!holds(&line, note), "{line}");
        let is_ours = |entry: &Entry| matches!(entry, Entry::Injected { ours: true, .. });
        assert!(!read(&line).iter().any(is_ours), "{line}");
    }
}

#[test]
fn odd_lines_are_something_else() {
    for (line, said) in [
        ("{}", "-"),
        ("7", "-"),
        (r#"["user"]"#, "-"),
        (r#"{"type":"teleport","message":{"content":"a"}}"#, "-"),
        (r#"{"type":"user"}"#, "-"),
        (r#"{"type":"user","message":"a"}"#, "-"),
        (r#"{"type":"user","message":{"content":[{"type":"image","source":{}},7,"a"]}}"#, "-"),
        (r#"{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"a"}]}}"#, "-"),
        (r#"{"type":"assistant","message":{"content":[{"type":"tool_use"}]}}"#, "-"),
        (
            r#"{"type":"assistant","message":{"content":[{"type":"text","text":"a"},{"type":"tool_use","name":"Bash"}]}}"#,
            r#"answer "a" | uses Bash"#,
        ),
        (
            r#"{"type":"user","message":{"content":[{"type":"text","text":"a"},{"type":"text","text":"<command-name>/b"}]}}"#,
            r#"prompt "a" | -"#,
        ),
        (r#"{"type":"user","message":{"content":[{"type":"tool_result"}]}}"#, r#"result """#),
        (
            r#"{"type":"attachment","attachment":{"type":"hook_additional_context","hookEvent":"PostToolBatch","content":"cut \ud83d"}}"#,
            r#"a hook's word at another event "cut �""#,
        ),
        ("", ""),
        (r#"{"type":"user","message":{"content":"half"#, ""),
    ] {
        assert_eq!(told(line), said, "{line}");
    }
}

#[test]
fn what_is_long_is_cut_or_not_looked_into() {
    let result = |length: usize| {
        let content = "é".repeat(length);
        let block = json!({ "type": "tool_result", "content": content });
        json!({ "type": "user", "message": { "content": [block] } }).to_string()
    };
    let [Entry::ToolResult { text, .. }] = &read(&result(RESULT_CHARACTERS + 1))[..] else {
        panic!("a result");
    };
    assert_eq!(text.chars().count(), RESULT_CHARACTERS);
    assert_eq!(read(&result(LINE_BYTES)), [Entry::Other]);

    let attachment = json!({ "type": CONTEXT, "content": [NOTES[0]] });
    let line = json!({ "attachment": attachment, "type": "attachment" }).to_string();
    assert!(holds(&line, NOTES[0]));
    assert!(!holds(&format!("{line}{}", " ".repeat(LINE_BYTES)), NOTES[0]));
    let deep = format!(r#"{{"attachment":{}"#, r#"{"content":["#.repeat(50_000));
    assert_eq!(read(&deep), []);
}

#[test]
fn a_line_cut_at_any_byte_is_no_entry() {
    for line in RECORDED.lines() {
        for cut in (0..line.len()).filter_map(|end| line.get(..end)) {
            assert_eq!(read(cut), [], "{cut}");
            assert!(!NOTES.iter().any(|note| holds(cut, note)), "{cut}");
        }
    }
}

proptest! {
    /// No line, whatever becomes of it, makes the reader panic.
    #[test]
    fn a_damaged_line_never_panics(
        line in prop::sample::select(RECORDED.lines().collect::<Vec<_>>()),
        place in any::<prop::sample::Index>(),
        text in "\\PC{0,8}|[\"\\\\{}\\[\\]:,]{0,8}",
    ) {
        let mut damaged: Vec<char> = line.chars().collect();
        let place = place.index(damaged.len());
        damaged.splice(place..=place, text.chars());
        let damaged: String = damaged.into_iter().collect();
        read(&damaged);
        holds(&damaged, NOTES[0]);
    }

    /// Any text that a hook gives the model is found again as it was given.
    #[test]
    fn any_text_is_held(texts in prop::collection::vec("(?s).{0,40}", 1..5)) {
        let attachment = json!({ "type": CONTEXT, "content": texts, "hookEvent": "SessionStart" });
        let line = json!({ "type": "attachment", "attachment": attachment }).to_string();
        for text in &texts {
            prop_assert!(holds(&line, text));
        }
        let injected = |text: &String| Entry::Injected {
            kind: Some(EventKind::SessionStart),
            text: text.clone(),
            ours: text.contains("<pacenote "),
        };
        prop_assert_eq!(read(&line), texts.iter().map(injected).collect::<Vec<_>>());
    }
}
