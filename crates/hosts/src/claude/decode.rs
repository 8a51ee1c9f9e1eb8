//! From the JSON on a hook's stdin to an event.
//!
//! Unknown fields are the client's business and are passed over: its list grows with every version.

mod compaction;
mod payload;
mod session;
mod subagent;
mod todos;
mod tool;

#[cfg(test)]
mod tests;

use pacenote_model::{Event, EventBody, HostId, TodoState};

use crate::{DecodeError, Decoded, Form, Warning, decoded::needed, lenient};

use self::{
    payload::{Details, Payload},
    tool::Outcome,
};
use super::{
    hook::{Hook, PASSED},
    tools::{TOOLS, Tools},
};

/// The permission mode in which nothing may be changed.
const PLAN_MODE: &str = "plan";

/// Decodes a payload. `event` is the word on our command line, such as `session-start`.
pub fn decode(event: &str, stdin: &[u8]) -> Result<Decoded, DecodeError> {
    let Some(hook) = Hook::from_word(event) else {
        let name = event.to_owned();
        let is_known = PASSED.contains(&event);
        return Ok(if is_known { Decoded::Passed { name } } else { Decoded::Unknown { name } });
    };
    decode_hook(hook, &TOOLS, stdin)
}

/// Decodes the payload of a client that sends what Claude Code does, but has tools of its own.
pub(crate) fn decode_hook(hook: Hook, tools: &Tools, stdin: &[u8]) -> Result<Decoded, DecodeError> {
    let text = std::str::from_utf8(stdin).map_err(DecodeError::NotText)?;
    let refused = |source| DecodeError::NotThePayload { event: hook.word(), source };
    let payload: Payload = lenient::read(text).map_err(refused)?;
    let Payload { session_id, cwd, hook_event_name, transcript_path, permission_mode, details } =
        payload;
    let session_id = needed("session_id", session_id).map_err(refused)?;
    let directory = needed("cwd", cwd).map_err(refused)?;
    if let Some(named) = hook_event_name.filter(|named| named != hook.name()) {
        return Err(DecodeError::other_event(hook.name(), &named));
    }
    let subagent = details.agent_id.clone();
    let (body, warning) = match told(hook, tools, details).map_err(refused)? {
        Told::Happened { body, warning } => (body, warning),
        Told::NotForUs { name } => return Ok(Decoded::Passed { name: name.to_owned() }),
    };
    let event = Event {
        session: HostId::parse(&session_id).map_err(DecodeError::Session)?,
        directory,
        transcript: transcript_path,
        plan_mode: permission_mode.is_some_and(|mode| mode == PLAN_MODE),
        subagent,
        body,
    };
    let warnings = Vec::from_iter(warning);
    Ok(Decoded::Known { event: Box::new(event), warnings, form: Form::Json })
}

/// Returns what the fields of an event tell.
fn told(hook: Hook, tools: &Tools, details: Details) -> Result<Told, serde_json::Error> {
    if let Some(own) = subagent::own(hook, &details) {
        return Ok(own);
    }
    match hook {
        Hook::SessionStart => Ok(session::start(&details)),
        Hook::UserPromptSubmit => session::prompt(details),
        Hook::PreToolUse => tool::before(tools, details),
        Hook::PostToolUse => tool::after(tools, details, Outcome::Worked),
        Hook::PostToolUseFailure => tool::after(tools, details, Outcome::Failed),
        Hook::TaskCreated => todos::changed(details, TodoState::Open),
        Hook::TaskCompleted => todos::changed(details, TodoState::Done),
        Hook::PreCompact => Ok(compaction::before(&details)),
        Hook::PostCompact => Ok(compaction::after(details)),
        Hook::Stop => Ok(session::stop(details)),
        Hook::SubagentStart => subagent::start(details),
        Hook::SubagentStop => subagent::stop(details),
        Hook::SessionEnd => Ok(session::end(details)),
    }
}

/// What a payload tells.
enum Told {
    /// Something that may matter to us, and what was odd about it.
    Happened { body: EventBody, warning: Option<Warning> },
    /// Something of the client's own making.
    NotForUs { name: &'static str },
}

impl From<EventBody> for Told {
    fn from(body: EventBody) -> Self {
        Self::Happened { body, warning: None }
    }
}
