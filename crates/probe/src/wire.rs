//! The wire forms a client may speak, one module each.
//!
//! A form knows its addresses, what a request is for, which texts it carries, and how a reply is
//! written; it knows nothing of connections, scripts or records.

pub mod anthropic;

use serde_json::Value;

use crate::http::Response;
use crate::{Kind, Reply, Text};

/// A wire form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Anthropic Messages.
    Anthropic,
}

impl Form {
    /// Returns the form whose address this is; the path comes without its query.
    pub(crate) fn of(path: &str) -> Option<Self> {
        anthropic::owns(path).then_some(Self::Anthropic)
    }

    /// Says what a posted request is for.
    pub(crate) fn kind(self, path: &str, body: &Value) -> Kind {
        match self {
            Self::Anthropic => anthropic::kind(path, body),
        }
    }

    /// Returns every text of a request.
    pub(crate) fn texts(self, body: &Value) -> Vec<Text> {
        match self {
            Self::Anthropic => anthropic::texts(body),
        }
    }

    /// Answers a posted request.
    pub(crate) fn answer(self, path: &str, body: &Value, answer: &Answer) -> Response {
        match self {
            Self::Anthropic => anthropic::answer(path, body, answer),
        }
    }

    /// Refuses a posted request whose body is not JSON.
    pub(crate) fn refuse(self) -> Response {
        match self {
            Self::Anthropic => anthropic::refuse(),
        }
    }
}

/// What to answer with.
#[derive(Debug)]
pub(crate) struct Answer {
    /// Sets the identifiers of this answer apart from those of every other one.
    pub(crate) serial: String,
    /// The reply of the script, for a request of the conversation.
    pub(crate) scripted: Option<Reply>,
}
