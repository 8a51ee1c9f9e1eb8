//! What a reader gets from before its context began.
//!
//! A session that begins takes over what another one left, with whichever event brings its first notes;
//! one whose context was lost gets back what it knew itself.

use pacenote_hosts::Restart;
use pacenote_model::{EventBody, Record, SessionId, StartSource};

use super::phases::Reading;
use crate::{
    EngineError,
    handoffs::{Heir, Left, find_taken, recollect},
};

impl Reading<'_> {
    /// Returns what is known from before: what the session itself knew, or what another one left, taken
    /// now or before. The second list names what is taken now.
    pub(super) fn take_left(&self) -> Result<(Option<Left>, Vec<SessionId>), EngineError> {
        if self.has_lost_context()?
            && let Some(own) = recollect(&self.situation)?
        {
            return Ok((Some(own), Vec::new()));
        }
        if let Some(again) = find_taken(&self.situation)? {
            return Ok((Some(again), Vec::new()));
        }
        let Some(heir) = self.heir()? else { return Ok((None, Vec::new())) };
        Ok(match heir.take_waiting()? {
            Some((left, taken)) => (Some(left), taken),
            None => (None, Vec::new()),
        })
    }

    /// Reports whether the host threw the conversation away since the agent last read notes.
    fn has_lost_context(&self) -> Result<bool, EngineError> {
        let Self { call, situation, .. } = self;
        // Where the next prompt has to do, a start says nothing about the conversation.
        let is_start_telling = match call.host.capabilities().restarts_after_compaction {
            Restart::AtSessionStart | Restart::InRequests | Restart::WithRequests => true,
            Restart::AtNextPrompt => false,
        };
        let mut is_compact = false;
        if let EventBody::SessionStart { source } = situation.event.body {
            match source {
                // The conversation is another one, whatever happened before.
                StartSource::Startup | StartSource::Clear | StartSource::Fork => return Ok(false),
                StartSource::Compact => is_compact = true,
                StartSource::Resume => {}
            }
        }
        let records = situation.records()?;
        let read = records.iter().rposition(|record| record.offered().is_some());
        let mut since = records.iter().skip(read.map_or(0, |place| place + 1));
        let compact = StartSource::Compact.word();
        let is_lost = since.any(|record| {
            let is_start = matches!(record, Record::Seen { event, .. } if event == compact);
            matches!(record, Record::Lost { .. }) || (is_start && is_start_telling)
        });
        Ok(is_lost || (is_compact && is_start_telling))
    }

    /// Returns who may take a handoff here: a session that begins, not one that goes on. Where the
    /// start carries no notes, it begins with the first event that does.
    fn heir(&self) -> Result<Option<Heir<'_>>, EngineError> {
        let records = self.situation.records()?;
        let source = if let EventBody::SessionStart { source } = self.situation.event.body {
            source
        } else if let EventBody::Prompt { .. } | EventBody::Request { .. } =
            self.situation.event.body
            && !records.iter().any(|record| record.offered().is_some())
        {
            last_start(records)
        } else {
            return Ok(None);
        };
        let begins = matches!(source, StartSource::Startup | StartSource::Clear);
        begins.then(|| Heir::new(&self.situation, source)).transpose()
    }
}

/// Returns why the session began, as its log says; a session whose start nobody saw is new.
fn last_start(records: &[Record]) -> StartSource {
    let start = records.iter().rev().find_map(|record| {
        if let Record::SessionStart { source, .. } = record { Some(*source) } else { None }
    });
    start.unwrap_or(StartSource::Startup)
}
