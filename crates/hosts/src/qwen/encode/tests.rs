use serde_json::json;

use super::{super::hook::HOOKS, *};
use crate::Verdict;

fn table(reply: &Reply) -> String {
    let words = HOOKS.iter().map(|hook| hook.word).chain(["notification", "task-created", ""]);
    let rows = words.map(|word| match encode(word, reply).as_str() {
        "" => format!("{word}: (no output)"),
        answer => format!("{word}: {answer}"),
    });
    rows.collect::<Vec<_>>().join("\n")
}

fn input() -> Reply {
    Reply { input: json!({ "command": "cargo test" }).as_object().cloned(), ..Reply::nothing() }
}

#[test]
fn silence() {
    insta::assert_snapshot!(table(&Reply::nothing()), @"
    session-start: {}
    user-prompt-submit: {}
    pre-tool-use: {}
    post-tool-use: {}
    post-tool-use-failure: {}
    pre-compact: (no output)
    post-compact: (no output)
    stop: {}
    subagent-start: {}
    subagent-stop: {}
    session-end: {}
    notification: {}
    task-created: {}
    : {}
    ");
    assert_eq!(table(&input()), table(&Reply::nothing()));
}

#[test]
fn context_reaches_the_model_where_the_client_reads_it() {
    insta::assert_snapshot!(table(&Reply::context("# pacenote: shop".to_owned())), @r##"
    session-start: {}
    user-prompt-submit: {"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"# pacenote: shop"}}
    pre-tool-use: {}
    post-tool-use: {"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"# pacenote: shop"}}
    post-tool-use-failure: {"hookSpecificOutput":{"hookEventName":"PostToolUseFailure","additionalContext":"# pacenote: shop"}}
    pre-compact: (no output)
    post-compact: (no output)
    stop: {}
    subagent-start: {}
    subagent-stop: {}
    session-end: {}
    notification: {}
    task-created: {}
    : {}
    "##);
}

#[test]
fn verdicts() {
    let denial = Verdict::Deny { reason: "no task is claimed".to_owned() };
    insta::assert_snapshot!(encode("pre-tool-use", &Reply { verdict: Some(denial), ..input() }), @r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no task is claimed"}}"#);
    let go_on = Verdict::GoOn { reason: "a task is open".to_owned() };
    let reply = Reply { verdict: Some(go_on), ..Reply::context("lost".to_owned()) };
    insta::assert_snapshot!(encode("stop", &reply), @r#"{"decision":"block","reason":"a task is open"}"#);
    assert_eq!(encode("subagent-stop", &reply), encode("stop", &reply));
}
