//! From session logs into the store, exactly once.
//!
//! A log's cursor lives in the store and moves in the same commit as the effects of the lines it
//! passes, guarded by the place it started from. Two commands that ingest at once therefore cannot
//! apply a line twice: the second finds the cursor moved and goes on from there.
//!
//! A line that cannot be applied is set aside in the commit that moves the cursor past it, so it
//! stands in nobody's way and is never lost. Only what is wrong with the line itself sets it aside: a
//! full disk or a busy store ends the ingestion, and the next one goes on from there.

mod effects;
mod part;

use pacenote_files::{Bytes, FileError, session_log::LogPath};
use pacenote_model::{CommitKey, Digest, Effect, LogEffect, Project, Record, Refusal, SetAside};
use pacenote_skill::digest::digest_of;
use pacenote_store::{Store, StoreError};

use self::{
    effects::effects_of,
    part::{Attempt, Part},
};
use crate::{
    EngineError,
    journal::{Entry, Journal, Request},
    mirror,
};

/// How much of a log is read at once. One commit then holds at most some thousand records.
const CHUNK: Bytes = Bytes::kib(256);

/// Attempts at one log before the rest is left to the next command: each failure means another
/// process moved the cursor, so the work is being done.
const ATTEMPTS: usize = 100;

/// Why something is noted of a log that was cut.
const CUT: &str = "the log was cut, and lines that were added right after that may be missing";

/// What was ingested.
#[derive(Debug, Default)]
pub struct Ingested {
    /// Lines that became effects.
    pub records: usize,
    /// Lines that cannot be applied; the store says which they are, and why.
    pub set_aside: usize,
    /// Why some logs could not be read this time.
    pub unread: Vec<FileError>,
}

/// Ingests every session log. One that cannot be read keeps no other waiting.
pub fn ingest(journal: &mut Journal<'_>) -> Result<Ingested, EngineError> {
    let mut total = Ingested::default();
    for log in journal.data().logs().list()? {
        match ingest_log(&log, journal) {
            Ok(one) => {
                total.records += one.records;
                total.set_aside += one.set_aside;
            }
            Err(EngineError::File(error)) => total.unread.push(error),
            Err(error) => return Err(error),
        }
    }
    Ok(total)
}

/// Ingests one log up to its last whole line.
pub fn ingest_log(log: &LogPath, journal: &mut Journal<'_>) -> Result<Ingested, EngineError> {
    let mut total = Ingested::default();
    let cursor = cursor_of(log)?;
    let mut attempt = Attempt::ALL;
    let mut taken_by_others = 0;
    loop {
        let from = journal.store().log_cursor(&cursor)?;
        let chunk = log.read_from(from, CHUNK)?;
        let step = if (1..from).contains(&chunk.size) {
            Step::Cut { file: log.name().into_owned(), to: chunk.size }
        } else if let Some(part) = Part::of(&chunk, &log.name(), from, &attempt) {
            Step::Part(part)
        } else {
            return Ok(total);
        };
        let (records, set_aside, lines) = step.counts();
        match commit(journal, &cursor, from, step) {
            Ok(Fate::Applied) => {
                total.records += records;
                total.set_aside += set_aside;
                attempt = attempt.after_success();
            }
            Ok(Fate::DoneByAnother) => {
                attempt = Attempt::ALL;
                taken_by_others += 1;
                if taken_by_others > ATTEMPTS {
                    return Ok(total);
                }
            }
            Ok(Fate::Homeless) => return Ok(total),
            Err(error) => match blame_lines(&error) {
                Some(reason) => attempt = Attempt::after_refusal(lines, from, reason),
                None => return Err(error),
            },
        }
    }
}

/// Returns what a log says that was not ingested yet, up to what is read at once.
pub(crate) fn not_ingested(log: &LogPath, store: &dyn Store) -> Result<Vec<Record>, EngineError> {
    let chunk = log.read_from(store.log_cursor(&cursor_of(log)?)?, CHUNK)?;
    let texts = chunk.lines.into_iter().filter_map(|line| line.text.ok());
    Ok(texts.filter_map(|text| serde_json::from_str(&text).ok()).collect())
}

/// Returns the name of the log's cursor.
fn cursor_of(log: &LogPath) -> Result<String, FileError> {
    let id = log.read_from(0, Bytes::new(0))?.log_id;
    Ok(log.cursor(id.as_deref()))
}

