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

use super::Answer;
use crate::http::Response;
use crate::{Kind, Reply, Text};

/// The summary a client gets when it compacts its conversation.
pub const SUMMARY: &str = "the scripted summary of the conversation";

/// What is said to side requests.
pub const ASIDE: &str = "a scripted aside";

const MESSAGES: &str = "/v1/messages";
const COUNT_TOKENS: &str = "/v1/messages/count_tokens";

/// The sentence all three summariser prompts of the client begin with.
const SUMMARISER: &str = "Your task is to create a detailed summary of";

/// The tag the summariser asks for; its sentence alone might be quoted in a conversation.
const SUMMARY_TAG: &str = "<summary>";

/// How many bytes of a request are counted as one token.
const BYTES_PER_TOKEN: usize = 4;

pub(crate) fn owns(path: &str) -> bool {
    matches!(path, MESSAGES | COUNT_TOKENS)
}

pub(crate) fn kind(path: &str, body: &Value) -> Kind {
    if path != MESSAGES || is_check(body) {
        return Kind::Side;
    }
    if asks_for_summary(body) {
        return Kind::Summary;
    }
    if offers_own_tools(body) || thinks(body) { Kind::Conversation } else { Kind::Side }
}

pub(crate) fn texts(body: &Value) -> Vec<Text> {
    let mut texts = Vec::new();
    if let Some(system) = body.get("system") {
        collect("system", system, &mut texts);
    }
    for message in messages(body) {
        if let Some(content) = message.get("content") {
            collect(role(message), content, &mut texts);
        }
    }
    texts
}

pub(crate) fn answer(path: &str, body: &Value, answer: &Answer) -> Response {
    if path == COUNT_TOKENS {
        let tokens = body.to_string().len() / BYTES_PER_TOKEN;
        return Response::json(200, &json!({ "input_tokens": tokens }));
    }
    let beside = match kind(path, body) {
        Kind::Summary => format!("<analysis>scripted</analysis>\n<summary>{SUMMARY}</summary>"),
        Kind::Conversation | Kind::Side => ASIDE.to_owned(),
    };
    let reply = answer.scripted.clone().unwrap_or_else(|| Reply::text(beside));
    reply::write(body, &reply, &answer.serial)
}

pub(crate) fn refuse() -> Response {
    reply::failure(400, "invalid_request_error", "the body is not JSON")
}

fn messages(body: &Value) -> &[Value] {
    body.get("messages").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn role(message: &Value) -> &str {
    message.get("role").and_then(Value::as_str).unwrap_or_default()
}

fn is_check(body: &Value) -> bool {
    body.get("max_tokens").and_then(Value::as_u64) == Some(1)
}

fn asks_for_summary(body: &Value) -> bool {
    let last = messages(body).iter().rfind(|message| role(message) == "user");
    let mut texts = Vec::new();
    if let Some(content) = last.and_then(|message| message.get("content")) {
        collect("user", content, &mut texts);
    }
    texts.iter().any(|text| text.text.contains(SUMMARISER) && text.text.contains(SUMMARY_TAG))
}

/// Returns whether the request offers a tool that the client runs itself.
///
/// The tools that the server runs have a type of their own, such as `web_search_20250305`.
fn offers_own_tools(body: &Value) -> bool {
    let tools = body.get("tools").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    tools.iter().any(|tool| match tool.get("type").and_then(Value::as_str) {
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
