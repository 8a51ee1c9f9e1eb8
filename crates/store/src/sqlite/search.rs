//! The lists of words in which skills are looked for.
//!
//! They are caches like the index: they rest on FTS5, hold no text, and forget a file with it.

use std::collections::{BTreeMap, BTreeSet};

use pacenote_model::{Cue, CueKind};
use rusqlite::{Connection, OptionalExtension, params};

use super::rows::{collect, column};
use crate::{FoundSkill, SkillBody, SkillList, SkillMatch, SkillMatches, SkillQuery, error::Fault};

impl SkillList {
    const fn table(self) -> &'static str {
        match self {
            Self::Words => "skill_words",
            Self::Bodies => "skill_bodies",
        }
    }

    /// The ranking, smaller is better: a word of the name counts for three of the description, and
    /// with bodies a word of the description for two of the body.
    const fn rank(self) -> &'static str {
        match self {
            Self::Words => "bm25(skill_words, 3.0, 1.0)",
            Self::Bodies => "bm25(skill_bodies, 3.0, 2.0, 1.0)",
        }
    }

    const fn size(self) -> &'static str {
        match self {
            Self::Words => "SELECT count(*) FROM skill_document",
            Self::Bodies => "SELECT count(*) FROM skill_document WHERE has_body = 1",
        }
    }
}

/// Puts a skill into the list of names and descriptions, and out of that of bodies.
pub(super) fn save_words(
    connection: &Connection,
    root: &str,
    found: &FoundSkill,
) -> Result<(), Fault> {
    let path = &found.skill.path;
    forget(connection, path)?;
    connection
        .prepare_cached("INSERT INTO skill_document (path, root, has_body) VALUES (?1, ?2, 0)")?
        .execute([path.as_str(), root])?;
    let document = connection.last_insert_rowid();
    connection
        .prepare_cached("INSERT INTO skill_words (rowid, name, about) VALUES (?1, ?2, ?3)")?
        .execute(params![document, found.skill.name.as_str(), found.about])?;
    let mut put = connection.prepare_cached(
        "INSERT OR IGNORE INTO skill_cue (document, kind, text) VALUES (?1, ?2, ?3)",
    )?;
    for cue in &found.cues {
        put.execute(params![document, cue.kind.word(), cue.text])?;
    }
    Ok(())
}

pub(super) fn forget_root(connection: &Connection, root: &str) -> Result<(), Fault> {
    let mut statement =
        connection.prepare_cached("SELECT path FROM skill_document WHERE root = ?1")?;
    let paths = column::<String>(statement.query([root])?)?;
    paths.iter().try_for_each(|path| forget(connection, path))
}

pub(super) fn forget(connection: &Connection, path: &str) -> Result<(), Fault> {
    let Some((document, has_body)) = document(connection, path)? else { return Ok(()) };
    connection.prepare_cached("DELETE FROM skill_words WHERE rowid = ?1")?.execute([document])?;
    if has_body {
        connection
            .prepare_cached("DELETE FROM skill_bodies WHERE rowid = ?1")?
            .execute([document])?;
    }
    connection.prepare_cached("DELETE FROM skill_cue WHERE document = ?1")?.execute([document])?;
    connection.prepare_cached("DELETE FROM skill_document WHERE id = ?1")?.execute([document])?;
    Ok(())
}

