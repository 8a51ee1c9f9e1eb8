//! The body of a request, by length or in chunks.

use std::io::{BufRead, ErrorKind, Read};

use super::{BODY_CAP, HEAD_CAP, Head, Refusal, read_line};

/// The longest line that announces a chunk, in bytes; clients send a few hexadecimal digits.
const CHUNK_LINE_CAP: usize = 1024;

/// How a body tells where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// After this many bytes.
    Length(usize),
    /// After the chunk of no length.
    Chunks,
}

/// Returns how the body ends that the head announces, unless it is too long.
pub(crate) fn framing(head: &Head) -> Result<Framing, Refusal> {
    let mut lengths = head.values("content-length");
    let length = lengths.next();
    let mut encodings = head.values("transfer-encoding");
    match (encodings.next(), length) {
        (Some(encoding), None) if encoding.eq_ignore_ascii_case("chunked") => Ok(Framing::Chunks),
        (Some(_), _) => Err(Refusal::Malformed("the transfer encoding is not `chunked` alone")),
        (None, None) => Ok(Framing::Length(0)),
        (None, Some(_)) if lengths.next().is_some() => {
            Err(Refusal::Malformed("there is more than one content length"))
        }
        (None, Some(length)) => {
            if length.is_empty() || !length.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(Refusal::Malformed("the content length is not a number"));
            }
            match length.parse() {
                Ok(length) if length <= BODY_CAP => Ok(Framing::Length(length)),
                // Digits that do not fit are a number beyond every limit.
                Ok(_) | Err(_) => Err(Refusal::LongBody),
            }
        }
    }
}

/// Reads a body to its end.
pub(crate) fn read_body(framing: Framing, reader: &mut impl BufRead) -> Result<Vec<u8>, Refusal> {
    let mut body = Vec::new();
    match framing {
        Framing::Length(length) => read_exactly(reader, length, &mut body)?,
        Framing::Chunks => read_chunks(reader, &mut body)?,
    }
    Ok(body)
}

fn read_chunks(reader: &mut impl BufRead, body: &mut Vec<u8>) -> Result<(), Refusal> {
    let malformed = || Refusal::Malformed("a chunk is malformed");
    loop {
        let mut room = CHUNK_LINE_CAP;
        let line = read_line(reader, &mut room, malformed())?;
        let line = str::from_utf8(&line).map_err(|_| malformed())?;
        let digits = line.split_once(';').map_or(line, |(digits, _)| digits).trim();
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(malformed());
        }
        let length = usize::from_str_radix(digits, 16).unwrap_or(usize::MAX);
        if length == 0 {
            break;
        }
        read_exactly(reader, length, body)?;
        if !read_line(reader, &mut room, malformed())?.is_empty() {
            return Err(malformed());
        }
    }
    // Trailers say nothing that is needed here.
    let mut room = HEAD_CAP;
    while !read_line(reader, &mut room, Refusal::LongHead)?.is_empty() {}
    Ok(())
}

/// Appends exactly `length` bytes, unless the body would become too long.
fn read_exactly(
    reader: &mut impl BufRead,
    length: usize,
    body: &mut Vec<u8>,
) -> Result<(), Refusal> {
    if length > BODY_CAP - body.len() {
        return Err(Refusal::LongBody);
    }
    // The room is not reserved beforehand: a client may announce more than it sends.
    let read = reader.by_ref().take(length as u64).read_to_end(body)?;
    if read < length {
        return Err(Refusal::Broken(ErrorKind::UnexpectedEof.into()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::read_head;
    use super::*;

    fn body(headers: &str, bytes: &[u8]) -> Result<Vec<u8>, Refusal> {
        let head = format!("POST / HTTP/1.1\r\n{headers}\r\n");
        let head = read_head(&mut head.as_bytes()).expect("a good head");
        read_body(framing(&head)?, &mut &*bytes)
    }

    fn status(headers: &str, bytes: &[u8]) -> Option<u16> {
        body(headers, bytes).expect_err("a refusal").response().map(|response| response.status)
    }

    #[test]
    fn a_body_is_read_to_its_end_and_no_further() {
        let chunked = "Transfer-Encoding: chunked\r\n";
        let table: [(&str, &[u8], &[u8]); 5] = [
            ("", b"next", b""),
            ("Content-Length: 4\r\n", b"bodynext", b"body"),
            (chunked, b"4\r\nbody\r\n0\r\n\r\nnext", b"body"),
            (chunked, b"2\r\nbo\r\n2;why=not\r\ndy\r\n0\r\nTrailer: x\r\n\r\n", b"body"),
            (chunked, b"A\r\n0123456789\r\n0\r\n\r\n", b"0123456789"),
        ];
        for (headers, bytes, expected) in table {
            assert_eq!(body(headers, bytes).expect("a body"), expected, "{headers:?}");
        }
    }

    #[test]
    fn what_leaves_the_end_of_the_body_in_doubt_is_refused() {
        let chunked = "Transfer-Encoding: chunked\r\n";
        let table: [(&str, &[u8], Option<u16>); 10] = [
            ("Content-Length: +4\r\n", b"body", Some(400)),
            ("Content-Length: 4\r\nContent-Length: 4\r\n", b"body", Some(400)),
            ("Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", b"body", Some(400)),
            ("Transfer-Encoding: gzip, chunked\r\n", b"body", Some(400)),
            (chunked, b"-1\r\n", Some(400)),
            (chunked, b"3\r\nbody\r\n0\r\n\r\n", Some(400)),
            ("Content-Length: 33554433\r\n", b"", Some(413)),
            ("Content-Length: 99999999999999999999999\r\n", b"", Some(413)),
            (chunked, b"fffffffffffffffffff\r\n", Some(413)),
            ("Content-Length: 5\r\n", b"body", None),
        ];
        for (headers, bytes, expected) in table {
            assert_eq!(status(headers, bytes), expected, "{headers:?}");
        }
    }

    proptest! {
        #[test]
        fn chunks_join_to_what_was_cut(
            pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..50), 0..8),
        ) {
            let mut wire = Vec::new();
            for piece in &pieces {
                wire.extend(format!("{:x}\r\n", piece.len()).bytes());
                wire.extend(piece);
                wire.extend(b"\r\n");
            }
            wire.extend(b"0\r\n\r\n");
            let joined = body("Transfer-Encoding: chunked\r\n", &wire).expect("a body");
            prop_assert_eq!(joined, pieces.concat());
        }
    }
}