/// Returns why lines cannot be applied; nothing when it is not their fault: what is wrong with the
/// disk or the store may be over when the next command tries.
fn blame_lines(error: &EngineError) -> Option<String> {
    let is_about_lines = matches!(
        error,
        EngineError::Store(StoreError::Refused(_)) | EngineError::Name(_) | EngineError::Text(_)
    );
    is_about_lines.then(|| error.to_string())
}

/// What is done to a log in one commit.
enum Step {
    /// Lines are ingested, applied or set aside.
    Part(Part),
    /// The log ends before its cursor: somebody cut it. Lines that were added after the cut and before
    /// now cannot be distinguished from those that were applied, so a person is asked to look at it.
    Cut { file: String, to: u64 },
}

impl Step {
    /// Returns how many records, lines that are set aside, and lines in all there are.
    fn counts(&self) -> (usize, usize, usize) {
        match self {
            Self::Part(part) => {
                let set_aside: u32 = part.set_aside.iter().map(|aside| aside.lines).sum();
                (part.records.len(), usize::try_from(set_aside).unwrap_or(usize::MAX), part.lines)
            }
            Self::Cut { .. } => (0, 0, 0),
        }
    }

    /// Returns the place and the name of the project that it belongs to.
    fn place(&self) -> Option<(&str, &str)> {
        match self {
            Self::Part(part) => part.place(),
            Self::Cut { .. } => None,
        }
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
    journal: &mut Journal<'_>,
    log: &str,
    from: u64,
    step: Step,
) -> Result<Fate, EngineError> {
    // Lines that could not be read belong to no project; whichever is known carries the cursor.
    let project = match step.place() {
        Some((place, name)) => journal.project_at(place, name)?,
        None => match journal.store().projects()?.into_iter().next() {
            Some(project) => project,
            None => return Ok(Fate::Homeless),
        },
    };
    let log = log.to_owned();
    let list = match step {
        Step::Part(part) => {
            keep_texts(journal, &part.records)?;
            mirror_lists(journal, &project, &part.records, &format!("{log}:{from}"))?;
            let mut list = effects_of(part.records, journal.store(), &project, journal.clock())?;
            let aside = part.set_aside.into_iter();
            list.extend(aside.map(|lines| Effect::Log(LogEffect::SetAside { lines })));
            list.push(Effect::Log(LogEffect::Ingested { log, from, to: part.to }));
            list
        }
        Step::Cut { file, to } => {
            let reason = CUT.to_owned();
            let lines = SetAside { file, from: to, to: from, lines: 0, reason };
            vec![
                Effect::Log(LogEffect::SetAside { lines }),
                Effect::Log(LogEffect::Cut { log, from, to }),
            ]
        }
    };
    // The cursor is what makes this happen once: a log that was cut passes the same place again.
    let request = Request::once(journal.clock())?;
    let entry = Entry::of_system(project.id, request, list, journal.clock());
    match journal.commit(entry) {
        Ok(_) => Ok(Fate::Applied),
        Err(EngineError::Store(StoreError::Refused(Refusal::CursorMoved { .. }))) => {
            Ok(Fate::DoneByAnother)
        }
        Err(error) => Err(error),
    }
}

/// Keeps the texts of emissions and the bodies of skills. They are their own history: doing it twice changes nothing.
fn keep_texts(journal: &mut Journal<'_>, records: &[Record]) -> Result<(), EngineError> {
    let texts: Vec<(Digest, String)> = records
        .iter()
        .filter_map(|record| {
            let Record::Text { text, .. } = record else { return None };
            Some((digest_of(text.as_bytes()), text.clone()))
        })
        .collect();
    for skill in records.iter().filter_map(Record::injected_skill) {
        // A session keeps the text of a skill that it first read.
        let body = skill.body.as_ref().map(String::as_bytes);
        if let Some(body) = body.filter(|body| digest_of(body) == skill.text) {
            journal.store_mut().keep_text(&skill.text, body)?;
        }
    }
    if texts.is_empty() {
        return Ok(());
    }
    let now = journal.clock().now();
    Ok(journal.store_mut().keep_told(&texts, now)?)
}

/// Mirrors what was put on hosts' own lists. Each change has a key of its own, so that doing it
/// again, after a crash between this and the note of how far the log was read, changes nothing.
fn mirror_lists(
    journal: &mut Journal<'_>,
    project: &Project,
    records: &[Record],
    name: &str,
) -> Result<(), EngineError> {
    for record in records {
        if let Record::Listed { from, todos } = record {
            let key = CommitKey::parse(&format!("todos:{name}:{}", from.at.millis()))?;
            mirror::mirror(journal, project, from, todos, key)?;
        }
    }
    Ok(())
}
