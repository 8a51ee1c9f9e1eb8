//! What an earlier session left behind for this one.

use pacenote_context::fragment::{Fragment, FragmentKind};

use super::{Fragments, SourceRow};
use crate::{briefing::work::Gathering, wanted::WantedSource};

pub(super) static ROW: SourceRow = SourceRow { kinds: &[FragmentKind::HANDOFF], gather };

#[expect(clippy::unnecessary_wraps, reason = "all rows gather alike, and others can fail")]
fn gather<'x>(gathering: &'x Gathering<'_>, _wanted: &WantedSource) -> Fragments<'x> {
    let secret = gathering.situation.secret();
    let left = gathering.layout.left.map(|left| left.fragment(secret));
    Ok(left.map(|left| Box::new(left) as Box<dyn Fragment + 'x>).into_iter().collect())
}
