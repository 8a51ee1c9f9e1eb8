//! The events of an agent's life, in no host's own words.

/// A kind of event. Hosts differ in which they tell, and in what they read in the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Moment {
    /// A session's context begins.
    SessionStart,
    /// The person sends a prompt.
    Prompt,
    /// The model wants to use a tool.
    BeforeTool,
    /// A tool was used.
    AfterTool,
    /// The host is about to send a request to its model.
    Request,
    /// The host's own list of things to do changed.
    Todos,
    /// The context is about to be compacted.
    PreCompact,
    /// The context was compacted.
    PostCompact,
    /// The model has finished its turn.
    Stop,
    /// A subagent begins.
    SubagentStart,
    /// A subagent has ended.
    SubagentStop,
    /// The session ends.
    SessionEnd,
}

impl Moment {
    /// Every moment, in the order of a session.
    pub const ALL: [Self; 12] = [
        Self::SessionStart,
        Self::Prompt,
        Self::BeforeTool,
        Self::AfterTool,
        Self::Request,
        Self::Todos,
        Self::PreCompact,
        Self::PostCompact,
        Self::Stop,
        Self::SubagentStart,
        Self::SubagentStop,
        Self::SessionEnd,
    ];

    /// Returns the word that `doctor` prints and scripts use.
    pub const fn word(self) -> &'static str {
        match self {
            Self::SessionStart => "session-start",
            Self::Prompt => "prompt",
            Self::BeforeTool => "before-tool",
            Self::AfterTool => "after-tool",
            Self::Request => "request",
            Self::Todos => "todos",
            Self::PreCompact => "pre-compact",
            Self::PostCompact => "post-compact",
            Self::Stop => "stop",
            Self::SubagentStart => "subagent-start",
            Self::SubagentStop => "subagent-stop",
            Self::SessionEnd => "session-end",
        }
    }

    /// Parses the word of [`Moment::word`].
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|moment| moment.word() == word)
    }
}

/// A verdict that an answer can carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carried {
    /// A tool is refused.
    Denial,
    /// The agent must not stop yet.
    GoingOn,
}

impl Carried {
    /// Returns the word that `doctor` prints.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Denial => "deny",
            Self::GoingOn => "go on",
        }
    }
}
