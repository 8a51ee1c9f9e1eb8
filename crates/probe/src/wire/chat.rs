//! Chat completions, as clients speak it to `POST /v1/chat/completions`.
//!
//! # What a request is for
//!
//! The rules below were found by watching Copilot CLI 1.0.102, OpenCode 1.18.33 and Qwen Code
//! 0.15.10:
//!
//! | request | what sets it apart | kind |
//! |---|---|---|
//! | compaction | the summariser's prompt: OpenCode's as system, the others' as the last user message | summary |
//! | naming the session (OpenCode) | the title generator's prompt as system | title |
//! | a turn, of the main agent or of a subagent | offers tools | conversation |
//! | anything else | offers no tools | side |
//!
//! Copilot CLI offers its tools with the request for a summary too, so the prompt is looked at first.

mod reply;

use serde_json::Value;

use super::body::{list, word};
use super::{Answer, SUMMARY, purpose};
use crate::http::Response;
use crate::{Kind, Text};

const COMPLETIONS: &str = "/v1/chat/completions";

pub(super) fn owns(path: &str) -> bool {
    path == COMPLETIONS
}

pub(super) fn kind(body: &Value) -> Kind {
    let turn = if list(body, "tools").is_empty() { Kind::Side } else { Kind::Conversation };
    purpose::told_by(&texts(body)).unwrap_or(turn)
}

pub(super) fn texts(body: &Value) -> Vec<Text> {
    let mut texts = Vec::new();
    for message in list(body, "messages") {
        let mut add = |text: &str| {
            texts.push(Text { role: word(message, "role").to_owned(), text: text.to_owned() });
        };
        if let Some(text) = message.get("content").and_then(Value::as_str) {
            add(text);
        }
        let parts = list(message, "content").iter();
        parts.filter_map(|part| part.get("text")?.as_str()).for_each(add);
    }
    texts
}

pub(super) fn answer(body: &Value, answer: &Answer) -> Response {
    let schema = body.pointer("/response_format/json_schema/schema");
    let reply = answer.reply(kind(body), body, SUMMARY, schema);
    reply::write(body, &reply, &answer.serial)
}

#[cfg(test)]
mod tests;
