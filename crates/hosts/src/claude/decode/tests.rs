use std::error::Error;

use proptest::prelude::*;

use super::*;
use crate::{
    spoken::{self, line},
    todos::TODOS,
};

/// Gives each recorded payload the word of its event.
macro_rules! recorded {
    ($($word:literal: $($file:literal),+;)+) => {
        [$($((
            $word,
            $file,
            include_str!(concat!("../fixtures/2.1.325/", $file, ".json")),
        ),)+)+]
    };
}

const RECORDED: [(&str, &str, &str); 37] = recorded! {
    "session-start": "SessionStart.startup", "SessionStart.resume", "SessionStart.clear",
        "SessionStart.compact", "SessionStart.fork";
    "user-prompt-submit": "UserPromptSubmit";
    "pre-tool-use": "PreToolUse.Agent", "PreToolUse.Bash", "PreToolUse.Read", "PreToolUse.Skill",
        "PreToolUse.TaskCreate", "PreToolUse.ToolSearch", "PreToolUse.Write",
        "PreToolUse.mcp__ledger__total";
    "post-tool-use": "PostToolUse.Agent", "PostToolUse.Bash", "PostToolUse.Read",
        "PostToolUse.Skill", "PostToolUse.TaskCreate", "PostToolUse.TaskUpdate",
        "PostToolUse.TaskUpdate.deleted", "PostToolUse.TaskUpdate.missing",
        "PostToolUse.TodoWrite", "PostToolUse.ToolSearch", "PostToolUse.mcp__ledger__total";
    "post-tool-use-failure": "PostToolUseFailure.Read";
    "task-created": "TaskCreated";
    "task-completed": "TaskCompleted";
    "pre-compact": "PreCompact.auto", "PreCompact.manual";
    "post-compact": "PostCompact.auto", "PostCompact.manual";
    "stop": "Stop";
    "subagent-start": "SubagentStart";
    "subagent-stop": "SubagentStop";
    "session-end": "SessionEnd.clear", "SessionEnd.other";
};

/// Payloads of events that tell us nothing we need.
const PASSED_RECORDED: [(&str, &str, &str); 8] = recorded! {
    "cwd-changed": "CwdChanged";
    "instructions-loaded": "InstructionsLoaded";
    "message-display": "MessageDisplay";
    "permission-request": "PermissionRequest.Bash", "PermissionRequest.Write";
    "post-tool-batch": "PostToolBatch";
    "setup": "Setup.init";
    "user-prompt-expansion": "UserPromptExpansion";
};

const STARTUP: &str = include_str!("../fixtures/2.1.325/SessionStart.startup.json");

