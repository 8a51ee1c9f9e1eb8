//! Sessions: one conversation of one host, under both its own id and ours.

use alloc::string::String;

use serde::{Deserialize, Serialize};

use crate::{
    AgentName, Artifact, HostId, HostName, Moment, Number, ProjectId, SessionId, TaskId, Title,
    Value,
};

/// Where a session stands in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionStatus {
    /// The host is talking to its model, or may at any moment.
    Active,
    /// Interrupted, expected to go on.
    Paused,
    /// Ended with work that another session should take over.
    AwaitingHandoff,
    /// Ended.
    Completed,
    /// Not heard of for so long that nobody will come back.
    Expired,
}

impl SessionStatus {
    /// Every status, in the order of a session's life.
    pub const ALL: [Self; 5] =
        [Self::Active, Self::Paused, Self::AwaitingHandoff, Self::Completed, Self::Expired];

    /// Returns the word used in the store and in JSON.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Paused => "paused",
            Self::AwaitingHandoff => "awaiting_handoff",
            Self::Completed => "completed",
            Self::Expired => "expired",
        }
    }

    /// Parses the word of [`SessionStatus::word`].
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.word() == word)
    }
}

/// A session as the store keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    pub id: SessionId,
    /// Its number in the project.
    pub number: Number,
    /// The project it works in.
    pub project: ProjectId,
    /// The host it runs in.
    pub host: HostName,
    /// The host's own id for it.
    pub host_id: HostId,
    /// The session that spawned it.
    pub parent: Option<SessionId>,
    /// The agent that speaks in it.
    pub agent: Option<AgentName>,
    /// Where it stands.
    pub status: SessionStatus,
    /// How often its context began anew: at start, at clear, at each compaction.
    pub epoch: u32,
    /// The host's transcript file, as the host named it.
    pub transcript: Option<String>,
    /// When it was first seen.
    pub first_seen: Moment,
    /// When it was last seen.
    pub last_seen: Moment,
}

/// A change of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SessionEffect {
    /// A session was seen; it is made known, or its last sight is brought up to date.
    Seen {
        /// The id it gets if it is new.
        id: SessionId,
        host: HostName,
        /// The host's id of it.
        host_id: HostId,
        /// The session that spawned it.
        parent: Option<SessionId>,
        /// The agent that speaks in it; `None` leaves what is known.
        agent: Option<AgentName>,
        /// The host's transcript file; `None` leaves what is known.
        transcript: Option<String>,
        /// When it was seen.
        seen: Moment,
        /// Whether its context began anew.
        new_epoch: bool,
    },
    /// A session's status changed.
    Moved {
        session: SessionId,
        /// Its new status.
        to: SessionStatus,
    },
    /// A session's status changed, as its host tells. One that is not known is passed over.
    Marked {
        host: HostName,
        /// The host's id of the session.
        host_id: HostId,
        /// Its new status.
        to: SessionStatus,
    },
    /// A session is given the name under which it acts.
    Named {
        session: SessionId,
        /// The agent that speaks in it.
        agent: AgentName,
    },
    /// A variable of a session has a value.
    VariableSet {
        host: HostName,
        /// The host's id of the session.
        host_id: HostId,
        variable: String,
        value: Value,
    },
    /// A file was noted.
    ArtifactCaptured {
        host: HostName,
        /// The host's id of the session.
        host_id: HostId,
        /// The file.
        artifact: Artifact,
    },
    /// A rule noted that something happened.
    Observed {
        host: HostName,
        /// The host's id of the session.
        host_id: HostId,
        /// What kind of thing.
        category: String,
        /// What.
        message: String,
    },
    /// A subagent was sent out.
    Dispatched {
        host: HostName,
        /// The host's id of the session that sent it.
        host_id: HostId,
        /// When it began.
        at: Moment,
        /// The type of the subagent.
        agent_type: String,
        /// The task it was given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        task: Option<TaskId>,
    },
    /// A rule refused something.
    Refused {
        host: HostName,
        /// The host's id of the session.
        host_id: HostId,
        rule: String,
        /// What was refused: the name of a tool, or `stop`.
        what: String,
    },
}

impl SessionEffect {
    /// Returns the word under which the effect stands in the journal.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Seen { .. } => "seen",
            Self::Moved { .. } => "moved",
            Self::Marked { .. } => "marked",
            Self::Named { .. } => "named",
            Self::VariableSet { .. } => "variable_set",
            Self::ArtifactCaptured { .. } => "artifact_captured",
            Self::Observed { .. } => "observed",
            Self::Dispatched { .. } => "dispatched",
            Self::Refused { .. } => "refused",
        }
    }
}

/// A change of an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AgentEffect {
    /// An agent is there for something in a project; without a role, for nothing in particular.
    RoleGiven {
        agent: AgentName,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        role: Option<Title>,
    },
}

impl AgentEffect {
    /// Returns the word under which the effect stands in the journal.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::RoleGiven { .. } => "role_given",
        }
    }
}
