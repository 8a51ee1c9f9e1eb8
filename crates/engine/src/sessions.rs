//! Sessions.

use std::collections::BTreeMap;

use pacenote_files::exists;
use pacenote_hosts::Host;
use pacenote_model::{Artifact, HostId, HostName, Number, Record, Session, Value, record::Origin};

use crate::{Desk, EngineError, identity::is_meant, ingest::ingest_log, records::line, secrets};

/// Returns the sessions of the project at hand, newest first.
pub fn list(desk: &Desk) -> Result<Vec<Session>, EngineError> {
    match desk.here()? {
        Some(here) => Ok(here.store.sessions(here.project.id)?),
        None => Ok(Vec::new()),
    }
}

/// How a session is named.
#[derive(Clone, Debug)]
pub enum SessionRef<'a> {
    /// `#3`, `s-45a5`, our own UUID or the host's id, in the project at hand.
    Ours(&'a str),
    /// By the host's id, in whatever project it works.
    Hosts { host: &'a str, host_id: &'a str },
}

/// Finds one session.
pub fn find(desk: &Desk, wanted: &SessionRef<'_>) -> Result<Session, EngineError> {
    let (raw, found) = match wanted {
        SessionRef::Ours(raw) => {
            let number = Number::parse(raw);
            let meant = list(desk)?.into_iter().filter(|session| {
                Some(session.number) == number
                    || session.id.to_string() == raw.to_lowercase()
                    || session.host_id.as_str() == *raw
                    || is_meant(raw, &session.host_id)
            });
            // The id of a subagent begins with that of its session, which is meant.
            let found = meant.min_by_key(|session| session.host_id.as_str().len());
            (*raw, found)
        }
        SessionRef::Hosts { host, host_id } => {
            let host = HostName::parse(host)?;
            let id = secrets::host_id_without(HostId::parse(host_id)?);
            let found = match desk.store() {
                Some(store) => store.session(&host, &id)?,
                None => None,
            };
            (*host_id, found)
        }
    };
    found.ok_or_else(|| EngineError::UnknownSession { raw: raw.chars().take(80).collect() })
}

/// Ingests what the hooks of one session wrote down, so that a session that has just begun is known
/// by its host's id. The logs of others may wait, and what is wrong with them must not matter here.
pub fn ingest_one(desk: &mut Desk, host_id: &str) -> Result<(), EngineError> {
    let logs = desk.data().logs();
    let Some(mut journal) = desk.journal() else { return Ok(()) };
    for host in Host::ALL {
        ingest_log(&logs.log_for(host.name(), host_id)?, &mut journal)?;
    }
    Ok(())
}

/// What rules and hooks know about a session.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Its variables, as far as rules set them.
    pub variables: BTreeMap<String, Value>,
    /// The skills whose text it was told, in order.
    pub skills: Vec<String>,
    /// The files that rules noted.
    pub artifacts: Vec<Artifact>,
}

/// Returns what is known about a session beyond itself.
pub fn state(desk: &Desk, session: &Session) -> Result<State, EngineError> {
    let Some(store) = desk.store() else { return Ok(State::default()) };
    let mut skills = Vec::new();
    for receipt in store.receipts(session.id)? {
        for item in &receipt.receipt.items {
            let name = item.id.strip_prefix("skill:").filter(|_| item.is_shown());
            if let Some(name) = name.and_then(|name| name.split('#').next())
                && !skills.iter().any(|known| known == name)
            {
                skills.push(name.to_owned());
            }
        }
    }
    Ok(State {
        variables: store.variables(session.project, session.id)?,
        skills,
        artifacts: store.artifacts(session.project, session.id)?,
    })
}

/// Records in the log of a session that its agent loaded a skill. A session that no hook has seen has
/// no log, and no context of ours to come back to.
pub fn record_loaded_skill(
    desk: &Desk,
    host: HostName,
    host_id: HostId,
    skill: &str,
) -> Result<(), EngineError> {
    let log = desk.data().logs().log_for(host.as_str(), host_id.as_str())?;
    if !exists(log.path()) {
        return Ok(());
    }
    let project = match desk.here()? {
        Some(here) => here.project,
        None => desk.unmet_project(),
    };
    let (at, place, name) = (desk.clock().now(), project.place, project.name);
    let from = Origin { at, host, host_id, place, name };
    let record = Record::SkillLoaded { from, skill: skill.to_owned() };
    Ok(log.append_soon(&line(&record)?, desk.clock().fresh().as_u128())?)
}
