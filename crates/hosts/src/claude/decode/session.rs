//! How a session begins, goes on and ends.

use pacenote_model::EventBody;

use crate::decoded::{needed, start_source};

use super::{Told, payload::Details};

/// What the prompt begins with that the client itself submits when a subagent in the background is
/// done; no person wrote it.
const OWN_PROMPT: &str = "<task-notification>";

/// Why a session ends, in the client's word for reasons it does not name.
const NO_REASON: &str = "other";

pub(super) fn start(details: &Details) -> Told {
    let (source, warning) = start_source(details.source.as_deref());
    Told::Happened { body: EventBody::SessionStart { source }, warning }
}

pub(super) fn prompt(details: Details) -> Result<Told, serde_json::Error> {
    let prompt = needed("prompt", details.prompt)?;
    if prompt.starts_with(OWN_PROMPT) {
        return Ok(Told::NotForUs { name: OWN_PROMPT });
    }
    Ok(EventBody::Prompt { prompt }.into())
}

pub(super) fn stop(details: Details) -> Told {
    let again = details.stop_hook_active.unwrap_or_default();
    EventBody::Stop { again, message: details.last_assistant_message }.into()
}

pub(super) fn end(details: Details) -> Told {
    let reason = details.reason.unwrap_or_else(|| NO_REASON.to_owned());
    EventBody::SessionEnd { reason }.into()
}
