//! One client's connection: requests in, responses out, one after the other.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use crate::http::{BODY_CAP, Extent, Head, Refusal, Then, framing, read_body, read_head};
use crate::model::Model;

/// How long a client may pause in the middle of a request or while taking a response.
///
/// Between requests it may pause for ever: a kept connection that we close just when the client uses
/// it again would look like a failure of the network.
const STALL: Duration = Duration::from_secs(30);

/// How much of a refused request is read and thrown away before closing, in bytes: a body twice too
/// long, which a client that does not listen while it sends may still be sending.
const LINGER: u64 = 2 * BODY_CAP as u64;

/// Serves a connection until the client or the server closes it.
pub(crate) fn serve(stream: &TcpStream, model: &Model) {
    let mut reader = BufReader::new(stream);
    while let Ok(Then::KeepOpen) = exchange(&mut reader, stream, model) {}
    // Another handle to the same socket exists, so that dropping ours would not close it; an error
    // means that the client closed it first.
    match stream.shutdown(Shutdown::Both) {
        Ok(()) | Err(_) => {}
    }
}

/// Takes one request and gives the response.
fn exchange(
    reader: &mut BufReader<&TcpStream>,
    mut stream: &TcpStream,
    model: &Model,
) -> io::Result<Then> {
    stream.set_write_timeout(Some(STALL))?;
    stream.set_read_timeout(None)?;
    if reader.fill_buf()?.is_empty() {
        return Ok(Then::Close);
    }
    stream.set_read_timeout(Some(STALL))?;
    let head = match read_head(reader) {
        Ok(head) => head,
        Err(refusal) => return refuse(&refusal, stream),
    };
    let body = match read_rest(&head, reader, stream) {
        Ok(body) => body,
        Err(refusal) => {
            model.remember_refused(&head);
            return refuse(&refusal, stream);
        }
    };
    let response = model.answer(&head, &body);
    let extent = if head.method == "HEAD" { Extent::HeadOnly } else { Extent::Whole };
    let then = if head.keeps_alive() { Then::KeepOpen } else { Then::Close };
    response.write(&mut stream, extent, then)?;
    Ok(then)
}

/// Reads the body, after giving leave to send it if the client waits for that.
fn read_rest(
    head: &Head,
    reader: &mut BufReader<&TcpStream>,
    mut stream: &TcpStream,
) -> Result<Vec<u8>, Refusal> {
    let framing = framing(head)?;
    if head.waits_for_leave() {
        stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    read_body(framing, reader)
}

/// Says why the request is refused, and gives the client time to hear it.
///
/// Closing a socket with unread bytes resets the connection, and the client loses what we said.
fn refuse(refusal: &Refusal, mut stream: &TcpStream) -> io::Result<Then> {
    if let Some(response) = refusal.response() {
        response.write(&mut stream, Extent::Whole, Then::Close)?;
        stream.shutdown(Shutdown::Write)?;
        io::copy(&mut stream.take(LINGER), &mut io::sink())?;
    }
    Ok(Then::Close)
}
