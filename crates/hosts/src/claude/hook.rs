//! The events of Claude Code that we know, with what an answer to each of them can carry.
//!
//! All of it was measured with the real client: what an event is said to carry here reaches the
//! model, and what it is said not to carry is lost or does something else.

/// An event of Claude Code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hook {
    SessionStart,
    UserPromptSubmit,
    PreToolUse,
    PostToolUse,
    PostToolUseFailure,
    PreCompact,
    PostCompact,
    Stop,
    SubagentStart,
    SubagentStop,
    SessionEnd,
}

impl Hook {
    /// Every event, in the order of a session.
    pub(super) const ALL: [Self; 11] = [
        Self::SessionStart,
        Self::UserPromptSubmit,
        Self::PreToolUse,
        Self::PostToolUse,
        Self::PostToolUseFailure,
        Self::PreCompact,
        Self::PostCompact,
        Self::Stop,
        Self::SubagentStart,
        Self::SubagentStop,
        Self::SessionEnd,
    ];

    /// Returns the event that a word on our command line means.
    pub(super) fn from_word(word: &str) -> Option<Self> {
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
            Self::PreCompact => "PreCompact",
            Self::PostCompact => "PostCompact",
            Self::Stop => "Stop",
            Self::SubagentStart => "SubagentStart",
            Self::SubagentStop => "SubagentStop",
            Self::SessionEnd => "SessionEnd",
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
            | Self::PreCompact
            | Self::PostCompact
            | Self::SubagentStart
            | Self::SessionEnd => None,
        }
    }
}

/// A verdict that an event can carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Carried {
    /// A tool is refused.
    Denial,
    /// The agent must not stop yet.
    GoingOn,
}
