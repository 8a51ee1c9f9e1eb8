//! From the JSON on a hook's stdin to an event.
//!
//! Unknown fields are the client's business and are passed over: its list grows with every version.

mod body;
mod payload;

#[cfg(test)]
mod tests;

use pacenote_model::{Event, HostId};

use crate::{DecodeError, Decoded, Form, decoded::needed, lenient, table};

use self::payload::Payload;
use super::hook::{HOOKS, PASSED};

/// The permission mode in which nothing may be changed.
const PLAN_MODE: &str = "plan";

/// What we call the events that are a subagent's own: it was told everything when it began, and what
/// is new to the session is not for it.
const SUBAGENTS_OWN: &str = "an event of a subagent's own";

/// Decodes a payload. `event` is the word on our command line, such as `session-start`.
pub fn decode(event: &str, stdin: &[u8]) -> Result<Decoded, DecodeError> {
    let Some(hook) = table::find(&HOOKS, event) else {
        let name = event.to_owned();
        let is_known = PASSED.contains(&event);
        return Ok(if is_known { Decoded::Passed { name } } else { Decoded::Unknown { name } });
    };
    let text = std::str::from_utf8(stdin).map_err(DecodeError::NotText)?;
    let refused = |source| DecodeError::NotThePayload { event: hook.word, source };
    let payload: Payload = lenient::read(text).map_err(refused)?;
    let Payload { session_id, cwd, hook_event_name, transcript_path, permission_mode, details } =
        payload;
    let session_id = needed("session_id", session_id).map_err(refused)?;
    let directory = needed("cwd", cwd).map_err(refused)?;
    if let Some(named) = hook_event_name.filter(|named| named != hook.name) {
        return Err(DecodeError::other_event(hook.name, &named));
    }
    // An event that names a subagent comes with the session of the agent that started it.
    if details.agent_id.is_some() && !hook.kind.is_shared_by_subagents() {
        return Ok(Decoded::Passed { name: SUBAGENTS_OWN.to_owned() });
    }
    let subagent = details.agent_id.clone();
    let mut warnings = Vec::new();
    let body = body::read(hook.kind, details, &mut warnings).map_err(refused)?;
    let Some(body) = body else {
        return Ok(Decoded::Passed { name: event.to_owned() });
    };
    let event = Event {
        session: HostId::parse(&session_id).map_err(DecodeError::Session)?,
        directory,
        transcript: transcript_path,
        plan_mode: permission_mode.is_some_and(|mode| mode == PLAN_MODE),
        subagent,
        body,
    };
    Ok(Decoded::Known { event: Box::new(event), warnings, form: Form::Json })
}
