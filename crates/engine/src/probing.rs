//! Proof that the notes arrive: the real client, run against a scripted model.
//!
//! The client that the person has installed is started headless with a home, a project and a store
//! of their own, a fake key, and no address but that of a model on loopback that says what a script
//! tells it and keeps every request. What our hooks told is then looked for in those requests.
//! Nothing of the person's is read or written, and a client that hangs is ended.

mod drive;
mod stage;

use std::{path::Path, time::Duration};

use pacenote_files::ScratchDirectory;
use pacenote_hosts::{Restart, clients::Client};
use pacenote_model::EventKind;
use pacenote_probe::{Kind, Reply, Request, Script};
use semver::Version;

use self::{
    drive::{Compaction, Spelling, drive_of},
    stage::{FORBIDDEN, MAIL, OTHER, Stage, TITLE, arrived, search_beside, times},
};
use crate::{Clock, EngineError, clients::Found};

/// How long one turn of a client may take. The slowest known takes half a minute when it starts for
/// the first time on a busy machine.
pub const PATIENCE: Duration = Duration::from_mins(2);

/// What the session is asked first; nothing else says it.
const ASK: &str = "BASTING: begin with it";

/// What a client was asked to prove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// The notes of a session that starts.
    Start,
    /// What is new, with a prompt.
    Prompt,
    /// A tool that a rule refuses.
    Gate,
    /// The notes of a subagent.
    Subagent,
    /// The notes after a compaction, once.
    Compaction,
}

impl Point {
    /// Every point, in the order of a session.
    pub const ALL: [Self; 5] =
        [Self::Start, Self::Prompt, Self::Gate, Self::Subagent, Self::Compaction];

    /// Returns the word in the table.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Prompt => "prompt",
            Self::Gate => "gate",
            Self::Subagent => "subagent",
            Self::Compaction => "compaction",
        }
    }
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All of it reached the model, or the tool was refused.
    Whole,
    /// A part of it did.
    Cut {
        /// How many of how many lines are missing.
        missing: usize,
        /// Of how many.
        of: usize,
        /// The first of them.
        first: String,
    },
    /// None of it did.
    Missing {
        /// What was seen instead.
        saw: String,
    },
    /// It could not be tried.
    NotExercised { why: String },
}

impl Outcome {
    /// Returns it in words.
    pub fn sentence(&self) -> String {
        match self {
            Self::Whole => "arrived whole".to_owned(),
            Self::Cut { missing, of, first } => {
                format!("arrived cut: {missing} of {of} lines are missing, first `{first}`")
            }
            Self::Missing { saw } => format!("not arrived: {saw}"),
            Self::NotExercised { why } => format!("not exercised: {why}"),
        }
    }

    /// Tells whether something that should have arrived did not.
    pub const fn is_failure(&self) -> bool {
        match self {
            Self::Cut { .. } | Self::Missing { .. } => true,
            Self::Whole | Self::NotExercised { .. } => false,
        }
    }
}

/// What a client proved.
#[derive(Clone, Debug)]
pub struct Proof {
    pub client: &'static Client,
    pub outcomes: Vec<(Point, Outcome)>,
}

/// Runs a client through every point. `ours` is the program whose hooks it shall call; a turn that
/// takes longer than `patience` is ended, and nothing more is tried with that client.
pub fn probe(
    found: &Found,
    ours: &Path,
    patience: Duration,
    clock: Clock,
) -> Result<Proof, EngineError> {
    let client = found.client;
    let mut has_hung = false;
    let mut outcome = |point: Point| match (drive_of(client.name), &found.program) {
        (None, _) => Ok(not("nobody knows how to run it against a scripted model")),
        (_, None) => Ok(not("its program is not on the `PATH`")),
        _ if has_hung => Ok(not("it hung before")),
        (Some(drive), Some(program)) => {
            let stage = Stage::set(found, program, ours, drive, patience, clock)?;
            let outcome = played(point, &stage)?;
            has_hung = stage.has_hung();
            Ok(outcome)
        }
    };
    let outcomes = Point::ALL
        .into_iter()
        .map(|point| outcome(point).map(|outcome| (point, outcome)))
        .collect::<Result<_, EngineError>>()?;
    Ok(Proof { client, outcomes })
}

/// Asks a client for its version in a home of its own: some fill a cache even for that.
pub fn version_apart(found: &Found) -> Result<Option<Version>, EngineError> {
    let Some(program) = &found.program else { return Ok(None) };
    let scratch = ScratchDirectory::new()?;
    let home = scratch.path().display().to_string();
    let variables = [
        ("PATH".to_owned(), search_beside(program)),
        ("HOME".to_owned(), home.clone()),
        ("TMPDIR".to_owned(), home),
    ];
    Ok(found.version(variables))
}

