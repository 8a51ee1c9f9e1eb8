//! Sessions.

use pacenote_model::{HostId, HostName, Number, Session};

use crate::{Desk, EngineError};

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
    /// `#3` or our own UUID, in the project at hand.
    Ours(&'a str),
    /// By the host's id, in whatever project it works.
    Hosts {
        /// The host.
        host: &'a str,
        /// Its id.
        host_id: &'a str,
    },
}

/// Finds one session.
pub fn find(desk: &Desk, wanted: &SessionRef<'_>) -> Result<Session, EngineError> {
    let (raw, found) = match wanted {
        SessionRef::Ours(raw) => {
            let number = Number::parse(raw);
            let found = list(desk)?.into_iter().find(|session| {
                Some(session.number) == number || session.id.to_string() == raw.to_lowercase()
            });
            (*raw, found)
        }
        SessionRef::Hosts { host, host_id } => {
            let (host, id) = (HostName::parse(host)?, HostId::parse(host_id)?);
            let found = match desk.store() {
                Some(store) => store.session(&host, &id)?,
                None => None,
            };
            (*host_id, found)
        }
    };
    found.ok_or_else(|| EngineError::UnknownSession { raw: raw.chars().take(80).collect() })
}
