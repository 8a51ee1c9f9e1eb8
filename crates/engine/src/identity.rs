//! Who acts in a session, and under which name.

use pacenote_model::{
    Actor, AgentName, Effect, HostId, HostName, Session, SessionEffect, SessionId, Trust,
    succession::own_digits,
};
use pacenote_skill::digest::digest_of;
use pacenote_store::Store;

use crate::{Clock, EngineError};

/// Fewest digits in the name of a session: one of 65,536, which a person can still say.
const SESSION_DIGITS_FEWEST: usize = 4;

/// Most digits: enough that chance never repeats them.
const SESSION_DIGITS_MOST: usize = 16;

/// Returns the actor of a session, which gets a name when it acts for the first time.
pub(crate) fn session_actor(
    store: &dyn Store,
    known: Option<Session>,
    host: &HostName,
    host_id: &HostId,
    clock: Clock,
    unknown: &mut Vec<Effect>,
) -> Result<Actor, EngineError> {
    let (id, named) = match known {
        Some(session) => (session.id, session.agent),
        None => (SessionId::new(clock.fresh()), None),
    };
    if let Some(name) = named {
        return Ok(Actor { name, trust: Trust::Agent, session: Some(id) });
    }
    let name = free_name(store, host, host_id)?;
    unknown.push(Effect::Session(SessionEffect::Seen {
        id,
        host: host.clone(),
        host_id: host_id.clone(),
        parent: None,
        agent: Some(name.clone()),
        transcript: None,
        seen: clock.now(),
        new_epoch: false,
    }));
    Ok(Actor { name, trust: Trust::Agent, session: Some(id) })
}

/// Returns the name of a session that has none yet: the host's, with the beginning of the id that the
/// host itself gives it, so that it is known before anything was committed; longer where another
/// session has that name.
pub(crate) fn free_name(
    store: &dyn Store,
    host: &HostName,
    host_id: &HostId,
) -> Result<AgentName, EngineError> {
    let most = own_digits(host_id).chars().count().min(SESSION_DIGITS_MOST);
    for length in SESSION_DIGITS_FEWEST.min(most)..=most {
        let name = name_with(host, host_id, length)?;
        if !store.is_session_name(&name)? {
            return Ok(name);
        }
    }
    let all = digest_of(host_id.as_str().as_bytes()).to_string();
    let all: String = all.chars().rev().take(SESSION_DIGITS_MOST).collect();
    Ok(AgentName::parse(&format!("{host}-{all}"))?)
}

/// Returns the name that a session gets unless another one has it.
pub(crate) fn first_name(host: &HostName, host_id: &HostId) -> Result<AgentName, EngineError> {
    name_with(host, host_id, SESSION_DIGITS_FEWEST)
}

fn name_with(host: &HostName, host_id: &HostId, length: usize) -> Result<AgentName, EngineError> {
    let short: String = own_digits(host_id).chars().take(length).collect();
    Ok(AgentName::parse(&format!("{host}-{short}"))?)
}

/// Returns the short id of a session: `s-` and the beginning of the host's own id of it.
pub(crate) fn short_id(host_id: &HostId) -> String {
    let short: String = own_digits(host_id).chars().take(SESSION_DIGITS_FEWEST).collect();
    format!("s-{short}")
}

/// Reports whether a short id, or a longer beginning, means a session.
pub(crate) fn is_meant(raw: &str, host_id: &HostId) -> bool {
    let wanted = raw.strip_prefix("s-").filter(|rest| rest.len() >= SESSION_DIGITS_FEWEST);
    wanted.is_some_and(|wanted| own_digits(host_id).starts_with(&wanted.to_lowercase()))
}
