//! When a subagent begins and ends.

use pacenote_model::{EventBody, StartSource};

use crate::decoded::needed;

use super::{Hook, Told, payload::Details};

/// What we call the forks by which the client summarises a context. They look like subagents, but
/// for a type that is empty; nobody asked for one, and nobody reads what is told to it.
const OWN_FORK: &str = "a fork of the client's own";

/// What we call what happens round the compaction of a subagent's context. Its summary is of no use to
/// the session, and its new beginning is told by itself.
const COMPACTION: &str = "the compaction of a subagent";

/// Returns what an event tells that is the subagent's own, although it speaks of its session: the
/// client compacts the context of a subagent under the name of the session that asked it.
pub(super) fn own(hook: Hook, details: &Details) -> Option<Told> {
    let agent = details.agent_id.clone()?;
    match hook {
        Hook::SessionStart => {
            let agent_type = details.agent_type.clone().filter(|kind| !kind.is_empty());
            Some(agent_type.map_or(Told::NotForUs { name: OWN_FORK }, |agent_type| {
                let source = StartSource::Compact;
                EventBody::SubagentStart { agent, agent_type, source, prompt: None }.into()
            }))
        }
        Hook::PreCompact | Hook::PostCompact => Some(Told::NotForUs { name: COMPACTION }),
        Hook::UserPromptSubmit
        | Hook::PreToolUse
        | Hook::PostToolUse
        | Hook::PostToolUseFailure
        | Hook::TaskCreated
        | Hook::TaskCompleted
        | Hook::Stop
        | Hook::SubagentStart
        | Hook::SubagentStop
        | Hook::SessionEnd => None,
    }
}

pub(super) fn start(details: Details) -> Result<Told, serde_json::Error> {
    let agent = needed("agent_id", details.agent_id)?;
    let agent_type = needed("agent_type", details.agent_type)?;
    if agent_type.is_empty() {
        return Ok(Told::NotForUs { name: OWN_FORK });
    }
    let source = StartSource::Startup;
    Ok(EventBody::SubagentStart { agent, agent_type, source, prompt: None }.into())
}

pub(super) fn stop(details: Details) -> Result<Told, serde_json::Error> {
    let agent = needed("agent_id", details.agent_id)?;
    let agent_type = needed("agent_type", details.agent_type)?;
    if agent_type.is_empty() {
        return Ok(Told::NotForUs { name: OWN_FORK });
    }
    let message = details.last_assistant_message;
    let again = details.stop_hook_active.unwrap_or_default();
    Ok(EventBody::SubagentStop { agent, agent_type, message, again }.into())
}
