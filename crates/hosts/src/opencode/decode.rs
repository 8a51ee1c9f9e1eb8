//! From the plugin's JSON to an event.

mod payload;

#[cfg(test)]
mod tests;

use pacenote_model::{
    CompactTrigger, Event, EventBody, EventKind, HostId, NotesIn, StartSource, Todo, TodoState,
    ToolCall, ToolClass,
};

use crate::{
    DecodeError, Decoded, Form, Warning,
    decoded::{are_several, needed, start_source},
    lenient::{self, First},
    todos::means_something,
};

use self::payload::{Arguments, Details, Item, Payload};
use super::{
    hook::kind,
    tools::{WRITES_LIST, class_of},
};

/// The tool that loads a skill.
const LOADS_SKILL: &str = "skill";

/// The agent that changes nothing.
const PLAN_AGENT: &str = "plan";

/// The type of a subagent, and the reason for an end, of which nothing is said.
const UNSAID: &str = "other";

/// How the system prompts of agents begin that the client runs for itself: they need no notes, and
/// would write of them in the title or in the summary. The plugin is not told whose prompt it is.
const OWN_AGENTS: [&str; 2] =
    ["You are a title generator", "You are a context summarization agent"];

/// What we call their requests.
const OWN_REQUEST: &str = "a request of the client's own";

/// Decodes a payload. `event` is the word on our command line, such as `before-tool`.
pub fn decode(event: &str, stdin: &[u8]) -> Result<Decoded, DecodeError> {
    let Some(kind) = kind(event) else {
        return Ok(Decoded::Unknown { name: event.to_owned() });
    };
    let text = std::str::from_utf8(stdin).map_err(DecodeError::NotText)?;
    let refused = |source| DecodeError::NotThePayload { event: kind.word(), source };
    let Payload { session, directory, agent, details } = lenient::read(text).map_err(refused)?;
    let session = needed("session", session).map_err(refused)?;
    let directory = needed("directory", directory).map_err(refused)?;
    let session = HostId::parse(&session).map_err(DecodeError::Session)?;
    let plan_mode = agent.as_deref() == Some(PLAN_AGENT);
    let opening = details.opening.as_deref().unwrap_or_default();
    if kind == EventKind::Request && OWN_AGENTS.iter().any(|own| opening.starts_with(own)) {
        return Ok(Decoded::Passed { name: OWN_REQUEST.to_owned() });
    }
    let mut warnings = Vec::new();
    let Some(body) = body(kind, agent, details, &mut warnings).map_err(refused)? else {
        return Ok(Decoded::Passed { name: event.to_owned() });
    };
    let event = Event { session, directory, transcript: None, plan_mode, subagent: None, body };
    Ok(Decoded::Known { event: Box::new(event), warnings, form: Form::Json })
}

/// Reads what happened; `None` for a kind that the plugin does not send.
fn body(
    kind: EventKind,
    agent: Option<String>,
    details: Details,
    warnings: &mut Vec<Warning>,
) -> Result<Option<EventBody>, serde_json::Error> {
    let agent_type = agent.unwrap_or_else(|| UNSAID.to_owned());
    let mut args = details.args;
    Ok(Some(match kind {
        EventKind::SessionStart => {
            let (source, warning) = start_source(details.source.as_deref());
            warnings.extend(warning);
            EventBody::SessionStart { source }
        }
        EventKind::Prompt => EventBody::Prompt { prompt: needed("prompt", details.prompt)? },
        EventKind::BeforeTool => EventBody::BeforeTool { tool: call(details.tool, args)? },
        EventKind::AfterTool => {
            let failed = details.failed.unwrap_or_default();
            let todos = match details.tool.as_deref() {
                Some(WRITES_LIST) if !failed => written(&mut args),
                Some(_) | None => Vec::new(),
            };
            let tool = ToolCall { todos, ..call(details.tool, args)? };
            EventBody::AfterTool { tool, failed }
        }
        // The system prompt is made anew for each request.
        EventKind::Request => EventBody::Request { notes: NotesIn::Never },
        // Whether the person asked for it is not told.
        EventKind::PreCompact => EventBody::PreCompact { trigger: CompactTrigger::Auto },
        EventKind::Stop => EventBody::Stop { again: false, message: details.message },
        EventKind::SubagentStart => {
            let agent = needed("child", details.child)?;
            let (source, prompt) = (StartSource::Startup, details.prompt);
            EventBody::SubagentStart { agent, agent_type, source, prompt }
        }
        EventKind::SubagentStop => {
            let agent = needed("child", details.child)?;
            EventBody::SubagentStop { agent, agent_type, message: details.message, again: false }
        }
        EventKind::SessionEnd => {
            let reason = details.reason.unwrap_or_else(|| UNSAID.to_owned());
            EventBody::SessionEnd { reason }
        }
        EventKind::Todos | EventKind::PostCompact | EventKind::Wake => return Ok(None),
    }))
}

fn call(name: Option<String>, args: Arguments) -> Result<ToolCall, serde_json::Error> {
    let name = needed("tool", name)?;
    let class = class_of(&name);
    let Arguments { file_path, path, command, prompt, subagent_type, name: skill, .. } = args;
    let skill = skill.filter(|_| name == LOADS_SKILL);
    // Other tools may have prompts too.
    let (prompt, agent_type) = match class {
        ToolClass::Agent => (prompt, subagent_type),
        ToolClass::Edit
        | ToolClass::Shell
        | ToolClass::Read
        | ToolClass::Todo
        | ToolClass::Other => (None, None),
    };
    let has_other_paths = are_several(&[&file_path, &path]);
    let path = file_path.or(path);
    Ok(ToolCall {
        name,
        class,
        path,
        has_other_paths,
        command,
        prompt,
        agent_type,
        skill,
        todos: Vec::new(),
    })
}

/// Returns the list that a tool wrote whole. It has no ids: a thing is known by what it says.
fn written(args: &mut Arguments) -> Vec<Todo> {
    let items = args.todos.take().map(|First(items)| items).unwrap_or_default();
    let todo = |Item { content, status }: Item| Todo {
        id: None,
        title: content,
        state: state(status.as_deref()),
    };
    items.into_iter().map(todo).filter(means_something).collect()
}

/// A word we do not know changes nothing that we know of.
fn state(word: Option<&str>) -> Option<TodoState> {
    match word? {
        "pending" => Some(TodoState::Open),
        "in_progress" => Some(TodoState::Doing),
        "completed" => Some(TodoState::Done),
        "cancelled" => Some(TodoState::Dropped),
        _ => None,
    }
}
