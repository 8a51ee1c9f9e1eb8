//! The one error of the command line: a sentence, its causes, its hints, an exit code.

use std::{error::Error, fmt::Write as _, process::ExitCode};

use pacenote_context::inert;
use pacenote_engine::{EngineError, flows::FlowError, install::SetupError, wake::WakeError};
use pacenote_files::{FileError, FileKind};
use pacenote_model::{AgentName, Refusal};
use pacenote_store::StoreError;

/// Most findings of a plan without tasks that are shown: the first few tell what is wrong with all.
const FINDINGS_SHOWN: usize = 3;

/// How to get a readable lock file.
const LOCK_HINT: &str =
    "fix it, or `git checkout -- .pacenote/skills.lock` brings back the committed one";

/// How to name an agent that wants the name of another speaker.
pub(crate) const SPEAKER_HINT: &str = "use a name that says what the agent does, such as `backend`";

/// Which roles there are.
const ROLE_HINT: &str = "known roles are `orchestrator`, `implementer`, `reviewer`, `planner`, \
                         `writer`, `explorer` and names that end in one of them, such as \
                         `spec-reviewer`; `none` forgets it";

/// Says what a name stands for that no agent gets.
pub(crate) fn reserved_hint(name: &AgentName) -> &'static str {
    if name.as_str() == AgentName::UNKNOWN {
        "`unknown` stands for a caller without a name; use the agent's own name"
    } else {
        "only a terminal outside any agent speaks for the person"
    }
}

/// Who can mend a failure; decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The user: input, or the present state of things.
    User,
    /// The user, at the keyboard: the command line itself.
    Usage,
    /// The machine: disks, permissions, variables.
    Environment,
    /// We.
    Bug,
}

impl Kind {
    const fn code(self) -> u8 {
        match self {
            Self::User => 1,
            Self::Usage => 2,
            Self::Environment => 3,
            Self::Bug => 70,
        }
    }
}

/// A command that did not do what it was asked.
#[derive(Debug)]
pub(crate) struct Failure {
    kind: Kind,
    sentences: Vec<String>,
    causes: Vec<String>,
    hints: Vec<String>,
}

impl Failure {
    pub(crate) fn new(kind: Kind, sentence: impl Into<String>) -> Self {
        Self { kind, sentences: vec![sentence.into()], causes: Vec::new(), hints: Vec::new() }
    }

    /// Adds another error of the same command.
    pub(crate) fn and(mut self, sentence: impl Into<String>) -> Self {
        self.sentences.push(sentence.into());
        self
    }

    /// Adds advice.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    fn of(kind: Kind, error: &dyn Error) -> Self {
        let mut failure = Self::new(kind, error.to_string());
        let mut cause = error.source();
        while let Some(source) = cause {
            failure.causes.push(source.to_string());
            cause = source.source();
        }
        failure
    }

    /// Returns what went wrong and the first advice, for a report of many things.
    pub(crate) fn parts(&self) -> (String, Option<String>) {
        let said = self.sentences.iter().chain(&self.causes).cloned().collect::<Vec<_>>();
        (said.join(": "), self.hints.first().cloned())
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.kind.code())
    }

    /// Returns the whole text, with the words `error` and `hint` as given.
    pub(crate) fn text(&self, error: &str, hint: &str) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        for sentence in &self.sentences {
            writeln!(text, "{error}: {}", pacenote_context::inert(sentence)).ok();
        }
        for cause in &self.causes {
            writeln!(text, "  because {}", pacenote_context::inert(cause)).ok();
        }
        if !self.hints.is_empty() {
            text.push('\n');
        }
        for advice in &self.hints {
            writeln!(text, "{hint}: {}", pacenote_context::inert(advice)).ok();
        }
        text
    }
}

