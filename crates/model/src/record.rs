//! What a hook remembers in the log of its session, for a command to ingest.

use alloc::string::String;

use serde::{Deserialize, Serialize};

use crate::{
    AgentName, HostId, HostName, Moment, StartSource,
    receipt::{EmissionId, Receipt},
};

/// One line of a session log.
///
/// Old binaries meet new lines and the other way round: fields are only ever added, with a default,
/// and a line of an unknown kind is counted and passed over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Record {
    /// A session's context began.
    SessionStart {
        /// When the hook saw it.
        at: Moment,
        /// The host.
        host: HostName,
        /// The host's id of the session.
        host_id: HostId,
        /// Why the context began.
        source: StartSource,
        /// The project's place (see [`crate::Project::place`]).
        place: String,
        /// The project's name.
        name: String,
        /// The host's transcript file.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        transcript: Option<String>,
        /// The agent that speaks in the session, when its environment says so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent: Option<AgentName>,
    },
    /// A hook saw an event.
    Seen {
        /// When.
        at: Moment,
        /// The host.
        host: HostName,
        /// The host's id of the session.
        host_id: HostId,
        /// The project's place.
        place: String,
        /// The project's name.
        name: String,
        /// What distinguishes the event from others: the digest of its payload, shortened.
        payload: String,
        /// The part that the hook answers with, counted from one.
        part: u8,
        /// The epoch the event belongs to.
        epoch: u32,
        /// Whether the event began it.
        begins: bool,
    },
    /// An emission was assembled and is about to be printed.
    Offered {
        /// When.
        at: Moment,
        /// The host.
        host: HostName,
        /// The host's id of the session.
        host_id: HostId,
        /// The project's place.
        place: String,
        /// The project's name.
        name: String,
        /// The payload of the event it answers.
        payload: String,
        /// What it tells.
        receipt: Receipt,
    },
    /// The text of one part of an emission.
    Text {
        /// The emission.
        emission: EmissionId,
        /// The part, counted from one.
        part: u8,
        /// The text.
        text: String,
    },
    /// A part of an emission was written to standard output.
    Printed {
        /// The host.
        host: HostName,
        /// The host's id of the session.
        host_id: HostId,
        /// The project's place.
        place: String,
        /// The project's name.
        name: String,
        /// The emission.
        emission: EmissionId,
        /// The part, counted from one.
        part: u8,
    },
}
