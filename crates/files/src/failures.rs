//! The bounded log of what went wrong inside hooks, which fail open and so fail silently;
//! `doctor` shows it. It never grows past two files and never holds anything but failures.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use crate::append::{append_lines, check_line, lock_log, size_of_log};
use crate::bytes::Bytes;
use crate::error::{FileError, Operation};
use crate::lines::WholeLines;
use crate::lock::Patience;
use crate::open::{Access, Links, open_regular};
use crate::write::rename;

/// Largest log of failures: some thousand of them, and one earlier file of the same size.
///
/// A hook that fails does so at every event; what is older than this is the same failure again.
pub const FAILURES: Bytes = Bytes::kib(256);

/// Longest line of one failure: a message with its causes is under 1 KiB.
pub const FAILURE_LINE: Bytes = Bytes::kib(16);

/// The log of failures, kept in one file and, once that is full, one older file beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailureLog {
    path: PathBuf,
}

impl FailureLog {
    /// Names the file; it is made by the first append.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Returns the path of the newer file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends one failure, a line of JSON of at most [`FAILURE_LINE`] bytes.
    pub fn append(&self, line: &str) -> Result<(), FileError> {
        self.append_with(line, Patience::Endless)
    }

    /// Appends like [`FailureLog::append`], but fails when somebody holds the log for long.
    pub fn append_soon(&self, line: &str) -> Result<(), FileError> {
        self.append_with(line, Patience::Short)
    }

    #[expect(clippy::disallowed_methods, reason = "the log lies in our data")]
    fn append_with(&self, line: &str, patience: Patience) -> Result<(), FileError> {
        check_line(&self.path, line, FAILURE_LINE)?;
        loop {
            let log = lock_log(&self.path, patience)?;
            let size = size_of_log(&log)?;
            if size == 0 || fits(size, line) {
                return append_lines(&log, size, &[line]);
            }
            // Whoever waits for this lock sees that the file was moved, and starts the new one.
            rename(&self.path, &self.older())?;
        }
    }

    /// Returns the last failures, at most `most` of them, the newest last.
    ///
    /// Lines that are no text are left out. No lock is taken, so that this works on a read-only
    /// disk; a failure that is rotated at the same moment may be missing.
    pub fn recent(&self, most: usize) -> Result<Vec<String>, FileError> {
        let mut kept = VecDeque::new();
        for path in [self.older(), self.path.clone()] {
            keep_last(&path, most, &mut kept)?;
        }
        Ok(kept.into())
    }

    fn older(&self) -> PathBuf {
        let mut name = OsString::from(&self.path);
        name.push(".old");
        PathBuf::from(name)
    }
}

fn fits(size: u64, line: &str) -> bool {
    let added = u64::try_from(line.len().saturating_add("\n\n".len())).unwrap_or(u64::MAX);
    size.saturating_add(added) <= FAILURES.get()
}

fn keep_last(path: &Path, most: usize, kept: &mut VecDeque<String>) -> Result<(), FileError> {
    let (file, metadata) = match open_regular(path, Links::Refuse, Access::Read) {
        Ok(opened) => opened,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let mut lines =
        WholeLines::of(file, 0..metadata.len()).map_err(FileError::io(Operation::Read, path))?;
    while let Some(line) = lines.next_whole().map_err(FileError::io(Operation::Read, path))? {
        let Ok(text) = line.text else { continue };
        kept.push_back(text);
        if kept.len() > most {
            kept.pop_front();
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::thread;

    use tempfile::tempdir;

    use super::*;
    use crate::error::FileKind;
    use crate::write::{create_private_directory, list_directory, size_of, write_atomically};

    #[test]
    fn the_last_failures_are_shown_oldest_first() {
        let directory = tempdir().unwrap();
        let log = FailureLog::new(directory.path().join("state/failures.jsonl"));
        assert_eq!(log.recent(3).unwrap(), Vec::<String>::new());
        for line in ["one", "two", "three"] {
            log.append(line).unwrap();
        }
        assert_eq!(log.recent(0).unwrap(), Vec::<String>::new());
        assert_eq!(log.recent(2).unwrap(), ["two", "three"]);
        assert_eq!(log.recent(9).unwrap(), ["one", "two", "three"]);
    }

    #[test]
    fn a_full_log_is_rotated_and_one_older_file_is_kept() {
        let directory = tempdir().unwrap();
        let log = FailureLog::new(directory.path().join("failures.jsonl"));
        let line = |number: usize| format!("{number:06}{}", "x".repeat(10_000));
        for number in 0..100 {
            log.append(&line(number)).unwrap();
            assert!(size_of(log.path()).unwrap() <= FAILURES);
        }
        let names: Vec<_> =
            list_directory(directory.path()).unwrap().into_iter().map(|entry| entry.name).collect();
        assert_eq!(names, ["failures.jsonl", "failures.jsonl.old"]);
        assert!(size_of(&log.older()).unwrap() <= FAILURES);
        // 26 lines fit one file, so at least the last 26 are still there.
        let recent = log.recent(26).unwrap();
        assert_eq!(recent, (74..100).map(line).collect::<Vec<_>>());
    }

    #[test]
    fn writers_that_rotate_at_once_lose_nothing_recent() {
        let directory = tempdir().unwrap();
        let log = FailureLog::new(directory.path().join("failures.jsonl"));
        thread::scope(|scope| {
            for writer in 0..4 {
                let log = &log;
                scope.spawn(move || {
                    for number in 0..9 {
                        log.append(&format!("{writer} {number} {}", "x".repeat(12_000))).unwrap();
                    }
                });
            }
        });
        // 36 lines of 12 KB fill one file and a part of the next: all must be found.
        let mut recent = log.recent(100).unwrap();
        recent.sort();
        recent.dedup();
        assert_eq!(recent.len(), 36);
    }

    #[test]
    fn a_log_that_is_held_is_not_awaited_for_long() {
        let directory = tempdir().unwrap();
        let log = FailureLog::new(directory.path().join("failures.jsonl"));
        let held = lock_log(log.path(), Patience::Endless).unwrap();
        let error = log.append_soon("lost").unwrap_err();
        assert_eq!((error.kind(), error.path()), (io::ErrorKind::ResourceBusy, log.path()));
        drop(held);
        log.append_soon("kept").unwrap();
        assert_eq!(log.recent(9).unwrap(), ["kept"]);
    }

    #[test]
    fn damage_is_left_out_and_a_torn_line_is_set_apart() {
        let directory = tempdir().unwrap();
        let log = FailureLog::new(directory.path().join("failures.jsonl"));
        write_atomically(log.path(), b"\xff\n\0\nwhole\nto").unwrap();
        assert_eq!(log.recent(9).unwrap(), ["whole"]);
        log.append("next").unwrap();
        assert_eq!(log.recent(9).unwrap(), ["whole", "to", "next"]);
    }

    #[test]
    fn a_line_too_long_and_a_directory_in_the_way_are_errors() {
        let directory = tempdir().unwrap();
        let log = FailureLog::new(directory.path().join("failures.jsonl"));
        assert!(matches!(log.append("two\nlines"), Err(FileError::LineRefused { .. })));
        assert!(matches!(log.append(&"x".repeat(20_000)), Err(FileError::LineRefused { .. })));
        assert!(!log.path().exists());
        create_private_directory(&log.older()).unwrap();
        let found = FileKind::Directory;
        match log.recent(1) {
            Err(FileError::NotRegular { path, found: there }) => {
                assert_eq!((path, there), (log.older(), found));
            }
            other => panic!("{other:?}"),
        }
    }
}
