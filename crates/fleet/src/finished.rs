//! How a process ended and what it left behind.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use crate::Captured;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It ended by itself with this exit code.
    Exited(i32),
    /// This signal, not sent by us, ended it.
    Signalled(i32),
    /// It was still running at its deadline and was stopped.
    TimedOut,
    /// It ended, but the system did not tell how: somebody else collected its status.
    Lost,
}

impl From<ExitStatus> for Ending {
    fn from(status: ExitStatus) -> Self {
        match (status.code(), status.signal()) {
            (Some(code), _) => Self::Exited(code),
            (None, Some(signal)) => Self::Signalled(signal),
            (None, None) => Self::Lost,
        }
    }
}

/// A process that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// How it ended.
    pub ending: Ending,
    /// What it wrote to standard output.
    pub output: Captured,
    /// What it wrote to standard error.
    pub errors: Captured,
}

impl Finished {
    /// Returns whether the process ended by itself with exit code 0.
    pub fn succeeded(&self) -> bool {
        self.ending == Ending::Exited(0)
    }

    /// Returns whether the process was stopped at its deadline.
    pub fn timed_out(&self) -> bool {
        self.ending == Ending::TimedOut
    }
}
