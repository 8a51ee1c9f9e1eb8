//! The listening side: one thread accepts, one thread serves each connection.
//!
//! The server lives as long as its value: dropping it closes every connection and joins every thread.

use std::io::{self, PipeReader, PipeWriter};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::retry_on_intr;

use crate::connection::serve;
use crate::model::Model;
use crate::{Request, Script};

/// How many connections are served at once; a client with subagents opens about ten.
///
/// Further ones are closed at once, so that a client gone wild cannot exhaust our threads.
pub const CONNECTIONS: usize = 64;

/// How long to rest when a connection cannot be accepted, for want of file descriptors say.
const REST: Duration = Duration::from_millis(50);

/// Says why the server did not start.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// No port of the loopback address could be had.
    #[error("cannot listen on the loopback address")]
    Listen(#[source] io::Error),
    /// The thread that accepts connections, or the pipe to stop it, could not be made.
    #[error("cannot start the thread that accepts connections")]
    Accept(#[source] io::Error),
}

/// A running scripted model.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    model: Arc<Model>,
    /// Tells the acceptor to stop when it is dropped.
    go_on: Option<PipeWriter>,
    acceptor: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts to listen on a free port of the loopback address.
    pub fn start(script: Script) -> Result<Self, ProbeError> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(ProbeError::Listen)?;
        let address = listener.local_addr().map_err(ProbeError::Listen)?;
        let model = Arc::new(Model::new(address.port().to_string(), script));
        let (stop, go_on) = io::pipe().map_err(ProbeError::Accept)?;
        let played = Arc::clone(&model);
        let acceptor = thread::Builder::new()
            .name("probe-accept".to_owned())
            .spawn(move || accept(&listener, &stop, &played))
            .map_err(ProbeError::Accept)?;
        Ok(Self { address, model, go_on: Some(go_on), acceptor: Some(acceptor) })
    }

    /// Returns the address to give to a client, such as `http://127.0.0.1:40001`.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns every request received so far, in the order they were answered.
    pub fn requests(&self) -> Vec<Request> {
        self.model.requests()
    }

    /// Returns how many replies of the script nobody has asked for yet.
    pub fn replies_left(&self) -> usize {
        self.model.replies_left()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.go_on = None;
        if let Some(acceptor) = self.acceptor.take() {
            join(acceptor);
        }
    }
}

/// A connection being served.
struct Served {
    stream: TcpStream,
    thread: JoinHandle<()>,
}

/// Accepts connections until told to stop, then closes them all.
fn accept(listener: &TcpListener, stop: &PipeReader, model: &Arc<Model>) {
    let mut served: Vec<Served> = Vec::new();
    while somebody_calls(listener, stop) {
        let connection = listener.accept().and_then(|(stream, _)| {
            served.retain(|connection| !connection.thread.is_finished());
            if served.len() < CONNECTIONS {
                serve_beside(stream, model).map(Some)
            } else {
                Ok(None)
            }
        });
        match connection {
            Ok(connection) => served.extend(connection),
            Err(_) => thread::sleep(REST),
        }
    }
    for connection in &served {
        // An error means that this connection is closed already.
        match connection.stream.shutdown(Shutdown::Both) {
            Ok(()) | Err(_) => {}
        }
    }
    for connection in served {
        join(connection.thread);
    }
}

/// Waits for a connection and returns true, or returns false when told to stop.
fn somebody_calls(listener: &TcpListener, stop: &PipeReader) -> bool {
    let mut both = [PollFd::new(listener, PollFlags::IN), PollFd::new(stop, PollFlags::IN)];
    let found = retry_on_intr(|| poll(&mut both, None));
    let [_, stop] = both;
    found.is_ok() && stop.revents().is_empty()
}

/// Serves a connection in a thread of its own.
fn serve_beside(stream: TcpStream, model: &Arc<Model>) -> io::Result<Served> {
    stream.set_nodelay(true)?;
    let handle = stream.try_clone()?;
    let model = Arc::clone(model);
    let thread = thread::Builder::new()
        .name("probe-serve".to_owned())
        .spawn(move || serve(&stream, &model))?;
    Ok(Served { stream: handle, thread })
}

/// Waits for a thread; its panic, if it had one, was reported and concerns its connection alone.
fn join(thread: JoinHandle<()>) {
    match thread.join() {
        Ok(()) | Err(_) => {}
    }
}
