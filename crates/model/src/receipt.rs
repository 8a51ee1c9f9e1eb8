//! What was told to an agent, as values that are written down.

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{Digest, HostId, HostName, Moment, SessionId, Trust};

/// The most parts one emission may have. A host that cuts long answers runs a hook for each.
pub const PARTS: u8 = 4;

/// The name of an emission: the beginning of the digest of everything in it.
pub type EmissionId = String;

/// One item of an emission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceiptItem {
    /// What it is: `position`, `skill:writing-plans#Steps`, `mail:#7`.
    pub id: String,
    /// The kind of fragment it belongs to.
    pub kind: String,
    /// How far its text may be believed.
    pub trust: Trust,
    /// Why it is there, in one sentence.
    pub reason: String,
    /// About how many tokens it costs.
    pub tokens: u32,
    /// What became of it: `whole`, `folded`, `indexed` or `dropped`.
    pub fate: String,
    /// Why it was not told whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The digest of its text.
    pub digest: Digest,
    /// The part it stands in, counted from one; none when it was dropped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<u8>,
}

impl ReceiptItem {
    /// Tells whether the reader knows of it: by its text, a shorter form, or a line that names it.
    pub fn is_told(&self) -> bool {
        self.part.is_some()
    }

    /// Tells whether its text, or a shorter form of it, was told.
    pub fn is_shown(&self) -> bool {
        matches!(self.fate.as_str(), "whole" | "folded")
    }
}

/// How much of what is to be told an emission holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Extent {
    /// Everything, at the beginning of an epoch.
    Full,
    /// What changed since.
    Delta,
}

impl Extent {
    /// Returns the word used in the store and in lists.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Delta => "delta",
        }
    }

    /// Parses the word of [`Extent::word`].
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Full, Self::Delta].into_iter().find(|extent| extent.word() == word)
    }
}

/// An emission as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// Its name.
    pub emission: EmissionId,
    /// The epoch of the session it belongs to.
    pub epoch: u32,
    /// The event it answers.
    pub event: String,
    /// How much it holds.
    pub extent: Extent,
    /// About how many tokens it costs.
    pub tokens: u32,
    /// Characters that nobody would have seen and that were left out.
    #[serde(default)]
    pub hidden: usize,
    /// Secrets that were replaced.
    #[serde(default)]
    pub redacted: usize,
    pub parts: Vec<Digest>,
    pub items: Vec<ReceiptItem>,
}

/// A receipt in the order of its session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptReceipt {
    /// What was told.
    pub receipt: Receipt,
    pub session: SessionId,
    /// When it was offered.
    pub at: Moment,
    /// The parts that were printed, counted from one.
    pub printed: Vec<u8>,
}

/// A change of a receipt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ReceiptEffect {
    /// Something was offered to a session.
    Offered {
        host: HostName,
        /// The host's id of the session.
        host_id: HostId,
        /// When.
        offered: Moment,
        /// What.
        receipt: Receipt,
    },
    /// A part of what was offered was printed. One that is not known is passed over.
    Printed {
        host: HostName,
        /// The host's id of the session.
        host_id: HostId,
        emission: EmissionId,
        /// The part, counted from one.
        part: u8,
    },
}

impl ReceiptEffect {
    /// Returns the word under which the effect stands in the journal.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Offered { .. } => "offered",
            Self::Printed { .. } => "printed",
        }
    }
}
