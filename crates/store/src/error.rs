//! What can go wrong with the store.

use std::path::{Path, PathBuf};

use pacenote_files::{FileError, FileKind};
use pacenote_model::Refusal;
use rusqlite::{ErrorCode, ffi};
use thiserror::Error;

/// Why the store could not do what was asked. Nothing of a failed commit is written.
#[derive(Debug, Error)]
pub enum StoreError {
    /// A guard said no: the caller's input or the present state.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The key belongs to another commit.
    #[error("the key `{key}` was used before, for something else")]
    KeyReused { key: String },
    /// There is no store yet, and the caller only wanted to read.
    #[error("there is no store at `{}`", path.display())]
    Missing {
        /// The database file.
        path: PathBuf,
    },
    /// There is no store, or an empty file, where there was one: copies of it are still there.
    #[error("the store at `{}` is gone, but copies of it exist", path.display())]
    Gone {
        /// The database file.
        path: PathBuf,
    },
    /// Something else stands in the place of the database file.
    #[error("the store at `{}` is {found}, not a regular file", path.display())]
    NotAFile {
        /// Where the database file should be.
        path: PathBuf,
        /// What is there instead; a link only if it leads nowhere.
        found: FileKind,
    },
    /// A process was killed during a write, and the caller only wanted to read.
    #[error("the store at `{}` was left in the middle of a write", path.display())]
    Interrupted {
        /// The database file.
        path: PathBuf,
    },
    /// A restore found nothing that it could restore; nothing was changed.
    #[error("there is no sound backup in `{}`", path.display())]
    NoSoundBackup {
        /// The directory of backups.
        path: PathBuf,
    },
    /// A later version wrote this file.
    #[error("the store at `{}` has schema {found}, this pacenote knows {known}", path.display())]
    Newer {
        /// The database file.
        path: PathBuf,
        /// The version found.
        found: u32,
        /// The version known.
        known: u32,
    },
    /// The file is too old to be read without migrating it, and the caller only wanted to read.
    #[error("the store at `{}` has schema {found}, which must be migrated to {known}", path.display())]
    Older {
        /// The database file.
        path: PathBuf,
        /// The version found.
        found: u32,
        /// The version known.
        known: u32,
    },
    /// The file is not a sound database.
    #[error("the store at `{}` is damaged: {detail}", path.display())]
    Damaged {
        /// The database file.
        path: PathBuf,
        /// What was found.
        detail: String,
    },
    /// The disk is full.
    #[error("no space left for the store at `{}`", path.display())]
    Full {
        /// The database file.
        path: PathBuf,
    },
    /// The file or its directory cannot be opened as it must be.
    #[error("the store at `{}` cannot be used: {detail}", path.display())]
    Unwritable {
        /// The database file.
        path: PathBuf,
        /// What the system said.
        detail: String,
    },
    /// Another process kept the write lock longer than anyone should wait.
    #[error("the store at `{}` was in use by another process for {seconds} s", path.display())]
    Busy {
        /// The database file.
        path: PathBuf,
        /// How long we waited.
        seconds: u64,
    },
    /// A file beside the database.
    #[error(transparent)]
    File(#[from] FileError),
    /// Anything else the engine said.
    #[error("the store at `{}` failed", path.display())]
    Engine {
        /// The database file.
        path: PathBuf,
        /// What it said.
        source: rusqlite::Error,
    },
}

/// A failure inside one operation, before it is known which file it belongs to.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The engine failed.
    Engine(rusqlite::Error),
    /// A guard said no.
    Refused(Refusal),
    /// The key belongs to another commit.
    KeyReused(String),
    /// A stored value breaks its type's rules: somebody else wrote into the file.
    Odd(&'static str),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Engine(error)
    }
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl Fault {
    /// Names the file the failure belongs to.
    pub(crate) fn at(self, path: &Path) -> StoreError {
        let path = path.to_path_buf();
        match self {
            Self::Refused(refusal) => StoreError::Refused(refusal),
            Self::KeyReused(key) => StoreError::KeyReused { key },
            Self::Odd(what) => {
                StoreError::Damaged { path, detail: format!("`{what}` holds a value it cannot") }
            }
            Self::Engine(source) if shows_damage(&source) => {
                StoreError::Damaged { path, detail: source.to_string() }
            }
            Self::Engine(source) if is_interrupted(&source) => StoreError::Interrupted { path },
            Self::Engine(source) => match source.sqlite_error_code() {
                Some(ErrorCode::DiskFull) => StoreError::Full { path },
                // A file beside the database that finds no room shows as a failure of the disk.
                Some(ErrorCode::SystemIoFailure) if pacenote_files::is_full(&path) => {
                    StoreError::Full { path }
                }
                Some(
                    ErrorCode::DatabaseBusy
                    | ErrorCode::DatabaseLocked
                    | ErrorCode::FileLockingProtocolFailed,
                ) => StoreError::Busy { path, seconds: crate::open::COMMAND_PATIENCE.as_secs() },
                Some(
                    ErrorCode::ReadOnly
                    | ErrorCode::CannotOpen
                    | ErrorCode::PermissionDenied
                    | ErrorCode::SystemIoFailure,
                ) => StoreError::Unwritable { path, detail: source.to_string() },
                _ => StoreError::Engine { path, source },
            },
        }
    }
}

/// Reports whether a rollback journal has to be played back, which a reader may not do.
fn is_interrupted(error: &rusqlite::Error) -> bool {
    error.sqlite_error().is_some_and(|error| error.extended_code == ffi::SQLITE_READONLY_ROLLBACK)
}

/// Reports whether the engine met something in the file that we never write there.
///
/// Every statement and every value of ours fits the schema, which the tests prove on sound files. A
/// table that is missing, a value of another type or a constraint that breaks therefore says that
/// the file was changed by something else, even where its pages are in order.
fn shows_damage(error: &rusqlite::Error) -> bool {
    let is_odd_value = matches!(
        error,
        rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::Utf8Error(..)
            | rusqlite::Error::QueryReturnedNoRows
    );
    let (rusqlite::Error::SqliteFailure(failure, _)
    | rusqlite::Error::SqlInputError { error: failure, .. }) = error
    else {
        return is_odd_value;
    };
    matches!(
        failure.code,
        ErrorCode::DatabaseCorrupt
            | ErrorCode::NotADatabase
            | ErrorCode::ConstraintViolation
            | ErrorCode::TypeMismatch
            | ErrorCode::TooBig
    ) || matches!(
        failure.extended_code,
        // The general error: no such table or column, a virtual table that cannot be read.
        ffi::SQLITE_ERROR | ffi::SQLITE_IOERR_SHORT_READ
    )
}
