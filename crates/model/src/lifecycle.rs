//! What lifecycle rules leave behind: variables, openings of gates, wishes, artifacts.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Digest, HostId, HostName, Moment, SessionId};

/// What a variable of a session holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// Yes or no.
    Bool(bool),
    /// A whole number.
    Number(i64),
    Text(String),
}

/// A file of a repository that the person trusts, by its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrustedFile {
    /// The file, relative to the project's root.
    pub path: String,
    /// The content that is trusted.
    pub digest: Digest,
    /// The user who trusts it.
    pub user: u32,
}

/// A gate that the person opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// Tells it from other openings.
    pub id: Uuid,
    /// The rule that no longer refuses.
    pub rule: String,
    /// Only for this session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// Whether it closes again after it was used once.
    pub once: bool,
    /// When it was opened.
    pub at: Moment,
}

/// A file that a rule noted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Artifact {
    /// What it is called, together with others of its kind.
    pub name: String,
    /// The file, relative to the project's root.
    pub path: String,
    /// Its content.
    pub digest: Digest,
    /// The event after which it was noted.
    pub step: String,
}

/// Something that takes longer than a hook may.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wish {
    /// Tells it from other wishes.
    pub id: Uuid,
    /// The host of the session that wishes it.
    pub host: HostName,
    /// The host's id of that session.
    pub host_id: HostId,
    /// The working directory of the session.
    pub directory: String,
    /// What is wished for.
    pub want: Want,
}

/// What a hook may wish for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "want", rename_all = "snake_case")]
pub enum Want {
    /// What the next session should know, written down with all that git says.
    Handoff,
    /// The files of a pattern, noted.
    Artifact {
        /// The pattern, relative to the project's root.
        glob: String,
        /// What they are called.
        name: String,
        /// The event after which they are noted.
        step: String,
    },
    /// The program of a rule of the person, run. Only the rule is named: what it runs may hold
    /// secrets, and stands in a file that no agent may write.
    Run {
        rule: String,
        /// What it ran when it was wished for, so that another rule of this name is not run instead.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        program: Option<Digest>,
    },
}

/// What a session left behind, and who took it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptHandoff {
    /// The session that left it.
    pub session: SessionId,
    /// When it was last written.
    pub written: Moment,
    /// What it says.
    pub handoff: crate::Handoff,
    /// The host's id of the session that took it.
    pub taken_by: Option<HostId>,
}

/// A change of what a person allows rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RuleEffect {
    /// The person trusts one content of a file of the project.
    FileTrusted {
        /// The file and its content.
        file: TrustedFile,
    },
    /// The person no longer trusts a file of the project.
    FileDistrusted {
        /// The file, relative to the project's root.
        path: String,
    },
    /// The person opens a gate.
    GateOpened { opening: Opening },
    /// An opening was used; one that holds only once is gone. One that is not known is passed over.
    GateUsed { opening: Uuid },
    /// The person closes a gate again, whatever opened it.
    GateClosed {
        /// The rule that refuses again.
        rule: String,
    },
}

impl RuleEffect {
    /// Returns the word under which the effect stands in the journal.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::FileTrusted { .. } => "file_trusted",
            Self::FileDistrusted { .. } => "file_distrusted",
            Self::GateOpened { .. } => "gate_opened",
            Self::GateUsed { .. } => "gate_used",
            Self::GateClosed { .. } => "gate_closed",
        }
    }
}

/// A change of what a hook asks a worker for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum WishEffect {
    /// A hook wishes for something that takes longer than a hook may.
    Made { wish: Wish },
    /// A wish was granted, or cannot be. One that is not known is passed over.
    Settled { wish: Uuid },
}

impl WishEffect {
    /// Returns the word under which the effect stands in the journal.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Made { .. } => "made",
            Self::Settled { .. } => "settled",
        }
    }
}
