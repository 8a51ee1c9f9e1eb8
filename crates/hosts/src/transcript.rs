//! What stands in transcripts, in no host's own words.

use pacenote_model::EventKind;

/// Longest line that is looked into, in bytes. Four parts of notes with every character escaped, which
/// some clients write twice, are half of that; longer lines hold images and files.
pub const LINE_BYTES: usize = 1024 * 1024;

/// Most that is kept of what a tool gave back, in characters: enough to see what it was about.
pub const RESULT_CHARACTERS: usize = 2_000;

/// How our notes begin.
const OPENING: &str = "<pacenote ";

/// Something that was said or done in a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// What the person wrote.
    Prompt { text: String },
    /// What a subagent was asked to do.
    Task { text: String },
    /// What the model said.
    Answer { text: String },
    /// What the model used.
    ToolUse {
        /// The client's name of the tool.
        name: String,
    },
    /// What a tool gave back.
    ToolResult {
        /// The beginning of the text.
        text: String,
        /// Whether it failed.
        failed: bool,
    },
    /// What a hook said to the model.
    Injected {
        /// When, where the event is one that tells us something.
        kind: Option<EventKind>,
        text: String,
        /// Whether it is our own.
        ours: bool,
    },
    /// What the client kept of a conversation that it compacted.
    Summary { text: String },
    /// Something else.
    Other,
}

impl Entry {
    /// Notes what a hook said to the model.
    pub(crate) fn injected(kind: Option<EventKind>, text: String) -> Self {
        Self::Injected { kind, ours: text.contains(OPENING), text }
    }

    /// Notes what a tool gave back.
    pub(crate) fn result(text: &str, failed: bool) -> Self {
        Self::ToolResult { text: text.chars().take(RESULT_CHARACTERS).collect(), failed }
    }
}
