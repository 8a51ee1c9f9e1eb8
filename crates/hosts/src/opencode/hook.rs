//! The moments that the plugin tells, with what it can do with an answer.
//!
//! All of it was measured with the real client.

use pacenote_model::EventKind;

use crate::{
    Carried, Form, Reply, Row, Verdict, shell,
    table::{self, Hook},
};

/// Returns the words on our command line of the events that tell us something.
pub fn events() -> impl Iterator<Item = &'static str> {
    HOOKS.iter().map(|hook| hook.word)
}

/// Returns what an event is; `None` when the plugin never tells it.
pub fn kind(event: &str) -> Option<EventKind> {
    table::find(&HOOKS, event).map(|hook| hook.kind)
}

/// Tells whether the answer to an event can carry text for the model.
pub fn carries_context(event: &str) -> bool {
    table::find(&HOOKS, event).is_some_and(|hook| hook.context)
}

/// Encodes the answer to an event as the object that the plugin reads, without a line break at the
/// end. What the event cannot carry is left out, and an event that we do not know is answered
/// nothing.
pub fn encode(event: &str, reply: &Reply) -> String {
    let Some(hook) = table::find(&HOOKS, event) else { return "{}".to_owned() };
    let said = hook.said(reply);
    let context = said.context.map(str::to_owned);
    let verdict = said.denial.map(|reason| Verdict::Deny { reason: reason.to_owned() });
    // The plugin has nowhere to show a notice.
    shell::encode(event, &Reply { context, verdict, ..Reply::nothing() }, Form::Json)
}

/// Returns what the answers to events can carry.
pub fn rows() -> Vec<Row> {
    table::rows(&HOOKS)
}

/// What the plugin tells, in the order of a session. The words are those of [`EventKind::word`].
pub(super) static HOOKS: [Hook; 10] = [
    Hook::silent("session-start", "session.created, session.compacted", EventKind::SessionStart)
        .with_context()
        .with_remark("context comes with every request from then on"),
    Hook::silent("prompt", "chat.message", EventKind::Prompt)
        .with_context()
        .with_remark("context is a part of its own behind the prompt, lost at a compaction"),
    Hook::silent("before-tool", "tool.execute.before", EventKind::BeforeTool)
        .with_verdict(Carried::Denial)
        .with_remark("context has no place"),
    Hook::silent("after-tool", "tool.execute.after", EventKind::AfterTool).with_context(),
    Hook::silent("request", "experimental.chat.system.transform", EventKind::Request)
        .with_context()
        .with_remark("context is a system prompt of its own"),
    Hook::silent("pre-compact", "experimental.session.compacting", EventKind::PreCompact)
        .with_remark("nobody reads the answer"),
    // A plugin hears of a stop when all is over.
    Hook::silent("stop", "session.idle", EventKind::Stop).with_remark("nobody reads the answer"),
    Hook::silent("subagent-start", "chat.message", EventKind::SubagentStart)
        .with_context()
        .with_remark("context is a part of its own behind the prompt, lost at a compaction"),
    Hook::silent("subagent-stop", "session.idle", EventKind::SubagentStop)
        .with_remark("nobody reads the answer"),
    Hook::silent("session-end", "session.deleted, dispose", EventKind::SessionEnd)
        .with_remark("nobody reads the answer"),
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn table(reply: &Reply) -> String {
        let rows = events().chain(["todos", ""]);
        rows.map(|word| format!("{word}: {}", encode(word, reply))).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn silence() {
        let notice = Reply { notice: Some("2 tasks".to_owned()), ..Reply::nothing() };
        for reply in [Reply::nothing(), notice] {
            for word in events().chain(["todos", ""]) {
                assert_eq!(encode(word, &reply), "{}", "{word}");
            }
        }
    }

    #[test]
    fn context_where_the_plugin_has_a_place_for_it() {
        insta::assert_snapshot!(table(&Reply::context("notes".to_owned())), @r#"
        session-start: {"context":"notes"}
        prompt: {"context":"notes"}
        before-tool: {}
        after-tool: {"context":"notes"}
        request: {"context":"notes"}
        pre-compact: {}
        stop: {}
        subagent-start: {"context":"notes"}
        subagent-stop: {}
        session-end: {}
        todos: {}
        : {}
        "#);
    }

    #[test]
    fn verdicts() {
        let denial = Verdict::Deny { reason: "no task is claimed".to_owned() };
        insta::assert_snapshot!(table(&Reply { verdict: Some(denial), ..Reply::nothing() }), @r#"
        session-start: {}
        prompt: {}
        before-tool: {"decision":"deny","reason":"no task is claimed"}
        after-tool: {}
        request: {}
        pre-compact: {}
        stop: {}
        subagent-start: {}
        subagent-stop: {}
        session-end: {}
        todos: {}
        : {}
        "#);
        let go_on = Verdict::GoOn { reason: "a task is open".to_owned() };
        let reply = Reply { verdict: Some(go_on), ..Reply::nothing() };
        assert!(events().all(|word| encode(word, &reply) == "{}"));
    }

    proptest! {
        /// One line of JSON, from which the plugin gets every text back unchanged.
        #[test]
        fn any_text_arrives_unchanged([context, reason] in any::<[String; 2]>()) {
            prop_assume!(!reason.trim().is_empty());
            let verdict = Some(Verdict::Deny { reason: reason.clone() });
            let reply = Reply { verdict, ..Reply::context(context.clone()) };
            let read = |answer: &str| serde_json::from_str::<Value>(answer).unwrap();
            let answer = encode("before-tool", &reply);
            prop_assert_eq!(answer.lines().count(), 1);
            prop_assert_eq!(read(&answer), json!({ "decision": "deny", "reason": reason }));
            prop_assert_eq!(read(&encode("request", &reply)), json!({ "context": context }));
        }
    }
}
