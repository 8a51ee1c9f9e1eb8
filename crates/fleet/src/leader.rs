//! The first process of a group: waiting for it, stopping it, reaping it.
//!
//! The number of a group may be given to a stranger as soon as its leader is reaped and the group is
//! empty.
//! So the leader's end is only observed (`WNOWAIT`), the rest of the group is killed while the dead
//! leader still holds the number, and only then is the leader reaped.
//! No signal is ever sent after that.

use std::io;
use std::process::Child;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use rustix::io::retry_on_intr;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
#[cfg(target_os = "linux")]
use rustix::process::{Resource, Rlimit, prlimit};

use crate::Ending;

/// How long a process may take to end after `SIGTERM` before it is killed.
///
/// An agent needs a moment to write its transcript; one that needs longer is stuck.
pub const GRACE: Duration = Duration::from_secs(5);

/// How long to wait for a killed process before giving it up.
///
/// Only a process stuck in the kernel, on a dead network disk say, outlives `SIGKILL` this long.
pub const UNKILLABLE: Duration = Duration::from_secs(5);

/// The leader of a process group; dropping it kills the group.
#[derive(Debug)]
pub(crate) struct Leader {
    child: Child,
    group: Pid,
    /// Disconnected as soon as the leader has ended; nothing is ever sent.
    ended: Receiver<()>,
    buried: bool,
}

impl Leader {
    /// Takes charge of a process that was started as the leader of its own group.
    pub(crate) fn watch(child: Child) -> io::Result<Self> {
        let (running, ended) = mpsc::channel::<()>();
        let group = Pid::from_child(&child);
        // The leader exists before the thread, so that a failure to make the thread kills the group.
        let leader = Self { child, group, ended, buried: false };
        thread::Builder::new().name("fleet-wait".to_owned()).spawn(move || {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            match retry_on_intr(|| waitid(WaitId::Pid(group), options)) {
                // An error means that the status went elsewhere, hence that the leader is gone.
                Ok(_) | Err(_) => drop(running),
            }
        })?;
        Ok(leader)
    }

    /// Limits the memory that the leader, and what it starts from now on, may fill.
    #[cfg(target_os = "linux")]
    pub(crate) fn limit_memory(&self, bytes: u64) {
        let limit = Rlimit { current: Some(bytes), maximum: Some(bytes) };
        match prlimit(Some(self.group), Resource::Data, limit) {
            // An error means that the leader has ended, or that a lower limit holds already.
            Ok(_) | Err(_) => {}
        }
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) const fn limit_memory(&self, _bytes: u64) {}

    /// Waits until the leader ends or the deadline passes, then stops what is left of the group.
    pub(crate) fn end(&mut self, deadline: Duration) -> Ending {
        if self.ends_within(deadline) {
            return self.bury();
        }
        self.signal(Signal::TERM);
        self.ends_within(GRACE);
        self.bury();
        Ending::TimedOut
    }

    /// Kills the group and reaps the leader, or gives it up when it cannot be killed.
    fn bury(&mut self) -> Ending {
        self.buried = true;
        self.signal(Signal::KILL);
        if !self.ends_within(UNKILLABLE) {
            return Ending::Lost;
        }
        self.child.wait().map_or(Ending::Lost, Ending::from)
    }

    fn ends_within(&self, limit: Duration) -> bool {
        match self.ended.recv_timeout(limit) {
            Ok(()) | Err(RecvTimeoutError::Disconnected) => true,
            Err(RecvTimeoutError::Timeout) => false,
        }
    }

    /// Sends a signal to every process of the group that will take it.
    fn signal(&self, signal: Signal) {
        match kill_process_group(self.group, signal) {
            // An error means that nobody is left or that those left run as another user; either way
            // there is nothing to do about it, and the waits that follow are bounded.
            Ok(()) | Err(_) => {}
        }
    }
}

impl Drop for Leader {
    fn drop(&mut self) {
        if !self.buried {
            self.bury();
        }
    }
}
