//! Writing a reply, as one JSON object or as a stream of one event.

use serde_json::{Value, json};

use crate::Reply;
use crate::http::Response;
use crate::script::{Call, Content};
use crate::wire::SCRIPTED_ERROR;

/// In which manner the client wants its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    Whole,
    Events,
}

/// Writes a reply.
pub(super) fn write(manner: Manner, reply: &Reply, serial: &str) -> Response {
    let parts = match &reply.content {
        Content::Text(text) => json!([{ "text": text }]),
        Content::Tools(calls) => calls.iter().map(function_call).collect(),
        Content::Error { status, kind } => return failure(*status, kind, SCRIPTED_ERROR),
    };
    let answer = json!({
        "candidates": [{
            "content": { "role": "model", "parts": parts },
            "finishReason": "STOP",
            "index": 0,
        }],
        "usageMetadata": {
            "promptTokenCount": reply.input_tokens,
            "candidatesTokenCount": reply.output_tokens,
            "totalTokenCount": reply.input_tokens.saturating_add(reply.output_tokens),
        },
        "modelVersion": "scripted",
        "responseId": format!("probe_{serial}"),
    });
    match manner {
        Manner::Whole => Response::json(200, &answer),
        Manner::Events => Response::events(&format!("data: {answer}\n\n")),
    }
}

/// Writes an error.
pub(in crate::wire) fn failure(status: u16, kind: &str, message: &str) -> Response {
    let error = json!({ "code": status, "message": message, "status": kind });
    Response::json(status, &json!({ "error": error }))
}

fn function_call(call: &Call) -> Value {
    json!({ "functionCall": { "name": call.name, "args": call.input } })
}
