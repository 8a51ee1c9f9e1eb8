//! Writing a reply, as one JSON object or as a stream of chunks.

use serde_json::{Value, json};

use crate::Reply;
use crate::http::Response;
use crate::script::{Call, Content};
use crate::wire::body::wants_stream;
use crate::wire::{SCRIPTED_ERROR, openai_failure};

/// What ends a stream.
const DONE: &str = "data: [DONE]\n\n";

/// Writes a reply in the manner the request asks for.
pub(super) fn write(body: &Value, reply: &Reply, serial: &str) -> Response {
    let (text, calls, finish_reason) = match &reply.content {
        Content::Text(text) => (json!(text), Vec::new(), "stop"),
        Content::Tools(calls) => {
            let numbered = (0..).zip(calls);
            let calls = numbered.map(|(index, call)| tool_call(index, call, serial)).collect();
            (Value::Null, calls, "tool_calls")
        }
        Content::Error { status, kind } => return openai_failure(*status, kind, SCRIPTED_ERROR),
    };
    let mut message = json!({ "role": "assistant", "content": text });
    if let Some(message) = message.as_object_mut().filter(|_| !calls.is_empty()) {
        message.insert("tool_calls".to_owned(), calls.into());
    }
    let usage = json!({
        "prompt_tokens": reply.input_tokens,
        "completion_tokens": reply.output_tokens,
        "total_tokens": reply.input_tokens.saturating_add(reply.output_tokens),
    });
    let answer = |object: &str, choices: Value, usage: &Value| {
        json!({
            "id": format!("chatcmpl-probe-{serial}"),
            "object": object,
            "created": 0,
            "model": body.get("model"),
            "choices": choices,
            "usage": usage,
        })
    };
    if wants_stream(body) {
        let chunk = |delta: &Value, finish_reason: &Value| {
            let choice = json!({ "index": 0, "delta": delta, "finish_reason": finish_reason });
            answer("chat.completion.chunk", json!([choice]), &Value::Null)
        };
        let mut chunks =
            vec![chunk(&message, &Value::Null), chunk(&json!({}), &json!(finish_reason))];
        if wants_usage(body) {
            chunks.push(answer("chat.completion.chunk", json!([]), &usage));
        }
        let written = chunks.iter().map(|chunk| format!("data: {chunk}\n\n"));
        Response::events(&written.chain([DONE.to_owned()]).collect::<String>())
    } else {
        let choice = json!({ "index": 0, "message": message, "finish_reason": finish_reason });
        Response::json(200, &answer("chat.completion", json!([choice]), &usage))
    }
}

/// Returns whether a stream shall end with the tokens that were used.
fn wants_usage(body: &Value) -> bool {
    let wanted = body.pointer("/stream_options/include_usage");
    wanted.and_then(Value::as_bool).unwrap_or_default()
}

fn tool_call(index: u32, call: &Call, serial: &str) -> Value {
    json!({
        "index": index,
        "id": format!("call_probe_{serial}_{index}"),
        "type": "function",
        "function": { "name": call.name, "arguments": call.input.to_string() },
    })
}
