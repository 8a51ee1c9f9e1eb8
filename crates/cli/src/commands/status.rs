//! `pacenote status --line`: how the work stands, in one line.
//!
//! It is made for status bars and shell prompts: outside a project that uses pacenote it prints
//! nothing, it never waits for a terminal, and a store that cannot be read does not make it fail.

use std::{
    io::{IsTerminal as _, Read as _},
    path::PathBuf,
    sync::mpsc,
    thread,
    time::Duration,
};

use clap::Args;
use pacenote_engine::{
    Caller, host_id_without, presence,
    situation::SettingsSource,
    status::{StatusCall, status_line},
};
use pacenote_hosts::Host;
use pacenote_model::{HostId, HostName};
use serde::Deserialize;

use crate::{
    environment::{Environment, working_directory},
    failure::{Failure, Kind},
    output::Output,
};

/// Most of the standard input that is looked at: a client sends about a kilobyte.
const INPUT_BYTES: u64 = 256 * 1024;

/// How long a pipe may stay silent: a client writes at once, and some shells never close theirs.
const PATIENCE: Duration = Duration::from_millis(150);

/// The line where the store cannot be read: a prompt has no room for the reason.
const UNREADABLE: &str = "pacenote: the store cannot be read, see `pacenote doctor`";

#[derive(Debug, Args)]
pub(crate) struct StatusArguments {
    /// Print one line: the task, its steps, messages, the run and questions for you. Reads which session
    /// is meant from the JSON that Claude Code passes to its status line
    #[arg(long)]
    line: bool,
}

/// What Claude Code writes to the command of its status line.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct StatusInput {
    session_id: Option<String>,
    cwd: Option<PathBuf>,
    workspace: Option<Workspace>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Workspace {
    current_dir: Option<PathBuf>,
}

pub(crate) fn run(
    environment: &Environment,
    arguments: &StatusArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    if !arguments.line {
        return Err(Failure::new(Kind::Usage, "pass `--line`")
            .hint("`pacenote status --line` prints how the work stands, in one line")
            .hint("`pacenote task list` shows all tasks"));
    }
    let input = read_input().unwrap_or_default();
    let here = input
        .workspace
        .and_then(|workspace| workspace.current_dir)
        .or(input.cwd)
        .filter(|path| path.is_absolute());
    let directory = here.map_or_else(working_directory, Ok)?;
    let data = environment.data()?;
    let presence = presence::look(&data, &directory);
    if !presence.is_used {
        return Ok(());
    }
    let variable = |name: &str| environment.variable(name);
    let settings =
        |trusts: &dyn Fn(&[u8]) -> bool| environment.settings_for_hook(&presence, trusts);
    let call = StatusCall {
        data: &data,
        directory: &directory,
        presence: &presence,
        caller: find_caller(environment, input.session_id.as_deref())?,
        person: environment.person(&variable, SettingsSource::Read(&settings)),
    };
    match status_line(call) {
        Ok(Some(line)) => output.text(&line),
        Ok(None) => Ok(()),
        Err(_) => output.text(UNREADABLE),
    }
}

/// Returns whose line it is: the named agent's, that of the session in the input, else the caller's.
fn find_caller(environment: &Environment, session: Option<&str>) -> Result<Caller, Failure> {
    if let Some(name) = environment.agent().unwrap_or_default() {
        return Ok(Caller::Agent(name));
    }
    let host = HostName::parse(Host::Claude.name()).ok();
    let host_id = session.and_then(|session| HostId::parse(session).ok());
    match host.zip(host_id) {
        Some((host, host_id)) => Ok(Caller::Session { host, host_id: host_id_without(host_id) }),
        None => environment.caller(),
    }
}

/// Reads what a client wrote to standard input; `None` where that is not JSON of an object, or where
/// nobody writes anything.
fn read_input() -> Option<StatusInput> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        return None;
    }
    let (sender, receiver) = mpsc::channel();
    let read = move || {
        let mut bytes = Vec::new();
        stdin.lock().take(INPUT_BYTES).read_to_end(&mut bytes).ok();
        // Whoever waited may have given up.
        sender.send(bytes).ok();
    };
    thread::Builder::new().spawn(read).ok()?;
    let bytes = receiver.recv_timeout(PATIENCE).ok()?;
    serde_json::from_slice(&bytes).ok()
}
