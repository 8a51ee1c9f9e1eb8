//! Anthropic Messages, as clients speak it to `POST /v1/messages`.
//!
//! # What a request is for
//!
//! A client sends more than the turns of its conversation.
//! The rules below were found by watching Claude Code 2.1.325, headless and in a terminal:
//!
//! | request | what sets it apart | kind |
//! |---|---|---|
//! | a turn, of the main agent or of a subagent | offers tools that the client runs, or thinks | conversation |
//! | compaction, by hand or automatic | the last user message holds the summariser's prompt | summary |
//! | counting tokens (`/context`) | its own address | side |
//! | quota, key and model checks | `max_tokens` is 1 | side |
//! | naming the session, a hook of type `prompt` | no tools, thinking absent or disabled | side |
//! | `WebFetch` digesting a page | no tools, thinking absent or disabled | side |
//! | `WebSearch` | only a tool that the server runs, thinking absent or disabled | side |
//!
//! The model does not set them apart: the client uses the same one for all of them.
//! A conversation that has neither tools nor thinking (`--tools ""` with thinking switched off) has
//! the shape of a side request and is taken for one; leave the client one tool or its thinking.

mod reply;

use serde_json::{Value, json};

use super::body::{list, tokens, word};
use super::{Answer, NOT_JSON, purpose};
use crate::http::Response;
use crate::{Kind, Text};

use super::SUMMARY;

const MESSAGES: &str = "/v1/messages";
const COUNT_TOKENS: &str = "/v1/messages/count_tokens";

pub(super) fn owns(path: &str) -> bool {
    matches!(path, MESSAGES | COUNT_TOKENS)
}

pub(super) fn kind(path: &str, body: &Value) -> Kind {
    if path != MESSAGES || is_check(body) {
        return Kind::Side;
    }
    let speaks = offers_own_tools(body) || thinks(body);
    let turn = if speaks { Kind::Conversation } else { Kind::Side };
    purpose::told_by(&texts(body)).unwrap_or(turn)
}

pub(super) fn texts(body: &Value) -> Vec<Text> {
    let mut texts = Vec::new();
    if let Some(system) = body.get("system") {
        collect("system", system, &mut texts);
    }
    for message in list(body, "messages") {
        if let Some(content) = message.get("content") {
            collect(word(message, "role"), content, &mut texts);
        }
    }
    texts
}

pub(super) fn answer(path: &str, body: &Value, answer: &Answer) -> Response {
    if path == COUNT_TOKENS {
        return Response::json(200, &json!({ "input_tokens": tokens(body) }));
    }
    let summary = format!("<analysis>scripted</analysis>\n<summary>{SUMMARY}</summary>");
    let schema = body.pointer("/output_config/format/schema");
    let reply = answer.reply(kind(path, body), body, &summary, schema);
    reply::write(body, &reply, &answer.serial)
}

pub(super) fn refuse() -> Response {
    reply::failure(400, "invalid_request_error", NOT_JSON)
}

fn is_check(body: &Value) -> bool {
    body.get("max_tokens").and_then(Value::as_u64) == Some(1)
}

/// Returns whether the request offers a tool that the client runs itself.
///
/// The tools that the server runs have a type of their own, such as `web_search_20250305`.
fn offers_own_tools(body: &Value) -> bool {
    list(body, "tools").iter().any(|tool| match tool.get("type").and_then(Value::as_str) {
        Some(kind) => kind == "custom",
        None => true,
    })
}

fn thinks(body: &Value) -> bool {
    let thinking = body.get("thinking").and_then(|thinking| thinking.get("type"));
    thinking.and_then(Value::as_str).is_some_and(|kind| kind != "disabled")
}

/// Adds the texts of a content, which is a string or a list of blocks.
fn collect(role: &str, content: &Value, texts: &mut Vec<Text>) {
    if let Some(text) = content.as_str() {
        texts.push(Text { role: role.to_owned(), text: text.to_owned() });
    }
    for block in content.as_array().map_or(&[][..], Vec::as_slice) {
        match block.get("type").and_then(Value::as_str) {
            Some("text") => {
                if let Some(text) = block.get("text") {
                    collect(role, text, texts);
                }
            }
            Some("tool_result") => {
                if let Some(result) = block.get("content") {
                    collect(role, result, texts);
                }
            }
            Some(_) | None => {}
        }
    }
}

#[cfg(test)]
mod tests;