/// Returns the number of a file and whether its body is in the list.
fn document(connection: &Connection, path: &str) -> Result<Option<(i64, bool)>, Fault> {
    Ok(connection
        .prepare_cached("SELECT id, has_body FROM skill_document WHERE path = ?1")?
        .query_row([path], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?)
}

pub(super) fn save_bodies(connection: &Connection, bodies: &[SkillBody]) -> Result<(), Fault> {
    let mut put = connection.prepare_cached(
        "INSERT INTO skill_bodies (rowid, name, about, body) VALUES (?1, ?2, ?3, ?4)",
    )?;
    let mut mark =
        connection.prepare_cached("UPDATE skill_document SET has_body = 1 WHERE id = ?1")?;
    for body in bodies {
        // Another process may have added it meanwhile, or found the file gone.
        if let Some((document, false)) = document(connection, &body.path)? {
            put.execute(params![document, body.name, body.about, body.body])?;
            mark.execute([document])?;
        }
    }
    Ok(())
}

pub(super) fn without_body(
    connection: &Connection,
    roots: &[String],
) -> Result<Vec<String>, Fault> {
    let mut statement = connection.prepare_cached(
        "SELECT path FROM skill_document
         WHERE has_body = 0 AND root IN (SELECT value FROM json_each(?1)) ORDER BY path",
    )?;
    column(statement.query([list(roots)])?)
}

pub(super) fn cues(connection: &Connection, roots: &[String]) -> Result<Vec<(String, Cue)>, Fault> {
    let mut statement = connection.prepare_cached(
        "SELECT document.path, cue.kind, cue.text
         FROM skill_document AS document JOIN skill_cue AS cue ON cue.document = document.id
         WHERE document.root IN (SELECT value FROM json_each(?1)) ORDER BY 1, 2, 3",
    )?;
    collect(statement.query([list(roots)])?, |cells| {
        let path = cells.value()?;
        let kind = cells.word("skill_cue.kind", CueKind::from_word)?;
        Ok((path, Cue { kind, text: cells.value()? }))
    })
}

pub(super) fn matches(
    connection: &Connection,
    query: &SkillQuery<'_>,
) -> Result<SkillMatches, Fault> {
    let documents: u64 =
        connection.prepare_cached(query.list.size())?.query_row([], |row| row.get(0))?;
    let holders = holders(connection, query)?;
    let frequencies: Vec<u64> =
        holders.iter().map(|documents| documents.len().try_into().unwrap_or(u64::MAX)).collect();
    // A word that most skills have says nothing about any of them, and ranking them all is slow.
    let telling = |frequency: u64| frequency > 0 && frequency.saturating_mul(2) <= documents;
    let mut words: Vec<&String> = query
        .words
        .iter()
        .zip(&frequencies)
        .filter_map(|(word, frequency)| telling(*frequency).then_some(word))
        .collect();
    if words.is_empty() {
        words = query.words.iter().collect();
    }
    let words = words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" OR ");
    let pairs = query.pairs.iter().map(|(one, next)| format!("\"{one} {next}\""));
    let pairs: BTreeMap<i64, f64> =
        ranked(connection, query, &pairs.collect::<Vec<_>>().join(" OR "))?
            .into_iter()
            .map(|(document, _, score)| (document, score))
            .collect();
    let found = ranked(connection, query, &words)?
        .into_iter()
        .map(|(document, path, score)| SkillMatch {
            path,
            score,
            pairs: pairs.get(&document).copied().unwrap_or_default(),
            words: holders
                .iter()
                .enumerate()
                .filter_map(|(at, documents)| documents.contains(&document).then_some(at))
                .collect(),
        })
        .collect();
    Ok(SkillMatches { documents, frequencies, found })
}

/// Returns, for each word, the documents that have it.
fn holders(connection: &Connection, query: &SkillQuery<'_>) -> Result<Vec<BTreeSet<i64>>, Fault> {
    let table = query.list.table();
    let mut statement =
        connection.prepare_cached(&format!("SELECT rowid FROM {table} WHERE {table} MATCH ?1"))?;
    let mut all = Vec::new();
    for word in query.words {
        let rows = statement.query([format!("\"{word}\"")])?;
        all.push(column(rows)?.into_iter().collect());
    }
    Ok(all)
}

/// Runs a search expression and returns documents with their scores, the best first.
fn ranked(
    connection: &Connection,
    query: &SkillQuery<'_>,
    expression: &str,
) -> Result<Vec<(i64, String, f64)>, Fault> {
    if expression.is_empty() {
        return Ok(Vec::new());
    }
    let (table, rank) = (query.list.table(), query.list.rank());
    let mut statement = connection.prepare_cached(&format!(
        "SELECT document.id, document.path, {rank} AS rank
         FROM {table} JOIN skill_document AS document ON document.id = {table}.rowid
         WHERE {table} MATCH ?1 AND document.root IN (SELECT value FROM json_each(?2))
         ORDER BY rank, document.path LIMIT ?3"
    ))?;
    collect(statement.query(params![expression, list(query.roots), query.limit])?, |cells| {
        let (document, path, rank): (_, _, f64) = (cells.value()?, cells.value()?, cells.value()?);
        Ok((document, path, -rank))
    })
}

/// A list as the engine takes it in one parameter.
fn list(texts: &[String]) -> String {
    serde_json::Value::from(texts).to_string()
}
