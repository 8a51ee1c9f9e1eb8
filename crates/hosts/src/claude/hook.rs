//! The events of Claude Code, with what an answer to each of them can carry.
//!
//! All of it was measured with the real client: what an event is said to carry here reaches the
//! model, and what it is said not to carry is lost or does something else.

use pacenote_model::EventKind;

use crate::{Carried, Row};

/// Returns the words on our command line of the events that tell us something.
pub fn events() -> impl Iterator<Item = &'static str> {
    Hook::ALL.into_iter().map(Hook::word)
}

/// Returns what an event is in no host's own words; `None` when it tells us nothing.
pub fn kind(event: &str) -> Option<EventKind> {
    Hook::from_word(event).map(Hook::kind)
}

/// Returns what the answers to events can carry. Where two events are of one kind, only what both
/// carry counts.
pub fn rows() -> Vec<Row> {
    let row = |kind| {
        let hooks = || Hook::ALL.into_iter().filter(move |hook| hook.kind() == kind);
        Row {
            kind,
            names: hooks().map(Hook::name).collect(),
            context: hooks().all(Hook::carries_context),
            verdict: hooks().find_map(Hook::verdict),
            input: hooks().all(Hook::carries_input),
            remark: hooks().find_map(Hook::remark),
        }
    };
    EventKind::sent().map(row).filter(|row| !row.names.is_empty()).collect()
}

/// Events that are known and tell us nothing that we need, by their words on our command line.
pub(super) const PASSED: [&str; 20] = [
    "config-change",
    "cwd-changed",
    "directory-added",
    "elicitation",
    "elicitation-result",
    "file-changed",
    "instructions-loaded",
    "message-display",
    "notification",
    "permission-denied",
    "permission-request",
    "post-model-switch",
    "post-tool-batch",
    "pre-model-switch",
    "setup",
    "stop-failure",
    "teammate-idle",
    "user-prompt-expansion",
    "worktree-create",
    "worktree-remove",
];

/// An event of Claude Code that tells us something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hook {
    SessionStart,
    UserPromptSubmit,
    PreToolUse,
    PostToolUse,
    PostToolUseFailure,
    TaskCreated,
    TaskCompleted,
    PreCompact,
    PostCompact,
    Stop,
    SubagentStart,
    SubagentStop,
    SessionEnd,
}

impl Hook {
    /// Every event, in the order of a session.
    pub(super) const ALL: [Self; 13] = [
        Self::SessionStart,
        Self::UserPromptSubmit,
        Self::PreToolUse,
        Self::PostToolUse,
        Self::PostToolUseFailure,
        Self::TaskCreated,
        Self::TaskCompleted,
        Self::PreCompact,
        Self::PostCompact,
        Self::Stop,
        Self::SubagentStart,
        Self::SubagentStop,
        Self::SessionEnd,
    ];

