//! From a reply to what Claude Code reads: one JSON object, or nothing at all.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::{Carried, Reply, Verdict};

use super::hook::Hook;

/// What says nothing. Claude Code takes plain text for context, so silence must be an object too.
const NOTHING: &str = "{}";

/// Encodes the answer to a hook, without a line break at the end. `event` is the word on our command
/// line; what the event cannot carry is left out, and one that we do not know is answered nothing.
///
/// Around a compaction the answer is no object but empty, whatever the reply: there the client
/// takes an object for words.
pub fn encode(event: &str, reply: &Reply) -> String {
    let Some(hook) = Hook::from_word(event) else { return NOTHING.to_owned() };
    if hook.takes_any_output_for_text() {
        return String::new();
    }
    // Strings always serialize; were that ever wrong, silence is the safe answer.
    serde_json::to_string(&Answer::new(hook, reply)).unwrap_or_else(|_| NOTHING.to_owned())
}

/// Tells whether the answer to an event can carry text for the model.
pub fn carries_context(event: &str) -> bool {
    Hook::from_word(event).is_some_and(Hook::carries_context)
}

/// Tells whether the answer to an event can carry a verdict.
pub fn carries_verdict(event: &str) -> bool {
    Hook::from_word(event).and_then(Hook::verdict).is_some()
}

/// Tells whether the answer to an event can carry a new input for a tool.
pub fn carries_input(event: &str) -> bool {
    Hook::from_word(event).is_some_and(Hook::carries_input)
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system_message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hook_specific_output: Option<Output<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Output<'a> {
    hook_event_name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision_reason: Option<&'a str>,
    /// Without a decision beside it, the client uses the new input and asks for permission as it
    /// would have for the old one, only about what it says now. With `allow` nobody would be asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_input: Option<&'a Map<String, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_context: Option<&'a str>,
}

