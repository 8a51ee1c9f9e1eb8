//! Where runs of workflows stand.

use pacenote_context::{
    fragment::{Fragment, FragmentKind},
    fragments::WorkflowState,
};

use super::{Fragments, SourceRow};
use crate::{briefing::work::Gathering, runs::RunNote, wanted::WantedSource};

pub(super) static ROW: SourceRow = SourceRow { kinds: &[FragmentKind::WORKFLOW], gather };

#[expect(clippy::unnecessary_wraps, reason = "all rows gather alike, and others can fail")]
fn gather<'x>(gathering: &'x Gathering<'_>, _wanted: &WantedSource) -> Fragments<'x> {
    let secret = gathering.situation.secret();
    let state = |note: &'x RunNote| {
        let state = WorkflowState { run: &note.run, extent: note.extent, secret };
        Box::new(state) as Box<dyn Fragment + 'x>
    };
    Ok(gathering.runs.iter().map(state).collect())
}
