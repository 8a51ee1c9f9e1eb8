//! Gemini, as clients speak it to `POST /v1beta/models/<model>:<method>`.
//!
//! `generateContent` is answered with one JSON object and `streamGenerateContent` with events, the
//! form a client asks for with `alt=sse`.
//!
//! # What a request is for
//!
//! The rules below were found by watching Gemini CLI 0.61.0 and by reading which calls it can make:
//!
//! | request | what sets it apart | kind |
//! |---|---|---|
//! | compression, and looking over its summary | the last user message asks for a `<state_snapshot>` | summary |
//! | a turn, of the main agent or of a subagent | offers functions | conversation |
//! | choosing a model for the turn, unless one is given | wants a score of complexity, or a choice of a model | router |
//! | counting tokens | its own method | side |
//! | who speaks next, whether the agent runs in circles, web search | offers no functions | side |

mod reply;

use serde_json::{Value, json};

use super::body::{list, tokens, word};
use super::{Answer, SUMMARY, purpose};
use crate::http::Response;
use crate::{Kind, Text};

pub(super) use self::reply::failure;

const MODELS: &str = "/v1beta/models/";

/// What the client wants of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    Generate,
    Stream,
    Count,
}

/// The properties that only an answer about the choice of a model has.
const ROUTER_PROPERTIES: [&str; 2] = ["complexity_score", "model_choice"];

pub(super) fn owns(path: &str) -> bool {
    method(path).is_some()
}

pub(super) fn kind(path: &str, body: &Value) -> Kind {
    match method(path) {
        Some(Method::Generate | Method::Stream) => {}
        Some(Method::Count) | None => return Kind::Side,
    }
    if let Some(kind) = purpose::told_by(&texts(body)) {
        return kind;
    }
    if offers_functions(body) {
        Kind::Conversation
    } else if asks_for_choice_of_model(body) {
        Kind::Router
    } else {
        Kind::Side
    }
}

pub(super) fn texts(body: &Value) -> Vec<Text> {
    let mut texts = Vec::new();
    if let Some(system) = body.get("systemInstruction") {
        collect("system", system, &mut texts);
    }
    for content in list(body, "contents") {
        collect(word(content, "role"), content, &mut texts);
    }
    texts
}

pub(super) fn answer(path: &str, body: &Value, answer: &Answer) -> Response {
    let manner = match method(path) {
        Some(Method::Count) => {
            return Response::json(200, &json!({ "totalTokens": tokens(body) }));
        }
        Some(Method::Stream) => reply::Manner::Events,
        Some(Method::Generate) | None => reply::Manner::Whole,
    };
    let summary = format!("<state_snapshot>{SUMMARY}</state_snapshot>");
    let reply = answer.reply(kind(path, body), body, &summary, schema(body));
    reply::write(manner, &reply, &answer.serial)
}

fn method(path: &str) -> Option<Method> {
    let (_, method) = path.strip_prefix(MODELS)?.split_once(':')?;
    match method {
        "generateContent" => Some(Method::Generate),
        "streamGenerateContent" => Some(Method::Stream),
        "countTokens" => Some(Method::Count),
        _ => None,
    }
}

/// Returns whether the request offers functions that the client runs; a search is run by the server.
fn offers_functions(body: &Value) -> bool {
    list(body, "tools").iter().any(|tool| !list(tool, "functionDeclarations").is_empty())
}

fn asks_for_choice_of_model(body: &Value) -> bool {
    let properties = schema(body).and_then(|schema| schema.get("properties"));
    properties.is_some_and(|found| ROUTER_PROPERTIES.iter().any(|name| found.get(name).is_some()))
}

/// Returns the schema the answer has to fit.
fn schema(body: &Value) -> Option<&Value> {
    let config = body.get("generationConfig")?;
    config.get("responseJsonSchema").or_else(|| config.get("responseSchema"))
}

/// Adds the texts of a content: what is said, and what functions returned.
fn collect(role: &str, content: &Value, texts: &mut Vec<Text>) {
    let mut add = |text: &str| texts.push(Text { role: role.to_owned(), text: text.to_owned() });
    for part in list(content, "parts") {
        if part.get("thought").and_then(Value::as_bool).unwrap_or_default() {
            continue;
        }
        if let Some(text) = part.get("text").and_then(Value::as_str) {
            add(text);
        }
        let returned = part.pointer("/functionResponse/response").and_then(Value::as_object);
        returned.into_iter().flatten().filter_map(|(_, value)| value.as_str()).for_each(&mut add);
    }
}

#[cfg(test)]
mod tests;
