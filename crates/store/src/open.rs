//! The only door to the database.
//!
//! The order of things is fixed here and nowhere else: `busy_timeout` before anything touches the
//! file, WAL once at creation, `synchronous=FULL` for whoever writes. Creation and migration happen
//! under a file lock, so that two hundred first commands at once make one store.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use pacenote_files::{FileLock, create_private_directory};
use rusqlite::{Connection, OpenFlags, config::DbConfig};

use crate::{
    MIGRATIONS, Migration, Place, SCHEMA, Sqlite, StoreError,
    backup::{before_migration, is_lost},
    error::Fault,
    migrate::{migrate, version},
    turns,
};

/// How long a command waits for the write lock. With 200 processes at once on two cores the last
/// one waited 2.2 s; nobody should ever see "database is locked".
pub(crate) const COMMAND_PATIENCE: Duration = Duration::from_secs(30);

/// How long a hook waits. Readers are blocked only while a file is being recovered, and the host's
/// user is waiting for the first word.
const HOOK_PATIENCE: Duration = Duration::from_millis(250);

/// How whoever only reads opens the file.
const READER: OpenFlags = OpenFlags::SQLITE_OPEN_READ_ONLY.union(OpenFlags::SQLITE_OPEN_NO_MUTEX);

/// What the caller will do with the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// A command that may write: creates and migrates the store as needed.
    Write,
    /// A command that only reads, all of one snapshot: a store that is missing stays missing.
    Read,
    /// Somebody in a hurry, such as `doctor`: reads this schema and the one before, waits hardly at all,
    /// migrates nothing.
    Hook,
    /// A hook that writes nothing: leaves even the files beside the database as they lie there. As
    /// long as it has the store open, nobody else in the same process can write to it.
    Glance,
}

/// Opens the store at a place.
pub fn open(place: &Place, access: Access) -> Result<Sqlite, StoreError> {
    open_with(place, access, MIGRATIONS, &mut |_| {})
}

/// Opens the store to write to it in passing, as a hook does; nothing where that would mean to wait for
/// a restore, to make the store or to migrate it.
pub fn open_in_passing(place: &Place) -> Result<Option<Sqlite>, StoreError> {
    let path = place.database();
    if !pacenote_files::exists(&path) {
        return Ok(None);
    }
    let Some(lock) = turns::share_soon(place)? else { return Ok(None) };
    refuse_obstacle(&path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let at = |fault: Fault| fault.at(&path);
    let connection = connect(&path, flags, HOOK_PATIENCE).map_err(at)?;
    let found = version(&connection).map_err(at)?;
    if found != SCHEMA || !uses_write_ahead_log(&connection).map_err(at)? {
        return Ok(None);
    }
    prepare_to_write(&connection).map_err(at)?;
    Ok(Some(Sqlite::new(connection, place.clone(), found, InUse::ByWriter(lock))))
}

/// Returns an empty store in memory, for a hook where there is none yet: what it reads is that nothing
/// is there, and what is written to it is gone with it.
pub fn open_empty(place: &Place) -> Result<Sqlite, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let empty = || {
        let mut connection = connect(Path::new(":memory:"), flags, Duration::ZERO)?;
        migrate(&mut connection, MIGRATIONS, &mut |_| {})?;
        Ok(connection)
    };
    let connection = empty().map_err(|fault: Fault| fault.at(&place.database()))?;
    Ok(Sqlite::new(connection, place.clone(), SCHEMA, InUse::ByReaders))
}

/// Opens the store with another list of migrations and a witness that is called before each of
/// their statements. Crash tests stand there; everyone else calls [`open()`].
pub fn open_with(
    place: &Place,
    access: Access,
    migrations: &[Migration],
    witness: &mut dyn FnMut(&str),
) -> Result<Sqlite, StoreError> {
    let known = migrations.last().map_or(SCHEMA, |last| last.version);
    let path = place.database();
    match access {
        Access::Write => {
            #[expect(clippy::disallowed_methods, reason = "the store lies in our data")]
            create_private_directory(place.directory())?;
            open_for_writing(place, known, migrations, witness)
        }
        Access::Read | Access::Hook | Access::Glance => {
            let (reader, found) = match open_for_reading(place, access) {
                // A command may write, so it plays the journal of the killed writer back.
                Err(StoreError::Interrupted { .. }) if access == Access::Read => {
                    return open_for_writing(place, known, migrations, witness);
                }
                opened => opened?,
            };
            match access {
                _ if serves(access, found, known) => {
                    Ok(Sqlite::new(reader, place.clone(), found, InUse::ByReaders))
                }
                _ if found > known => Err(StoreError::Newer { path, found, known }),
                // Version 0 is a file whose creator has not come to the first migration yet.
                _ if found == 0 => Err(explain_absence(place)),
                Access::Hook | Access::Glance => Err(StoreError::Older { path, found, known }),
                Access::Read | Access::Write => {
                    // A reader's snapshot would stand in the way of the migration.
                    drop(reader);
                    open_for_writing(place, known, migrations, witness)
                }
            }
        }
    }
}

