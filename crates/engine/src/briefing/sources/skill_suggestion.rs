//! Skills that fit what the person asks for.

use pacenote_context::fragment::FragmentKind;
use pacenote_model::EventBody;

use super::{Fragments, SourceRow};
use crate::{
    briefing::{skill, work::Gathering},
    wanted::WantedSource,
};

pub(super) static ROW: SourceRow = SourceRow { kinds: &[FragmentKind::SUGGESTION], gather };

fn gather<'x>(gathering: &'x Gathering<'_>, wanted: &WantedSource) -> Fragments<'x> {
    let EventBody::Prompt { prompt } = &gathering.situation.event.body else {
        return Ok(Vec::new());
    };
    let Some(quick) = gathering.quick()? else { return Ok(Vec::new()) };
    Ok(vec![Box::new(skill::suggest(quick, prompt, wanted.limit)?)])
}
