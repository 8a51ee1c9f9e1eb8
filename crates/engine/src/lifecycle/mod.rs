//! Lifecycle rules at work: what they see, and what they do.
//!
//! The rules decide; nothing here knows what a rule is for, and nothing takes place here.

mod acting;
mod facts;
pub mod gates;
mod skill_in_force;

use pacenote_model::Event;

pub(crate) use self::{
    acting::{Acts, act, draft_record},
    facts::{facts, has_work, is_trivial},
};
use crate::{EngineError, situation::Situation, wanted::Wanted};

/// Returns what rules want in the briefing of a situation, whether or not a hook asks.
pub(crate) fn wanted_in(situation: &Situation<'_>) -> Result<Wanted, EngineError> {
    let Event { body, .. } = &situation.event;
    let facts = facts(situation, situation.epoch()?.max(1))?;
    Ok(act(situation, body.kind(), &facts)?.wanted)
}
