use pacenote_model::EventBody;
use proptest::prelude::*;

use super::*;
use crate::spoken;

/// Gives each recorded payload the word of its event.
macro_rules! recorded {
    ($($word:literal: $($file:literal),+;)+) => {
        [$($((
            $word,
            $file,
            include_str!(concat!("../fixtures/1.0.102/", $file, ".json")),
        ),)+)+]
    };
}

const RECORDED: [(&str, &str, &str); 17] = recorded! {
    "session-start": "sessionStart.new", "sessionStart.resume";
    "user-prompt-submitted": "userPromptSubmitted", "userPromptSubmitted.subagent";
    "pre-tool-use": "preToolUse.bash", "preToolUse.bash.subagent", "preToolUse.create",
        "preToolUse.task";
    "post-tool-use": "postToolUse.bash", "postToolUse.create";
    "post-tool-use-failure": "postToolUseFailure.edit";
    "pre-compact": "preCompact.manual";
    "agent-stop": "agentStop", "agentStop.subagent";
    "subagent-start": "subagentStart";
    "subagent-stop": "subagentStop";
    "session-end": "sessionEnd.complete";
};

const REQUEST: &str = include_str!("../fixtures/1.0.102/permissionRequest.bash.json");

fn told(word: &str, payload: &str) -> String {
    spoken::told(decode(word, payload.as_bytes()))
}

