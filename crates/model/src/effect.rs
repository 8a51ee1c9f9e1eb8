//! What a commit does, what came of it, and why it may be refused.
//!
//! An effect is a decision already taken, with the guard it needs written into its meaning: a claim
//! is refused when somebody else holds the task, a close when steps are open. The store checks the
//! guards inside the same transaction, so that no caller needs a lock.

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{
    AgentEffect, AgentName, Digest, HandoffEffect, HostId, LogEffect, MailEffect, MessageId,
    Moment, Number, PathPattern, ProjectEffect, ProjectId, ReceiptEffect, ReservationEffect,
    ReservationId, RuleEffect, RunEffect, Sequence, SessionEffect, SessionId, ShortId, SkillEffect,
    TaskEffect, TaskId, Trust, WishEffect,
};

/// Who acts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Actor {
    /// The name that stands in the journal and as a mail's sender.
    pub name: AgentName,
    /// How far what it writes may be believed.
    pub trust: Trust,
    /// The session it speaks in.
    pub session: Option<SessionId>,
}

/// Effects that happen together or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effects {
    /// The project they belong to.
    pub project: ProjectId,
    /// Who decided them.
    pub by: Actor,
    /// When.
    pub at: Moment,
    /// The digest of what the caller asked for, in words that are the same on a retry. A key that comes
    /// again with another intent was reused by mistake.
    pub intent: Digest,
    /// The journal entry up to which the tasks of the project were read. The commit is refused when
    /// one of them changed since: for decisions that rest on all of them.
    pub tasks_as_of: Option<Sequence>,
    /// What happens, in order.
    pub list: Vec<Effect>,
}

/// One change of the state: of one aggregate, by a change of its own.
///
/// Code that handles effects matches the aggregate first; only the module of an aggregate and the code
/// that applies it know its changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    Project(ProjectEffect),
    Session(SessionEffect),
    Agent(AgentEffect),
    Task(TaskEffect),
    Mail(MailEffect),
    Reservation(ReservationEffect),
    Skill(SkillEffect),
    Receipt(ReceiptEffect),
    Rule(RuleEffect),
    Handoff(HandoffEffect),
    Wish(WishEffect),
    Run(RunEffect),
    Log(LogEffect),
}

impl Effect {
    /// Returns the aggregate that the effect changes.
    pub const fn aggregate(&self) -> Aggregate {
        match self {
            Self::Project(_) => Aggregate::Project,
            Self::Session(_) => Aggregate::Session,
            Self::Agent(_) => Aggregate::Agent,
            Self::Task(_) => Aggregate::Task,
            Self::Mail(_) => Aggregate::Mail,
            Self::Reservation(_) => Aggregate::Reservation,
            Self::Skill(_) => Aggregate::Skill,
            Self::Receipt(_) => Aggregate::Receipt,
            Self::Rule(_) => Aggregate::Rule,
            Self::Handoff(_) => Aggregate::Handoff,
            Self::Wish(_) => Aggregate::Wish,
            Self::Run(_) => Aggregate::Run,
            Self::Log(_) => Aggregate::Log,
        }
    }

    /// Returns the word of the change, which is unique in its aggregate.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Project(effect) => effect.kind(),
            Self::Session(effect) => effect.kind(),
            Self::Agent(effect) => effect.kind(),
            Self::Task(effect) => effect.kind(),
            Self::Mail(effect) => effect.kind(),
            Self::Reservation(effect) => effect.kind(),
            Self::Skill(effect) => effect.kind(),
            Self::Receipt(effect) => effect.kind(),
            Self::Rule(effect) => effect.kind(),
            Self::Handoff(effect) => effect.kind(),
            Self::Wish(effect) => effect.kind(),
            Self::Run(effect) => effect.kind(),
            Self::Log(effect) => effect.kind(),
        }
    }
}

