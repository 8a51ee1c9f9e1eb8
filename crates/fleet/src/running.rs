//! Starting a process and staying in touch with it.

use std::io;
use std::process::Stdio;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::time::Duration;

use crate::leader::Leader;
use crate::pumps::Pumps;
use crate::{Finished, Launch, LineError, SendError, StartError};

/// How many lines wait in each direction before the writer of lines is held up or refused.
///
/// Sixty-four of the longest lines are 64 MiB, the most a conversation may cost in memory.
pub const LINES_QUEUED: usize = 64;

/// Runs a process to its end, or to its deadline.
///
/// The call returns after `deadline`, [`GRACE`](crate::GRACE), [`UNKILLABLE`](crate::UNKILLABLE)
/// and [`DRAIN`](crate::DRAIN) at the latest, whatever the process does.
pub fn start(launch: &Launch, deadline: Duration) -> Result<Finished, StartError> {
    let input = if launch.given_input().is_some() { Stdio::piped() } else { Stdio::null() };
    let running = spawn(launch, input, Listener::Nobody)?;
    Ok(running.finish(deadline))
}

/// Starts a process that outlives us, and lets go of it: it hears and says nothing.
///
/// For a worker that bounds its own life; everything else belongs to whoever started it.
pub fn let_go(launch: &Launch) -> Result<(), StartError> {
    let mut command = launch.command(Stdio::null())?;
    command.stdout(Stdio::null()).stderr(Stdio::null());
    // Whoever is our parent when we end takes care of it.
    let program = || launch.program().to_owned();
    command.spawn().map(drop).map_err(|source| StartError::Spawn { program: program(), source })
}

/// Starts a process to talk to line by line.
///
/// Input given with the launch is sent first; the standard input then stays open.
pub fn open(launch: &Launch) -> Result<Running, StartError> {
    spawn(launch, Stdio::piped(), Listener::Caller)
}

/// A process that has been started; dropping it kills its whole group.
#[derive(Debug)]
pub struct Running {
    // Dropped in this order: without its queues no pump waits for us, and without its processes no
    // pump waits for them, so that joining the pumps comes to an end.
    input: Option<SyncSender<Vec<u8>>>,
    lines: Option<Receiver<Result<String, LineError>>>,
    leader: Leader,
    pumps: Pumps,
}

impl Running {
    /// Sends a line, to which the line break is added; never waits.
    ///
    /// `Ok` means that the line is on its way, not that the process has read it.
    pub fn send_line(&mut self, line: &str) -> Result<(), SendError> {
        if line.contains('\n') {
            return Err(SendError::ManyLines);
        }
        let Some(input) = &self.input else {
            return Err(SendError::Closed);
        };
        input.try_send(format!("{line}\n").into_bytes()).map_err(|error| match error {
            TrySendError::Full(_) => SendError::Backlog,
            TrySendError::Disconnected(_) => SendError::Closed,
        })
    }

    /// Returns the next line of the standard output, or `None` at its end.
    pub fn next_line(&mut self, patience: Duration) -> Result<Option<String>, LineError> {
        let Some(lines) = &self.lines else {
            return Ok(None);
        };
        match lines.recv_timeout(patience) {
            Ok(line) => line.map(Some),
            Err(RecvTimeoutError::Timeout) => Err(LineError::Late { waited: patience }),
            Err(RecvTimeoutError::Disconnected) => Ok(None),
        }
    }

    /// Closes the standard input once everything sent was read.
    pub fn close_stdin(&mut self) {
        self.input = None;
    }

    /// Closes the standard input and waits for the end of the process, or for its deadline.
    ///
    /// Lines not taken yet are no longer handed out, but are part of the output.
    pub fn finish(self, deadline: Duration) -> Finished {
        let Self { input, lines, mut leader, pumps } = self;
        drop(input);
        drop(lines);
        let ending = leader.end(deadline);
        let (output, errors) = pumps.settle();
        Finished { ending, output, errors }
    }
}

/// Who takes the lines of the standard output.
#[derive(Clone, Copy)]
enum Listener {
    Nobody,
    Caller,
}

fn spawn(launch: &Launch, input: Stdio, listener: Listener) -> Result<Running, StartError> {
    let program = || launch.program().to_owned();
    let mut child = launch
        .command(input)?
        .spawn()
        .map_err(|source| StartError::Spawn { program: program(), source })?;
    let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let watch = || -> io::Result<Running> {
        let leader = Leader::watch(child)?;
        if let Some(bytes) = launch.memory_limit() {
            leader.limit_memory(bytes);
        }
        let mut pumps = Pumps::new()?;
        let (stdin, stdout, stderr) = pipes;
        let mut input = None;
        if let Some(pipe) = stdin {
            let (queue, queued) = mpsc::sync_channel(LINES_QUEUED);
            pumps.feed(pipe, queued)?;
            let sent = launch.given_input().map(|bytes| queue.try_send(bytes.to_vec()));
            // The queue was empty, so the only failure is a process that has already closed its
            // input, and then there is nobody to write to.
            input = match sent {
                Some(Err(_)) => None,
                Some(Ok(())) | None => Some(queue),
            };
        }
        let mut lines = None;
        if let Some(pipe) = stdout {
            match listener {
                Listener::Nobody => pumps.keep_output(pipe)?,
                Listener::Caller => {
                    let (queue, queued) = mpsc::sync_channel(LINES_QUEUED);
                    pumps.hand_on_output(pipe, queue)?;
                    lines = Some(queued);
                }
            }
        }
        if let Some(pipe) = stderr {
            pumps.keep_errors(pipe)?;
        }
        Ok(Running { input, lines, leader, pumps })
    };
    watch().map_err(|source| StartError::Watch { program: program(), source })
}
