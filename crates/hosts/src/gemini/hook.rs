//! The events of Gemini CLI, with what an answer to each of them can carry.
//!
//! All of it was measured with the real client: what an event is said to carry here reaches the
//! model, and what it is said not to carry is lost or does something else.

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
///
/// The client fires `pre-compress` before every request, whether it compresses anything or not.
pub(super) const PASSED: [&str; 4] =
    ["after-model", "before-tool-selection", "notification", "pre-compress"];

/// Every event that tells us something, in the order of a session.
pub(super) static HOOKS: [Hook; 7] = [
    // At a start without a terminal the client would put a context before the prompt, and leave out
    // whatever begins so, the prompt included, when the session is resumed.
    Hook::silent("session-start", "SessionStart", EventKind::SessionStart)
        .with_remark("context would cost a resumed session its prompt; it waits for the prompt"),
    Hook::silent("before-agent", "BeforeAgent", EventKind::Prompt).with_context(),
    Hook::silent("before-tool", "BeforeTool", EventKind::BeforeTool)
        .with_verdict(Carried::Denial)
        .with_remark("context is lost; a new input would be used without anybody's leave"),
    Hook::silent("after-tool", "AfterTool", EventKind::AfterTool).with_context(),
    Hook::silent("before-model", "BeforeModel", EventKind::Request)
        .with_context()
        .with_remark("context is put into this one request; those of subagents are told too"),
    Hook::silent("after-agent", "AfterAgent", EventKind::Stop)
        .with_verdict(Carried::GoingOn)
        .with_remark("context is lost; it waits for the next prompt"),
    Hook::silent("session-end", "SessionEnd", EventKind::SessionEnd)
        .with_remark("nobody reads the answer"),
];