    /// Returns the event that a word on our command line means.
    pub(crate) fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|hook| hook.word() == word)
    }

    /// Returns the word on our command line.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::SessionStart => "session-start",
            Self::UserPromptSubmit => "user-prompt-submit",
            Self::PreToolUse => "pre-tool-use",
            Self::PostToolUse => "post-tool-use",
            Self::PostToolUseFailure => "post-tool-use-failure",
            Self::TaskCreated => "task-created",
            Self::TaskCompleted => "task-completed",
            Self::PreCompact => "pre-compact",
            Self::PostCompact => "post-compact",
            Self::Stop => "stop",
            Self::SubagentStart => "subagent-start",
            Self::SubagentStop => "subagent-stop",
            Self::SessionEnd => "session-end",
        }
    }

    /// Returns Claude Code's own name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::SessionStart => "SessionStart",
            Self::UserPromptSubmit => "UserPromptSubmit",
            Self::PreToolUse => "PreToolUse",
            Self::PostToolUse => "PostToolUse",
            Self::PostToolUseFailure => "PostToolUseFailure",
            Self::TaskCreated => "TaskCreated",
            Self::TaskCompleted => "TaskCompleted",
            Self::PreCompact => "PreCompact",
            Self::PostCompact => "PostCompact",
            Self::Stop => "Stop",
            Self::SubagentStart => "SubagentStart",
            Self::SubagentStop => "SubagentStop",
            Self::SessionEnd => "SessionEnd",
        }
    }

    /// Returns the event that Claude Code's own name means.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|hook| hook.name() == name)
    }

    /// Returns what it is in no host's own words.
    pub(super) const fn kind(self) -> EventKind {
        match self {
            Self::SessionStart => EventKind::SessionStart,
            Self::UserPromptSubmit => EventKind::Prompt,
            Self::PreToolUse => EventKind::BeforeTool,
            Self::PostToolUse | Self::PostToolUseFailure => EventKind::AfterTool,
            Self::TaskCreated | Self::TaskCompleted => EventKind::Todos,
            Self::PreCompact => EventKind::PreCompact,
            Self::PostCompact => EventKind::PostCompact,
            Self::Stop => EventKind::Stop,
            Self::SubagentStart => EventKind::SubagentStart,
            Self::SubagentStop => EventKind::SubagentStop,
            Self::SessionEnd => EventKind::SessionEnd,
        }
    }

    /// Tells whether text for the model can be answered.
    pub(super) const fn carries_context(self) -> bool {
        match self {
            Self::SessionStart
            | Self::UserPromptSubmit
            | Self::PreToolUse
            | Self::PostToolUse
            | Self::PostToolUseFailure
            | Self::SubagentStart => true,
            // At a stop the client would read it, and keep the agent going for its sake.
            Self::Stop
            | Self::TaskCreated
            | Self::TaskCompleted
            | Self::PreCompact
            | Self::PostCompact
            | Self::SubagentStop
            | Self::SessionEnd => false,
        }
    }

    /// Tells whether whatever is printed is taken for plain text, even an object that says nothing:
    /// the model that summarises gets it for an instruction, the person for a message.
    pub(super) const fn takes_any_output_for_text(self) -> bool {
        match self {
            Self::PreCompact | Self::PostCompact => true,
            Self::SessionStart
            | Self::UserPromptSubmit
            | Self::PreToolUse
            | Self::PostToolUse
            | Self::PostToolUseFailure
            | Self::TaskCreated
            | Self::TaskCompleted
            | Self::Stop
            | Self::SubagentStart
            | Self::SubagentStop
            | Self::SessionEnd => false,
        }
    }

    /// Tells which verdict can be answered.
    pub(super) const fn verdict(self) -> Option<Carried> {
        match self {
            Self::PreToolUse => Some(Carried::Denial),
            Self::Stop | Self::SubagentStop => Some(Carried::GoingOn),
            Self::SessionStart
            | Self::UserPromptSubmit
            | Self::PostToolUse
            | Self::PostToolUseFailure
            | Self::TaskCreated
            | Self::TaskCompleted
            | Self::PreCompact
            | Self::PostCompact
            | Self::SubagentStart
            | Self::SessionEnd => None,
        }
    }

    /// Tells whether a tool's input can be replaced.
    pub(super) const fn carries_input(self) -> bool {
        match self {
            Self::PreToolUse => true,
            Self::SessionStart
            | Self::UserPromptSubmit
            | Self::PostToolUse
            | Self::PostToolUseFailure
            | Self::TaskCreated
            | Self::TaskCompleted
            | Self::PreCompact
            | Self::PostCompact
            | Self::Stop
            | Self::SubagentStart
            | Self::SubagentStop
            | Self::SessionEnd => false,
        }
    }

    /// Says what becomes of an answer that it does not carry, or how one is carried that it does.
    pub(super) const fn remark(self) -> Option<&'static str> {
        match self {
            Self::SessionStart => {
                Some("each part is a hook of its own, and they arrive in any order")
            }
            Self::PreToolUse => Some("the new input replaces the whole one and needs permission"),
            Self::TaskCreated | Self::TaskCompleted | Self::SubagentStop => Some("context is lost"),
            Self::PreCompact => Some("printed text would become the summariser's instructions"),
            Self::PostCompact => Some("printed text is for the person; a session start follows"),
            Self::Stop => Some("context would keep the agent going; it waits for the next prompt"),
            Self::SessionEnd => Some("nobody reads the answer"),
            Self::UserPromptSubmit
            | Self::PostToolUse
            | Self::PostToolUseFailure
            | Self::SubagentStart => None,
        }
    }
}
