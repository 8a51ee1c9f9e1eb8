//! Runs of workflows as the store keeps them, and decisions that somebody will ask about.
//!
//! What a run knows of its workflow is text here: the room that follows workflows reads and writes
//! it, and everybody else only needs where the run stands.

use alloc::{boxed::Box, string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{AgentName, Digest, Moment, Number, SessionId, TaskId, Trust, TrustedFile};

/// How a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// Somebody works on a step of it.
    Working,
    /// It waits for the person.
    Asking,
    /// All was done.
    Completed,
    /// It came to its end, and something on the way failed or was skipped.
    Ended,
    /// Somebody gave it up.
    Aborted,
}

impl RunStatus {
    /// Returns the word used in the store, in JSON and in lists.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Working => "working",
            Self::Asking => "asking",
            Self::Completed => "completed",
            Self::Ended => "ended",
            Self::Aborted => "aborted",
        }
    }

    /// Tells whether nothing is left to do.
    pub const fn is_over(self) -> bool {
        match self {
            Self::Completed | Self::Ended | Self::Aborted => true,
            Self::Working | Self::Asking => false,
        }
    }
}

/// A run as the store keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptRun {
    /// Its number in the project.
    pub number: Number,
    /// The name of its workflow.
    pub workflow: String,
    /// The definition it goes by, whatever becomes of the file.
    pub definition: Digest,
    /// The repository's file it comes from, as it was trusted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<TrustedFile>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<TaskId>,
    /// The session that moved it last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// Who moved it last.
    pub agent: AgentName,
    /// How it stands.
    pub status: RunStatus,
    /// How often it was moved.
    pub revision: u32,
    /// When it began.
    pub began: Moment,
    /// When it was moved last.
    pub moved: Moment,
    /// All that is known of it, as JSON.
    pub state: String,
    /// What is told of it.
    #[serde(default, skip_serializing_if = "RunCard::is_empty")]
    pub card: RunCard,
}

/// What is told of a run without another look at its workflow.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunCard {
    /// The number of the step at hand.
    pub step: u32,
    /// How many there are.
    pub total: u32,
    /// What the step is called.
    pub title: String,
    /// Its name in the definition.
    pub id: String,
    /// The one thing to do next.
    pub next: String,
    /// What the step says.
    pub text: String,
    /// The tools whoever leads the work may use.
    #[serde(skip_serializing_if = "ToolScope::is_free")]
    pub tools: ToolScope,
    /// The role of the agents it hands work to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_role: Option<String>,
    /// The tools the agents it hands work to may use; those above, if nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_tools: Option<ToolScope>,
}

impl RunCard {
    /// Tells whether there is nothing to tell.
    pub const fn is_empty(&self) -> bool {
        self.total == 0
    }
}

/// Which tools may be used, by their names with `*`, or by classes such as `edit`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolScope {
    /// Only these, if any are named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allow: Vec<String>,
    /// Not these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub block: Vec<String>,
    /// Of the files below the project, only those that fit one of these patterns may be changed, if
    /// any are named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edit: Vec<String>,
}

impl ToolScope {
    /// Tells whether every tool may be used.
    pub const fn is_free(&self) -> bool {
        self.allow.is_empty() && self.block.is_empty() && self.edit.is_empty()
    }
}

/// Something that happened to a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunEntry {
    /// When.
    pub at: Moment,
    /// Who moved it.
    pub by: AgentName,
    /// How far they may be believed.
    pub trust: Trust,
    /// How often the run had been moved then.
    pub revision: u32,
    /// What happened, as JSON.
    pub what: String,
    /// The result that was handed in with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Digest>,
}

/// A decision that somebody will ask about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// When it was taken.
    pub at: Moment,
    /// By whom.
    pub by: AgentName,
    /// What was decided.
    pub text: String,
    /// Whether a risk was taken with it.
    pub is_risk: bool,
    /// The run it concerns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Number>,
}

/// A change of a run of a workflow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RunEffect {
    /// A run of a workflow begins. Refused when its number was given to another.
    Begun {
        run: Box<KeptRun>,
        /// What happened on the way to its first step, each as JSON.
        entries: Vec<String>,
        /// What is told of it, which follows from the rest.
        #[serde(skip)]
        card: Box<RunCard>,
    },
    /// A run is moved. Refused when somebody moved it meanwhile.
    Moved {
        /// The run as it stands now.
        run: Box<KeptRun>,
        /// How often it had been moved before.
        from: u32,
        /// What happened, each as JSON.
        entries: Vec<String>,
        /// The result that was handed in.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        result: Option<Digest>,
        /// What is told of it, which follows from the rest.
        #[serde(skip)]
        card: Box<RunCard>,
    },
    /// Somebody will ask about a decision.
    DecisionTaken { decision: Decision },
}

impl RunEffect {
    /// Returns the word under which the effect stands in the journal.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Begun { .. } => "begun",
            Self::Moved { .. } => "moved",
            Self::DecisionTaken { .. } => "decision_taken",
        }
    }
}
