//! What a hook remembers in the log of its session, for a command to ingest.

use alloc::{boxed::Box, string::String, vec::Vec};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    AgentName, Digest, Handoff, HostId, HostName, Moment, Sequence, SessionId, SessionStatus,
    StartSource, TaskId, Todo, Trust, Utterance, Value, Wish,
    receipt::{EmissionId, Receipt},
};

/// Where a line of a session log comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// When it was written.
    pub at: Moment,
    pub host: HostName,
    /// The host's id of the session.
    pub host_id: HostId,
    /// The project's place.
    pub place: String,
    /// The project's name.
    pub name: String,
}

/// Neighbouring lines of a session log that cannot be applied, for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetAside {
    /// The name of the log's file.
    pub file: String,
    /// Where the first one begins, in bytes.
    pub from: u64,
    /// Where the last one ends.
    pub to: u64,
    /// How many there are.
    pub lines: u32,
    /// Why they cannot be applied.
    pub reason: String,
}

/// Lines that were set aside, as the store keeps them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptSetAside {
    /// The journal entry that set them aside, by which they are known.
    pub number: Sequence,
    /// When that was.
    pub at: Moment,
    pub lines: SetAside,
}

/// A skill whose text was injected for a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InjectedSkill {
    /// The task it was chosen for.
    pub task: TaskId,
    /// The reader, by the name it has or will have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentName>,
    /// The skill, as it was found.
    pub reference: String,
    /// The digest of its file.
    pub digest: Digest,
    /// The word of the rule that decided.
    pub rule: String,
    /// Why, in one sentence.
    pub reason: String,
    /// The digest of its body without secrets, under which the store keeps that.
    pub text: Digest,
    /// The body itself, where no earlier line has it and the skill is not built in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
}

/// One line of a session log.
///
/// Old binaries meet new lines and the other way round: fields are only ever added, with a default,
/// and a line of an unknown kind is set aside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Record {
    /// A session's context began.
    SessionStart {
        /// When the hook saw it.
        at: Moment,
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
        /// The host's id of the session that spawned it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        parent: Option<HostId>,
    },
    /// A hook saw an event.
    Seen {
        /// When.
        at: Moment,
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
        /// The word of the event.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        event: String,
    },
    /// An emission was assembled and is about to be printed.
    Offered {
        /// When.
        at: Moment,
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
        emission: EmissionId,
        /// The part, counted from one.
        part: u8,
        text: String,
    },
    /// A session stands somewhere else in its life.
    Marked {
        /// Where this comes from.
        #[serde(flatten)]
        from: Origin,
        status: SessionStatus,
    },
    /// A variable has a value.
    Set {
        /// Where this comes from.
        #[serde(flatten)]
        from: Origin,
        variable: String,
        value: Value,
    },
    /// A rule refused something.
    Refused {
        /// Where this comes from.
        #[serde(flatten)]
        from: Origin,
        rule: String,
        /// What was refused: the name of a tool, or `stop`.
        what: String,
    },
    /// An opening of a gate let something pass.
    Passed {
        /// Where this comes from.
        #[serde(flatten)]
        from: Origin,
        opening: Uuid,
    },
    /// What the session would leave behind now.
    Drafted {
        /// Where this comes from.
        #[serde(flatten)]
        from: Origin,
        /// What it is.
        handoff: Box<Handoff>,
    },
    /// A rule noted that something happened.
    Observed {
        /// Where this comes from.
        #[serde(flatten)]
        from: Origin,
        /// What kind of thing.
        category: String,
        /// What.
        message: String,
    },
    /// Something is wished for that takes longer than a hook may.
    Wished {
        /// Where this comes from.
        #[serde(flatten)]
        from: Origin,
        wish: Wish,
    },
    /// A subagent is asked to do something, before it begins.
    Asked {
        /// Where this comes from.
        #[serde(flatten)]
        from: Origin,
        /// The type of the subagent; empty where none was asked for.
        agent_type: String,
        /// What it is asked to do.
        prompt: String,
    },
    /// A subagent began, in the log of the session that asked it.
    Begun {
        /// Where this comes from.
        #[serde(flatten)]
        from: Origin,
        /// The host's id of the subagent.
        agent: String,
        agent_type: String,
        /// The task it was told is its own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        task: Option<TaskId>,
        /// The word for what it is there for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        role: Option<String>,
    },
    /// The session took what others left: the first of them, and with it all that is older.
    Taken {
        /// Where this comes from.
        #[serde(flatten)]
        from: Origin,
        /// The sessions that left it.
        sessions: Vec<SessionId>,
    },
    /// The session gives back what another one left and it took, for nothing happened in it.
    Returned {
        /// Where this comes from.
        #[serde(flatten)]
        from: Origin,
        /// The session that left it.
        session: SessionId,
    },
    /// The host's own list of things to do changed.
    Listed {
        /// Where this comes from.
        #[serde(flatten)]
        from: Origin,
        /// What changed.
        todos: Vec<Todo>,
    },
    /// A rule told something at an event whose answer carries no text: it is told with the next.
    Deferred {
        /// Where this comes from.
        #[serde(flatten)]
        from: Origin,
        rule: String,
        /// How far it may be believed.
        trust: Trust,
        /// What it said.
        text: String,
    },
    /// A skill was injected for a task.
    SkillInjected {
        /// Where this comes from.
        #[serde(flatten)]
        from: Origin,
        skill: Box<InjectedSkill>,
    },
    /// The agent loaded a skill by itself.
    SkillLoaded {
        /// Where this comes from.
        #[serde(flatten)]
        from: Origin,
        /// The skill, as the agent named it.
        skill: String,
    },
    /// Somebody said something that nothing but the session knows. Of each kind the last counts.
    Said {
        /// Where this comes from.
        #[serde(flatten)]
        from: Origin,
        /// What it was.
        utterance: Utterance,
        /// What was said, without the questions at its end.
        text: String,
        /// What was asked at the end.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        questions: Vec<String>,
    },
    /// The host threw its context away, or is about to: what was told has to be told again.
    Lost {
        /// Where this comes from.
        #[serde(flatten)]
        from: Origin,
    },
    /// A part of an emission was written to standard output.
    Printed {
        host: HostName,
        /// The host's id of the session.
        host_id: HostId,
        /// The project's place.
        place: String,
        /// The project's name.
        name: String,
        emission: EmissionId,
        /// The part, counted from one.
        part: u8,
    },
}

