//! What is noted of an event in the session's log.

use std::collections::BTreeMap;

use pacenote_files::session_log::{HeldLog, LINE};
use pacenote_model::{
    Event, Happening, HostId, Record, SessionStatus, Todo, Value, record::Origin,
};

use super::{
    log::line,
    scene::{Known, Scene},
};
use crate::{
    EngineError, handoffs,
    lifecycle::{Acts, Sentence, drafted},
    notes::Base,
    secrets,
};

impl Scene<'_> {
    pub(super) fn host_id(&self) -> HostId {
        let session = &self.call.event.session;
        if let Happening::SubagentStart { agent, .. } | Happening::SubagentStop { agent, .. } =
            &self.call.event.happening
        {
            HostId::parse(&format!("{session}.{agent}")).unwrap_or_else(|_| session.clone())
        } else {
            session.clone()
        }
    }

    pub(super) fn origin(&self) -> Origin {
        Origin {
            at: self.clock.now(),
            host: self.call.host.clone(),
            host_id: self.host_id(),
            place: self.project.place.clone(),
            name: self.project.name.clone(),
        }
    }

    pub(super) fn seen(&self, payload: &str, epoch: u32, begins: bool) -> Record {
        Record::Seen {
            at: self.clock.now(),
            host: self.call.host.clone(),
            host_id: self.host_id(),
            place: self.project.place.clone(),
            name: self.project.name.clone(),
            payload: payload.to_owned(),
            part: self.call.part.part,
            epoch,
            begins,
            event: self.call.event.word().to_owned(),
        }
    }

    /// Returns what is noted about the beginning of a session's context.
    pub(super) fn beginning(&self) -> Option<Record> {
        let Event { transcript, happening, .. } = self.call.event;
        let (Happening::SessionStart { source } | Happening::SubagentStart { source, .. }) =
            happening
        else {
            return None;
        };
        let is_spawned = matches!(happening, Happening::SubagentStart { .. });
        Some(Record::SessionStart {
            at: self.clock.now(),
            host: self.call.host.clone(),
            host_id: self.host_id(),
            source: *source,
            place: self.project.place.clone(),
            name: self.project.name.clone(),
            transcript: transcript.as_deref().map(secrets::without_secrets),
            agent: self.call.agent.clone(),
            parent: is_spawned.then(|| self.call.event.session.clone()),
        })
    }

    /// Returns the variables that were set before a context begins, so that a gate that asks for one is
    /// not open merely because it was set too long ago: a log is read from its end.
    pub(super) fn carried(&self, records: &[Record]) -> Vec<Record> {
        let mut last: BTreeMap<&String, &Value> = BTreeMap::new();
        for record in records {
            if let Record::Set { variable, value, .. } = record {
                last.insert(variable, value);
            }
        }
        let set = |(variable, value): (&String, &Value)| Record::Set {
            from: self.origin(),
            variable: variable.clone(),
            value: value.clone(),
        };
        last.into_iter().map(set).collect()
    }

    /// Returns that a subagent is done: no event will ever say more about it.
    pub(super) fn end_of_subagent(&self) -> Option<Record> {
        let is_end = matches!(self.call.event.happening, Happening::SubagentStop { .. });
        is_end.then(|| Record::Marked { from: self.origin(), status: SessionStatus::Completed })
    }

    /// Returns what changed on the host's own list of things to do.
    pub(super) fn listed(&self) -> Option<Record> {
        let todos = self.call.event.todos();
        if todos.is_empty() || !self.call.settings.tasks_are_mirrored() {
            return None;
        }
        let clean = |todo: &Todo| Todo {
            title: todo.title.as_deref().map(secrets::without_secrets),
            ..todo.clone()
        };
        Some(Record::Listed { from: self.origin(), todos: todos.iter().map(clean).collect() })
    }

    /// Returns what the session would leave behind now, where a rule or the host wants it kept.
    pub(super) fn draft(&self, known: &Known<'_>, acts: &Acts) -> Option<Record> {
        let happening = &self.call.event.happening;
        let summary = if let Happening::PostCompact { summary, .. } = happening {
            summary.clone()
        } else {
            None
        };
        if !acts.drafts_handoff && summary.is_none() {
            return None;
        }
        let branch = self.desk.place().branch.as_deref();
        let Base { tasks, messages } = &known.base;
        let agent = known.agent.as_ref();
        let mut handoff = handoffs::draft(tasks, messages, agent, branch, known.records);
        handoff.compact_summary = summary.or(handoff.compact_summary);
        if handoff.is_empty() {
            return None;
        }
        // What was written down already need not be again: a log of a thousand turns is read from its
        // end, and no further than far enough.
        let record = drafted(handoff, &self.origin());
        let mut drafts = known.records.iter().filter_map(Record::drafted);
        (drafts.next_back() != record.drafted()).then_some(record)
    }

    /// Returns what rules say at an event whose answer carries no text. Sentences wait for the next
    /// one that does; what sources have to tell is told there anyhow.
    pub(super) fn deferred(&self, acts: &mut Acts) -> Vec<Record> {
        if self.call.carries_context {
            return Vec::new();
        }
        let sentences = std::mem::take(&mut acts.telling.notices);
        let templates = std::mem::take(&mut acts.telling.templates);
        acts.troubles.extend(templates.into_iter().map(|one| {
            let (event, host) = (self.call.event.word(), self.call.host);
            format!("rule `{}`: what is told at `{event}` does not reach {host}", one.rule)
        }));
        let later = sentences.into_iter().map(|Sentence { rule, trust, text, .. }| {
            let text = secrets::without_secrets(&text);
            Record::Deferred { from: self.origin(), rule, trust, text }
        });
        later.collect()
    }

    pub(super) fn append(&self, held: &mut HeldLog, records: &[Record]) -> Result<(), EngineError> {
        if records.is_empty() {
            return Ok(());
        }
        let lines: Vec<String> = records.iter().map(line).collect::<Result<_, _>>()?;
        let fits = |line: &&str| u64::try_from(line.len()).is_ok_and(|size| size <= LINE.get());
        // A text that is too long for a line is not kept: it was told, and its receipt says what.
        let lines: Vec<&str> = lines.iter().map(String::as_str).filter(fits).collect();
        Ok(held.append(&lines, self.clock.fresh().as_u128())?)
    }
}
