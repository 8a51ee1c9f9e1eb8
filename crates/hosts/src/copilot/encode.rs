//! From a reply to what Copilot CLI reads: one JSON object, with everything at its top.

#[cfg(test)]
mod tests;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    Reply,
    table::{self, Hook, Said},
};

use super::hook::HOOKS;

/// What says nothing.
const NOTHING: &str = "{}";

/// Encodes the answer to a hook, without a line break at the end. `event` is the word on our command
/// line; what the event cannot carry is left out, and one that we do not know is answered nothing.
///
/// The client shows no hook's words to the person, so a notice is left out.
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
    permission_decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision_reason: Option<&'a str>,
    /// Without a decision beside it, the client asks for permission as it would have for the old
    /// one. With `allow` nobody would be asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    modified_args: Option<&'a Map<String, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_context: Option<&'a str>,
}

impl<'a> Answer<'a> {
    fn new(hook: &'static Hook, reply: &'a Reply) -> Self {
        let Said { context, denial, going_on, input } = hook.said(reply);
        Self {
            decision: going_on.map(|_| "block"),
            reason: going_on,
            permission_decision: denial.map(|_| "deny"),
            permission_decision_reason: denial,
            modified_args: input,
            additional_context: context,
        }
    }
}
