//! Copies of the database, and the way back from a damaged one.
//!
//! A backup is written beside its name, checked and renamed, so that neither a half-written one nor
//! the copy of a damaged store ever counts, and none of these pushes a sound one out. Its name is for people and for putting backups in order: `pacenote-MOMENT-vSCHEMA-gGENERATION-sPOSITION.db`.
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

use crate::{
    MIGRATIONS, Migration, Place, StoreError,
    error::Fault,
    migrate::{migrate, version},
    open::{connect, use_write_ahead_log},
    turns,
};

/// How the directories begin into which restores move damaged files.
const DAMAGED: &str = "damaged-";

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

/// What a restore does when there is no sound backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WithoutBackup {
    /// It changes nothing: much of a damaged store can often be read.
    Refuse,
    /// It puts an empty store in the place of the damaged one.
    StartEmpty,
}

/// What a restore did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    /// Where the damaged files were put; nothing is thrown away.
    pub damaged: PathBuf,
    /// The copy that took their place; without one the store is empty now.
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
    // Nothing else of such a name is ours, and a named pipe would keep SQLite waiting.
    let files = paths.filter(|path| pacenote_files::find_obstacle(path).is_none());
    let mut found: Vec<Backup> = files.filter_map(Backup::at).collect();
    found.sort_by_key(|backup| std::cmp::Reverse(backup.order()));
    Ok(found)
}

/// Reports whether a store was lost: there is no database, or an empty file, but there are copies.
pub(crate) fn is_lost(place: &Place) -> Result<bool, StoreError> {
    let path = place.database();
    let is_empty = || match pacenote_files::size_of(&path) {
        Ok(size) => size.get() == 0,
        Err(_) => pacenote_files::is_absent(&path),
    };
    // Asked twice: in between, a first command may have made the store and its first backup.
    Ok(is_empty() && has_copies(place)? && is_empty())
}

/// Reports whether there are backups, or files that a restore moved aside.
fn has_copies(place: &Place) -> Result<bool, StoreError> {
    if !pacenote_files::exists(place.directory()) {
        return Ok(false);
    }
    let entries = pacenote_files::list_directory(place.directory())?;
    let is_damaged = |name: &str| name.starts_with(DAMAGED);
    Ok(entries.iter().any(|entry| entry.name.to_str().is_some_and(is_damaged))
        || !backups(place)?.is_empty())
}

/// Puts the newest sound backup in the place of a damaged store, which is moved aside.
///
/// What takes its place is ready and checked before anything is moved. A kill during the exchange
/// leaves no database but copies, which everybody notices, and the next restore does it all again.
pub fn restore(
    place: &Place,
    at: Moment,
    otherwise: WithoutBackup,
) -> Result<Restored, StoreError> {
    let _alone = turns::be_alone(place)?;
    let ready = place.directory().join("restoring.db");
    remove_database(&ready)?;
    let from = match prepare(place, &ready, otherwise) {
        Ok(from) => from,
        Err(error) => {
            remove_database(&ready)?;
            return Err(error);
        }
    };
    let damaged = place.directory().join(format!("{DAMAGED}{}", at.millis()));
    create_private_directory(&damaged)?;
    // The database goes first: it must never lie there without its logs, nor another beside them.
    for path in files_of(&place.database()) {
        if let Some(name) = path.file_name()
            && pacenote_files::is_name_taken(&path)
        {
            pacenote_files::rename(&path, &damaged.join(name))?;
        }
    }
    pacenote_files::rename(&ready, &place.database())?;
    Ok(Restored { damaged, from })
}

