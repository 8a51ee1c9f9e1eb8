//! What a host can tell us, in no host's own words.

mod kind;

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{AgentName, HostId};

pub use kind::EventKind;

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
    /// The skill that it loads into the context.
    pub skill: Option<String>,
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
    pub body: EventBody,
}

/// What happened, with what the host says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventBody {
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
    BeforeTool { tool: ToolCall },
    /// A tool was used.
    AfterTool {
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
        /// The last thing it said, where the host says that.
        message: Option<String>,
    },
    /// A subagent begins.
    SubagentStart {
        /// The host's id of the subagent.
        agent: String,
        agent_type: String,
        /// Why its context begins.
        source: StartSource,
        /// What it is asked, where the host says that here.
        prompt: Option<String>,
    },
    /// A subagent has ended.
    SubagentStop {
        /// The host's id of the subagent.
        agent: String,
        agent_type: String,
        /// The last thing it said.
        message: Option<String>,
        /// Whether its turn is itself the answer to a hook that kept it from stopping.
        again: bool,
    },
    SessionEnd {
        /// Why, in the host's word.
        reason: String,
    },
    /// A message wakes the agent. No host sends this; it is ours.
    Wake {
        /// Who wrote it.
        from: AgentName,
        /// What it says.
        message: String,
    },
}

impl EventBody {
    /// Returns the kind of event.
    pub const fn kind(&self) -> EventKind {
        match self {
            Self::SessionStart { .. } => EventKind::SessionStart,
            Self::Prompt { .. } => EventKind::Prompt,
            Self::BeforeTool { .. } => EventKind::BeforeTool,
            Self::AfterTool { .. } => EventKind::AfterTool,
            Self::Request { .. } => EventKind::Request,
            Self::Todos { .. } => EventKind::Todos,
            Self::PreCompact { .. } => EventKind::PreCompact,
            Self::PostCompact { .. } => EventKind::PostCompact,
            Self::Stop { .. } => EventKind::Stop,
            Self::SubagentStart { .. } => EventKind::SubagentStart,
            Self::SubagentStop { .. } => EventKind::SubagentStop,
            Self::SessionEnd { .. } => EventKind::SessionEnd,
            Self::Wake { .. } => EventKind::Wake,
        }
    }
}

impl Event {
    /// Returns the kind of event.
    pub const fn kind(&self) -> EventKind {
        self.body.kind()
    }

    /// Returns what changed in the host's own list of things to do.
    pub fn todos(&self) -> &[Todo] {
        if let EventBody::Todos { todos }
        | EventBody::AfterTool { tool: ToolCall { todos, .. }, failed: false } = &self.body
        {
            todos
        } else {
            &[]
        }
    }

    /// Returns the subagent whose own context the event is about.
    pub fn own_subagent(&self) -> Option<&str> {
        if let EventBody::SubagentStart { agent, .. } | EventBody::SubagentStop { agent, .. } =
            &self.body
        {
            Some(agent)
        } else {
            None
        }
    }

    /// Returns the word by which receipts name the event.
    pub const fn word(&self) -> &'static str {
        if let EventBody::SessionStart { source } = &self.body {
            source.word()
        } else {
            self.kind().receipt_word()
        }
    }

    /// Reports whether agents are told things at it, by several processes perhaps.
    pub fn tells(&self) -> bool {
        self.kind().tells()
    }

    /// Tells whether earlier notes are gone, so that a new epoch begins.
    pub const fn begins_epoch(&self) -> bool {
        if let EventBody::SessionStart { source } = &self.body {
            return source.begins_epoch();
        }
        // Some hosts say again that a subagent begins when they only go on with it.
        matches!(&self.body, EventBody::SubagentStart { source: StartSource::Compact, .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One event of each kind that has a body.
    fn bodies() -> [EventBody; 12] {
        let tool = || ToolCall {
            name: "Write".into(),
            class: ToolClass::Edit,
            path: None,
            has_other_paths: false,
            command: None,
            prompt: None,
            agent_type: None,
            skill: None,
            todos: Vec::new(),
        };
        let (agent, agent_type): (String, String) = ("a1".into(), "reviewer".into());
        let (source, trigger) = (StartSource::Resume, CompactTrigger::Auto);
        [
            EventBody::SessionStart { source },
            EventBody::Prompt { prompt: "go on".into() },
            EventBody::BeforeTool { tool: tool() },
            EventBody::AfterTool { tool: tool(), failed: false },
            EventBody::Request { notes: NotesIn::Held },
            EventBody::Todos { todos: Vec::new() },
            EventBody::PreCompact { trigger },
            EventBody::PostCompact { trigger, summary: None },
            EventBody::Stop { again: false, message: None },
            EventBody::SubagentStart {
                agent: agent.clone(),
                agent_type: agent_type.clone(),
                source,
                prompt: None,
            },
            EventBody::SubagentStop { agent, agent_type, message: None, again: false },
            EventBody::SessionEnd { reason: "other".into() },
        ]
    }

    #[test]
    fn a_host_can_say_every_kind_that_is_sent() {
        let said: Vec<_> = bodies().iter().map(EventBody::kind).collect();
        let missing: Vec<_> = EventKind::sent().filter(|kind| !said.contains(kind)).collect();
        assert_eq!(missing, [], "these are sent and have no body");
    }

    #[test]
    fn receipts_name_the_source_of_a_beginning() {
        let words = bodies().map(|body| {
            let session = HostId::parse("s1").unwrap();
            let directory = "/project".into();
            let (transcript, subagent) = (None, None);
            Event { session, directory, transcript, plan_mode: false, subagent, body }.word()
        });
        let expected = [
            "resume",
            "prompt",
            "before_tool",
            "after_tool",
            "request",
            "todos",
            "pre_compact",
            "post_compact",
            "stop",
            "subagent_start",
            "subagent_stop",
            "session_end",
        ];
        assert_eq!(words, expected);
    }
}
