//! What we read of a payload.

use crate::{
    lenient::{First, taken},
    todos::TODOS,
};

/// The fields of a payload.
#[derive(Debug, Default)]
pub(super) struct Payload {
    pub(super) session_id: Option<String>,
    pub(super) cwd: Option<String>,
    pub(super) hook_event_name: Option<String>,
    pub(super) transcript_path: Option<String>,
    pub(super) permission_mode: Option<String>,
    pub(super) details: Details,
}

/// The fields that only some events have.
#[derive(Debug, Default)]
pub(super) struct Details {
    pub(super) source: Option<String>,
    pub(super) reason: Option<String>,
    pub(super) prompt: Option<String>,
    pub(super) tool_name: Option<String>,
    pub(super) tool_input: ToolInput,
    pub(super) tool_response: ToolResponse,
    pub(super) task_id: Option<String>,
    pub(super) task_subject: Option<String>,
    pub(super) trigger: Option<String>,
    pub(super) compact_summary: Option<String>,
    pub(super) stop_hook_active: Option<bool>,
    pub(super) agent_id: Option<String>,
    pub(super) agent_type: Option<String>,
    pub(super) last_assistant_message: Option<String>,
}

/// The fields of a tool's input, whose form is the tool's own affair.
#[derive(Debug, Default)]
pub(super) struct ToolInput {
    pub(super) file_path: Option<String>,
    pub(super) notebook_path: Option<String>,
    pub(super) path: Option<String>,
    pub(super) command: Option<String>,
    pub(super) prompt: Option<String>,
    pub(super) subagent_type: Option<String>,
    pub(super) skill: Option<String>,
    pub(super) todos: Option<First<Item, TODOS>>,
    pub(super) task_id: Option<String>,
    pub(super) subject: Option<String>,
    pub(super) status: Option<String>,
}

/// An item of the list that a tool writes whole.
#[derive(Debug, Default)]
pub(super) struct Item {
    pub(super) content: Option<String>,
    pub(super) status: Option<String>,
}

/// What a tool gave back.
#[derive(Debug, Default)]
pub(super) struct ToolResponse {
    pub(super) success: Option<bool>,
}

taken!(Payload {
    "session_id": session_id,
    "cwd": cwd,
    "hook_event_name": hook_event_name,
    "transcript_path": transcript_path,
    "permission_mode": permission_mode,
    "source": details.source,
    "reason": details.reason,
    "prompt": details.prompt,
    "tool_name": details.tool_name,
    "tool_input": details.tool_input,
    "tool_response": details.tool_response,
    "task_id": details.task_id,
    "task_subject": details.task_subject,
    "trigger": details.trigger,
    "compact_summary": details.compact_summary,
    "stop_hook_active": details.stop_hook_active,
    "agent_id": details.agent_id,
    "agent_type": details.agent_type,
    "last_assistant_message": details.last_assistant_message,
});

taken!(ToolInput {
    "file_path": file_path,
    "notebook_path": notebook_path,
    "path": path,
    "command": command,
    "prompt": prompt,
    "subagent_type": subagent_type,
    "skill": skill,
    "todos": todos,
    "taskId": task_id,
    "subject": subject,
    "status": status,
});

taken!(Item { "content": content, "status": status });

taken!(ToolResponse { "success": success });
