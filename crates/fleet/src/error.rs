//! What can go wrong between a caller and a process.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::LINE_CAP;

/// Says why a process did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The program is a relative path, or a bare name without a `PATH` to look for it.
    #[error(
        "`{}` is neither an absolute path nor a name to look for in a given `PATH`",
        .program.display()
    )]
    Unfindable {
        /// The program as it was named.
        program: OsString,
    },
    /// A string with a NUL byte cannot be handed to a process.
    #[error("a NUL byte in {part} for `{}`", .program.display())]
    Nul {
        /// The program as it was named.
        program: OsString,
        /// Which of the strings it was.
        part: String,
    },
    /// A variable's name is empty or contains `=`.
    #[error("`{}` cannot be the name of an environment variable", .name.display())]
    VariableName {
        /// The name as it was given.
        name: OsString,
    },
    /// The working directory does not exist or is not a directory.
    #[error("no directory `{}` to start `{}` in", .directory.display(), .program.display())]
    Directory {
        /// The program as it was named.
        program: OsString,
        /// The directory as it was given.
        directory: PathBuf,
    },
    /// The system refused to start the program.
    #[error("cannot start `{}`", .program.display())]
    Spawn {
        /// The program as it was named.
        program: OsString,
        /// What the system said.
        source: io::Error,
    },
    /// The program started, but a pipe or thread to watch it could not be made; it was killed.
    #[error("cannot watch over `{}`", .program.display())]
    Watch {
        /// The program as it was named.
        program: OsString,
        /// What the system said.
        source: io::Error,
    },
}

/// Says why a line was not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The text contains a line break, so it would arrive as several lines.
    #[error("a line to send contains a line break")]
    ManyLines,
    /// The process closed its standard input, or the caller did.
    #[error("the standard input of the process is closed")]
    Closed,
    /// The process has not read what was sent before.
    #[error("the process does not read its standard input")]
    Backlog,
}

/// Says why no line could be returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// The process printed no whole line in time.
    #[error("no line arrived within {waited:?}")]
    Late {
        /// How long the caller waited.
        waited: Duration,
    },
    /// The line was longer than [`LINE_CAP`] and is lost; the next one can still be read.
    #[error("a line of {length} bytes is longer than the limit of {LINE_CAP}")]
    TooLong {
        /// How long the line was.
        length: usize,
    },
}
