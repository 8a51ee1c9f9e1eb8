use pacenote_model::NotesIn;
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::{
    spoken::{self, told},
    todos::TODOS,
};

/// Gives each recorded payload the word of its event.
macro_rules! recorded {
    ($($word:literal: $($file:literal),+;)+) => {
        [$($((
            $word,
            $file,
            include_str!(concat!("../fixtures/0.61.0/", $file, ".json")),
        ),)+)+]
    };
}

const RECORDED: [(&str, &str, &str); 16] = recorded! {
    "session-start": "SessionStart.startup", "SessionStart.resume";
    "before-agent": "BeforeAgent";
    "before-tool": "BeforeTool.invoke_agent", "BeforeTool.mcp_ledger_total",
        "BeforeTool.read_file", "BeforeTool.run_shell_command";
    "after-tool": "AfterTool.invoke_agent", "AfterTool.mcp_ledger_total",
        "AfterTool.read_file", "AfterTool.run_shell_command";
    "before-model": "BeforeModel", "BeforeModel.compressed", "BeforeModel.subagent";
    "after-agent": "AfterAgent";
    "session-end": "SessionEnd.exit";
};

/// Payloads of events that tell us nothing we need.
const PASSED_RECORDED: [(&str, &str, &str); 3] = recorded! {
    "after-model": "AfterModel";
    "before-tool-selection": "BeforeToolSelection";
    "pre-compress": "PreCompress.auto";
};

