//! Codex's rollout: a file of JSON lines that grows while a session goes on.
//!
//! Everything stands in it at least twice: as the client's own record of what happened, and as what
//! was sent to the model. Only the former is read, for our own notes are in the latter, and whoever
//! learns from a rollout must not learn from itself. The form of the lines is the client's private
//! affair, so what is not understood is passed over, never an error.

mod line;

#[cfg(test)]
mod tests;

use crate::lenient;

use self::line::{Item, Line, Payload};
use super::tools::SHELL;

pub use crate::transcript::{Entry, LINE_BYTES};

/// The role by which a hook's text reaches the model. Besides it only the client speaks so.
const DEVELOPER: &str = "developer";

/// Reads a line: none when it is no JSON, such as the last one while it is written.
///
/// In a subagent's rollout a prompt is what it was asked to do.
pub fn read(line: &str) -> Vec<Entry> {
    if line.len() > LINE_BYTES {
        return vec![Entry::Other];
    }
    let Ok(Line { kind, payload }) = lenient::read::<Line>(line) else { return Vec::new() };
    let mut entries = match (kind.as_deref(), payload.kind.as_deref()) {
        (Some("event_msg"), Some("item_completed")) => completed(payload.item),
        (Some(_) | None, _) => Vec::new(),
    };
    if entries.is_empty() {
        entries.push(Entry::Other);
    }
    entries
}

/// Tells whether a line says that exactly this text of a hook reached the model.
///
/// A text that the client cut is not held; neither is one in a longer line than is looked into.
pub fn holds(line: &str, text: &str) -> bool {
    // Few lines do, and looking costs less than reading.
    if line.len() > LINE_BYTES || !line.contains(DEVELOPER) {
        return false;
    }
    lenient::read::<Line>(line).is_ok_and(|Line { kind, payload }| {
        let Payload { kind: of, role, content, .. } = payload;
        kind.as_deref() == Some("response_item")
            && of.as_deref() == Some("message")
            && role.as_deref() == Some(DEVELOPER)
            && content.texts().any(|held| held == text)
    })
}

fn completed(item: Item) -> Vec<Entry> {
    match item.kind.as_deref() {
        Some("UserMessage") => {
            item.content.texts().map(|text| Entry::Prompt { text: text.to_owned() }).collect()
        }
        Some("AgentMessage") => {
            item.content.texts().map(|text| Entry::Answer { text: text.to_owned() }).collect()
        }
        Some("CommandExecution") => {
            let used = Entry::ToolUse { name: SHELL.to_owned() };
            let failed = item.status.as_deref() == Some("failed");
            vec![used, Entry::result(&item.aggregated_output.unwrap_or_default(), failed)]
        }
        Some(_) | None => Vec::new(),
    }
}
