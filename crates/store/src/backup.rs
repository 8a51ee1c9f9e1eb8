//! Copies of the database, and the way back from a damaged one.
//!
//! A backup is written beside its name and renamed, so that a half-written one never counts. Its
//! name is for people and for putting backups in order: `pacenote-MOMENT-vSCHEMA-gGENERATION-sPOSITION.db`.
//! The order is that of generation and position, never that of the clock, which may have been wrong.
//! The position is the last journal entry in the copy. It goes back when an older copy takes the
//! place of the store; the copies made from then on are of the next generation, and so are newer than
//! all that were made before.

#![expect(clippy::disallowed_methods, reason = "everything here lies in our data")]

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use pacenote_files::{FileLock, create_private_directory};
use pacenote_model::{Moment, Sequence};
use rusqlite::{Connection, OpenFlags, backup};

use crate::{Place, StoreError, error::Fault, open::connect, turns};

/// Pages copied at a time while others may write.
const PAGES_PER_STEP: i32 = 256;

/// A finished copy of the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backup {
    /// The file.
    pub path: PathBuf,
    /// When it was made, by the clock of that moment.
    pub at: Moment,
    /// How often the store had gone back to an earlier position before.
    pub generation: u32,
    /// The last journal entry in it.
    pub position: Sequence,
}

impl Backup {
    /// Reads what the name of a file says about the backup in it; `None` for another file.
    fn at(path: PathBuf) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let mut words = name.strip_prefix("pacenote-")?.strip_suffix(".db")?.split('-');
        let at = Moment::from_millis(words.next()?.parse().ok()?);
        let _schema = words.next();
        let mut number = |letter| words.next()?.strip_prefix(letter)?.parse::<u64>().ok();
        let generation = number('g').and_then(|generation| u32::try_from(generation).ok());
        let position = match number('s') {
            Some(position) => Sequence::new(position),
            // Version 0.1.0 gave the moment alone. A copy that cannot be read is worth least.
            None => position_in(&path).unwrap_or(Sequence::START),
        };
        Some(Self { path, at, generation: generation.unwrap_or(0), position })
    }

    /// Returns what grows from each backup to the next; the clock decides between equal copies only.
    const fn order(&self) -> (u32, Sequence, Moment) {
        (self.generation, self.position, self.at)
    }
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
    let entries = pacenote_files::list_directory(&directory)?;
    let paths = entries.into_iter().map(|entry| directory.join(entry.name));
    let mut found: Vec<Backup> = paths.filter_map(Backup::at).collect();
    found.sort_by_key(|backup| std::cmp::Reverse(backup.order()));
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
    let partial = directory.join(format!("partial-{}-{}.db", std::process::id(), at.millis()));
    pacenote_files::create_private_file(&partial)?;
    let copied = copy(connection, &partial).and_then(|()| position_in(&partial));
    let position = match copied {
        Ok(position) => position,
        Err(fault) => {
            pacenote_files::remove_file(&partial)?;
            return Err(fault.at(&partial));
        }
    };
    let mut others = backups(place)?;
    let generation = others.first().map_or(0, |newest| {
        newest.generation.saturating_add(u32::from(position < newest.position))
    });
    let (moment, last) = (at.millis(), position.get());
    let name = format!("pacenote-{moment}-v{version}-g{generation}-s{last}.db");
    let made = Backup { path: directory.join(name), at, generation, position };
    pacenote_files::rename(&partial, &made.path)?;
    others.retain(|other| other.path != made.path);
    for old in others.iter().skip(keep.saturating_sub(1)) {
        pacenote_files::remove_file(&old.path)?;
    }
    Ok(made)
}

/// Returns the last journal entry in a copy, which nobody changes any more.
fn position_in(copy: &Path) -> Result<Sequence, Fault> {
    let connection = connect(copy, OpenFlags::SQLITE_OPEN_READ_ONLY, Duration::from_secs(1))?;
    crate::sqlite::last_entry(&connection)
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
