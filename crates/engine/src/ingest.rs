//! From session logs into the store, exactly once.
//!
//! A log's cursor lives in the store and moves in the same commit as the effects of the lines it
//! passes, guarded by the place it started from. Two commands that ingest at once therefore cannot
//! apply a line twice: the second finds the cursor moved and goes on from there.

use pacenote_files::{
    Bytes, FileError,
    session_log::{Chunk, LogPath},
};
use pacenote_model::{
    Actor, AgentName, CommitKey, Digest, Effect, Effects, Project, Record, Refusal, SessionId,
    Trust, record::Origin,
};
use pacenote_skill::digest::digest_of;
use pacenote_store::{Store, StoreError};

use crate::{Clock, Data, EngineError, desk::project_for, mirror};

/// How much of a log is read at once. One commit then holds at most some thousand records.
const CHUNK: Bytes = Bytes::kib(256);

/// Attempts at one log before the rest is left to the next command: each failure means another
/// process moved the cursor, so the work is being done.
const ATTEMPTS: usize = 100;

/// What was ingested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ingested {
    /// Lines that became effects.
    pub records: usize,
    /// Lines that could not be read, or that a newer version wrote.
    pub skipped: usize,
}

/// Ingests every session log.
pub fn ingest(data: &Data, store: &mut dyn Store, clock: Clock) -> Result<Ingested, EngineError> {
    let mut total = Ingested::default();
    for log in data.logs().list()? {
        let one = ingest_log(&log, store, clock)?;
        total.records += one.records;
        total.skipped += one.skipped;
    }
    Ok(total)
}

/// Ingests one log up to its last whole line.
pub fn ingest_log(
    log: &LogPath,
    store: &mut dyn Store,
    clock: Clock,
) -> Result<Ingested, EngineError> {
    let mut total = Ingested::default();
    let Some(cursor) = cursor_of(log)? else { return Ok(total) };
    let mut refused = 0;
    loop {
        let from = store.log_cursor(&cursor)?;
        let chunk = log.read_from(from, CHUNK)?;
        let Some(part) = part_of(&chunk) else { return Ok(total) };
        let counted = Ingested { records: part.records.len(), skipped: part.skipped };
        match commit(store, &cursor, from, part, clock) {
            Ok(Fate::Applied) => {
                total.records += counted.records;
                total.skipped += counted.skipped;
            }
            Ok(Fate::DoneByAnother) => {
                refused += 1;
                if refused > ATTEMPTS {
                    return Ok(total);
                }
            }
            Ok(Fate::Homeless) => return Ok(total),
            Err(error) => return Err(error),
        }
    }
}

/// Returns what a log says that was not ingested yet, up to what is read at once.
pub(crate) fn not_ingested(log: &LogPath, store: &dyn Store) -> Result<Vec<Record>, EngineError> {
    let Some(cursor) = cursor_of(log)? else { return Ok(Vec::new()) };
    let chunk = log.read_from(store.log_cursor(&cursor)?, CHUNK)?;
    let texts = chunk.lines.into_iter().filter_map(|line| line.text.ok());
    Ok(texts.filter_map(|text| serde_json::from_str(&text).ok()).collect())
}

/// Returns the name of the log's cursor; a log without a header has no whole line yet.
fn cursor_of(log: &LogPath) -> Result<Option<String>, FileError> {
    Ok(log.read_from(0, Bytes::kib(1))?.log_id.map(|id| log.cursor(&id)))
}

/// Lines that go into one commit: all of one project.
struct Part {
    records: Vec<Record>,
    skipped: usize,
    to: u64,
}

/// Takes the lines at the start of a chunk that belong to one project. What is on a host's list goes
/// by itself: who put it there must be known before.
fn part_of(chunk: &Chunk) -> Option<Part> {
    let mut part = Part { records: Vec::new(), skipped: 0, to: 0 };
    for line in &chunk.lines {
        let record =
            line.text.as_ref().ok().and_then(|text| serde_json::from_str::<Record>(text).ok());
        match record {
            Some(record) => {
                let place = place_of(&record);
                let known = part.records.iter().find_map(place_of);
                if known.zip(place).is_some_and(|(known, place)| known.0 != place.0) {
                    return Some(part);
                }
                let is_list = matches!(record, Record::Listed { .. });
                if is_list && !part.records.is_empty() {
                    return Some(part);
                }
                part.records.push(record);
                if is_list {
                    part.to = line.end;
                    return Some(part);
                }
            }
            None => part.skipped += 1,
        }
        part.to = line.end;
    }
    if chunk.lines.is_empty() { None } else { Some(part) }
}

