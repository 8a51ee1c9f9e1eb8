//! The last phase: what is recorded of an event in the session's log, and the answer that follows.

use std::collections::BTreeMap;

use pacenote_files::session_log::{HeldLog, LINE, LogPath};
use pacenote_hosts::Reply;
use pacenote_model::{Event, EventBody, ReceiptItem, Record, SessionStatus, SkillRef, Todo, Value};

use super::{
    Answer, Unprinted,
    compose::Composed,
    decide::Decided,
    phases::{Reading, holds_unrecorded},
    request,
};
use crate::{
    EngineError, handoffs,
    lifecycle::{Acts, draft_record},
    records::{line, list_loaded_skills},
    secrets,
    situation::Situation,
};

impl Reading<'_> {
    pub(super) fn record(
        &self,
        decided: Decided,
        composed: Composed,
        log: &LogPath,
        mut held: HeldLog,
    ) -> Result<Answer, EngineError> {
        let Composed { epoch, injected, notice, offered } = composed;
        let Decided { mut acts, is_first, begins_epoch, deferred, taken, .. } = decided;
        let mut records = Vec::new();
        // Tools are used by the thousand: of those only what rules recorded is written down.
        if !self.situation.event.kind().is_about_tool() || injected.is_some() {
            records.push(self.seen(epoch, begins_epoch)?);
        }
        if is_first {
            records.extend(self.beginning()?);
            if begins_epoch {
                records.extend(self.carried()?);
                records.extend(self.said_before()?);
            }
            records.append(&mut acts.records);
            let said = self.said()?;
            records.extend(self.draft(&acts, said.as_ref())?);
            records.extend(said);
            records.extend(self.end_of_subagent()?);
            records.extend(self.list()?);
            records.extend(self.load()?);
            for sentence in deferred {
                let (from, text) = (self.situation.origin()?, sentence.text);
                let text = secrets::without_secrets(&text);
                let (rule, trust) = (sentence.rule, sentence.trust);
                records.push(Record::Deferred { from, rule, trust, text });
            }
            records.extend(request::loss(self)?);
            records.extend(self.give_back()?);
        }
        if !taken.is_empty() {
            records.push(Record::Taken { from: self.situation.origin()?, sessions: taken });
        }
        records.extend(offered);
        let ends_turn = self.situation.event.kind().ends_turn();
        // Who continues the work of others must be known before the next session asks.
        let continues = is_first
            && matches!(self.situation.event.body, EventBody::SessionStart { .. })
            && self.situation.continued()?.is_some();
        let has_work = continues || (ends_turn && records.iter().any(is_urgent));
        let trouble = append(&self.situation, &mut held, &records).err();
        drop(held);
        let is_recorded = trouble.is_none();
        // What was never offered in the log cannot be printed in it; it is offered again instead.
        let unprinted = match injected.as_ref().filter(|_| is_recorded) {
            Some(injected) => {
                let from = self.situation.origin()?;
                let record = Record::Printed {
                    host: from.host,
                    host_id: from.host_id,
                    place: from.place,
                    name: from.name,
                    emission: injected.emission.clone(),
                    part: injected.part,
                };
                Some(Unprinted { log: log.clone(), record })
            }
            None => None,
        };
        let reply = Reply {
            context: injected.map(|injected| injected.text),
            notice,
            verdict: acts.verdict.filter(|verdict| is_recorded || holds_unrecorded(verdict)),
            input: None,
        };
        Ok(Answer { reply, unprinted, has_work, trouble, remarks: acts.troubles })
    }

    fn seen(&self, epoch: u32, begins: bool) -> Result<Record, EngineError> {
        let from = self.situation.origin()?;
        Ok(Record::Seen {
            at: from.at,
            host: from.host,
            host_id: from.host_id,
            place: from.place,
            name: from.name,
            payload: self.payload.clone(),
            part: self.call.part.part,
            epoch,
            begins,
            event: self.situation.event.word().to_owned(),
        })
    }

    /// Returns the record of the beginning of a session's context.
    fn beginning(&self) -> Result<Option<Record>, EngineError> {
        let Event { transcript, body, session, .. } = &self.situation.event;
        let (EventBody::SessionStart { source } | EventBody::SubagentStart { source, .. }) = body
        else {
            return Ok(None);
        };
        let is_spawned = matches!(body, EventBody::SubagentStart { .. });
        let from = self.situation.origin()?;
        Ok(Some(Record::SessionStart {
            at: from.at,
            host: from.host,
            host_id: from.host_id,
            source: *source,
            place: from.place,
            name: from.name,
            transcript: transcript.as_deref().map(secrets::without_secrets),
            agent: self.call.agent.clone(),
            parent: is_spawned.then(|| session.clone()),
        }))
    }

    /// Returns the variables that were set before a context begins, so that a gate that asks for one is
    /// not open merely because it was set too long ago: a log is read from its end.
    fn carried(&self) -> Result<Vec<Record>, EngineError> {
        let mut last: BTreeMap<&String, &Value> = BTreeMap::new();
        for record in self.situation.records()? {
            if let Record::Set { variable, value, .. } = record {
                last.insert(variable, value);
            }
        }
        let set = |(variable, value): (&String, &Value)| {
            let (variable, value) = (variable.clone(), value.clone());
            Ok(Record::Set { from: self.situation.origin()?, variable, value })
        };
        last.into_iter().map(set).collect()
    }

    /// Returns the record that marks a subagent as done: no event will ever say more about it.
    fn end_of_subagent(&self) -> Result<Option<Record>, EngineError> {
        let EventBody::SubagentStop { .. } = self.situation.event.body else { return Ok(None) };
        let (from, status) = (self.situation.origin()?, SessionStatus::Completed);
        Ok(Some(Record::Marked { from, status }))
    }

    /// Returns the record of what changed on the host's own list of things to do.
    fn list(&self) -> Result<Option<Record>, EngineError> {
        let todos = self.situation.event.todos();
        if todos.is_empty() || !self.situation.settings().tasks_are_mirrored() {
            return Ok(None);
        }
        let clean = |todo: &Todo| Todo {
            title: todo.title.as_deref().map(secrets::without_secrets),
            ..todo.clone()
        };
        let (from, todos) = (self.situation.origin()?, todos.iter().map(clean).collect());
        Ok(Some(Record::Listed { from, todos }))
    }

    /// Returns the record of a skill that the agent loaded by itself. One that a subagent loads is not
    /// in the context of the session.
    fn load(&self) -> Result<Option<Record>, EngineError> {
        let Event { body, subagent, .. } = &self.situation.event;
        let EventBody::AfterTool { tool, failed: false } = body else { return Ok(None) };
        let named = tool.skill.as_deref().filter(|_| subagent.is_none());
        let Some(skill) = named.and_then(|raw| SkillRef::parse(raw).ok()) else { return Ok(None) };
        let skill = skill.to_string();
        if list_loaded_skills(self.situation.records()?).last() == Some(&skill) {
            return Ok(None);
        }
        Ok(Some(Record::SkillLoaded { from: self.situation.origin()?, skill }))
    }

    /// Returns the record of what the session would leave behind now, where a rule or the host wants
    /// it kept.
    fn draft(&self, acts: &Acts, said: Option<&Record>) -> Result<Option<Record>, EngineError> {
        let situation = &self.situation;
        let summary = if let EventBody::PostCompact { summary, .. } = &situation.event.body {
            summary.clone()
        } else {
            None
        };
        if !acts.drafts_handoff && summary.is_none() {
            return Ok(None);
        }
        let mut handoff = handoffs::draft(situation, said)?;
        handoff.compact_summary = summary.or(handoff.compact_summary);
        if handoff.is_empty() {
            return Ok(None);
        }
        // What was written down already need not be again: a log of a thousand turns is read from its
        // end, and no further than far enough.
        let record = draft_record(handoff, situation.origin()?);
        // Before the session went on, it may have been taken.
        let is_start = |record: &Record| matches!(record, Record::SessionStart { .. });
        let records = situation.records()?;
        let start = records.iter().rposition(is_start).unwrap_or_default();
        let mut drafts = records.iter().skip(start).filter_map(Record::drafted);
        Ok((drafts.next_back() != record.drafted()).then_some(record))
    }

    /// Returns the record that gives back what another session left, when this one ends and leaves
    /// nothing itself.
    fn give_back(&self) -> Result<Option<Record>, EngineError> {
        let situation = &self.situation;
        let EventBody::SessionEnd { .. } = situation.event.body else { return Ok(None) };
        let Some(by) = handoffs::find_taken(situation)?.and_then(|left| left.by) else {
            return Ok(None);
        };
        if !handoffs::leaves_nothing(situation)? {
            return Ok(None);
        }
        Ok(Some(Record::Returned { from: situation.origin()?, session: by.session }))
    }
}