/// Who keeps a restore from exchanging the file under an open connection.
#[derive(Debug)]
#[expect(dead_code, reason = "the lock is held by being there")]
pub(crate) enum InUse {
    /// Nobody: what was read stays read, whatever becomes of the file.
    ByReaders,
    /// A writer: what it commits must be in the file that stays.
    ByWriter(FileLock),
}

/// Tells whether a reader of schema `known` understands `found`: migrations are additive, so a hook
/// also serves the version before, while the migrating command has not run yet.
const fn serves(access: Access, found: u32, known: u32) -> bool {
    match access {
        Access::Hook | Access::Glance => found == known || (found > 0 && found + 1 == known),
        Access::Read | Access::Write => found == known,
    }
}

/// Refuses what is not a regular file before SQLite opens it: a named pipe would keep it waiting
/// until somebody writes to it.
fn refuse_obstacle(path: &Path) -> Result<(), StoreError> {
    match pacenote_files::find_obstacle(path) {
        Some(found) => Err(StoreError::NotAFile { path: path.to_path_buf(), found }),
        None => Ok(()),
    }
}

/// Returns why there is no store: there never was one, or it was lost.
fn explain_absence(place: &Place) -> StoreError {
    let path = place.database();
    match is_lost(place) {
        Ok(true) => StoreError::Gone { path },
        Ok(false) => StoreError::Missing { path },
        Err(error) => error,
    }
}

fn open_for_reading(place: &Place, access: Access) -> Result<(Connection, u32), StoreError> {
    let path = &place.database();
    refuse_obstacle(path)?;
    let opened = match access {
        Access::Glance => untouched(path, Duration::ZERO).or_else(|_| shared(path, HOOK_PATIENCE)),
        Access::Hook => shared(path, HOOK_PATIENCE),
        Access::Read | Access::Write => shared(path, COMMAND_PATIENCE),
    };
    match opened {
        Ok(opened) => Ok(opened),
        // On a disk that is full or read-only, the files beside the database cannot be made. Then
        // nobody can write the database either, and it may be read as it lies there.
        Err(_) if is_frozen(path) => frozen(path).map_err(|fault| fault.at(path)),
        Err(fault) if is_without_room(path) => {
            without_room(path).or(Err(fault)).map_err(|fault| fault.at(path))
        }
        // SQLite says "cannot open" for a file that is not there and for one it may not read.
        Err(_) if pacenote_files::is_absent(path) => Err(explain_absence(place)),
        Err(fault) => Err(fault.at(path)),
    }
}

fn shared(path: &Path, patience: Duration) -> Result<(Connection, u32), Fault> {
    connect(path, READER, patience).and_then(begin_reading)
}

/// Opens the database without writing to the index of its write-ahead log.
///
/// Whoever finds that index in nobody's hands, as most hooks do, has to empty it, make it anew and
/// keep others out meanwhile: a twentieth of a hook. One who may only read it makes an index of its
/// own in memory. This fails where there is no such file yet, and where anybody is in the way.
fn untouched(path: &Path, patience: Duration) -> Result<(Connection, u32), Fault> {
    if !pacenote_files::exists(&index_of(path)) {
        return Err(Fault::Odd("db-shm"));
    }
    by_address(path, "readonly_shm=1", patience)
}

/// Reports whether the database is there and the disk has no room for the index of its write-ahead
/// log.
fn is_without_room(path: &Path) -> bool {
    pacenote_files::exists(path) && pacenote_files::is_full(path)
}

/// Opens the database on a full disk. An empty index takes no room and is enough for a reader that
/// makes its own in memory.
#[expect(clippy::disallowed_methods, reason = "the store lies in our data")]
fn without_room(path: &Path) -> Result<(Connection, u32), Fault> {
    // Where even that fails, so does the next line, and the first failure is the one to report.
    pacenote_files::create_private_file(&index_of(path)).ok();
    untouched(path, HOOK_PATIENCE)
}