/// What effects are about: things that change together and have guards of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aggregate {
    /// A project.
    Project,
    /// A session.
    Session,
    /// An agent.
    Agent,
    /// A task.
    Task,
    /// A message.
    Mail,
    /// A reservation of paths.
    Reservation,
    /// The use of a skill.
    Skill,
    /// A receipt.
    Receipt,
    /// What a person allows rules, and what opens their gates.
    Rule,
    /// A handoff.
    Handoff,
    /// What a hook asks a worker for.
    Wish,
    /// A run of a workflow.
    Run,
    /// What is known of a session log.
    Log,
}

impl Aggregate {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Project,
        Self::Session,
        Self::Agent,
        Self::Task,
        Self::Mail,
        Self::Reservation,
        Self::Skill,
        Self::Receipt,
        Self::Rule,
        Self::Handoff,
        Self::Wish,
        Self::Run,
        Self::Log,
    ];

    /// Returns whether its changes are shared with a team, or stay on this machine.
    pub const fn side(self) -> Side {
        match self {
            // Their rows follow from the shared entries of the project alone.
            Self::Task | Self::Mail | Self::Reservation | Self::Run => Side::Shared,
            // Places, hosts and sessions of this machine, and what this person allows.
            Self::Project
            | Self::Session
            | Self::Agent
            | Self::Skill
            | Self::Receipt
            | Self::Rule
            | Self::Handoff
            | Self::Wish
            | Self::Log => Side::Local,
        }
    }

    /// Returns the word that stands in the journal.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::Session => "session",
            Self::Agent => "agent",
            Self::Task => "task",
            Self::Mail => "mail",
            Self::Reservation => "reservation",
            Self::Skill => "skill",
            Self::Receipt => "receipt",
            Self::Rule => "rule",
            Self::Handoff => "handoff",
            Self::Wish => "wish",
            Self::Run => "run",
            Self::Log => "log",
        }
    }

    /// Returns the aggregate of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|aggregate| aggregate.word() == word)
    }
}

/// Who is ever to know of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// Everybody who works on the project.
    Shared,
    /// Nobody but this machine.
    Local,
}

impl Side {
    /// Returns the word that stands in the journal.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Shared => "shared",
            Self::Local => "local",
        }
    }
}

/// What came of one effect. A retry with the same key gets the same answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Applied {
    /// The project, which may have been known under another id.
    Project {
        id: ProjectId,
    },
    /// The session, which may have been known under another id.
    Session {
        id: SessionId,
    },
    /// The task that was added or changed.
    Task {
        id: TaskId,
    },
    Message {
        id: MessageId,
    },
    /// The reservation, which may be an earlier one that was renewed.
    Reservation {
        id: ReservationId,
    },
    /// The log's cursor moved.
    Log,
    /// It was noted.
    Noted,
}

impl Applied {
    /// Returns the project this answer names.
    pub const fn project(self) -> Option<ProjectId> {
        match self {
            Self::Project { id } => Some(id),
            Self::Session { .. }
            | Self::Task { .. }
            | Self::Message { .. }
            | Self::Reservation { .. }
            | Self::Log
            | Self::Noted => None,
        }
    }

    /// Returns the task this answer names.
    pub const fn task(self) -> Option<TaskId> {
        match self {
            Self::Task { id } => Some(id),
            Self::Project { .. }
            | Self::Session { .. }
            | Self::Message { .. }
            | Self::Reservation { .. }
            | Self::Log
            | Self::Noted => None,
        }
    }

    /// Returns the message this answer names.
    pub const fn message(self) -> Option<MessageId> {
        match self {
            Self::Message { id } => Some(id),
            Self::Project { .. }
            | Self::Session { .. }
            | Self::Task { .. }
            | Self::Reservation { .. }
            | Self::Log
            | Self::Noted => None,
        }
    }

    /// Returns the reservation this answer names.
    pub const fn reservation(self) -> Option<ReservationId> {
        match self {
            Self::Reservation { id } => Some(id),
            Self::Project { .. }
            | Self::Session { .. }
            | Self::Task { .. }
            | Self::Message { .. }
            | Self::Log
            | Self::Noted => None,
        }
    }
}

