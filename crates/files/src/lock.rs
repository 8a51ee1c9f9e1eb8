//! Locks between processes, held on an open file and gone with the process that held them.
//!
//! Nothing here removes a file: the lock is on the file, the path only finds it.

use std::fs::{File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::error::{FileError, Operation};
use crate::open::{Access, Links, inspect, open_regular};

/// How often a file may be replaced by others while its lock is awaited.
///
/// A log is rotated or removed once in thousands of appends, so more than a few in one wait is a
/// defect that must show instead of spinning.
const REPLACED_MOST: usize = 100;

/// How often a lock is asked for by somebody who cannot wait long.
const SHORT_TRIES: usize = 20;

/// What lies between two such tries: with [`SHORT_TRIES`] of them, a fifth of a second in all.
///
/// An append holds its lock for some microseconds, so a lock that is not to be had by then is held
/// by something that hangs.
const SHORT_PAUSE: Duration = Duration::from_millis(10);

/// How long a lock is awaited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Patience {
    /// As long as it takes.
    Endless,
    /// A fifth of a second: a host and its user wait for the hook that asks.
    Short,
}

/// An exclusive lock on a file, released when it is dropped or its process ends.
///
/// While it is held, the path still names the locked file, unless somebody without the lock moved
/// it: whoever moves or removes a locked file holds its lock.
#[derive(Debug)]
pub struct FileLock {
    file: File,
    path: PathBuf,
}

impl FileLock {
    /// Waits for the lock on a file, which is created for its owner only when it is missing.
    pub fn exclusive(path: &Path) -> Result<Self, FileError> {
        for _ in 0..REPLACED_MOST {
            let lock = Self::open(path)?;
            lock.wait().map_err(FileError::io(Operation::Lock, path))?;
            if lock.is_current()? {
                return Ok(lock);
            }
        }
        Err(FileError::Replaced { path: path.to_path_buf(), times: REPLACED_MOST })
    }

    /// Waits until nobody has the lock for itself, and shares it with others who do the same.
    pub fn shared(path: &Path) -> Result<Self, FileError> {
        for _ in 0..REPLACED_MOST {
            let lock = Self::open(path)?;
            retry(|| lock.file.lock_shared()).map_err(FileError::io(Operation::Lock, path))?;
            if lock.is_current()? {
                return Ok(lock);
            }
        }
        Err(FileError::Replaced { path: path.to_path_buf(), times: REPLACED_MOST })
    }

    /// Shares the lock on a file, or returns nothing when somebody has it for itself.
    pub fn try_shared(path: &Path) -> Result<Option<Self>, FileError> {
        Self::try_with(path, File::try_lock_shared)
    }

    /// Takes the lock on a file, or returns nothing when somebody else has it.
    pub fn try_exclusive(path: &Path) -> Result<Option<Self>, FileError> {
        Self::try_with(path, File::try_lock)
    }

    fn try_with(
        path: &Path,
        take: fn(&File) -> Result<(), TryLockError>,
    ) -> Result<Option<Self>, FileError> {
        for _ in 0..REPLACED_MOST {
            let lock = Self::open(path)?;
            match take(&lock.file) {
                Ok(()) if lock.is_current()? => return Ok(Some(lock)),
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => {
                    return Err(FileError::io(Operation::Lock, path)(error));
                }
            }
        }
        Err(FileError::Replaced { path: path.to_path_buf(), times: REPLACED_MOST })
    }

    /// Waits for the lock on a file as long as `patience` allows.
    pub(crate) fn with(path: &Path, patience: Patience) -> Result<Self, FileError> {
        match patience {
            Patience::Endless => Self::exclusive(path),
            Patience::Short => Self::soon(path),
        }
    }

    fn soon(path: &Path) -> Result<Self, FileError> {
        for _ in 0..SHORT_TRIES {
            if let Some(lock) = Self::try_exclusive(path)? {
                return Ok(lock);
            }
            thread::sleep(SHORT_PAUSE);
        }
        let held = io::Error::new(io::ErrorKind::ResourceBusy, "another process holds it");
        Err(FileError::io(Operation::Lock, path)(held))
    }

