//! Responses, as clients speak it to `POST /v1/responses`.
//!
//! # What a request is for
//!
//! The rules below were found by watching Codex 0.166.0 with a provider of its own configuration:
//!
//! | request | what sets it apart | kind |
//! |---|---|---|
//! | compaction | the client's account of the turn says `compaction` | summary |
//! | a turn, of the main agent or of a subagent | offers tools | conversation |
//! | anything else | offers no tools | side |
//!
//! The account goes with every request, as JSON in a string, so a prompt for summaries that the user
//! has changed is recognised too; a client without it is judged by its prompt.

mod reply;

use serde_json::Value;

use super::body::{list, word};
use super::{Answer, SUMMARY, purpose};
use crate::http::Response;
use crate::{Kind, Text};

const RESPONSES: &str = "/v1/responses";

pub(super) fn owns(path: &str) -> bool {
    path == RESPONSES
}

pub(super) fn kind(body: &Value) -> Kind {
    if is_compaction(body) {
        return Kind::Summary;
    }
    let turn = if list(body, "tools").is_empty() { Kind::Side } else { Kind::Conversation };
    purpose::told_by(&texts(body)).unwrap_or(turn)
}

pub(super) fn texts(body: &Value) -> Vec<Text> {
    let mut texts = Vec::new();
    if let Some(instructions) = body.get("instructions") {
        collect("system", instructions, &mut texts);
    }
    if let Some(prompt) = body.get("input").filter(|input| input.is_string()) {
        collect("user", prompt, &mut texts);
    }
    for item in list(body, "input") {
        if let Some(content) = item.get("content") {
            collect(word(item, "role"), content, &mut texts);
        }
        if let Some(result) = item.get("output") {
            collect("tool", result, &mut texts);
        }
    }
    texts
}

pub(super) fn answer(body: &Value, answer: &Answer) -> Response {
    let schema = body.pointer("/text/format/schema");
    let reply = answer.reply(kind(body), body, SUMMARY, schema);
    reply::write(body, &reply, &answer.serial)
}

/// Returns whether the client says itself that it compacts.
fn is_compaction(body: &Value) -> bool {
    let account = body.pointer("/client_metadata/x-codex-turn-metadata").and_then(Value::as_str);
    let account = account.and_then(|account| serde_json::from_str::<Value>(account).ok());
    account.is_some_and(|account| word(&account, "request_kind") == "compaction")
}

/// Adds the texts of a content, which is a string or a list of parts.
fn collect(role: &str, content: &Value, texts: &mut Vec<Text>) {
    let mut add = |text: &str| texts.push(Text { role: role.to_owned(), text: text.to_owned() });
    if let Some(text) = content.as_str() {
        add(text);
    }
    let parts = content.as_array().map_or(&[][..], Vec::as_slice).iter();
    // A model's reasoning is not among what it is told.
    let told = parts.filter(|part| word(part, "type") != "reasoning_text");
    told.filter_map(|part| part.get("text")?.as_str()).for_each(add);
}

#[cfg(test)]
mod tests;