fn not(why: &str) -> Outcome {
    Outcome::NotExercised { why: why.to_owned() }
}

fn played(point: Point, stage: &Stage) -> Result<Outcome, EngineError> {
    match point {
        Point::Start => start(stage),
        Point::Prompt => prompt(stage),
        Point::Gate => gate(stage),
        Point::Subagent => subagent(stage),
        Point::Compaction => compaction(stage),
    }
}

/// A session starts: every line of the notes is in the first request.
fn start(stage: &Stage) -> Result<Outcome, EngineError> {
    let run = stage.play(Script::new([Reply::text("done")]), |run| run.first(ASK))?;
    let requests = run.conversation();
    Ok(match requests.first() {
        Some(first) => arrived(first, stage.drive.spelling),
        None => run.nothing(),
    })
}

/// A message that came after a turn is in the request of the next, also when the person says the same
/// words again.
fn prompt(stage: &Stage) -> Result<Outcome, EngineError> {
    if stage.drive.next.is_none() {
        return Ok(not("it is not known how to continue a session of it headless"));
    }
    let script = Script::new(["first", "second", "third"].map(Reply::text));
    let run = stage.play(script, |run| {
        run.first(ASK)?;
        for message in MAIL {
            stage.send_mail(message)?;
            run.next("what is new?")?;
        }
        Ok(())
    })?;
    let requests = run.conversation();
    let turns = requests.len().checked_sub(MAIL.len()).filter(|first| *first > 0);
    let Some(first) = turns else { return Ok(run.nothing()) };
    let turns = requests.iter().skip(first).zip(MAIL);
    let mut missing = turns.filter(|(request, message)| request.occurrences(message) == 0);
    Ok(match missing.next() {
        None => Outcome::Whole,
        Some((_, message)) => {
            run.missing(&format!("`{message}` is not in the request of the turn after it"))
        }
    })
}

/// A command that a rule refuses is not run.
fn gate(stage: &Stage) -> Result<Outcome, EngineError> {
    let (name, input) = (stage.drive.shell)(&format!("touch {FORBIDDEN}"));
    let script = Script::new([Reply::tool(name, input), Reply::text("done")]);
    let run = stage.play(script, |run| run.first(ASK))?;
    if stage.has_file(FORBIDDEN) {
        return Ok(run.missing("the tool ran although a rule refuses it"));
    }
    let told = run.conversation().iter().any(|request| request.occurrences("no probing") > 0);
    Ok(if told { Outcome::Whole } else { run.missing("the reason did not reach the model") })
}

/// A subagent reads of its own task, and not of that of its session.
fn subagent(stage: &Stage) -> Result<Outcome, EngineError> {
    let tells = stage.rows().iter().any(|row| row.kind == EventKind::SubagentStart && row.context);
    let Some(agent) = stage.drive.agent.filter(|_| tells) else {
        return Ok(not("it does not tell of subagents, or takes no text for them"));
    };
    let asked = "SEWING-KIT: do #2 and report";
    let (name, input) = agent(asked);
    // Some clients start a subagent and go on: the orchestrator waits for it, but not for ever.
    let call = |command: &str| {
        let (name, input) = (stage.drive.shell)(command);
        Reply::tool(name, input)
    };
    let waits = "for i in $(seq 100); do test -e sewn && break; sleep 0.1; done";
    let script = Script::new([Reply::tool(name, input), call(waits), Reply::text("done")])
        .apart("SEWING-KIT", [call("touch sewn"), Reply::text("sewn")]);
    let run = stage.play(script, |run| run.first(ASK))?;
    let requests = run.conversation();
    // What the orchestrator sends also holds what it asked; a subagent's request begins with it.
    let own = requests
        .iter()
        .find(|request| request.occurrences("SEWING-KIT") > 0 && request.occurrences(ASK) == 0);
    Ok(match own {
        Some(request) if request.occurrences(OTHER) == 0 => {
            run.missing("the task is not in the subagent's request")
        }
        Some(request) if request.occurrences(TITLE) > 0 => {
            run.missing("the subagent's request holds the task of the session")
        }
        Some(_) => Outcome::Whole,
        None => not("no request of a subagent was seen"),
    })
}

