//! Opening files strictly beneath one directory, whatever links others put there and whenever they
//! swap them; `write` changes them there.
//!
//! The kernel resolves the path from a handle and refuses to leave it; where it cannot do that, the
//! path is walked part by part without ever following a link unseen. A path is never checked first
//! and opened afterwards, and nothing but regular files is read.

use std::ffi::OsString;
use std::fs::{File, Metadata};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags};
use rustix::io::Errno;

use crate::bytes::Bytes;
use crate::error::{FileError, FileKind, Operation};
use crate::open::Links;
use crate::read::read_whole;

/// Why a path was refused, whatever is on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathRefusal {
    /// There is nothing to open.
    #[error("the path is empty")]
    Empty,
    /// The path does not begin at the directory.
    #[error("the path is absolute")]
    Absolute,
    /// The path could lead out of the directory.
    #[error("the path climbs with `..`")]
    Climbs,
    /// No file has such a name.
    #[error("the path holds a NUL byte")]
    HoldsNul,
    /// A link on the way leads out of the directory.
    #[error("a link leads out of the directory")]
    Leaves,
}

impl PathRefusal {
    /// Puts the refusal and its path into the error of this room.
    pub(crate) fn at(self, path: &Path) -> FileError {
        let kind = match self {
            Self::Empty | Self::Absolute | Self::Climbs | Self::HoldsNul => {
                io::ErrorKind::InvalidInput
            }
            Self::Leaves => io::ErrorKind::PermissionDenied,
        };
        FileError::io(Operation::Open, path)(io::Error::new(kind, self))
    }
}

/// A directory that is held open, and beneath which files are read and written.
///
/// To read, relative links inside it are followed as long as they stay inside; to write, none is. No link, no `..` and no
/// moment of a race leads out of it. Absolute links are refused even when they point back inside.
#[derive(Debug)]
pub struct Beneath {
    directory: OwnedFd,
    path: PathBuf,
}

impl Beneath {
    /// Opens the directory; `links` says whether it may itself be a symbolic link.
    pub fn open(root: &Path, links: Links) -> Result<Self, FileError> {
        let follow = match links {
            Links::Follow => OFlags::empty(),
            Links::Refuse => OFlags::NOFOLLOW,
        };
        let directory = rustix::io::retry_on_intr(|| {
            rustix::fs::openat(CWD, root, DIRECTORY | follow, Mode::empty())
        })
        .map_err(|errno| FileError::io(Operation::Open, root)(errno.into()))?;
        Ok(Self::new(directory, root))
    }

    /// Takes a directory that was opened at `path`.
    pub(crate) fn new(directory: OwnedFd, path: &Path) -> Self {
        Self { directory, path: path.to_path_buf() }
    }

    /// Returns the path by which the directory was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the handle.
    pub(crate) fn handle(&self) -> BorrowedFd<'_> {
        self.directory.as_fd()
    }

    /// Reads a regular file of at most `cap` bytes.
    pub fn read(&self, relative: &Path, cap: Bytes) -> Result<Vec<u8>, FileError> {
        check_inner(relative).map_err(|refusal| refusal.at(&self.path.join(relative)))?;
        let opened = open_beneath(self.handle(), relative, FILE, Links::Follow);
        read_opened(opened, &self.path.join(relative), cap)
    }
}

/// How a directory is opened to be the base of other paths, which needs no right to list it.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) const DIRECTORY: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// How a file is opened: without `NONBLOCK` a named pipe would hold us until somebody writes.
pub(crate) const FILE: OFlags =
    OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// How often the kernel is asked again when directories were renamed while it resolved a path.
#[cfg(any(target_os = "linux", target_os = "android"))]
const ATTEMPTS: usize = 16;

/// Most links followed on the way to one file, as in the kernel.
const MOST_LINKS: usize = 40;

/// Refuses what is not a plain path into a directory, before the system is asked.
pub(crate) fn check_inner(relative: &Path) -> Result<(), PathRefusal> {
    let raw = relative.as_os_str().as_bytes();
    if raw.contains(&0) {
        return Err(PathRefusal::HoldsNul);
    }
    let mut named = Err(PathRefusal::Empty);
    for component in relative.components() {
        match component {
            Component::Normal(_) => named = Ok(()),
            Component::CurDir => {}
            Component::ParentDir => return Err(PathRefusal::Climbs),
            Component::RootDir | Component::Prefix(_) => return Err(PathRefusal::Absolute),
        }
    }
    named
}