/// Returns the project a record names; a text belongs to what came before it.
fn place_of(record: &Record) -> Option<(&str, &str)> {
    match record {
        Record::SessionStart { place, name, .. }
        | Record::Seen { place, name, .. }
        | Record::Offered { place, name, .. }
        | Record::Printed { place, name, .. } => Some((place, name)),
        Record::Marked { from, .. }
        | Record::Set { from, .. }
        | Record::Refused { from, .. }
        | Record::Passed { from, .. }
        | Record::Drafted { from, .. }
        | Record::Observed { from, .. }
        | Record::Wished { from, .. }
        | Record::Asked { from, .. }
        | Record::Begun { from, .. }
        | Record::Returned { from, .. }
        | Record::Listed { from, .. }
        | Record::Deferred { from, .. }
        | Record::Lost { from } => Some((&from.place, &from.name)),
        Record::Text { .. } => None,
    }
}

/// What became of one part.
enum Fate {
    /// It was ingested here and now.
    Applied,
    /// Another process was first.
    DoneByAnother,
    /// Nothing in it can be read, and no project is known to which its end could be noted.
    Homeless,
}

fn commit(
    store: &mut dyn Store,
    log: &str,
    from: u64,
    part: Part,
    clock: Clock,
) -> Result<Fate, EngineError> {
    let key = CommitKey::parse(&format!("log:{log}:{from}"))?;
    // Lines that could not be read belong to no project; whichever is known carries the cursor.
    let place = part.records.iter().find_map(place_of);
    let project = match place {
        Some((place, name)) => project_for(store, place, name, clock)?,
        None => match store.projects()?.into_iter().next() {
            Some(project) => project,
            None => return Ok(Fate::Homeless),
        },
    };
    keep_texts(store, &part.records, clock)?;
    mirror_lists(store, &project, &part.records, &format!("{log}:{from}"), clock)?;
    let mut list = effects_of(part.records, store, clock)?;
    list.push(Effect::LogIngested { log: log.into(), from, to: part.to });
    let by = Actor { name: AgentName::unknown(), trust: Trust::System, session: None };
    let effects = Effects {
        project: project.id,
        by,
        at: clock.now(),
        intent: String::new(),
        tasks_as_of: None,
        list,
    };
    match store.commit(&effects, &key) {
        Ok(committed) if committed.replayed => Ok(Fate::DoneByAnother),
        Ok(_) => Ok(Fate::Applied),
        // The same part cut differently by another process shows as a reused key.
        Err(StoreError::Refused(Refusal::CursorMoved { .. }) | StoreError::KeyReused { .. }) => {
            Ok(Fate::DoneByAnother)
        }
        Err(error) => Err(error.into()),
    }
}

/// Keeps the texts of emissions. They are their own history: doing it twice changes nothing.
fn keep_texts(store: &mut dyn Store, records: &[Record], clock: Clock) -> Result<(), EngineError> {
    let texts: Vec<(Digest, String)> = records
        .iter()
        .filter_map(|record| match record {
            Record::Text { text, .. } => Some((digest_of(text.as_bytes()), text.clone())),
            Record::SessionStart { .. }
            | Record::Seen { .. }
            | Record::Offered { .. }
            | Record::Marked { .. }
            | Record::Set { .. }
            | Record::Refused { .. }
            | Record::Passed { .. }
            | Record::Drafted { .. }
            | Record::Observed { .. }
            | Record::Wished { .. }
            | Record::Asked { .. }
            | Record::Begun { .. }
            | Record::Returned { .. }
            | Record::Listed { .. }
            | Record::Deferred { .. }
            | Record::Lost { .. }
            | Record::Printed { .. } => None,
        })
        .collect();
    if texts.is_empty() {
        return Ok(());
    }
    Ok(store.keep_told(&texts, clock.now())?)
}