/// After a compaction the notes are in the next request, once.
fn compaction(stage: &Stage) -> Result<Outcome, EngineError> {
    let tool = || {
        let (name, input) = (stage.drive.shell)("true");
        Reply::tool(name, input)
    };
    let waits = stage.restart() == Some(Restart::AtNextPrompt);
    if waits && stage.drive.next.is_none() {
        return Ok(not("the notes come back with the next prompt, which cannot be sent headless"));
    }
    let Some(compaction) = stage.drive.compaction else {
        return Ok(not("nobody knows how to make it compact headless"));
    };
    let (first, follows) = match compaction {
        Compaction::AfterTool { usage } => (tool().usage(usage, 10), waits),
        Compaction::AfterTurn { usage } => (Reply::text("full").usage(usage, 10), waits),
        Compaction::NextTurn { usage } => (Reply::text("full").usage(usage, 10), true),
        Compaction::BySettings { .. } | Compaction::ByPrompt { .. } => (Reply::text("full"), true),
    };
    let script = Script::new([first, Reply::text("done"), Reply::text("done again")]);
    let run = stage.play(script, |run| {
        run.first(ASK)?;
        match compaction {
            Compaction::BySettings { settings } => {
                let (path, text) = settings();
                stage.write_home(path, &text)?;
            }
            Compaction::ByPrompt { prompt } => run.next(prompt)?,
            Compaction::AfterTool { .. }
            | Compaction::AfterTurn { .. }
            | Compaction::NextTurn { .. } => {}
        }
        if follows { run.next("go on") } else { Ok(()) }
    })?;
    let all = run.requests();
    let Some(summary) = all.iter().rposition(|request| request.kind == Kind::Summary) else {
        return Ok(not("it did not compact"));
    };
    let is_after = |request: &&Request| request.kind == Kind::Conversation;
    let mut after = all.iter().skip(summary).filter(is_after);
    // Where the notes come with the next prompt, the turn that was compacted ends without them.
    let after = if waits { after.next_back() } else { after.next() };
    // What we put into a request ourselves is not spelled otherwise.
    let spelling = if waits { stage.drive.spelling } else { Spelling::Exact };
    Ok(match after {
        Some(request) if times(request) > 1 => run.missing("the notes are there twice"),
        Some(request) => arrived(request, spelling),
        None => run.missing("no request came after the summary"),
    })
}

/// What one run of a client left behind.
struct Run {
    all: Vec<Request>,
    said: String,
}

impl Run {
    fn requests(&self) -> &[Request] {
        &self.all
    }

    fn conversation(&self) -> Vec<&Request> {
        self.all.iter().filter(|request| request.kind == Kind::Conversation).collect()
    }

    fn nothing(&self) -> Outcome {
        self.missing("the client sent no request")
    }

    fn missing(&self, what: &str) -> Outcome {
        let said = self.said.lines().last().unwrap_or_default();
        let said = if said.is_empty() { String::new() } else { format!(" ({said})") };
        Outcome::Missing { saw: format!("{what}{said}") }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use pacenote_hosts::clients::client_named;

    use super::*;

    /// Returns Codex as a script that does something else.
    fn fake(directory: &Path, script: &str) -> Found {
        let program = directory.join("codex");
        pacenote_files::write_atomically(&program, format!("#!/bin/sh\n{script}\n").as_bytes())
            .unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let client = client_named("codex").unwrap();
        let home = Some(directory.join("home"));
        Found { client, program: Some(program), home, has_home: false, is_in_project: false }
    }

    fn said(script: &str) -> Vec<String> {
        let directory = tempfile::tempdir().unwrap();
        let found = fake(directory.path(), script);
        let ours = Path::new("/usr/local/bin/pacenote");
        let proof = probe(&found, ours, Duration::from_secs(1), Clock::System).unwrap();
        proof
            .outcomes
            .iter()
            .map(|(point, outcome)| format!("{}: {}", point.word(), outcome.sentence()))
            .collect()
    }

    #[test]
    fn a_client_that_hangs_is_ended_and_not_tried_again() {
        insta::assert_snapshot!(said("sleep 600").join("\n"), @"
        start: not arrived: the client sent no request (it was ended after 1 seconds)
        prompt: not exercised: it hung before
        gate: not exercised: it hung before
        subagent: not exercised: it hung before
        compaction: not exercised: it hung before
        ");
    }

    #[test]
    fn a_client_that_dies_proves_nothing() {
        let said = said("echo 'no such model' >&2; exit 3");
        assert_eq!(said[0], "start: not arrived: the client sent no request (no such model)");
        assert!(said.iter().all(|line| !line.contains("whole")), "{said:?}");
    }
}
