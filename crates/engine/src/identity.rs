//! Who acts in a session, and under which name.

use pacenote_model::{Actor, AgentName, Effect, HostId, HostName, Session, SessionId, Trust};
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
    let name = free_name(store, host, id)?;
    unknown.push(Effect::SessionSeen {
        id,
        host: host.clone(),
        host_id: host_id.clone(),
        parent: None,
        agent: Some(name.clone()),
        transcript: None,
        seen: clock.now(),
        new_epoch: false,
    });
    Ok(Actor { name, trust: Trust::Agent, session: Some(id) })
}

/// Returns a name that no session of any project has: the host's, with digits of the session's id.
fn free_name(
    store: &dyn Store,
    host: &HostName,
    session: SessionId,
) -> Result<AgentName, EngineError> {
    let value = session.uuid().as_u128();
    let digits: String = (0..SESSION_DIGITS_MOST)
        .filter_map(|place| u32::try_from((value >> (4 * place)) & 0xf).ok())
        .filter_map(|digit| char::from_digit(digit, 16))
        .collect();
    for length in SESSION_DIGITS_FEWEST..SESSION_DIGITS_MOST {
        let short: String = digits.chars().take(length).collect();
        let name = AgentName::parse(&format!("{host}-{short}"))?;
        if !store.is_session_name(&name)? {
            return Ok(name);
        }
    }
    Ok(AgentName::parse(&format!("{host}-{digits}"))?)
}
