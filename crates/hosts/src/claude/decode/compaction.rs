//! When the client summarises a context and throws the rest away.

use pacenote_model::{CompactTrigger, Happening};

use crate::Warning;

use super::{Told, payload::Details};

pub(super) fn before(details: &Details) -> Told {
    let (trigger, warning) = trigger(details.trigger.as_deref());
    Told::Happened { happening: Happening::PreCompact { trigger }, warning }
}

pub(super) fn after(details: Details) -> Told {
    let (trigger, warning) = trigger(details.trigger.as_deref());
    let summary = details.compact_summary;
    Told::Happened { happening: Happening::PostCompact { trigger, summary }, warning }
}

/// A trigger we do not know is not the person's: that one has always had the same word.
fn trigger(word: Option<&str>) -> (CompactTrigger, Option<Warning>) {
    match word {
        Some("manual") => (CompactTrigger::Manual, None),
        Some("auto") => (CompactTrigger::Auto, None),
        Some(other) => (CompactTrigger::Auto, Some(Warning::unknown_trigger(other))),
        None => (CompactTrigger::Auto, Some(Warning::NoTrigger)),
    }
}
