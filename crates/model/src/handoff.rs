//! What one session leaves behind for the next.

use crate::{HostId, HostName, SessionId};
use alloc::{boxed::Box, string::String, vec::Vec};

use serde::{Deserialize, Serialize};

/// What somebody said in a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Utterance {
    /// What the person asked for.
    Request,
    /// A word or two with which the person answered a question.
    Answer,
    /// What the agent said at the end of its turn.
    LastWords,
}

/// What a session leaves behind: what its agent said, and what was found without asking it.
///
/// Every text is its author's own and is escaped by whoever shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Handoff {
    /// Where things stand.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub current_state: String,
    /// What to do next, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub next_steps: Vec<String>,
    /// What was done.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub what_was_accomplished: Vec<String>,
    /// What was decided, with the reasons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub key_decisions: Vec<String>,
    /// What stood in the way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems_encountered: Vec<String>,
    /// What was tried in vain.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub what_didnt_work: Vec<String>,
    /// Files and pages worth reading.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<String>,
    /// What the person asked for first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_goal: Option<String>,
    /// What the person asked for last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_request: Option<String>,
    /// What the agent said last, without the questions at its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_words: Option<String>,
    /// What the agent asked at the end of that, and nobody answered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub open_questions: Vec<String>,
    /// What was written down about the task in this session.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The task that was worked on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active_task: Option<String>,
    /// The tasks that are left, one line each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub open_tasks: Vec<String>,
    /// The branch that was checked out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The commit that was checked out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Commits that were made, newest first, one line each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub git_commits: Vec<String>,
    /// Files that were changed and not committed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files_modified: Vec<String>,
    /// Whether one of them was changed while the session went on.
    #[serde(skip_serializing_if = "is_false")]
    pub has_edits: bool,
    /// Unread messages, one line each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread_mail: Vec<String>,
    /// What happened lately, one line each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub recent_activity: Vec<String>,
    /// The skills that were in use.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub active_skills: Vec<String>,
    /// The host's own summary of a context that it threw away.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compact_summary: Option<String>,
}

impl Handoff {
    /// Reports whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns what somebody stated: all that was not found without asking.
    #[must_use]
    pub fn stated(self) -> Self {
        Self {
            current_state: self.current_state,
            next_steps: self.next_steps,
            what_was_accomplished: self.what_was_accomplished,
            key_decisions: self.key_decisions,
            problems_encountered: self.problems_encountered,
            what_didnt_work: self.what_didnt_work,
            references: self.references,
            initial_goal: self.initial_goal,
            ..Self::default()
        }
    }

    /// Reports whether there is more in it than a conversation that changed nothing and left nothing
    /// open.
    pub fn is_about_work(&self) -> bool {
        let is_open = !self.open_questions.is_empty() || self.active_task.is_some();
        let has_changed = self.has_edits || !self.git_commits.is_empty();
        is_open || has_changed || !self.notes.is_empty() || !self.clone().stated().is_empty()
    }

    /// Puts what was found now in the place of what was found before; what somebody said stays
    /// until it is said anew.
    #[must_use]
    pub fn after(self, earlier: Self) -> Self {
        let text = |now: String, then: String| if now.is_empty() { then } else { now };
        let list = |now: Vec<String>, then: Vec<String>| if now.is_empty() { then } else { now };
        Self {
            current_state: text(self.current_state, earlier.current_state),
            next_steps: list(self.next_steps, earlier.next_steps),
            what_was_accomplished: list(self.what_was_accomplished, earlier.what_was_accomplished),
            key_decisions: list(self.key_decisions, earlier.key_decisions),
            problems_encountered: list(self.problems_encountered, earlier.problems_encountered),
            what_didnt_work: list(self.what_didnt_work, earlier.what_didnt_work),
            references: list(self.references, earlier.references),
            initial_goal: earlier.initial_goal.or(self.initial_goal),
            compact_summary: self.compact_summary.or(earlier.compact_summary),
            ..self
        }
    }

    /// Fills in from what was known before wherever nothing was found or said now.
    #[must_use]
    pub fn over(self, earlier: Self) -> Self {
        let list = |now: Vec<String>, then: Vec<String>| if now.is_empty() { then } else { now };
        let known = earlier.clone();
        let now = self.after(earlier);
        Self {
            last_request: now.last_request.or(known.last_request),
            last_words: now.last_words.or(known.last_words),
            open_questions: list(now.open_questions, known.open_questions),
            notes: list(now.notes, known.notes),
            active_task: now.active_task.or(known.active_task),
            open_tasks: list(now.open_tasks, known.open_tasks),
            branch: now.branch.or(known.branch),
            commit: now.commit.or(known.commit),
            git_commits: list(now.git_commits, known.git_commits),
            files_modified: list(now.files_modified, known.files_modified),
            has_edits: now.has_edits || known.has_edits,
            unread_mail: list(now.unread_mail, known.unread_mail),
            recent_activity: list(now.recent_activity, known.recent_activity),
            active_skills: list(now.active_skills, known.active_skills),
            ..now
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
const fn is_false(value: &bool) -> bool {
    !*value
}

/// A change of a handoff.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum HandoffEffect {
    /// A session leaves something behind for the next one. What was found before is replaced, what
    /// somebody said stays until it is said anew, and nobody has taken it.
    Written {
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
    Taken {
        /// The session that left it.
        session: SessionId,
        /// The host's id of the session that takes it.
        by: HostId,
    },
    /// A session gives back what it took and did nothing with. Passed over when it does not have it.
    Returned {
        /// The session that left it.
        session: SessionId,
        /// The host's id of the session that gives it back.
        by: HostId,
    },
}

impl HandoffEffect {
    /// Returns the word under which the effect stands in the journal.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Written { .. } => "written",
            Self::Taken { .. } => "taken",
            Self::Returned { .. } => "returned",
        }
    }
}
