//! Cutting a stream of bytes into lines.

use crate::LineError;

/// The longest line that is handed on, in bytes.
///
/// Agents print a tool's whole result as one line of JSON; a mebibyte holds those they do not cut
/// themselves.
pub const LINE_CAP: usize = 1024 * 1024;

/// The line that has not ended yet.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    partial: Vec<u8>,
    /// The length of the partial line, counting what was not kept.
    length: usize,
}

impl Lines {
    /// Takes more of the stream and hands each line that is now whole to `each`.
    pub(crate) fn push(&mut self, chunk: &[u8], mut each: impl FnMut(Result<String, LineError>)) {
        for piece in chunk.split_inclusive(|&byte| byte == b'\n') {
            let (text, whole) = match piece.strip_suffix(b"\n") {
                Some(text) => (text, true),
                None => (piece, false),
            };
            let room = LINE_CAP.saturating_sub(self.partial.len());
            let (kept, _) = text.split_at(room.min(text.len()));
            self.partial.extend_from_slice(kept);
            self.length += text.len();
            if whole {
                each(self.cut());
            }
        }
    }

    /// Returns what stands after the last line break, if anything.
    pub(crate) fn rest(mut self) -> Option<Result<String, LineError>> {
        (self.length > 0).then(|| self.cut())
    }

    fn cut(&mut self) -> Result<String, LineError> {
        let line = std::mem::take(&mut self.partial);
        let length = std::mem::take(&mut self.length);
        if length > LINE_CAP {
            return Err(LineError::TooLong { length });
        }
        let line = line.strip_suffix(b"\r").unwrap_or(&line);
        Ok(String::from_utf8_lossy(line).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cut(chunks: &[&[u8]]) -> Vec<Result<String, LineError>> {
        let (mut lines, mut found) = (Lines::default(), Vec::new());
        for chunk in chunks {
            lines.push(chunk, |line| found.push(line));
        }
        found.extend(lines.rest());
        found
    }

    #[test]
    fn lines_end_at_line_breaks_and_at_the_end() {
        let table: [(&[&[u8]], &[&str]); 6] = [
            (&[], &[]),
            (&[b"\n"], &[""]),
            (&[b"one\ntwo\n"], &["one", "two"]),
            (&[b"on", b"e\r", b"\ntwo"], &["one", "two"]),
            (&[b"\n\nthree"], &["", "", "three"]),
            (&[b"\xff\n"], &["\u{fffd}"]),
        ];
        for (chunks, lines) in table {
            let expected: Vec<_> = lines.iter().map(|&line| Ok(line.to_owned())).collect();
            assert_eq!(cut(chunks), expected);
        }
    }

    #[test]
    fn a_line_at_the_limit_arrives_and_a_longer_one_is_reported_without_hiding_the_next() {
        let long = vec![b'x'; LINE_CAP];
        let found = cut(&[&long, b"\n", &long, b"x\n", b"short\n"]);
        assert_eq!(found[0].as_ref().map(String::len), Ok(LINE_CAP));
        assert_eq!(found[1], Err(LineError::TooLong { length: LINE_CAP + 1 }));
        assert_eq!(found[2], Ok("short".to_owned()));
        assert_eq!(found.len(), 3);
    }

    proptest! {
        #[test]
        fn how_the_stream_was_cut_into_chunks_does_not_show(
            text in "[a-c\r\n]{0,40}",
            cuts in prop::collection::vec(0_usize..41, 0..6),
        ) {
            let mut cuts: Vec<_> = cuts.into_iter().map(|cut| cut.min(text.len())).collect();
            cuts.sort_unstable();
            let (mut chunks, mut start) = (Vec::new(), 0);
            for end in cuts {
                chunks.push(&text.as_bytes()[start..end]);
                start = end;
            }
            chunks.push(&text.as_bytes()[start..]);
            prop_assert_eq!(cut(&chunks), cut(&[text.as_bytes()]));
        }
    }
}
