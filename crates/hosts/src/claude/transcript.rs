//! Claude Code's transcript: a file of JSON lines that grows while a session goes on.
//!
//! A line is read by itself, for the last one may be half written. Our own notes come back in it, and
//! are marked: whoever learns from a transcript must not learn from itself. The form of the lines is
//! the client's private affair, so what is not understood is passed over, never an error.

mod line;

#[cfg(test)]
mod tests;

use crate::lenient;

use self::line::{Attachment, Block, Content, Line, Piece};
use super::hook::Hook;

pub use crate::transcript::{Entry, LINE_BYTES, RESULT_CHARACTERS};

/// The kind of attachment by which a hook's text reaches the model.
const CONTEXT: &str = "hook_additional_context";

/// What the texts begin with that the client writes in the person's name.
const OWN_PROMPTS: [&str; 4] =
    ["<task-notification>", "<command-name>", "<command-message>", "<local-command-"];

/// Reads a line: usually one entry, several where the line has several blocks, and none when it is
/// no JSON, such as the last one while it is written.
pub fn read(line: &str) -> Vec<Entry> {
    if line.len() > LINE_BYTES {
        return vec![Entry::Other];
    }
    let Ok(line) = lenient::read::<Line>(line) else { return Vec::new() };
    let mut entries = match line.kind.as_deref() {
        Some("user") => from_person(line),
        Some("assistant") => from_model(line.message.content),
        Some("attachment") => from_hook(line.attachment),
        Some(_) | None => Vec::new(),
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
    // Nearly no line does, and looking costs less than reading.
    if line.len() > LINE_BYTES || !line.contains(CONTEXT) {
        return false;
    }
    lenient::read::<Line>(line).is_ok_and(|line| {
        let Attachment { kind, content, .. } = line.attachment;
        kind.as_deref() == Some(CONTEXT) && content.texts().any(|held| held == text)
    })
}

/// Reads what the client sends in the person's name: prompts, and what tools gave back.
fn from_person(line: Line) -> Vec<Entry> {
    let is_sidechain = line.is_sidechain == Some(true);
    let said = |text: String| {
        if OWN_PROMPTS.iter().any(|own| text.starts_with(own)) {
            return Entry::Other;
        }
        if is_sidechain { Entry::Task { text } } else { Entry::Prompt { text } }
    };
    let Content { text, list } = line.message.content;
    if line.is_compact_summary == Some(true) {
        let blocks = list.into_iter().filter_map(|block| block.text);
        return text.into_iter().chain(blocks).map(|text| Entry::Summary { text }).collect();
    }
    if line.is_meta == Some(true) {
        return Vec::new();
    }
    let blocks = list.into_iter().filter_map(|block| match block.kind.as_deref() {
        Some("text") => block.text.map(said),
        Some("tool_result") => Some(result(&block)),
        Some(_) | None => None,
    });
    text.map(said).into_iter().chain(blocks).collect()
}

fn from_model(content: Content<Block>) -> Vec<Entry> {
    let answer = |text| Entry::Answer { text };
    let blocks = content.list.into_iter().filter_map(|block| match block.kind.as_deref() {
        Some("text") => block.text.map(answer),
        Some("tool_use") => block.name.map(|name| Entry::ToolUse { name }),
        Some(_) | None => None,
    });
    content.text.map(answer).into_iter().chain(blocks).collect()
}

fn from_hook(attachment: Attachment) -> Vec<Entry> {
    let Attachment { kind, hook_event, content, blocking_error } = attachment;
    let texts: Vec<String> = match kind.as_deref() {
        Some(CONTEXT) => content.texts().map(str::to_owned).collect(),
        // Plain text that a hook printed. One that printed an object has no text here.
        Some("hook_success") => content.text.into_iter().filter(|text| !text.is_empty()).collect(),
        Some("hook_blocking_error") => blocking_error.text.into_iter().collect(),
        Some(_) | None => Vec::new(),
    };
    let kind = hook_event.as_deref().and_then(Hook::from_name).map(Hook::kind);
    texts.into_iter().map(|text| Entry::injected(kind, text)).collect()
}

fn result(block: &Block) -> Entry {
    let pieces: Vec<&str> = block.content.texts().collect();
    Entry::result(&pieces.join("\n"), block.is_error == Some(true))
}

impl Content<Piece> {
    fn texts(&self) -> impl Iterator<Item = &str> {
        let pieces = self.list.iter().filter_map(|piece| piece.text.as_deref());
        self.text.as_deref().into_iter().chain(pieces)
    }
}
