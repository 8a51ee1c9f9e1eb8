//! Who the reader is and where it works.

use pacenote_context::{fragment::FragmentKind, fragments::Identity};

use super::{Fragments, SourceRow, role_briefing::note_of};
use crate::{briefing::work::Gathering, identity::short_id, wanted::WantedSource};

pub(super) static ROW: SourceRow = SourceRow { kinds: &[FragmentKind::IDENTITY], gather };

fn gather<'x>(gathering: &'x Gathering<'_>, _wanted: &WantedSource) -> Fragments<'x> {
    let situation = gathering.situation;
    let is_subagent = situation.event.own_subagent().is_some();
    // A subagent that reads nothing else has all that it needs in its prompt.
    if is_subagent && note_of(gathering)?.is_some_and(|note| note.is_empty()) {
        return Ok(Vec::new());
    }
    Ok(vec![Box::new(Identity {
        agent: situation.agent()?.cloned(),
        is_subagent,
        continues: if is_subagent { None } else { situation.continued()? },
        // The session is that of the agent that sent it.
        short: situation.host_session().filter(|_| !is_subagent).map(short_id),
        role: gathering.agent_role()?,
        project: situation.project.name.clone(),
        branch: situation.branch(),
        session: situation.session()?.filter(|_| !is_subagent).map(|session| session.number),
    })])
}
