//! How to read a briefing; in short, how to begin where nothing is active.

use pacenote_context::{
    fragment::FragmentKind,
    fragments::{Guide, Hello},
};
use pacenote_flow::lifecycle::Format;

use super::{Fragments, SourceRow};
use crate::{briefing::work::Gathering, lifecycle::has_work, wanted::WantedSource};

pub(super) static ROW: SourceRow = SourceRow { kinds: &[FragmentKind::GUIDE], gather };

fn gather<'x>(gathering: &'x Gathering<'_>, wanted: &WantedSource) -> Fragments<'x> {
    let is_short = match wanted.format {
        Some(Format::Summary) => true,
        Some(Format::Full) => false,
        Some(Format::None) | None => !has_work(gathering.situation)?,
    };
    Ok(if is_short { vec![Box::new(Hello)] } else { vec![Box::new(Guide)] })
}
