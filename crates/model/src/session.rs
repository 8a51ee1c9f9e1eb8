//! Sessions: one conversation of one host, under both its own id and ours.

use alloc::string::String;

use serde::{Deserialize, Serialize};

use crate::{AgentName, HostId, HostName, Moment, Number, ProjectId, SessionId};

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
