//! What we read of a payload.

use serde::de::MapAccess;

use crate::{
    gemini::request::Messages,
    lenient::{First, Taken, loosely, taken},
    todos::TODOS,
};

/// The fields of a payload.
#[derive(Debug, Default)]
pub(in crate::gemini) struct Payload {
    pub(super) session_id: Option<String>,
    pub(super) cwd: Option<String>,
    pub(super) hook_event_name: Option<String>,
    pub(super) transcript_path: Option<String>,
    pub(super) details: Details,
}

impl Payload {
    /// Returns the texts of a request to the model.
    pub(in crate::gemini) fn messages(self) -> Option<Messages> {
        self.details.request.messages
    }
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
    pub(super) request: Request,
    pub(super) stop_hook_active: Option<bool>,
    pub(super) prompt_response: Option<String>,
}

/// The fields of a tool's input, whose form is the tool's own affair.
#[derive(Debug, Default)]
pub(super) struct ToolInput {
    pub(super) file_path: Option<String>,
    pub(super) dir_path: Option<String>,
    pub(super) path: Option<String>,
    pub(super) command: Option<String>,
    pub(super) prompt: Option<String>,
    pub(super) agent_name: Option<String>,
    pub(super) name: Option<String>,
    pub(super) todos: Option<First<Item, TODOS>>,
}

/// An item of the list that a tool writes whole.
#[derive(Debug, Default)]
pub(super) struct Item {
    pub(super) description: Option<String>,
    pub(super) status: Option<String>,
}

/// What a tool gave back.
#[derive(Debug, Default)]
pub(super) struct ToolResponse {
    pub(super) error: Trouble,
}

/// Whether there is an error, whatever it says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Trouble {
    #[default]
    None,
    Some,
}

/// A request to the model.
#[derive(Debug, Default)]
pub(super) struct Request {
    pub(super) messages: Option<Messages>,
}

taken!(Payload {
    "session_id": session_id,
    "cwd": cwd,
    "hook_event_name": hook_event_name,
    "transcript_path": transcript_path,
    "source": details.source,
    "reason": details.reason,
    "prompt": details.prompt,
    "tool_name": details.tool_name,
    "tool_input": details.tool_input,
    "tool_response": details.tool_response,
    "llm_request": details.request,
    "stop_hook_active": details.stop_hook_active,
    "prompt_response": details.prompt_response,
});

taken!(ToolInput {
    "file_path": file_path,
    "dir_path": dir_path,
    "path": path,
    "command": command,
    "prompt": prompt,
    "agent_name": agent_name,
    "name": name,
    "todos": todos,
});

taken!(Item { "description": description, "status": status });

taken!(ToolResponse { "error": error });

taken!(Request { "messages": messages });

impl Taken for Trouble {
    fn from_text(_text: &str) -> Self {
        Self::Some
    }

    fn from_object<'de, A: MapAccess<'de>>(mut object: A) -> Result<Self, A::Error> {
        while object.next_key::<String>()?.is_some() {
            loosely::<(), A>(&mut object)?;
        }
        Ok(Self::Some)
    }
}