fn index_of(path: &Path) -> PathBuf {
    path.with_extension("db-shm")
}

/// Tells whether the database is there whole and cannot be changed by anyone.
fn is_frozen(path: &Path) -> bool {
    let ahead = pacenote_files::size_of(&path.with_extension("db-wal"));
    let Some(directory) = path.parent() else { return false };
    pacenote_files::exists(path)
        && (!pacenote_files::can_write(directory) || pacenote_files::is_full(directory))
        && ahead.map_or(0, pacenote_files::Bytes::get) == 0
}

fn frozen(path: &Path) -> Result<(Connection, u32), Fault> {
    by_address(path, "immutable=1", HOOK_PATIENCE)
}

/// Opens the database for reading in a way that SQLite is told in an address.
fn by_address(path: &Path, how: &str, patience: Duration) -> Result<(Connection, u32), Fault> {
    let name = path.to_str().ok_or(Fault::Odd("path"))?;
    // The name becomes part of an address; these three have a meaning there.
    let name = name.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let address = format!("file:{name}?{how}");
    let flags = READER | OpenFlags::SQLITE_OPEN_URI;
    connect(Path::new(&address), flags, patience).and_then(begin_reading)
}

/// A reader sees one snapshot from its first read to its end: a task list and its dependencies
/// belong together, and the locks are taken once instead of once per query.
fn begin_reading(connection: Connection) -> Result<(Connection, u32), Fault> {
    connection.execute_batch("BEGIN")?;
    let found = version(&connection)?;
    Ok((connection, found))
}

fn open_for_writing(
    place: &Place,
    known: u32,
    migrations: &[Migration],
    witness: &mut dyn FnMut(&str),
) -> Result<Sqlite, StoreError> {
    let path = place.database();
    let in_use = InUse::ByWriter(turns::share(place)?);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    refuse_obstacle(&path)?;
    // An empty store in the place of a lost one would hide the loss, and its backups would push out
    // those of the lost one.
    if is_lost(place)? {
        return Err(StoreError::Gone { path });
    }
    // Created by us rather than by SQLite, so that nobody else can ever read it.
    #[expect(clippy::disallowed_methods, reason = "the store lies in our data")]
    pacenote_files::create_private_file(&path)?;
    let mut connection =
        connect(&path, flags, COMMAND_PATIENCE).map_err(|fault| fault.at(&path))?;
    let at = |fault: Fault| fault.at(&path);
    let mut found = version(&connection).map_err(at)?;
    if found < known || !uses_write_ahead_log(&connection).map_err(at)? {
        let _alone = FileLock::exclusive(&place.migration_lock())?;
        found = version(&connection).map_err(at)?;
        if !uses_write_ahead_log(&connection).map_err(at)? {
            use_write_ahead_log(&connection).map_err(at)?;
        }
        if found < known {
            if found > 0 {
                before_migration(&connection, place, found)?;
            }
            migrate(&mut connection, migrations, witness).map_err(at)?;
            found = version(&connection).map_err(at)?;
        }
    }
    if found > known {
        return Err(StoreError::Newer { path, found, known });
    }
    prepare_to_write(&connection).map_err(at)?;
    Ok(Sqlite::new(connection, place.clone(), found, in_use))
}

/// Makes what is committed last, and what is deleted go: otherwise its bytes stay in the file until
/// something else is written there.
fn prepare_to_write(connection: &Connection) -> Result<(), Fault> {
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update_and_check(None, "secure_delete", "ON", |_| Ok(()))?;
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "this is the one door")]
pub(crate) fn connect(
    path: &Path,
    flags: OpenFlags,
    patience: Duration,
) -> Result<Connection, Fault> {
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(patience)?;
    // Plans do not depend on the values of a query: otherwise each is made a second time once they
    // are known, which was a tenth of a hook.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(connection)
}

/// Tells whether the file is in WAL mode. A copy that was put in its place is not.
fn uses_write_ahead_log(connection: &Connection) -> Result<bool, Fault> {
    let mode: String = connection.query_row("PRAGMA journal_mode", [], |row| row.get(0))?;
    Ok(mode.eq_ignore_ascii_case("wal"))
}

/// The mode is a property of the file: set once, it holds for every later connection.
pub(crate) fn use_write_ahead_log(connection: &Connection) -> Result<(), Fault> {
    let mode: String =
        connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
    // Network file systems without shared memory answer with the old mode and no error.
    if mode.eq_ignore_ascii_case("wal") { Ok(()) } else { Err(Fault::Odd("journal_mode")) }
}
