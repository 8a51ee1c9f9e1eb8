//! From the JSON on a hook's stdin to an event.

#[cfg(test)]
mod tests;

use pacenote_model::{
    CompactTrigger, Event, EventBody, EventKind, HostId, NotesIn, StartSource, Todo, TodoState,
    ToolCall, ToolClass,
};

use crate::{
    DecodeError, Decoded, Form, Warning,
    decoded::needed,
    lenient::{self, First},
    todos::means_something,
};

use super::payload::{Details, Payload, Thing, Tool};

/// The type of a subagent, and the reason for an end, of which nothing is said.
const UNSAID: &str = "other";

/// Decodes a payload. `event` is the word on our command line, such as `before-tool`.
pub fn decode(event: &str, stdin: &[u8]) -> Result<Decoded, DecodeError> {
    let Some(kind) = EventKind::sent_as(event) else {
        return Ok(Decoded::Unknown { name: event.to_owned() });
    };
    let text = std::str::from_utf8(stdin).map_err(DecodeError::NotText)?;
    let refused = |source| DecodeError::NotThePayload { event: kind.word(), source };
    let payload: Payload = lenient::read(text).map_err(refused)?;
    let Payload { session, directory, transcript, plan_mode, answer, details } = payload;
    let session = needed("session", session).map_err(refused)?;
    let directory = needed("directory", directory).map_err(refused)?;
    let mut warnings = Vec::new();
    let Some(body) = body(kind, details, &mut warnings).map_err(refused)? else {
        return Ok(Decoded::Unknown { name: event.to_owned() });
    };
    let event = Event {
        session: HostId::parse(&session).map_err(DecodeError::Session)?,
        directory,
        transcript,
        plan_mode: plan_mode.unwrap_or_default(),
        subagent: None,
        body,
    };
    let form = match answer.as_deref() {
        Some("json") => Form::Json,
        Some(_) | None => Form::Text,
    };
    Ok(Decoded::Known { event: Box::new(event), warnings, form })
}

/// Reads what happened; `None` for a kind that nobody sends.
fn body(
    kind: EventKind,
    details: Details,
    warnings: &mut Vec<Warning>,
) -> Result<Option<EventBody>, serde_json::Error> {
    Ok(Some(match kind {
        EventKind::SessionStart => EventBody::SessionStart { source: source(&details, warnings) },
        EventKind::Prompt => EventBody::Prompt { prompt: needed("prompt", details.prompt)? },
        EventKind::BeforeTool => EventBody::BeforeTool { tool: call(details.tool, warnings)? },
        EventKind::AfterTool => {
            let failed = details.failed.unwrap_or_default();
            EventBody::AfterTool { tool: call(details.tool, warnings)?, failed }
        }
        EventKind::Request => EventBody::Request {
            notes: match details.notes.as_deref() {
                Some("held") => NotesIn::Held,
                Some("lost") => NotesIn::Lost,
                Some(_) | None => NotesIn::Never,
            },
        },
        EventKind::Todos => {
            let First(things) = needed("todos", details.todos)?;
            EventBody::Todos {
                todos: things.into_iter().map(todo).filter(means_something).collect(),
            }
        }
        EventKind::PreCompact => EventBody::PreCompact { trigger: trigger(&details, warnings) },
        EventKind::PostCompact => {
            let trigger = trigger(&details, warnings);
            EventBody::PostCompact { trigger, summary: details.summary }
        }
        EventKind::Stop => {
            EventBody::Stop { again: details.again.unwrap_or_default(), message: details.message }
        }
        EventKind::SubagentStart => {
            let agent_type = or_unsaid(details.agent_type);
            let agent = needed("agent", details.agent)?;
            let (source, prompt) = (StartSource::Startup, details.prompt);
            EventBody::SubagentStart { agent, agent_type, source, prompt }
        }
        EventKind::SubagentStop => EventBody::SubagentStop {
            agent: needed("agent", details.agent)?,
            agent_type: or_unsaid(details.agent_type),
            message: details.message,
            again: details.again.unwrap_or_default(),
        },
        EventKind::SessionEnd => EventBody::SessionEnd { reason: or_unsaid(details.reason) },
        EventKind::Wake => return Ok(None),
    }))
}

/// A source we do not know counts as a new session: notes given twice are better than none.
fn source(details: &Details, warnings: &mut Vec<Warning>) -> StartSource {
    let Some(word) = details.source.as_deref() else {
        // Whoever says nothing has nothing else to tell apart.
        return StartSource::Startup;
    };
    let all = [
        StartSource::Startup,
        StartSource::Resume,
        StartSource::Clear,
        StartSource::Compact,
        StartSource::Fork,
    ];
    all.into_iter().find(|source| source.word() == word).unwrap_or_else(|| {
        warnings.push(Warning::unknown_source(word));
        StartSource::Startup
    })
}

fn trigger(details: &Details, warnings: &mut Vec<Warning>) -> CompactTrigger {
    let Some(word) = details.trigger.as_deref() else { return CompactTrigger::Auto };
    let all = [CompactTrigger::Manual, CompactTrigger::Auto];
    all.into_iter().find(|trigger| trigger.word() == word).unwrap_or_else(|| {
        warnings.push(Warning::unknown_trigger(word));
        CompactTrigger::Auto
    })
}

fn call(tool: Tool, warnings: &mut Vec<Warning>) -> Result<ToolCall, serde_json::Error> {
    let Tool { name, class, path, command, prompt, agent_type, skill } = tool;
    let class = class.map_or(ToolClass::Other, |word| {
        ToolClass::from_word(&word).unwrap_or_else(|| {
            warnings.push(Warning::unknown_class(&word));
            ToolClass::Other
        })
    });
    let name = needed("tool.name", name)?;
    Ok(ToolCall {
        name,
        class,
        path,
        has_other_paths: false,
        command,
        prompt,
        agent_type,
        skill,
        todos: Vec::new(),
    })
}

fn todo(thing: Thing) -> Todo {
    let state = match thing.state.as_deref() {
        Some("open") => Some(TodoState::Open),
        Some("doing") => Some(TodoState::Doing),
        Some("done") => Some(TodoState::Done),
        Some("dropped") => Some(TodoState::Dropped),
        Some(_) | None => None,
    };
    Todo { id: thing.id, title: thing.title, state }
}

fn or_unsaid(word: Option<String>) -> String {
    word.unwrap_or_else(|| UNSAID.to_owned())
}