impl<'a> Answer<'a> {
    fn new(hook: Hook, reply: &'a Reply) -> Self {
        let context = reply.context.as_deref().filter(|_| hook.carries_context());
        let (denial, going_on) = match (hook.verdict(), &reply.verdict) {
            (Some(Carried::Denial), Some(Verdict::Deny { reason })) => (Some(reason), None),
            (Some(Carried::GoingOn), Some(Verdict::GoOn { reason })) => (None, Some(reason)),
            (Some(Carried::Denial), Some(Verdict::GoOn { .. }))
            | (Some(Carried::GoingOn), Some(Verdict::Deny { .. }))
            | (None, _)
            | (_, None) => (None, None),
        };
        let takes_input = hook.carries_input() && denial.is_none();
        let input = reply.input.as_ref().filter(|_| takes_input);
        let says = context.is_some() || denial.is_some() || input.is_some();
        let output = says.then(|| Output {
            hook_event_name: hook.name(),
            permission_decision: denial.map(|_| "deny"),
            permission_decision_reason: denial.map(String::as_str),
            updated_input: input,
            additional_context: context,
        });
        Self {
            decision: going_on.map(|_| "block"),
            reason: going_on.map(String::as_str),
            system_message: reply.notice.as_deref(),
            hook_specific_output: output,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn context() -> Reply {
        Reply::context("<pacenote>\n\"two\" lines, é\n</pacenote>".to_owned())
    }

    fn notice() -> Reply {
        Reply { notice: Some("2 tasks".to_owned()), ..Reply::default() }
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
        let input = json!({ "command": "cargo test", "timeout": 7 });
        Reply { input: input.as_object().cloned(), ..Reply::default() }
    }

    fn table(reply: &Reply) -> String {
        let words = Hook::ALL.map(Hook::word).into_iter().chain(["post-tool-batch", ""]);
        let rows = words.map(|word| match encode(word, reply).as_str() {
            "" => format!("{word}: (no output)"),
            answer => format!("{word}: {answer}"),
        });
        rows.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn nothing_is_an_empty_object_or_less() {
        assert_eq!(Reply::nothing(), Reply::default());
        insta::assert_snapshot!(table(&Reply::nothing()), @"
        session-start: {}
        user-prompt-submit: {}
        pre-tool-use: {}
        post-tool-use: {}
        post-tool-use-failure: {}
        task-created: {}
        task-completed: {}
        pre-compact: (no output)
        post-compact: (no output)
        stop: {}
        subagent-start: {}
        subagent-stop: {}
        session-end: {}
        post-tool-batch: {}
        : {}
        ");
    }

    #[test]
    fn context_reaches_the_model_where_the_client_reads_it() {
        insta::assert_snapshot!(table(&context()), @r#"
        session-start: {"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"<pacenote>\n\"two\" lines, é\n</pacenote>"}}
        user-prompt-submit: {"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"<pacenote>\n\"two\" lines, é\n</pacenote>"}}
        pre-tool-use: {"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"<pacenote>\n\"two\" lines, é\n</pacenote>"}}
        post-tool-use: {"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"<pacenote>\n\"two\" lines, é\n</pacenote>"}}
        post-tool-use-failure: {"hookSpecificOutput":{"hookEventName":"PostToolUseFailure","additionalContext":"<pacenote>\n\"two\" lines, é\n</pacenote>"}}
        task-created: {}
        task-completed: {}
        pre-compact: (no output)
        post-compact: (no output)
        stop: {}
        subagent-start: {"hookSpecificOutput":{"hookEventName":"SubagentStart","additionalContext":"<pacenote>\n\"two\" lines, é\n</pacenote>"}}
        subagent-stop: {}
        session-end: {}
        post-tool-batch: {}
        : {}
        "#);
    }

    #[test]
    fn a_notice_is_for_the_person() {
        insta::assert_snapshot!(table(&notice()), @r#"
        session-start: {"systemMessage":"2 tasks"}
        user-prompt-submit: {"systemMessage":"2 tasks"}
        pre-tool-use: {"systemMessage":"2 tasks"}
        post-tool-use: {"systemMessage":"2 tasks"}
        post-tool-use-failure: {"systemMessage":"2 tasks"}
        task-created: {"systemMessage":"2 tasks"}
        task-completed: {"systemMessage":"2 tasks"}
        pre-compact: (no output)
        post-compact: (no output)
        stop: {"systemMessage":"2 tasks"}
        subagent-start: {"systemMessage":"2 tasks"}
        subagent-stop: {"systemMessage":"2 tasks"}
        session-end: {"systemMessage":"2 tasks"}
        post-tool-batch: {}
        : {}
        "#);
    }

    #[test]
    fn a_tool_is_denied_before_it_is_used() {
        insta::assert_snapshot!(table(&deny()), @r#"
        session-start: {}
        user-prompt-submit: {}
        pre-tool-use: {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no task is claimed"}}
        post-tool-use: {}
        post-tool-use-failure: {}
        task-created: {}
        task-completed: {}
        pre-compact: (no output)
        post-compact: (no output)
        stop: {}
        subagent-start: {}
        subagent-stop: {}
        session-end: {}
        post-tool-batch: {}
        : {}
        "#);
    }

    #[test]
    fn an_agent_goes_on_where_it_would_stop() {
        insta::assert_snapshot!(table(&go_on()), @r#"
        session-start: {}
        user-prompt-submit: {}
        pre-tool-use: {}
        post-tool-use: {}
        post-tool-use-failure: {}
        task-created: {}
        task-completed: {}
        pre-compact: (no output)
        post-compact: (no output)
        stop: {"decision":"block","reason":"a task is open"}
        subagent-start: {}
        subagent-stop: {"decision":"block","reason":"a task is open"}
        session-end: {}
        post-tool-batch: {}
        : {}
        "#);
    }

    #[test]
    fn a_tool_is_given_another_input_and_nobody_s_leave_for_it() {
        insta::assert_snapshot!(table(&input()), @r#"
        session-start: {}
        user-prompt-submit: {}
        pre-tool-use: {"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"cargo test","timeout":7}}}
        post-tool-use: {}
        post-tool-use-failure: {}
        task-created: {}
        task-completed: {}
        pre-compact: (no output)
        post-compact: (no output)
        stop: {}
        subagent-start: {}
        subagent-stop: {}
        session-end: {}
        post-tool-batch: {}
        : {}
        "#);
    }

    #[test]
    fn everything_at_once() {
        let [context, notice, input] = [context(), notice(), input()];
        let everything = |verdict: Reply| Reply {
            context: context.context.clone(),
            notice: notice.notice.clone(),
            verdict: verdict.verdict,
            input: input.input.clone(),
        };
        insta::assert_snapshot!(encode("pre-tool-use", &everything(Reply::nothing())), @r#"{"systemMessage":"2 tasks","hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"cargo test","timeout":7},"additionalContext":"<pacenote>\n\"two\" lines, é\n</pacenote>"}}"#);
        insta::assert_snapshot!(encode("pre-tool-use", &everything(deny())), @r#"{"systemMessage":"2 tasks","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no task is claimed","additionalContext":"<pacenote>\n\"two\" lines, é\n</pacenote>"}}"#);
        insta::assert_snapshot!(encode("stop", &everything(go_on())), @r#"{"decision":"block","reason":"a task is open","systemMessage":"2 tasks"}"#);
    }

    #[test]
    fn what_an_event_carries_is_what_is_written() {
        for word in Hook::ALL.map(Hook::word).into_iter().chain(["post-tool-batch", ""]) {
            assert_eq!(carries_context(word), encode(word, &context()).contains("two"), "{word}");
            let verdicts = [deny(), go_on()].map(|reply| encode(word, &reply));
            let carried = verdicts.iter().any(|answer| answer.contains("task is"));
            assert_eq!(carries_verdict(word), carried, "{word}");
            assert_eq!(carries_input(word), encode(word, &input()).contains("cargo"), "{word}");
        }
    }

    proptest! {
        /// One line of JSON, from which the client gets every text back unchanged.
        #[test]
        fn any_text_arrives_unchanged(
            [context, notice, reason] in any::<[String; 3]>(),
        ) {
            let mut reply = Reply {
                context: Some(context.clone()),
                notice: Some(notice.clone()),
                verdict: Some(Verdict::Deny { reason: reason.clone() }),
                input: None,
            };
            let answer = encode("pre-tool-use", &reply);
            prop_assert_eq!(answer.lines().count(), 1);
            prop_assert_eq!(serde_json::from_str::<Value>(&answer).unwrap(), json!({
                "systemMessage": notice,
                "hookSpecificOutput": {
                    "hookEventName": "PreToolUse",
                    "permissionDecision": "deny",
                    "permissionDecisionReason": reason,
                    "additionalContext": context,
                },
            }));

            reply.verdict = Some(Verdict::GoOn { reason: reason.clone() });
            let answer = encode("subagent-stop", &reply);
            prop_assert_eq!(answer.lines().count(), 1);
            prop_assert_eq!(serde_json::from_str::<Value>(&answer).unwrap(), json!({
                "decision": "block",
                "reason": reason,
                "systemMessage": notice,
            }));

            for word in Hook::ALL.map(Hook::word) {
                let answer = encode(word, &reply);
                let is_object = serde_json::from_str::<Value>(&answer).is_ok_and(|v| v.is_object());
                prop_assert_eq!(is_object, !["pre-compact", "post-compact"].contains(&word));
                prop_assert!(is_object || answer.is_empty());
            }
        }
    }
}
