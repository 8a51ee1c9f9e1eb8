//! Hosts that never say when they threw their context away.
//!
//! Some let us look at each request to the model and add to it. A request that lacks what was told
//! gets all of it again, always the same bytes; and what is added to a request is not kept by the
//! host, so the next prompt tells it anew. Others say only that they are about to compact.

use pacenote_context::delivery::Decision;
use pacenote_files::session_log::{HeldLog, Line};
use pacenote_hosts::{Reply, Restart, capabilities_of};
use pacenote_model::{
    Happening, NotesIn, Record,
    receipt::{Extent, PARTS},
};

use super::{Answer, log::text_in, scene::Scene};
use crate::EngineError;

impl Scene<'_> {
    /// Answers a look at a request; `None` when nothing was told yet in this context.
    pub(super) fn answer_request(
        &self,
        notes: NotesIn,
        lines: &[Line],
        records: &[Record],
        held: &mut HeldLog,
    ) -> Result<Option<Answer>, EngineError> {
        let is_lost = match notes {
            NotesIn::Held => return Ok(Some(Answer::default())),
            NotesIn::Lost => true,
            NotesIn::Never => false,
        };
        let Some(text) = told_last(lines, records) else { return Ok(None) };
        if is_lost && !is_noted_as_lost(records) {
            self.append(held, &[Record::Lost { from: self.origin() }])?;
        }
        let is_on = self.call.settings.context_is_on(&self.desk.place().root);
        let reply = if is_on { Reply::context(text) } else { Reply::nothing() };
        Ok(Some(Answer { reply, ..Answer::default() }))
    }

    /// Tells whether a context begins with this event.
    pub(super) fn begins(&self, records: &[Record]) -> bool {
        let is_prompt = matches!(self.call.event.happening, Happening::Prompt { .. });
        self.call.event.begins_epoch() || (is_prompt && is_noted_as_lost(records))
    }

    /// Returns that the context is about to be lost, where the host will not say so again.
    pub(super) fn loss(&self) -> Option<Record> {
        let is_compaction = matches!(self.call.event.happening, Happening::PreCompact { .. });
        let is_all = self.restart() == Some(Restart::AtNextPrompt);
        (is_compaction && is_all).then(|| Record::Lost { from: self.origin() })
    }

    /// Leaves a beginning to the requests that follow a prompt, where those are made by us anyhow.
    pub(super) fn left_to_requests(&self, decision: Decision) -> Decision {
        let is_prompt = matches!(self.call.event.happening, Happening::Prompt { .. });
        let is_made = self.restart() == Some(Restart::WithRequests);
        match decision {
            Decision::Full { epoch } if is_prompt && is_made => Decision::Silence { epoch },
            Decision::Full { .. }
            | Decision::Delta { .. }
            | Decision::Repeat { .. }
            | Decision::Silence { .. } => decision,
        }
    }

    fn restart(&self) -> Option<Restart> {
        capabilities_of(self.call.host).map(|known| known.restarts_after_compaction)
    }
}

/// Returns all that was told at the beginning of this context.
fn told_last(lines: &[Line], records: &[Record]) -> Option<String> {
    let began = records.iter().rposition(begins).unwrap_or(0);
    let mut told = records.iter().skip(began).filter_map(Record::offered);
    let full = told.rfind(|receipt| receipt.extent == Extent::Full)?;
    let parts = (1..=PARTS).map_while(|part| text_in(lines, &full.emission, part));
    let texts: Vec<String> = parts.collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// Tells whether the context that began last was lost since.
fn is_noted_as_lost(records: &[Record]) -> bool {
    let began = records.iter().rposition(begins).map_or(0, |place| place + 1);
    records.iter().skip(began).any(|record| matches!(record, Record::Lost { .. }))
}

fn begins(record: &Record) -> bool {
    matches!(record, Record::Seen { begins: true, .. })
}
