//! The events of Qwen Code, with what an answer to each of them can carry.
//!
//! They have the names of Claude Code's. What is said of them was measured with the real client or,
//! where that fires none without a terminal, read in it.

use crate::{
    Carried, Moment, Row,
    table::{self, Hook},
};

/// Returns the words on our command line of the events that tell us something.
pub fn events() -> impl Iterator<Item = &'static str> {
    HOOKS.iter().map(|hook| hook.word)
}

/// Returns what an event is in no host's own words; `None` when it tells us nothing.
pub fn moment(event: &str) -> Option<Moment> {
    table::find(&HOOKS, event).map(|hook| hook.moment)
}

/// Returns what the answers to events can carry.
pub fn rows() -> Vec<Row> {
    table::rows(&HOOKS)
}

/// Events that are known and tell us nothing that we need, by their words on our command line.
pub(super) const PASSED: [&str; 3] = ["notification", "permission-request", "stop-failure"];

/// Every event that tells us something, in the order of a session.
pub(super) static HOOKS: [Hook; 11] = [
    Hook::silent("session-start", "SessionStart", Moment::SessionStart)
        .with_remark("context is lost, and a headless run tells of no start"),
    Hook::silent("user-prompt-submit", "UserPromptSubmit", Moment::Prompt).with_context(),
    Hook::silent("pre-tool-use", "PreToolUse", Moment::BeforeTool)
        .with_verdict(Carried::Denial)
        .with_remark("context is lost"),
    Hook::silent("post-tool-use", "PostToolUse", Moment::AfterTool).with_context(),
    Hook::silent("post-tool-use-failure", "PostToolUseFailure", Moment::AfterTool).with_context(),
    Hook::silent("pre-compact", "PreCompact", Moment::PreCompact)
        .with_remark("nobody reads the answer"),
    Hook::silent("post-compact", "PostCompact", Moment::PostCompact)
        .with_remark("nobody reads the answer"),
    Hook::silent("stop", "Stop", Moment::Stop)
        .with_verdict(Carried::GoingOn)
        .with_remark("context is lost; it waits for the next prompt"),
    Hook::silent("subagent-start", "SubagentStart", Moment::SubagentStart)
        .with_remark("context is lost"),
    Hook::silent("subagent-stop", "SubagentStop", Moment::SubagentStop)
        .with_verdict(Carried::GoingOn)
        .with_remark("context is lost"),
    Hook::silent("session-end", "SessionEnd", Moment::SessionEnd)
        .with_remark("nobody reads the answer"),
];
