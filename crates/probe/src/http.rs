//! As much of HTTP/1.1 as a model's clients speak: reading one request, writing one response.
//!
//! Reading is strict and bounded; what cannot be understood is refused with a status, never guessed,
//! for a wrong guess about where a body ends would turn its rest into a request.

mod body;
mod head;
mod response;

use std::io::{self, BufRead, Read};

pub(crate) use body::{framing, read_body};
pub(crate) use head::{Head, read_head};
pub(crate) use response::{Extent, Response, Then};

/// The largest request line with its headers, in bytes; ten times what clients send.
pub const HEAD_CAP: usize = 64 * 1024;

/// The largest body, in bytes; the limit of the real Messages endpoint.
pub const BODY_CAP: usize = 32 * 1024 * 1024;

/// Says why a request was not read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("{0}")]
    Malformed(&'static str),
    #[error("the headers are longer than {HEAD_CAP} bytes")]
    LongHead,
    #[error("the body is longer than {BODY_CAP} bytes")]
    LongBody,
    #[error("the connection broke")]
    Broken(#[from] io::Error),
}

impl Refusal {
    /// Returns the response to give, if there is still somebody to give it to.
    pub(crate) fn response(&self) -> Option<Response> {
        let status = match self {
            Self::Malformed(_) => 400,
            Self::LongHead => 431,
            Self::LongBody => 413,
            Self::Broken(_) => return None,
        };
        Some(Response::problem(status, &self.to_string()))
    }
}

/// Reads a line, without its line break, of at most `room` bytes, and takes them off `room`.
fn read_line(
    reader: &mut impl BufRead,
    room: &mut usize,
    too_long: Refusal,
) -> Result<Vec<u8>, Refusal> {
    let mut line = Vec::new();
    let length = reader.by_ref().take(*room as u64).read_until(b'\n', &mut line)?;
    *room -= length;
    let Some(text) = line.strip_suffix(b"\n") else {
        let cut_off = || Refusal::Broken(io::ErrorKind::UnexpectedEof.into());
        return Err(if *room == 0 { too_long } else { cut_off() });
    };
    Ok(text.strip_suffix(b"\r").unwrap_or(text).to_vec())
}
