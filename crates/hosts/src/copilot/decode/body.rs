//! What a payload tells.

use pacenote_model::{CompactTrigger, EventBody, EventKind, StartSource, ToolCall, ToolClass};

use crate::{
    Warning,
    copilot::tools::class_of,
    decoded::{compact_trigger, needed, start_source},
    table::Hook,
};

use super::payload::{Details, ToolArgs};

/// The tool that loads a skill.
const LOADS_SKILL: &str = "skill";

/// The type of a subagent, and the reason for an end, of which nothing is said.
const UNSAID: &str = "other";

/// The event that tells of a tool only if it failed.
const FAILURE: &str = "post-tool-use-failure";

/// Reads what happened; `None` for a kind that the client does not send.
pub(super) fn read(
    hook: &Hook,
    details: Details,
    warnings: &mut Vec<Warning>,
) -> Result<Option<EventBody>, serde_json::Error> {
    let again = details.stop_hook_active.unwrap_or_default();
    Ok(Some(match hook.kind {
        EventKind::SessionStart => EventBody::SessionStart { source: source(&details, warnings) },
        EventKind::Prompt => EventBody::Prompt { prompt: needed("prompt", details.prompt)? },
        EventKind::BeforeTool => {
            EventBody::BeforeTool { tool: call(details.tool_name, details.tool_args)? }
        }
        EventKind::AfterTool => {
            let result = details.tool_result.result_type.as_deref();
            let failed = hook.word == FAILURE || result.is_some_and(|result| result != "success");
            EventBody::AfterTool { tool: call(details.tool_name, details.tool_args)?, failed }
        }
        EventKind::PreCompact => EventBody::PreCompact { trigger: trigger(&details, warnings) },
        // What the model said stands only in the transcript.
        EventKind::Stop => EventBody::Stop { again, message: None },
        EventKind::SubagentStart => EventBody::SubagentStart {
            source: StartSource::Startup,
            agent: needed("agentId", details.agent_id)?,
            agent_type: or_unsaid(details.agent_type),
            prompt: None,
        },
        EventKind::SubagentStop => EventBody::SubagentStop {
            agent: needed("agentId", details.agent_id)?,
            agent_type: or_unsaid(details.agent_type),
            message: details.response,
            again,
        },
        EventKind::SessionEnd => EventBody::SessionEnd { reason: or_unsaid(details.reason) },
        EventKind::Request | EventKind::Todos | EventKind::PostCompact | EventKind::Wake => {
            return Ok(None);
        }
    }))
}

/// The client builds the context of a resumed session anew, and what was told at its start is not in
/// it. So it has lost our notes, as after a compaction.
fn source(details: &Details, warnings: &mut Vec<Warning>) -> StartSource {
    let (source, warning) = match details.source.as_deref() {
        Some("new") => (StartSource::Startup, None),
        Some("resume") => (StartSource::Compact, None),
        word => start_source(word),
    };
    warnings.extend(warning);
    source
}

fn trigger(details: &Details, warnings: &mut Vec<Warning>) -> CompactTrigger {
    let (trigger, warning) = compact_trigger(details.trigger.as_deref());
    warnings.extend(warning);
    trigger
}

fn call(name: Option<String>, args: ToolArgs) -> Result<ToolCall, serde_json::Error> {
    let name = needed("toolName", name)?;
    let class = class_of(&name);
    let ToolArgs { path, command, prompt, agent_type, skill } = args;
    let (prompt, agent_type) = match class {
        ToolClass::Agent => (prompt, agent_type),
        ToolClass::Edit
        | ToolClass::Shell
        | ToolClass::Read
        | ToolClass::Todo
        | ToolClass::Other => (None, None),
    };
    let command = command.filter(|_| class == ToolClass::Shell);
    let skill = skill.filter(|_| name == LOADS_SKILL);
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

fn or_unsaid(word: Option<String>) -> String {
    word.unwrap_or_else(|| UNSAID.to_owned())
}
