//! The four phases of an answer: read, decide, compose, record.
//!
//! All four run with the session's log in hand, so that the processes of one event (parts, duplicates,
//! re-fires) see one order of things. Only the last one writes to that log, but for a look at a request,
//! which is answered before anything is decided.

use pacenote_context::delivery::Standing;
use pacenote_files::{
    FileError,
    session_log::{HeldLog, Line, LogPath},
};
use pacenote_hosts::{Reply, Verdict};
use pacenote_model::{Event, EventBody, Record};
use pacenote_skill::digest::digest_of;

use super::{Answer, HookCall, request};
use crate::{
    EngineError,
    records::{LOG_TAIL, digits, line, records_of},
    situation::Situation,
    subagents::{Beginner, Errand, Given, errand_before, errand_of},
};

/// What the first phase reads: the situation, and what the log says of what was injected.
pub(super) struct Reading<'a> {
    pub(super) call: &'a HookCall<'a>,
    pub(super) situation: Situation<'a>,
    /// The lines of the log, for the texts in them.
    pub(super) lines: Vec<Line>,
    pub(super) standing: Standing,
    /// The payload in a few digits, by which events are known again.
    pub(super) payload: String,
}

/// Answers with the log in hand.
pub(super) fn answer(
    call: &HookCall<'_>,
    situation: Situation<'_>,
    log: &LogPath,
    mut held: HeldLog,
) -> Result<Answer, EngineError> {
    let reading = read(call, situation, held.tail(LOG_TAIL)?);
    if let Some(answer) = request::answer(&reading, &mut held)? {
        return Ok(answer);
    }
    let mut decided = reading.decide()?;
    let composed = reading.compose(&mut decided)?;
    reading.record(decided, composed, log, held)
}

/// Answers without the log, when somebody holds it: everything is injected, and nothing is recorded.
pub(super) fn answer_unrecorded(
    call: &HookCall<'_>,
    situation: Situation<'_>,
    error: FileError,
) -> Result<Answer, EngineError> {
    let reading = read(call, situation, Vec::new());
    let decided = reading.decide_unrecorded()?;
    let context = reading.compose_unrecorded(&decided)?;
    let verdict = decided.acts.verdict.filter(holds_unrecorded);
    let reply = Reply { context, verdict, ..Reply::nothing() };
    let remarks = decided.acts.troubles;
    Ok(Answer { reply, trouble: Some(error.into()), remarks, ..Answer::default() })
}

fn read<'a>(call: &'a HookCall<'a>, situation: Situation<'a>, lines: Vec<Line>) -> Reading<'a> {
    let records = records_of(&lines);
    let standing = Standing::of(&records);
    let payload = digits(&digest_of(call.payload));
    let is_injected = call.carries_context && situation.is_on();
    let errand = if is_injected { find_errand(call, &situation) } else { None };
    let situation = situation.with_records(records).with_errand(errand.unwrap_or_default());
    Reading { call, situation, lines, standing, payload }
}

/// Returns what a subagent that begins was given to do, and records in the log of its session that it
/// began with that: the next one of its type was given something else.
fn find_errand(call: &HookCall<'_>, situation: &Situation<'_>) -> Option<Errand> {
    let Event { session, body, .. } = &situation.event;
    let EventBody::SubagentStart { agent, agent_type, prompt, .. } = body else { return None };
    // Without the log of the session that asked, it is a subagent without a task of its own.
    let log = call.data.logs().log_for(call.host.name(), session.as_str()).ok()?;
    // Before the log is held: whose tasks they are may stand in it.
    let tasks = situation.tasks().ok()?;
    let mut held = log.hold_soon().ok()?;
    let records = records_of(&held.tail(LOG_TAIL).ok()?);
    // One that begins again lost its context, and goes on with what it was given.
    if let Some(before) = errand_before(&records, agent) {
        return Some(before);
    }
    let beginner = Beginner { agent_type, prompt: prompt.as_deref() };
    let errand = errand_of(&records, beginner, tasks);
    let task = match errand.given {
        Some(Given::Task(task)) => Some(task),
        Some(Given::Unclear) | None => None,
    };
    let (from, agent) = (situation.origin().ok()?, agent.clone());
    let role = errand.role.map(|role| role.word().to_owned());
    let begun = Record::Begun { from, agent, agent_type: agent_type.clone(), task, role };
    // Where that cannot be recorded, a second one of its type may be told the same task.
    held.append(&[&line(&begun).ok()?], situation.clock().fresh().as_u128()).ok();
    Some(errand)
}

/// Reports whether a refusal holds without being recorded. One of stopping does not: only the records
/// keep count of it, and an agent must never be wedged.
pub(super) const fn holds_unrecorded(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Deny { .. } => true,
        Verdict::GoOn { .. } => false,
    }
}
