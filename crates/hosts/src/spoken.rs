//! Events, and what stands in transcripts, as the tables in tests show them, one line each.

use std::{error::Error as _, fmt::Write as _};

use pacenote_model::{Event, Happening, Todo, ToolCall};

use crate::{DecodeError, Decoded, Moment, transcript::Entry};

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
    match &event.happening {
        Happening::SessionStart { .. } => {}
        Happening::Prompt { prompt } => write!(line, " {prompt:?}").unwrap(),
        Happening::BeforeTool { tool } | Happening::AfterTool { tool, failed: false } => {
            write!(line, " {}", call(tool)).unwrap();
        }
        Happening::AfterTool { tool, failed: true } => {
            write!(line, " {}, failed", call(tool)).unwrap();
        }
        Happening::Request { notes } => write!(line, " {notes:?}").unwrap(),
        Happening::Todos { todos } => {
            for todo in todos {
                write!(line, "{}", thing(todo)).unwrap();
            }
        }
        Happening::PreCompact { trigger } => write!(line, " {}", trigger.word()).unwrap(),
        Happening::PostCompact { trigger, summary } => {
            write!(line, " {} {summary:?}", trigger.word()).unwrap();
        }
        Happening::Stop { again } => write!(line, " again: {again}").unwrap(),
        Happening::SubagentStart { agent, agent_type } => {
            write!(line, " {agent} {agent_type}").unwrap();
        }
        Happening::SubagentStop { agent, agent_type, message, again } => {
            write!(line, " {agent} {agent_type} {message:?} again: {again}").unwrap();
        }
        Happening::SessionEnd { reason } => write!(line, " {reason:?}").unwrap(),
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
        Entry::Injected { moment, text, ours } => {
            let at = moment.map_or("another event", Moment::word);
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
