//! Who the reader is and where it works.

use pacenote_context::{fragment::FragmentKind, fragments::Identity};

use super::{Fragments, SourceRow};
use crate::{briefing::work::Gathering, wanted::WantedSource};

pub(super) static ROW: SourceRow = SourceRow { kinds: &[FragmentKind::IDENTITY], gather };

fn gather<'x>(gathering: &'x Gathering<'_>, _wanted: &WantedSource) -> Fragments<'x> {
    let situation = gathering.situation;
    Ok(vec![Box::new(Identity {
        agent: situation.agent()?.cloned(),
        role: situation.stated_role().map(str::to_owned),
        project: situation.project.name.clone(),
        branch: situation.branch(),
        host: situation.host().map(|_| situation.host_name()).transpose()?,
        session: situation.session()?.map(|session| session.number),
    })])
}
