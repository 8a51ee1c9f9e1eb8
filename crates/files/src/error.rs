//! The one error of this room. It always names the path, and what was attempted with it.

use std::fmt;
use std::fs::FileType;
use std::io;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use crate::append::LineRefusal;
use crate::bytes::Bytes;

/// Why something on disk could not be read, written or locked.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The system refused; the cause is the source.
    #[error("cannot {operation} `{}`", path.display())]
    Io {
        /// What was attempted.
        operation: Operation,
        /// The path it was attempted on.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The system refused to rename; the cause is the source.
    #[error("cannot rename `{}` to `{}`", from.display(), to.display())]
    Rename {
        /// The old path.
        from: PathBuf,
        /// The new path.
        to: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Only regular files are read and written.
    #[error("cannot open `{}`: it is {found}, not a regular file", path.display())]
    NotRegular {
        /// The path that was opened.
        path: PathBuf,
        /// What is there instead.
        found: FileKind,
    },
    /// Something else stands where a directory has to be. Links are never followed there.
    #[error("cannot use `{}` as a directory: it is {found}", path.display())]
    NotDirectory {
        /// What is in the way.
        path: PathBuf,
        /// What it is.
        found: FileKind,
    },
    /// The file is larger than the reader allows.
    #[error("cannot read `{}`: it is larger than {cap}", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The most that was allowed.
        cap: Bytes,
    },
    /// The file is not text.
    #[error("cannot read `{}` as text: byte {offset} is not UTF-8", path.display())]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// Where the first invalid byte is, counted from the start of the file.
        offset: usize,
    },
    /// The directory holds more than is listed.
    #[error("cannot list `{}`: it holds more than {most} entries", path.display())]
    TooManyEntries {
        /// The directory.
        path: PathBuf,
        /// The most that is listed.
        most: usize,
    },
    /// The line cannot be one line of a log.
    #[error("cannot append to `{}`: {reason}", path.display())]
    LineRefused {
        /// The log.
        path: PathBuf,
        /// What is wrong with the line.
        reason: LineRefusal,
    },
    /// Only the beginning of a line was written.
    #[error("cannot append to `{}`: only {written} of {length} bytes were written", path.display())]
    ShortWrite {
        /// The log, whose last line is now torn; the next append sets it apart.
        path: PathBuf,
        /// How much was written.
        written: usize,
        /// How much had to be written.
        length: usize,
    },
    /// The host cannot be part of a file name.
    #[error("cannot name a log in `{}`: a host is 1 to {most} of `a-z0-9-`, not `{}`", directory.display(), host.escape_debug())]
    BadHost {
        /// The directory of the logs.
        directory: PathBuf,
        /// The host as given.
        host: String,
        /// The longest host allowed, in bytes.
        most: usize,
    },
    /// Others kept replacing the file while its lock was awaited.
    #[error("cannot lock `{}`: it was replaced {times} times while waiting", path.display())]
    Replaced {
        /// The file.
        path: PathBuf,
        /// How often it was replaced.
        times: usize,
    },
}

impl FileError {
    /// Returns the kind of the failure, in the words of the standard library.
    pub fn kind(&self) -> io::ErrorKind {
        match self {
            Self::Io { source, .. } | Self::Rename { source, .. } => source.kind(),
            Self::NotRegular { found: FileKind::Directory, .. } => io::ErrorKind::IsADirectory,
            Self::NotDirectory { .. } => io::ErrorKind::NotADirectory,
            Self::NotRegular { .. } | Self::LineRefused { .. } | Self::BadHost { .. } => {
                io::ErrorKind::InvalidInput
            }
            Self::TooLarge { .. } | Self::TooManyEntries { .. } => io::ErrorKind::FileTooLarge,
            Self::NotUtf8 { .. } => io::ErrorKind::InvalidData,
            // A regular file takes a write in part only when the disk, a quota or a limit is full.
            Self::ShortWrite { .. } => io::ErrorKind::StorageFull,
            Self::Replaced { .. } => io::ErrorKind::ResourceBusy,
        }
    }

    /// Returns the path that the failure is about; for a rename, the old one.
    pub fn path(&self) -> &Path {
        match self {
            Self::Io { path, .. }
            | Self::NotRegular { path, .. }
            | Self::NotDirectory { path, .. }
            | Self::TooLarge { path, .. }
            | Self::NotUtf8 { path, .. }
            | Self::TooManyEntries { path, .. }
            | Self::LineRefused { path, .. }
            | Self::ShortWrite { path, .. }
            | Self::Replaced { path, .. } => path,
            Self::Rename { from, .. } => from,
            Self::BadHost { directory, .. } => directory,
        }
    }

    /// Returns a function that puts an operation and a path round an IO error.
    pub(crate) fn io(operation: Operation, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { operation, path: path.to_path_buf(), source }
    }
}

/// What was attempted with a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Opening a file.
    Open,
    /// Reading an open file.
    Read,
    /// Replacing a file.
    Write,
    /// Adding a line to a log.
    Append,
    /// Creating a directory.
    CreateDirectory,
    /// Listing a directory.
    List,
    /// Removing a file.
    Remove,
    /// Locking a file.
    Lock,
    /// Asking what a path is.
    Inspect,
    /// Finding where a path really is.
    Resolve,
}

impl fmt::Display for Operation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Open => "open",
            Self::Read => "read",
            Self::Write => "write",
            Self::Append => "append to",
            Self::CreateDirectory => "create the directory",
            Self::List => "list",
            Self::Remove => "remove",
            Self::Lock => "lock",
            Self::Inspect => "inspect",
            Self::Resolve => "resolve",
        })
    }
}

/// What a path is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    Regular,
    Directory,
    /// A symbolic link.
    Link,
    /// A named pipe.
    Fifo,
    Socket,
    /// A character or block device.
    Device,
    /// Something this system has and we do not know.
    Unknown,
}

impl From<FileType> for FileKind {
    fn from(kind: FileType) -> Self {
        if kind.is_file() {
            Self::Regular
        } else if kind.is_dir() {
            Self::Directory
        } else if kind.is_symlink() {
            Self::Link
        } else if kind.is_fifo() {
            Self::Fifo
        } else if kind.is_socket() {
            Self::Socket
        } else if kind.is_char_device() || kind.is_block_device() {
            Self::Device
        } else {
            Self::Unknown
        }
    }
}

impl From<rustix::fs::FileType> for FileKind {
    fn from(kind: rustix::fs::FileType) -> Self {
        use rustix::fs::FileType;
        match kind {
            FileType::RegularFile => Self::Regular,
            FileType::Directory => Self::Directory,
            FileType::Symlink => Self::Link,
            FileType::Fifo => Self::Fifo,
            FileType::Socket => Self::Socket,
            FileType::CharacterDevice | FileType::BlockDevice => Self::Device,
            FileType::Unknown => Self::Unknown,
        }
    }
}

impl fmt::Display for FileKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Regular => "a regular file",
            Self::Directory => "a directory",
            Self::Link => "a symbolic link",
            Self::Fifo => "a named pipe",
            Self::Socket => "a socket",
            Self::Device => "a device",
            Self::Unknown => "of an unknown kind",
        })
    }
}
