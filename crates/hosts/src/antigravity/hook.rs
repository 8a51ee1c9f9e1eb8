//! The events of Antigravity, with what an answer to each of them is said to carry.

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

/// Returns what the answers to events are said to carry.
pub fn rows() -> Vec<Row> {
    table::rows(&HOOKS)
}

/// Events that are known and tell us nothing that we need, by their words on our command line.
pub(super) const PASSED: [&str; 1] = ["post-invocation"];

/// What there is to say about every one of them.
const UNPROVEN: &str = "from documents, unproven";

/// Every event that tells us something, in the order of a session.
pub(super) static HOOKS: [Hook; 4] = [
    Hook::silent("pre-tool-use", "PreToolUse", EventKind::BeforeTool)
        .with_verdict(Carried::Denial)
        .with_remark(UNPROVEN),
    Hook::silent("post-tool-use", "PostToolUse", EventKind::AfterTool).with_remark(UNPROVEN),
    Hook::silent("pre-invocation", "PreInvocation", EventKind::Request)
        .with_context()
        .with_remark(UNPROVEN),
    Hook::silent("stop", "Stop", EventKind::Stop)
        .with_verdict(Carried::GoingOn)
        .with_remark(UNPROVEN),
];
