//! What we read of an export.

use crate::lenient::{First, taken};

/// Most messages that are read. A session of a whole day has some hundreds.
const MESSAGES: usize = 20_000;

/// Most parts that are read of one message: a step of the model's each, and what it said and used.
const PARTS: usize = 2_000;

/// A session.
#[derive(Debug, Default)]
pub(super) struct Export {
    pub(super) messages: Option<First<Message, MESSAGES>>,
}

/// A message of the person's or the model's.
#[derive(Debug, Default)]
pub(super) struct Message {
    pub(super) info: Info,
    pub(super) parts: Option<First<Part, PARTS>>,
}

/// What is said about a message.
#[derive(Debug, Default)]
pub(super) struct Info {
    pub(super) role: Option<String>,
    /// Of the model's messages, whether it is what is left of those before; of the person's it is
    /// something else.
    pub(super) summary: Option<bool>,
}

/// A part of a message.
#[derive(Debug, Default)]
pub(super) struct Part {
    pub(super) kind: Option<String>,
    pub(super) text: Option<String>,
    pub(super) synthetic: Option<bool>,
    pub(super) tool: Option<String>,
    pub(super) state: State,
}

/// Where the use of a tool stands.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) status: Option<String>,
    pub(super) output: Option<String>,
    pub(super) error: Option<String>,
}

taken!(Export { "messages": messages });

taken!(Message { "info": info, "parts": parts });

taken!(Info { "role": role, "summary": summary });

taken!(Part {
    "type": kind,
    "text": text,
    "synthetic": synthetic,
    "tool": tool,
    "state": state,
});

taken!(State { "status": status, "output": output, "error": error });
