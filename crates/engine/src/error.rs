//! What can go wrong in a use case.

use pacenote_files::FileError;
use pacenote_model::{AgentName, Refusal, TaskRef, id::BadTaskRef, name::BadName, text::BadText};
use pacenote_store::StoreError;
use thiserror::Error;

/// Why a use case could not do what was asked.
#[derive(Debug, Error)]
pub enum EngineError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    File(#[from] FileError),
    /// A text that breaks its rules.
    #[error(transparent)]
    Text(#[from] BadText),
    /// A name that breaks its grammar.
    #[error(transparent)]
    Name(#[from] BadName),
    /// Neither a task id nor the name of a task.
    #[error("no task `{raw}` in this project")]
    NotATask {
        /// What was given.
        raw: String,
        /// The forms there are.
        source: BadTaskRef,
        /// The nearest title there is.
        nearest: Option<String>,
    },
    /// Several tasks are called so.
    #[error("`{raw}` names {count} tasks")]
    ManyTasks {
        raw: String,
        count: usize,
        /// The first of them, each with its id.
        candidates: Vec<String>,
    },
    /// An agent that cannot be woken so.
    #[error(transparent)]
    Wake(#[from] WakeError),
    /// No such task here.
    #[error("no task `{task}` in this project")]
    UnknownTask {
        /// The id that was given.
        task: TaskRef,
        /// The nearest one there is.
        nearest: Option<String>,
    },
    /// A set of requests cannot be used.
    #[error("`{path}`: {said}", path = path.display())]
    BadSet {
        /// The file.
        path: std::path::PathBuf,
        /// What is wrong with it.
        said: String,
    },
    /// A message that says nothing.
    #[error("the message is empty")]
    EmptyMessage,
    /// A message that is too long for a page.
    #[error("the message is too long: at most {most} bytes")]
    LongMessage { most: usize },
    /// No such message.
    #[error("no message `{raw}`")]
    UnknownMessage {
        /// What was given.
        raw: String,
    },
    /// No project of that name.
    #[error("no project named `{name}` is known here")]
    UnknownProject {
        name: String,
        /// The nearest one there is.
        nearest: Option<String>,
    },
    /// Several projects share the name.
    #[error("{count} projects are named `{name}`")]
    ManyProjects {
        name: String,
        /// How many.
        count: usize,
    },
    /// No rule of that name refuses anything.
    #[error("no gate named `{rule}`")]
    UnknownGate {
        /// The name.
        rule: String,
        /// The nearest one there is.
        nearest: Option<String>,
    },
    /// Rules of a project that cannot be trusted.
    #[error("`{}` has mistakes, so it cannot be trusted", path.display())]
    UnsoundRules {
        /// The file.
        path: std::path::PathBuf,
        /// Everything that is wrong with it.
        problems: Vec<pacenote_flow::lifecycle::Problem>,
    },
    /// A file changed while the person decided about it.
    #[error("`{}` changed while you were asked about it", path.display())]
    FileChanged {
        /// The file.
        path: std::path::PathBuf,
    },
    /// No such session.
    #[error("no session `{raw}` in this project")]
    UnknownSession {
        /// What was given.
        raw: String,
    },
    /// The caller is neither a session nor a terminal, and must say who it is.
    #[error("it cannot be told who is calling")]
    Nameless,
    /// The caller changed no task lately.
    #[error("there is nothing to undo: you changed no task lately")]
    NothingToUndo,
    /// The name belongs to the person or to nobody.
    #[error("`{name}` is not an agent: the name is reserved")]
    ReservedName { name: AgentName },
    /// A name that would be stored as it is looks like a secret. The secret is not repeated.
    #[error("the {what} looks like a secret ({kind})")]
    SecretName {
        /// Which name.
        what: &'static str,
        /// The rule that knows it.
        kind: &'static str,
    },
    /// A message without anybody to read it.
    #[error("the message has no recipient")]
    NoRecipient,
    /// No reservation fits.
    #[error("no reservation of `{agent}` matches `{raw}`")]
    UnknownReservation {
        /// Whose.
        agent: AgentName,
        /// What was given.
        raw: String,
    },
    /// A skill that is named wrongly.
    #[error(transparent)]
    Reference(#[from] pacenote_skill::reference::BadReference),
    /// A skill that is not there, or may not be used.
    #[error("{said}")]
    NoSkill {
        /// What was said.
        said: String,
        /// How to go on.
        hints: Vec<String>,
    },
    /// A lock file that is there and cannot be read.
    #[error("`{}` cannot be read", path.display())]
    UnreadableLock {
        /// The file.
        path: std::path::PathBuf,
        /// Why not.
        source: FileError,
    },
    /// A lock file with mistakes.
    #[error("`{}` cannot be read", path.display())]
    BadLock {
        /// The file.
        path: std::path::PathBuf,
        /// Everything that is wrong with it.
        problems: Vec<pacenote_skill::lock::LockProblem>,
    },
    /// A skill that cannot be pinned.
    #[error(transparent)]
    NotPinned(#[from] pacenote_skill::lock::NotPinned),
    /// A heading that is not there.
    #[error("no section `{wanted}`")]
    NoSection {
        /// What was asked for.
        wanted: String,
        /// The headings there are.
        there: Vec<String>,
    },
    /// Something is in the way of a new file.
    #[error("`{}` is there already", path.display())]
    InTheWay {
        /// What is there.
        path: std::path::PathBuf,
    },
    /// No built-in skill of that name.
    #[error("no built-in skill named `{name}`")]
    NotBuiltIn { name: String },
    /// A record that JSON cannot hold.
    #[error("the session's record could not be written")]
    Unwritten {
        /// What was said.
        source: serde_json::Error,
    },
    /// A workflow.
    #[error(transparent)]
    Flow(#[from] crate::flows::FlowError),
    /// A client's settings.
    #[error(transparent)]
    Setup(#[from] crate::install::SetupError),
    /// The scripted model could not be started.
    #[error("the scripted model cannot be started")]
    NoModel {
        /// What went wrong.
        #[source]
        error: pacenote_probe::ProbeError,
    },
    /// A client's app server did not answer.
    #[error("the client gave no answer: {said}")]
    NoAnswer {
        /// What it did instead.
        said: String,
    },
    /// A client could not be started.
    #[error("the client cannot be started")]
    NoClient {
        /// What went wrong.
        #[source]
        error: pacenote_fleet::StartError,
    },
    /// A plan without tasks.
    #[error("no task heading in `{file}`")]
    EmptyPlan {
        file: String,
        /// What looked like a task and was not.
        findings: Vec<String>,
    },
}

impl From<Refusal> for EngineError {
    fn from(refusal: Refusal) -> Self {
        Self::Store(StoreError::Refused(refusal))
    }
}

/// Why an agent cannot be woken as asked.
#[derive(Debug, Error)]
pub enum WakeError {
    /// A role that nobody knows.
    #[error("unknown role `{raw}`")]
    UnknownRole {
        raw: String,
        /// The nearest one there is.
        nearest: Option<String>,
    },
    /// Somebody who cannot be given a role here.
    #[error("roles are kept for agents of this project only, not for {address}")]
    RoleElsewhere { address: String },
    /// A project that is not where it was.
    #[error("project `{name}` is no longer at `{place}`")]
    LostProject { name: String, place: String },
    /// Somebody for whom a subagent has nothing to do.
    #[error("{agent} holds no task")]
    NoTask { agent: AgentName },
}

/// Returns the word nearest to `wanted`, if any is near enough to be a slip.
pub fn nearest<'a>(wanted: &str, words: impl IntoIterator<Item = &'a str>) -> Option<String> {
    words
        .into_iter()
        .map(|word| (strsim::osa_distance(wanted, word), word))
        .filter(|(distance, word)| *distance > 0 && *distance <= (word.len() / 3).max(1))
        .min()
        .map(|(_, word)| word.into())
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_is_recognised_and_a_stranger_is_not() {
        assert_eq!(nearest("bakcend", ["frontend", "backend"]), Some("backend".into()));
        assert_eq!(nearest("t-3fa29", ["t-3fa92", "t-00000"]), Some("t-3fa92".into()));
        assert_eq!(nearest("zebra", ["frontend", "backend"]), None);
        assert_eq!(nearest("same", ["same"]), None);
    }
}
