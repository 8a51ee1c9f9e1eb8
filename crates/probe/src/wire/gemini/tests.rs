use serde_json::json;

use super::*;
use crate::Reply;
use crate::wire::tests::{show, two_calls};

const GENERATE: &str = "/v1beta/models/any:generateContent";
const STREAM: &str = "/v1beta/models/any:streamGenerateContent";

#[test]
fn a_text_as_an_event() {
    let reply = Reply::text("good day").usage(7, 3);
    insta::assert_snapshot!(show(STREAM, &json!({}), reply), @r#"
    200
    data: {"candidates":[{"content":{"parts":[{"text":"good day"}],"role":"model"},"finishReason":"STOP","index":0}],"modelVersion":"scripted","responseId":"probe_1","usageMetadata":{"candidatesTokenCount":3,"promptTokenCount":7,"totalTokenCount":10}}
    "#);
}

#[test]
fn calls_of_functions() {
    insta::assert_snapshot!(show(GENERATE, &json!({}), two_calls()), @r#"
    200
    {"candidates":[{"content":{"parts":[{"functionCall":{"args":{"at":"a"},"name":"look"}},{"functionCall":{"args":{"to":"b"},"name":"write"}}],"role":"model"},"finishReason":"STOP","index":0}],"modelVersion":"scripted","responseId":"probe_1","usageMetadata":{"candidatesTokenCount":3,"promptTokenCount":7,"totalTokenCount":10}}
    "#);
}

#[test]
fn an_error() {
    let reply = Reply::error(429, "RESOURCE_EXHAUSTED");
    insta::assert_snapshot!(show(STREAM, &json!({}), reply), @r#"
    429
    {"error":{"code":429,"message":"a scripted error","status":"RESOURCE_EXHAUSTED"}}
    "#);
}

#[test]
fn what_each_request_is_for() {
    let said = json!([{ "role": "user", "parts": [{ "text": "hello" }] }]);
    let with = |name: &str, value: Value| json!({ "contents": said, name: value });
    let functions = || with("tools", json!([{ "functionDeclarations": [{ "name": "look" }] }]));
    let wanting = |property: &str| {
        let schema = json!({ "type": "object", "properties": { property: { "type": "string" } } });
        with("generationConfig", json!({ "responseSchema": schema }))
    };
    let table = [
        ("a turn", STREAM, functions(), Kind::Conversation),
        ("a turn at once", GENERATE, functions(), Kind::Conversation),
        ("counting", "/v1beta/models/any:countTokens", functions(), Kind::Side),
        ("a choice", GENERATE, wanting("model_choice"), Kind::Router),
        ("who is next", GENERATE, wanting("next_speaker"), Kind::Side),
        ("web search", GENERATE, with("tools", json!([{ "googleSearch": {} }])), Kind::Side),
    ];
    for (name, path, body, expected) in table {
        assert_eq!(kind(path, &body), expected, "{name}");
    }
}

#[test]
fn the_texts_of_all_roles_are_found_in_order() {
    let body = json!({
        "systemInstruction": { "role": "user", "parts": [{ "text": "one" }] },
        "contents": [
            { "role": "user", "parts": [{ "text": "two" }, { "inlineData": { "data": "no" } }] },
            { "role": "model", "parts": [
                { "text": "not told", "thought": true },
                { "functionCall": { "name": "look", "args": { "at": "not a text" } } },
            ]},
            { "role": "user", "parts": [
                { "functionResponse": { "name": "look", "response": { "output": "three" } } },
            ]},
        ],
    });
    let found: Vec<_> = texts(&body).into_iter().map(|text| (text.role, text.text)).collect();
    let expected = [("system", "one"), ("user", "two"), ("user", "three")];
    assert_eq!(found, expected.map(|(role, text)| (role.to_owned(), text.to_owned())));
}