/// Makes what takes the place of a damaged store: a copy of the newest sound backup.
fn prepare(
    place: &Place,
    ready: &Path,
    otherwise: WithoutBackup,
) -> Result<Option<Backup>, StoreError> {
    for backup in backups(place)? {
        let is_sound = |copy| problems_in(copy).is_ok_and(|problems| problems.is_empty());
        if !is_sound(&backup.path) {
            continue;
        }
        pacenote_files::copy_atomically(&backup.path, ready)?;
        if is_sound(ready) {
            finish(ready, &[]).map_err(|fault| fault.at(ready))?;
            return Ok(Some(backup));
        }
        remove_database(ready)?;
    }
    match otherwise {
        WithoutBackup::Refuse => Err(StoreError::NoSoundBackup { path: place.backups() }),
        WithoutBackup::StartEmpty => {
            pacenote_files::create_private_file(ready)?;
            finish(ready, MIGRATIONS).map_err(|fault| fault.at(ready))?;
            Ok(None)
        }
    }
}

/// Migrates a database and brings it into its final journal mode, so that no rollback journal is ever
/// made beside the store itself.
fn finish(path: &Path, migrations: &[Migration]) -> Result<(), Fault> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
    let mut connection = connect(path, flags, Duration::from_secs(1))?;
    migrate(&mut connection, migrations, &mut |_| {})?;
    use_write_ahead_log(&connection)
}

/// Returns the names of a database and of all that SQLite keeps beside it, the database first.
fn files_of(database: &Path) -> [PathBuf; 4] {
    ["db", "db-journal", "db-wal", "db-shm"].map(|ending| database.with_extension(ending))
}

/// Removes a database that nobody uses, with all that lies beside it.
fn remove_database(path: &Path) -> Result<(), StoreError> {
    for path in files_of(path) {
        if pacenote_files::is_name_taken(&path) {
            pacenote_files::remove_file(&path)?;
        }
    }
    Ok(())
}

/// Copies an open database while others go on writing; keeps the newest `keep` copies. The copy of
/// a damaged database is not kept.
pub(crate) fn back_up(
    connection: &Connection,
    place: &Place,
    at: Moment,
    keep: usize,
) -> Result<Backup, StoreError> {
    let path = place.database();
    let version = version(connection).map_err(|fault| fault.at(&path))?;
    let directory = place.backups();
    create_private_directory(&directory)?;
    let _alone = FileLock::exclusive(&directory.join("backup.lock"))?;
    sweep(&directory)?;
    let partial = directory.join(format!("partial-{}-{}.db", std::process::id(), at.millis()));
    pacenote_files::create_private_file(&partial)?;
    let position = match copy_if_sound(connection, &partial, &path) {
        Ok(position) => position,
        Err(error) => {
            remove_database(&partial)?;
            return Err(error);
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

/// Copies an open database and returns the last journal entry in the copy, if that is sound. Page by
/// page it is what the database is, so damage is said of that.
fn copy_if_sound(
    connection: &Connection,
    target: &Path,
    database: &Path,
) -> Result<Sequence, StoreError> {
    let damaged = |detail| StoreError::Damaged { path: database.to_path_buf(), detail };
    let examined = copy(connection, target)
        .and_then(|()| Ok((problems_in(target)?, position_in(target)?)))
        .map_err(|fault| fault.at(target));
    match examined {
        Ok((problems, position)) => match problems.into_iter().next() {
            Some(problem) => Err(damaged(problem)),
            None => Ok(position),
        },
        Err(StoreError::Damaged { detail, .. }) => Err(damaged(detail)),
        Err(error) => Err(error),
    }
}

/// Returns the last journal entry in a copy, which nobody changes any more.
fn position_in(copy: &Path) -> Result<Sequence, Fault> {
    let connection = connect(copy, OpenFlags::SQLITE_OPEN_READ_ONLY, Duration::from_secs(1))?;
    crate::sqlite::last_entry(&connection)
}

/// Returns what is wrong with a copy.
fn problems_in(copy: &Path) -> Result<Vec<String>, Fault> {
    let connection = connect(copy, OpenFlags::SQLITE_OPEN_READ_ONLY, Duration::from_secs(1))?;
    // A file of no version is an empty one, which is sound and worth nothing.
    if version(&connection)? == 0 {
        return Ok(vec!["it is empty".into()]);
    }
    crate::sqlite::problems(&connection)
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
    remove_database(&target)?;
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