/// Prints what the argument parser has to say. Help and version are answers, not failures.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    // A closed terminal is the only way this fails, and then nobody is there to be told.
    error.print().ok();
    if error.use_stderr() { ExitCode::from(Kind::Usage.code()) } else { ExitCode::SUCCESS }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        use std::io::ErrorKind;
        if let Some(hint) = obstacle(&error) {
            return Self::of(Kind::User, &error).hint(hint);
        }
        let found = error.kind();
        let (kind, hint) = if matches!(found, ErrorKind::StorageFull | ErrorKind::QuotaExceeded) {
            (Kind::Environment, Some("free some space, or set `PACENOTE_HOME` to another disk"))
        } else if matches!(
            found,
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem | ErrorKind::NotADirectory
        ) {
            (Kind::Environment, Some("set `PACENOTE_HOME` to a directory that can be written"))
        } else if matches!(
            found,
            ErrorKind::NotFound
                | ErrorKind::InvalidData
                | ErrorKind::InvalidInput
                | ErrorKind::IsADirectory
                | ErrorKind::FileTooLarge
        ) {
            (Kind::User, None)
        } else {
            (Kind::Environment, None)
        };
        let failure = Self::of(kind, &error);
        hint.into_iter().fold(failure, Self::hint)
    }
}

/// Returns the advice where something of another kind stands in the place of a file or directory.
fn obstacle(error: &FileError) -> Option<&'static str> {
    match error {
        FileError::NotDirectory { .. } => Some(
            "put a directory in its place, or remove it: nothing is written through links below a \
             project",
        ),
        FileError::NotRegular { found: FileKind::Link, .. } => {
            Some("put the file itself in its place, or remove it: this link is not followed")
        }
        FileError::NotRegular { .. }
        | FileError::Io { .. }
        | FileError::Rename { .. }
        | FileError::TooLarge { .. }
        | FileError::NotUtf8 { .. }
        | FileError::TooManyEntries { .. }
        | FileError::LineRefused { .. }
        | FileError::ShortWrite { .. }
        | FileError::BadHost { .. }
        | FileError::Replaced { .. } => None,
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        if let StoreError::File(file) = error {
            return file.into();
        }
        let of = |kind| Self::of(kind, &error);
        match &error {
            StoreError::Refused(refusal) => refused(refusal, of(Kind::User)),
            StoreError::KeyReused { .. } => {
                of(Kind::User).hint("use a new `--key` for each intent")
            }
            StoreError::Missing { .. } => {
                of(Kind::User).hint("`pacenote task add \"<title>\"` makes the first one")
            }
            StoreError::Gone { .. } => of(Kind::Environment)
                .hint("`pacenote store restore` puts the newest sound backup in its place"),
            StoreError::NotAFile { found, .. } => {
                let failure = match found {
                    FileKind::Link => of(Kind::Environment)
                        .hint("the link leads nowhere: bring back the file at its end"),
                    FileKind::Regular
                    | FileKind::Directory
                    | FileKind::Fifo
                    | FileKind::Socket
                    | FileKind::Device
                    | FileKind::Unknown => of(Kind::Environment),
                };
                failure.hint(
                    "`pacenote store restore` moves it aside and puts the newest sound backup in \
                     its place",
                )
            }
            StoreError::Interrupted { .. } => of(Kind::Environment)
                .hint("`pacenote task list` finishes it, like any command that opens the store"),
            StoreError::NoSoundBackup { .. } => of(Kind::User).hint(
                "nothing was changed; `pacenote store restore --empty` moves the store aside and \
                 starts an empty one",
            ),
            StoreError::Newer { .. } => of(Kind::Environment)
                .hint("update pacenote: a newer version wrote this store, nothing was changed"),
            StoreError::Older { .. } => {
                of(Kind::Environment).hint("any command that writes migrates it, after a backup")
            }
            StoreError::Damaged { .. } => of(Kind::Environment).hint(
                "`pacenote store restore` puts the newest sound backup in its place and keeps \
                 the damaged file",
            ),
            StoreError::Full { .. } => of(Kind::Environment)
                .hint("free some space, or set `PACENOTE_HOME` to another disk"),
            StoreError::Unwritable { .. } => {
                of(Kind::Environment).hint("set `PACENOTE_HOME` to a directory that can be written")
            }
            StoreError::Busy { .. } => of(Kind::Environment)
                .hint("another pacenote holds the store; `pacenote doctor` looks into it"),
            StoreError::File(_) => of(Kind::Environment),
            StoreError::Engine { .. } => {
                of(Kind::Bug).hint("`pacenote store check` looks into it; please report this")
            }
        }
    }
}

