use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::Verdict;

const PAYLOAD: &str = include_str!("../fixtures/0.61.0/BeforeModel.subagent.json");

fn context() -> Reply {
    Reply::context("# pacenote: shop\n| \"two\" <lines>, é".to_owned())
}

fn verdict(verdict: Verdict) -> Reply {
    Reply { verdict: Some(verdict), ..Reply::nothing() }
}

fn table(reply: &Reply) -> String {
    let words = HOOKS.iter().map(|hook| hook.word).chain(["pre-compress", ""]);
    let rows = words.map(|word| format!("{word}: {}", encode(word, reply, PAYLOAD.as_bytes())));
    rows.collect::<Vec<_>>().join("\n")
}

#[test]
fn nothing_is_an_empty_object() {
    let input = json!({ "command": "cargo test" }).as_object().cloned();
    for reply in [Reply::nothing(), Reply { input, ..Reply::nothing() }] {
        for word in HOOKS.iter().map(|hook| hook.word).chain(["pre-compress", ""]) {
            assert_eq!(encode(word, &reply, PAYLOAD.as_bytes()), "{}");
        }
    }
}

#[test]
fn context_reaches_the_model_where_the_client_reads_it() {
    insta::assert_snapshot!(table(&context()), @r##"
    session-start: {}
    before-agent: {"hookSpecificOutput":{"hookEventName":"BeforeAgent","additionalContext":"# pacenote: shop\n| \"two\" <lines>, é"}}
    before-tool: {}
    after-tool: {"hookSpecificOutput":{"hookEventName":"AfterTool","additionalContext":"# pacenote: shop\n| \"two\" <lines>, é"}}
    before-model: {"hookSpecificOutput":{"hookEventName":"BeforeModel","llm_request":{"messages":[{"role":"user","content":"Find where the login form is drawn.\nName the file only.\n\n<hook_context># pacenote: shop\n| \"two\" <lines>, é</hook_context>"}]}}}
    after-agent: {}
    session-end: {}
    pre-compress: {}
    : {}
    "##);
}

#[test]
fn a_notice_is_for_the_person() {
    let notice = Reply { notice: Some("2 tasks".to_owned()), ..Reply::nothing() };
    insta::assert_snapshot!(encode("before-agent", &notice, b""), @r#"{"systemMessage":"2 tasks"}"#);
}

#[test]
fn verdicts() {
    insta::assert_snapshot!(table(&verdict(Verdict::Deny { reason: "no task is claimed".to_owned() })), @r#"
    session-start: {}
    before-agent: {}
    before-tool: {"decision":"deny","reason":"no task is claimed"}
    after-tool: {}
    before-model: {}
    after-agent: {}
    session-end: {}
    pre-compress: {}
    : {}
    "#);
    insta::assert_snapshot!(table(&verdict(Verdict::GoOn { reason: "a task is open".to_owned() })), @r#"
    session-start: {}
    before-agent: {}
    before-tool: {}
    after-tool: {}
    before-model: {}
    after-agent: {"decision":"deny","reason":"a task is open"}
    session-end: {}
    pre-compress: {}
    : {}
    "#);
}

#[test]
fn a_request_that_cannot_be_added_to_stays_as_it_is() {
    for payload in [
        "",
        "{",
        "{}",
        r#"{"llm_request":{"messages":[]}}"#,
        r#"{"llm_request":{"messages":[{"role":"model","content":"yes"}]}}"#,
        r#"{"llm_request":{"messages":[{"role":"user","content":7}]}}"#,
    ] {
        assert_eq!(encode("before-model", &context(), payload.as_bytes()), "{}", "{payload}");
    }
    assert_eq!(encode("before-model", &context(), b"\xff"), "{}");
}

proptest! {
    /// One line of JSON, from which the client gets every text back unchanged.
    #[test]
    fn any_text_arrives_unchanged([text, reason, first] in any::<[String; 3]>()) {
        prop_assume!(!reason.trim().is_empty());
        let reply = Reply {
            verdict: Some(Verdict::Deny { reason: reason.clone() }),
            ..Reply::context(text.clone())
        };
        let read = |answer: &str| serde_json::from_str::<Value>(answer).unwrap();
        let answer = encode("before-tool", &reply, b"");
        prop_assert_eq!(answer.lines().count(), 1);
        prop_assert_eq!(read(&answer), json!({ "decision": "deny", "reason": reason }));

        let answer = encode("before-agent", &reply, b"");
        let output = json!({ "hookEventName": "BeforeAgent", "additionalContext": text });
        prop_assert_eq!(read(&answer), json!({ "hookSpecificOutput": output }));

        let messages = json!([{ "role": "user", "content": first }, { "role": "model" }]);
        let payload = json!({ "llm_request": { "messages": messages } }).to_string();
        let answer = encode("before-model", &reply, payload.as_bytes());
        prop_assert_eq!(&answer, &encode("before-model", &reply, payload.as_bytes()));
        let answer = read(&answer);
        let messages = answer.pointer("/hookSpecificOutput/llm_request/messages").unwrap();
        let [message] = messages.as_array().unwrap().as_slice() else { panic!("{messages}") };
        prop_assert!(message["content"].as_str().unwrap().starts_with(&first));
        prop_assert_eq!(&message["role"], "user");
    }
}
