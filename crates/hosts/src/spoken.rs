//! What the tests of every host share: events and transcripts as their tables show them, one line
//! each, and the laws of decoding.

use std::{error::Error as _, fmt::Write as _};

use pacenote_model::{Event, EventBody, EventKind, StartSource, Todo, ToolCall};
use proptest::sample::Index;

use crate::{DecodeError, Decoded, transcript::Entry};

/// A recorded payload: the word of its event, the name of its file, its text.
pub(crate) type Recorded = (&'static str, &'static str, &'static str);

/// Makes sure that no beginning of a recorded payload passes for the whole.
pub(crate) fn assert_refused_when_cut(
    recorded: &[Recorded],
    decode: impl Fn(&str, &[u8]) -> Result<Decoded, DecodeError>,
) {
    for (word, file, payload) in recorded {
        let payload = payload.trim_end().as_bytes();
        for end in 0..payload.len() {
            assert!(decode(word, &payload[..end]).is_err(), "{file} {end}");
        }
        assert!(decode(word, payload).is_ok(), "{file}");
    }
}

/// Returns a payload with other bytes in place of one of its own.
pub(crate) fn damaged(payload: &str, place: Index, bytes: Vec<u8>) -> Vec<u8> {
    let place = place.index(payload.len());
    let mut damaged = payload.as_bytes().to_vec();
    damaged.splice(place..=place, bytes);
    damaged
}

/// Returns what came of a payload: the event in a line, or the error with its causes.
pub(crate) fn told(decoded: Result<Decoded, DecodeError>) -> String {
    match decoded {
        Ok(Decoded::Known { event, warnings, .. }) => {
            let warnings = warnings.iter().map(|warning| format!("\nwarning: {warning}"));
            line(&event) + &warnings.collect::<String>()
        }
        Ok(Decoded::Passed { name }) => format!("passed: {name}"),
        Ok(Decoded::Unknown { name }) => format!("unknown: {name}"),
        Err(error) => {
            let mut said = format!("error: {error}");
            let mut cause = error.source();
            while let Some(error) = cause {
                write!(said, "\ncause: {error}").unwrap();
                cause = error.source();
            }
            said
        }
    }
}

/// Returns an event in one line.
pub(crate) fn line(event: &Event) -> String {
    let mut line = event.word().to_owned();
    if event.plan_mode {
        line.push_str(" (planning)");
    }
    match &event.body {
        EventBody::SessionStart { .. } => {}
        EventBody::Prompt { prompt } => write!(line, " {prompt:?}").unwrap(),
        EventBody::BeforeTool { tool } | EventBody::AfterTool { tool, failed: false } => {
            write!(line, " {}", call(tool)).unwrap();
        }
        EventBody::AfterTool { tool, failed: true } => {
            write!(line, " {}, failed", call(tool)).unwrap();
        }
        EventBody::Request { notes } => write!(line, " {notes:?}").unwrap(),
        EventBody::Todos { todos } => {
            for todo in todos {
                write!(line, "{}", thing(todo)).unwrap();
            }
        }
        EventBody::PreCompact { trigger } => write!(line, " {}", trigger.word()).unwrap(),
        EventBody::PostCompact { trigger, summary } => {
            write!(line, " {} {summary:?}", trigger.word()).unwrap();
        }
        EventBody::Stop { again, message } => {
            write!(line, " again: {again}").unwrap();
            if let Some(message) = message {
                write!(line, ", said {message:?}").unwrap();
            }
        }
        EventBody::SubagentStart { agent, agent_type, source, prompt } => {
            write!(line, " {agent} {agent_type}").unwrap();
            if let Some(prompt) = prompt {
                write!(line, " asked {prompt:?}").unwrap();
            }
            if *source != StartSource::Startup {
                write!(line, " after {}", source.word()).unwrap();
            }
        }
        EventBody::SubagentStop { agent, agent_type, message, again } => {
            write!(line, " {agent} {agent_type} {message:?} again: {again}").unwrap();
        }
        EventBody::SessionEnd { reason } => write!(line, " {reason:?}").unwrap(),
        EventBody::Wake { .. } => panic!("no host sends this"),
    }
    line
}

/// Returns something that stands in a transcript in one line.
pub(crate) fn entry(entry: &Entry) -> String {
    match entry {
        Entry::Prompt { text } => format!("prompt {text:?}"),
        Entry::Task { text } => format!("task {text:?}"),
        Entry::Answer { text } => format!("answer {text:?}"),
        Entry::ToolUse { name } => format!("uses {name}"),
        Entry::ToolResult { text, failed: false } => format!("result {text:?}"),
        Entry::ToolResult { text, failed: true } => format!("failure {text:?}"),
        Entry::Injected { kind, text, ours } => {
            let at = kind.map_or("another event", EventKind::word);
            let whose = if *ours { "our note" } else { "a hook's word" };
            let excerpt: String = text.chars().take(72).collect();
            format!("{whose} at {at} {excerpt:?}")
        }
        Entry::Summary { text } => format!("summary {:?}", text.lines().last().unwrap_or_default()),
        Entry::Other => "-".to_owned(),
    }
}

fn call(tool: &ToolCall) -> String {
    let mut call = format!("{} ({})", tool.name, tool.class.word());
    for (what, text) in [
        ("path", &tool.path),
        ("command", &tool.command),
        ("prompt", &tool.prompt),
        ("agent type", &tool.agent_type),
    ] {
        if let Some(text) = text {
            write!(call, ", {what} {text:?}").unwrap();
        }
    }
    for todo in &tool.todos {
        write!(call, ", todo{}", thing(todo)).unwrap();
    }
    call
}

fn thing(todo: &Todo) -> String {
    let Todo { id, title, state } = todo;
    let id = id.as_deref().map(|id| format!(" #{id}")).unwrap_or_default();
    let title = title.as_deref().map(|title| format!(" {title:?}")).unwrap_or_default();
    let state = state.map(|state| format!(" {state:?}")).unwrap_or_default();
    format!("{id}{title}{state}")
}
