//! Writing strictly beneath one directory, where others decide what stands in the way.
//!
//! This is the only way to write below a project: a clone can bring links, pipes and directories
//! under every name that we use. No component may be a link, the last one included; a file is
//! created, or replaces a regular one. Every step goes from an open directory to one name in it,
//! so that nothing can be swapped between a check and its use.

use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::path::{Component, Path};

use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;

use super::{Beneath, DIRECTORY, FILE, PathRefusal, check_inner, open_beneath, read_opened};
use crate::bytes::Bytes;
use crate::error::{FileError, FileKind, Operation};
use crate::open::Links;
use crate::write::{DIRECTORY_ENTRIES, PRIVATE_MODE, is_temporary, replace_in};

/// Mode of the files that others read and commit.
const PUBLIC_MODE: u32 = 0o644;

/// Who may read a file or a directory that is created. What is there already keeps its mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readers {
    /// The person alone: the file quotes prompts, paths and mail.
    Owner,
    /// Everyone who works on the project: the file is meant to be committed.
    Everyone,
}

impl Readers {
    const fn file_mode(self) -> u32 {
        match self {
            Self::Owner => PRIVATE_MODE,
            Self::Everyone => PUBLIC_MODE,
        }
    }

    /// For everyone means as readable as the person's other directories: the umask decides.
    const fn directory_mode(self) -> Mode {
        match self {
            Self::Owner => Mode::RWXU,
            Self::Everyone => Mode::RWXU.union(Mode::RWXG).union(Mode::RWXO),
        }
    }
}

/// What happens to a directory that is missing on the way.
#[derive(Clone, Copy)]
enum Missing {
    Create(Readers),
    Refuse,
}

impl Beneath {
    /// Creates a file, or replaces a regular one, whole or not at all. Missing directories are made.
    pub fn write(
        &self,
        relative: &Path,
        content: &[u8],
        readers: Readers,
    ) -> Result<(), FileError> {
        let (directory, name) = self.enter_parent(relative, Missing::Create(readers))?;
        let (path, mode) = (self.path.join(relative), readers.file_mode());
        replace_in(directory.as_fd(), name, &path, mode, |file| file.write_all(content))
    }

    /// Reads a regular file of at most `cap` bytes; unlike [`Beneath::read`], follows no link.
    pub fn read_unlinked(&self, relative: &Path, cap: Bytes) -> Result<Vec<u8>, FileError> {
        let (directory, name) = self.enter_parent(relative, Missing::Refuse)?;
        let path = self.path.join(relative);
        let opened = open_beneath(directory.as_fd(), Path::new(name), FILE, Links::Refuse);
        match opened {
            Err(Errno::LOOP) => Err(FileError::NotRegular { path, found: FileKind::Link }),
            opened => read_opened(opened, &path, cap),
        }
    }

    /// Creates a directory and all that is missing above it.
    pub fn create_directory(&self, relative: &Path, readers: Readers) -> Result<(), FileError> {
        self.enter(relative, Missing::Create(readers)).map(drop)
    }

