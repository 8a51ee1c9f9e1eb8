//! The wire forms a client may speak, one module each.
//!
//! A form knows its addresses, what a request is for, which texts it carries, and how a reply is
//! written; it knows nothing of connections, scripts or records.

mod anthropic;
mod body;
mod chat;
mod gemini;
mod purpose;
mod responses;
mod specimen;

use serde_json::{Value, json};

use self::specimen::specimen;
use crate::http::Response;
use crate::{Kind, Reply, Text};

/// The summary a client gets when it compacts its conversation.
pub const SUMMARY: &str = "the scripted summary of the conversation";

/// What is said to side requests.
pub const ASIDE: &str = "a scripted aside";

/// The one model that is listed; a client may ask for any other.
const MODEL: &str = "scripted-model";

/// The tokens a summary or an aside is reported to have.
const ASIDE_TOKENS: u64 = 10;

/// A wire form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// Anthropic Messages: Claude Code.
    Anthropic,
    /// Responses: Codex.
    Responses,
    /// Chat completions: Copilot CLI, OpenCode, Qwen Code.
    Chat,
    /// Gemini's `generateContent` and `streamGenerateContent`: Gemini CLI.
    Gemini,
}

impl Wire {
    /// Returns the form whose address this is; the path comes without its query.
    pub(crate) fn of(path: &str) -> Option<Self> {
        let all = [Self::Anthropic, Self::Responses, Self::Chat, Self::Gemini];
        all.into_iter().find(|wire| wire.owns(path))
    }

    fn owns(self, path: &str) -> bool {
        match self {
            Self::Anthropic => anthropic::owns(path),
            Self::Responses => responses::owns(path),
            Self::Chat => chat::owns(path),
            Self::Gemini => gemini::owns(path),
        }
    }

    /// Says what a posted request is for.
    pub(crate) fn kind(self, path: &str, body: &Value) -> Kind {
        match self {
            Self::Anthropic => anthropic::kind(path, body),
            Self::Responses => responses::kind(body),
            Self::Chat => chat::kind(body),
            Self::Gemini => gemini::kind(path, body),
        }
    }

    /// Returns every text of a request.
    pub(crate) fn texts(self, body: &Value) -> Vec<Text> {
        match self {
            Self::Anthropic => anthropic::texts(body),
            Self::Responses => responses::texts(body),
            Self::Chat => chat::texts(body),
            Self::Gemini => gemini::texts(body),
        }
    }

    /// Answers a posted request.
    pub(crate) fn answer(self, path: &str, body: &Value, answer: &Answer) -> Response {
        match self {
            Self::Anthropic => anthropic::answer(path, body, answer),
            Self::Responses => responses::answer(body, answer),
            Self::Chat => chat::answer(body, answer),
            Self::Gemini => gemini::answer(path, body, answer),
        }
    }

    /// Refuses a posted request whose body is not JSON.
    pub(crate) fn refuse(self) -> Response {
        match self {
            Self::Anthropic => anthropic::refuse(),
            Self::Responses | Self::Chat => openai_failure(400, "invalid_request_error", NOT_JSON),
            Self::Gemini => gemini::failure(400, "INVALID_ARGUMENT", NOT_JSON),
        }
    }
}

/// Why a body is refused.
const NOT_JSON: &str = "the body is not JSON";

/// Why a scripted error happens.
const SCRIPTED_ERROR: &str = "a scripted error";

/// What to answer with.
#[derive(Debug)]
pub(crate) struct Answer {
    /// Sets the identifiers of this answer apart from those of every other one.
    pub(crate) serial: String,
    /// The reply of the script, for a request of the conversation.
    pub(crate) scripted: Option<Reply>,
    /// The input tokens that were last reported to the conversation.
    pub(crate) conversation_tokens: u64,
}

impl Answer {
    /// Returns the reply of the script, or makes one for a request that takes nothing from it.
    ///
    /// A client that gets a summary takes it only when it is worth the tokens, so a summary is said
    /// to have taken as many as the conversation.
    fn reply(&self, kind: Kind, body: &Value, summary: &str, schema: Option<&Value>) -> Reply {
        if let Some(reply) = &self.scripted {
            return reply.clone();
        }
        let counted = body::tokens(body);
        if kind == Kind::Summary {
            let tokens = counted.max(self.conversation_tokens);
            return Reply::text(summary).usage(tokens, ASIDE_TOKENS);
        }
        let text = schema.map_or_else(|| ASIDE.to_owned(), |schema| specimen(schema).to_string());
        Reply::text(text).usage(counted, ASIDE_TOKENS)
    }
}

/// Lists the models there are to a client that looks before it asks.
pub(crate) fn models(path: &str) -> Option<Response> {
    let models = match path {
        "/v1/models" => {
            let model =
                json!({ "id": MODEL, "object": "model", "created": 0, "owned_by": "script" });
            json!({ "object": "list", "data": [model] })
        }
        "/v1beta/models" => json!({ "models": [{ "name": format!("models/{MODEL}") }] }),
        _ => return None,
    };
    Some(Response::json(200, &models))
}

/// Writes an error the way of both Responses and chat completions.
fn openai_failure(status: u16, kind: &str, message: &str) -> Response {
    let error = json!({ "message": message, "type": kind, "param": null, "code": kind });
    Response::json(status, &json!({ "error": error }))
}

#[cfg(test)]
mod tests;
