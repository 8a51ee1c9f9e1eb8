//! OpenCode's transcript: what `opencode export` prints of a session, one JSON object.
//!
//! The client keeps sessions in a database of its own, whose form is its private affair; the export
//! is made for others. What it put into a conversation by itself, our notes among it, is passed
//! over: whoever learns from a transcript must not learn from itself.

mod export;

#[cfg(test)]
mod tests;

use crate::{
    lenient::{self, First},
    transcript::Entry,
};

use self::export::{Export, Message, Part};

/// Longest export that is looked into, in bytes. Those of long days have some megabytes.
pub const EXPORT_BYTES: usize = 32 * 1024 * 1024;

/// Reads an export: what was said and done, in order. Nothing, when it is none.
pub fn read(export: &str) -> Vec<Entry> {
    if export.len() > EXPORT_BYTES {
        return Vec::new();
    }
    let messages = lenient::read::<Export>(export).ok().and_then(|export| export.messages);
    let messages = messages.map(|First(messages)| messages).unwrap_or_default();
    messages.into_iter().flat_map(of_message).collect()
}

fn of_message(message: Message) -> Vec<Entry> {
    let Message { info, parts } = message;
    let parts = parts.map(|First(parts)| parts).unwrap_or_default();
    let parts = parts.into_iter().filter(|part| part.synthetic != Some(true));
    let is_summary = info.summary == Some(true);
    let said = |text| match info.role.as_deref() {
        Some("user") => Entry::Prompt { text },
        Some("assistant") if is_summary => Entry::Summary { text },
        Some("assistant") => Entry::Answer { text },
        Some(_) | None => Entry::Other,
    };
    let entries = parts.flat_map(|part| match part.kind.as_deref() {
        Some("text") => part.text.map(said).into_iter().collect(),
        Some("tool") => of_tool(part),
        Some(_) | None => Vec::new(),
    });
    entries.collect()
}

/// A tool that was used, and what came of it.
fn of_tool(part: Part) -> Vec<Entry> {
    let Some(name) = part.tool else { return Vec::new() };
    let failed = part.state.status.as_deref() == Some("error");
    let text = part.state.output.or(part.state.error);
    let result = text.map(|text| Entry::result(&text, failed));
    [Entry::ToolUse { name }].into_iter().chain(result).collect()
}
