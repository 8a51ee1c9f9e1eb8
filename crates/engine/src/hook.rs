//! The hook path: one event in, one answer out, in milliseconds.
//!
//! It opens the store for reading only, appends one line to the session's log, and must never
//! write the database, sync a file, start a process or wait for a lock.

use pacenote_context::briefing;
use pacenote_files::git::find_project;
use pacenote_hosts::{Ceiling, capabilities_of};
use pacenote_model::{AgentName, Event, Forest, HostName, Record, limits};
use pacenote_store::{Access, Store, StoreError};

use crate::{Clock, Data, EngineError, desk::place_key};

/// What a hook is told.
#[derive(Clone, Debug)]
pub struct Call<'a> {
    /// Where the user's data lies.
    pub data: &'a Data,
    /// The host that fired.
    pub host: &'a HostName,
    /// What happened.
    pub event: &'a Event,
    /// The agent's name, when its environment says so.
    pub agent: Option<AgentName>,
}

/// What a hook answers.
#[derive(Debug, Default)]
pub struct Answer {
    /// What the model is to be told.
    pub context: Option<String>,
    /// What went wrong on the way without spoiling the answer.
    pub trouble: Option<EngineError>,
}

/// Answers one event. A project that pacenote was never used in gets silence.
pub fn answer(call: &Call<'_>, clock: Clock) -> Result<Answer, EngineError> {
    match call.event {
        Event::SessionStart { session, source, directory, transcript } => {
            let place = find_project(directory.as_ref())?;
            let store = match pacenote_store::open(&call.data.store(), Access::Hook) {
                Ok(store) => store,
                Err(StoreError::Missing { .. }) => return Ok(Answer::default()),
                Err(error) => return Err(error.into()),
            };
            let Some(project) = store.project_at(&place_key(&place))? else {
                return Ok(Answer::default());
            };
            let known = store.session(call.host, session)?;
            let agent = call.agent.clone().or_else(|| known.and_then(|known| known.agent));
            let tasks = store.tasks(project.id)?;
            let forest = Forest::new(&tasks);
            let context =
                briefing::session_start(&project.name, &forest, agent.as_ref(), ceiling(call.host));
            let record = Record::SessionStart {
                at: clock.now(),
                host: call.host.clone(),
                host_id: session.clone(),
                source: *source,
                place: project.place,
                name: project.name,
                transcript: transcript.clone(),
                agent: call.agent.clone(),
            };
            let trouble = remember(call, session.as_str(), &record, clock).err();
            Ok(Answer { context, trouble })
        }
    }
}

/// Returns how much one answer may hold. A host without a known ceiling gets the smallest known.
fn ceiling(host: &HostName) -> usize {
    match capabilities_of(host).map(|known| known.ceiling) {
        Some(Ceiling::Utf16(units)) => units,
        Some(Ceiling::NoneSeen) | None => limits::CLAUDE_CONTEXT_UTF16,
    }
}

fn remember(
    call: &Call<'_>,
    session: &str,
    record: &Record,
    clock: Clock,
) -> Result<(), EngineError> {
    let line = serde_json::to_string(record).map_err(|source| EngineError::Unwritten { source })?;
    let log = call.data.logs().log_for(call.host.as_str(), session)?;
    Ok(log.append(&line, clock.fresh().as_u128())?)
}
