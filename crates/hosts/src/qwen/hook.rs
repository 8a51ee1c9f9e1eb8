//! The events of Qwen Code, with what an answer to each of them can carry.
//!
//! They have the names of Claude Code's. What is said of them was measured with the real client or,
//! where that fires none without a terminal, read in it.

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
pub(super) const PASSED: [&str; 3] = ["notification", "permission-request", "stop-failure"];

/// Every event that tells us something, in the order of a session.
pub(super) static HOOKS: [Hook; 11] = [
    Hook::silent("session-start", "SessionStart", EventKind::SessionStart)
        .with_remark("context is lost, and a headless run tells of no start"),
    Hook::silent("user-prompt-submit", "UserPromptSubmit", EventKind::Prompt).with_context(),
    Hook::silent("pre-tool-use", "PreToolUse", EventKind::BeforeTool)
        .with_verdict(Carried::Denial)
        .with_remark("context is lost"),
    Hook::silent("post-tool-use", "PostToolUse", EventKind::AfterTool).with_context(),
    Hook::silent("post-tool-use-failure", "PostToolUseFailure", EventKind::AfterTool)
        .with_context(),
    Hook::silent("pre-compact", "PreCompact", EventKind::PreCompact)
        .with_remark("nobody reads the answer"),
    Hook::silent("post-compact", "PostCompact", EventKind::PostCompact)
        .with_remark("nobody reads the answer"),
    Hook::silent("stop", "Stop", EventKind::Stop)
        .with_verdict(Carried::GoingOn)
        .with_remark("context is lost; it waits for the next prompt"),
    Hook::silent("subagent-start", "SubagentStart", EventKind::SubagentStart)
        .with_remark("context is lost"),
    Hook::silent("subagent-stop", "SubagentStop", EventKind::SubagentStop)
        .with_verdict(Carried::GoingOn)
        .with_remark("context is lost"),
    Hook::silent("session-end", "SessionEnd", EventKind::SessionEnd)
        .with_remark("nobody reads the answer"),
];