    /// Returns what stands at a path, without following a link; `None` when nothing does.
    pub fn kind_of(&self, relative: &Path) -> Result<Option<FileKind>, FileError> {
        match self.enter_parent(relative, Missing::Refuse) {
            Ok((directory, name)) => match kind_in(directory.as_fd(), name) {
                Ok(kind) => Ok(Some(kind)),
                Err(Errno::NOENT) => Ok(None),
                Err(errno) => {
                    Err(FileError::io(Operation::Inspect, &self.path.join(relative))(errno.into()))
                }
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Removes a file or a link, never a directory, and never what a link leads to.
    pub fn remove_file(&self, relative: &Path) -> Result<(), FileError> {
        let (directory, name) = self.enter_parent(relative, Missing::Refuse)?;
        rustix::fs::unlinkat(&directory, name, AtFlags::empty()).map_err(|errno| {
            FileError::io(Operation::Remove, &self.path.join(relative))(errno.into())
        })
    }

    /// Removes a directory if nothing is in it, and reports whether it is gone.
    pub fn remove_empty_directory(&self, relative: &Path) -> Result<bool, FileError> {
        let (directory, name) = match self.enter_parent(relative, Missing::Refuse) {
            Ok(entered) => entered,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
            Err(error) => return Err(error),
        };
        match rustix::fs::unlinkat(&directory, name, AtFlags::REMOVEDIR) {
            Ok(()) | Err(Errno::NOENT) => Ok(true),
            Err(Errno::NOTEMPTY | Errno::EXIST | Errno::NOTDIR) => Ok(false),
            Err(errno) => {
                Err(FileError::io(Operation::Remove, &self.path.join(relative))(errno.into()))
            }
        }
    }

    /// Removes the temporary files that killed writers left in a directory. The caller knows that
    /// nobody is writing there.
    pub fn remove_leftovers(&self, relative: &Path) -> Result<(), FileError> {
        let entries = match self.list(relative, DIRECTORY_ENTRIES) {
            Ok(listed) => listed.entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        let is_leftover = |kind, name: &OsStr| kind == FileKind::Regular && is_temporary(name);
        for entry in entries.iter().filter(|entry| is_leftover(entry.kind, &entry.name)) {
            self.remove_file(&relative.join(&entry.name))?;
        }
        Ok(())
    }

    /// Opens the directory that holds the last component of a path, and returns that component.
    fn enter_parent<'p>(
        &self,
        relative: &'p Path,
        missing: Missing,
    ) -> Result<(OwnedFd, &'p OsStr), FileError> {
        let refused = |refusal: PathRefusal| refusal.at(&self.path.join(relative));
        check_inner(relative).map_err(refused)?;
        let name = relative.file_name().ok_or(PathRefusal::Empty).map_err(refused)?;
        let parent = relative.parent().unwrap_or(Path::new(""));
        Ok((self.enter(parent, missing)?, name))
    }

    /// Opens a directory beneath this one, name by name.
    fn enter(&self, relative: &Path, missing: Missing) -> Result<OwnedFd, FileError> {
        let mut path = self.path.clone();
        let mut here = open_directory(self.handle(), OsStr::new("."))
            .map_err(|errno| FileError::io(Operation::Open, &path)(errno.into()))?;
        if relative.as_os_str().is_empty() {
            return Ok(here);
        }
        check_inner(relative).map_err(|refusal| refusal.at(&self.path.join(relative)))?;
        for name in relative.components().map(Component::as_os_str) {
            path.push(name);
            here = enter_one(here.as_fd(), name, &path, missing)?;
        }
        Ok(here)
    }
}

/// Opens one directory of another, and creates it where it is missing and shall not be.
fn enter_one(
    here: BorrowedFd<'_>,
    name: &OsStr,
    path: &Path,
    missing: Missing,
) -> Result<OwnedFd, FileError> {
    let mut opened = open_directory(here, name);
    if let (Err(Errno::NOENT), Missing::Create(readers)) = (&opened, missing) {
        match rustix::fs::mkdirat(here, name, readers.directory_mode()) {
            // Another process may have been faster.
            Ok(()) | Err(Errno::EXIST) => opened = open_directory(here, name),
            Err(errno) => {
                return Err(FileError::io(Operation::CreateDirectory, path)(errno.into()));
            }
        }
    }
    opened.map_err(|errno| match (errno, kind_in(here, name)) {
        (Errno::LOOP | Errno::NOTDIR, Ok(found)) if found != FileKind::Directory => {
            FileError::NotDirectory { path: path.to_path_buf(), found }
        }
        (errno, Ok(_) | Err(_)) => FileError::io(Operation::Open, path)(errno.into()),
    })
}

fn open_directory(here: BorrowedFd<'_>, name: &OsStr) -> Result<OwnedFd, Errno> {
    let flags = DIRECTORY | OFlags::NOFOLLOW;
    rustix::io::retry_on_intr(|| rustix::fs::openat(here, name, flags, Mode::empty()))
}

fn kind_in(here: BorrowedFd<'_>, name: &OsStr) -> Result<FileKind, Errno> {
    let found = rustix::fs::statat(here, name, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok(FileKind::from(FileType::from_raw_mode(found.st_mode)))
}

#[cfg(test)]
mod tests;
