use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::Verdict;

fn context() -> Reply {
    Reply::context("<pacenote>\n\"two\" lines, é\n</pacenote>".to_owned())
}

fn notice() -> Reply {
    Reply { notice: Some("2 tasks".to_owned()), ..Reply::default() }
}

fn deny(reason: &str) -> Reply {
    let verdict = Verdict::Deny { reason: reason.to_owned() };
    Reply { verdict: Some(verdict), ..Reply::default() }
}

fn go_on(reason: &str) -> Reply {
    let verdict = Verdict::GoOn { reason: reason.to_owned() };
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
}

#[test]
fn context_reaches_the_model_where_the_client_reads_it() {
    insta::assert_snapshot!(table(&context()), @r#"
    session-start: {"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"<pacenote>\n\"two\" lines, é\n</pacenote>"}}
    user-prompt-submit: {"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"<pacenote>\n\"two\" lines, é\n</pacenote>"}}
    pre-tool-use: {"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"<pacenote>\n\"two\" lines, é\n</pacenote>"}}
    post-tool-use: {"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"<pacenote>\n\"two\" lines, é\n</pacenote>"}}
    subagent-start: {"hookSpecificOutput":{"hookEventName":"SubagentStart","additionalContext":"<pacenote>\n\"two\" lines, é\n</pacenote>"}}
    "#);
}

#[test]
fn a_notice_is_for_the_person() {
    insta::assert_snapshot!(table(&notice()), @r#"
    session-start: {"systemMessage":"2 tasks"}
    user-prompt-submit: {"systemMessage":"2 tasks"}
    pre-tool-use: {"systemMessage":"2 tasks"}
    post-tool-use: {"systemMessage":"2 tasks"}
    pre-compact: {"systemMessage":"2 tasks"}
    post-compact: {"systemMessage":"2 tasks"}
    stop: {"systemMessage":"2 tasks"}
    subagent-start: {"systemMessage":"2 tasks"}
    subagent-stop: {"systemMessage":"2 tasks"}
    "#);
}

#[test]
fn verdicts_and_inputs() {
    insta::assert_snapshot!(table(&deny("no task is claimed")), @r#"pre-tool-use: {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no task is claimed"}}"#);
    insta::assert_snapshot!(table(&go_on("a task is open")), @r#"
    stop: {"decision":"block","reason":"a task is open"}
    subagent-stop: {"decision":"block","reason":"a task is open"}
    "#);
    insta::assert_snapshot!(table(&input()), @r#"pre-tool-use: {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"cargo test"}}}"#);
}

#[test]
fn a_verdict_without_a_reason_holds_all_the_same() {
    insta::assert_snapshot!(table(&deny(" \n")), @r#"pre-tool-use: {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"pacenote does not allow it"}}"#);
    insta::assert_snapshot!(table(&go_on("")), @r#"
    stop: {"decision":"block","reason":"pacenote does not allow it"}
    subagent-stop: {"decision":"block","reason":"pacenote does not allow it"}
    "#);
}

#[test]
fn everything_at_once() {
    let everything = |verdict: Reply| Reply {
        context: context().context,
        notice: notice().notice,
        verdict: verdict.verdict,
        input: input().input,
    };
    insta::assert_snapshot!(encode("pre-tool-use", &everything(Reply::nothing())), @r#"{"systemMessage":"2 tasks","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"cargo test"},"additionalContext":"<pacenote>\n\"two\" lines, é\n</pacenote>"}}"#);
    insta::assert_snapshot!(encode("pre-tool-use", &everything(deny("no"))), @r#"{"systemMessage":"2 tasks","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no","additionalContext":"<pacenote>\n\"two\" lines, é\n</pacenote>"}}"#);
    insta::assert_snapshot!(encode("stop", &everything(go_on("a task is open"))), @r#"{"decision":"block","reason":"a task is open","systemMessage":"2 tasks"}"#);
}

#[test]
fn what_an_event_carries_is_what_is_written() {
    for word in HOOKS.iter().map(|hook| hook.word).chain(["permission-request", ""]) {
        assert_eq!(carries_context(word), encode(word, &context()).contains("two"), "{word}");
    }
}

/// The keys that the client knows in the answer to an event; any other costs the whole answer.
fn known_keys(event: &str) -> (&'static [&'static str], &'static [&'static str]) {
    match event {
        "pre-tool-use" => (
            &["systemMessage", "hookSpecificOutput"],
            &[
                "hookEventName",
                "permissionDecision",
                "permissionDecisionReason",
                "updatedInput",
                "additionalContext",
            ],
        ),
        "session-start" | "user-prompt-submit" | "post-tool-use" | "subagent-start" => {
            (&["systemMessage", "hookSpecificOutput"], &["hookEventName", "additionalContext"])
        }
        "stop" | "subagent-stop" => (&["systemMessage", "decision", "reason"], &[]),
        "pre-compact" | "post-compact" => (&["systemMessage"], &[]),
        _ => (&[], &[]),
    }
}

proptest! {
    /// One line of JSON with keys that the client knows and no others, from which it gets every text
    /// back unchanged.
    #[test]
    fn any_reply_is_read(
        event in prop::sample::select(HOOKS.iter().map(|hook| hook.word).collect::<Vec<_>>()),
        context in any::<Option<String>>(),
        notice in any::<Option<String>>(),
        verdict in prop::option::of((any::<bool>(), any::<String>())),
        with_input in any::<bool>(),
    ) {
        let verdict = verdict.map(|(deny, reason)| {
            if deny { Verdict::Deny { reason } } else { Verdict::GoOn { reason } }
        });
        let input = input().input.filter(|_| with_input);
        let reply = Reply { context: context.clone(), notice, verdict, input };
        let answer = encode(event, &reply);
        prop_assert_eq!(answer.lines().count(), 1);
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let (outer, inner) = known_keys(event);
        for key in answer.as_object().unwrap().keys() {
            prop_assert!(outer.contains(&key.as_str()), "{event} {key}");
        }
        if let Some(output) = answer.get("hookSpecificOutput") {
            for key in output.as_object().unwrap().keys() {
                prop_assert!(inner.contains(&key.as_str()), "{event} {key}");
            }
            prop_assert!(output["hookEventName"].is_string());
            if carries_context(event) {
                prop_assert_eq!(output["additionalContext"].as_str(), context.as_deref());
            }
            let decision = output["permissionDecision"].as_str();
            prop_assert_eq!(decision == Some("allow"), output["updatedInput"].is_object());
            let reason = output["permissionDecisionReason"].as_str();
            prop_assert_eq!(decision == Some("deny"), reason.is_some_and(|said| !said.trim().is_empty()));
        }
        let reason = answer["reason"].as_str();
        let blocks = answer["decision"] == "block";
        prop_assert_eq!(blocks, reason.is_some_and(|said| !said.trim().is_empty()));
    }
}
