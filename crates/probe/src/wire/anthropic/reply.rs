//! Writing a reply, as one JSON object or as a stream of events.

use serde_json::{Value, json};

use crate::Reply;
use crate::http::Response;
use crate::script::Content;

/// Writes a reply in the manner the request asks for.
pub(super) fn write(body: &Value, reply: &Reply, serial: &str) -> Response {
    let block = match &reply.content {
        Content::Text(text) => Block::text(text),
        Content::Tool { name, input } => Block::tool(&format!("toolu_probe_{serial}"), name, input),
        Content::Error { status, kind } => return failure(*status, kind, "a scripted error"),
    };
    let usage = json!({
        "input_tokens": reply.input_tokens,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "output_tokens": reply.output_tokens,
    });
    let message = |content: Value, stop_reason: Value| {
        json!({
            "id": format!("msg_probe_{serial}"),
            "type": "message",
            "role": "assistant",
            "model": body.get("model"),
            "content": content,
            "stop_reason": stop_reason,
            "stop_sequence": null,
            "usage": usage,
        })
    };
    if body.get("stream").and_then(Value::as_bool).unwrap_or_default() {
        let ending = json!({ "stop_reason": block.stop_reason, "stop_sequence": null });
        stream(&[
            json!({ "type": "message_start", "message": message(json!([]), Value::Null) }),
            json!({ "type": "content_block_start", "index": 0, "content_block": block.opening }),
            json!({ "type": "content_block_delta", "index": 0, "delta": block.delta }),
            json!({ "type": "content_block_stop", "index": 0 }),
            json!({ "type": "message_delta", "delta": ending, "usage": usage }),
            json!({ "type": "message_stop" }),
        ])
    } else {
        Response::json(200, &message(json!([block.whole]), block.stop_reason.into()))
    }
}

/// Writes an error.
pub(super) fn failure(status: u16, kind: &str, message: &str) -> Response {
    let error = json!({ "type": kind, "message": message });
    Response::json(status, &json!({ "type": "error", "error": error }))
}

/// The one content block of a reply: whole, and in the two pieces a stream sends.
struct Block {
    whole: Value,
    opening: Value,
    delta: Value,
    stop_reason: &'static str,
}

impl Block {
    fn text(text: &str) -> Self {
        Self {
            whole: json!({ "type": "text", "text": text }),
            opening: json!({ "type": "text", "text": "" }),
            delta: json!({ "type": "text_delta", "text": text }),
            stop_reason: "end_turn",
        }
    }

    fn tool(id: &str, name: &str, input: &Value) -> Self {
        let call =
            |input: &Value| json!({ "type": "tool_use", "id": id, "name": name, "input": input });
        Self {
            whole: call(input),
            opening: call(&json!({})),
            delta: json!({ "type": "input_json_delta", "partial_json": input.to_string() }),
            stop_reason: "tool_use",
        }
    }
}

fn stream(events: &[Value]) -> Response {
    let written = events.iter().map(|event| {
        let name = event.get("type").and_then(Value::as_str).unwrap_or_default();
        format!("event: {name}\ndata: {event}\n\n")
    });
    Response::events(&written.collect::<Vec<_>>().concat())
}