fn refused(refusal: &Refusal, failure: Failure) -> Failure {
    match refusal {
        Refusal::Held { task, by } => {
            failure.hint("`pacenote task ready` lists what is free").hint(format!(
                "if @{by} or the person agrees: `pacenote task claim {task} --take-over`"
            ))
        }
        Refusal::StillWaits { .. } => failure.hint("`pacenote task ready` lists what can begin"),
        Refusal::ChangedSince { task } => {
            failure.hint(format!("`pacenote task show {task}` shows it as it is now"))
        }
        Refusal::OpenSteps { task, .. } => {
            failure.hint(format!("`pacenote task close {task} --steps` closes them too"))
        }
        Refusal::WrongState { task, .. } => {
            failure.hint(format!("`pacenote task reopen {task}` makes it open again"))
        }
        Refusal::OtherProject { .. } => failure.hint("run the command in that project's directory"),
        Refusal::Reserved { .. } => {
            failure.hint("`pacenote mail reservations` lists what is held, and by whom")
        }
        Refusal::TasksChanged | Refusal::RunNumberTaken => failure.hint("try again"),
        Refusal::RunMoved { number, .. } => {
            failure.hint(format!("`pacenote flow status {}` shows the step at hand", number.get()))
        }
        Refusal::UnknownRun { .. } => failure.hint("`pacenote flow runs --all` lists them"),
        Refusal::HandoffTaken { .. } | Refusal::UnknownHandoff => {
            failure.hint("`pacenote session handoff show` shows what there is")
        }
        Refusal::UnknownSetAside { .. } => {
            failure.hint("`pacenote session log list` shows what was set aside")
        }
        Refusal::UnknownProject
        | Refusal::ProjectKnown { .. }
        | Refusal::UnknownSession
        | Refusal::UnknownTask { .. }
        | Refusal::Loop { .. }
        | Refusal::TooDeep { .. }
        | Refusal::TooMany { .. }
        | Refusal::UnknownMessage
        | Refusal::NotRecipient { .. }
        | Refusal::UnknownReservation
        | Refusal::CursorMoved { .. } => failure,
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        if let EngineError::Store(store) = error {
            return store.into();
        }
        if let EngineError::File(file) = error {
            return file.into();
        }
        let of = |kind| Self::of(kind, &error);
        match &error {
            EngineError::Store(_)
            | EngineError::File(_)
            | EngineError::NoModel { .. }
            | EngineError::NoAnswer { .. }
            | EngineError::NoClient { .. } => of(Kind::Environment),
            EngineError::Name(name) if name.is_reserved() => of(Kind::User).hint(SPEAKER_HINT),
            EngineError::Text(_)
            | EngineError::Name(_)
            | EngineError::Reference(_)
            | EngineError::NotPinned(_)
            | EngineError::EmptyMessage => of(Kind::User),
            EngineError::LongMessage { .. } => {
                of(Kind::User).hint("write it into a file and name that in the message")
            }
            EngineError::ReservedName { name } => of(Kind::User).hint(reserved_hint(name)),
            EngineError::SecretName { .. } => of(Kind::User)
                .hint("names are stored and shown as they are: use one without the secret"),
            EngineError::Wake(error) => advise_on_wake(error, &of),
            EngineError::ManyTasks { candidates, .. } => {
                let failure = of(Kind::User).hint("name one of them by its id:");
                candidates.iter().map(|one| inert(one)).fold(failure, Self::hint)
            }
            EngineError::NotATask { nearest, .. } | EngineError::UnknownTask { nearest, .. } => {
                let failure = did_you_mean(of(Kind::User), nearest.as_deref());
                failure.hint("`pacenote task list` shows the ids of this project")
            }
            EngineError::BadSet { .. } => of(Kind::User)
                .hint("a set has `docs.jsonl` and `queries.jsonl`, one JSON object on each line"),
            EngineError::UnknownMessage { .. } => {
                of(Kind::User).hint("`pacenote mail inbox` lists messages with their numbers")
            }
            EngineError::UnknownProject { nearest, .. } => {
                did_you_mean(of(Kind::User), nearest.as_deref())
            }
            EngineError::ManyProjects { .. } => {
                of(Kind::User).hint("send it from within the project that is meant")
            }
            EngineError::UnknownSession { .. } => {
                of(Kind::User).hint("`pacenote session list` shows the sessions of this project")
            }
            EngineError::UnknownGate { nearest, .. } => match nearest {
                Some(nearest) => of(Kind::User).hint(format!("did you mean `{nearest}`?")),
                None => of(Kind::User).hint("`pacenote allow` lists the gates there are"),
            },
            EngineError::Nameless => {
                of(Kind::User).hint("say who with `--agent NAME`, or set `PACENOTE_AGENT`")
            }
            EngineError::NothingToUndo => {
                of(Kind::User).hint("`pacenote task list` shows the tasks as they are")
            }
            EngineError::NoRecipient => of(Kind::User).hint("say who with `--to AGENT[,AGENT]`"),
            EngineError::UnknownReservation { .. } => {
                of(Kind::User).hint("`pacenote mail reservations` lists what is held")
            }
            EngineError::NoSkill { hints, .. } => {
                hints.iter().cloned().fold(of(Kind::User), Self::hint)
            }
            EngineError::UnsoundRules { problems, .. } => {
                let failure = of(Kind::User).hint("`pacenote lifecycle check` shows what to fix");
                problems.iter().fold(failure, |failure, problem| failure.and(problem.to_string()))
            }
            EngineError::FileChanged { .. } => {
                of(Kind::User).hint("nothing was changed; read it and run the same command again")
            }
            EngineError::BadLock { problems, .. } => {
                let failure = of(Kind::User).hint(LOCK_HINT);
                problems.iter().fold(failure, |failure, problem| failure.and(problem.to_string()))
            }
            EngineError::UnreadableLock { .. } => of(Kind::User).hint(LOCK_HINT),
            EngineError::NoSection { there, .. } => {
                of(Kind::User).hint(format!("there is: {}", there.join(", ")))
            }
            EngineError::InTheWay { .. } => {
                of(Kind::User).hint("choose another name, or remove what is there")
            }
            EngineError::NotBuiltIn { .. } => {
                of(Kind::User).hint("`pacenote skill list` shows which are built in")
            }
            EngineError::Flow(error) => flow(error, of(Kind::User)),
            EngineError::Setup(setup) => {
                let (kind, hint) = advise_on_setup(setup);
                of(kind).hint(hint)
            }
            EngineError::Unwritten { .. } => of(Kind::Bug),
            EngineError::EmptyPlan { findings, .. } => {
                let shown = findings.iter().take(FINDINGS_SHOWN).cloned();
                let failure = shown.fold(of(Kind::User), Self::hint);
                failure.hint("a plan's tasks are headings such as `### Task 1: Add the login form`")
            }
        }
    }
}

