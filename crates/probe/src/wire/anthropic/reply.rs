//! Writing a reply, as one JSON object or as a stream of events.

use serde_json::{Value, json};

use crate::Reply;
use crate::http::Response;
use crate::script::{Call, Content};
use crate::wire::SCRIPTED_ERROR;
use crate::wire::body::{wants_stream, word};

/// Writes a reply in the manner the request asks for.
pub(super) fn write(body: &Value, reply: &Reply, serial: &str) -> Response {
    let (blocks, stop_reason) = match &reply.content {
        Content::Text(text) => (vec![Block::text(text)], "end_turn"),
        Content::Tools(calls) => {
            let numbered = (1..).zip(calls);
            let block = |(number, call): (u32, &Call)| {
                Block::tool(&format!("toolu_probe_{serial}_{number}"), call)
            };
            (numbered.map(block).collect(), "tool_use")
        }
        Content::Error { status, kind } => return failure(*status, kind, SCRIPTED_ERROR),
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
    if wants_stream(body) {
        let start = json!({ "type": "message_start", "message": message(json!([]), Value::Null) });
        let pieces = (0..).zip(&blocks).flat_map(|(index, block): (u32, _)| block.pieces(index));
        let ending = json!({ "stop_reason": stop_reason, "stop_sequence": null });
        let end = [
            json!({ "type": "message_delta", "delta": ending, "usage": usage }),
            json!({ "type": "message_stop" }),
        ];
        stream([start].into_iter().chain(pieces).chain(end))
    } else {
        let content = blocks.into_iter().map(|block| block.whole).collect();
        Response::json(200, &message(content, stop_reason.into()))
    }
}

/// Writes an error.
pub(super) fn failure(status: u16, kind: &str, message: &str) -> Response {
    let error = json!({ "type": kind, "message": message });
    Response::json(status, &json!({ "type": "error", "error": error }))
}

/// A content block of a reply: whole, and in the two pieces a stream sends.
struct Block {
    whole: Value,
    opening: Value,
    delta: Value,
}

impl Block {
    fn text(text: &str) -> Self {
        Self {
            whole: json!({ "type": "text", "text": text }),
            opening: json!({ "type": "text", "text": "" }),
            delta: json!({ "type": "text_delta", "text": text }),
        }
    }

    fn tool(id: &str, call: &Call) -> Self {
        let Call { name, input } = call;
        let call =
            |input: &Value| json!({ "type": "tool_use", "id": id, "name": name, "input": input });
        Self {
            whole: call(input),
            opening: call(&json!({})),
            delta: json!({ "type": "input_json_delta", "partial_json": input.to_string() }),
        }
    }

    /// Returns the events by which a stream sends the block.
    fn pieces(&self, index: u32) -> [Value; 3] {
        [
            json!({ "type": "content_block_start", "index": index, "content_block": self.opening }),
            json!({ "type": "content_block_delta", "index": index, "delta": self.delta }),
            json!({ "type": "content_block_stop", "index": index }),
        ]
    }
}

fn stream(events: impl Iterator<Item = Value>) -> Response {
    let written = events.map(|event| format!("event: {}\ndata: {event}\n\n", word(&event, "type")));
    Response::events(&written.collect::<Vec<_>>().concat())
}
