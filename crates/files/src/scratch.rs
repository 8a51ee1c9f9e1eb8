//! A directory of our own that is gone with its value.

use std::path::Path;

use crate::beneath::Beneath;
use crate::error::{FileError, Operation};
use crate::open::Links;

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
