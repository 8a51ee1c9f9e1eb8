//! The threads that move bytes between a process and us.
//!
//! A pump never blocks on its pipe alone: it waits for the pipe or for being told to stop, so every
//! thread started here is also joined here, even when a process that left the group holds the other
//! end of the pipe for ever.

use std::io::{self, ErrorKind, PipeReader, PipeWriter, Read, Write};
use std::os::fd::AsFd;
use std::process::ChildStdin;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::retry_on_intr;

use crate::lines::Lines;
use crate::{Captured, LineError};

/// How long to go on reading after the group was killed.
///
/// What is left in the pipes is read at once, even on a machine that is short of breath; only a
/// process that left the group makes us wait this long.
pub const DRAIN: Duration = Duration::from_secs(5);

/// How much is read at once; the capacity of a pipe, so that one read empties it.
const CHUNK: usize = 64 * 1024;

/// The pumps of one process; dropping them stops and joins them.
#[derive(Debug)]
pub(crate) struct Pumps {
    /// Hangs up `stop` when dropped.
    go_on: Option<PipeWriter>,
    stop: Arc<PipeReader>,
    /// A copy of the sender lives in each thread, so that the last one to end disconnects `idle`.
    busy: Option<Sender<()>>,
    idle: Receiver<()>,
    output: Option<JoinHandle<Captured>>,
    errors: Option<JoinHandle<Captured>>,
    input: Option<JoinHandle<()>>,
}

impl Pumps {
    /// Prepares to pump; nothing runs yet.
    pub(crate) fn new() -> io::Result<Self> {
        let (stop, go_on) = io::pipe()?;
        let (busy, idle) = mpsc::channel();
        Ok(Self {
            go_on: Some(go_on),
            stop: Arc::new(stop),
            busy: Some(busy),
            idle,
            output: None,
            errors: None,
            input: None,
        })
    }

    /// Starts to keep what arrives on `pipe`, the standard error.
    pub(crate) fn keep_errors(
        &mut self,
        pipe: impl Read + AsFd + Send + 'static,
    ) -> io::Result<()> {
        let work = move |stop: &PipeReader| keep(pipe, stop, |_| {});
        self.errors = Some(self.spawn("fleet-stderr", work)?);
        Ok(())
    }

    /// Starts to keep what arrives on `pipe`, the standard output.
    pub(crate) fn keep_output(
        &mut self,
        pipe: impl Read + AsFd + Send + 'static,
    ) -> io::Result<()> {
        let work = move |stop: &PipeReader| keep(pipe, stop, |_| {});
        self.output = Some(self.spawn("fleet-stdout", work)?);
        Ok(())
    }

    /// Starts to keep what arrives on `pipe`, the standard output, and to hand on its lines.
    ///
    /// A full queue makes the process wait, as a full pipe does, until the receiver takes a line or
    /// is dropped.
    pub(crate) fn hand_on_output(
        &mut self,
        pipe: impl Read + AsFd + Send + 'static,
        queue: SyncSender<Result<String, LineError>>,
    ) -> io::Result<()> {
        let work = move |stop: &PipeReader| {
            let (mut lines, mut queue) = (Lines::default(), Some(queue));
            let captured = keep(pipe, stop, |chunk| {
                lines.push(chunk, |line| offer(&mut queue, line));
            });
            if let Some(line) = lines.rest() {
                offer(&mut queue, line);
            }
            captured
        };
        self.output = Some(self.spawn("fleet-stdout", work)?);
        Ok(())
    }

    /// Starts to write what arrives in `queue` to `pipe`, and closes it when the queue is closed.
    pub(crate) fn feed(&mut self, pipe: ChildStdin, queue: Receiver<Vec<u8>>) -> io::Result<()> {
        // A write to a pipe that has room for less than all of it blocks; ours may not.
        fcntl_setfl(&pipe, fcntl_getfl(&pipe)? | OFlags::NONBLOCK)?;
        let work = move |stop: &PipeReader| write(pipe, &queue, stop);
        self.input = Some(self.spawn("fleet-stdin", work)?);
        Ok(())
    }

    /// Waits until every pump came to its end, at most [`DRAIN`], and returns what was kept.
    pub(crate) fn settle(mut self) -> (Captured, Captured) {
        self.busy = None;
        match self.idle.recv_timeout(DRAIN) {
            Ok(()) | Err(RecvTimeoutError::Disconnected | RecvTimeoutError::Timeout) => {}
        }
        self.join()
    }

    fn join(&mut self) -> (Captured, Captured) {
        self.go_on = None;
        match self.input.take().map(JoinHandle::join) {
            Some(Ok(()) | Err(_)) | None => {}
        }
        (collect(self.output.take()), collect(self.errors.take()))
    }

    fn spawn<T: Send + 'static>(
        &self,
        name: &str,
        work: impl FnOnce(&PipeReader) -> T + Send + 'static,
    ) -> io::Result<JoinHandle<T>> {
        let (stop, busy) = (Arc::clone(&self.stop), self.busy.clone());
        thread::Builder::new().name(name.to_owned()).spawn(move || {
            let result = work(&stop);
            drop(busy);
            result
        })
    }
}

impl Drop for Pumps {
    fn drop(&mut self) {
        self.join();
    }
}

/// Returns what a pump kept; one that panicked kept nothing and saw no end.
fn collect(pump: Option<JoinHandle<Captured>>) -> Captured {
    pump.and_then(|thread| thread.join().ok()).unwrap_or_default()
}

/// Reads the pipe to its end, or until told to stop.
fn keep(mut pipe: impl Read + AsFd, stop: &PipeReader, mut each: impl FnMut(&[u8])) -> Captured {
    let mut captured = Captured::default();
    let mut buffer = vec![0; CHUNK];
    while wait(&pipe, PollFlags::IN, stop) == Wait::Ready {
        match pipe.read(&mut buffer) {
            Ok(0) => {
                captured.ended = true;
                break;
            }
            Ok(length) => {
                let chunk = buffer.get(..length).unwrap_or_default();
                captured.push(chunk);
                each(chunk);
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    captured
}

/// Writes everything queued, until the process stops reading or we are told to stop.
fn write(mut pipe: ChildStdin, queue: &Receiver<Vec<u8>>, stop: &PipeReader) {
    for bytes in queue {
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            if wait(&pipe, PollFlags::OUT, stop) == Wait::Stopped {
                return;
            }
            match pipe.write(rest) {
                Ok(length) => rest = rest.get(length..).unwrap_or_default(),
                Err(error)
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
                // The process closed its input, which it may.
                Err(_) => return,
            }
        }
    }
}

/// Hands a line on as long as somebody listens.
fn offer(
    queue: &mut Option<SyncSender<Result<String, LineError>>>,
    line: Result<String, LineError>,
) {
    if queue.as_ref().is_some_and(|open| open.send(line).is_err()) {
        *queue = None;
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wait {
    Ready,
    Stopped,
}

/// Waits until the pipe can be used, has failed or was closed, or until we are told to stop.
fn wait(pipe: &impl AsFd, events: PollFlags, stop: &PipeReader) -> Wait {
    let mut both = [PollFd::new(pipe, events), PollFd::new(stop, PollFlags::IN)];
    if retry_on_intr(|| poll(&mut both, None)).is_err() {
        return Wait::Stopped;
    }
    let [_, stop] = both;
    if stop.revents().is_empty() { Wait::Ready } else { Wait::Stopped }
}
