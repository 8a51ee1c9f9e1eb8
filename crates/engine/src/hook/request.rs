//! Hosts that never say when they threw their context away.
//!
//! Some let us look at each request to the model and add to it. A request that lacks what was injected
//! gets all of it again, always the same bytes; and what is added to a request is not kept by the
//! host, so the next prompt injects it again. Others say only that they are about to compact.

use pacenote_context::delivery::Decision;
use pacenote_files::session_log::{HeldLog, Line};
use pacenote_hosts::{Reply, Restart};
use pacenote_model::{
    EventBody, EventKind, NotesIn, Record,
    receipt::{Extent, PARTS},
};

use super::{Answer, phases::Reading, record::append};
use crate::{EngineError, records::text_in};

/// Answers a look at a request; `None` when it is none, or nothing was injected yet in this context.
pub(super) fn answer(
    reading: &Reading<'_>,
    held: &mut HeldLog,
) -> Result<Option<Answer>, EngineError> {
    let situation = &reading.situation;
    let EventBody::Request { notes } = situation.event.body else { return Ok(None) };
    let records = situation.records()?;
    let text = || find_last_beginning(&reading.lines, records);
    let is_lost = match notes {
        NotesIn::Held => {
            // The request holds the notes, as the host spells them.
            let spelled = text().filter(|_| reading.call.host.respells_in_requests());
            let reply = spelled.map_or_else(Reply::nothing, Reply::context);
            return Ok(Some(Answer { reply, ..Answer::default() }));
        }
        NotesIn::Lost => true,
        NotesIn::Never => false,
    };
    let Some(text) = text() else { return Ok(None) };
    if is_lost && !is_recorded_as_lost(records) {
        append(situation, held, &[Record::Lost { from: situation.origin()? }])?;
    }
    let reply = if situation.is_on() { Reply::context(text) } else { Reply::nothing() };
    Ok(Some(Answer { reply, ..Answer::default() }))
}

/// Reports whether a context begins with this event.
pub(super) fn begins(reading: &Reading<'_>) -> Result<bool, EngineError> {
    let Reading { situation, .. } = reading;
    let is_prompt = situation.event.kind() == EventKind::Prompt;
    let begins = situation.event.begins_epoch();
    Ok(begins || (is_prompt && is_recorded_as_lost(situation.records()?)))
}

/// Returns the record that the context is about to be lost, where the host will not say so again.
pub(super) fn loss(reading: &Reading<'_>) -> Result<Option<Record>, EngineError> {
    let is_compaction = reading.situation.event.kind() == EventKind::PreCompact;
    if !is_compaction || restart(reading) != Restart::AtNextPrompt {
        return Ok(None);
    }
    Ok(Some(Record::Lost { from: reading.situation.origin()? }))
}

/// Leaves a beginning to the requests that follow a prompt, where those are made by us anyhow.
pub(super) fn leave_to_requests(reading: &Reading<'_>, decision: Decision) -> Decision {
    let is_prompt = reading.situation.event.kind() == EventKind::Prompt;
    let is_made = restart(reading) == Restart::WithRequests;
    match decision {
        Decision::Full { epoch } if is_prompt && is_made => Decision::Silence { epoch },
        Decision::Full { .. }
        | Decision::Delta { .. }
        | Decision::News { .. }
        | Decision::Repeat { .. }
        | Decision::Silence { .. } => decision,
    }
}

fn restart(reading: &Reading<'_>) -> Restart {
    reading.call.host.capabilities().restarts_after_compaction
}

/// Returns all that was injected at the beginning of this context.
fn find_last_beginning(lines: &[Line], records: &[Record]) -> Option<String> {
    let began = records.iter().rposition(is_beginning).unwrap_or(0);
    let mut offered = records.iter().skip(began).filter_map(Record::offered);
    let full = offered.rfind(|receipt| receipt.extent == Extent::Full)?;
    let parts = (1..=PARTS).map_while(|part| text_in(lines, &full.emission, part));
    let texts: Vec<String> = parts.collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// Reports whether the context that began last was lost since.
fn is_recorded_as_lost(records: &[Record]) -> bool {
    let began = records.iter().rposition(is_beginning).map_or(0, |place| place + 1);
    records.iter().skip(began).any(|record| matches!(record, Record::Lost { .. }))
}

fn is_beginning(record: &Record) -> bool {
    matches!(record, Record::Seen { begins: true, .. })
}
