use pacenote_model::EventKind;

use std::{error::Error as _, fmt::Write as _};

use proptest::prelude::*;

use super::*;
use crate::todos::TODOS;

/// The examples of `docs/shell-host.md`, one for each event and more.
const EXAMPLES: [(&str, &str); 15] = [
    ("session-start", r#"{"session":"s1","directory":"/home/dev/shop","source":"compact"}"#),
    ("session-start", r#"{"session":"s1","directory":"/home/dev/shop"}"#),
    (
        "prompt",
        r#"{"session":"s1","directory":"/home/dev/shop","prompt":"add the login form\nand a test","answer":"json"}"#,
    ),
    (
        "before-tool",
        r#"{"session":"s1","directory":"/home/dev/shop","tool":{"name":"write_file","class":"edit","path":"src/login.rs"}}"#,
    ),
    (
        "before-tool",
        r#"{"session":"s1","directory":"/home/dev/shop","plan_mode":true,"tool":{"name":"spawn","class":"agent","prompt":"Find the form.","agent_type":"explorer"}}"#,
    ),
    (
        "after-tool",
        r#"{"session":"s1","directory":"/home/dev/shop","tool":{"name":"sh","class":"shell","command":"cargo test"},"failed":true}"#,
    ),
    ("request", r#"{"session":"s1","directory":"/home/dev/shop","notes":"lost"}"#),
    (
        "todos",
        r#"{"session":"s1","directory":"/home/dev/shop","todos":[{"id":"1","title":"Draw the form","state":"doing"},{"id":"2","state":"dropped"},{"title":"Test it"}]}"#,
    ),
    ("pre-compact", r#"{"session":"s1","directory":"/home/dev/shop","trigger":"manual"}"#),
    (
        "post-compact",
        r#"{"session":"s1","directory":"/home/dev/shop","summary":"The form is drawn."}"#,
    ),
    (
        "stop",
        r#"{"session":"s1","directory":"/home/dev/shop","again":true,"message":"The form is drawn."}"#,
    ),
    (
        "subagent-start",
        r#"{"session":"s1","directory":"/home/dev/shop","agent":"a7","agent_type":"explorer"}"#,
    ),
    (
        "subagent-stop",
        r#"{"session":"s1","directory":"/home/dev/shop","agent":"a7","message":"src/login.rs"}"#,
    ),
    ("session-end", r#"{"session":"s1","directory":"/home/dev/shop","reason":"logout"}"#),
    (
        "session-end",
        r#"{"session":"s1","directory":"/home/dev/shop","transcript":"/home/dev/log.jsonl"}"#,
    ),
];

/// What is told by a payload with a session, a directory and these fields.
fn told_by(word: &str, fields: &str) -> String {
    told(word, &format!(r#"{{"session":"s","directory":"/",{fields}}}"#))
}

fn told(word: &str, payload: &str) -> String {
    match decode(word, payload.as_bytes()) {
        Ok(Decoded::Known { event, warnings, form }) => {
            let mut said = format!("{:?}", event.body);
            if event.plan_mode {
                said.push_str(" (planning)");
            }
            if form == Form::Json {
                said.push_str(" (json)");
            }
            for warning in warnings {
                write!(said, "\nwarning: {warning}").unwrap();
            }
            said
        }
        Ok(Decoded::Passed { name } | Decoded::Unknown { name }) => format!("unknown: {name}"),
        Err(error) => match error.source() {
            Some(cause) => format!("error: {error}: {cause}"),
            None => format!("error: {error}"),
        },
    }
}

#[test]
fn examples() {
    let all = EXAMPLES.map(|(word, payload)| told(word, payload));
    insta::assert_snapshot!(all.join("\n"), @r#"
    SessionStart { source: Compact }
    SessionStart { source: Startup }
    Prompt { prompt: "add the login form\nand a test" } (json)
    BeforeTool { tool: ToolCall { name: "write_file", class: Edit, path: Some("src/login.rs"), has_other_paths: false, command: None, prompt: None, agent_type: None, skill: None, todos: [] } }
    BeforeTool { tool: ToolCall { name: "spawn", class: Agent, path: None, has_other_paths: false, command: None, prompt: Some("Find the form."), agent_type: Some("explorer"), skill: None, todos: [] } } (planning)
    AfterTool { tool: ToolCall { name: "sh", class: Shell, path: None, has_other_paths: false, command: Some("cargo test"), prompt: None, agent_type: None, skill: None, todos: [] }, failed: true }
    Request { notes: Lost }
    Todos { todos: [Todo { id: Some("1"), title: Some("Draw the form"), state: Some(Doing) }, Todo { id: Some("2"), title: None, state: Some(Dropped) }, Todo { id: None, title: Some("Test it"), state: None }] }
    PreCompact { trigger: Manual }
    PostCompact { trigger: Auto, summary: Some("The form is drawn.") }
    Stop { again: true, message: Some("The form is drawn.") }
    SubagentStart { agent: "a7", agent_type: "explorer", source: Startup, prompt: None }
    SubagentStop { agent: "a7", agent_type: "other", message: Some("src/login.rs"), again: false }
    SessionEnd { reason: "logout" }
    SessionEnd { reason: "other" }
    "#);
}

#[test]
fn every_event_has_an_example() {
    for kind in EventKind::sent() {
        assert!(EXAMPLES.iter().any(|(word, _)| *word == kind.word()), "{kind:?}");
    }
}

#[test]
fn every_example_is_in_the_description() {
    const DESCRIPTION: &str = include_str!("../../../../../docs/shell-host.md");
    for (word, payload) in EXAMPLES {
        assert!(DESCRIPTION.contains(&format!("{word:16}{payload}\n")), "{payload}");
        assert!(DESCRIPTION.contains(&format!("| `{word}` |")), "{word}");
    }
    assert!(DESCRIPTION.contains(&format!("The first {TODOS} are read.")));
}

#[test]
fn the_session_and_its_place_are_told() {
    for (word, payload) in EXAMPLES {
        let Ok(Decoded::Known { event, .. }) = decode(word, payload.as_bytes()) else {
            panic!("{payload}");
        };
        assert_eq!((event.session.as_str(), &*event.directory), ("s1", "/home/dev/shop"));
        let is_told = payload.contains("transcript");
        assert_eq!(event.transcript.is_some(), is_told, "{payload}");
    }
}

#[test]
fn odd_values_are_read_leniently() {
    insta::assert_snapshot!(told_by("session-start", r#""source":"teleport\u001b""#), @r"
    SessionStart { source: Startup }
    warning: the source `teleport\u{1b}` is not known and taken for `startup`
    ");
    insta::assert_snapshot!(told_by("pre-compact", r#""trigger":"idle","new":{"x":[1]}"#), @"
    PreCompact { trigger: Auto }
    warning: the trigger `idle` is not known and taken for `auto`
    ");
    insta::assert_snapshot!(told_by("stop", r#""again":"yes","plan_mode":1,"answer":"xml""#), @"Stop { again: false, message: None }");
    insta::assert_snapshot!(told_by("before-tool", r#""tool":{"name":"x","class":"Edit","path":7}"#), @r#"
    BeforeTool { tool: ToolCall { name: "x", class: Other, path: None, has_other_paths: false, command: None, prompt: None, agent_type: None, skill: None, todos: [] } }
    warning: the class `Edit` is not known and taken for `other`
    "#);
    insta::assert_snapshot!(told_by("todos", r#""todos":["a",{},{"id":7},{"id":"1"},{"title":"b","state":"someday"}]"#), @r#"Todos { todos: [Todo { id: None, title: Some("b"), state: None }] }"#);
    insta::assert_snapshot!(told_by("prompt", r#""prompt":"cut \ud83d""#), @r#"Prompt { prompt: "cut �" }"#);
}

#[test]
fn events_that_mean_nothing_without_a_field_are_refused() {
    for (word, fields, missing) in [
        ("prompt", r#""prompt":7"#, "prompt"),
        ("before-tool", r#""tool":"x""#, "tool.name"),
        ("after-tool", r#""tool":{"class":"edit"}"#, "tool.name"),
        ("todos", r#""todos":{}"#, "todos"),
        ("subagent-start", r#""agent_type":"explorer""#, "agent"),
        ("subagent-stop", r#""agent":null"#, "agent"),
        ("stop", r#""session":7"#, "session"),
        ("stop", r#""directory":[]"#, "directory"),
    ] {
        let expected =
            format!("error: the payload is not that of a `{word}` hook: missing field `{missing}`");
        assert_eq!(told_by(word, fields), expected);
    }
    assert!(told_by("stop", r#""session":"a b""#).contains("names no usable session"));
}

#[test]
fn a_list_of_things_to_do_is_read_to_a_limit() {
    let todos = vec![r#"{"title":"a"}"#; TODOS + 1].join(",");
    let said = told_by("todos", &format!(r#""todos":[{todos}]"#));
    assert_eq!(said.matches("Todo {").count(), TODOS);
}

#[test]
fn a_payload_cut_at_any_byte_is_refused() {
    for (word, payload) in EXAMPLES {
        for end in 0..payload.len() {
            assert!(decode(word, &payload.as_bytes()[..end]).is_err(), "{payload} {end}");
        }
    }
}

proptest! {
    /// No byte in a payload, whatever it becomes, makes the decoder panic.
    #[test]
    fn a_damaged_payload_never_panics(
        example in prop::sample::select(&EXAMPLES[..]),
        place in any::<prop::sample::Index>(),
        bytes in prop::collection::vec(any::<u8>(), 0..8),
    ) {
        let (word, payload) = example;
        let mut damaged = payload.as_bytes().to_vec();
        let place = place.index(damaged.len());
        damaged.splice(place..=place, bytes);
        drop(decode(word, &damaged));
    }

    /// What a person writes arrives as it was written.
    #[test]
    fn any_prompt_arrives_unchanged(prompt in "(?s).*") {
        let fields = format!(r#""prompt":{}"#, serde_json::to_string(&prompt).unwrap());
        let payload = format!(r#"{{"session":"s","directory":"/",{fields}}}"#);
        let Ok(Decoded::Known { event, .. }) = decode("prompt", payload.as_bytes()) else {
            return Err(TestCaseError::fail(payload));
        };
        prop_assert_eq!(event.body, EventBody::Prompt { prompt });
    }
}
