//! Which sessions a session continues: found when somebody reads, committed by its first command or
//! ingestion.
//!
//! `pacenote_model::succession` decides; this brings the rows and what logs say that the store does not
//! know yet. Looking changes nothing.

use pacenote_model::{
    AgentName, Effect, HostId, HostName, Moment, ProjectId, Record, Session, SessionStatus, Task,
    succession::{Successor, has_given_name, is_over, predecessors},
};
use pacenote_store::{Store, StoreError};

use crate::{
    Data, EngineError,
    identity::{first_name, session_actor},
    ingest::not_ingested,
    journal::{Entry, Journal, Request},
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
    /// Returns the sessions that this one continues, the latest first; `began` is when it began, where
    /// the store does not know it yet.
    pub(crate) fn find(&self, began: Moment) -> Result<Vec<Session>, EngineError> {
        let known = self.store.session(self.host, self.host_id)?;
        if known.as_ref().is_some_and(has_given_name) {
            return Ok(Vec::new());
        }
        let began = known.map_or(began, |session| session.first_seen);
        let sessions = self.store.own_sessions(self.project, LOOKED_AT)?;
        let successor = Successor { host: self.host, host_id: self.host_id, began };
        let found = predecessors(&sessions, &successor, self.now, &|one| self.has_ended(one));
        Ok(found.into_iter().cloned().collect())
    }

    /// Reports whether the log of a session says that it ended, which the store does not know yet. A
    /// log that cannot be read says nothing.
    fn has_ended(&self, session: &Session) -> bool {
        let log = self.data.logs().log_for(session.host.as_str(), session.host_id.as_str());
        let news = log.map_err(EngineError::from).and_then(|log| not_ingested(&log, self.store));
        let last = news.unwrap_or_default().into_iter().rev().find_map(|record| {
            if let Record::Marked { status, .. } = record { Some(status) } else { None }
        });
        last == Some(SessionStatus::Completed)
    }
}

/// Returns the names under which sessions were addressed.
pub(crate) fn names_of(sessions: &[Session]) -> Vec<AgentName> {
    let name = |session: &Session| {
        session.agent.clone().or_else(|| first_name(&session.host, &session.host_id).ok())
    };
    sessions.iter().filter_map(name).collect()
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
        is_left.then(|| Effect::TaskPassed { task: task.id, from, to: name.clone() })
    };
    let mut list: Vec<Effect> = tasks.iter().filter_map(pass).collect();
    let has_parent = known.is_some_and(|session| session.parent.is_some());
    if let (Some(latest), Some(known), false) = (sessions.first(), known, has_parent) {
        list.push(Effect::SessionSeen {
            id: known.id,
            host: host.clone(),
            host_id: host_id.clone(),
            parent: Some(latest.id),
            agent: None,
            transcript: None,
            seen: now,
            new_epoch: false,
        });
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
    let sessions = lineage.find(known.first_seen)?;
    if sessions.is_empty() {
        return Ok(());
    }
    let tasks = store.tasks(project)?;
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