/// Mirrors what was put on hosts' own lists. Each change has a key of its own, so that doing it
/// again, after a crash between this and the note of how far the log was read, changes nothing.
fn mirror_lists(
    store: &mut dyn Store,
    project: &Project,
    records: &[Record],
    name: &str,
    clock: Clock,
) -> Result<(), EngineError> {
    for (number, record) in records.iter().enumerate() {
        if let Record::Listed { from, todos } = record {
            let key = CommitKey::parse(&format!("todos:{name}:{number}"))?;
            mirror::mirror(store, project, from, todos, &key, clock)?;
        }
    }
    Ok(())
}

/// Turns records into effects. Of many sights of one session that change nothing the last is kept.
fn effects_of(
    records: Vec<Record>,
    store: &dyn Store,
    clock: Clock,
) -> Result<Vec<Effect>, EngineError> {
    let mut effects = Vec::new();
    let mut sight: Option<Effect> = None;
    for record in records {
        match record {
            Record::SessionStart {
                at,
                host,
                host_id,
                source,
                transcript,
                agent,
                parent,
                place: _,
                name: _,
            } => {
                // The log of whoever spawned it may not be taken in yet; then nobody is named.
                let parent = match parent {
                    Some(parent) => store.session(&host, &parent)?.map(|session| session.id),
                    None => None,
                };
                effects.push(Effect::SessionSeen {
                    id: SessionId::new(clock.fresh()),
                    host,
                    host_id,
                    parent,
                    agent,
                    transcript,
                    seen: at,
                    new_epoch: source.begins_epoch(),
                });
            }
            Record::Seen { at, host, host_id, .. } => {
                sight = Some(Effect::SessionSeen {
                    id: SessionId::new(clock.fresh()),
                    host,
                    host_id,
                    parent: None,
                    agent: None,
                    transcript: None,
                    seen: at,
                    new_epoch: false,
                });
            }
            Record::Offered { at, host, host_id, receipt, .. } => {
                // The session must be known before something is noted about it.
                effects.extend(sight.take());
                effects.push(Effect::ReceiptOffered { host, host_id, offered: at, receipt });
            }
            Record::Printed { host, host_id, emission, part, .. } => {
                effects.extend(sight.take());
                effects.push(Effect::ReceiptPrinted { host, host_id, emission, part });
            }
            noted @ (Record::Marked { .. }
            | Record::Set { .. }
            | Record::Refused { .. }
            | Record::Passed { .. }
            | Record::Drafted { .. }
            | Record::Observed { .. }
            | Record::Wished { .. }
            | Record::Returned { .. }) => {
                effects.extend(sight.take());
                effects.extend(noted_by_rules(noted));
            }
            // These matter only to the hooks that come next; what is on a host's list was mirrored
            // before, in commits of its own.
            Record::Asked { .. }
            | Record::Begun { .. }
            | Record::Deferred { .. }
            | Record::Lost { .. }
            | Record::Listed { .. }
            | Record::Text { .. } => {}
        }
    }
    effects.extend(sight);
    Ok(effects)
}

/// Turns what lifecycle rules noted into effects.
fn noted_by_rules(record: Record) -> Option<Effect> {
    Some(match record {
        Record::Marked { from: Origin { host, host_id, .. }, status } => {
            Effect::SessionMarked { host, host_id, to: status }
        }
        Record::Set { from: Origin { host, host_id, .. }, variable, value } => {
            Effect::VariableSet { host, host_id, variable, value }
        }
        Record::Refused { from: Origin { host, host_id, .. }, rule, what } => {
            Effect::Refused { host, host_id, rule, what }
        }
        Record::Passed { opening, .. } => Effect::GateUsed { opening },
        Record::Drafted { from: Origin { host, host_id, .. }, handoff } => {
            Effect::HandoffWritten { host, host_id, handoff, completes: false }
        }
        Record::Observed { from: Origin { host, host_id, .. }, category, message } => {
            Effect::Observed { host, host_id, category, message }
        }
        Record::Wished { wish, .. } => Effect::Wished { wish },
        Record::Returned { from, session } => Effect::HandoffReturned { session, by: from.host_id },
        Record::SessionStart { .. }
        | Record::Seen { .. }
        | Record::Offered { .. }
        | Record::Text { .. }
        | Record::Asked { .. }
        | Record::Begun { .. }
        | Record::Listed { .. }
        | Record::Deferred { .. }
        | Record::Lost { .. }
        | Record::Printed { .. } => return None,
    })
}
