//! Writing a response.

use std::io::{self, Write};

use serde_json::{Value, json};

/// A response with its body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Response {
    pub(crate) status: u16,
    media_type: &'static str,
    body: Vec<u8>,
}

/// How much of a response is sent: all of it, or for `HEAD` only what describes the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    Whole,
    HeadOnly,
}

/// What becomes of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    KeepOpen,
    Close,
}

impl Response {
    /// Responds with JSON.
    pub(crate) fn json(status: u16, body: &Value) -> Self {
        let body = body.to_string().into_bytes();
        Self { status, media_type: "application/json", body }
    }

    /// Responds with a stream of events, sent at once.
    pub(crate) fn events(events: &str) -> Self {
        Self { status: 200, media_type: "text/event-stream", body: events.into() }
    }

    /// Responds with an error no wire form has a say in.
    pub(crate) fn problem(status: u16, message: &str) -> Self {
        let kind = if status == 404 { "not_found_error" } else { "invalid_request_error" };
        let error = json!({ "type": kind, "message": message });
        Self::json(status, &json!({ "type": "error", "error": error }))
    }

    /// Returns the body as text.
    #[cfg(test)]
    pub(crate) fn text(&self) -> &str {
        str::from_utf8(&self.body).expect("a text")
    }

    /// Writes the response.
    pub(crate) fn write(
        &self,
        writer: &mut impl Write,
        extent: Extent,
        then: Then,
    ) -> io::Result<()> {
        let connection = match then {
            Then::KeepOpen => "keep-alive",
            Then::Close => "close",
        };
        let mut bytes = format!(
            "HTTP/1.1 {} {}\r\ncontent-type: {}\r\ncontent-length: {}\r\nconnection: {connection}\r\n\r\n",
            self.status,
            reason(self.status),
            self.media_type,
            self.body.len(),
        )
        .into_bytes();
        match extent {
            Extent::Whole => bytes.extend_from_slice(&self.body),
            Extent::HeadOnly => {}
        }
        writer.write_all(&bytes)
    }
}

/// Returns the customary words for a status; clients go by the number.
fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        404 => "Not Found",
        413 => "Content Too Large",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        529 => "Overloaded",
        _ => "Scripted",
    }
}
