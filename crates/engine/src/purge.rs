//! Deleting all that we ever wrote down.
//!
//! Only what is known by name goes: whoever pointed `PACENOTE_HOME` at a directory of theirs keeps
//! everything else in it.

use std::{
    io,
    path::{Path, PathBuf},
};

use pacenote_files::{
    FileKind, exists, list_directory, remove_empty_directory, remove_file, remove_tree,
};

use crate::{Data, EngineError, handoffs::CLAIMS, install::INSTALLS, rules::LAST_GOOD, work};

/// What we make in the data directory, by the beginnings of its names.
const OURS: [&str; 15] = [
    "pacenote.db",
    "pacenote.lock",
    "pacenote.restore.lock",
    "pacenote.migration.lock",
    "backups",
    CLAIMS,
    "damaged-",
    "failures.jsonl",
    INSTALLS,
    LAST_GOOD,
    "projects",
    "secret",
    "sessions",
    "trust",
    "worker",
];

/// What is deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doomed {
    /// Where it is.
    pub path: PathBuf,
    /// What it is; a directory goes with all that is in it.
    pub kind: FileKind,
}

/// Returns all that is ours in the data directory, and those of some files that exist.
pub fn doomed(data: &Data, files: &[PathBuf]) -> Result<Vec<Doomed>, EngineError> {
    let directory = data.directory();
    let entries = if exists(directory) { list_directory(directory)? } else { Vec::new() };
    let ours = entries.into_iter().filter(|entry| {
        let name = entry.name.to_string_lossy();
        OURS.iter().any(|known| name.starts_with(known))
    });
    let ours = ours.map(|entry| Doomed { path: directory.join(entry.name), kind: entry.kind });
    let files = files.iter().filter(|path| exists(path));
    let files = files.map(|path| Doomed { path: path.clone(), kind: FileKind::Regular });
    Ok(ours.chain(files).collect())
}

/// Deletes it, and the directories it was in if nothing else is there. A worker that is at it is
/// waited for: it would make anew what is deleted under it.
#[expect(clippy::disallowed_methods, reason = "all of it is ours, and is found in our data")]
pub fn purge(data: &Data, doomed: &[Doomed]) -> Result<(), EngineError> {
    let _alone = work::alone(data)?;
    // The lock of whoever sets up or takes back lies there, and keeps others away until all is gone.
    let (held, others): (Vec<_>, Vec<_>) =
        doomed.iter().partition(|one| one.path.ends_with(INSTALLS));
    for one in others.into_iter().chain(held) {
        match one.kind {
            FileKind::Directory => remove_tree(&one.path)?,
            FileKind::Regular
            | FileKind::Link
            | FileKind::Fifo
            | FileKind::Socket
            | FileKind::Device
            | FileKind::Unknown => {
                // A program that ends may have taken its own files along.
                match remove_file(&one.path) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => {
                        return Err(error.into());
                    }
                    Ok(()) | Err(_) => {}
                }
            }
        }
    }
    let mut above: Vec<&Path> = doomed.iter().filter_map(|one| one.path.parent()).collect();
    above.dedup();
    for directory in above {
        remove_empty_directory(directory)?;
    }
    Ok(())
}