/// Opens what a path beneath a directory leads to; `XDEV` says that it leads out of it.
///
/// With [`Links::Refuse`] there may be no link on the whole way, and `LOOP` says that there is one.
pub(crate) fn open_beneath(
    directory: BorrowedFd<'_>,
    relative: &Path,
    flags: OFlags,
    links: Links,
) -> Result<OwnedFd, Errno> {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        use rustix::fs::ResolveFlags;
        let inside = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
        let resolve = match links {
            Links::Follow => inside,
            Links::Refuse => inside | ResolveFlags::NO_SYMLINKS,
        };
        for _ in 0..ATTEMPTS {
            match rustix::fs::openat2(directory, relative, flags, Mode::empty(), resolve) {
                Err(Errno::INTR | Errno::AGAIN) => {}
                // Old kernels do not know the call, and old sandboxes forbid what they do not know.
                Err(Errno::NOSYS | Errno::PERM) => break,
                answer => return answer,
            }
        }
    }
    open_by_parts(directory, relative, flags, links)
}

/// Opens part by part. Each part is opened without following it; a link is read and its parts take
/// its place. `..` goes back to a handle that is still open and never asks the disk, so that a
/// directory that is moved meanwhile leads nowhere else.
fn open_by_parts(
    directory: BorrowedFd<'_>,
    relative: &Path,
    flags: OFlags,
    links: Links,
) -> Result<OwnedFd, Errno> {
    let mut entered: Vec<OwnedFd> = Vec::new();
    let mut pending = Vec::new();
    push_parts(&mut pending, relative)?;
    let mut followed = 0;
    while let Some(part) = pending.pop() {
        if part == ".." {
            entered.pop().ok_or(Errno::XDEV)?;
            continue;
        }
        let here = entered.last().map_or(directory, AsFd::as_fd);
        let is_last = pending.is_empty();
        let wanted = if is_last { flags } else { DIRECTORY } | OFlags::NOFOLLOW;
        match rustix::io::retry_on_intr(|| rustix::fs::openat(here, &part, wanted, Mode::empty())) {
            Ok(opened) if is_last => return Ok(opened),
            Ok(opened) => entered.push(opened),
            // With `DIRECTORY`, a link is refused as something that is no directory.
            Err(errno @ (Errno::LOOP | Errno::NOTDIR)) => {
                let target = rustix::fs::readlinkat(here, &part, Vec::new()).map_err(|_| errno)?;
                followed += 1;
                if links == Links::Refuse || followed > MOST_LINKS {
                    return Err(Errno::LOOP);
                }
                push_parts(&mut pending, Path::new(&OsString::from_vec(target.into_bytes())))?;
            }
            Err(errno) => return Err(errno),
        }
    }
    // The path ended in `..` or `.`, so it leads to a directory that is already open.
    let here = entered.last().map_or(directory, AsFd::as_fd);
    rustix::fs::openat(here, ".", flags, Mode::empty())
}

fn push_parts(pending: &mut Vec<OsString>, path: &Path) -> Result<(), Errno> {
    for component in path.components().rev() {
        match component {
            Component::Normal(name) => pending.push(name.to_owned()),
            Component::ParentDir => pending.push("..".into()),
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return Err(Errno::XDEV),
        }
    }
    Ok(())
}

/// Checks on the handle that a regular file was opened.
pub(crate) fn regular(
    opened: Result<OwnedFd, Errno>,
    path: &Path,
) -> Result<(File, Metadata), FileError> {
    let not_regular = |found| FileError::NotRegular { path: path.to_path_buf(), found };
    let file = match opened {
        Ok(descriptor) => File::from(descriptor),
        Err(Errno::XDEV) => return Err(PathRefusal::Leaves.at(path)),
        // No socket can be opened, and no device that has no driver.
        Err(Errno::NXIO) => return Err(not_regular(FileKind::Socket)),
        Err(errno) => return Err(FileError::io(Operation::Open, path)(errno.into())),
    };
    let metadata = file.metadata().map_err(FileError::io(Operation::Inspect, path))?;
    if metadata.is_file() {
        return Ok((file, metadata));
    }
    Err(not_regular(FileKind::from(metadata.file_type())))
}

/// Reads the whole of what was opened, which must be a regular file of at most `cap` bytes.
pub(crate) fn read_opened(
    opened: Result<OwnedFd, Errno>,
    path: &Path,
    cap: Bytes,
) -> Result<Vec<u8>, FileError> {
    let (file, metadata) = regular(opened, path)?;
    read_whole(file, &metadata, path, cap)
}

mod write;

pub use write::Readers;

#[cfg(test)]
mod tests;
