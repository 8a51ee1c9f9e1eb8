//! Tasks and the one state machine that moves them.

use alloc::{boxed::Box, string::String, vec::Vec};
use core::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    AgentName, Body, Moment, Number, ProjectId, Sequence, ShortId, TaskId, TaskSkills, Title,
    limits, text::BadText,
};

/// Where a task stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskState {
    /// Nobody works on it.
    Open,
    /// Somebody holds it.
    InProgress,
    /// It cannot go on, for a reason that is written down.
    Blocked,
    /// Finished.
    Done,
    /// Decided against.
    Skipped,
    /// Tried and given up.
    Failed,
}

impl TaskState {
    /// Every state, in the order of a task's life.
    pub const ALL: [Self; 6] =
        [Self::Open, Self::InProgress, Self::Blocked, Self::Done, Self::Skipped, Self::Failed];

    /// Returns the word used in the store and in JSON.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::InProgress => "in_progress",
            Self::Blocked => "blocked",
            Self::Done => "done",
            Self::Skipped => "skipped",
            Self::Failed => "failed",
        }
    }

    /// Returns the words people read.
    pub const fn label(self) -> &'static str {
        match self {
            Self::InProgress => "in progress",
            Self::Open | Self::Blocked | Self::Done | Self::Skipped | Self::Failed => self.word(),
        }
    }

    /// Parses the word of [`TaskState::word`].
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.word() == word)
    }

    /// Tells whether the task needs no more work. A failed task still holds up what waits on it.
    pub const fn is_settled(self) -> bool {
        match self {
            Self::Done | Self::Skipped => true,
            Self::Open | Self::InProgress | Self::Blocked | Self::Failed => false,
        }
    }

    /// Tells whether nobody will work on the task unless it is reopened.
    pub const fn is_over(self) -> bool {
        self.is_settled() || matches!(self, Self::Failed)
    }
}

/// What may be done to a task beside claiming it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskVerb {
    /// It cannot go on.
    Block,
    /// It is finished.
    Close,
    /// It was tried and given up.
    Fail,
    /// It is decided against.
    Skip,
    /// It is to be done (again), by anyone.
    Reopen,
}

impl TaskVerb {
    /// Returns the word of the command.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Block => "block",
            Self::Close => "close",
            Self::Fail => "fail",
            Self::Skip => "skip",
            Self::Reopen => "reopen",
        }
    }

    /// Returns the state this leads to, or `None` where it does not apply to `from`.
    ///
    /// A verb that finds its work done already applies and changes nothing, so that a retry is
    /// never an error.
    pub const fn applied_to(self, from: TaskState) -> Option<TaskState> {
        use TaskState::{Blocked, Done, Failed, InProgress, Open, Skipped};
        match (self, from) {
            (Self::Block, Open | InProgress | Blocked) => Some(Blocked),
            (Self::Close, Open | InProgress | Blocked | Done) => Some(Done),
            (Self::Fail, Open | InProgress | Blocked | Failed) => Some(Failed),
            (Self::Skip, Open | InProgress | Blocked | Skipped) => Some(Skipped),
            (Self::Reopen, _) => Some(Open),
            (Self::Block, Done | Skipped | Failed)
            | (Self::Close, Skipped | Failed)
            | (Self::Fail, Done | Skipped)
            | (Self::Skip, Done | Failed) => None,
        }
    }
}

/// The place of a task in a plan file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PlanPlace {
    /// The file, relative to the project's root where it lies inside.
    pub file: PlanFile,
    /// The heading or step, such as `Task 2` or `Task 2/Step 1`.
    pub section: Option<Title>,
}

/// The path of a plan file: bounded, one line, no NUL.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PlanFile(Box<str>);

impl PlanFile {
    /// Parses a path; surrounding white space belongs to it.
    pub fn parse(raw: &str) -> Result<Self, BadText> {
        let what = "plan path";
        if raw.trim().is_empty() {
            return Err(BadText::Empty { what });
        }
        if raw.len() > limits::PLAN_PATH_BYTES {
            let (most, found) = (limits::PLAN_PATH_BYTES, raw.len());
            return Err(BadText::TooLong { what, most, unit: "bytes", found });
        }
        if let Some(control) = raw.chars().find(|c| c.is_control()) {
            return Err(BadText::Control { what, code: u32::from(control) });
        }
        if raw.starts_with('-') {
            return Err(BadText::LeadingDash { what });
        }
        Ok(Self(raw.into()))
    }

    /// Returns the path.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PlanFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for PlanFile {
    type Error = BadText;

    fn try_from(raw: String) -> Result<Self, BadText> {
        Self::parse(&raw)
    }
}

impl From<PlanFile> for String {
    fn from(file: PlanFile) -> Self {
        file.0.into()
    }
}

/// A task as the store keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    pub id: TaskId,
    /// Its number in the project.
    pub number: Number,
    pub short: ShortId,
    /// The project it belongs to.
    pub project: ProjectId,
    /// The task it is a step of.
    pub parent: Option<TaskId>,
    /// Its place among its siblings.
    pub rank: u32,
    pub title: Title,
    /// Where it stands.
    pub state: TaskState,
    /// Who is to do it, or does it.
    pub assignee: Option<AgentName>,
    /// The skills it asks for; `None` leaves that to rules.
    pub skill: Option<TaskSkills>,
    /// Where the plan describes it.
    pub plan: Option<PlanPlace>,
    /// The tasks it waits on.
    pub after: Vec<TaskId>,
    /// Why it is blocked, failed or skipped.
    pub reason: Option<String>,
    /// When it was added.
    pub created: Moment,
    /// When it last changed.
    pub changed: Moment,
    /// The journal entry of its last change, which orders changes.
    pub touched: Sequence,
}