/// What is told by a payload with a session, a directory and these fields.
fn told_by(word: &str, fields: &str) -> String {
    told(word, &format!(r#"{{"sessionId":"s","cwd":"/",{fields}}}"#))
}

#[test]
fn recorded_payloads() {
    let all = RECORDED.map(|(word, file, payload)| format!("{file}: {}", told(word, payload)));
    insta::assert_snapshot!(all.join("\n"), @r#"
    sessionStart.new: startup
    sessionStart.resume: compact
    userPromptSubmitted: prompt "add the login form\nand a test"
    userPromptSubmitted.subagent: passed: an event of a subagent's own
    preToolUse.bash: before_tool bash (shell), command "cargo test login"
    preToolUse.bash.subagent: before_tool bash (shell), command "cargo test login"
    preToolUse.create: before_tool create (edit), path "/home/dev/shop/src/login.rs"
    preToolUse.task: before_tool task (agent), prompt "Find where the login form is drawn.\nName the file only.", agent type "explore"
    postToolUse.bash: after_tool bash (shell), command "cargo test login"
    postToolUse.create: after_tool create (edit), path "/home/dev/shop/src/login.rs"
    postToolUseFailure.edit: after_tool edit (edit), path "/home/dev/shop/src/signup.rs", failed
    preCompact.manual: pre_compact manual
    agentStop: stop again: false
    agentStop.subagent: passed: an event of a subagent's own
    subagentStart: subagent_start b80f24d7-1e63-4a95-9c02-57d3e8a1f690 explore
    subagentStop: subagent_stop b80f24d7-1e63-4a95-9c02-57d3e8a1f690 explore Some("src/login.rs") again: false
    sessionEnd.complete: session_end "complete"
    "#);
    assert_eq!(told("permission-request", REQUEST), "passed: permission-request");
}

#[test]
fn a_subagent_s_tools_are_those_of_the_session_that_started_it() {
    let sessions =
        RECORDED.map(|(word, file, payload)| match decode(word, payload.as_bytes()).unwrap() {
            Decoded::Known { event, .. } => (file, Some(event.session.to_string())),
            Decoded::Passed { .. } | Decoded::Unknown { .. } => (file, None),
        });
    for (file, session) in sessions {
        let known = session.as_deref() == Some("3d9a61f0-72c4-4b1e-a8d5-0c6e91b27f44");
        assert!(known || session.is_none(), "{file} {session:?}");
    }
}

#[test]
fn where_it_happened() {
    let (word, _, payload) = RECORDED[12];
    let Decoded::Known { event, form, .. } = decode(word, payload.as_bytes()).unwrap() else {
        panic!("{payload}");
    };
    insta::assert_debug_snapshot!((event, form), @r#"
    (
        Event {
            session: HostId(
                "3d9a61f0-72c4-4b1e-a8d5-0c6e91b27f44",
            ),
            directory: "/home/dev/shop",
            transcript: Some(
                "/home/dev/.copilot/session-state/3d9a61f0-72c4-4b1e-a8d5-0c6e91b27f44/events.jsonl",
            ),
            plan_mode: false,
            subagent: None,
            body: Stop {
                again: false,
                message: None,
            },
        },
        Json,
    )
    "#);
}

#[test]
fn events_of_newer_clients_are_passed_over() {
    assert_eq!(told("notification", "?"), "passed: notification");
    assert_eq!(told("sessionStart", "?"), "unknown: sessionStart");
    assert_eq!(told_by("agent-stop", r#""brandNew":{"a":[1]}"#), "stop again: false");
}

#[test]
fn what_is_odd_is_said() {
    for (word, fields, said) in [
        (
            "session-start",
            r#""source":"teleport""#,
            "startup\nwarning: the source `teleport` is not known and taken for `startup`",
        ),
        ("session-start", r#""x":1"#, "startup\nwarning: there is no source, taken for `startup`"),
        ("pre-compact", r#""trigger":"auto""#, "pre_compact auto"),
        (
            "pre-compact",
            r#""trigger":7"#,
            "pre_compact auto\nwarning: there is no trigger, taken for `auto`",
        ),
        ("agent-stop", r#""stop_hook_active":true"#, "stop again: true"),
        ("session-end", r#""reason":null"#, r#"session_end "other""#),
        ("subagent-start", r#""agentId":"a""#, "subagent_start a other"),
    ] {
        assert_eq!(told_by(word, fields), said, "{word} {fields}");
    }
}

#[test]
fn tools() {
    for (tool, args, said) in [
        ("bash", r#"{"command":"ls","path":7}"#, r#"bash (shell), command "ls""#),
        // Older clients wrote them so.
        ("bash", r#""{\"command\":\"ls\"}""#, r#"bash (shell), command "ls""#),
        ("bash", r#""{\"command\":""#, "bash (shell)"),
        ("bash", r#""ls""#, "bash (shell)"),
        ("edit", r#"{"path":"/a","command":"edit"}"#, r#"edit (edit), path "/a""#),
        ("view", r#"{"path":"/a"}"#, r#"view (read), path "/a""#),
        ("task", r#"{"prompt":"p","agent_type":false}"#, r#"task (agent), prompt "p""#),
        ("skill", r#"{"prompt":"p"}"#, "skill (other)"),
        ("ledger-total", "{}", "ledger-total (other)"),
    ] {
        let fields = format!(r#""toolName":"{tool}","toolArgs":{args}"#);
        assert_eq!(told_by("pre-tool-use", &fields), format!("before_tool {said}"), "{fields}");
        for (word, result, failed) in [
            ("post-tool-use", r#"{"resultType":"success"}"#, ""),
            ("post-tool-use", r#"{"resultType":"failure"}"#, ", failed"),
            ("post-tool-use", "7", ""),
            ("post-tool-use-failure", "{}", ", failed"),
        ] {
            let fields = format!(r#"{fields},"toolResult":{result}"#);
            assert_eq!(told_by(word, &fields), format!("after_tool {said}{failed}"), "{fields}");
        }
    }
}

#[test]
fn events_that_mean_nothing_without_a_field_are_refused() {
    for (word, fields, missing) in [
        ("user-prompt-submitted", r#""prompt":null"#, "prompt"),
        ("pre-tool-use", r#""toolArgs":{}"#, "toolName"),
        ("post-tool-use", r#""toolName":["bash"]"#, "toolName"),
        ("subagent-start", r#""agentType":"explore""#, "agentId"),
        ("subagent-stop", r#""agentType":"explore""#, "agentId"),
    ] {
        let expected = format!(
            "error: the payload is not that of a `{word}` hook\ncause: missing field `{missing}`"
        );
        assert_eq!(told_by(word, fields), expected);
    }
    for (payload, missing) in [(r#"{"cwd":"/"}"#, "sessionId"), (r#"{"sessionId":"s"}"#, "cwd")] {
        let said = told("agent-stop", payload);
        assert!(said.ends_with(&format!("missing field `{missing}`")), "{said}");
    }
    assert!(matches!(decode("agent-stop", b"{\"\xff"), Err(DecodeError::NotText(_))));
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
        let payload = format!(r#"{{"sessionId":"s","cwd":"/","prompt":{text}}}"#);
        let Ok(Decoded::Known { event, .. }) = decode("user-prompt-submitted", payload.as_bytes())
        else {
            return Err(TestCaseError::fail(payload));
        };
        prop_assert_eq!(event.body, EventBody::Prompt { prompt });
    }
}
