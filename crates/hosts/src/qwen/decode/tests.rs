use proptest::prelude::*;

use super::*;
use crate::spoken::{self, told};

/// Gives each recorded payload the word of its event.
macro_rules! recorded {
    ($($word:literal: $($file:literal),+;)+) => {
        [$($((
            $word,
            $file,
            include_str!(concat!("../fixtures/0.15.10/", $file, ".json")),
        ),)+)+]
    };
}

const RECORDED: [(&str, &str, &str); 16] = recorded! {
    "user-prompt-submit": "UserPromptSubmit", "UserPromptSubmit.again";
    "pre-tool-use": "PreToolUse.agent", "PreToolUse.mcp__ledger__total",
        "PreToolUse.run_shell_command", "PreToolUse.tool_search", "PreToolUse.write_file";
    "post-tool-use": "PostToolUse.agent", "PostToolUse.mcp__ledger__total",
        "PostToolUse.run_shell_command", "PostToolUse.todo_write", "PostToolUse.tool_search";
    "post-tool-use-failure": "PostToolUseFailure.read_file";
    "stop": "Stop";
    "subagent-start": "SubagentStart";
    "subagent-stop": "SubagentStop";
};

#[test]
fn recorded_payloads() {
    let all = RECORDED
        .map(|(word, file, payload)| format!("{file}: {}", told(decode(word, payload.as_bytes()))));
    insta::assert_snapshot!(all.join("\n"), @r#"
    UserPromptSubmit: prompt "add the login form\nand a test"
    UserPromptSubmit.again: passed: a prompt without words
    PreToolUse.agent: before_tool agent (agent), prompt "Find where the login form is drawn.\nName the file only.", agent type "general-purpose"
    PreToolUse.mcp__ledger__total: before_tool mcp__ledger__total (other)
    PreToolUse.run_shell_command: before_tool run_shell_command (shell), command "cargo test login"
    PreToolUse.tool_search: before_tool tool_search (read)
    PreToolUse.write_file: before_tool (planning) write_file (edit), path "/home/dev/shop/src/login.rs"
    PostToolUse.agent: after_tool agent (agent), prompt "Find where the login form is drawn.\nName the file only.", agent type "general-purpose"
    PostToolUse.mcp__ledger__total: after_tool mcp__ledger__total (other)
    PostToolUse.run_shell_command: after_tool run_shell_command (shell), command "cargo test login"
    PostToolUse.todo_write: after_tool todo_write (todo), todo "Draw the login form" Done, todo "Test it" Doing
    PostToolUse.tool_search: after_tool tool_search (read)
    PostToolUseFailure.read_file: after_tool read_file (read), path "/home/dev/shop/src/signup.rs", failed
    Stop: stop again: false, said "The form is there."
    SubagentStart: subagent_start general-purpose-call_4fa07b31c8d25e96 general-purpose
    SubagentStop: subagent_stop general-purpose-call_4fa07b31c8d25e96 general-purpose Some("src/login.rs") again: false
    "#);
}

#[test]
fn every_recorded_payload_tells_its_session_and_place() {
    for (word, file, payload) in RECORDED {
        let decoded = decode(word, payload.as_bytes()).unwrap();
        let Decoded::Known { event, warnings, .. } = decoded else {
            assert_eq!(file, "UserPromptSubmit.again");
            continue;
        };
        assert_eq!(event.directory, "/home/dev/shop", "{file}");
        let chats = "/home/dev/.qwen/projects/-home-dev-shop/chats";
        assert_eq!(event.transcript, Some(format!("{chats}/{}.jsonl", event.session)), "{file}");
        assert_eq!(warnings, [], "{file}");
    }
}

/// What the client fires only on a terminal, in the words of its source.
#[test]
fn starts_ends_and_compactions() {
    let by = |word: &str, fields: &str| {
        let payload = format!(r#"{{"session_id":"s","cwd":"/",{fields}}}"#);
        told(decode(word, payload.as_bytes()))
    };
    insta::assert_snapshot!(by("session-start", r#""source":"startup""#), @"startup");
    insta::assert_snapshot!(by("session-start", r#""source":"compact""#), @"compact");
    insta::assert_snapshot!(by("pre-compact", r#""trigger":"manual""#), @"pre_compact manual");
    insta::assert_snapshot!(by("post-compact", r#""trigger":"auto","compact_summary":"s""#), @r#"post_compact auto Some("s")"#);
    insta::assert_snapshot!(by("session-end", r#""reason":"prompt_input_exit""#), @r#"session_end "prompt_input_exit""#);
}

#[test]
fn what_is_known_and_not_needed_is_passed() {
    let notification = include_bytes!("../fixtures/0.15.10/Notification.json");
    let passed = |name: &str| Decoded::Passed { name: name.to_owned() };
    assert_eq!(decode("notification", notification).unwrap(), passed("notification"));
    for word in PASSED {
        // Not even looked at.
        assert_eq!(decode(word, b"\xff").unwrap(), passed(word));
    }
}

#[test]
fn an_event_that_is_not_there_is_no_error() {
    // The last two are Claude Code's only.
    for word in ["post-teleport", "Stop", "", "task-created", "setup"] {
        let decoded = decode(word, b"\xff").unwrap();
        assert_eq!(decoded, Decoded::Unknown { name: word.to_owned() });
    }
}

#[test]
fn a_payload_cut_at_any_byte_is_refused() {
    spoken::assert_refused_when_cut(&RECORDED, decode);
}

proptest! {
    /// No byte in a payload, whatever it becomes, makes the decoder panic.
    #[test]
    fn a_damaged_payload_never_panics(
        (word, _, payload) in prop::sample::select(&RECORDED[..]),
        place in any::<prop::sample::Index>(),
        bytes in prop::collection::vec(any::<u8>(), 0..8),
    ) {
        let damaged = spoken::damaged(payload, place, bytes);
        drop(decode(word, &damaged));
    }

    /// Whatever the person writes is a prompt, unless it is nothing.
    #[test]
    fn any_prompt_with_words_arrives(prompt in "(?s).{1,80}") {
        prop_assume!(!prompt.starts_with("<task-notification>"));
        let fields = serde_json::json!({ "session_id": "s", "cwd": "/", "prompt": prompt });
        let Ok(Decoded::Known { event, .. }) =
            decode("user-prompt-submit", fields.to_string().as_bytes())
        else {
            return Err(TestCaseError::fail(prompt));
        };
        prop_assert_eq!(event.body, EventBody::Prompt { prompt });
    }
}
