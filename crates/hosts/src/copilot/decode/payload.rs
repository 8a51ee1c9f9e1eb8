//! What we read of a payload.

use crate::lenient::{self, Taken, fields, taken};

/// The fields of a payload.
#[derive(Debug, Default)]
pub(super) struct Payload {
    pub(super) session_id: Option<String>,
    pub(super) cwd: Option<String>,
    pub(super) transcript_path: Option<String>,
    pub(super) parent_agent_id: Option<String>,
    pub(super) details: Details,
}

/// The fields that only some events have.
#[derive(Debug, Default)]
pub(super) struct Details {
    pub(super) source: Option<String>,
    pub(super) reason: Option<String>,
    pub(super) prompt: Option<String>,
    pub(super) tool_name: Option<String>,
    pub(super) tool_args: ToolArgs,
    pub(super) tool_result: ToolResult,
    pub(super) trigger: Option<String>,
    pub(super) stop_hook_active: Option<bool>,
    pub(super) agent_id: Option<String>,
    pub(super) agent_type: Option<String>,
    pub(super) response: Option<String>,
}

/// The fields of a tool's arguments, whose form is the tool's own affair.
#[derive(Debug, Default)]
pub(super) struct ToolArgs {
    pub(super) path: Option<String>,
    pub(super) command: Option<String>,
    pub(super) prompt: Option<String>,
    pub(super) agent_type: Option<String>,
    pub(super) skill: Option<String>,
}

/// What a tool gave back.
#[derive(Debug, Default)]
pub(super) struct ToolResult {
    pub(super) result_type: Option<String>,
}

taken!(Payload {
    "sessionId": session_id,
    "cwd": cwd,
    "transcriptPath": transcript_path,
    "parentAgentId": parent_agent_id,
    "source": details.source,
    "reason": details.reason,
    "prompt": details.prompt,
    "toolName": details.tool_name,
    "toolArgs": details.tool_args,
    "toolResult": details.tool_result,
    "trigger": details.trigger,
    "stop_hook_active": details.stop_hook_active,
    "agentId": details.agent_id,
    "agentType": details.agent_type,
    "response": details.response,
});

impl Taken for ToolArgs {
    /// Older clients write the arguments as a text that holds an object.
    fn from_text(text: &str) -> Self {
        // Nothing but an object, for a text in a text in a text would go on.
        let is_object = text.trim_start().starts_with('{');
        is_object.then(|| lenient::read(text).ok()).flatten().unwrap_or_default()
    }

    fields! {
        "path": path,
        "command": command,
        "prompt": prompt,
        "agent_type": agent_type,
        "skill": skill
    }
}

taken!(ToolResult { "resultType": result_type });
