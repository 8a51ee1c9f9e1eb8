//! What is known from before the reader's context began: what its own session knew, or what an earlier
//! session left behind. What the reader gets beside it is left out here.

use pacenote_context::{
    fragment::{Fragment, FragmentKind},
    fragments::{Handoff as HandoffNote, LastRequest, LastWords},
};
use pacenote_flow::lifecycle::Source;
use pacenote_model::{Handoff, Note};

use super::{Fragments, SourceRow};
use crate::{EngineError, briefing::work::Gathering, handoffs::note_line, wanted::WantedSource};

pub(super) static ROW: SourceRow = SourceRow {
    kinds: &[FragmentKind::HANDOFF, FragmentKind::LAST_REQUEST, FragmentKind::LAST_WORDS],
    gather,
};

fn gather<'x>(gathering: &'x Gathering<'_>, _wanted: &WantedSource) -> Fragments<'x> {
    let mut fragments: Vec<Box<dyn Fragment + 'x>> = Vec::new();
    let Some(left) = gathering.layout.left else { return Ok(fragments) };
    let (secret, conversation) = (gathering.situation.secret(), &left.conversation);
    if let Some(by) = left.by {
        let handoff = without_what_is_beside(gathering, left.handoff.clone())?;
        fragments.push(Box::new(HandoffNote::of(by.number, &handoff, &by.command(), secret)));
    }
    // As it was said, the last thing last.
    if let Some(words) = LastWords::of(conversation, secret) {
        fragments.push(Box::new(words));
    }
    if let Some(text) = conversation.request() {
        let request = Box::new(LastRequest { text });
        let is_last = conversation.is_request_last();
        let place = if is_last { fragments.len() } else { usize::from(left.by.is_some()) };
        fragments.insert(place, request);
    }
    Ok(fragments)
}

/// Leaves out what stands elsewhere in the same briefing.
fn without_what_is_beside(
    gathering: &Gathering<'_>,
    mut handoff: Handoff,
) -> Result<Handoff, EngineError> {
    let situation = gathering.situation;
    if gathering.wants(Source::TaskContext) && !situation.tasks()?.is_empty() {
        handoff.active_task = None;
        let notes = gathering.work()?.notes.as_ref();
        handoff.notes.retain(|text| {
            let is_same = |note: &Note| note_line(&note.text) == *text;
            !notes.is_some_and(|notes| notes.notes.iter().any(is_same))
        });
    }
    if gathering.wants(Source::Skills) && !situation.is_off(FragmentKind::CORE_SKILLS) {
        handoff.active_skills.clear();
    }
    Ok(handoff)
}
