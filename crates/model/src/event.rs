//! What a host can tell us, in no host's own words.

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::HostId;

/// Why a session's context begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StartSource {
    /// A new session.
    Startup,
    /// An earlier session goes on with its context intact.
    Resume,
    /// The person emptied the context.
    Clear,
    /// The host summarised the context and threw the rest away.
    Compact,
    /// A copy of an earlier session goes on under a name of its own.
    Fork,
}

impl StartSource {
    /// Returns the lowercase word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Startup => "startup",
            Self::Resume => "resume",
            Self::Clear => "clear",
            Self::Compact => "compact",
            Self::Fork => "fork",
        }
    }

    /// Tells whether a new epoch begins: earlier notes are gone or, in a fork, were those of another
    /// session, whose name and task are not this one's and which no host names.
    pub const fn begins_epoch(self) -> bool {
        match self {
            Self::Startup | Self::Clear | Self::Compact | Self::Fork => true,
            Self::Resume => false,
        }
    }
}

/// Who or what asked for a compaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CompactTrigger {
    /// The person.
    Manual,
    /// The host, whose context was nearly full.
    Auto,
}

impl CompactTrigger {
    /// Returns the lowercase word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Manual => "manual",
            Self::Auto => "auto",
        }
    }
}

/// What a tool does, whatever its host calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolClass {
    /// It changes files.
    Edit,
    /// It runs a command.
    Shell,
    /// It starts another agent.
    Agent,
    /// It only reads.
    Read,
    /// It keeps a list of things to do.
    Todo,
    /// Something else.
    Other,
}

impl ToolClass {
    /// Every class.
    pub const ALL: [Self; 6] =
        [Self::Edit, Self::Shell, Self::Agent, Self::Read, Self::Todo, Self::Other];

    /// Returns the word used in rules.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Edit => "edit",
            Self::Shell => "shell",
            Self::Agent => "agent",
            Self::Read => "read",
            Self::Todo => "todo",
            Self::Other => "other",
        }
    }

    /// Parses the word of [`ToolClass::word`].
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.word() == word)
    }
}

/// A tool that the model wants to use, or has used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall {
    /// The host's name of the tool.
    pub name: String,
    /// What it does.
    pub class: ToolClass,
    /// The file it is about.
    pub path: Option<String>,
    /// Whether it names other files too, so that the path does not say all that it changes.
    pub has_other_paths: bool,
    /// The command it runs.
    pub command: Option<String>,
    /// What another agent is asked to do.
    pub prompt: Option<String>,
    /// The type of the agent that is started.
    pub agent_type: Option<String>,
    /// What it changes in the host's own list of things to do.
    pub todos: Vec<Todo>,
}

/// A thing to do in a host's own list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Todo {
    /// The host's id of it, unique within the session; a host without ids knows it by its title.
    pub id: Option<String>,
    /// Its title; `None` where the host only speaks of a change.
    pub title: Option<String>,
    /// Where it stands now; `None` where that did not change.
    pub state: Option<TodoState>,
}

/// Where a thing to do stands in a host's own list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TodoState {
    /// Nobody works on it.
    Open,
    /// It is being worked on.
    Doing,
    /// Finished.
    Done,
    /// Taken off the list.
    Dropped,
}

/// Whether a request to a model holds what we told before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotesIn {
    /// It does.
    Held,
    /// It does not, and earlier ones did: the host threw them away.
    Lost,
    /// It never does: the host makes each request anew.
    Never,
}

