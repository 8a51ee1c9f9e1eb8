//! What happened lately in the project.

use pacenote_context::fragment::FragmentKind;

use super::{Fragments, SourceRow};
use crate::{
    briefing::{Scope, activity, work::Gathering},
    wanted::WantedSource,
};

pub(super) static ROW: SourceRow = SourceRow { kinds: &[FragmentKind::ACTIVITY], gather };

fn gather<'x>(gathering: &'x Gathering<'_>, wanted: &WantedSource) -> Fragments<'x> {
    let Scope::Full = gathering.layout.scope else { return Ok(Vec::new()) };
    let situation = gathering.situation;
    let (store, project) = (situation.store, &situation.project);
    let reader = situation.agent()?;
    let mut recent = activity::recent(store, project, situation.tasks()?, reader, None)?;
    let old = recent.lines.len().saturating_sub(wanted.most());
    recent.lines.drain(..old);
    Ok(vec![Box::new(recent)])
}
