//! When a subagent begins and ends.

use pacenote_model::Happening;

use crate::decoded::needed;

use super::{Told, payload::Details};

/// What we call the forks by which the client summarises a context. They look like subagents, but
/// for a type that is empty; nobody asked for one, and nobody reads what is told to it.
const OWN_FORK: &str = "a fork of the client's own";

pub(super) fn start(details: Details) -> Result<Told, serde_json::Error> {
    let agent = needed("agent_id", details.agent_id)?;
    let agent_type = needed("agent_type", details.agent_type)?;
    if agent_type.is_empty() {
        return Ok(Told::NotForUs { name: OWN_FORK });
    }
    Ok(Happening::SubagentStart { agent, agent_type }.into())
}

pub(super) fn stop(details: Details) -> Result<Told, serde_json::Error> {
    let agent = needed("agent_id", details.agent_id)?;
    let agent_type = needed("agent_type", details.agent_type)?;
    if agent_type.is_empty() {
        return Ok(Told::NotForUs { name: OWN_FORK });
    }
    let message = details.last_assistant_message;
    let again = details.stop_hook_active.unwrap_or_default();
    Ok(Happening::SubagentStop { agent, agent_type, message, again }.into())
}
