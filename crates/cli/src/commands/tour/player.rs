//! The scratch project, and this program run in it.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use pacenote_files::{Readers, ScratchDirectory};
use pacenote_fleet::{Launch, start};
use serde_json::{Value, json};

use crate::{
    environment::Environment,
    failure::{Failure, Kind},
};

/// Longest life of one command of the tour. Each takes milliseconds; a machine may be busy.
const PATIENCE: Duration = Duration::from_secs(30);

/// The agent whose life is played.
const AGENT: &str = "backend";

/// What git needs to know a directory for a repository.
const HEAD: &[u8] = b"ref: refs/heads/main\n";

/// Plays commands and events in a project of its own.
pub(super) struct Player {
    scratch: ScratchDirectory,
    program: PathBuf,
    variables: Vec<(String, String)>,
}

impl Player {
    pub(super) fn new(environment: &Environment) -> Result<Self, Failure> {
        let program = std::env::current_exe().map_err(|source| {
            Failure::new(Kind::Environment, format!("this program cannot be found: {source}"))
        })?;
        let scratch = ScratchDirectory::new()?;
        let files = scratch.files()?;
        for directory in ["shop/.git/objects", "shop/.git/refs", "home"] {
            files.create_directory(Path::new(directory), Readers::Owner)?;
        }
        files.write(Path::new("shop/.git/HEAD"), HEAD, Readers::Owner)?;
        let text = |path: PathBuf| path.display().to_string();
        let variables = vec![
            ("HOME".to_owned(), text(scratch.path().join("home"))),
            ("PACENOTE_HOME".to_owned(), text(scratch.path().join("data"))),
            ("PATH".to_owned(), environment.variable("PATH").unwrap_or_default()),
        ];
        Ok(Self { scratch, program, variables })
    }

    fn project(&self) -> PathBuf {
        self.scratch.path().join("shop")
    }

    /// Writes a file of the project.
    pub(super) fn write(&self, path: &str, text: &str) -> Result<(), Failure> {
        let path = Path::new("shop").join(path);
        Ok(self.scratch.files()?.write(&path, text.as_bytes(), Readers::Owner)?)
    }

    /// Runs a command line and returns what it printed.
    pub(super) fn run(&self, line: &str) -> Result<String, Failure> {
        self.output(AGENT, &words(line), "")
    }

    /// Runs a command line of the person, whom nothing names.
    pub(super) fn run_as_person(&self, line: &str) -> Result<String, Failure> {
        output_of(&self.launch(&words(line)), line)
    }

    /// Runs a command line of another agent.
    pub(super) fn run_as(&self, agent: &str, line: &str) -> Result<String, Failure> {
        self.output(agent, &words(line), "")
    }

    /// Returns why the last answer held what it did: a line for each kind of thing in it.
    pub(super) fn reasons(&self) -> Result<Vec<String>, Failure> {
        let sessions = json_of(&self.run("session list --json")?);
        let sessions = sessions.get("sessions").and_then(Value::as_array).cloned();
        let newest =
            |session: &Value| session.get("last_seen").and_then(Value::as_str).map(str::to_owned);
        let last = sessions.unwrap_or_default().into_iter().max_by_key(newest);
        let Some(number) = last.as_ref().and_then(|session| session.get("number")?.as_u64()) else {
            return Ok(Vec::new());
        };
        let told = json_of(&self.run(&format!("replay #{number} --json"))?);
        let items = told.pointer("/tellings").and_then(Value::as_array).and_then(|all| all.last());
        let items = items.and_then(|telling| telling.get("items")).and_then(Value::as_array);
        Ok(items.map(|items| by_kind(items)).unwrap_or_default())
    }

    /// Tells of an event as Claude Code does and returns what the model is told: notes, or why a tool is
    /// refused.
    pub(super) fn hook(&self, event: &str, fields: &str) -> Result<String, Failure> {
        let mut payload: Value = serde_json::from_str(fields)
            .map_err(|error| Failure::new(Kind::Bug, format!("the tour is wrong: {error}")))?;
        let session = payload.get("session").and_then(Value::as_str).unwrap_or("first").to_owned();
        if let Some(object) = payload.as_object_mut() {
            object.insert("session_id".to_owned(), json!(session));
            object.insert("cwd".to_owned(), json!(self.project()));
        }
        let words = ["hook", "claude", event].map(str::to_owned);
        let answer = json_of(&self.output(AGENT, &words, &payload.to_string())?);
        let fields = ["additionalContext", "permissionDecisionReason"];
        let told = fields.iter().find_map(|field| {
            answer.pointer(&format!("/hookSpecificOutput/{field}")).and_then(Value::as_str)
        });
        Ok(told.unwrap_or_default().to_owned())
    }

    fn output(&self, agent: &str, words: &[String], input: &str) -> Result<String, Failure> {
        let launch = self.launch(words).variable("PACENOTE_AGENT", agent).input(input.as_bytes());
        output_of(&launch, &words.join(" "))
    }

    fn launch(&self, words: &[String]) -> Launch {
        let launch = Launch::new(&self.program, self.project()).arguments(words);
        launch.variables(self.variables.clone())
    }
}

/// Runs a command, which must succeed, and returns what it printed.
fn output_of(launch: &Launch, line: &str) -> Result<String, Failure> {
    let finished = start(launch, PATIENCE).map_err(|error| {
        Failure::new(Kind::Environment, format!("the tour cannot go on: {error}"))
    })?;
    if !finished.succeeded() {
        let said = format!("`pacenote {line}` failed: {}", finished.errors.text());
        return Err(Failure::new(Kind::Bug, said));
    }
    Ok(finished.output.text().into_owned())
}

/// Reads what was printed; what is no JSON says nothing.
fn json_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or(Value::Null)
}

/// Returns a line for each kind of item, with its tokens and its reason.
fn by_kind(items: &[Value]) -> Vec<String> {
    let text = |item: &Value, field: &str| {
        item.get(field).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let mut kinds: Vec<(String, u64, String)> = Vec::new();
    for item in items.iter().filter(|item| text(item, "fate") == "whole") {
        let tokens = item.get("tokens").and_then(Value::as_u64).unwrap_or_default();
        let kind = text(item, "kind");
        match kinds.iter_mut().find(|(known, _, _)| *known == kind) {
            Some((_, all, _)) => *all += tokens,
            None => kinds.push((kind, tokens, text(item, "reason"))),
        }
    }
    let line = |(kind, tokens, reason): &(String, u64, String)| {
        format!("{kind:<12} {tokens:>3} tokens  {reason}")
    };
    kinds.iter().map(line).collect()
}

/// Splits a line of the script at spaces; what stands in `'…'` stays together.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (place, piece) in line.split('\'').enumerate() {
        if place % 2 == 1 {
            words.push(piece.to_owned());
        } else {
            words.extend(piece.split_whitespace().map(str::to_owned));
        }
    }
    words
}
