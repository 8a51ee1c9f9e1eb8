//! What a commit does, what came of it, and why it may be refused.
//!
//! An effect is a decision already taken, with the guard it needs written into its meaning: a claim
//! is refused when somebody else holds the task, a close when steps are open. The store checks the
//! guards inside the same transaction, so that no caller needs a lock.

use alloc::{boxed::Box, string::String, vec::Vec};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use uuid::Uuid;

use crate::{
    AgentName, Artifact, Body, Branch, Decision, Digest, Handoff, HostId, HostName, KeptRun,
    MessageId, Moment, NewMessage, NewTask, Number, Opening, PathPattern, Project, ProjectId,
    Receipt, Reservation, ReservationId, RunCard, Sequence, SessionId, SessionStatus, SetAside,
    ShortId, TaskId, TaskVerb, Title, Trust, TrustedFile, Value, Wish, mail::DeliveryStep,
    receipt::EmissionId,
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
    /// What the caller asked for, in words that are the same on a retry. A key that comes again
    /// with another intent was reused by mistake.
    pub intent: String,
    /// The journal entry up to which the tasks of the project were read. The commit is refused when
    /// one of them changed since: for decisions that rest on all of them.
    pub tasks_as_of: Option<Sequence>,
    /// What happens, in order.
    pub list: Vec<Effect>,
}

