//! Writing a reply, as one JSON object or as a stream of events.

use serde_json::{Value, json};

use crate::Reply;
use crate::http::Response;
use crate::script::{Call, Content};
use crate::wire::body::{list, wants_stream, word};
use crate::wire::{SCRIPTED_ERROR, openai_failure};

/// Writes a reply in the manner the request asks for.
pub(super) fn write(body: &Value, reply: &Reply, serial: &str) -> Response {
    let items = match &reply.content {
        Content::Text(text) => vec![Item::message(&format!("msg_probe_{serial}"), text)],
        Content::Tools(calls) => {
            let numbered = (1..).zip(calls);
            let item = |(number, call): (u32, &Call)| {
                Item::call(&format!("probe_{serial}_{number}"), call, namespace(body, &call.name))
            };
            numbered.map(item).collect()
        }
        Content::Error { status, kind } => return openai_failure(*status, kind, SCRIPTED_ERROR),
    };
    let output: Value = items.iter().map(|item| item.whole.clone()).collect();
    let usage = json!({
        "input_tokens": reply.input_tokens,
        "input_tokens_details": { "cached_tokens": 0 },
        "output_tokens": reply.output_tokens,
        "output_tokens_details": { "reasoning_tokens": 0 },
        "total_tokens": reply.input_tokens.saturating_add(reply.output_tokens),
    });
    let response = |status: &str, output: &Value, usage: &Value| {
        json!({
            "id": format!("resp_probe_{serial}"),
            "object": "response",
            "created_at": 0,
            "status": status,
            "model": body.get("model"),
            "output": output,
            "usage": usage,
            "error": null,
            "incomplete_details": null,
        })
    };
    let completed = response("completed", &output, &usage);
    if wants_stream(body) {
        let begun = response("in_progress", &json!([]), &Value::Null);
        let start = json!({ "type": "response.created", "response": begun });
        let pieces = (0..).zip(&items).flat_map(|(index, item): (u32, _)| item.pieces(index));
        let end = json!({ "type": "response.completed", "response": completed });
        stream([start].into_iter().chain(pieces).chain([end]))
    } else {
        Response::json(200, &completed)
    }
}

/// Returns the namespace in which the request offers a tool, if it is in one.
///
/// Codex keeps the tools of an MCP server and those for subagents in namespaces, and looks for a
/// called tool only in the one the call names.
fn namespace<'a>(body: &'a Value, name: &str) -> Option<&'a str> {
    let mut namespaces =
        list(body, "tools").iter().filter(|tool| word(tool, "type") == "namespace");
    let holder = namespaces
        .find(|namespace| list(namespace, "tools").iter().any(|tool| word(tool, "name") == name));
    holder.map(|namespace| word(namespace, "name"))
}

/// An output item of a reply: whole, as it opens in a stream, and what comes in between.
struct Item {
    whole: Value,
    opening: Value,
    between: Vec<Value>,
}

impl Item {
    fn message(id: &str, text: &str) -> Self {
        let message = |status: &str, content: Value| {
            json!({
                "type": "message",
                "id": id,
                "role": "assistant",
                "status": status,
                "content": content,
            })
        };
        let part = |text: &str| json!({ "type": "output_text", "text": text, "annotations": [] });
        let piece = |kind: &str, name: &str, value: Value| json!({ "type": kind, "item_id": id, "content_index": 0, name: value });
        Self {
            whole: message("completed", json!([part(text)])),
            opening: message("in_progress", json!([])),
            between: vec![
                piece("response.content_part.added", "part", part("")),
                piece("response.output_text.delta", "delta", json!(text)),
                piece("response.output_text.done", "text", json!(text)),
                piece("response.content_part.done", "part", part(text)),
            ],
        }
    }

    fn call(serial: &str, call: &Call, namespace: Option<&str>) -> Self {
        let (id, arguments) = (format!("fc_{serial}"), call.input.to_string());
        let item = |status: &str, arguments: &str| {
            let mut item = json!({
                "type": "function_call",
                "id": id,
                "call_id": format!("call_{serial}"),
                "name": call.name,
                "arguments": arguments,
                "status": status,
            });
            if let Some((item, namespace)) = item.as_object_mut().zip(namespace) {
                item.insert("namespace".to_owned(), json!(namespace));
            }
            item
        };
        let piece =
            |kind: &str, name: &str| json!({ "type": kind, "item_id": id, name: arguments });
        Self {
            whole: item("completed", &arguments),
            opening: item("in_progress", ""),
            between: vec![
                piece("response.function_call_arguments.delta", "delta"),
                piece("response.function_call_arguments.done", "arguments"),
            ],
        }
    }

    /// Returns the events by which a stream sends the item.
    fn pieces(&self, index: u32) -> Vec<Value> {
        let opened = json!({ "type": "response.output_item.added", "item": self.opening });
        let done = json!({ "type": "response.output_item.done", "item": self.whole });
        let mut pieces: Vec<_> =
            [opened].into_iter().chain(self.between.iter().cloned()).chain([done]).collect();
        for piece in pieces.iter_mut().filter_map(Value::as_object_mut) {
            piece.insert("output_index".to_owned(), json!(index));
        }
        pieces
    }
}

fn stream(events: impl Iterator<Item = Value>) -> Response {
    let numbered = (0_u32..).zip(events);
    let written = numbered.map(|(number, mut event)| {
        if let Some(event) = event.as_object_mut() {
            event.insert("sequence_number".to_owned(), json!(number));
        }
        format!("event: {}\ndata: {event}\n\n", word(&event, "type"))
    });
    Response::events(&written.collect::<String>())
}
