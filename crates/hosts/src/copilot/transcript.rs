//! Copilot CLI's transcript: a file of JSON lines that grows while a session goes on.
//!
//! A line is read by itself, for the last one may be half written. Our own notes come back in it, and
//! are marked: whoever learns from a transcript must not learn from itself. The form of the lines is
//! the client's private affair, so what is not understood is passed over, never an error.

mod line;

#[cfg(test)]
mod tests;

use crate::lenient;

use self::line::{Data, Line};
use super::hook::HOOKS;

pub use crate::transcript::{Entry, LINE_BYTES};

/// The line that says what became of a hook.
const HOOK_ENDED: &str = "hook.end";

/// Reads a line: usually one entry, several where the model said something and used tools, and none
/// when it is no JSON, such as the last one while it is written.
pub fn read(line: &str) -> Vec<Entry> {
    if line.len() > LINE_BYTES {
        return vec![Entry::Other];
    }
    let Ok(Line { kind, agent_id, data }) = lenient::read::<Line>(line) else { return Vec::new() };
    let mut entries = match kind.as_deref() {
        Some("user.message") => {
            // Not as it was sent: there our notes stand around it.
            let said = data.content.filter(|text| !text.is_empty()).into_iter();
            let is_a_subagents = agent_id.is_some();
            said.map(
                |text| if is_a_subagents { Entry::Task { text } } else { Entry::Prompt { text } },
            )
            .collect()
        }
        Some("assistant.message") => {
            let said = data.content.filter(|text| !text.is_empty());
            let used = data.tool_requests.into_iter().filter_map(|request| request.name);
            let used = used.map(|name| Entry::ToolUse { name });
            said.map(|text| Entry::Answer { text }).into_iter().chain(used).collect()
        }
        Some("tool.execution_complete") => vec![result(data)],
        Some(HOOK_ENDED) => injected(data),
        Some("session.compaction_complete") => {
            data.summary_content.map(|text| Entry::Summary { text }).into_iter().collect()
        }
        Some(_) | None => Vec::new(),
    };
    if entries.is_empty() {
        entries.push(Entry::Other);
    }
    entries
}

/// Tells whether a line says that exactly this text of a hook was taken for the model.
pub fn holds(line: &str, text: &str) -> bool {
    // Few lines do, and looking costs less than reading.
    if line.len() > LINE_BYTES || !line.contains(HOOK_ENDED) {
        return false;
    }
    lenient::read::<Line>(line).is_ok_and(|Line { kind, data, .. }| {
        kind.as_deref() == Some(HOOK_ENDED)
            && data.success == Some(true)
            && data.output.additional_context.as_deref() == Some(text)
    })
}

fn injected(data: Data) -> Vec<Entry> {
    let name = data.hook_type.unwrap_or_default();
    let kind = HOOKS.iter().find(|hook| hook.name == name).map(|hook| hook.kind);
    let texts = data.output.additional_context.into_iter();
    texts.map(|text| Entry::injected(kind, text)).collect()
}

fn result(data: Data) -> Entry {
    let (result, failed) = (data.result, data.success == Some(false));
    // What hooks said is appended to what the model is given, and to nothing else.
    let text = result.detailed_content.or(result.content).or(data.error.message);
    Entry::result(&text.unwrap_or_default(), failed)
}
