use pacenote_model::EventBody;
use proptest::prelude::*;

use super::*;
use crate::{spoken, todos::TODOS};

/// Gives each recorded payload the word of its event.
macro_rules! recorded {
    ($($word:literal: $($file:literal),+;)+) => {
        [$($((
            $word,
            $file,
            include_str!(concat!("../fixtures/0.166.0/", $file, ".json")),
        ),)+)+]
    };
}

const RECORDED: [(&str, &str, &str); 17] = recorded! {
    "session-start": "SessionStart.startup", "SessionStart.resume", "SessionStart.compact";
    "user-prompt-submit": "UserPromptSubmit", "UserPromptSubmit.subagent";
    "pre-tool-use": "PreToolUse.Bash", "PreToolUse.Bash.patch", "PreToolUse.spawn_agent",
        "PreToolUse.mcp__ledger__total";
    "post-tool-use": "PostToolUse.Bash", "PostToolUse.spawn_agent",
        "PostToolUse.mcp__ledger__total";
    "pre-compact": "PreCompact.auto";
    "post-compact": "PostCompact.auto";
    "stop": "Stop";
    "subagent-start": "SubagentStart";
    "subagent-stop": "SubagentStop";
};

const END: &str = include_str!("../fixtures/0.166.0/SessionEnd.other.json");

fn told(word: &str, payload: &str) -> String {
    spoken::told(decode(word, payload.as_bytes()))
}

