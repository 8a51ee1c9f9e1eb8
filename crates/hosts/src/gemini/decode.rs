//! From the JSON on a hook's stdin to an event.
//!
//! Unknown fields are the client's business and are passed over.

mod payload;
mod tool;

#[cfg(test)]
mod tests;

use pacenote_model::{Event, EventBody, EventKind, HostId};

use crate::{
    DecodeError, Decoded, Form, Warning,
    decoded::{needed, start_source},
    lenient, table,
};

use self::payload::Details;
pub(super) use self::payload::Payload;
use super::{
    hook::{HOOKS, PASSED},
    request::without_context,
};

/// Why a session ends, in the client's word for reasons it does not name.
const NO_REASON: &str = "other";

/// What we call a request to which nothing can be added.
const NO_TEXT: &str = "a request without text";

/// What we call a prompt that is nothing but what hooks said.
const NO_PROMPT: &str = "a prompt without words";

/// What we call what the client never tells.
const NO_EVENT: &str = "no event of the client's";

/// Decodes a payload. `event` is the word on our command line, such as `before-agent`.
pub fn decode(event: &str, stdin: &[u8]) -> Result<Decoded, DecodeError> {
    let Some(hook) = table::find(&HOOKS, event) else {
        let name = event.to_owned();
        let is_known = PASSED.contains(&event);
        return Ok(if is_known { Decoded::Passed { name } } else { Decoded::Unknown { name } });
    };
    let text = std::str::from_utf8(stdin).map_err(DecodeError::NotText)?;
    let refused = |source| DecodeError::NotThePayload { event: hook.word, source };
    let payload: Payload = lenient::read(text).map_err(refused)?;
    let Payload { session_id, cwd, hook_event_name, transcript_path, details } = payload;
    let session_id = needed("session_id", session_id).map_err(refused)?;
    let directory = needed("cwd", cwd).map_err(refused)?;
    if let Some(named) = hook_event_name.filter(|named| named != hook.name) {
        return Err(DecodeError::other_event(hook.name, &named));
    }
    let session = HostId::parse(&session_id).map_err(DecodeError::Session)?;
    let (body, warning) = match body(hook.kind, details).map_err(refused)? {
        Told::Happened { body, warning } => (body, warning),
        Told::NotForUs { name } => return Ok(Decoded::Passed { name: name.to_owned() }),
    };
    let transcript = transcript_path;
    // The client says nothing of its mode.
    let event = Event { session, directory, transcript, plan_mode: false, subagent: None, body };
    let warnings = Vec::from_iter(warning);
    Ok(Decoded::Known { event: Box::new(event), warnings, form: Form::Json })
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

fn body(kind: EventKind, details: Details) -> Result<Told, serde_json::Error> {
    Ok(match kind {
        EventKind::SessionStart => {
            let (source, warning) = start_source(details.source.as_deref());
            Told::Happened { body: EventBody::SessionStart { source }, warning }
        }
        EventKind::Prompt => {
            let prompt = needed("prompt", details.prompt)?;
            match without_context(&prompt) {
                "" => Told::NotForUs { name: NO_PROMPT },
                prompt => EventBody::Prompt { prompt: prompt.to_owned() }.into(),
            }
        }
        EventKind::BeforeTool => tool::before(details)?.into(),
        EventKind::AfterTool => tool::after(details)?.into(),
        EventKind::Request => {
            let messages = needed("llm_request.messages", details.request.messages)?;
            match messages.notes() {
                Some(notes) => EventBody::Request { notes }.into(),
                None => Told::NotForUs { name: NO_TEXT },
            }
        }
        EventKind::Stop => {
            let again = details.stop_hook_active.unwrap_or_default();
            EventBody::Stop { again, message: details.prompt_response }.into()
        }
        EventKind::SessionEnd => {
            let reason = details.reason.unwrap_or_else(|| NO_REASON.to_owned());
            EventBody::SessionEnd { reason }.into()
        }
        EventKind::Todos
        | EventKind::PreCompact
        | EventKind::PostCompact
        | EventKind::SubagentStart
        | EventKind::SubagentStop
        | EventKind::Wake => Told::NotForUs { name: NO_EVENT },
    })
}