fn advise_on_wake(error: &WakeError, of: &dyn Fn(Kind) -> Failure) -> Failure {
    match error {
        WakeError::UnknownRole { nearest, .. } => {
            did_you_mean(of(Kind::User), nearest.as_deref()).hint(ROLE_HINT)
        }
        WakeError::RoleElsewhere { .. } => {
            of(Kind::User).hint("run it in the project of that agent, or without `--role`")
        }
        WakeError::LostProject { .. } => {
            of(Kind::Environment).hint("`pacenote mail send` reaches an agent of it wherever it is")
        }
        WakeError::NoTask { .. } => of(Kind::User).hint("pass --task ID"),
    }
}

fn advise_on_setup(error: &SetupError) -> (Kind, &'static str) {
    match error {
        SetupError::Unfit { .. } | SetupError::NotText { .. } => (
            Kind::User,
            "fix it and run this again, or edit it by hand: the client's page in `docs/` shows \
             what belongs there",
        ),
        SetupError::File(file) => match obstacle(file) {
            Some(hint) => (Kind::User, hint),
            None => {
                (Kind::Environment, "make sure that you may read and write it, and run this again")
            }
        },
        SetupError::ReadOnly { .. } => {
            (Kind::Environment, "make it writable, or choose another file with `--scope`")
        }
        SetupError::Changed { .. } => {
            (Kind::Environment, "nothing of it was overwritten; run this again")
        }
        SetupError::Forgotten { .. } => (
            Kind::Environment,
            "delete it and run this again: our hooks are then found by their meaning",
        ),
    }
}

