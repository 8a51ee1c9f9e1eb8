use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::Verdict;

fn context() -> Reply {
    Reply::context("<pacenote>\n\"two\" lines, é\n</pacenote>".to_owned())
}

fn deny() -> Reply {
    let verdict = Verdict::Deny { reason: "no task is claimed".to_owned() };
    Reply { verdict: Some(verdict), ..Reply::default() }
}

fn go_on() -> Reply {
    let verdict = Verdict::GoOn { reason: "a task is open".to_owned() };
    Reply { verdict: Some(verdict), ..Reply::default() }
}

fn input() -> Reply {
    let input = json!({ "command": "cargo test" });
    Reply { input: input.as_object().cloned(), ..Reply::default() }
}

/// What is answered where anything is.
fn table(reply: &Reply) -> String {
    let words = HOOKS.iter().map(|hook| hook.word).chain(["permission-request", ""]);
    let rows = words.map(|word| (word, encode(word, reply))).filter(|(_, answer)| answer != "{}");
    rows.map(|(word, answer)| format!("{word}: {answer}")).collect::<Vec<_>>().join("\n")
}

#[test]
fn nothing_is_an_empty_object() {
    assert_eq!(table(&Reply::nothing()), "");
    assert_eq!(table(&Reply { notice: Some("2 tasks".to_owned()), ..Reply::default() }), "");
}

#[test]
fn context_reaches_the_model_where_the_client_reads_it() {
    insta::assert_snapshot!(table(&context()), @r#"
    session-start: {"additionalContext":"<pacenote>\n\"two\" lines, é\n</pacenote>"}
    user-prompt-submitted: {"additionalContext":"<pacenote>\n\"two\" lines, é\n</pacenote>"}
    pre-tool-use: {"additionalContext":"<pacenote>\n\"two\" lines, é\n</pacenote>"}
    post-tool-use: {"additionalContext":"<pacenote>\n\"two\" lines, é\n</pacenote>"}
    post-tool-use-failure: {"additionalContext":"<pacenote>\n\"two\" lines, é\n</pacenote>"}
    subagent-start: {"additionalContext":"<pacenote>\n\"two\" lines, é\n</pacenote>"}
    "#);
}

#[test]
fn verdicts_and_inputs() {
    insta::assert_snapshot!(table(&deny()), @r#"pre-tool-use: {"permissionDecision":"deny","permissionDecisionReason":"no task is claimed"}"#);
    insta::assert_snapshot!(table(&go_on()), @r#"
    agent-stop: {"decision":"block","reason":"a task is open"}
    subagent-stop: {"decision":"block","reason":"a task is open"}
    "#);
    insta::assert_snapshot!(table(&input()), @r#"pre-tool-use: {"modifiedArgs":{"command":"cargo test"}}"#);
}

#[test]
fn everything_at_once() {
    let everything = |verdict: Reply| Reply {
        context: context().context,
        notice: None,
        verdict: verdict.verdict,
        input: input().input,
    };
    insta::assert_snapshot!(encode("pre-tool-use", &everything(Reply::nothing())), @r#"{"modifiedArgs":{"command":"cargo test"},"additionalContext":"<pacenote>\n\"two\" lines, é\n</pacenote>"}"#);
    insta::assert_snapshot!(encode("pre-tool-use", &everything(deny())), @r#"{"permissionDecision":"deny","permissionDecisionReason":"no task is claimed","additionalContext":"<pacenote>\n\"two\" lines, é\n</pacenote>"}"#);
    insta::assert_snapshot!(encode("agent-stop", &everything(go_on())), @r#"{"decision":"block","reason":"a task is open"}"#);
}

#[test]
fn what_an_event_carries_is_what_is_written() {
    for word in HOOKS.iter().map(|hook| hook.word).chain(["permission-request", ""]) {
        assert_eq!(carries_context(word), encode(word, &context()).contains("two"), "{word}");
    }
}

proptest! {
    /// One line of JSON, from which the client gets every text back unchanged.
    #[test]
    fn any_text_arrives_unchanged(context in any::<String>(), reason in "(?s)[^ ].*\\S") {
        let verdict = Some(Verdict::Deny { reason: reason.clone() });
        let reply = Reply { context: Some(context.clone()), verdict, ..Reply::default() };
        let answer = encode("pre-tool-use", &reply);
        prop_assert_eq!(answer.lines().count(), 1);
        prop_assert_eq!(serde_json::from_str::<Value>(&answer).unwrap(), json!({
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
            "additionalContext": context,
        }));
    }
}