/// Why a commit was refused. Nothing of it was written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// No such project.
    #[error("no such project")]
    UnknownProject,
    /// The project is known under another id; another process was first.
    #[error("the project is known under another id")]
    ProjectKnown { id: ProjectId },
    /// A task changed since the caller read them.
    #[error("the tasks of the project have changed meanwhile")]
    TasksChanged,
    /// No such session.
    #[error("no such session")]
    UnknownSession,
    /// No such task, or it was deleted.
    #[error("no such task: `{id}`")]
    UnknownTask { id: TaskId },
    /// The task lives elsewhere.
    #[error("`{task}` belongs to another project")]
    OtherProject { task: ShortId },
    /// Somebody else has it.
    #[error("`{task}` is held by `{by}`")]
    Held {
        task: ShortId,
        /// Who holds it.
        by: AgentName,
    },
    /// Something must be finished first.
    #[error("`{task}` waits on {}", shorts(on))]
    StillWaits {
        task: ShortId,
        /// What it waits on.
        on: Vec<ShortId>,
    },
    /// Steps are not finished.
    #[error("`{task}` has unfinished steps: {}", shorts(steps))]
    OpenSteps { task: ShortId, steps: Vec<ShortId> },
    /// The task would wait on itself.
    #[error("`{task}` would wait on itself: `{task}` after {}", shorts(path).replace(", ", " after "))]
    Loop {
        task: ShortId,
        /// The way round.
        path: Vec<ShortId>,
    },
    /// The verb does not apply.
    #[error("`{task}` is {state}: it cannot be {wanted}")]
    WrongState {
        task: ShortId,
        state: &'static str,
        /// What was wanted.
        wanted: &'static str,
    },
    /// Somebody changed the task after what is to be undone.
    #[error("`{task}` was changed since")]
    ChangedSince { task: ShortId },
    /// The parent lies too deep.
    #[error("tasks nest at most {most} deep")]
    TooDeep {
        /// The cap.
        most: usize,
    },
    /// More than a cap allows.
    #[error("too many {what}: at most {most}")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// The cap.
        most: usize,
    },
    /// No such message.
    #[error("no such message")]
    UnknownMessage,
    /// The message is for somebody else.
    #[error("the message is not addressed to `{agent}`")]
    NotRecipient {
        /// Who asked.
        agent: AgentName,
    },
    /// Somebody holds an overlapping pattern.
    #[error("`{wanted}` overlaps `{pattern}`, which `{by}` holds until {until}")]
    Reserved {
        /// The pattern that was wanted.
        wanted: PathPattern,
        /// The pattern that is held.
        pattern: PathPattern,
        /// Who holds it.
        by: AgentName,
        /// Until when.
        until: Moment,
    },
    /// No such reservation, or it lapsed.
    #[error("no such reservation")]
    UnknownReservation,
    /// Somebody else took the handoff.
    #[error("the handoff was taken by session `{by}`")]
    HandoffTaken {
        /// Who was faster.
        by: HostId,
    },
    /// No such handoff.
    #[error("no such handoff")]
    UnknownHandoff,
    /// Another run was given that number first.
    #[error("another run began in the same moment")]
    RunNumberTaken,
    /// No such run, or it is over.
    #[error("no such run: `{number}`")]
    UnknownRun { number: Number },
    /// Somebody else moved the run first.
    #[error("run `{number}` was moved meanwhile: it stands at `--at {revision}` now")]
    RunMoved {
        /// The run.
        number: Number,
        /// How often it was moved.
        revision: u32,
    },
    /// No lines were set aside under that number.
    #[error("no lines of a session log were set aside as `{}`", number.get())]
    UnknownSetAside { number: Sequence },
    /// Another process ingested that part of the log first.
    #[error("the log `{log}` was ingested up to {at} by another process")]
    CursorMoved {
        /// The log's id.
        log: String,
        /// Where its cursor stands.
        at: u64,
    },
}

fn shorts(list: &[ShortId]) -> String {
    let quoted: Vec<String> = list.iter().map(|short| alloc::format!("`{short}`")).collect();
    quoted.join(", ")
}
