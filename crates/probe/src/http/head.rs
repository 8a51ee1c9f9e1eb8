//! The request line and the headers.

use std::io::BufRead;

use super::{HEAD_CAP, Refusal, read_line};

/// The request line and the headers of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) method: String,
    /// The path with its query.
    pub(crate) target: String,
    /// The headers in order, their names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    version: Version,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    One,
    OneOne,
}

impl Head {
    /// Returns the path without its query.
    pub(crate) fn path(&self) -> &str {
        self.target.split_once('?').map_or(&*self.target, |(path, _)| path)
    }

    /// Returns the values of a header; its name comes in lower case.
    pub(crate) fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.headers.iter().filter(move |(found, _)| found == name).map(|(_, value)| &**value)
    }

    /// Returns whether the client wants to send another request on the same connection.
    pub(crate) fn keeps_alive(&self) -> bool {
        let says = |word: &str| {
            let mut words = self.values("connection").flat_map(|value| value.split(','));
            words.any(|found| found.trim().eq_ignore_ascii_case(word))
        };
        match self.version {
            Version::One => says("keep-alive"),
            Version::OneOne => !says("close"),
        }
    }

    /// Returns whether the client waits for leave to send the body.
    pub(crate) fn waits_for_leave(&self) -> bool {
        self.version == Version::OneOne
            && self.values("expect").any(|value| value.eq_ignore_ascii_case("100-continue"))
    }
}

/// Reads the head of a request.
pub(crate) fn read_head(reader: &mut impl BufRead) -> Result<Head, Refusal> {
    let mut room = HEAD_CAP;
    let mut next = || read_line(reader, &mut room, Refusal::LongHead);
    let request_line = next()?;
    let (method, target, version) = parse_request_line(&request_line)
        .ok_or(Refusal::Malformed("the request line is not HTTP/1.1"))?;
    let mut headers = Vec::new();
    loop {
        let line = next()?;
        if line.is_empty() {
            return Ok(Head { method, target, headers, version });
        }
        headers.push(parse_header(&line).ok_or(Refusal::Malformed("a header line is malformed"))?);
    }
}

fn parse_request_line(line: &[u8]) -> Option<(String, String, Version)> {
    let line = str::from_utf8(line).ok()?;
    let (method, rest) = line.split_once(' ')?;
    let (target, version) = rest.split_once(' ')?;
    let version = match version {
        "HTTP/1.0" => Version::One,
        "HTTP/1.1" => Version::OneOne,
        _ => return None,
    };
    let visible = target.starts_with('/') && target.bytes().all(|byte| byte.is_ascii_graphic());
    (is_token(method) && visible).then(|| (method.to_owned(), target.to_owned(), version))
}

fn parse_header(line: &[u8]) -> Option<(String, String)> {
    let line = String::from_utf8_lossy(line);
    let (name, value) = line.split_once(':')?;
    is_token(name).then(|| (name.to_ascii_lowercase(), value.trim().to_owned()))
}

/// Returns whether the text may be a method or the name of a header.
fn is_token(text: &str) -> bool {
    let in_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(in_token)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn head(text: &str) -> Result<Head, Refusal> {
        read_head(&mut text.as_bytes())
    }

    #[test]
    fn a_head_is_taken_apart() {
        let head = head("POST /v1/messages?beta=true HTTP/1.1\r\nHost: x\r\nX-Two:  a: b \r\n\r\n")
            .expect("a good head");
        assert_eq!((&*head.method, &*head.target), ("POST", "/v1/messages?beta=true"));
        assert_eq!(head.path(), "/v1/messages");
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(head.headers, [pair("host", "x"), pair("x-two", "a: b")]);
    }

    #[test]
    fn heads_that_are_not_http_are_refused() {
        let table = [
            "\r\n\r\n",
            "GET /\r\n\r\n",
            "GET / HTTP/2\r\n\r\n",
            "GET http://elsewhere/ HTTP/1.1\r\n\r\n",
            "GET /a b HTTP/1.1\r\n\r\n",
            "G\u{e9}T / HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nno colon\r\n\r\n",
            "GET / HTTP/1.1\r\n folded: x\r\n\r\n",
            "GET / HTTP/1.1\r\nspace : x\r\n\r\n",
        ];
        for text in table {
            assert!(matches!(head(text), Err(Refusal::Malformed(_))), "{text:?}");
        }
    }

    #[test]
    fn a_head_is_limited_and_must_be_whole() {
        let endless = format!("GET / HTTP/1.1\r\nx: {}\r\n\r\n", "y".repeat(HEAD_CAP));
        assert!(matches!(head(&endless), Err(Refusal::LongHead)));
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "x: y\r\n".repeat(HEAD_CAP / 6));
        assert!(matches!(head(&many), Err(Refusal::LongHead)));
        assert!(matches!(head("GET / HTTP/1.1\r\nx: "), Err(Refusal::Broken(_))));
    }

    #[test]
    fn the_version_and_the_header_decide_whether_the_connection_stays() {
        let table = [
            ("GET / HTTP/1.1\r\n\r\n", true),
            ("GET / HTTP/1.1\r\nConnection: Close\r\n\r\n", false),
            ("GET / HTTP/1.1\r\nConnection: upgrade, close\r\n\r\n", false),
            ("GET / HTTP/1.0\r\n\r\n", false),
            ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", true),
        ];
        for (text, stays) in table {
            assert_eq!(head(text).expect("a good head").keeps_alive(), stays, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            method in "[A-Z]{1,8}",
            target in "/[!-~]{0,30}",
            headers in prop::collection::vec(("[a-z][a-z0-9-]{0,10}", "[!-~]([ -~]{0,20}[!-~])?"), 0..6),
        ) {
            let mut lines = vec![format!("{method} {target} HTTP/1.1")];
            let line = |(name, value): &(String, String)| format!("{}: {value}", name.to_uppercase());
            lines.extend(headers.iter().map(line));
            let found = head(&(lines.join("\r\n") + "\r\n\r\nbody")).expect("a good head");
            prop_assert_eq!(found, Head { method, target, headers, version: Version::OneOne });
        }

        #[test]
        fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            // Nothing is expected of the result: that there is one is the law.
            drop(read_head(&mut bytes.as_slice()));
        }
    }
}
