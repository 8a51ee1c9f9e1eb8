//! `pacenote session`.

use clap::{Args, Subcommand};
use pacenote_context::inert;
use pacenote_engine::{
    ingest::ingest,
    sessions::{self, SessionRef},
    telling,
};
use pacenote_model::Session;
use pacenote_store::{Access, StoreError};
use serde::Serialize;

use super::{columns, usable_settings};
use crate::{
    arguments::JsonFlag, environment::Environment, failure::Failure, output::Output,
    views::SessionView,
};

#[derive(Debug, Args)]
pub(crate) struct SessionArguments {
    #[command(subcommand)]
    verb: SessionCommand,
}

#[derive(Debug, Subcommand)]
enum SessionCommand {
    /// List the sessions of this project, newest first
    List(ListArguments),
    /// Show one session
    Show(ShowArguments),
}

#[derive(Debug, Args)]
struct ListArguments {
    #[command(flatten)]
    json: JsonFlag,
}

#[derive(Debug, Args)]
struct ShowArguments {
    /// The session: `#3` or a UUID
    #[arg(required_unless_present = "host_id", conflicts_with = "host_id")]
    session: Option<String>,
    /// The host that knows the session by another id
    #[arg(long, value_name = "HOST", requires = "host_id")]
    host: Option<String>,
    /// The host's own id of the session
    #[arg(long, value_name = "ID", requires = "host")]
    host_id: Option<String>,
    #[command(flatten)]
    json: JsonFlag,
}

pub(crate) fn run(
    environment: &Environment,
    arguments: &SessionArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    take_in_logs(environment, output)?;
    let desk = environment.desk(Access::Read)?;
    match &arguments.verb {
        SessionCommand::List(list) => {
            let sessions = sessions::list(&desk)?;
            if list.json.json {
                let sessions = sessions.iter().map(SessionView::new).collect();
                return output.json(&SessionsView { sessions });
            }
            if sessions.is_empty() {
                output.say("no sessions here yet");
                return Ok(());
            }
            output.text(&table(&sessions))
        }
        SessionCommand::Show(show) => {
            let wanted = match (&show.session, &show.host, &show.host_id) {
                (_, Some(host), Some(host_id)) => SessionRef::Hosts { host, host_id },
                (Some(raw), _, _) => SessionRef::Ours(raw),
                // The argument parser asks for one or the other.
                (None, _, _) => SessionRef::Ours(""),
            };
            let session = sessions::find(&desk, &wanted)?;
            if show.json.json {
                return output.json(&SessionView::new(&session));
            }
            output.text(&described(&session))
        }
    }
}

/// Takes in what hooks have written down since the last command.
pub(super) fn take_in_logs(environment: &Environment, output: &mut Output) -> Result<(), Failure> {
    let data = environment.data()?;
    // Without a log there is nothing to take in, and the store need not be opened for writing.
    if data.logs().list()?.is_empty() {
        return Ok(());
    }
    let mut store = match pacenote_store::open(&data.store(), Access::Write) {
        Ok(store) => store,
        // Where nothing can be written, what is known already is still shown.
        Err(
            error @ (StoreError::Full { .. } | StoreError::Unwritable { .. } | StoreError::File(_)),
        ) => {
            output.warn("the sessions' logs could not be taken in");
            output.fail(&error.into());
            return Ok(());
        }
        Err(error) => return Err(error.into()),
    };
    let ingested = ingest(&data, &mut store, pacenote_engine::Clock)?;
    let days = usable_settings(environment).0.context_receipt_days();
    telling::forget_old(&mut store, days, pacenote_engine::Clock)?;
    if ingested.skipped > 0 {
        output.warn(&format!("{} lines of session logs could not be read", ingested.skipped));
    }
    Ok(())
}

#[derive(Serialize)]
struct SessionsView {
    sessions: Vec<SessionView>,
}

fn table(sessions: &[Session]) -> String {
    let rows: Vec<[String; 6]> = sessions
        .iter()
        .map(|session| {
            let agent = session.agent.as_ref().map(|agent| format!("@{agent}"));
            [
                session.number.to_string(),
                session.status.word().into(),
                format!("epoch {}", session.epoch),
                session.last_seen.to_string(),
                agent.unwrap_or_default(),
                inert(&format!("{} {}", session.host, session.host_id)),
            ]
        })
        .collect();
    columns(&rows)
}

fn described(session: &Session) -> String {
    let mut lines = vec![
        format!("session {}", session.number),
        format!("id: {}", session.id),
        format!("host: {} {}", session.host, session.host_id),
        format!("status: {}", session.status.word()),
        format!("epoch: {}", session.epoch),
    ];
    lines.extend(session.agent.as_ref().map(|agent| format!("agent: @{agent}")));
    lines.extend(session.parent.map(|parent| format!("parent: {parent}")));
    lines.extend(session.transcript.as_ref().map(|path| format!("transcript: {path}")));
    lines.push(format!("first seen: {}", session.first_seen));
    lines.push(format!("last seen: {}", session.last_seen));
    lines.iter().map(|line| inert(line)).collect::<Vec<_>>().join("\n")
}
