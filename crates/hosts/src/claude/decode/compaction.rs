//! When the client summarises a context and throws the rest away.

use pacenote_model::EventBody;

use crate::decoded::compact_trigger;

use super::{Told, payload::Details};

pub(super) fn before(details: &Details) -> Told {
    let (trigger, warning) = compact_trigger(details.trigger.as_deref());
    Told::Happened { body: EventBody::PreCompact { trigger }, warning }
}

pub(super) fn after(details: Details) -> Told {
    let (trigger, warning) = compact_trigger(details.trigger.as_deref());
    let summary = details.compact_summary;
    Told::Happened { body: EventBody::PostCompact { trigger, summary }, warning }
}
