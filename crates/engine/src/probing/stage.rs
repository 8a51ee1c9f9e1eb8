//! The surroundings in which a client is run: a home, a project and a store of their own.

use std::{
    cell::Cell,
    path::{Path, PathBuf},
    time::Duration,
};

use pacenote_files::{Readers, ScratchDirectory, exists};
use pacenote_fleet::{Ending, Launch, start};
use pacenote_hosts::{Host, Restart, Row, clients::Scope};
use pacenote_model::{AgentName, Importance};
use pacenote_probe::{Request, Script, Server};
use pacenote_store::Access;

use super::{
    Outcome, Run,
    drive::{Drive, Scene, Spelling},
};
use crate::{
    Caller, Clock, Data, Desk, EngineError,
    clients::Found,
    data::NO_WORKERS,
    install::{self, StatusLineOffer, Target},
    mail::{self, SendRequest},
    skills::{Library, Surroundings},
    tasks::{self, AddRequest, HeldByOther},
};

/// The agent that the client's sessions act for.
const AGENT: &str = "probe";

/// The title of the task at which the session stands.
pub(super) const TITLE: &str = "Thread the probing needle";

/// The plan that the task is from. Its code has whatever a client could spell otherwise.
const PLAN: &str = "docs/plans/probing.md";

/// The section of the task.
const SECTION: [&str; 7] = [
    "Count the eyes before the thread is cut.",
    "```rust",
    "let eyes: Vec<Eye<'_>> = needle.eyes().filter(|eye| 2 < eye.width && eye.width > 1).collect();",
    "\tprintln!(\"{}\\t{:?}\", eyes.len(), Some::<&str>(\"naïve → `öse`\"));",
    "assert_eq!(r#\"<b>&amp;</b>\"#.len(), 12); // C:\\needles\\*.rs",
    "```",
    "Then sew.",
];

/// What was found out about it.
const NOTE: &str = "The thread is a `Cow<'static, str>`: \"&str\" frays && tears.";

/// The title of a task that a subagent is given. It is not a step of the session's, so that nothing that
/// is said about the session can be taken for it.
pub(super) const OTHER: &str = "Sew on the probing button";

/// What messages say that come later, one after each turn.
pub(super) const MAIL: [&str; 2] = ["The probing thread is blue.", "Stop: the button is torn."];

/// The file that a rule keeps from being made.
pub(super) const FORBIDDEN: &str = "forbidden-by-probing";

/// Lines of the skill that the notes carry: 30,000 characters, three times what one answer holds of
/// the client with the lowest ceiling.
const LINES: usize = 1_200;

/// The rule of the scratch home.
const RULES: &str = "\
on_before_tool:
  - name: no-probing
    action: block_tools
    tools: [shell]
    command: forbidden-by-probing
    reason: there shall be no probing here
";

/// What git needs to know a directory for a repository.
const HEAD: &[u8] = b"ref: refs/heads/main\n";

/// A place for one run.
pub(super) struct Stage {
    scratch: ScratchDirectory,
    program: PathBuf,
    pub(super) drive: &'static Drive,
    session: String,
    patience: Duration,
    /// Whether a turn had to be ended.
    has_hung: Cell<bool>,
}

