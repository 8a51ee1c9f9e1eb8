//! Lines of session logs that could not be applied: what they are, and letting go of them.
//!
//! The lines stay in their logs, which are never changed. What is dropped is the note that somebody
//! should look at them.

use pacenote_files::Bytes;
use pacenote_model::{
    Actor, AgentName, Effect, KeptSetAside, LogEffect, Refusal, Sequence, SetAside, Trust,
};

use crate::{
    Caller, Data, Desk, EngineError,
    journal::{Entry, Request},
    secrets::without_secrets,
};

/// How much of the lines is shown: more is not read by anybody, and the log has it all.
const SHOWN: Bytes = Bytes::kib(256);

/// Returns all lines that were set aside, of all projects, oldest first.
pub fn list(desk: &Desk) -> Result<Vec<KeptSetAside>, EngineError> {
    match desk.store() {
        Some(store) => Ok(store.set_aside()?),
        None => Ok(Vec::new()),
    }
}

/// Finds lines by the number under which they were set aside.
pub fn find(desk: &Desk, number: Sequence) -> Result<KeptSetAside, EngineError> {
    let found = list(desk)?.into_iter().find(|kept| kept.number == number);
    found.ok_or_else(|| Refusal::UnknownSetAside { number }.into())
}

/// Reads the lines in their log, without secrets; what is not text is described. `None` when the
/// log is gone.
pub fn read(data: &Data, lines: &SetAside) -> Result<Option<Vec<String>>, EngineError> {
    let logs = data.logs().list()?;
    let Some(log) = logs.into_iter().find(|log| log.name() == lines.file) else { return Ok(None) };
    let chunk = log.read_from(lines.from, SHOWN)?;
    let meant = chunk.lines.into_iter().take_while(|line| line.end <= lines.to);
    let shown = meant.map(|line| match line.text {
        Ok(text) => without_secrets(&text),
        Err(damage) => damage.to_string(),
    });
    Ok(Some(shown.collect()))
}

/// Forgets that lines were set aside; all of them or none.
pub fn drop_all(desk: &mut Desk, numbers: &[Sequence]) -> Result<(), EngineError> {
    let caller = desk.caller().clone();
    let Some(mut journal) = desk.journal() else { return Ok(()) };
    // They belong to no project, and one that is only passed through must not become known.
    let Some(project) = journal.store().projects()?.into_iter().next() else { return Ok(()) };
    let (name, trust) = match caller {
        Caller::Person => (AgentName::person(), Trust::User),
        Caller::Agent(name) => (name, Trust::Agent),
        Caller::Session { .. } | Caller::Unknown => (AgentName::unknown(), Trust::Agent),
    };
    let list = numbers
        .iter()
        .map(|number| Effect::Log(LogEffect::SetAsideDropped { number: *number }))
        .collect();
    let clock = journal.clock();
    let entry = Entry::of_system(project.id, Request::once(clock)?, list, clock);
    journal.commit(Entry { by: Actor { name, trust, session: None }, ..entry })?;
    Ok(())
}
