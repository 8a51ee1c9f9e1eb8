//! From a reply to what Codex reads: one JSON object.
//!
//! The client throws away the whole answer for one key that it does not know at an event, and says
//! nothing. So each event is answered with its own keys and no others.

#[cfg(test)]
mod tests;

use pacenote_model::EventKind;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    Reply,
    table::{self, Hook, Said},
};

use super::hook::HOOKS;

/// What says nothing. The client takes plain text for context, so silence is an object too.
const NOTHING: &str = "{}";

/// Encodes the answer to a hook, without a line break at the end. `event` is the word on our command
/// line; what the event cannot carry is left out, and one that we do not know is answered nothing.
pub fn encode(event: &str, reply: &Reply) -> String {
    let Some(hook) = table::find(&HOOKS, event) else { return NOTHING.to_owned() };
    // Strings always serialize; were that ever wrong, silence is the safe answer.
    serde_json::to_string(&Answer::new(hook, reply)).unwrap_or_else(|_| NOTHING.to_owned())
}

/// Tells whether the answer to an event can carry text for the model.
pub fn carries_context(event: &str) -> bool {
    table::find(&HOOKS, event).is_some_and(|hook| hook.context)
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system_message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hook_specific_output: Option<Output<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Output<'a> {
    hook_event_name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision_reason: Option<&'a str>,
    /// The client takes a new input only with `allow` beside it, and `allow` only with a new input:
    /// it opens nothing else. The sandbox holds for the new input as it did for the old one.
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_input: Option<&'a Map<String, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_context: Option<&'a str>,
}

impl<'a> Answer<'a> {
    fn new(hook: &'static Hook, reply: &'a Reply) -> Self {
        let Said { context, denial, going_on, input } = hook.said(reply);
        let says = context.is_some() || denial.is_some() || input.is_some();
        let output = says.then(|| Output {
            hook_event_name: hook.name,
            permission_decision: denial.map(|_| "deny").or(input.map(|_| "allow")),
            permission_decision_reason: denial,
            updated_input: input,
            additional_context: context,
        });
        // The session is over then, and nobody is there to read it.
        let is_heard = hook.kind != EventKind::SessionEnd;
        Self {
            decision: going_on.map(|_| "block"),
            reason: going_on,
            system_message: reply.notice.as_deref().filter(|_| is_heard),
            hook_specific_output: output,
        }
    }
}
