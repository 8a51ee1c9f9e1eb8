//! Reads a lock file and tells everything that is wrong with it at once.
//!
//! The text comes from a repository, so nothing in it is believed: unknown keys are refused instead
//! of ignored, because a reader that skips what it does not know would pin less than was asked for.

use std::{collections::BTreeMap, ops::Range};

use pacenote_model::{BadName, Digest};
use thiserror::Error;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{Entry, LOCK_BYTES, LOCK_ENTRIES, Lock, NotPinned, Source};
use crate::reference::{BadReference, Reference, SkillVersion, shown};

/// Most problems that are told: whoever mends a file does it screen by screen.
const PROBLEMS: usize = 50;

/// Largest file of which every syntax error is told, in bytes; of a larger one it is the first.
///
/// Each byte can be an error, and the parser keeps them all: two megabytes of `=` would take
/// hundreds of megabytes.
const RECOVERED_BYTES: usize = 128 * 1024;

/// The only version of the format.
const VERSION: &str = "1";

/// Something that is wrong with a lock file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {fault}")]
pub struct LockProblem {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub fault: LockFault,
}

/// What can be wrong with a lock file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LockFault {
    /// The file is larger than is read.
    #[error("the file has {found} bytes, at most {LOCK_BYTES} are read")]
    TooLarge {
        /// Its size in bytes.
        found: usize,
    },
    /// There are more entries than are read.
    #[error("this is entry {LOCK_ENTRIES} and one, the most a lock may have is {LOCK_ENTRIES}")]
    TooManyEntries,
    /// It is no TOML.
    #[error("{0}")]
    Syntax(Box<str>),
    /// A newer format, or none.
    #[error("the format is `version = 1`; update pacenote to read a newer one")]
    Version,
    /// A key that means nothing here.
    #[error("unknown key `{0}`")]
    UnknownKey(Box<str>),
    /// An entry lacks a key.
    #[error("the entry has no `{0}`")]
    MissingKey(&'static str),
    /// A value is of another type.
    #[error("`{key}` is not {wanted}")]
    Type {
        key: &'static str,
        /// The type it must have, with its article.
        wanted: &'static str,
    },
    /// `ref` is no reference.
    #[error(transparent)]
    Reference(#[from] BadReference),
    /// `ref` is a path.
    #[error(transparent)]
    NotPinned(#[from] NotPinned),
    /// `digest` is no digest.
    #[error(transparent)]
    Digest(#[from] BadName),
    /// `version` or `source` is not what is written there.
    #[error("`{found}` cannot be a {key}")]
    Value {
        key: &'static str,
        /// The beginning of its value.
        found: Box<str>,
    },
    /// An earlier entry pins the same skill.
    #[error("`{reference}` is already pinned in line {first}")]
    Duplicate {
        /// The reference in its one spelling.
        reference: Box<str>,
        /// The line of the earlier entry.
        first: usize,
    },
    /// There are more problems than are told.
    #[error("{0} more problems follow")]
    More(usize),
}

/// Reads a lock file.
pub(super) fn read(text: &str) -> Result<Lock, Vec<LockProblem>> {
    if text.len() > LOCK_BYTES {
        return Err(vec![LockProblem {
            line: 1,
            fault: LockFault::TooLarge { found: text.len() },
        }]);
    }
    let mut reader = Reader::new(text);
    let (document, errors) = if text.len() <= RECOVERED_BYTES {
        let (document, errors) = DeTable::parse_recoverable(text);
        (Some(document), errors)
    } else {
        match DeTable::parse(text) {
            Ok(document) => (Some(document), Vec::new()),
            Err(first) => (None, vec![first]),
        }
    };
    for error in errors {
        let at = error.span().map_or(0, |span| span.start);
        reader.report(at, LockFault::Syntax(error.message().into()));
    }
    // The first error of a line causes the others.
    reader.problems.sort_by_key(|problem| problem.line);
    reader.problems.dedup_by_key(|problem| problem.line);
    // What was recovered after a syntax error is a guess, and problems with a guess mislead.
    if let Some(document) = document.filter(|_| reader.problems.is_empty()) {
        reader.read_document(document.get_ref());
    }
    reader.finish()
}

struct Reader {
    /// The byte after which each line but the first begins.
    line_ends: Vec<usize>,
    lock: Lock,
    /// The line of each entry, by canonical reference.
    lines: BTreeMap<String, usize>,
    problems: Vec<LockProblem>,
}

impl Reader {
    fn new(text: &str) -> Self {
        let line_ends = text.match_indices('\n').map(|(at, _)| at).collect();
        Self { line_ends, lock: Lock::default(), lines: BTreeMap::new(), problems: Vec::new() }
    }

    fn read_document(&mut self, document: &DeTable<'_>) {
        let version = document.get("version").map(Spanned::get_ref).and_then(DeValue::as_integer);
        if version.is_none_or(|number| number.as_str() != VERSION) {
            let at = document.get("version").map_or(0, |value| value.span().start);
            // Another format may have other keys, so nothing else is judged.
            return self.report(at, LockFault::Version);
        }
        for (key, value) in document {
            match key.get_ref().as_ref() {
                "version" => {}
                "skill" => self.read_entries(value),
                other => self.report(key.span().start, LockFault::UnknownKey(shown(other))),
            }
        }
    }

    fn read_entries(&mut self, value: &Spanned<DeValue<'_>>) {
        let wanted = LockFault::Type { key: "skill", wanted: "a list of tables" };
        let Some(entries) = value.get_ref().as_array() else {
            return self.report(value.span().start, wanted);
        };
        if let Some(first_beyond) = entries.get(LOCK_ENTRIES) {
            self.report(first_beyond.span().start, LockFault::TooManyEntries);
        }
        for entry in entries.iter().take(LOCK_ENTRIES) {
            match entry.get_ref().as_table() {
                Some(table) => self.read_entry(&entry.span(), table),
                None => self.report(entry.span().start, wanted.clone()),
            }
        }
    }

    fn read_entry(&mut self, span: &Range<usize>, table: &DeTable<'_>) {
        for (key, _) in table {
            if !["ref", "digest", "version", "source"].contains(&key.get_ref().as_ref()) {
                self.report(key.span().start, LockFault::UnknownKey(shown(key.get_ref())));
            }
        }
        let reference = self.required(span, table, "ref", |raw| Ok(Reference::parse(raw)?));
        let digest = self.required(span, table, "digest", |raw| Ok(Digest::parse(raw)?));
        let source = self.required(span, table, "source", |raw| {
            Source::parse(raw).ok_or(LockFault::Value { key: "source", found: shown(raw) })
        });
        let version = match table.get("version") {
            None => Some(None),
            Some(_) => self
                .required(span, table, "version", |raw| {
                    let bad = LockFault::Value { key: "version", found: shown(raw) };
                    SkillVersion::parse(raw).ok_or(bad)
                })
                .map(Some),
        };
        if let (Some(reference), Some(digest), Some(source), Some(version)) =
            (reference, digest, source, version)
        {
            self.keep(span.start, Entry { reference, digest, version, source });
        }
    }

    /// Returns the value of a key that is a string of the wanted grammar; reports it otherwise.
    fn required<T>(
        &mut self,
        entry: &Range<usize>,
        table: &DeTable<'_>,
        key: &'static str,
        parse: impl FnOnce(&str) -> Result<T, LockFault>,
    ) -> Option<T> {
        let (at, result) = match table.get(key) {
            None => (entry.start, Err(LockFault::MissingKey(key))),
            Some(value) => {
                let text = value.get_ref().as_str();
                let not_text = LockFault::Type { key, wanted: "a string" };
                (value.span().start, text.ok_or(not_text).and_then(parse))
            }
        };
        result.map_err(|fault| self.report(at, fault)).ok()
    }

    fn keep(&mut self, at: usize, entry: Entry) {
        let reference = entry.reference.canonical();
        if let Some(first) = self.lines.get(&reference) {
            let fault = LockFault::Duplicate { reference: shown(&reference), first: *first };
            return self.report(at, fault);
        }
        self.lines.insert(reference, self.line(at));
        if let Err(not_pinned) = self.lock.insert(entry) {
            self.report(at, not_pinned.into());
        }
    }

    fn report(&mut self, at: usize, fault: LockFault) {
        let line = self.line(at);
        self.problems.push(LockProblem { line, fault });
    }

    fn line(&self, at: usize) -> usize {
        self.line_ends.partition_point(|end| *end < at) + 1
    }

    fn finish(mut self) -> Result<Lock, Vec<LockProblem>> {
        if self.problems.is_empty() {
            return Ok(self.lock);
        }
        self.problems.sort_by_key(|problem| problem.line);
        let untold = self.problems.split_off(self.problems.len().min(PROBLEMS));
        if let Some(first) = untold.first() {
            let fault = LockFault::More(untold.len());
            self.problems.push(LockProblem { line: first.line, fault });
        }
        Err(self.problems)
    }
}