/// What of a task changes: everything but its ids, its project and its times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskFields {
    pub parent: Option<TaskId>,
    pub rank: u32,
    pub title: Title,
    pub state: TaskState,
    pub assignee: Option<AgentName>,
    pub skill: Option<TaskSkills>,
    pub plan: Option<PlanPlace>,
    pub after: Vec<TaskId>,
    pub reason: Option<String>,
    /// Whether it is in no list: it was deleted, or not added yet.
    pub is_hidden: bool,
}

impl Task {
    /// Returns what of it changes.
    pub fn fields(&self, is_hidden: bool) -> TaskFields {
        TaskFields {
            parent: self.parent,
            rank: self.rank,
            title: self.title.clone(),
            state: self.state,
            assignee: self.assignee.clone(),
            skill: self.skill.clone(),
            plan: self.plan.clone(),
            after: self.after.clone(),
            reason: self.reason.clone(),
            is_hidden,
        }
    }
}

/// A task about to be added; number and short id are the store's to give.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewTask {
    pub id: TaskId,
    /// The task it is a step of.
    pub parent: Option<TaskId>,
    pub title: Title,
    /// The state it begins in: a plan may bring steps that are ticked already.
    pub state: TaskState,
    /// Who is to do it.
    pub assignee: Option<AgentName>,
    /// The skills it asks for; `None` leaves that to rules.
    pub skill: Option<TaskSkills>,
    /// Where the plan describes it.
    pub plan: Option<PlanPlace>,
    /// The tasks it waits on.
    pub after: Vec<TaskId>,
    /// Its place among its siblings; `None` puts it after them.
    pub rank: Option<u32>,
}

impl NewTask {
    /// Returns an open task with a title and nothing else.
    pub const fn titled(id: TaskId, title: Title) -> Self {
        Self {
            id,
            parent: None,
            title,
            state: TaskState::Open,
            assignee: None,
            skill: None,
            plan: None,
            after: Vec::new(),
            rank: None,
        }
    }
}

/// A note on a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Who wrote it.
    pub author: AgentName,
    /// When.
    pub at: Moment,
    /// What it says.
    pub text: Body,
}

/// A change of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TaskEffect {
    /// A task is added below its parent, after its siblings.
    Added { task: NewTask },
    /// An agent takes a task. Refused when another holds it or it still waits on something.
    Claimed {
        task: TaskId,
        /// Who takes it.
        agent: AgentName,
    },
    /// A task passes from an agent whose session is over, or that gives it up, to another. One that the
    /// first does not hold any more stays where it is.
    Passed { task: TaskId, from: AgentName, to: AgentName },
    /// A task changes its state. Closing is refused while steps are unfinished.
    Moved {
        task: TaskId,
        /// What is done to it.
        verb: TaskVerb,
        /// Why.
        reason: Option<Body>,
    },
    /// A task comes to wait on another. Refused when that would make it wait on itself.
    Waits {
        /// The task that waits.
        task: TaskId,
        /// The task it waits on.
        on: TaskId,
    },
    /// A note is added to a task.
    Noted {
        task: TaskId,
        /// What it says.
        text: Body,
    },
    /// A task gets another title and another place among its siblings, as its plan says.
    Revised {
        task: TaskId,
        title: Title,
        /// Its section in the plan.
        section: Option<Title>,
        /// Its place among its siblings.
        rank: u32,
    },
    /// A task and all below it disappear from every list. The rows stay.
    Deleted { task: TaskId },
    /// A task becomes again what it was before a change. Refused when it changed since.
    Restored {
        task: TaskId,
        /// What it was left as by the change.
        from: Box<TaskFields>,
        /// What it was before.
        to: Box<TaskFields>,
    },
}

impl TaskEffect {
    /// Returns the word under which the effect stands in the journal.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Added { .. } => "added",
            Self::Claimed { .. } => "claimed",
            Self::Passed { .. } => "passed",
            Self::Moved { .. } => "moved",
            Self::Waits { .. } => "waits",
            Self::Noted { .. } => "noted",
            Self::Revised { .. } => "revised",
            Self::Deleted { .. } => "deleted",
            Self::Restored { .. } => "restored",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_by_state() {
        let table: Vec<String> = TaskState::ALL
            .iter()
            .map(|from| {
                use TaskVerb::{Block, Close, Fail, Reopen, Skip};
                let cells: Vec<String> = [Block, Close, Fail, Skip, Reopen]
                    .iter()
                    .map(|verb| {
                        let to = verb.applied_to(*from).map_or("-", TaskState::word);
                        alloc::format!("{}→{to}", verb.word())
                    })
                    .collect();
                alloc::format!("{}: {}", from.word(), cells.join(" "))
            })
            .collect();
        assert_eq!(
            table,
            [
                "open: block→blocked close→done fail→failed skip→skipped reopen→open",
                "in_progress: block→blocked close→done fail→failed skip→skipped reopen→open",
                "blocked: block→blocked close→done fail→failed skip→skipped reopen→open",
                "done: block→- close→done fail→- skip→- reopen→open",
                "skipped: block→- close→- fail→- skip→skipped reopen→open",
                "failed: block→- close→- fail→failed skip→- reopen→open",
            ]
        );
    }

    #[test]
    fn words_round_trip() {
        for state in TaskState::ALL {
            assert_eq!(TaskState::from_word(state.word()), Some(state));
        }
        assert_eq!(TaskState::from_word("nonsense"), None);
    }
}
