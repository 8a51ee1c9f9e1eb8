//! What a host can tell us, in no host's own words.

use alloc::string::String;

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
}

impl StartSource {
    /// Returns the lowercase word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Startup => "startup",
            Self::Resume => "resume",
            Self::Clear => "clear",
            Self::Compact => "compact",
        }
    }

    /// Tells whether earlier notes are gone, so that a new epoch begins.
    pub const fn begins_epoch(self) -> bool {
        match self {
            Self::Startup | Self::Clear | Self::Compact => true,
            Self::Resume => false,
        }
    }
}

/// Something that happened in a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A session's context begins.
    SessionStart {
        /// The host's id of the session.
        session: HostId,
        /// Why it begins.
        source: StartSource,
        /// The working directory, as the host gave it.
        directory: String,
        /// The host's transcript file.
        transcript: Option<String>,
    },
    /// The person sends a prompt.
    Prompt {
        /// The host's id of the session.
        session: HostId,
        /// What the person wrote.
        prompt: String,
        /// The working directory, as the host gave it.
        directory: String,
        /// The host's transcript file.
        transcript: Option<String>,
    },
}

impl Event {
    /// Returns the host's id of the session.
    pub const fn session(&self) -> &HostId {
        match self {
            Self::SessionStart { session, .. } | Self::Prompt { session, .. } => session,
        }
    }

    /// Returns the working directory, as the host gave it.
    pub fn directory(&self) -> &str {
        match self {
            Self::SessionStart { directory, .. } | Self::Prompt { directory, .. } => directory,
        }
    }

    /// Returns the host's transcript file.
    pub fn transcript(&self) -> Option<&str> {
        match self {
            Self::SessionStart { transcript, .. } | Self::Prompt { transcript, .. } => {
                transcript.as_deref()
            }
        }
    }

    /// Returns the word by which receipts name the event.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::SessionStart { source, .. } => source.word(),
            Self::Prompt { .. } => "prompt",
        }
    }

    /// Tells whether earlier notes are gone, so that a new epoch begins.
    pub const fn begins_epoch(&self) -> bool {
        match self {
            Self::SessionStart { source, .. } => source.begins_epoch(),
            Self::Prompt { .. } => false,
        }
    }
}