fn flow(error: &FlowError, failure: Failure) -> Failure {
    match error {
        FlowError::Unknown { nearest: Some(nearest), .. } => {
            failure.hint(format!("did you mean `{nearest}`?"))
        }
        FlowError::Unknown { .. } => failure.hint("`pacenote flow list` shows those there are"),
        FlowError::Unsound { problems, .. } => {
            let failure = problems.iter().fold(failure, |failure, problem| {
                let hint = problem.hint.as_ref().map(|hint| format!(" ({hint})"));
                failure.and(format!("{problem}{}", hint.unwrap_or_default()))
            });
            failure.hint("`pacenote flow check` shows what is wrong with every definition")
        }
        FlowError::Untrusted { path, .. } if path.components().any(|part| part.as_os_str() == "workflows") => {
            failure.hint("`pacenote trust status` shows it, `pacenote trust approve` enables it")
        }
        FlowError::Untrusted { .. } => failure.hint(
            "in a repository only files below `.pacenote/workflows/` can be trusted: move it there, \
             or outside the project",
        ),
        FlowError::Distrusted { .. } => failure
            .hint("`pacenote trust approve` trusts it again, `pacenote flow abort` ends the run"),
        FlowError::NoSuchRun { .. } => failure.hint("`pacenote flow runs --all` lists them"),
        FlowError::NoRun => failure.hint("`pacenote flow list` shows what can be started"),
        FlowError::ManyRuns { .. } => {
            failure.hint("name the run before the rest, such as `pacenote flow status 3`")
        }
        FlowError::NotAFile { .. } => failure.hint("name a file in it, such as `docs/plan.md`"),
        FlowError::Passed { run, .. } => failure.hint(format!(
            "`pacenote flow status {}` shows the step at hand",
            run.trim_start_matches('#')
        )),
        FlowError::Refused(refusal) => refusal.hint().into_iter().fold(failure, Failure::hint),
        FlowError::ResultTooLarge { .. } => {
            failure.hint("hand in a summary that names the file with the details")
        }
        FlowError::ReportMissing { .. } => failure.hint(
            "`--result FILE`, where the first line of the file is `RESULT: PASS` or `RESULT: FAIL`",
        ),
        FlowError::ReportUndecided { error, .. } => failure.hint(error.hint()),
        FlowError::AnswerMissing { .. } => {
            failure.hint("`--result FILE`, where the file is JSON that fits the schema of the step")
        }
        FlowError::AnswerUnfit { .. } => {
            failure.hint("let the agent correct its answer, or report `--outcome fail`")
        }
        FlowError::OtherWorkflow { workflow, .. } => {
            failure.hint(format!("name a definition whose `name` is `{workflow}`"))
        }
        FlowError::Contradicted { .. } => failure.hint("leave `--outcome` out: the report decides"),
        FlowError::QuestionsUnread { .. } => {
            failure.hint("`{\"questions\": [{\"text\": \"…\", \"options\": [\"…\", \"…\"]}]}`")
        }
        FlowError::FileMissing { .. } => {
            failure.hint("write the path relative to the root of the project")
        }
        FlowError::FileGone { .. } => failure
            .hint("bring the file back, name another with `--param`, or `pacenote flow abort`"),
        FlowError::Legacy { hint, .. } => failure.hint(hint.clone()),
        FlowError::PersonOnly => failure.hint("run the same command in a terminal of your own"),
        FlowError::Unshown { run, .. } => failure.hint(format!(
            "the person can move the run to a corrected definition: \
             `pacenote flow repair {run} --definition FILE`"
        )),
        FlowError::ResultNotText | FlowError::Unreadable { .. } => failure,
    }
}

fn did_you_mean(failure: Failure, nearest: Option<&str>) -> Failure {
    match nearest {
        Some(nearest) => failure.hint(format!("did you mean `{nearest}`?")),
        None => failure,
    }
}
