//! The events of Copilot CLI, with what an answer to each of them can carry.
//!
//! All of it was measured with the real client. The client knows the names of Claude Code too, and
//! then sends other payloads; these here are its own.

use pacenote_model::EventKind;

use crate::{
    Carried, Row,
    table::{self, Hook},
};

/// Returns the words on our command line of the events that tell us something.
pub fn events() -> impl Iterator<Item = &'static str> {
    HOOKS.iter().map(|hook| hook.word)
}

/// Returns what an event is in no host's own words; `None` when it tells us nothing.
pub fn kind(event: &str) -> Option<EventKind> {
    table::find(&HOOKS, event).map(|hook| hook.kind)
}

/// Returns what the answers to events can carry.
pub fn rows() -> Vec<Row> {
    table::rows(&HOOKS)
}

/// Events that are known and tell us nothing that we need, by their words on our command line.
pub(super) const PASSED: [&str; 3] = ["error-occurred", "notification", "permission-request"];

/// Every event that tells us something, in the order of a session.
pub(super) static HOOKS: [Hook; 10] = [
    Hook::silent("session-start", "sessionStart", EventKind::SessionStart)
        .with_context()
        .with_remark("a session that is resumed has lost what its start was told"),
    Hook::silent("user-prompt-submitted", "userPromptSubmitted", EventKind::Prompt)
        .with_context()
        .with_remark("why an agent must go on comes back as a prompt"),
    Hook::silent("pre-tool-use", "preToolUse", EventKind::BeforeTool)
        .with_context()
        .with_verdict(Carried::Denial)
        .with_input()
        .with_remark("the new input replaces the whole one and needs permission"),
    Hook::silent("post-tool-use", "postToolUse", EventKind::AfterTool).with_context(),
    Hook::silent("post-tool-use-failure", "postToolUseFailure", EventKind::AfterTool)
        .with_context(),
    Hook::silent("pre-compact", "preCompact", EventKind::PreCompact)
        .with_remark("nothing is told when it is over: the notes come back with the next prompt"),
    Hook::silent("agent-stop", "agentStop", EventKind::Stop).with_verdict(Carried::GoingOn),
    Hook::silent("subagent-start", "subagentStart", EventKind::SubagentStart)
        .with_context()
        .with_remark("it is put before what the subagent is asked to do"),
    Hook::silent("subagent-stop", "subagentStop", EventKind::SubagentStop)
        .with_verdict(Carried::GoingOn),
    Hook::silent("session-end", "sessionEnd", EventKind::SessionEnd)
        .with_remark("told after every turn where another program drives the client"),
];
