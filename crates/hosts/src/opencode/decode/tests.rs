use proptest::prelude::*;
use serde_json::json;

use super::{super::hook::HOOKS, *};
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
            include_str!(concat!("../fixtures/1.18.33/", $file, ".json")),
        ),)+)+]
    };
}

const RECORDED: [(&str, &str, &str); 18] = recorded! {
    "session-start": "session-start.startup", "session-start.compact";
    "prompt": "prompt", "prompt.plan";
    "request": "request", "request.title", "request.compaction";
    "before-tool": "before-tool.bash", "before-tool.write", "before-tool.task",
        "before-tool.child";
    "after-tool": "after-tool.bash", "after-tool.todowrite";
    "pre-compact": "pre-compact";
    "stop": "stop";
    "subagent-start": "subagent-start";
    "subagent-stop": "subagent-stop";
    "session-end": "session-end.exit";
};

/// What is told by a payload with a session, a directory and these fields.
fn told_by(word: &str, fields: &str) -> String {
    let payload = format!(r#"{{"session":"s","directory":"/",{fields}}}"#);
    told(decode(word, payload.as_bytes()))
}

#[test]
fn recorded_payloads() {
    let all = RECORDED
        .map(|(word, file, payload)| format!("{file}: {}", told(decode(word, payload.as_bytes()))));
    insta::assert_snapshot!(all.join("\n"), @r#"
    session-start.startup: startup
    session-start.compact: compact
    prompt: prompt "add the login form\nand a test"
    prompt.plan: prompt (planning) "how would you add a login form?"
    request: request Never
    request.title: passed: a request of the client's own
    request.compaction: passed: a request of the client's own
    before-tool.bash: before_tool bash (shell), command "cargo test login"
    before-tool.write: before_tool write (edit), path "/home/dev/shop/src/login.rs"
    before-tool.task: before_tool task (agent), prompt "Find where the login form is drawn.\nName the file only.", agent type "general"
    before-tool.child: before_tool read (read), path "/home/dev/shop/src/login.rs"
    after-tool.bash: after_tool bash (shell), command "cargo test login", failed
    after-tool.todowrite: after_tool todowrite (todo), todo "Draw the login form" Done, todo "Test it" Doing, todo "Describe it" Dropped
    pre-compact: pre_compact auto
    stop: stop again: false, said "The form is there."
    subagent-start: subagent_start ses_e1d47a91effeB7xPn2YhVc6GsJ general asked "Find where the login form is drawn.\nName the file only."
    subagent-stop: subagent_stop ses_e1d47a91effeB7xPn2YhVc6GsJ general None again: false
    session-end.exit: session_end "exit"
    "#);
}

#[test]
fn every_recorded_payload_tells_its_session_and_place() {
    for (word, file, payload) in RECORDED {
        if let Decoded::Known { event, warnings, .. } = decode(word, payload.as_bytes()).unwrap() {
            // A subagent's session is that of whoever asked for it.
            assert_eq!(event.session.as_str(), "ses_e1d47b20affeKq3Wd9LmZt5RuX", "{file}");
            assert_eq!(event.directory, "/home/dev/shop", "{file}");
            assert_eq!(warnings, [], "{file}");
        }
    }
    for hook in &HOOKS {
        assert_eq!(hook.word, hook.kind.word());
        assert!(RECORDED.iter().any(|(word, _, _)| *word == hook.word), "{hook:?}");
    }
}

#[test]
fn what_the_plugin_never_tells_is_not_known() {
    for word in ["todos", "post-compact", "teleport", "chat.message", ""] {
        let decoded = decode(word, b"\xff").unwrap();
        assert_eq!(decoded, Decoded::Unknown { name: word.to_owned() });
    }
}

#[test]
fn odd_payloads_are_events_all_the_same() {
    insta::assert_snapshot!(told_by("session-start", r#""source":7"#), @"
    startup
    warning: there is no source, taken for `startup`
    ");
    insta::assert_snapshot!(told_by("request", r#""opening":null"#), @"request Never");
    insta::assert_snapshot!(told_by("session-end", r#""reason":[]"#), @r#"session_end "other""#);
    insta::assert_snapshot!(told_by("subagent-stop", r#""child":"c""#), @"subagent_stop c other None again: false");
    insta::assert_snapshot!(told_by("before-tool", r#""tool":"edit","args":[7]"#), @"before_tool edit (edit)");
    insta::assert_snapshot!(told_by("before-tool", r#""tool":"grep","args":{"path":"src","prompt":"p"}"#), @r#"before_tool grep (read), path "src""#);
    insta::assert_snapshot!(told_by("after-tool", r#""tool":"todowrite","args":{"todos":[{"content":"a"}]},"failed":true"#), @"after_tool todowrite (todo), failed");
    let many = vec![r#"{"content":"a","status":"pending"}"#; TODOS + 1].join(",");
    let fields = format!(r#""tool":"todowrite","args":{{"todos":[{many}]}}"#);
    assert_eq!(told_by("after-tool", &fields).matches(r#"todo "a" Open"#).count(), TODOS);
}

#[test]
fn events_that_mean_nothing_without_a_field_are_refused() {
    for (word, fields, missing) in [
        ("prompt", r#""agent":"build""#, "prompt"),
        ("before-tool", r#""args":{}"#, "tool"),
        ("after-tool", r#""tool":7"#, "tool"),
        ("subagent-start", r#""prompt":"p""#, "child"),
        ("subagent-stop", r#""child":{}"#, "child"),
    ] {
        let expected = format!(
            "error: the payload is not that of a `{word}` hook\ncause: missing field `{missing}`"
        );
        assert_eq!(told_by(word, fields), expected);
    }
    insta::assert_snapshot!(told(decode("stop", br#"{"session":"s"}"#)), @"
    error: the payload is not that of a `stop` hook
    cause: missing field `directory`
    ");
    insta::assert_snapshot!(told(decode("stop", br#"{"session":"a b","directory":"/"}"#)), @"
    error: the payload names no usable session
    cause: `a b` is not a host's session id: 1 to 256 printable characters without spaces
    ");
    assert!(matches!(decode("stop", b"{\"\xff"), Err(DecodeError::NotText(_))));
}

#[test]
fn nesting_is_bounded_wherever_it_stands() {
    for field in ["new", "args", "prompt"] {
        let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
        let said = told_by("before-tool", &format!(r#""tool":"edit","{field}":{deep}"#));
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

    /// What a person writes arrives as it was written.
    #[test]
    fn any_prompt_arrives_unchanged(prompt in "(?s).{0,80}") {
        let payload = json!({ "session": "s", "directory": "/", "prompt": prompt }).to_string();
        let Ok(Decoded::Known { event, .. }) = decode("prompt", payload.as_bytes()) else {
            return Err(TestCaseError::fail(payload));
        };
        prop_assert_eq!(event.body, EventBody::Prompt { prompt });
    }
}
