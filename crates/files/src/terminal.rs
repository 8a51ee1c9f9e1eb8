//! The terminal at which a person sits, if there is one.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

use crate::error::{FileError, Operation};

/// Longest answer that is read, in bytes: an answer is a word.
const ANSWER: u64 = 1024;

/// The controlling terminal of this process.
#[derive(Debug)]
pub struct Terminal {
    path: PathBuf,
    file: File,
}

impl Terminal {
    /// Opens the controlling terminal, without taking over one that is not ours.
    pub fn open() -> Option<Self> {
        Self::open_at(Path::new("/dev/tty"))
    }

    fn open_at(path: &Path) -> Option<Self> {
        let flags = OFlags::RDWR | OFlags::CLOEXEC | OFlags::NOCTTY;
        let descriptor = rustix::fs::open(path, flags, Mode::empty()).ok()?;
        Some(Self { path: path.to_path_buf(), file: File::from(descriptor) })
    }

    /// Asks a question and returns the answer, trimmed. Standard input and output are not touched:
    /// they may be pipes that somebody else fills.
    pub fn ask(&mut self, question: &str) -> Result<String, FileError> {
        let mut answer = String::new();
        write!(self.file, "{question} ")
            .and_then(|()| self.file.flush())
            .and_then(|()| BufReader::new((&self.file).take(ANSWER)).read_line(&mut answer))
            .map_err(FileError::io(Operation::Read, &self.path))?;
        Ok(answer.trim().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_is_not_there_is_no_terminal() {
        assert!(Terminal::open_at(Path::new("/nowhere/tty")).is_none());
    }
}
