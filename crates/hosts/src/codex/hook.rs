//! The events of Codex, with what an answer to each of them can carry.
//!
//! All of it was measured with the real client: what an event is said to carry here reaches the
//! model, and what it is said not to carry is lost, or costs the whole answer.

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
pub(super) const PASSED: [&str; 1] = ["permission-request"];

/// Every event that tells us something, in the order of a session.
pub(super) static HOOKS: [Hook; 10] = [
    Hook::silent("session-start", "SessionStart", EventKind::SessionStart)
        .with_context()
        .with_remark("after a compaction it comes twice when the session was resumed"),
    Hook::silent("user-prompt-submit", "UserPromptSubmit", EventKind::Prompt).with_context(),
    Hook::silent("pre-tool-use", "PreToolUse", EventKind::BeforeTool)
        .with_context()
        .with_verdict(Carried::Denial)
        .with_input()
        .with_remark("the new input replaces the whole one and stays in the sandbox"),
    Hook::silent("post-tool-use", "PostToolUse", EventKind::AfterTool)
        .with_context()
        .with_remark("the client does not say whether a tool failed"),
    Hook::silent("pre-compact", "PreCompact", EventKind::PreCompact)
        .with_remark("the summariser is told nothing of ours"),
    Hook::silent("post-compact", "PostCompact", EventKind::PostCompact)
        .with_remark("without the summary; a session start follows"),
    Hook::silent("stop", "Stop", EventKind::Stop).with_verdict(Carried::GoingOn),
    Hook::silent("subagent-start", "SubagentStart", EventKind::SubagentStart).with_context(),
    Hook::silent("subagent-stop", "SubagentStop", EventKind::SubagentStop)
        .with_verdict(Carried::GoingOn),
    Hook::silent("session-end", "SessionEnd", EventKind::SessionEnd)
        .with_remark("the client waits a second or three, and reads nothing"),
];
