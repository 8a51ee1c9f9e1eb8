//! Files that rules captured in this session.

use pacenote_context::{fragment::FragmentKind, fragments::Artifacts};

use super::{Fragments, SourceRow};
use crate::{briefing::work::Gathering, wanted::WantedSource};

pub(super) static ROW: SourceRow = SourceRow { kinds: &[FragmentKind::ARTIFACTS], gather };

fn gather<'x>(gathering: &'x Gathering<'_>, _wanted: &WantedSource) -> Fragments<'x> {
    let situation = gathering.situation;
    let Some(session) = situation.session()? else { return Ok(Vec::new()) };
    let files = situation.store.artifacts(situation.project.id, session.id)?;
    Ok(vec![Box::new(Artifacts { files: files.into() })])
}
