//! Which sessions a session continues: found when somebody reads, committed by its first command or
//! ingestion.
//!
//! `pacenote_model::succession` decides; this brings the rows and what logs say that the store does not
//! know yet. Looking changes nothing.

use std::path::Path;

use pacenote_files::modified_millis;
use pacenote_model::{
    AgentName, Effect, HostId, HostName, Moment, ProjectId, Record, Session, SessionEffect,
    SessionStatus, StartSource, Task, TaskEffect,
    succession::{Successor, has_given_name, is_over, predecessors},
};
use pacenote_store::{Store, StoreError};

use crate::{
    Data, EngineError,
    identity::{first_name, session_actor},
    ingest::not_ingested,
    journal::{Entry, Journal, Request},
    records::records_in,
};

/// Sessions that are looked at: each passes on what it held when the next one is ingested, so older
/// ones hold nothing.
const LOOKED_AT: u32 = 32;

/// A session, and the store and logs in which its predecessors are looked for.
pub(crate) struct Lineage<'a> {
    pub(crate) store: &'a dyn Store,
    pub(crate) data: &'a Data,
    pub(crate) project: ProjectId,
    pub(crate) host: &'a HostName,
    pub(crate) host_id: &'a HostId,
    pub(crate) now: Moment,
}

impl Lineage<'_> {
    /// Returns the sessions that this one continues, the latest first, each with the name under which it
    /// is addressed. `began` is when this one began, or was last resumed.
    pub(crate) fn find(&self, began: Moment, tasks: &[Task]) -> Result<Vec<Session>, EngineError> {
        let known = self.store.session(self.host, self.host_id)?;
        if known.as_ref().is_some_and(has_given_name) {
            return Ok(Vec::new());
        }
        let began = known.map_or(began, |session| session.first_seen.max(began));
        let mut sessions = self.store.own_sessions(self.project, LOOKED_AT)?;
        for session in sessions.iter_mut().filter(|session| may_be_heard(session, tasks)) {
            self.listen_to(session);
        }
        let successor = Successor { host: self.host, host_id: self.host_id, began };
        let found = predecessors(&sessions, &successor, self.now);
        found.into_iter().cloned().map(|session| self.with_name(session)).collect()
    }

    /// Brings a session up to what its log says that was not ingested yet, and to when its client last
    /// wrote to its transcript: nothing else shows that a long turn is under way. What cannot be read
    /// says nothing.
    fn listen_to(&self, session: &mut Session) {
        let log = self.data.logs().log_for(session.host.as_str(), session.host_id.as_str());
        let news = log.map_err(EngineError::from).and_then(|log| not_ingested(&log, self.store));
        for record in news.unwrap_or_default() {
            if let Record::Seen { at, .. } = &record {
                session.last_seen = session.last_seen.max(*at);
                session.status = SessionStatus::Active;
            } else if let Record::Marked { status, .. } = &record {
                session.status = *status;
            }
        }
        let transcript = session.transcript.as_deref().map(Path::new);
        if let (SessionStatus::Active | SessionStatus::Paused, Some(path)) =
            (session.status, transcript)
            && let Some(written) = modified_millis(path).map(Moment::from_millis)
            // A clock that is wrong says nothing.
            && written <= self.now
        {
            session.last_seen = session.last_seen.max(written);
        }
    }

    /// Gives a session that never acted the name by which it was addressed, unless that became
    /// another's.
    fn with_name(&self, session: Session) -> Result<Session, EngineError> {
        if session.agent.is_some() {
            return Ok(session);
        }
        let name = first_name(&session.host, &session.host_id)?;
        let is_free = !self.store.is_session_name(&name)?;
        Ok(Session { agent: is_free.then_some(name), ..session })
    }
}

/// Reports whether it matters what the log of a session says: it may be alive, or holds something.
fn may_be_heard(session: &Session, tasks: &[Task]) -> bool {
    let holds = |agent: &AgentName| {
        tasks.iter().any(|task| !task.state.is_over() && task.assignee.as_ref() == Some(agent))
    };
    match session.status {
        SessionStatus::Active | SessionStatus::Paused => true,
        SessionStatus::AwaitingHandoff | SessionStatus::Completed | SessionStatus::Expired => {
            session.agent.as_ref().is_some_and(holds)
        }
    }
}

