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
    drive::{Drive, Scene},
};
use crate::{
    Caller, Clock, Data, Desk, EngineError,
    clients::Found,
    install::{self, Target},
    mail::{self, SendRequest},
    skills::{Library, Surroundings},
    tasks::{self, AddRequest, HeldByOther},
};

/// The agent that the client's sessions act for.
const AGENT: &str = "probe";

/// The title of the task at which the session stands.
const TITLE: &str = "Thread the probing needle";

/// The title of its step, which a subagent is given.
pub(super) const STEP: &str = "Sew on the probing button";

/// What a message says that comes later.
pub(super) const MAIL: &str = "The probing thread is blue.";

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
        stage.write_home(".config/pacenote/lifecycle.yaml", RULES)?;
        let skill =
            format!("---\nname: probing\ndescription: how to probe\n---\n{}", lines().join("\n"));
        stage.write_home(".agents/skills/probing/SKILL.md", &skill)?;
        stage.add_tasks()?;
        let home = stage.home().join(found.client.home);
        for target in Target::of(found.client, Scope::User, &home, &stage.project()) {
            let change = install::register(&stage.data(), target, &ours.display().to_string())?;
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

    fn write_home(&self, path: &str, text: &str) -> Result<(), EngineError> {
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
        let first = AddRequest { title: TITLE, skill: Some("probing"), ..AddRequest::default() };
        let task = tasks::add(&mut desk.begin(None)?, &place, &first)?;
        let step = AddRequest { title: STEP, parent: Some("#1"), ..AddRequest::default() };
        tasks::add(&mut desk.begin(None)?, &place, &step)?;
        tasks::claim(&mut desk.begin(None)?, &task.short.to_string(), None, HeldByOther::Refuse)?;
        Ok(())
    }

    /// Sends the agent a message that cannot wait.
    pub(super) fn send_mail(&self) -> Result<(), EngineError> {
        let mut desk = self.desk("tailor")?;
        let request = SendRequest {
            to: &[AGENT.to_owned()],
            subject: "The thread",
            body: MAIL,
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
        let beside = stage.program.parent().unwrap_or(Path::new("/usr/bin"));
        let launch = Launch::new(&stage.program, stage.project())
            .arguments(arguments)
            .variable("PATH", format!("{}:/usr/local/bin:/usr/bin:/bin", beside.display()))
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

fn lines() -> Vec<String> {
    (1..=LINES).map(|number| format!("Line {number:04} of the probe.")).collect()
}

/// Tells how much of the notes a request holds.
pub(super) fn arrived(request: &Request) -> Outcome {
    let all = lines();
    let missing = all.iter().filter(|line| request.occurrences(line) == 0).count();
    if missing == 0 && times(request) > 0 {
        Outcome::Whole
    } else if missing == all.len() && times(request) == 0 {
        Outcome::Missing { saw: "the request holds nothing of the notes".to_owned() }
    } else {
        Outcome::Cut { missing, of: all.len() }
    }
}

/// Counts how often the notes are in a request, by one of their lines.
pub(super) fn times(request: &Request) -> usize {
    lines().first().map_or(0, |line| request.occurrences(line))
}