/// What is told by a payload with a session, a directory and these fields.
fn told_by(word: &str, fields: &str) -> String {
    told(word, &format!(r#"{{"session_id":"s","cwd":"/",{fields}}}"#))
}

#[test]
fn recorded_payloads() {
    let all = RECORDED.into_iter().chain([("session-end", "SessionEnd.other", END)]);
    let all = all.map(|(word, file, payload)| format!("{file}: {}", told(word, payload)));
    insta::assert_snapshot!(all.collect::<Vec<_>>().join("\n"), @r#"
    SessionStart.startup: startup
    SessionStart.resume: resume
    SessionStart.compact: compact
    UserPromptSubmit: prompt "add the login form\nand a test"
    UserPromptSubmit.subagent: passed: an event of a subagent's own
    PreToolUse.Bash: before_tool Bash (shell), command "cargo test login"
    PreToolUse.Bash.patch: before_tool Bash (edit), path "src/login.rs", command "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: src/login.rs\n@@\n-fn form() {}\n+pub fn form() {}\n*** Add File: src/form.rs\n+//! The form.\n*** End Patch\nEOF\n"
    PreToolUse.spawn_agent: before_tool spawn_agent (agent), prompt "Find where the login form is drawn.\nName the file only.", agent type "explorer"
    PreToolUse.mcp__ledger__total: before_tool mcp__ledger__total (other)
    PostToolUse.Bash: after_tool Bash (shell), command "cargo test login"
    PostToolUse.spawn_agent: after_tool spawn_agent (agent), prompt "Find where the login form is drawn.\nName the file only.", agent type "explorer"
    PostToolUse.mcp__ledger__total: after_tool mcp__ledger__total (other)
    PreCompact.auto: pre_compact auto
    PostCompact.auto: post_compact auto None
    Stop: stop again: false, said "The login form is drawn."
    SubagentStart: subagent_start 01a1f3c4-0e55-7a91-b6c8-93d1e2f4a507 explorer
    SubagentStop: subagent_stop 01a1f3c4-0e55-7a91-b6c8-93d1e2f4a507 explorer Some("src/login.rs") again: false
    SessionEnd.other: session_end "other"
    "#);
}

#[test]
fn where_it_happened() {
    let Decoded::Known { event, form, .. } = decode("session-end", END.as_bytes()).unwrap() else {
        panic!("{END}");
    };
    insta::assert_debug_snapshot!((event, form), @r#"
    (
        Event {
            session: HostId(
                "01a1f3c2-5b10-7c44-9d21-7e0a4f6b8c13",
            ),
            directory: "/home/dev/shop",
            transcript: Some(
                "/home/dev/.codex/sessions/2026/11/20/rollout-2026-11-20T09-14-02-01a1f3c2-5b10-7c44-9d21-7e0a4f6b8c13.jsonl",
            ),
            plan_mode: false,
            subagent: None,
            body: SessionEnd {
                reason: "other",
            },
        },
        Json,
    )
    "#);
}

#[test]
fn events_of_newer_clients_are_passed_over() {
    assert_eq!(told("permission-request", "?"), "passed: permission-request");
    assert_eq!(told("stop-failure", "?"), "unknown: stop-failure");
    assert_eq!(told("SessionStart", "?"), "unknown: SessionStart");
    assert_eq!(told_by("stop", r#""brand_new":{"a":[1]}"#), "stop again: false");
}

#[test]
fn what_is_odd_is_said() {
    for (word, fields, said) in [
        ("session-start", r#""source":"clear""#, "clear"),
        (
            "session-start",
            r#""source":"teleport""#,
            "startup\nwarning: the source `teleport` is not known and taken for `startup`",
        ),
        (
            "session-start",
            r#""source":7"#,
            "startup\nwarning: there is no source, taken for `startup`",
        ),
        ("pre-compact", r#""trigger":"manual""#, "pre_compact manual"),
        (
            "pre-compact",
            r#""trigger":"idle""#,
            "pre_compact auto\nwarning: the trigger `idle` is not known and taken for `auto`",
        ),
        (
            "post-compact",
            r#""x":1"#,
            "post_compact auto None\nwarning: there is no trigger, taken for `auto`",
        ),
        (
            "stop",
            r#""stop_hook_active":true,"permission_mode":"plan""#,
            "stop (planning) again: true",
        ),
        ("session-end", r#""x":1"#, r#"session_end "other""#),
    ] {
        assert_eq!(told_by(word, fields), said, "{word} {fields}");
    }
}

#[test]
fn what_is_a_subagent_s_own_is_not_the_session_s() {
    for (word, fields, passed) in [
        ("session-start", r#""source":"compact""#, true),
        ("user-prompt-submit", r#""prompt":"p""#, true),
        ("pre-tool-use", r#""tool_name":"Bash""#, false),
        ("post-tool-use", r#""tool_name":"Bash""#, false),
        ("pre-compact", r#""trigger":"auto""#, true),
        ("post-compact", r#""trigger":"auto""#, true),
        ("stop", r#""x":1"#, true),
        ("subagent-start", r#""agent_type":"explorer""#, false),
        ("subagent-stop", r#""agent_type":"explorer""#, false),
    ] {
        let said = told_by(word, &format!(r#"{fields},"agent_id":"a""#));
        assert_eq!(said == "passed: an event of a subagent's own", passed, "{word}: {said}");
    }
}

#[test]
fn tools() {
    let patch = r#""*** Begin Patch\n*** Update File: src/a.rs\n*** End Patch""#;
    for (tool, input, said) in [
        ("Bash", r#"{"command":"ls"}"#.to_owned(), r#"Bash (shell), command "ls""#),
        ("Bash", r#"{"command":["ls"]}"#.to_owned(), "Bash (shell)"),
        (
            "apply_patch",
            format!(r#"{{"command":{patch}}}"#),
            r#"apply_patch (edit), path "src/a.rs""#,
        ),
        ("apply_patch", "{}".to_owned(), "apply_patch (edit)"),
        (
            "spawn_agent",
            r#"{"message":"m","agent_type":"explorer"}"#.to_owned(),
            r#"spawn_agent (agent), prompt "m", agent type "explorer""#,
        ),
        // Models of the client's own catalogue know the tool by the name of its group.
        (
            "collaborationspawn_agent",
            r#"{"task_name":"sails","message":"m"}"#.to_owned(),
            r#"collaborationspawn_agent (agent), prompt "m""#,
        ),
        ("mcp__zoo__spawn_agent", r#"{"message":"m"}"#.to_owned(), "mcp__zoo__spawn_agent (other)"),
        // What the model wrote is handed on as text where it is no JSON.
        ("spawn_agent", r#""{\"message\":\"m""#.to_owned(), "spawn_agent (agent)"),
        ("view_image", r#"{"path":"/a.png"}"#.to_owned(), r#"view_image (read), path "/a.png""#),
        (
            "mcp__files__put",
            r#"{"message":"m","command":"c"}"#.to_owned(),
            "mcp__files__put (other)",
        ),
        ("bash", r#"{"command":"ls"}"#.to_owned(), "bash (other)"),
    ] {
        let fields = format!(r#""tool_name":"{tool}","tool_input":{input}"#);
        assert_eq!(told_by("pre-tool-use", &fields), format!("before_tool {said}"), "{fields}");
        assert_eq!(told_by("post-tool-use", &fields), format!("after_tool {said}"), "{fields}");
    }
}

#[test]
fn a_subagent_may_have_no_type() {
    let said = told_by("subagent-start", r#""agent_id":"a""#);
    assert_eq!(said, "subagent_start a ");
    let said = told_by("subagent-start", r#""agent_id":"a","agent_type":"default""#);
    assert_eq!(said, "subagent_start a default");
}

#[test]
fn a_plan_is_a_list_of_things_to_do() {
    let plan = r#"[{"step":"a","status":"completed"},{"step":"b","status":"in_progress"},{"step":"c","status":"pending"},{"step":"d","status":"someday"},{"status":"pending"},7]"#;
    let fields = format!(r#""tool_name":"update_plan","tool_input":{{"plan":{plan}}}"#);
    assert_eq!(told_by("pre-tool-use", &fields), "before_tool update_plan (todo)");
    assert_eq!(
        told_by("post-tool-use", &fields),
        r#"after_tool update_plan (todo), todo "a" Done, todo "b" Doing, todo "c" Open, todo "d""#,
    );
    let other = fields.replace("update_plan", "mcp__plan__update_plan");
    assert_eq!(told_by("post-tool-use", &other), "after_tool mcp__plan__update_plan (other)");

    let steps = vec![r#"{"step":"a","status":"pending"}"#; TODOS + 1].join(",");
    let fields = format!(r#""tool_name":"update_plan","tool_input":{{"plan":[{steps}]}}"#);
    assert_eq!(told_by("post-tool-use", &fields).matches(r#"todo "a" Open"#).count(), TODOS);
}

#[test]
fn events_that_mean_nothing_without_a_field_are_refused() {
    for (word, fields, missing) in [
        ("user-prompt-submit", r#""prompt":null"#, "prompt"),
        ("pre-tool-use", r#""tool_input":{}"#, "tool_name"),
        ("post-tool-use", r#""tool_name":["Bash"]"#, "tool_name"),
        ("subagent-start", r#""agent_type":"explorer""#, "agent_id"),
        ("subagent-stop", r#""agent_type":"explorer""#, "agent_id"),
    ] {
        let expected = format!(
            "error: the payload is not that of a `{word}` hook\ncause: missing field `{missing}`"
        );
        assert_eq!(told_by(word, fields), expected);
    }
    for (payload, missing) in [(r#"{"cwd":"/"}"#, "session_id"), (r#"{"session_id":"s"}"#, "cwd")] {
        assert!(
            told("stop", payload).ends_with(&format!("missing field `{missing}`")),
            "{payload}"
        );
    }
}

#[test]
fn contradictions_and_unusable_sessions_are_refused() {
    insta::assert_snapshot!(told("stop", END), @"error: the command line says `Stop` and the payload `SessionEnd`");
    insta::assert_snapshot!(told("stop", r#"{"session_id":"a b","cwd":"/"}"#), @"
    error: the payload names no usable session
    cause: `a b` is not a host's session id: 1 to 256 printable characters without spaces
    ");
    assert!(matches!(decode("stop", b"{\"\xff"), Err(DecodeError::NotText(_))));
}

#[test]
fn a_payload_cut_at_any_byte_is_refused() {
    spoken::assert_refused_when_cut(&RECORDED, decode);
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
        let (word, _, payload) = recorded;
        let damaged = spoken::damaged(payload, place, bytes);
        let (damaged, whole) = (decode(word, &damaged), decode(word, payload.as_bytes()));
        if let (
            Ok(Decoded::Known { event: damaged, .. }),
            Ok(Decoded::Known { event: whole, .. }),
        ) = (damaged, whole)
        {
            prop_assert_eq!(
                std::mem::discriminant(&damaged.body),
                std::mem::discriminant(&whole.body),
            );
        }
    }

    /// What a person writes arrives as it was written.
    #[test]
    fn any_prompt_arrives_unchanged(prompt in any::<String>()) {
        let text = serde_json::to_string(&prompt).unwrap();
        let payload = format!(r#"{{"session_id":"s","cwd":"/","prompt":{text}}}"#);
        let Ok(Decoded::Known { event, .. }) = decode("user-prompt-submit", payload.as_bytes())
        else {
            return Err(TestCaseError::fail(payload));
        };
        prop_assert_eq!(event.body, EventBody::Prompt { prompt });
    }
}
