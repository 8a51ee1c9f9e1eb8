//! Looking through our own files for what must never be in them.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use pacenote_files::{Beneath, Bytes, FileKind, Links};
use pacenote_recall::redact::Redactor;

use crate::{Data, EngineError};

/// Most bytes of one file that are looked at; a store of ten years has less.
const FILE: Bytes = Bytes::mib(4096);

/// Most entries of one directory that are looked at.
const ENTRIES: usize = 100_000;

/// Deepest directory below the data directory; we make one level ourselves.
const DEPTH: usize = 4;

/// Secrets of one kind in one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leak {
    /// The file, below the data directory.
    pub file: PathBuf,
    /// The rule that knows them.
    pub rule: &'static str,
    /// How many there are.
    pub count: usize,
}

/// What was looked at, and what was found.
#[derive(Clone, Debug, Default)]
pub struct Audit {
    /// How many files were looked through.
    pub files: usize,
    /// What was found, by file.
    pub leaks: Vec<Leak>,
}

/// Looks through every file of the data directory, the database's own pages included.
pub fn secrets(data: &Data) -> Result<Audit, EngineError> {
    let mut audit = Audit::default();
    if !pacenote_files::exists(data.directory()) {
        return Ok(audit);
    }
    let directory = Beneath::open(data.directory(), Links::Follow)?;
    let redactor = Redactor::new();
    let mut pending = vec![(PathBuf::new(), 0)];
    while let Some((relative, depth)) = pending.pop() {
        let mut entries = directory.list(&relative, ENTRIES)?.entries;
        entries.sort_by(|one, other| one.name.cmp(&other.name));
        for entry in entries {
            let path = relative.join(&entry.name);
            match entry.kind {
                FileKind::Directory if depth < DEPTH => pending.push((path, depth + 1)),
                FileKind::Regular => look_through(&directory, &redactor, &path, &mut audit)?,
                FileKind::Directory
                | FileKind::Link
                | FileKind::Fifo
                | FileKind::Socket
                | FileKind::Device
                | FileKind::Unknown => {}
            }
        }
    }
    Ok(audit)
}

fn look_through(
    directory: &Beneath,
    redactor: &Redactor,
    path: &Path,
    audit: &mut Audit,
) -> Result<(), EngineError> {
    let mut pieces = redactor.pieces();
    // A database is no text; what is text in it stays one, and the rest becomes marks of nothing.
    directory.read_pieces(path, FILE, &mut |bytes| {
        pieces.feed(&String::from_utf8_lossy(bytes));
    })?;
    audit.files += 1;
    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    for found in pieces.finish().found {
        *counts.entry(found.rule).or_default() += 1;
    }
    let leaks = counts.into_iter();
    audit.leaks.extend(leaks.map(|(rule, count)| Leak { file: path.to_path_buf(), rule, count }));
    Ok(())
}