/// Something that happened in a session of a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The host's id of the session.
    pub session: HostId,
    /// The working directory, as the host gave it.
    pub directory: String,
    /// The host's transcript file.
    pub transcript: Option<String>,
    /// Whether the host only plans and changes nothing.
    pub plan_mode: bool,
    /// The subagent that uses a tool; `None` for the session itself, or where no host says.
    pub subagent: Option<String>,
    /// What happened.
    pub happening: Happening,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// A session's context begins.
    SessionStart {
        /// Why it begins.
        source: StartSource,
    },
    /// The person sends a prompt.
    Prompt {
        /// What the person wrote.
        prompt: String,
    },
    /// The model wants to use a tool.
    BeforeTool {
        /// The tool.
        tool: ToolCall,
    },
    /// A tool was used.
    AfterTool {
        /// The tool.
        tool: ToolCall,
        /// Whether it failed.
        failed: bool,
    },
    /// The host is about to send a request to its model.
    Request {
        /// Whether what we told before is in it.
        notes: NotesIn,
    },
    /// The host's own list of things to do changed.
    Todos {
        /// What changed.
        todos: Vec<Todo>,
    },
    /// The context is about to be compacted.
    PreCompact {
        /// Who asked for it.
        trigger: CompactTrigger,
    },
    /// The context was compacted.
    PostCompact {
        /// Who asked for it.
        trigger: CompactTrigger,
        /// The host's own summary of what was thrown away.
        summary: Option<String>,
    },
    /// The model has finished its turn.
    Stop {
        /// Whether the turn is itself the answer to a hook that kept the model from stopping.
        again: bool,
    },
    /// A subagent begins.
    SubagentStart {
        /// The host's id of the subagent.
        agent: String,
        /// Its type.
        agent_type: String,
        /// Why its context begins.
        source: StartSource,
    },
    /// A subagent has ended.
    SubagentStop {
        /// The host's id of the subagent.
        agent: String,
        /// Its type.
        agent_type: String,
        /// The last thing it said.
        message: Option<String>,
        /// Whether its turn is itself the answer to a hook that kept it from stopping.
        again: bool,
    },
    /// The session ends.
    SessionEnd {
        /// Why, in the host's word.
        reason: String,
    },
}

impl Event {
    /// Returns what changed in the host's own list of things to do.
    pub fn todos(&self) -> &[Todo] {
        match &self.happening {
            Happening::Todos { todos } => todos,
            Happening::AfterTool { tool, failed: false } => &tool.todos,
            Happening::AfterTool { .. }
            | Happening::SessionStart { .. }
            | Happening::Prompt { .. }
            | Happening::BeforeTool { .. }
            | Happening::Request { .. }
            | Happening::PreCompact { .. }
            | Happening::PostCompact { .. }
            | Happening::Stop { .. }
            | Happening::SubagentStart { .. }
            | Happening::SubagentStop { .. }
            | Happening::SessionEnd { .. } => &[],
        }
    }

    /// Returns the word by which receipts name the event.
    pub const fn word(&self) -> &'static str {
        match &self.happening {
            Happening::SessionStart { source } => source.word(),
            Happening::Prompt { .. } => "prompt",
            Happening::BeforeTool { .. } => "before_tool",
            Happening::AfterTool { .. } => "after_tool",
            Happening::Request { .. } => "request",
            Happening::Todos { .. } => "todos",
            Happening::PreCompact { .. } => "pre_compact",
            Happening::PostCompact { .. } => "post_compact",
            Happening::Stop { .. } => "stop",
            Happening::SubagentStart { .. } => "subagent_start",
            Happening::SubagentStop { .. } => "subagent_stop",
            Happening::SessionEnd { .. } => "session_end",
        }
    }

    /// Tells whether it is an event at which agents are told things, by several processes perhaps.
    pub const fn tells(&self) -> bool {
        match &self.happening {
            Happening::SessionStart { .. }
            | Happening::Prompt { .. }
            | Happening::SubagentStart { .. } => true,
            Happening::BeforeTool { .. }
            | Happening::AfterTool { .. }
            | Happening::Request { .. }
            | Happening::Todos { .. }
            | Happening::PreCompact { .. }
            | Happening::PostCompact { .. }
            | Happening::Stop { .. }
            | Happening::SubagentStop { .. }
            | Happening::SessionEnd { .. } => false,
        }
    }

    /// Tells whether earlier notes are gone, so that a new epoch begins.
    pub const fn begins_epoch(&self) -> bool {
        match &self.happening {
            Happening::SessionStart { source } => source.begins_epoch(),
            // Some hosts say again that one begins when they only go on with it.
            Happening::SubagentStart { source, .. } => matches!(source, StartSource::Compact),
            Happening::Prompt { .. }
            | Happening::BeforeTool { .. }
            | Happening::AfterTool { .. }
            | Happening::Request { .. }
            | Happening::Todos { .. }
            | Happening::PreCompact { .. }
            | Happening::PostCompact { .. }
            | Happening::Stop { .. }
            | Happening::SubagentStop { .. }
            | Happening::SessionEnd { .. } => false,
        }
    }
}
