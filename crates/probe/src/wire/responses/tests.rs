use serde_json::{Value, json};

use super::*;
use crate::Reply;
use crate::wire::tests::{show, two_calls};

fn body(stream: &Value) -> Value {
    json!({
        "model": "any",
        "stream": stream,
        "tools": [
            { "type": "function", "name": "look" },
            {
                "type": "namespace",
                "name": "files",
                "tools": [{ "type": "function", "name": "write" }],
            },
        ],
    })
}

#[test]
fn a_text_as_events() {
    let reply = Reply::text("good day").usage(7, 3);
    insta::assert_snapshot!(show(RESPONSES, &body(&json!(true)), reply), @r#"
    200
    event: response.created
    data: {"response":{"created_at":0,"error":null,"id":"resp_probe_1","incomplete_details":null,"model":"any","object":"response","output":[],"status":"in_progress","usage":null},"sequence_number":0,"type":"response.created"}

    event: response.output_item.added
    data: {"item":{"content":[],"id":"msg_probe_1","role":"assistant","status":"in_progress","type":"message"},"output_index":0,"sequence_number":1,"type":"response.output_item.added"}

    event: response.content_part.added
    data: {"content_index":0,"item_id":"msg_probe_1","output_index":0,"part":{"annotations":[],"text":"","type":"output_text"},"sequence_number":2,"type":"response.content_part.added"}

    event: response.output_text.delta
    data: {"content_index":0,"delta":"good day","item_id":"msg_probe_1","output_index":0,"sequence_number":3,"type":"response.output_text.delta"}

    event: response.output_text.done
    data: {"content_index":0,"item_id":"msg_probe_1","output_index":0,"sequence_number":4,"text":"good day","type":"response.output_text.done"}

    event: response.content_part.done
    data: {"content_index":0,"item_id":"msg_probe_1","output_index":0,"part":{"annotations":[],"text":"good day","type":"output_text"},"sequence_number":5,"type":"response.content_part.done"}

    event: response.output_item.done
    data: {"item":{"content":[{"annotations":[],"text":"good day","type":"output_text"}],"id":"msg_probe_1","role":"assistant","status":"completed","type":"message"},"output_index":0,"sequence_number":6,"type":"response.output_item.done"}

    event: response.completed
    data: {"response":{"created_at":0,"error":null,"id":"resp_probe_1","incomplete_details":null,"model":"any","object":"response","output":[{"content":[{"annotations":[],"text":"good day","type":"output_text"}],"id":"msg_probe_1","role":"assistant","status":"completed","type":"message"}],"status":"completed","usage":{"input_tokens":7,"input_tokens_details":{"cached_tokens":0},"output_tokens":3,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":10}},"sequence_number":7,"type":"response.completed"}
    "#);
}

#[test]
fn calls_name_the_namespace_of_their_tool() {
    insta::assert_snapshot!(show(RESPONSES, &body(&json!(true)), two_calls()), @r#"
    200
    event: response.created
    data: {"response":{"created_at":0,"error":null,"id":"resp_probe_1","incomplete_details":null,"model":"any","object":"response","output":[],"status":"in_progress","usage":null},"sequence_number":0,"type":"response.created"}

    event: response.output_item.added
    data: {"item":{"arguments":"","call_id":"call_probe_1_1","id":"fc_probe_1_1","name":"look","status":"in_progress","type":"function_call"},"output_index":0,"sequence_number":1,"type":"response.output_item.added"}

    event: response.function_call_arguments.delta
    data: {"delta":"{\"at\":\"a\"}","item_id":"fc_probe_1_1","output_index":0,"sequence_number":2,"type":"response.function_call_arguments.delta"}

    event: response.function_call_arguments.done
    data: {"arguments":"{\"at\":\"a\"}","item_id":"fc_probe_1_1","output_index":0,"sequence_number":3,"type":"response.function_call_arguments.done"}

    event: response.output_item.done
    data: {"item":{"arguments":"{\"at\":\"a\"}","call_id":"call_probe_1_1","id":"fc_probe_1_1","name":"look","status":"completed","type":"function_call"},"output_index":0,"sequence_number":4,"type":"response.output_item.done"}

    event: response.output_item.added
    data: {"item":{"arguments":"","call_id":"call_probe_1_2","id":"fc_probe_1_2","name":"write","namespace":"files","status":"in_progress","type":"function_call"},"output_index":1,"sequence_number":5,"type":"response.output_item.added"}

    event: response.function_call_arguments.delta
    data: {"delta":"{\"to\":\"b\"}","item_id":"fc_probe_1_2","output_index":1,"sequence_number":6,"type":"response.function_call_arguments.delta"}

    event: response.function_call_arguments.done
    data: {"arguments":"{\"to\":\"b\"}","item_id":"fc_probe_1_2","output_index":1,"sequence_number":7,"type":"response.function_call_arguments.done"}

    event: response.output_item.done
    data: {"item":{"arguments":"{\"to\":\"b\"}","call_id":"call_probe_1_2","id":"fc_probe_1_2","name":"write","namespace":"files","status":"completed","type":"function_call"},"output_index":1,"sequence_number":8,"type":"response.output_item.done"}

    event: response.completed
    data: {"response":{"created_at":0,"error":null,"id":"resp_probe_1","incomplete_details":null,"model":"any","object":"response","output":[{"arguments":"{\"at\":\"a\"}","call_id":"call_probe_1_1","id":"fc_probe_1_1","name":"look","status":"completed","type":"function_call"},{"arguments":"{\"to\":\"b\"}","call_id":"call_probe_1_2","id":"fc_probe_1_2","name":"write","namespace":"files","status":"completed","type":"function_call"}],"status":"completed","usage":{"input_tokens":7,"input_tokens_details":{"cached_tokens":0},"output_tokens":3,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":10}},"sequence_number":9,"type":"response.completed"}
    "#);
    insta::assert_snapshot!(show(RESPONSES, &body(&json!(false)), two_calls()), @r#"
    200
    {"created_at":0,"error":null,"id":"resp_probe_1","incomplete_details":null,"model":"any","object":"response","output":[{"arguments":"{\"at\":\"a\"}","call_id":"call_probe_1_1","id":"fc_probe_1_1","name":"look","status":"completed","type":"function_call"},{"arguments":"{\"to\":\"b\"}","call_id":"call_probe_1_2","id":"fc_probe_1_2","name":"write","namespace":"files","status":"completed","type":"function_call"}],"status":"completed","usage":{"input_tokens":7,"input_tokens_details":{"cached_tokens":0},"output_tokens":3,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":10}}
    "#);
}

#[test]
fn an_error() {
    let reply = Reply::error(429, "rate_limit_exceeded");
    insta::assert_snapshot!(show(RESPONSES, &body(&json!(true)), reply), @r#"
    429
    {"error":{"code":"rate_limit_exceeded","message":"a scripted error","param":null,"type":"rate_limit_exceeded"}}
    "#);
}

#[test]
fn the_texts_of_all_roles_are_found_in_order() {
    let body = json!({
        "instructions": "one",
        "input": [
            { "role": "developer", "content": "two" },
            { "type": "message", "role": "user", "content": [
                { "type": "input_text", "text": "three" },
                { "type": "input_image", "image_url": "not a text" },
            ]},
            { "type": "reasoning", "summary": [{ "type": "summary_text", "text": "not told" }],
              "content": [{ "type": "reasoning_text", "text": "not told" }] },
            { "type": "function_call", "name": "look", "arguments": "not a text" },
            { "type": "function_call_output", "output": "four" },
            { "type": "custom_tool_call_output", "output": [{ "type": "input_text", "text": "five" }] },
        ],
    });
    let found: Vec<_> = texts(&body).into_iter().map(|text| (text.role, text.text)).collect();
    let expected = [
        ("system", "one"),
        ("developer", "two"),
        ("user", "three"),
        ("tool", "four"),
        ("tool", "five"),
    ];
    assert_eq!(found, expected.map(|(role, text)| (role.to_owned(), text.to_owned())));
    let alone = texts(&json!({ "input": "hello" }));
    assert_eq!(alone, [Text { role: "user".to_owned(), text: "hello".to_owned() }]);
}
