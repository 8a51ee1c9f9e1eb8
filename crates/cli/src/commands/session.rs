//! `pacenote session`.

use std::path::Path;

use clap::{Args, Subcommand};
use pacenote_context::inert;
use pacenote_engine::{
    Caller, Clock, Desk, EngineError, handoffs,
    ingest::{Ingested, ingest},
    journal::Journal,
    receipts,
    sessions::{self, SessionRef, State},
    succession,
};
use pacenote_files::{Bytes, Links, read_text};
use pacenote_model::{Handoff, Session, Value};
use pacenote_store::{Access, StoreError};
use serde::Serialize;

use super::{
    columns, report_upkeep,
    session_log::{self, LogArguments},
    text_or_input,
};
use crate::{
    arguments::JsonFlag,
    environment::Environment,
    failure::{Failure, Kind},
    output::Output,
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
    /// What a session leaves behind for the next one
    Handoff(HandoffArguments),
    /// Show or drop lines of session logs that could not be applied
    Log(LogArguments),
}

#[derive(Debug, Args)]
struct HandoffArguments {
    #[command(subcommand)]
    verb: HandoffCommand,
}

#[derive(Debug, Subcommand)]
enum HandoffCommand {
    /// Show what a session left behind
    Show(HandoffShowArguments),
    /// Write down what a session leaves behind, on top of what is known
    Set(HandoffSetArguments),
}

#[derive(Debug, Args)]
struct HandoffShowArguments {
    /// The session: `#3` or a UUID; without one, the newest that left something
    session: Option<String>,
    #[command(flatten)]
    json: JsonFlag,
}

#[derive(Debug, Args)]
struct HandoffSetArguments {
    /// A text, the Markdown of `handoff show` or the fields as JSON; `-` reads standard input
    file: String,
    /// The session: `#3` or a UUID; without one, the session that calls
    #[arg(long, value_name = "SESSION")]
    session: Option<String>,
    #[command(flatten)]
    json: JsonFlag,
}

#[derive(Debug, Args)]
struct ListArguments {
    #[command(flatten)]
    json: JsonFlag,
}

#[derive(Debug, Args)]
struct ShowArguments {
    /// The session: `#3`, `s-45a5` or a UUID; without one, the session that calls
    #[arg(conflicts_with = "host_id")]
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
        SessionCommand::Handoff(handoff) => self::handoff(environment, handoff, output),
        SessionCommand::Log(log) => session_log::run(environment, log, output),
        SessionCommand::Show(show) => {
            let session = match (&show.session, &show.host, &show.host_id) {
                (_, Some(host), Some(host_id)) => {
                    sessions::find(&desk, &SessionRef::Hosts { host, host_id })?
                }
                (Some(raw), _, _) => sessions::find(&desk, &SessionRef::Ours(raw))?,
                (None, _, _) => {
                    own_session(environment, &desk, "name one: `pacenote session list` shows them")?
                }
            };
            let state = sessions::state(&desk, &session)?;
            if show.json.json {
                return output.json(&StateView::new(&session, &state));
            }
            output.text(&described(&session, &state))
        }
    }
}

/// Largest handoff that is read.
const HANDOFF: Bytes = Bytes::mib(1);

fn handoff(
    environment: &Environment,
    arguments: &HandoffArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    match &arguments.verb {
        HandoffCommand::Show(show) => {
            let desk = environment.desk(Access::Read)?;
            let mut sessions = match &show.session {
                Some(raw) => vec![sessions::find(&desk, &SessionRef::Ours(raw))?],
                None => sessions::list(&desk)?,
            }
            .into_iter();
            let found = sessions.find_map(|session| {
                handoffs::show(&desk, &session).transpose().map(|kept| (session, kept))
            });
            let Some((session, kept)) = found else {
                return Err(Failure::new(Kind::User, "no session left anything behind")
                    .hint("`pacenote session handoff set FILE` writes a handoff"));
            };
            told(&session, &kept?.handoff, show.json, output)
        }
        HandoffCommand::Set(set) => {
            let text = if set.file == "-" {
                text_or_input("-")?
            } else {
                read_text(Path::new(&set.file), HANDOFF, Links::Follow)?
            };
            let handoff = handoffs::read(&text).map_err(|error| {
                Failure::new(
                    Kind::User,
                    format!("`{}` is not a handoff: {error}", inert(&set.file)),
                )
            })?;
            let mut desk = environment.desk(Access::Write)?;
            let session = match &set.session {
                Some(raw) => sessions::find(&desk, &SessionRef::Ours(raw))?,
                None => own_session(
                    environment,
                    &desk,
                    "name the session: `--session '#N'`; `pacenote session list` shows them",
                )?,
            };
            let handoff = handoffs::set(&mut desk, &session, handoff)?;
            report_upkeep(environment, &desk, output);
            told(&session, &handoff, set.json, output)
        }
    }
}