/// One change of the state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Effect {
    /// A project is used for the first time. One that is known by its place stays as it is.
    ProjectSeen { project: Project },
    /// A session was seen; it is made known, or its last sight is brought up to date.
    SessionSeen {
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
    SessionMoved {
        session: SessionId,
        /// Its new status.
        to: SessionStatus,
    },
    /// A session's status changed, as its host tells. One that is not known is passed over.
    SessionMarked {
        host: HostName,
        /// The host's id of the session.
        host_id: HostId,
        /// Its new status.
        to: SessionStatus,
    },
    /// A session is given the name under which it acts.
    SessionNamed {
        session: SessionId,
        /// The agent that speaks in it.
        agent: AgentName,
    },
    /// A task is added below its parent, after its siblings.
    TaskAdded { task: NewTask },
    /// An agent takes a task. Refused when another holds it or it still waits on something.
    TaskClaimed {
        task: TaskId,
        /// Who takes it.
        agent: AgentName,
    },
    /// A task passes from an agent whose session is over, or that gives it up, to another. One that the
    /// first does not hold any more stays where it is.
    TaskPassed { task: TaskId, from: AgentName, to: AgentName },
    /// A task changes its state. Closing is refused while steps are unfinished.
    TaskMoved {
        task: TaskId,
        /// What is done to it.
        verb: TaskVerb,
        /// Why.
        reason: Option<Body>,
    },
    /// A task comes to wait on another. Refused when that would make it wait on itself.
    TaskWaits {
        /// The task that waits.
        task: TaskId,
        /// The task it waits on.
        on: TaskId,
    },
    /// A note is added to a task.
    TaskNoted {
        task: TaskId,
        /// What it says.
        text: Body,
    },
    /// A task gets another title and another place among its siblings, as its plan says.
    TaskRevised {
        task: TaskId,
        title: Title,
        /// Its section in the plan.
        section: Option<Title>,
        /// Its place among its siblings.
        rank: u32,
    },
    /// A task and all below it disappear from every list. The rows stay.
    TaskDeleted { task: TaskId },
    /// A message is sent.
    MailSent { message: NewMessage },
    /// A message came a step further with one recipient.
    MailStepped {
        message: MessageId,
        /// The recipient.
        agent: AgentName,
        /// The branch the recipient works on; mail for another branch is not touched.
        branch: Option<Branch>,
        step: DeliveryStep,
    },
    /// A path pattern is reserved. Refused when it conflicts; renewed when the same agent holds it.
    PathReserved { reservation: Reservation },
    /// A reservation is given back before its time.
    PathReleased { reservation: ReservationId },
    /// The person takes the project's own skills into use.
    ProjectTaken {},
    /// The person approves one content of a skill in the project.
    SkillApproved {
        /// The skill, as the lock file names it.
        reference: String,
        /// The content.
        digest: Digest,
    },
    /// A skill was chosen for a task, in the session that acts.
    SkillChosen {
        task: TaskId,
        /// The skill.
        reference: String,
        /// Its content at that time.
        digest: Digest,
        /// The word of the rule that decided.
        rule: String,
        /// Why, in one sentence.
        reason: String,
    },
    /// A skill was injected for a task, into a session.
    SkillInjected {
        host: HostName,
        /// The host's id of the session.
        host_id: HostId,
        /// When.
        at: Moment,
        /// The reader.
        agent: AgentName,
        task: TaskId,
        reference: String,
        /// Its content at that time.
        digest: Digest,
        /// The word of the rule that decided.
        rule: String,
        /// Why, in one sentence.
        reason: String,
    },
    /// Something was offered to a session.
    ReceiptOffered {
        host: HostName,
        /// The host's id of the session.
        host_id: HostId,
        /// When.
        offered: Moment,
        /// What.
        receipt: Receipt,
    },
    /// A part of what was offered was printed. One that is not known is passed over.
    ReceiptPrinted {
        host: HostName,
        /// The host's id of the session.
        host_id: HostId,
        emission: EmissionId,
        /// The part, counted from one.
        part: u8,
    },
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
    /// A variable of a session has a value.
    VariableSet {
        host: HostName,
        /// The host's id of the session.
        host_id: HostId,
        variable: String,
        value: Value,
    },
    /// A session leaves something behind for the next one. What was found before is replaced, what
    /// somebody said stays until it is said anew, and nobody has taken it.
    HandoffWritten {
        host: HostName,
        /// The host's id of the session.
        host_id: HostId,
        /// What it leaves.
        handoff: Box<Handoff>,
        /// Whether it only completes what waits: one that somebody took meanwhile stays taken.
        #[serde(default)]
        completes: bool,
    },
    /// A session takes what another left behind. Refused when somebody was faster.
    HandoffTaken {
        /// The session that left it.
        session: SessionId,
        /// The host's id of the session that takes it.
        by: HostId,
    },
    /// A session gives back what it took and did nothing with. Passed over when it does not have it.
    HandoffReturned {
        /// The session that left it.
        session: SessionId,
        /// The host's id of the session that gives it back.
        by: HostId,
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
    /// An agent is there for something in a project; without a role, for nothing in particular.
    RoleGiven {
        agent: AgentName,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        role: Option<Title>,
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
    /// A hook wishes for something that takes longer than a hook may.
    Wished { wish: Wish },
    /// A wish was granted, or cannot be. One that is not known is passed over.
    WishSettled { wish: Uuid },
    /// A run of a workflow begins. Refused when its number was given to another.
    RunBegun {
        run: Box<KeptRun>,
        /// What happened on the way to its first step, each as JSON.
        entries: Vec<String>,
        /// What is told of it, which follows from the rest.
        #[serde(skip)]
        card: Box<RunCard>,
    },
    /// A run is moved. Refused when somebody moved it meanwhile.
    RunMoved {
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
    /// Part of a session log was ingested. Refused unless the log's cursor stands at `from`.
    LogIngested {
        /// The name under which the log's cursor is kept.
        log: String,
        /// Where the part begins, in bytes.
        from: u64,
        /// Where it ends.
        to: u64,
    },
    /// A session log is shorter than what was ingested of it: somebody cut it, and what is left was
    /// ingested before. Refused unless the log's cursor stands at `from`.
    LogCut {
        /// The name under which the log's cursor is kept.
        log: String,
        /// Where the cursor stands, in bytes.
        from: u64,
        /// Where the log ends.
        to: u64,
    },
    /// Lines of a session log cannot be applied and are kept apart with the reason.
    LinesSetAside { lines: SetAside },
    /// Nobody needs to look at lines that were set aside any more.
    SetAsideDropped {
        /// The journal entry that set them aside.
        number: Sequence,
    },
}

impl Effect {
    /// Returns the word under which the effect stands in the journal.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::ProjectSeen { .. } => "project_seen",
            Self::SessionSeen { .. } => "session_seen",
            Self::SessionMoved { .. } => "session_moved",
            Self::SessionMarked { .. } => "session_marked",
            Self::SessionNamed { .. } => "session_named",
            Self::TaskAdded { .. } => "task_added",
            Self::TaskClaimed { .. } => "task_claimed",
            Self::TaskPassed { .. } => "task_passed",
            Self::TaskMoved { .. } => "task_moved",
            Self::TaskWaits { .. } => "task_waits",
            Self::TaskNoted { .. } => "task_noted",
            Self::TaskRevised { .. } => "task_revised",
            Self::TaskDeleted { .. } => "task_deleted",
            Self::MailSent { .. } => "mail_sent",
            Self::MailStepped { .. } => "mail_stepped",
            Self::PathReserved { .. } => "path_reserved",
            Self::PathReleased { .. } => "path_released",
            Self::ProjectTaken {} => "project_taken",
            Self::SkillApproved { .. } => "skill_approved",
            Self::SkillChosen { .. } => "skill_chosen",
            Self::SkillInjected { .. } => "skill_injected",
            Self::ReceiptOffered { .. } => "receipt_offered",
            Self::ReceiptPrinted { .. } => "receipt_printed",
            Self::FileTrusted { .. } => "file_trusted",
            Self::FileDistrusted { .. } => "file_distrusted",
            Self::GateOpened { .. } => "gate_opened",
            Self::GateUsed { .. } => "gate_used",
            Self::GateClosed { .. } => "gate_closed",
            Self::VariableSet { .. } => "variable_set",
            Self::HandoffWritten { .. } => "handoff_written",
            Self::HandoffTaken { .. } => "handoff_taken",
            Self::HandoffReturned { .. } => "handoff_returned",
            Self::ArtifactCaptured { .. } => "artifact_captured",
            Self::Observed { .. } => "observed",
            Self::Dispatched { .. } => "dispatched",
            Self::RoleGiven { .. } => "role_given",
            Self::Refused { .. } => "refused",
            Self::Wished { .. } => "wished",
            Self::WishSettled { .. } => "wish_settled",
            Self::RunBegun { .. } => "run_begun",
            Self::RunMoved { .. } => "run_moved",
            Self::DecisionTaken { .. } => "decision_taken",
            Self::LogIngested { .. } => "log_ingested",
            Self::LogCut { .. } => "log_cut",
            Self::LinesSetAside { .. } => "lines_set_aside",
            Self::SetAsideDropped { .. } => "set_aside_dropped",
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
