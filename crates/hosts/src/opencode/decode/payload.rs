//! What we read of what the plugin writes.

use crate::{
    lenient::{First, taken},
    todos::TODOS,
};

/// The fields of a payload.
#[derive(Debug, Default)]
pub(super) struct Payload {
    pub(super) session: Option<String>,
    pub(super) directory: Option<String>,
    pub(super) agent: Option<String>,
    pub(super) details: Details,
}

/// The fields that only some events have.
#[derive(Debug, Default)]
pub(super) struct Details {
    pub(super) child: Option<String>,
    pub(super) source: Option<String>,
    pub(super) prompt: Option<String>,
    pub(super) opening: Option<String>,
    pub(super) tool: Option<String>,
    pub(super) args: Arguments,
    pub(super) failed: Option<bool>,
    pub(super) reason: Option<String>,
    pub(super) message: Option<String>,
}

/// The arguments of a tool, whose form is the tool's own affair.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    pub(super) file_path: Option<String>,
    pub(super) path: Option<String>,
    pub(super) command: Option<String>,
    pub(super) prompt: Option<String>,
    pub(super) subagent_type: Option<String>,
    pub(super) name: Option<String>,
    pub(super) todos: Option<First<Item, TODOS>>,
}

/// An item of the list that a tool writes whole.
#[derive(Debug, Default)]
pub(super) struct Item {
    pub(super) content: Option<String>,
    pub(super) status: Option<String>,
}

taken!(Payload {
    "session": session,
    "directory": directory,
    "agent": agent,
    "child": details.child,
    "source": details.source,
    "prompt": details.prompt,
    "opening": details.opening,
    "tool": details.tool,
    "args": details.args,
    "failed": details.failed,
    "reason": details.reason,
    "message": details.message,
});

taken!(Arguments {
    "filePath": file_path,
    "path": path,
    "command": command,
    "prompt": prompt,
    "subagent_type": subagent_type,
    "name": name,
    "todos": todos,
});

taken!(Item { "content": content, "status": status });
