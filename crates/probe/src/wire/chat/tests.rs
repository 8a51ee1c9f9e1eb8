use serde_json::{Value, json};

use super::*;
use crate::Reply;
use crate::wire::tests::{show, two_calls};

fn streamed() -> Value {
    json!({ "model": "any", "stream": true, "stream_options": { "include_usage": true } })
}

#[test]
fn a_text_as_chunks() {
    let reply = || Reply::text("good day").usage(7, 3);
    insta::assert_snapshot!(show(COMPLETIONS, &streamed(), reply()), @r#"
    200
    data: {"choices":[{"delta":{"content":"good day","role":"assistant"},"finish_reason":null,"index":0}],"created":0,"id":"chatcmpl-probe-1","model":"any","object":"chat.completion.chunk","usage":null}

    data: {"choices":[{"delta":{},"finish_reason":"stop","index":0}],"created":0,"id":"chatcmpl-probe-1","model":"any","object":"chat.completion.chunk","usage":null}

    data: {"choices":[],"created":0,"id":"chatcmpl-probe-1","model":"any","object":"chat.completion.chunk","usage":{"completion_tokens":3,"prompt_tokens":7,"total_tokens":10}}

    data: [DONE]
    "#);
    let without_usage = json!({ "model": "any", "stream": true });
    insta::assert_snapshot!(show(COMPLETIONS, &without_usage, reply()), @r#"
    200
    data: {"choices":[{"delta":{"content":"good day","role":"assistant"},"finish_reason":null,"index":0}],"created":0,"id":"chatcmpl-probe-1","model":"any","object":"chat.completion.chunk","usage":null}

    data: {"choices":[{"delta":{},"finish_reason":"stop","index":0}],"created":0,"id":"chatcmpl-probe-1","model":"any","object":"chat.completion.chunk","usage":null}

    data: [DONE]
    "#);
}

#[test]
fn calls_of_tools() {
    insta::assert_snapshot!(show(COMPLETIONS, &streamed(), two_calls()), @r#"
    200
    data: {"choices":[{"delta":{"content":null,"role":"assistant","tool_calls":[{"function":{"arguments":"{\"at\":\"a\"}","name":"look"},"id":"call_probe_1_0","index":0,"type":"function"},{"function":{"arguments":"{\"to\":\"b\"}","name":"write"},"id":"call_probe_1_1","index":1,"type":"function"}]},"finish_reason":null,"index":0}],"created":0,"id":"chatcmpl-probe-1","model":"any","object":"chat.completion.chunk","usage":null}

    data: {"choices":[{"delta":{},"finish_reason":"tool_calls","index":0}],"created":0,"id":"chatcmpl-probe-1","model":"any","object":"chat.completion.chunk","usage":null}

    data: {"choices":[],"created":0,"id":"chatcmpl-probe-1","model":"any","object":"chat.completion.chunk","usage":{"completion_tokens":3,"prompt_tokens":7,"total_tokens":10}}

    data: [DONE]
    "#);
    insta::assert_snapshot!(show(COMPLETIONS, &json!({ "model": "any" }), two_calls()), @r#"
    200
    {"choices":[{"finish_reason":"tool_calls","index":0,"message":{"content":null,"role":"assistant","tool_calls":[{"function":{"arguments":"{\"at\":\"a\"}","name":"look"},"id":"call_probe_1_0","index":0,"type":"function"},{"function":{"arguments":"{\"to\":\"b\"}","name":"write"},"id":"call_probe_1_1","index":1,"type":"function"}]}}],"created":0,"id":"chatcmpl-probe-1","model":"any","object":"chat.completion","usage":{"completion_tokens":3,"prompt_tokens":7,"total_tokens":10}}
    "#);
}

#[test]
fn an_error() {
    let reply = Reply::error(429, "rate_limit_exceeded");
    insta::assert_snapshot!(show(COMPLETIONS, &streamed(), reply), @r#"
    429
    {"error":{"code":"rate_limit_exceeded","message":"a scripted error","param":null,"type":"rate_limit_exceeded"}}
    "#);
}

#[test]
fn the_texts_of_all_roles_are_found_in_order() {
    let body = json!({ "messages": [
        { "role": "system", "content": "one" },
        { "role": "user", "content": [
            { "type": "text", "text": "two" },
            { "type": "image_url", "image_url": { "url": "not a text" } },
            { "type": "text", "text": "three" },
        ]},
        { "role": "assistant", "content": null, "reasoning_content": "not told",
          "tool_calls": [{ "function": { "name": "look", "arguments": "not a text" } }] },
        { "role": "tool", "content": "four" },
    ]});
    let found: Vec<_> = texts(&body).into_iter().map(|text| (text.role, text.text)).collect();
    let expected = [("system", "one"), ("user", "two"), ("user", "three"), ("tool", "four")];
    assert_eq!(found, expected.map(|(role, text)| (role.to_owned(), text.to_owned())));
}
