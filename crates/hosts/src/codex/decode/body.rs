//! What a payload tells.

use pacenote_model::{
    CompactTrigger, EventBody, EventKind, StartSource, Todo, TodoState, ToolCall, ToolClass,
};

use crate::{
    Warning,
    codex::{
        patch::{first_file, has_several_files, is_patch},
        tools::{PATCH, PLAN, SHELL, class_of},
    },
    decoded::{compact_trigger, needed, skill_in, start_source},
    lenient::First,
    todos::means_something,
};

use super::payload::{Details, Step, ToolInput};

/// Why a session ends, in the client's word for reasons it does not name.
const NO_REASON: &str = "other";

/// Reads what happened; `None` for a kind that the client does not send.
pub(super) fn read(
    kind: EventKind,
    details: Details,
    warnings: &mut Vec<Warning>,
) -> Result<Option<EventBody>, serde_json::Error> {
    let again = details.stop_hook_active.unwrap_or_default();
    Ok(Some(match kind {
        EventKind::SessionStart => EventBody::SessionStart { source: source(&details, warnings) },
        EventKind::Prompt => EventBody::Prompt { prompt: needed("prompt", details.prompt)? },
        EventKind::BeforeTool => {
            let tool = call(details.tool_name, details.tool_input)?;
            EventBody::BeforeTool { tool: ToolCall { todos: Vec::new(), ..tool } }
        }
        EventKind::AfterTool => {
            let tool = call(details.tool_name, details.tool_input)?;
            EventBody::AfterTool { tool, failed: false }
        }
        EventKind::PreCompact => EventBody::PreCompact { trigger: trigger(&details, warnings) },
        EventKind::PostCompact => {
            let trigger = trigger(&details, warnings);
            EventBody::PostCompact { trigger, summary: None }
        }
        EventKind::Stop => EventBody::Stop { again, message: details.last_assistant_message },
        EventKind::SubagentStart => EventBody::SubagentStart {
            source: StartSource::Startup,
            agent: needed("agent_id", details.agent_id)?,
            agent_type: details.agent_type.unwrap_or_default(),
            prompt: None,
        },
        EventKind::SubagentStop => EventBody::SubagentStop {
            agent: needed("agent_id", details.agent_id)?,
            agent_type: details.agent_type.unwrap_or_default(),
            message: details.last_assistant_message,
            again,
        },
        EventKind::SessionEnd => {
            let reason = details.reason.unwrap_or_else(|| NO_REASON.to_owned());
            EventBody::SessionEnd { reason }
        }
        EventKind::Request | EventKind::Todos | EventKind::Wake => return Ok(None),
    }))
}

fn source(details: &Details, warnings: &mut Vec<Warning>) -> StartSource {
    let (source, warning) = start_source(details.source.as_deref());
    warnings.extend(warning);
    source
}

fn trigger(details: &Details, warnings: &mut Vec<Warning>) -> CompactTrigger {
    let (trigger, warning) = compact_trigger(details.trigger.as_deref());
    warnings.extend(warning);
    trigger
}

fn call(name: Option<String>, input: ToolInput) -> Result<ToolCall, serde_json::Error> {
    let name = needed("tool_name", name)?;
    let ToolInput { command, path, message, agent_type, plan } = input;
    let patch = command.as_deref().filter(|command| match name.as_str() {
        PATCH => true,
        SHELL => is_patch(command),
        _ => false,
    });
    let has_other_paths = patch.is_some_and(|patch| path.is_some() || has_several_files(patch));
    let path = patch.and_then(first_file).map(str::to_owned).or(path);
    let class = if patch.is_some() { ToolClass::Edit } else { class_of(&name) };
    // What is written as a command stays visible to rules about commands.
    let command = command.filter(|_| name == SHELL);
    let (prompt, agent_type) = match class {
        ToolClass::Agent => (message, agent_type),
        ToolClass::Edit
        | ToolClass::Shell
        | ToolClass::Read
        | ToolClass::Todo
        | ToolClass::Other => (None, None),
    };
    let steps = plan.filter(|_| name == PLAN).map(|First(steps)| steps).unwrap_or_default();
    let todos = steps.into_iter().map(todo).filter(means_something).collect();
    // The client has no tool for skills: it names their files, and the model reads them.
    let skill = command.as_deref().filter(|_| class == ToolClass::Shell).and_then(skill_in);
    Ok(ToolCall { name, class, path, has_other_paths, command, prompt, agent_type, skill, todos })
}

fn todo(Step { step, status }: Step) -> Todo {
    let state = match status.as_deref() {
        Some("pending") => Some(TodoState::Open),
        Some("in_progress") => Some(TodoState::Doing),
        Some("completed") => Some(TodoState::Done),
        Some(_) | None => None,
    };
    Todo { id: None, title: step, state }
}
