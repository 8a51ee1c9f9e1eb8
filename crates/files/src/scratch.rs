//! A directory of our own that is gone with its value.

use std::{path::Path, thread, time::Duration};

use crate::beneath::Beneath;
use crate::error::{FileError, Operation};
use crate::open::Links;
use crate::remove::remove_tree;

/// How often its removal is tried, and how long is waited in between: programs that ran in it may still
/// be ending, and what they write keeps it from being empty.
const REMOVALS: usize = 100;
const BETWEEN_REMOVALS: Duration = Duration::from_millis(20);

/// A private directory among the temporary ones, removed when the value is dropped.
#[derive(Debug)]
pub struct ScratchDirectory(tempfile::TempDir);

impl ScratchDirectory {
    /// Makes one.
    pub fn new() -> Result<Self, FileError> {
        let made = tempfile::Builder::new().prefix("pacenote-").tempdir();
        made.map(Self).map_err(|source| FileError::Io {
            operation: Operation::CreateDirectory,
            path: std::env::temp_dir(),
            source,
        })
    }

    /// Opens it, to write files in it.
    pub fn files(&self) -> Result<Beneath, FileError> {
        Beneath::open(self.path(), Links::Refuse)
    }

    /// Returns where it lies.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for ScratchDirectory {
    #[expect(clippy::disallowed_methods, reason = "it was made here, under a fresh name")]
    fn drop(&mut self) {
        for _ in 0..REMOVALS {
            if remove_tree(self.path()).is_ok() {
                return;
            }
            thread::sleep(BETWEEN_REMOVALS);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, sync::mpsc};

    use super::*;

    /// Directories that the writer makes; it is done long before the last try.
    const WRITTEN: usize = 100;

    #[test]
    fn it_is_gone_with_its_value_although_somebody_still_writes_in_it() {
        let scratch = ScratchDirectory::new().unwrap();
        let path = scratch.path().to_owned();
        let (begin, begun) = mpsc::channel();
        let busy = path.clone();
        let writer = thread::spawn(move || {
            for number in 0..WRITTEN {
                fs::create_dir(busy.join(number.to_string())).ok();
                begin.send(()).ok();
            }
        });
        begun.recv().unwrap();
        drop(scratch);
        writer.join().unwrap();
        assert!(!path.exists());
    }
}
