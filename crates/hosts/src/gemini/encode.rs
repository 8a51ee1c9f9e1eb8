//! From a reply to what Gemini CLI reads: one JSON object.

#[cfg(test)]
mod tests;

use pacenote_model::EventKind;

use serde::Serialize;

use crate::{
    Reply, lenient,
    table::{self, Hook, Said},
};

use super::{decode::Payload, hook::HOOKS, request::Message};

/// What says nothing. Plain text would be shown to the person.
const NOTHING: &str = "{}";

/// Encodes the answer to a hook, without a line break at the end. `event` is the word on our command
/// line; what the event cannot carry is left out, and one that we do not know is answered nothing.
///
/// Text for a request is put behind the first message of the payload's, because the client replaces
/// whole messages; where the request holds it, it is spelled as it was written.
pub fn encode(event: &str, reply: &Reply, payload: &[u8]) -> String {
    let Some(hook) = table::find(&HOOKS, event) else { return NOTHING.to_owned() };
    // Strings always serialize; were that ever wrong, silence is the safe answer.
    serde_json::to_string(&Answer::new(hook, reply, payload)).unwrap_or_else(|_| NOTHING.to_owned())
}

/// Tells whether the answer to an event can carry text for the model.
pub fn carries_context(event: &str) -> bool {
    table::find(&HOOKS, event).is_some_and(|hook| hook.context)
}

#[derive(Serialize)]
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
struct Output<'a> {
    #[serde(rename = "hookEventName")]
    hook_event_name: &'static str,
    #[serde(flatten)]
    told: Told<'a>,
}

/// Text for the model, where the client looks for it.
#[derive(Serialize)]
enum Told<'a> {
    #[serde(rename = "additionalContext")]
    Context(&'a str),
    #[serde(rename = "llm_request")]
    Request { messages: Vec<Message> },
}

impl<'a> Answer<'a> {
    fn new(hook: &'static Hook, reply: &'a Reply, payload: &[u8]) -> Self {
        let Said { context, denial, going_on, input: _ } = hook.said(reply);
        let told = context.and_then(|context| {
            let in_request = hook.kind == EventKind::Request;
            if in_request { with_notes(context, payload) } else { Some(Told::Context(context)) }
        });
        // What keeps an agent going is the denial of its end.
        let reason = denial.or(going_on);
        Self {
            decision: reason.map(|_| "deny"),
            reason,
            system_message: reply.notice.as_deref(),
            hook_specific_output: told.map(|told| Output { hook_event_name: hook.name, told }),
        }
    }
}

fn with_notes<'a>(context: &str, payload: &[u8]) -> Option<Told<'a>> {
    let payload = std::str::from_utf8(payload).ok()?;
    let messages = lenient::read::<Payload>(payload).ok()?.messages()?;
    Some(Told::Request { messages: messages.with_notes(context)? })
}
