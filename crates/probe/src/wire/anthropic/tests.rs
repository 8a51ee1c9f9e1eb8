use serde_json::{Value, json};

use super::*;

/// The summariser's prompt of Claude Code 2.1.325, cut to its beginning and end.
const SUMMARISER_PROMPT: &str = "CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.\n\n\
    - Your entire response must be plain text: an <analysis> block followed by a <summary> block.\n\n\
    Your task is to create a detailed summary of the conversation so far, paying close attention to \
    the user's explicit requests and your previous actions.\n\n\
    REMINDER: Do NOT call any tools. Respond with plain text only.";

/// A sentence of it, as somebody might mention it.
const QUOTATION: &str = "What does `Your task is to create a detailed summary of` mean?";

fn turn(messages: &Value) -> Value {
    json!({
        "model": "claude-opus-5-5",
        "max_tokens": 128_000,
        "stream": true,
        "system": [{ "type": "text", "text": "You are an agent." }],
        "thinking": { "type": "adaptive" },
        "tools": [{ "name": "Bash", "input_schema": {} }],
        "messages": messages,
    })
}

fn with(mut body: Value, name: &str, value: Value) -> Value {
    body[name] = value;
    body
}

fn user(text: &str) -> Value {
    json!([{ "role": "user", "content": [{ "type": "text", "text": text }] }])
}

#[test]
fn what_each_request_is_for() {
    let hello = || turn(&user("hello"));
    let no_thinking = json!({ "type": "disabled" });
    let bare = || with(with(hello(), "tools", json!([])), "thinking", no_thinking.clone());
    let search = json!([{ "type": "web_search_20250305", "name": "web_search", "max_uses": 8 }]);
    let title = json!({ "format": { "type": "json_schema", "schema": {} } });
    let compaction_with_result = json!([{ "role": "user", "content": [
        { "type": "tool_result", "tool_use_id": "toolu_1", "content": "1" },
        { "type": "text", "text": SUMMARISER_PROMPT },
    ]}]);
    let compacted = json!([
        { "role": "user", "content": SUMMARISER_PROMPT },
        { "role": "assistant", "content": "<summary>all of it</summary>" },
        { "role": "user", "content": "go on" },
        { "role": "system", "content": "# Environment" },
    ]);
    let table = [
        ("a turn", MESSAGES, hello(), Kind::Conversation),
        (
            "no thinking",
            MESSAGES,
            with(hello(), "thinking", no_thinking.clone()),
            Kind::Conversation,
        ),
        ("no tools", MESSAGES, with(hello(), "tools", json!([])), Kind::Conversation),
        ("compaction by hand", MESSAGES, turn(&user(SUMMARISER_PROMPT)), Kind::Summary),
        ("automatic compaction", MESSAGES, turn(&compaction_with_result), Kind::Summary),
        ("after compaction", MESSAGES, turn(&compacted), Kind::Conversation),
        ("a quotation", MESSAGES, turn(&user(QUOTATION)), Kind::Conversation),
        ("counting", COUNT_TOKENS, hello(), Kind::Side),
        ("quota", MESSAGES, with(hello(), "max_tokens", json!(1)), Kind::Side),
        ("title", MESSAGES, with(bare(), "output_config", title), Kind::Side),
        ("web page", MESSAGES, bare(), Kind::Side),
        ("web search", MESSAGES, with(bare(), "tools", search), Kind::Side),
        ("nothing", MESSAGES, json!({}), Kind::Side),
        ("not an object", MESSAGES, json!("hello"), Kind::Side),
    ];
    for (name, path, body, expected) in table {
        assert_eq!(kind(path, &body), expected, "{name}");
    }
}

#[test]
fn the_texts_of_all_roles_are_found_in_order() {
    let body = json!({
        "system": "one",
        "messages": [
            { "role": "user", "content": "two" },
            { "role": "system", "content": [{ "type": "text", "text": "three" }] },
            { "role": "assistant", "content": [
                { "type": "thinking", "thinking": "not a text" },
                { "type": "text", "text": "four" },
                { "type": "tool_use", "id": "t", "name": "Bash", "input": { "command": "not a text" } },
            ]},
            { "role": "user", "content": [
                { "type": "tool_result", "content": "five" },
                { "type": "tool_result", "content": [{ "type": "text", "text": "six" }] },
            ]},
        ],
    });
    let found: Vec<_> = texts(&body).into_iter().map(|text| (text.role, text.text)).collect();
    let expected = [
        ("system", "one"),
        ("user", "two"),
        ("system", "three"),
        ("assistant", "four"),
        ("user", "five"),
        ("user", "six"),
    ];
    assert_eq!(found, expected.map(|(role, text)| (role.to_owned(), text.to_owned())));
}