impl Record {
    /// Returns what was offered, when the line says so.
    pub const fn offered(&self) -> Option<&Receipt> {
        if let Self::Offered { receipt, .. } = self { Some(receipt) } else { None }
    }

    /// Returns what the session would leave behind, when the line says that.
    pub fn drafted(&self) -> Option<&Handoff> {
        if let Self::Drafted { handoff, .. } = self { Some(handoff) } else { None }
    }

    /// Returns the skill that was injected, when the line says so.
    pub fn injected_skill(&self) -> Option<&InjectedSkill> {
        if let Self::SkillInjected { skill, .. } = self { Some(skill) } else { None }
    }

    /// Returns the text of a part of an emission, when the line is that.
    pub fn into_text(self) -> Option<(EmissionId, u8, String)> {
        if let Self::Text { emission, part, text } = self {
            Some((emission, part, text))
        } else {
            None
        }
    }
}

/// A change of what is known of a session log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum LogEffect {
    /// Part of a session log was ingested. Refused unless the log's cursor stands at `from`.
    Ingested {
        /// The name under which the log's cursor is kept.
        log: String,
        /// Where the part begins, in bytes.
        from: u64,
        /// Where it ends.
        to: u64,
    },
    /// A session log is shorter than what was ingested of it: somebody cut it, and what is left was
    /// ingested before. Refused unless the log's cursor stands at `from`.
    Cut {
        /// The name under which the log's cursor is kept.
        log: String,
        /// Where the cursor stands, in bytes.
        from: u64,
        /// Where the log ends.
        to: u64,
    },
    /// Lines of a session log cannot be applied and are kept apart with the reason.
    SetAside { lines: SetAside },
    /// Nobody needs to look at lines that were set aside any more.
    SetAsideDropped {
        /// The journal entry that set them aside.
        number: Sequence,
    },
}

impl LogEffect {
    /// Returns the word under which the effect stands in the journal.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Ingested { .. } => "ingested",
            Self::Cut { .. } => "cut",
            Self::SetAside { .. } => "set_aside",
            Self::SetAsideDropped { .. } => "set_aside_dropped",
        }
    }
}
