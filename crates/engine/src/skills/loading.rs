//! Skills that an agent loads by itself with a command of ours: they count as in use in its session.

use pacenote_files::exists;
use pacenote_model::{HostId, HostName, Record, record::Origin};

use crate::{Desk, EngineError, records::line};

/// Records in the log of a session that its agent loaded a skill. A session that no hook has seen has
/// no log, and no context of ours to come back to.
pub fn record_loaded(
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
