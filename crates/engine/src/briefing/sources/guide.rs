//! How to read a briefing; in short, how to begin where nothing is active.

use pacenote_context::{
    fragment::FragmentKind,
    fragments::{Guide, Hello},
};
use pacenote_flow::lifecycle::Format;

use super::{Fragments, SourceRow};
use crate::{briefing::work::Gathering, wanted::WantedSource};

pub(super) static ROW: SourceRow = SourceRow { kinds: &[FragmentKind::GUIDE], gather };

#[expect(clippy::unnecessary_wraps, reason = "all rows gather alike, and others can fail")]
fn gather<'x>(_gathering: &'x Gathering<'_>, wanted: &WantedSource) -> Fragments<'x> {
    Ok(match wanted.format {
        Some(Format::Summary) => vec![Box::new(Hello)],
        Some(Format::Full | Format::None) | None => vec![Box::new(Guide)],
    })
}