/// Reports whether a record is of no use before somebody has ingested it. Others count on knowing that
/// a session is over.
const fn is_urgent(record: &Record) -> bool {
    matches!(
        record,
        Record::Wished { .. }
            | Record::Returned { .. }
            | Record::Marked { status: SessionStatus::Completed, .. }
    )
}

/// Appends records to the log. A text that is too long for a line is not kept: it was injected, and its
/// receipt says what it was.
pub(super) fn append(
    situation: &Situation<'_>,
    held: &mut HeldLog,
    records: &[Record],
) -> Result<(), EngineError> {
    if records.is_empty() {
        return Ok(());
    }
    let lines: Vec<String> = records.iter().map(short_line).collect::<Result<_, _>>()?;
    let lines: Vec<&str> = lines.iter().map(String::as_str).filter(|line| fits(line)).collect();
    Ok(held.append(&lines, situation.clock().fresh().as_u128())?)
}

/// Writes a record in a line. A receipt that is too long for one says less of what was left out:
/// without any receipt the same would be injected with every event.
fn short_line(record: &Record) -> Result<String, EngineError> {
    let whole = line(record)?;
    let Record::Offered { receipt, .. } = record else { return Ok(whole) };
    if fits(&whole) {
        return Ok(whole);
    }
    let with = |items: Vec<ReceiptItem>| {
        let mut record = record.clone();
        if let Record::Offered { receipt, .. } = &mut record {
            receipt.items = items;
        }
        line(&record)
    };
    let without_reasons = receipt.items.iter().cloned().map(|item| {
        let is_shown = item.is_shown();
        if is_shown { item } else { ReceiptItem { reason: String::new(), why: None, ..item } }
    });
    let shorter = with(without_reasons.collect())?;
    if fits(&shorter) {
        return Ok(shorter);
    }
    with(receipt.items.iter().filter(|item| item.is_shown()).cloned().collect())
}

fn fits(line: &str) -> bool {
    u64::try_from(line.len()).is_ok_and(|size| size <= LINE.get())
}
