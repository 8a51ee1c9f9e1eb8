//! The one way a file is opened: it cannot hang, it does not leak into children, and what was
//! opened is checked on the handle, so that nothing can be swapped between check and use.

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use crate::error::{FileError, FileKind, Operation};

/// Whether a symbolic link as the last part of a path may be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// Follow it: the path was chosen by the user.
    Follow,
    /// Refuse it: the path is inside a directory that others fill.
    Refuse,
}

/// What an opened file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Reading a file that exists.
    Read,
    /// Reading and appending to a file that is created, for its owner only, when it is missing.
    Append,
}

/// Opens a regular file; anything else is refused without reading from it.
pub(crate) fn open_regular(
    path: &Path,
    links: Links,
    access: Access,
) -> Result<(File, Metadata), FileError> {
    let descriptor =
        rustix::io::retry_on_intr(|| rustix::fs::open(path, flags(links, access), PRIVATE_FILE))
            .map_err(|errno| refusal(path, links, errno))?;
    let file = File::from(descriptor);
    let metadata = file.metadata().map_err(FileError::io(Operation::Inspect, path))?;
    match FileKind::from(metadata.file_type()) {
        FileKind::Regular => Ok((file, metadata)),
        found @ (FileKind::Directory
        | FileKind::Link
        | FileKind::Fifo
        | FileKind::Socket
        | FileKind::Device
        | FileKind::Unknown) => Err(FileError::NotRegular { path: path.to_path_buf(), found }),
    }
}

/// Files made by us are read by their owner only: they quote prompts, paths and mail.
pub(crate) const PRIVATE_FILE: Mode = Mode::RUSR.union(Mode::WUSR);

fn flags(links: Links, access: Access) -> OFlags {
    // Without NONBLOCK a named pipe holds the caller until somebody writes to it.
    let always = OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let access = match access {
        Access::Read => OFlags::RDONLY,
        Access::Append => OFlags::RDWR | OFlags::APPEND | OFlags::CREATE,
    };
    match links {
        Links::Follow => always | access,
        Links::Refuse => always | access | OFlags::NOFOLLOW,
    }
}

/// Turns the codes by which `open` refuses links, sockets and directories into what is there.
fn refusal(path: &Path, links: Links, errno: Errno) -> FileError {
    if matches!(errno, Errno::LOOP | Errno::NXIO | Errno::ISDIR)
        && let Ok(metadata) = inspect(path, links)
        && !metadata.is_file()
    {
        let found = FileKind::from(metadata.file_type());
        return FileError::NotRegular { path: path.to_path_buf(), found };
    }
    FileError::io(Operation::Open, path)(errno.into())
}

/// Asks what a path is, with or without following a link.
#[expect(clippy::disallowed_methods, reason = "this is the door that names the path")]
pub(crate) fn inspect(path: &Path, links: Links) -> Result<Metadata, FileError> {
    let metadata: io::Result<Metadata> = match links {
        Links::Follow => std::fs::metadata(path),
        Links::Refuse => std::fs::symlink_metadata(path),
    };
    metadata.map_err(FileError::io(Operation::Inspect, path))
}