/// What is told by a payload with a session, a directory and these fields.
fn told_by(word: &str, fields: &str) -> String {
    let payload = format!(r#"{{"session_id":"s","cwd":"/",{fields}}}"#);
    told(decode(word, payload.as_bytes()))
}

#[test]
fn recorded_payloads() {
    let all = RECORDED
        .map(|(word, file, payload)| format!("{file}: {}", told(decode(word, payload.as_bytes()))));
    insta::assert_snapshot!(all.join("\n"), @r#"
    SessionStart.startup: startup
    SessionStart.resume: resume
    BeforeAgent: prompt "add the login form\nand a test"
    BeforeTool.invoke_agent: before_tool invoke_agent (agent), prompt "Find where the login form is drawn.\nName the file only.", agent type "generalist"
    BeforeTool.mcp_ledger_total: before_tool mcp_ledger_total (other)
    BeforeTool.read_file: before_tool read_file (read), path "src/login.rs"
    BeforeTool.run_shell_command: before_tool run_shell_command (shell), command "cargo test login"
    AfterTool.invoke_agent: after_tool invoke_agent (agent), prompt "Find where the login form is drawn.\nName the file only.", agent type "generalist"
    AfterTool.mcp_ledger_total: after_tool mcp_ledger_total (other)
    AfterTool.read_file: after_tool read_file (read), path "src/signup.rs", failed
    AfterTool.run_shell_command: after_tool run_shell_command (shell), command "cargo test login"
    BeforeModel: request Held
    BeforeModel.compressed: request Lost
    BeforeModel.subagent: request Never
    AfterAgent: stop again: false, said "The form is there."
    SessionEnd.exit: session_end "exit"
    "#);
}

#[test]
fn every_recorded_payload_tells_its_session_and_place() {
    for (word, file, payload) in RECORDED {
        let Ok(Decoded::Known { event, warnings, .. }) = decode(word, payload.as_bytes()) else {
            panic!("{file}");
        };
        assert_eq!(event.session.as_str(), "c41e8a70-52d9-4b6f-9e03-7f18ad2b6c95", "{file}");
        assert_eq!(event.directory, "/home/dev/shop", "{file}");
        let transcript = event.transcript.unwrap();
        assert!(transcript.starts_with("/home/dev/.gemini/tmp/shop/chats/session-"), "{file}");
        assert_eq!(warnings, [], "{file}");
    }
}

#[test]
fn every_event_was_recorded_under_its_name() {
    for hook in &HOOKS {
        let recorded = RECORDED
            .iter()
            .any(|(word, file, _)| *word == hook.word && file.split('.').next() == Some(hook.name));
        assert!(recorded, "{hook:?}");
        assert!(!PASSED.contains(&hook.word), "{hook:?}");
    }
}

#[test]
fn what_is_known_and_not_needed_is_passed() {
    let passed = |name: &str| Decoded::Passed { name: name.to_owned() };
    for (word, file, payload) in PASSED_RECORDED {
        assert_eq!(decode(word, payload.as_bytes()).unwrap(), passed(word), "{file}");
    }
    for word in PASSED {
        // Not even looked at.
        assert_eq!(decode(word, b"\xff").unwrap(), passed(word));
    }
}

#[test]
fn an_event_of_a_newer_client_is_no_error() {
    for word in ["after-teleport", "BeforeAgent", "user-prompt-submit", ""] {
        let decoded = decode(word, b"\xff").unwrap();
        assert_eq!(decoded, Decoded::Unknown { name: word.to_owned() });
    }
}

#[test]
fn odd_payloads_are_events_all_the_same() {
    insta::assert_snapshot!(told_by("session-start", r#""source":"clear""#), @"clear");
    insta::assert_snapshot!(told_by("session-start", r#""source":"compress\u0007""#), @r"
    startup
    warning: the source `compress\u{7}` is not known and taken for `startup`
    ");
    insta::assert_snapshot!(told_by("before-agent", r#""prompt":"<hook_context>a</hook_context>""#), @"passed: a prompt without words");
    insta::assert_snapshot!(told_by("after-agent", r#""stop_hook_active":true"#), @"stop again: true");
    insta::assert_snapshot!(told_by("after-agent", r#""stop_hook_active":1"#), @"stop again: false");
    insta::assert_snapshot!(told_by("session-end", r#""reason":{}"#), @r#"session_end "other""#);
    insta::assert_snapshot!(told_by("before-model", r#""llm_request":{"messages":[]}"#), @"passed: a request without text");
    insta::assert_snapshot!(told_by("before-model", r#""llm_request":{"messages":[7,{"role":"user"}]}"#), @"passed: a request without text");
    insta::assert_snapshot!(told_by("before-model", r#""llm_request":{"messages":"hi"}"#), @"
    error: the payload is not that of a `before-model` hook
    cause: missing field `llm_request.messages`
    ");
}

#[test]
fn inputs_of_tools() {
    for (fields, said) in [
        (
            r#""tool_name":"replace","tool_input":{"file_path":"/a"}"#,
            r#"replace (edit), path "/a""#,
        ),
        (r#""tool_name":"replace","tool_input":[]"#, "replace (edit)"),
        (r#""tool_name":"glob","tool_input":{"dir_path":"src"}"#, r#"glob (read), path "src""#),
        (r#""tool_name":"web_fetch","tool_input":{"prompt":"p"}"#, "web_fetch (read)"),
        (
            r#""tool_name":"invoke_agent","tool_input":{"prompt":"p","agent_name":7}"#,
            r#"invoke_agent (agent), prompt "p""#,
        ),
    ] {
        assert_eq!(told_by("before-tool", fields), format!("before_tool {said}"), "{fields}");
    }
}

#[test]
fn the_list_of_things_to_do() {
    let todos = r#"{"todos":[{"description":"a","status":"pending"},{"description":"b","status":"in_progress"},{"description":"c","status":"completed"},{"description":"d","status":"cancelled"},{"description":"e","status":"someday"},{"status":"pending"},7]}"#;
    let by = |word: &str, rest: &str| {
        told_by(word, &format!(r#""tool_name":"write_todos","tool_input":{todos}{rest}"#))
    };
    insta::assert_snapshot!(by("after-tool", ""), @r#"after_tool write_todos (todo), todo "a" Open, todo "b" Doing, todo "c" Done, todo "d" Dropped, todo "e""#);
    insta::assert_snapshot!(by("before-tool", ""), @"before_tool write_todos (todo)");
    insta::assert_snapshot!(by("after-tool", r#","tool_response":{"error":{}}"#), @"after_tool write_todos (todo), failed");
    let many = vec![r#"{"description":"a","status":"pending"}"#; TODOS + 1].join(",");
    let fields = format!(r#""tool_name":"write_todos","tool_input":{{"todos":[{many}]}}"#);
    assert_eq!(told_by("after-tool", &fields).matches(r#"todo "a" Open"#).count(), TODOS);
}

#[test]
fn a_tool_fails_when_there_is_an_error() {
    for (error, failed) in [
        (r#"{"message":"m"}"#, true),
        ("{}", true),
        (r#""gone""#, true),
        ("null", false),
        ("false", false),
    ] {
        let fields = format!(r#""tool_name":"glob","tool_response":{{"error":{error}}}"#);
        assert_eq!(told_by("after-tool", &fields).ends_with("failed"), failed, "{error}");
    }
}

#[test]
fn events_that_mean_nothing_without_a_field_are_refused() {
    for (word, fields, missing) in [
        ("before-agent", r#""prompt":null"#, "prompt"),
        ("before-tool", r#""tool_input":{}"#, "tool_name"),
        ("after-tool", r#""tool_name":["glob"]"#, "tool_name"),
        ("before-model", r#""llm_request":{}"#, "llm_request.messages"),
    ] {
        let expected = format!(
            "error: the payload is not that of a `{word}` hook\ncause: missing field `{missing}`"
        );
        assert_eq!(told_by(word, fields), expected);
    }
}

#[test]
fn contradictions_and_unusable_sessions_are_refused() {
    insta::assert_snapshot!(told_by("after-agent", r#""hook_event_name":"BeforeAgent""#), @"error: the command line says `AfterAgent` and the payload `BeforeAgent`");
    insta::assert_snapshot!(told(decode("session-end", br#"{"session_id":"a b","cwd":"/"}"#)), @"
    error: the payload names no usable session
    cause: `a b` is not a host's session id: 1 to 256 printable characters without spaces
    ");
    assert!(matches!(decode("session-end", b"{\"\xff"), Err(DecodeError::NotText(_))));
}

#[test]
fn nesting_is_bounded_wherever_it_stands() {
    for field in ["new", "tool_input", "tool_response", "llm_request"] {
        let deep = format!("{}1{}", r#"{"error":"#.repeat(100_000), "}".repeat(100_000));
        let said = told_by("before-tool", &format!(r#""tool_name":"glob","{field}":{deep}"#));
        assert!(said.contains("recursion limit exceeded"), "{field} {said}");
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

    /// What a person writes arrives as it was written, whatever a hook said before it.
    #[test]
    fn any_prompt_arrives_unchanged(context in "[^<]{0,20}", prompt in "[^<\n](?s).{0,60}") {
        let before = format!("<hook_context>{context}</hook_context>\n\n{prompt}");
        for written in [&before, &prompt] {
            let payload = json!({ "session_id": "s", "cwd": "/", "prompt": written }).to_string();
            let Ok(Decoded::Known { event, .. }) = decode("before-agent", payload.as_bytes())
            else {
                return Err(TestCaseError::fail(payload));
            };
            prop_assert_eq!(event.body, EventBody::Prompt { prompt: prompt.clone() });
        }
    }

    /// However much is said in a conversation, notes at its end are found.
    #[test]
    fn notes_are_found_in_any_conversation(said in prop::collection::vec("(?s).{0,40}", 0..8)) {
        let start = json!({ "role": "user", "content": "<session_context>" });
        let mut messages = vec![start];
        messages.extend(said.iter().map(|text| json!({ "role": "model", "content": text })));
        for (notes, told) in [
            ("<hook_context># pacenote: shop</hook_context>", NotesIn::Held),
            ("", NotesIn::Lost),
        ] {
            let mut messages = messages.clone();
            messages.push(json!({ "role": "user", "content": notes }));
            let payload = json!({
                "session_id": "s", "cwd": "/", "llm_request": { "messages": messages },
            });
            let Ok(Decoded::Known { event, .. }) =
                decode("before-model", payload.to_string().as_bytes())
            else {
                return Err(TestCaseError::fail(payload.to_string()));
            };
            prop_assert_eq!(event.body, EventBody::Request { notes: told });
        }
    }
}