impl Stage {
    /// Sets the stage: a project with a task, a skill, a rule, and our hooks registered.
    pub(super) fn set(
        found: &Found,
        program: &Path,
        ours: &Path,
        drive: &'static Drive,
        patience: Duration,
        clock: Clock,
    ) -> Result<Self, EngineError> {
        let scratch = ScratchDirectory::new()?;
        let stage = Self {
            scratch,
            program: program.to_owned(),
            drive,
            session: clock.fresh().to_string(),
            patience,
            has_hung: Cell::new(false),
        };
        let files = stage.scratch.files()?;
        for directory in ["shop/.git/objects", "shop/.git/refs", "tmp"] {
            files.create_directory(Path::new(directory), Readers::Owner)?;
        }
        files.write(Path::new("shop/.git/HEAD"), HEAD, Readers::Owner)?;
        // One that a hook started would go on after the client, in a directory that is gone.
        files.write(&Path::new("data").join(NO_WORKERS), b"", Readers::Owner)?;
        stage.write_home(".config/pacenote/lifecycle.yaml", RULES)?;
        let skill =
            format!("---\nname: probing\ndescription: how to probe\n---\n{}", lines().join("\n"));
        stage.write_home(".agents/skills/probing/SKILL.md", &skill)?;
        let plan = format!("# The probing plan\n\n## Task 1: {TITLE}\n\n{}\n", SECTION.join("\n"));
        files.write(&Path::new("shop").join(PLAN), plan.as_bytes(), Readers::Owner)?;
        stage.add_tasks()?;
        let home = stage.home().join(found.client.home);
        let program = ours.display().to_string();
        for target in Target::of(found.client, Scope::User, &home, &stage.project()) {
            let change =
                install::register(&stage.data(), target, &program, StatusLineOffer::Decline)?;
            install::apply(&stage.data(), &change)?;
        }
        Ok(stage)
    }

    /// Tells whether a turn had to be ended.
    pub(super) const fn has_hung(&self) -> bool {
        self.has_hung.get()
    }

    /// Returns what the client carries.
    pub(super) fn rows(&self) -> Vec<Row> {
        Host::from_name(self.drive.name).map(Host::rows).unwrap_or_default()
    }

    /// Returns where the notes come back after a compaction.
    pub(super) fn restart(&self) -> Option<Restart> {
        let host = Host::from_name(self.drive.name)?;
        Some(host.capabilities().restarts_after_compaction)
    }

    fn home(&self) -> PathBuf {
        self.scratch.path().join("home")
    }

    fn project(&self) -> PathBuf {
        self.scratch.path().join("shop")
    }

    fn data(&self) -> Data {
        Data::new(self.scratch.path().join("data"))
    }

    pub(super) fn write_home(&self, path: &str, text: &str) -> Result<(), EngineError> {
        let path = Path::new("home").join(path);
        Ok(self.scratch.files()?.write(&path, text.as_bytes(), Readers::Owner)?)
    }

    fn desk(&self, agent: &str) -> Result<Desk, EngineError> {
        let caller = Caller::Agent(AgentName::parse(agent)?);
        Desk::open(self.data(), &self.project(), caller, Access::Write)
    }

    fn add_tasks(&self) -> Result<(), EngineError> {
        let mut desk = self.desk(AGENT)?;
        let place = desk.place().clone();
        let none = |_: &str| None;
        let surroundings = Surroundings {
            home: Some(self.home()),
            directory: self.project(),
            variable: &none,
            extra: Vec::new(),
        };
        Library::open(&mut desk, &surroundings)?;
        let plan = self.project().join(PLAN);
        let first = AddRequest {
            title: TITLE,
            skill: Some("probing"),
            plan: Some(&plan),
            section: Some("Task 1"),
            ..AddRequest::default()
        };
        let task = tasks::add(&mut desk.begin(None)?, &place, &first)?;
        let other = AddRequest { title: OTHER, ..AddRequest::default() };
        tasks::add(&mut desk.begin(None)?, &place, &other)?;
        let id = task.short.to_string();
        tasks::claim(&mut desk.begin(None)?, &id, None, HeldByOther::Refuse)?;
        tasks::note(&mut desk.begin(None)?, &id, NOTE)?;
        Ok(())
    }

    /// Sends the agent a message that cannot wait.
    pub(super) fn send_mail(&self, body: &str) -> Result<(), EngineError> {
        let mut desk = self.desk("tailor")?;
        let request = SendRequest {
            to: &[AGENT.to_owned()],
            subject: "The thread",
            body,
            importance: Importance::Urgent,
            ack_required: false,
            reply_to: None,
        };
        mail::send(&mut desk.begin(None)?, &request).map(drop)
    }

    /// Tells whether the client made a file in the project.
    pub(super) fn has_file(&self, name: &str) -> bool {
        exists(&self.project().join(name))
    }

