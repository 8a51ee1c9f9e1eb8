//! From the JSON on a hook's stdin to an event.
//!
//! Unknown fields are the client's business and are passed over: its list grows with every version.

use pacenote_model::{Event, HostId, StartSource};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{DecodeError, Decoded, Warning};

use super::{Name, PROMPT, SESSION_START};

/// What the prompt begins with that the client itself submits when a subagent in the background is
/// done; no person wrote it.
const OWN_PROMPT: &str = "<task-notification>";

/// Decodes a payload. `event` is the word on our command line, such as `session-start`.
pub fn decode(event: &str, stdin: &[u8]) -> Result<Decoded, DecodeError> {
    if event == SESSION_START.word {
        session_start(stdin)
    } else if event == PROMPT.word {
        prompt(stdin)
    } else {
        Ok(Decoded::Unknown { name: event.to_owned() })
    }
}

/// Reads a payload of the event that the command line names.
fn payload<'de, T: Deserialize<'de>>(name: Name, stdin: &[u8]) -> Result<T, DecodeError> {
    let text = std::str::from_utf8(stdin).map_err(DecodeError::NotText)?;
    let refused = |source| DecodeError::NotThePayload { event: name.word, source };
    // All of it is read first: that bounds the nesting even of fields we pass over.
    let fields: Map<String, Value> = serde_json::from_str(text).map_err(refused)?;
    let named = fields.get("hook_event_name").and_then(Value::as_str);
    if let Some(named) = named.filter(|named| *named != name.host) {
        return Err(DecodeError::other_event(name.host, named));
    }
    T::deserialize(Value::Object(fields)).map_err(refused)
}

#[derive(Deserialize)]
struct SessionStart {
    session_id: String,
    cwd: String,
    source: Option<String>,
    transcript_path: Option<String>,
}

fn session_start(stdin: &[u8]) -> Result<Decoded, DecodeError> {
    let payload: SessionStart = payload(SESSION_START, stdin)?;
    let (source, warning) = start_source(payload.source.as_deref());
    let event = Event::SessionStart {
        session: HostId::parse(&payload.session_id).map_err(DecodeError::Session)?,
        source,
        directory: payload.cwd,
        transcript: payload.transcript_path,
    };
    Ok(Decoded::Known { event, warnings: Vec::from_iter(warning) })
}

#[derive(Deserialize)]
struct PromptSubmit {
    session_id: String,
    cwd: String,
    prompt: String,
    transcript_path: Option<String>,
}

fn prompt(stdin: &[u8]) -> Result<Decoded, DecodeError> {
    let payload: PromptSubmit = payload(PROMPT, stdin)?;
    if payload.prompt.starts_with(OWN_PROMPT) {
        return Ok(Decoded::Unknown { name: OWN_PROMPT.to_owned() });
    }
    let event = Event::Prompt {
        session: HostId::parse(&payload.session_id).map_err(DecodeError::Session)?,
        prompt: payload.prompt,
        directory: payload.cwd,
        transcript: payload.transcript_path,
    };
    Ok(Decoded::Known { event, warnings: Vec::new() })
}

