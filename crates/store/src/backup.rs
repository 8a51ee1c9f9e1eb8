//! Copies of the database, and the way back from a damaged one.
//!
//! A backup is named after its moment and schema; it is written beside its name and renamed, so
//! that a half-written one never counts.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use pacenote_files::{FileLock, create_private_directory};
use pacenote_model::Moment;
use rusqlite::{Connection, OpenFlags, backup};

use crate::{Place, StoreError, error::Fault, open::connect, turns};

/// Pages copied at a time while others may write.
const PAGES_PER_STEP: i32 = 256;

/// A finished copy of the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backup {
    /// The file.
    pub path: PathBuf,
    /// When it was made.
    pub at: Moment,
}

/// What a restore did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    /// Where the damaged files were put; nothing is thrown away.
    pub damaged: PathBuf,
    /// The copy that took their place; without one the store begins anew.
    pub from: Option<Backup>,
}

/// Returns the backups at a place, newest first.
pub fn backups(place: &Place) -> Result<Vec<Backup>, StoreError> {
    let directory = place.backups();
    if !pacenote_files::exists(&directory) {
        return Ok(Vec::new());
    }
    let mut found: Vec<Backup> = pacenote_files::list_directory(&directory)?
        .into_iter()
        .filter_map(|entry| {
            let name = entry.name.to_str()?;
            let millis = name.strip_prefix("pacenote-")?.strip_suffix(".db")?.split('-').next()?;
            let at = Moment::from_millis(millis.parse().ok()?);
            Some(Backup { path: directory.join(name), at })
        })
        .collect();
    found.sort_by_key(|backup| std::cmp::Reverse(backup.at));
    Ok(found)
}

/// Moves a damaged store aside and puts the newest sound backup in its place.
pub fn restore(place: &Place, at: Moment) -> Result<Restored, StoreError> {
    let _alone = turns::be_alone(place)?;
    let damaged = place.directory().join(format!("damaged-{}", at.millis()));
    create_private_directory(&damaged)?;
    for name in ["pacenote.db", "pacenote.db-wal", "pacenote.db-shm"] {
        let path = place.directory().join(name);
        if pacenote_files::exists(&path) {
            pacenote_files::rename(&path, &damaged.join(name))?;
        }
    }
    for backup in backups(place)? {
        if is_sound(&backup) {
            pacenote_files::copy_atomically(&backup.path, &place.database())?;
            return Ok(Restored { damaged, from: Some(backup) });
        }
    }
    Ok(Restored { damaged, from: None })
}

/// Copies an open database while others go on writing; keeps the newest `keep` copies.
pub(crate) fn back_up(
    connection: &Connection,
    place: &Place,
    at: Moment,
    keep: usize,
) -> Result<Backup, StoreError> {
    let path = place.database();
    let version = crate::migrate::version(connection).map_err(|fault| fault.at(&path))?;
    let directory = place.backups();
    create_private_directory(&directory)?;
    let _alone = FileLock::exclusive(&directory.join("backup.lock"))?;
    sweep(&directory)?;
    let target = directory.join(format!("pacenote-{}-v{version}.db", at.millis()));
    let partial = directory.join(format!("partial-{}-{}.db", std::process::id(), at.millis()));
    pacenote_files::create_private_file(&partial)?;
    let copied = copy(connection, &partial).map_err(|fault| fault.at(&partial));
    if let Err(error) = copied {
        pacenote_files::remove_file(&partial)?;
        return Err(error);
    }
    pacenote_files::rename(&partial, &target)?;
    let mut others = backups(place)?;
    others.retain(|other| other.path != target);
    // A copy from the future is the work of a wrong clock, and the first to go.
    others.sort_by_key(|other| (other.at > at, std::cmp::Reverse(other.at)));
    for old in others.iter().skip(keep.saturating_sub(1)) {
        pacenote_files::remove_file(&old.path)?;
    }
    Ok(Backup { path: target, at })
}

/// Removes what a killed copy left behind; nobody else copies while we hold the lock.
fn sweep(directory: &Path) -> Result<(), StoreError> {
    for entry in pacenote_files::list_directory(directory)? {
        if entry.name.to_str().is_some_and(|name| name.starts_with("partial-")) {
            pacenote_files::remove_file(&directory.join(entry.name))?;
        }
    }
    Ok(())
}

/// Keeps a copy of the old schema before it is migrated, beyond the usual number.
pub(crate) fn before_migration(
    connection: &Connection,
    place: &Place,
    version: u32,
) -> Result<(), StoreError> {
    let target = place.backups().join(format!("before-migration-v{version}.db"));
    create_private_directory(&place.backups())?;
    if pacenote_files::exists(&target) {
        pacenote_files::remove_file(&target)?;
    }
    pacenote_files::create_private_file(&target)?;
    copy(connection, &target).map_err(|fault| fault.at(&target))
}

fn copy(connection: &Connection, target: &Path) -> Result<(), Fault> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
    let mut copy = connect(target, flags, Duration::from_secs(1))?;
    backup::Backup::new(connection, &mut copy)?.run_to_completion(
        PAGES_PER_STEP,
        Duration::ZERO,
        None,
    )?;
    // The copy of a WAL database is one too; alone in its file it needs no log beside it.
    copy.pragma_update(None, "journal_mode", "DELETE")?;
    Ok(())
}

fn is_sound(backup: &Backup) -> bool {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let look = |connection: Connection| {
        let version = crate::migrate::version(&connection)?;
        Ok((version, crate::sqlite::problems(&connection)?))
    };
    connect(&backup.path, flags, Duration::from_secs(1))
        .and_then(look)
        // A file of no version is an empty one, which is sound and worth nothing.
        .is_ok_and(|(version, problems)| version > 0 && problems.is_empty())
}
