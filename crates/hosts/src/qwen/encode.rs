//! From a reply to what Qwen Code reads: one JSON object, or nothing at all.

#[cfg(test)]
mod tests;

use crate::{Reply, claude, table};

use super::hook::HOOKS;

/// What says nothing.
const NOTHING: &str = "{}";

/// Encodes the answer to a hook, without a line break at the end. `event` is the word on our command
/// line; what the event cannot carry is left out, and one that we do not know is answered nothing.
pub fn encode(event: &str, reply: &Reply) -> String {
    let Some(hook) = table::find(&HOOKS, event) else { return NOTHING.to_owned() };
    let Reply { context, notice, verdict, input: _ } = reply.clone();
    let context = context.filter(|_| hook.context);
    // A new input for a tool is read, and used for nothing.
    claude::encode(event, &Reply { context, notice, verdict, input: None })
}

/// Tells whether the answer to an event can carry text for the model.
pub fn carries_context(event: &str) -> bool {
    table::find(&HOOKS, event).is_some_and(|hook| hook.context)
}