/// A source we do not know counts as a new session: notes given twice are better than none.
fn start_source(word: Option<&str>) -> (StartSource, Option<Warning>) {
    match word {
        Some("startup") => (StartSource::Startup, None),
        Some("resume") => (StartSource::Resume, None),
        Some("clear") => (StartSource::Clear, None),
        Some("compact") => (StartSource::Compact, None),
        Some(other) => (StartSource::Startup, Some(Warning::unknown_source(other))),
        None => (StartSource::Startup, Some(Warning::NoSource)),
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error;

    use proptest::prelude::*;

    use super::*;

    const STARTUP: &str = include_str!("fixtures/2.1.325/SessionStart.startup.json");
    const RESUME: &str = include_str!("fixtures/2.1.325/SessionStart.resume.json");
    const CLEAR: &str = include_str!("fixtures/2.1.325/SessionStart.clear.json");
    const COMPACT: &str = include_str!("fixtures/2.1.325/SessionStart.compact.json");
    const PROMPTED: &str = include_str!("fixtures/2.1.325/UserPromptSubmit.json");

    /// The event in a line, or the error with its causes.
    fn told(payload: &str) -> String {
        told_of("session-start", payload)
    }

    fn told_of(event: &str, payload: &str) -> String {
        match decode(event, payload.as_bytes()) {
            Ok(Decoded::Known { event, warnings }) => {
                let what = match &event {
                    Event::SessionStart { source, .. } => format!("{source:?}"),
                    Event::Prompt { prompt, .. } => format!("{prompt:?}"),
                };
                let (session, directory) = (event.session(), event.directory());
                let transcript = event.transcript().unwrap_or("no transcript");
                let mut lines = vec![format!("{session} {what} in {directory}, {transcript}")];
                lines.extend(warnings.iter().map(|warning| format!("warning: {warning}")));
                lines.join("\n")
            }
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
        let all = [STARTUP, RESUME, CLEAR, COMPACT].map(told).join("\n");
        insta::assert_snapshot!(all, @"
        5c0a91d2-3e77-4b18-9f46-0d2b6a81c401 Startup in /home/dev/shop, /home/dev/.claude/projects/-home-dev-shop/5c0a91d2-3e77-4b18-9f46-0d2b6a81c401.jsonl
        b1f4e860-92ad-4c53-8a17-6e03d9c5f702 Resume in /home/dev/shop, /home/dev/.claude/projects/-home-dev-shop/b1f4e860-92ad-4c53-8a17-6e03d9c5f702.jsonl
        e27d13ab-04c9-4f6e-b582-91a7c8340d03 Clear in /home/dev/shop, /home/dev/.claude/projects/-home-dev-shop/e27d13ab-04c9-4f6e-b582-91a7c8340d03.jsonl
        90b6f5c4-d81e-4a27-8c3b-f7e512d69a04 Compact in /home/dev/shop, /home/dev/.claude/projects/-home-dev-shop/90b6f5c4-d81e-4a27-8c3b-f7e512d69a04.jsonl
        ");
    }

    #[test]
    fn prompts_of_the_person_are_events() {
        let told = |payload| told_of("user-prompt-submit", payload);
        insta::assert_snapshot!(told(PROMPTED), @r#"5c0a91d2-3e77-4b18-9f46-0d2b6a81c401 "add the login form\nand a test" in /home/dev/shop, /home/dev/.claude/projects/-home-dev-shop/5c0a91d2-3e77-4b18-9f46-0d2b6a81c401.jsonl"#);
        let own = r#"{"session_id":"s","cwd":"/","prompt":"<task-notification>\n<task-id>1"}"#;
        insta::assert_snapshot!(told(own), @"unknown: <task-notification>");
        insta::assert_snapshot!(told(STARTUP), @"error: the command line says `UserPromptSubmit` and the payload `SessionStart`");
        insta::assert_snapshot!(told(r#"{"session_id":"s","cwd":"/"}"#), @"
        error: the payload is not that of a `user-prompt-submit` hook
        cause: missing field `prompt`
        ");
    }

    #[test]
    fn an_event_of_a_newer_client_is_no_error() {
        let decoded = decode("pre-model-switch", b"\xff").unwrap();
        assert_eq!(decoded, Decoded::Unknown { name: "pre-model-switch".to_owned() });
    }

    #[test]
    fn oddities_are_read_leniently_and_counted() {
        let newer = STARTUP.replace("startup", "teleport\\u001b[2J");
        insta::assert_snapshot!(told(&newer), @r"
        5c0a91d2-3e77-4b18-9f46-0d2b6a81c401 Startup in /home/dev/shop, /home/dev/.claude/projects/-home-dev-shop/5c0a91d2-3e77-4b18-9f46-0d2b6a81c401.jsonl
        warning: the source `teleport\u{1b}[2J` is not known and taken for `startup`
        ");
        let bare = r#"{"session_id":"s","cwd":"/","new":[1,{"x":null}]}"#;
        insta::assert_snapshot!(told(bare), @"
        s Startup in /, no transcript
        warning: there is no source, taken for `startup`
        ");
        let ephemeral = r#"{"session_id":"s","cwd":"/","source":"clear","transcript_path":null}"#;
        insta::assert_snapshot!(told(ephemeral), @"s Clear in /, no transcript");
    }

    #[test]
    fn contradictions_and_unusable_sessions_are_refused() {
        let other = STARTUP.replace("SessionStart", "Stop");
        insta::assert_snapshot!(told(&other), @"error: the command line says `SessionStart` and the payload `Stop`");
        let nameless = r#"{"session_id":"","cwd":"/","source":"clear"}"#;
        insta::assert_snapshot!(told(nameless), @"
        error: the payload names no usable session
        cause: `` is not a host's session id: 1 to 256 printable characters without spaces
        ");
        let control = r#"{"session_id":"a\u0000b","cwd":"/","source":"clear"}"#;
        insta::assert_snapshot!(told(control), @r"
        error: the payload names no usable session
        cause: `a\u{0}b` is not a host's session id: 1 to 256 printable characters without spaces
        ");
    }

    #[test]
    fn what_is_not_a_payload_is_refused() {
        insta::assert_snapshot!(told(""), @"
        error: the payload is not that of a `session-start` hook
        cause: EOF while parsing a value at line 1 column 0
        ");
        let list = r#"["s","/","SessionStart","clear",null]"#;
        insta::assert_snapshot!(told(list), @"
        error: the payload is not that of a `session-start` hook
        cause: invalid type: sequence, expected a map at line 1 column 0
        ");
        insta::assert_snapshot!(told(r#"{"session_id":7,"cwd":"/"}"#), @"
        error: the payload is not that of a `session-start` hook
        cause: invalid type: integer `7`, expected a string
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
        let deep = format!(r#"{{"x":{}{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
        insta::assert_snapshot!(told(&deep), @"
        error: the payload is not that of a `session-start` hook
        cause: recursion limit exceeded at line 1 column 132
        ");
        assert!(matches!(decode("session-start", b"{\"\xff"), Err(DecodeError::NotText(_))));
    }

    #[test]
    fn a_payload_cut_at_any_byte_is_refused() {
        for payload in [STARTUP, RESUME, CLEAR, COMPACT] {
            let payload = payload.trim_end().as_bytes();
            for end in 0..payload.len() {
                assert!(decode("session-start", &payload[..end]).is_err(), "{end}");
            }
            assert!(decode("session-start", payload).is_ok());
        }
    }

    proptest! {
        /// No byte in a payload, whatever it becomes, makes the decoder panic.
        #[test]
        fn a_damaged_payload_never_panics(
            place in 0..COMPACT.len(),
            bytes in prop::collection::vec(any::<u8>(), 0..8),
        ) {
            let mut payload = COMPACT.as_bytes().to_vec();
            payload.splice(place..=place, bytes);
            drop(decode("session-start", &payload));
        }
    }
}
