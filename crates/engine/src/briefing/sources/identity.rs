//! Who the reader is and where it works.

use pacenote_context::{fragment::FragmentKind, fragments::Identity, role::Role};

use super::{Fragments, SourceRow};
use crate::{briefing::work::Gathering, identity::short_id, wanted::WantedSource};

pub(super) static ROW: SourceRow = SourceRow { kinds: &[FragmentKind::IDENTITY], gather };

fn gather<'x>(gathering: &'x Gathering<'_>, _wanted: &WantedSource) -> Fragments<'x> {
    let situation = gathering.situation;
    let role = situation.role()?;
    if role == Some(Role::Explorer) {
        // Its prompt says all that it needs.
        return Ok(Vec::new());
    }
    let is_subagent = situation.event.own_subagent().is_some();
    Ok(vec![Box::new(Identity {
        agent: situation.agent()?.cloned(),
        is_subagent,
        continues: if is_subagent { None } else { situation.continued()? },
        short: situation.host_session().map(short_id),
        role: gathering.agent_role()?,
        project: situation.project.name.clone(),
        branch: situation.branch(),
        session: situation.session()?.map(|session| session.number),
    })])
}
