//! The hook path: one event in, one answer out, in milliseconds.
//!
//! It opens the store for reading only, appends one line to the session's log, and must never
//! write the database, sync a file, start a process or wait long for a lock. A log that cannot be
//! had is trouble to be told of; the context is delivered all the same.

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
    Ok(log.append_soon(&line, clock.fresh().as_u128())?)
}

#[cfg(test)]
mod tests {
    use pacenote_files::FileLock;
    use pacenote_model::{HostId, StartSource};

    use super::*;
    use crate::{
        Caller, Desk,
        tasks::{AddRequest, add},
    };

    #[test]
    fn a_log_that_is_held_costs_the_record_and_not_the_context() {
        let directory = tempfile::tempdir().unwrap();
        let data = Data::new(directory.path().join("data"));
        let mut desk =
            Desk::open(data.clone(), directory.path(), Caller::Person, Access::Write).unwrap();
        let place = desk.place().clone();
        let request = AddRequest {
            title: "Add login",
            parent: None,
            after: &[],
            skill: None,
            plan: None,
            section: None,
            assignee: None,
        };
        add(&mut desk.begin(None).unwrap(), &place, &request).unwrap();

        let host = HostName::parse("claude").unwrap();
        let event = Event::SessionStart {
            session: HostId::parse("s-1").unwrap(),
            source: StartSource::Startup,
            directory: directory.path().to_str().unwrap().into(),
            transcript: None,
        };
        let call = Call { data: &data, host: &host, event: &event, agent: None };
        let free = answer(&call, Clock).unwrap();
        assert!(free.trouble.is_none() && free.context.is_some());

        let log = data.logs().log_for("claude", "s-1").unwrap();
        let _held = FileLock::exclusive(log.path()).unwrap();
        let held = answer(&call, Clock).unwrap();
        assert_eq!(held.context, free.context);
        let Some(EngineError::File(trouble)) = held.trouble else { panic!("{:?}", held.trouble) };
        assert_eq!(trouble.path(), log.path());
    }
}
