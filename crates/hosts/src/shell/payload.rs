//! What we read of a payload.

use crate::{
    lenient::{First, taken},
    todos::TODOS,
};

/// The fields of a payload.
#[derive(Debug, Default)]
pub(super) struct Payload {
    pub(super) session: Option<String>,
    pub(super) directory: Option<String>,
    pub(super) transcript: Option<String>,
    pub(super) plan_mode: Option<bool>,
    pub(super) answer: Option<String>,
    pub(super) details: Details,
}

/// The fields that only some events have.
#[derive(Debug, Default)]
pub(super) struct Details {
    pub(super) source: Option<String>,
    pub(super) prompt: Option<String>,
    pub(super) tool: Tool,
    pub(super) failed: Option<bool>,
    pub(super) todos: Option<First<Thing, TODOS>>,
    pub(super) trigger: Option<String>,
    pub(super) summary: Option<String>,
    pub(super) notes: Option<String>,
    pub(super) again: Option<bool>,
    pub(super) agent: Option<String>,
    pub(super) agent_type: Option<String>,
    pub(super) message: Option<String>,
    pub(super) reason: Option<String>,
}

/// A tool that is used.
#[derive(Debug, Default)]
pub(super) struct Tool {
    pub(super) name: Option<String>,
    pub(super) class: Option<String>,
    pub(super) path: Option<String>,
    pub(super) command: Option<String>,
    pub(super) prompt: Option<String>,
    pub(super) agent_type: Option<String>,
    pub(super) skill: Option<String>,
}

/// A thing to do.
#[derive(Debug, Default)]
pub(super) struct Thing {
    pub(super) id: Option<String>,
    pub(super) title: Option<String>,
    pub(super) state: Option<String>,
}

taken!(Payload {
    "session": session,
    "directory": directory,
    "transcript": transcript,
    "plan_mode": plan_mode,
    "answer": answer,
    "source": details.source,
    "prompt": details.prompt,
    "tool": details.tool,
    "failed": details.failed,
    "todos": details.todos,
    "trigger": details.trigger,
    "notes": details.notes,
    "summary": details.summary,
    "again": details.again,
    "agent": details.agent,
    "agent_type": details.agent_type,
    "message": details.message,
    "reason": details.reason,
});

taken!(Tool {
    "name": name,
    "class": class,
    "path": path,
    "command": command,
    "prompt": prompt,
    "agent_type": agent_type,
    "skill": skill,
});

taken!(Thing { "id": id, "title": title, "state": state });