    /// Plays a script to the client.
    pub(super) fn play(
        &self,
        script: Script,
        turns: impl FnOnce(&mut Turns<'_>) -> Result<(), EngineError>,
    ) -> Result<Run, EngineError> {
        let server = Server::start(script).map_err(|error| EngineError::NoModel { error })?;
        let model = server.base_url();
        let mut playing = Turns { stage: self, model: &model, said: String::new() };
        for (path, text) in (self.drive.files)(&playing.scene()) {
            self.write_home(path, &text)?;
        }
        turns(&mut playing)?;
        let said = playing.said;
        Ok(Run { all: server.requests(), said })
    }
}

/// The turns of one session.
pub(super) struct Turns<'a> {
    stage: &'a Stage,
    model: &'a str,
    said: String,
}

impl Turns<'_> {
    fn scene(&self) -> Scene<'_> {
        Scene { model: self.model, session: &self.stage.session }
    }

    /// Starts the session.
    pub(super) fn first(&mut self, prompt: &str) -> Result<(), EngineError> {
        let arguments = (self.stage.drive.first)(&self.scene(), prompt);
        self.turn(arguments, prompt)
    }

    /// Goes on with it.
    pub(super) fn next(&mut self, prompt: &str) -> Result<(), EngineError> {
        let Some(next) = self.stage.drive.next else { return Ok(()) };
        let arguments = next(&self.scene(), prompt);
        self.turn(arguments, prompt)
    }

    fn turn(&mut self, arguments: Vec<String>, prompt: &str) -> Result<(), EngineError> {
        let stage = self.stage;
        let input = if stage.drive.reads_prompt { prompt } else { "" };
        let text = |path: PathBuf| path.display().to_string();
        let temporary = stage.scratch.path().join("tmp");
        let launch = Launch::new(&stage.program, stage.project())
            .arguments(arguments)
            .variable("PATH", search_beside(&stage.program))
            .variable("HOME", text(stage.home()))
            .variable("TMPDIR", text(temporary))
            .variable("PACENOTE_HOME", text(stage.scratch.path().join("data")))
            .variable("PACENOTE_AGENT", AGENT)
            .variables((stage.drive.variables)(&self.scene()))
            .input(input.as_bytes());
        // A client that hangs is ended; what it had sent by then is looked at all the same.
        let finished =
            start(&launch, stage.patience).map_err(|error| EngineError::NoClient { error })?;
        if finished.ending == Ending::TimedOut {
            stage.has_hung.set(true);
            self.said = format!("it was ended after {} seconds", stage.patience.as_secs());
        } else {
            finished.errors.text().trim().clone_into(&mut self.said);
        }
        Ok(())
    }
}

/// Returns where a client finds other programs: beside itself, and where the system keeps them.
pub(super) fn search_beside(program: &Path) -> String {
    let beside = program.parent().unwrap_or(Path::new("/usr/bin"));
    format!("{}:/usr/local/bin:/usr/bin:/bin", beside.display())
}

fn lines() -> Vec<String> {
    (1..=LINES).map(|number| format!("Line {number:04} of the probe.")).collect()
}

/// Reports how much of the notes a request holds, byte for byte. `spelling` is how the client spells
/// what the notes say.
pub(super) fn arrived(request: &Request, spelling: Spelling) -> Outcome {
    let exact = SECTION.into_iter().chain([NOTE]).map(|line| spelling.of(line));
    let all: Vec<String> = lines().into_iter().chain(exact).collect();
    let missing: Vec<&String> = all.iter().filter(|line| request.occurrences(line) == 0).collect();
    match missing.first() {
        None => Outcome::Whole,
        Some(_) if missing.len() == all.len() => {
            Outcome::Missing { saw: "the request holds nothing of the notes".to_owned() }
        }
        Some(first) => {
            let first = (*first).clone();
            Outcome::Cut { missing: missing.len(), of: all.len(), first }
        }
    }
}

/// Counts how often the notes are in a request, by one of their lines.
pub(super) fn times(request: &Request) -> usize {
    lines().first().map_or(0, |line| request.occurrences(line))
}