/// Returns when a session began or was last resumed, as its log says.
pub(crate) fn find_start(records: &[Record]) -> Option<Moment> {
    let start = |record: &Record| {
        let Record::SessionStart { at, source, .. } = record else { return None };
        (*source != StartSource::Compact).then_some(*at)
    };
    let seen = |record: &Record| {
        if let Record::Seen { at, .. } = record { Some(*at) } else { None }
    };
    records.iter().rev().find_map(start).or_else(|| records.iter().find_map(seen))
}

/// Returns the names under which sessions were addressed.
pub(crate) fn names_of(sessions: &[Session]) -> Vec<AgentName> {
    sessions.iter().filter_map(|session| session.agent.clone()).collect()
}

/// Returns what makes a session the successor of others: their unfinished tasks pass to it, and the
/// latest of them is known as its parent.
pub(crate) fn effects(
    sessions: &[Session],
    tasks: &[Task],
    successor: (&HostName, &HostId, &AgentName),
    now: Moment,
    known: Option<&Session>,
) -> Vec<Effect> {
    let (host, host_id, name) = successor;
    let names = names_of(sessions);
    let pass = |task: &Task| {
        let from = task.assignee.clone().filter(|holder| names.contains(holder))?;
        let is_left = !task.state.is_over();
        is_left.then(|| Effect::Task(TaskEffect::Passed { task: task.id, from, to: name.clone() }))
    };
    let mut list: Vec<Effect> = tasks.iter().filter_map(pass).collect();
    let has_parent = known.is_some_and(|session| session.parent.is_some());
    if let (Some(latest), Some(known), false) = (sessions.first(), known, has_parent) {
        list.push(Effect::Session(SessionEffect::Seen {
            id: known.id,
            host: host.clone(),
            host_id: host_id.clone(),
            parent: Some(latest.id),
            agent: None,
            transcript: None,
            seen: now,
            new_epoch: false,
        }));
    }
    list
}

/// Commits what the sessions continue that are alive, after their logs were ingested.
pub fn settle_all(journal: &mut Journal<'_>) -> Result<(), EngineError> {
    for project in journal.store().projects()? {
        let now = journal.clock().now();
        let sessions = journal.store().own_sessions(project.id, LOOKED_AT)?;
        for session in sessions.iter().rev().filter(|session| !is_over(session, now)) {
            settle(journal, project.id, session)?;
        }
    }
    Ok(())
}

/// Commits what a session continues.
fn settle(
    journal: &mut Journal<'_>,
    project: ProjectId,
    known: &Session,
) -> Result<(), EngineError> {
    let (store, data, clock) = (journal.store(), journal.data(), journal.clock());
    let (host, host_id, now) = (&known.host, &known.host_id, clock.now());
    let lineage = Lineage { store, data, project, host, host_id, now };
    let tasks = store.tasks(project)?;
    let began = find_start(&records_in(&data.logs().log_for(host.as_str(), host_id.as_str())?)?);
    let sessions = lineage.find(began.unwrap_or(known.first_seen), &tasks)?;
    if sessions.is_empty() {
        return Ok(());
    }
    let mut unknown = Vec::new();
    let by = session_actor(store, Some(known.clone()), host, host_id, clock, &mut unknown)?;
    let list = effects(&sessions, &tasks, (host, host_id, &by.name), now, Some(known));
    if list.is_empty() {
        return Ok(());
    }
    let request = Request::once(clock)?;
    let (tasks_as_of, mark) = (None, None);
    let entry = Entry { project, by, at: now, request, tasks_as_of, mark, unknown, list };
    match journal.commit(entry) {
        // A task that went in this moment is somebody else's; the next ingestion looks again.
        Ok(_) | Err(EngineError::Store(StoreError::Refused(_))) => Ok(()),
        Err(error) => Err(error),
    }
}
