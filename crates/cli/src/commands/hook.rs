//! `pacenote hook`: answer the host, whatever happens.
//!
//! Standard input is drained before anything else, so that a host which writes a large payload
//! never waits for us. Any failure gives the host's empty answer, exit code 0, and a line in the
//! failure log that `doctor` shows. The environment is never written down.

use std::{
    io::{Read as _, Write as _},
    process::ExitCode,
};

use clap::Args;
use pacenote_engine::{
    Clock, Data,
    hook::{Call, answer},
};
use pacenote_hosts::{Decoded, Reply, claude};
use pacenote_model::HostName;
use serde::Serialize;

use crate::environment::Environment;

/// Largest payload that is looked at. Real ones are under 1 MiB; the rest is drained unread.
const PAYLOAD_BYTES: u64 = 8 * 1024 * 1024;

#[derive(Debug, Args)]
pub(crate) struct HookArguments {
    /// The host that calls, such as `claude`
    pub(crate) host: String,
    /// The event, such as `session-start`
    pub(crate) event: String,
}

pub(crate) fn run(environment: &Environment, host: &str, event: &str) -> ExitCode {
    // A bug of ours must not cost the host its turn: it gets the empty answer and never an abort.
    std::panic::set_hook(Box::new(|_| {
        write_reply(&Reply::Nothing);
        std::process::exit(0);
    }));
    let payload = drain();
    let reply = match environment.data() {
        Ok(data) => reply(environment, &data, host, event, &payload).unwrap_or_else(|trouble| {
            write_down(&data, host, event, &trouble);
            Reply::Nothing
        }),
        // Without a data directory there is nothing to say and nowhere to say so.
        Err(_) => Reply::Nothing,
    };
    write_reply(&reply);
    ExitCode::SUCCESS
}

/// Prints the one object a host reads, in one go.
fn write_reply(reply: &Reply) {
    let mut stdout = std::io::stdout().lock();
    // A host that has gone away needs no answer.
    stdout.write_all(claude::encode(reply).as_bytes()).and_then(|()| stdout.flush()).ok();
}

/// Reads the payload and throws away what is too large to be one.
fn drain() -> Vec<u8> {
    let mut payload = Vec::new();
    let mut stdin = std::io::stdin().lock();
    // A payload that breaks off is judged by what there is of it.
    stdin.by_ref().take(PAYLOAD_BYTES).read_to_end(&mut payload).ok();
    std::io::copy(&mut stdin, &mut std::io::sink()).ok();
    payload
}

fn reply(
    environment: &Environment,
    data: &Data,
    host: &str,
    event: &str,
    payload: &[u8],
) -> Result<Reply, String> {
    if host != "claude" {
        return Err(format!("no host named `{host}` is known"));
    }
    let (told, warnings) = match claude::decode(event, payload).map_err(in_full)? {
        Decoded::Known { event, warnings } => (event, warnings),
        Decoded::Unknown { .. } => return Ok(Reply::Nothing),
    };
    for warning in warnings {
        write_down(data, host, event, &warning.to_string());
    }
    let host = HostName::parse(host).map_err(in_full)?;
    // A name that is wrong is no reason to leave the agent without its notes.
    let agent = environment.agent().unwrap_or_default();
    let call = Call { data, host: &host, event: &told, agent };
    let answer = answer(&call, Clock).map_err(in_full)?;
    if let Some(trouble) = answer.trouble {
        write_down(data, host.as_str(), event, &in_full(trouble));
    }
    Ok(answer.context.map_or(Reply::Nothing, Reply::Context))
}

/// Says an error with all its causes on one line.
fn in_full(error: impl std::error::Error) -> String {
    let mut said = error.to_string();
    let mut cause = error.source();
    while let Some(source) = cause {
        said.push_str(": ");
        said.push_str(&source.to_string());
        cause = source.source();
    }
    said
}

/// One line of the failure log.
#[derive(Serialize)]
struct FailureLine<'a> {
    at: String,
    host: &'a str,
    event: &'a str,
    trouble: &'a str,
}

fn write_down(data: &Data, host: &str, event: &str, trouble: &str) {
    let line = FailureLine { at: Clock.now().to_string(), host, event, trouble };
    if let Ok(line) = serde_json::to_string(&line) {
        // The failure log is the last resort; when it fails too, silence is all that is left.
        data.failures().append(&line).ok();
    }
}