/// What is told by a payload with a session, a directory and these fields.
fn told_by(word: &str, fields: &str) -> String {
    told(word, &format!(r#"{{"session_id":"s","cwd":"/",{fields}}}"#))
}

/// The event in a line, or the error with its causes.
fn told(word: &str, payload: &str) -> String {
    match decode(word, payload.as_bytes()) {
        Ok(Decoded::Known { event, warnings, .. }) => {
            let mut lines = vec![line(&event)];
            lines.extend(warnings.iter().map(|warning| format!("warning: {warning}")));
            lines.join("\n")
        }
        Ok(Decoded::Passed { name }) => format!("passed: {name}"),
        Ok(Decoded::Unknown { name }) => format!("unknown: {name}"),
        Err(error) => {
            let mut lines = vec![format!("error: {error}")];
            let mut cause = error.source();
            while let Some(error) = cause {
                lines.push(format!("cause: {error}"));
                cause = error.source();
            }
            lines.join("\n")
        }
    }
}

#[test]
fn recorded_payloads() {
    let all = RECORDED.map(|(word, file, payload)| format!("{file}: {}", told(word, payload)));
    insta::assert_snapshot!(all.join("\n"), @r#"
    SessionStart.startup: startup
    SessionStart.resume: resume
    SessionStart.clear: clear
    SessionStart.compact: compact
    SessionStart.fork: fork
    UserPromptSubmit: prompt "add the login form\nand a test"
    PreToolUse.Agent: before_tool Agent (agent), prompt "Find where the login form is drawn.\nName the file only.", agent type "general-purpose"
    PreToolUse.Bash: before_tool Bash (shell), command "cargo test login"
    PreToolUse.Read: before_tool Read (read), path "/home/dev/shop/src/login.rs"
    PreToolUse.Skill: before_tool Skill (other)
    PreToolUse.TaskCreate: before_tool TaskCreate (todo)
    PreToolUse.ToolSearch: before_tool ToolSearch (read)
    PreToolUse.Write: before_tool Write (edit), path "/home/dev/shop/src/login.rs"
    PreToolUse.mcp__ledger__total: before_tool mcp__ledger__total (other)
    PostToolUse.Agent: after_tool Agent (agent), prompt "Find where the login form is drawn.\nName the file only.", agent type "general-purpose"
    PostToolUse.Bash: after_tool Bash (shell), command "cargo test login"
    PostToolUse.Read: after_tool Read (read), path "/home/dev/shop/src/login.rs"
    PostToolUse.Skill: after_tool Skill (other)
    PostToolUse.TaskCreate: after_tool TaskCreate (todo)
    PostToolUse.TaskUpdate: after_tool TaskUpdate (todo), todo #1 "Draw the login form twice" Doing
    PostToolUse.TaskUpdate.deleted: after_tool TaskUpdate (todo), todo #2 Dropped
    PostToolUse.TaskUpdate.missing: after_tool TaskUpdate (todo)
    PostToolUse.TodoWrite: after_tool TodoWrite (todo), todo "Draw the login form" Done, todo "Test it" Doing, todo "Describe it" Open
    PostToolUse.ToolSearch: after_tool ToolSearch (read)
    PostToolUse.mcp__ledger__total: after_tool mcp__ledger__total (other)
    PostToolUseFailure.Read: after_tool Read (read), path "/home/dev/shop/src/signup.rs", failed
    TaskCreated: todos #1 "Draw the login form" Open
    TaskCompleted: todos #1 "Draw the login form" Done
    PreCompact.auto: pre_compact auto
    PreCompact.manual: pre_compact manual
    PostCompact.auto: post_compact auto Some("<analysis>the form is drawn, the test is missing</analysis>\n<summary>Login form added in src/login.rs.</summary>")
    PostCompact.manual: post_compact manual Some("Login form added, its test is missing.")
    Stop: stop again: false, said "The form is there, with a test."
    SubagentStart: subagent_start a7c41e09d52b6f830 general-purpose
    SubagentStop: subagent_stop a7c41e09d52b6f830 general-purpose Some("src/login.rs") again: false
    SessionEnd.clear: session_end "clear"
    SessionEnd.other: session_end "other"
    "#);
}

#[test]
fn every_recorded_payload_tells_its_session_and_place() {
    for (word, file, payload) in RECORDED {
        let Ok(Decoded::Known { event, warnings, .. }) = decode(word, payload.as_bytes()) else {
            panic!("{file}");
        };
        assert_eq!(event.directory, "/home/dev/shop", "{file}");
        let transcript =
            format!("/home/dev/.claude/projects/-home-dev-shop/{}.jsonl", event.session);
        assert_eq!(event.transcript, Some(transcript), "{file}");
        assert_eq!(warnings, [], "{file}");
    }
}

#[test]
fn every_event_was_recorded() {
    for hook in Hook::ALL {
        let recorded = RECORDED.iter().any(|(word, file, _)| {
            *word == hook.word() && file.split('.').next() == Some(hook.name())
        });
        assert!(recorded, "{hook:?}");
    }
}

/// The word of one of the client's names: `PreToolUse` is `pre-tool-use`.
fn word_of(name: &str) -> String {
    let mut word = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !word.is_empty() {
            word.push('-');
        }
        word.extend(letter.to_lowercase());
    }
    word
}

#[test]
fn every_word_is_the_client_s_name() {
    for hook in Hook::ALL {
        assert_eq!(hook.word(), word_of(hook.name()));
        assert!(!PASSED.contains(&hook.word()), "{hook:?}");
    }
    for (word, file, payload) in PASSED_RECORDED {
        let payload: serde_json::Value = serde_json::from_str(payload).unwrap();
        assert_eq!(word, word_of(payload["hook_event_name"].as_str().unwrap()), "{file}");
    }
}

#[test]
fn what_is_known_and_not_needed_is_passed() {
    for (word, file, payload) in PASSED_RECORDED {
        assert_eq!(told(word, payload), format!("passed: {word}"), "{file}");
    }
    for word in PASSED {
        // Not even looked at.
        let decoded = decode(word, b"\xff").unwrap();
        assert_eq!(decoded, Decoded::Passed { name: word.to_owned() });
    }
}

#[test]
fn an_event_of_a_newer_client_is_no_error() {
    for word in ["post-teleport", "SessionStart", ""] {
        let decoded = decode(word, b"\xff").unwrap();
        assert_eq!(decoded, Decoded::Unknown { name: word.to_owned() });
    }
}

#[test]
fn what_the_client_does_for_itself_is_not_for_us() {
    insta::assert_snapshot!(told_by("user-prompt-submit", r#""prompt":"<task-notification>\n<task-id>1""#), @"passed: <task-notification>");
    for word in ["subagent-start", "subagent-stop"] {
        insta::allow_duplicates! {
            insta::assert_snapshot!(told_by(word, r#""agent_id":"a7c41e09","agent_type":"""#), @"passed: a fork of the client's own");
        }
    }
}

#[test]
fn the_context_of_a_subagent_is_compacted_under_the_name_of_its_session() {
    let agent = r#""agent_id":"a7c41e09","agent_type":"Explore""#;
    let all = ["pre-compact", "session-start", "post-compact"].map(|word| {
        told_by(
            word,
            &format!(r#"{agent},"source":"compact","trigger":"auto","compact_summary":"x""#),
        )
    });
    insta::assert_snapshot!(all.join("\n"), @"
    passed: the compaction of a subagent
    subagent_start a7c41e09 Explore after compact
    passed: the compaction of a subagent
    ");
    // `claude --agent` names the type of the session itself.
    insta::assert_snapshot!(told_by("session-start", r#""agent_type":"Explore","source":"startup""#), @"startup");
}

#[test]
fn planning_is_a_mode_of_any_event() {
    for (mode, planning) in [
        (r#""plan""#, true),
        (r#""default""#, false),
        (r#""acceptEdits""#, false),
        (r#""Plan""#, false),
        ("null", false),
        (r#"["plan"]"#, false),
    ] {
        let said = told_by("stop", &format!(r#""permission_mode":{mode}"#));
        assert_eq!(said.contains("(planning)"), planning, "{mode}");
    }
}

#[test]
fn an_odd_start_is_a_new_session() {
    let newer = STARTUP.replace("startup", "teleport\\u001b[2J");
    insta::assert_snapshot!(told("session-start", &newer), @r"
    startup
    warning: the source `teleport\u{1b}[2J` is not known and taken for `startup`
    ");
    insta::assert_snapshot!(told_by("session-start", r#""new":[1,{"x":null}]"#), @"
    startup
    warning: there is no source, taken for `startup`
    ");
    insta::assert_snapshot!(told_by("session-start", r#""source":7"#), @"
    startup
    warning: there is no source, taken for `startup`
    ");
}

#[test]
fn an_odd_compaction_is_the_client_s() {
    insta::assert_snapshot!(told_by("pre-compact", r#""trigger":"idle`\u0007""#), @r"
    pre_compact auto
    warning: the trigger `idle`\u{7}` is not known and taken for `auto`
    ");
    insta::assert_snapshot!(told_by("post-compact", r#""compact_summary":{"text":"s"}"#), @"
    post_compact auto None
    warning: there is no trigger, taken for `auto`
    ");
}

#[test]
fn an_odd_end_is_an_end_all_the_same() {
    insta::assert_snapshot!(told_by("stop", r#""stop_hook_active":true"#), @"stop again: true");
    insta::assert_snapshot!(told_by("stop", r#""stop_hook_active":"yes""#), @"stop again: false");
    insta::assert_snapshot!(told_by("session-end", r#""reason":null"#), @r#"session_end "other""#);
    insta::assert_snapshot!(told_by("subagent-stop", r#""agent_id":"a","agent_type":"explore""#), @"subagent_stop a explore None again: false");
    insta::assert_snapshot!(told_by("subagent-stop", r#""agent_id":"a","agent_type":"explore","stop_hook_active":true"#), @"subagent_stop a explore None again: true");
}

#[test]
fn odd_inputs_of_tools_are_passed_over() {
    for (fields, said) in [
        (r#""tool_name":"Write""#, "Write (edit)"),
        (r#""tool_name":"Write","tool_input":null"#, "Write (edit)"),
        (r#""tool_name":"Write","tool_input":"/a""#, "Write (edit)"),
        (r#""tool_name":"Write","tool_input":[{"file_path":"/a"}]"#, "Write (edit)"),
        (
            r#""tool_name":"Write","tool_input":{"file_path":7,"path":"/a"}"#,
            r#"Write (edit), path "/a""#,
        ),
        (
            r#""tool_name":"Write","tool_input":{"path":"/c","notebook_path":"/b","file_path":"/a"}"#,
            r#"Write (edit), path "/a""#,
        ),
        (
            r#""tool_name":"NotebookEdit","tool_input":{"path":"/c","notebook_path":"/b"}"#,
            r#"NotebookEdit (edit), path "/b""#,
        ),
        (
            r#""tool_name":"NotebookEdit","tool_input":{"file_path":"/a","notebook_path":"/b"}"#,
            r#"NotebookEdit (edit), path "/b""#,
        ),
        (r#""tool_name":"Grep","tool_input":{"path":"src"}"#, r#"Grep (read), path "src""#),
        (r#""tool_name":"Bash","tool_input":{"command":["rm","-r"]}"#, "Bash (shell)"),
        // Only an agent's prompt is one.
        (r#""tool_name":"WebFetch","tool_input":{"prompt":"p"}"#, "WebFetch (read)"),
        (
            r#""tool_name":"Task","tool_input":{"prompt":"p","subagent_type":false}"#,
            r#"Task (agent), prompt "p""#,
        ),
        (
            r#""tool_name":"mcp__files__put","tool_input":{"path":"/a","prompt":"p"}"#,
            r#"mcp__files__put (other), path "/a""#,
        ),
        (r#""tool_name":"","tool_input":{}"#, " (other)"),
    ] {
        assert_eq!(told_by("pre-tool-use", fields), format!("before_tool {said}"), "{fields}");
    }
}

#[test]
fn odd_lists_of_things_to_do_are_passed_over() {
    for (tool, input, said) in [
        ("TodoWrite", "{}", ""),
        ("TodoWrite", r#"{"todos":{"content":"a"}}"#, ""),
        ("TodoWrite", r#"{"todos":["a",7,{},{"status":"pending"}]}"#, ""),
        ("TodoWrite", r#"{"todos":[{"content":"a"}]}"#, r#", todo "a""#),
        ("TodoWrite", r#"{"todos":[{"content":"a","status":"someday"}]}"#, r#", todo "a""#),
        ("TaskUpdate", r#"{"taskId":"1"}"#, ""),
        ("TaskUpdate", r#"{"taskId":1,"status":"completed"}"#, ""),
        ("TaskUpdate", r#"{"taskId":"1","status":"someday"}"#, ""),
        ("TaskUpdate", r#"{"taskId":"1","subject":"b"}"#, r#", todo #1 "b""#),
        ("TaskUpdate", r#"{"taskId":"1","status":"completed"}"#, ", todo #1 Done"),
        // Only the client's own lists are meant.
        ("mcp__plan__TodoWrite", r#"{"todos":[{"content":"a"}]}"#, ""),
    ] {
        let fields = format!(r#""tool_name":"{tool}","tool_input":{input}"#);
        let class = if tool.starts_with('T') { "todo" } else { "other" };
        for (word, said) in [("post-tool-use", said), ("pre-tool-use", "")] {
            let told = told_by(word, &fields);
            let expected = format!("{tool} ({class}){said}");
            assert_eq!(told.split_once(' ').unwrap().1, expected, "{word} {input}");
        }
    }
}

#[test]
fn a_list_of_things_to_do_is_read_to_a_limit() {
    let todos = vec![r#"{"content":"a","status":"pending"}"#; TODOS + 1].join(",");
    let fields = format!(r#""tool_name":"TodoWrite","tool_input":{{"todos":[{todos}]}}"#);
    let said = told_by("post-tool-use", &fields);
    assert_eq!(said.matches(r#", todo "a" Open"#).count(), TODOS);
}

#[test]
fn events_that_mean_nothing_without_a_field_are_refused() {
    for (word, fields, missing) in [
        ("user-prompt-submit", r#""prompt":null"#, "prompt"),
        ("pre-tool-use", r#""tool_input":{}"#, "tool_name"),
        ("post-tool-use", r#""tool_name":["Bash"]"#, "tool_name"),
        ("post-tool-use-failure", r#""error":"e""#, "tool_name"),
        ("task-created", r#""task_subject":"s""#, "task_id"),
        ("task-completed", r#""task_id":1"#, "task_id"),
        ("subagent-start", r#""agent_type":"explore""#, "agent_id"),
        ("subagent-stop", r#""agent_id":"a""#, "agent_type"),
    ] {
        let expected = format!(
            "error: the payload is not that of a `{word}` hook\ncause: missing field `{missing}`"
        );
        assert_eq!(told_by(word, fields), expected);
    }
}

#[test]
fn contradictions_and_unusable_sessions_are_refused() {
    let other = STARTUP.replace("SessionStart", "Stop");
    insta::assert_snapshot!(told("session-start", &other), @"error: the command line says `SessionStart` and the payload `Stop`");
    insta::assert_snapshot!(told("user-prompt-submit", STARTUP), @"error: the command line says `UserPromptSubmit` and the payload `SessionStart`");
    let nameless = r#"{"session_id":"","cwd":"/","source":"clear"}"#;
    insta::assert_snapshot!(told("session-start", nameless), @"
    error: the payload names no usable session
    cause: `` is not a host's session id: 1 to 256 printable characters without spaces
    ");
    let control = r#"{"session_id":"a\u0000b","cwd":"/","source":"clear"}"#;
    insta::assert_snapshot!(told("session-start", control), @r"
    error: the payload names no usable session
    cause: `a\u{0}b` is not a host's session id: 1 to 256 printable characters without spaces
    ");
}

#[test]
fn what_is_not_a_payload_is_refused() {
    let told = |payload: &str| told("session-start", payload);
    insta::assert_snapshot!(told(""), @"
    error: the payload is not that of a `session-start` hook
    cause: EOF while parsing a value at line 1 column 0
    ");
    let list = r#"["s","/","SessionStart","clear",null]"#;
    insta::assert_snapshot!(told(list), @"
    error: the payload is not that of a `session-start` hook
    cause: missing field `session_id`
    ");
    insta::assert_snapshot!(told(r#"{"session_id":7,"cwd":"/"}"#), @"
    error: the payload is not that of a `session-start` hook
    cause: missing field `session_id`
    ");
    insta::assert_snapshot!(told(r#"{"session_id":"s"}"#), @"
    error: the payload is not that of a `session-start` hook
    cause: missing field `cwd`
    ");
    insta::assert_snapshot!(told(&format!("{STARTUP}{STARTUP}")), @"
    error: the payload is not that of a `session-start` hook
    cause: trailing characters at line 8 column 1
    ");
    insta::assert_snapshot!(told(&format!("\u{feff}{STARTUP}")), @"
    error: the payload is not that of a `session-start` hook
    cause: expected value at line 1 column 1
    ");
    assert!(matches!(decode("session-start", b"{\"\xff"), Err(DecodeError::NotText(_))));
}

#[test]
fn nesting_is_bounded_wherever_it_stands() {
    for field in ["new", "source", "tool_input", "session_id"] {
        for (open, close) in [("[", "]"), (r#"{"x":"#, "}")] {
            let deep = format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
            let fields = format!(r#""tool_name":"Write","{field}":{deep}"#);
            let said = told_by("pre-tool-use", &fields);
            assert!(said.contains("recursion limit exceeded"), "{field} {said}");
        }
    }
    let deep = format!("{}1{}", "[".repeat(120), "]".repeat(120));
    assert!(told_by("stop", &format!(r#""new":{deep}"#)).starts_with("stop"));
}

#[test]
fn a_character_cut_in_half_costs_no_event() {
    let fields =
        r#""tool_name":"Bash","tool_input":{"command":"echo \ud83d"},"tool_response":"\ude00""#;
    insta::assert_snapshot!(told_by("post-tool-use", fields), @r#"after_tool Bash (shell), command "echo �""#);
}

#[test]
fn a_large_input_leaves_only_what_is_read_of_it() {
    let content = "fn main() {}\\n".repeat(100_000);
    let fields = format!(
        r#""tool_name":"Write","tool_input":{{"content":"{content}","file_path":"/a"}},"tool_response":"{content}""#
    );
    assert_eq!(told_by("post-tool-use", &fields), r#"after_tool Write (edit), path "/a""#);
}

#[test]
fn a_payload_cut_at_any_byte_is_refused() {
    spoken::assert_refused_when_cut(&RECORDED, decode);
    for (word, file, payload) in PASSED_RECORDED {
        for end in 0..payload.len() {
            let decoded = decode(word, &payload.as_bytes()[..end]);
            assert!(matches!(decoded, Ok(Decoded::Passed { .. })), "{file} {end}");
        }
    }
}

proptest! {
    /// No byte in a payload, whatever it becomes, makes the decoder panic, and an event is one of
    /// the kind that was asked for.
    #[test]
    fn a_damaged_payload_never_panics(
        recorded in prop::sample::select(&RECORDED[..]),
        place in any::<prop::sample::Index>(),
        bytes in prop::collection::vec(any::<u8>(), 0..8),
    ) {
        let (word, file, payload) = recorded;
        let damaged = spoken::damaged(payload, place, bytes);
        if let Ok(Decoded::Known { event, .. }) = decode(word, &damaged) {
            let Ok(Decoded::Known { event: whole, .. }) = decode(word, payload.as_bytes()) else {
                panic!("{file}");
            };
            prop_assert_eq!(
                std::mem::discriminant(&event.body),
                std::mem::discriminant(&whole.body),
            );
        }
    }

    /// What a person writes arrives as it was written.
    #[test]
    fn any_prompt_arrives_unchanged(prompt in "[^<].*|\\PC*|(?s).*") {
        prop_assume!(!prompt.starts_with("<task-notification>"));
        let fields = format!(r#""prompt":{}"#, serde_json::to_string(&prompt).unwrap());
        let payload = format!(r#"{{"session_id":"s","cwd":"/",{fields}}}"#);
        let Ok(Decoded::Known { event, .. }) = decode("user-prompt-submit", payload.as_bytes())
        else {
            return Err(TestCaseError::fail(payload));
        };
        prop_assert_eq!(event.body, EventBody::Prompt { prompt });
    }
}