    /// Returns the path by which the file was locked.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the locked file, open for reading and appending.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    fn open(path: &Path) -> Result<Self, FileError> {
        let (file, _) = open_regular(path, Links::Refuse, Access::Append)?;
        Ok(Self { file, path: path.to_path_buf() })
    }

    fn wait(&self) -> io::Result<()> {
        retry(|| self.file.lock())
    }

    /// Tells whether the path still leads to the locked file: its last holder may have moved it.
    fn is_current(&self) -> Result<bool, FileError> {
        let locked = self.file.metadata().map_err(FileError::io(Operation::Inspect, &self.path))?;
        match inspect(&self.path, Links::Refuse) {
            Ok(named) => Ok((named.dev(), named.ino()) == (locked.dev(), locked.ino())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// Asks again when a signal came in between.
fn retry(mut lock: impl FnMut() -> io::Result<()>) -> io::Result<()> {
    loop {
        match lock() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    use tempfile::tempdir;

    use super::*;
    use crate::bytes::Bytes;
    use crate::write::{remove_file, rename, size_of, write_atomically};

    #[test]
    fn a_second_holder_gets_nothing_until_the_first_lets_go() {
        let directory = tempdir().unwrap();
        let path = directory.path().join("lock");
        let first = FileLock::exclusive(&path).unwrap();
        assert_eq!(first.path(), path);
        assert!(FileLock::try_exclusive(&path).unwrap().is_none());
        drop(first);
        assert!(FileLock::try_exclusive(&path).unwrap().is_some());
        let mode = inspect(&path, Links::Refuse).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn those_who_share_keep_out_who_wants_it_alone() {
        let directory = tempdir().unwrap();
        let path = directory.path().join("lock");
        let (one, two) = (FileLock::shared(&path).unwrap(), FileLock::shared(&path).unwrap());
        assert!(FileLock::try_exclusive(&path).unwrap().is_none());
        drop((one, two));
        assert!(FileLock::try_exclusive(&path).unwrap().is_some());
    }

    #[test]
    fn short_patience_ends_while_the_lock_is_held() {
        let directory = tempdir().unwrap();
        let path = directory.path().join("lock");
        let held = FileLock::exclusive(&path).unwrap();
        let error = FileLock::with(&path, Patience::Short).unwrap_err();
        assert_eq!((error.kind(), error.path()), (io::ErrorKind::ResourceBusy, path.as_path()));
        drop(held);
        for patience in [Patience::Short, Patience::Endless] {
            assert_eq!(FileLock::with(&path, patience).unwrap().path(), path);
        }
    }

    #[test]
    fn only_one_thread_at_a_time_is_inside() {
        let directory = tempdir().unwrap();
        let path = directory.path().join("lock");
        let inside = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let _lock = FileLock::exclusive(&path).unwrap();
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        thread::yield_now();
                        inside.fetch_sub(1, Ordering::SeqCst);
                    }
                });
            }
        });
    }

    #[test]
    fn a_lock_awaited_on_a_file_that_was_moved_is_taken_on_the_new_one() {
        let directory = tempdir().unwrap();
        let (path, aside) = (directory.path().join("log"), directory.path().join("aside"));
        for remove in [true, false] {
            let first = FileLock::exclusive(&path).unwrap();
            let (waiting, started) = mpsc::channel();
            thread::scope(|scope| {
                let second = scope.spawn(|| {
                    waiting.send(()).unwrap();
                    let lock = FileLock::exclusive(&path).unwrap();
                    assert!(lock.is_current().unwrap());
                });
                started.recv().unwrap();
                if remove {
                    remove_file(&path).unwrap();
                } else {
                    rename(&path, &aside).unwrap();
                }
                drop(first);
                second.join().unwrap();
            });
            assert_eq!(size_of(&path).unwrap(), Bytes::new(0));
        }
    }

    #[test]
    fn what_cannot_be_locked_is_named() {
        let directory = tempdir().unwrap();
        let file = directory.path().join("file");
        write_atomically(&file, b"").unwrap();
        let below = file.join("lock");
        let error = FileLock::exclusive(&below).unwrap_err();
        assert_eq!((error.kind(), error.path()), (io::ErrorKind::NotADirectory, below.as_path()));
        let link = directory.path().join("link");
        symlink(&file, &link).unwrap();
        for refused in [directory.path(), &link] {
            assert!(matches!(FileLock::exclusive(refused), Err(FileError::NotRegular { .. })));
            assert!(matches!(FileLock::try_exclusive(refused), Err(FileError::NotRegular { .. })));
        }
    }
}