/// Returns the session that calls: the one its host names, or the newest of the agent that calls.
fn own_session(environment: &Environment, desk: &Desk, hint: &str) -> Result<Session, Failure> {
    if let Some((host, host_id)) = environment.host_session() {
        let (host, host_id) = (host.as_str(), host_id.as_str());
        if let Ok(session) = sessions::find(desk, &SessionRef::Hosts { host, host_id }) {
            return Ok(session);
        }
    }
    match desk.caller() {
        Caller::Agent(name) => {
            let mut sessions = sessions::list(desk)?.into_iter();
            let own = sessions.find(|one| one.agent.as_ref() == Some(name));
            let none = || Failure::new(Kind::User, format!("@{name} has no session here"));
            own.ok_or_else(|| none().hint(hint))
        }
        Caller::Session { .. } => {
            let nothing =
                "nothing is known of this session yet: its client has called no hook here";
            Err(Failure::new(Kind::User, nothing).hint(hint))
        }
        Caller::Person | Caller::Unknown => {
            Err(Failure::new(Kind::User, "this is not called from inside a session").hint(hint))
        }
    }
}

fn told(
    session: &Session,
    handoff: &Handoff,
    json: JsonFlag,
    output: &mut Output,
) -> Result<(), Failure> {
    if json.json {
        return output.json(&HandoffView { session: session.number.get(), handoff });
    }
    let text = pacenote_context::handoff::render(handoff, session.number, &session.host);
    output.text(&inert(text.trim_end()))
}

#[derive(Serialize)]
struct StateView<'a> {
    #[serde(flatten)]
    session: SessionView,
    variables: &'a std::collections::BTreeMap<String, Value>,
    skills: &'a [String],
    artifacts: Vec<ArtifactView<'a>>,
}

#[derive(Serialize)]
struct ArtifactView<'a> {
    name: &'a str,
    path: &'a str,
    digest: String,
    step: &'a str,
}

impl<'a> StateView<'a> {
    fn new(session: &Session, state: &'a State) -> Self {
        let State { variables, skills, artifacts } = state;
        let artifacts = artifacts.iter().map(|artifact| ArtifactView {
            name: &artifact.name,
            path: &artifact.path,
            digest: artifact.digest.to_string(),
            step: &artifact.step,
        });
        let artifacts = artifacts.collect();
        Self { session: SessionView::new(session), variables, skills, artifacts }
    }
}

#[derive(Serialize)]
struct HandoffView<'a> {
    session: u32,
    handoff: &'a Handoff,
}

/// Takes in what hooks have written down since the last command.
pub(crate) fn take_in_logs(environment: &Environment, output: &mut Output) -> Result<(), Failure> {
    let data = environment.data()?;
    // Without a log there is nothing to take in, and the store need not be opened for writing.
    if data.logs().list()?.is_empty() {
        return Ok(());
    }
    let days = environment.usable_settings().0.context_receipt_days();
    let ingested = pacenote_store::open(&data.store(), Access::Write)
        .map_err(EngineError::from)
        .and_then(|mut store| {
            let mut journal = Journal::new(&mut store, &data, Clock::System);
            let ingested = ingest(&mut journal)?;
            succession::settle_all(&mut journal)?;
            receipts::forget_old(&mut store, days, Clock::System)?;
            Ok(ingested)
        });
    match ingested {
        Ok(ingested) => report(&ingested, output),
        // Where nothing can be written, what is known already is still shown.
        Err(EngineError::Store(
            error @ (StoreError::Full { .. } | StoreError::Unwritable { .. } | StoreError::File(_)),
        )) => {
            output.warn("the sessions' logs could not be taken in");
            output.fail(&error.into());
        }
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

fn report(ingested: &Ingested, output: &mut Output) {
    if ingested.set_aside > 0 {
        output.warn(&format!(
            "{} of session logs were set aside because they cannot be applied; \
             `pacenote session log list` shows why",
            session_log::count(ingested.set_aside)
        ));
    }
    for error in &ingested.unread {
        output.warn(&format!("skipping a session log: {}", inert(&error.to_string())));
    }
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

fn described(session: &Session, state: &State) -> String {
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
    if !state.skills.is_empty() {
        lines.push(format!("skills: {}", state.skills.join(", ")));
    }
    for (variable, value) in &state.variables {
        let value = serde_json::to_string(value).unwrap_or_default();
        lines.push(format!("variable: {variable} = {value}"));
    }
    let artifacts = state.artifacts.iter();
    lines.extend(artifacts.map(|file| format!("artifact: {} {}", file.name, file.path)));
    lines.push(format!("first seen: {}", session.first_seen));
    lines.push(format!("last seen: {}", session.last_seen));
    lines.iter().map(|line| inert(line)).collect::<Vec<_>>().join("\n")
}
