//! Reading a log line by line, in bounded memory whatever the file holds.
//!
//! Only whole lines are given out: a last line without newline may still be growing. A line that
//! cannot be text is reported with its place and never stops the ones after it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Take};
use std::ops::Range;

use crate::bytes::Bytes;

/// Longest line of a log, without its newline.
///
/// A receipt or a captured note is a few KiB; one `write` of this size is still copied in one go,
/// and a reader can afford to hold one such line over its budget.
pub const LINE: Bytes = Bytes::kib(64);

/// How much is read at once: a line of the longest kind in one go.
const READ_AHEAD: usize = 64 * 1024;

/// One whole line of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The offset of the first byte after the line and its newline.
    pub end: u64,
    /// The line without its newline, or why it cannot be shown.
    pub text: Result<String, Damage>,
}

/// A line that is not text, and where it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("bytes {} to {}: {reason}", bytes.start, bytes.end)]
pub struct Damage {
    /// Where the line is in the file, without its newline.
    pub bytes: Range<u64>,
    /// What is wrong with it.
    pub reason: DamageReason,
}

/// Why a line is not text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DamageReason {
    /// Some byte of the line is not UTF-8.
    #[error("the line is not UTF-8")]
    NotUtf8,
    /// The line is longer than [`LINE`] and was not kept.
    #[error("the line is longer than {LINE}")]
    TooLong,
    /// Files that lost their last write with the power hold NUL bytes in its place.
    #[error("the line holds a NUL byte")]
    HoldsNul,
}

/// The whole lines of a part of a file.
pub(crate) struct WholeLines {
    source: BufReader<Take<File>>,
    position: u64,
}

impl WholeLines {
    /// Starts where `part` starts, at 0 or the end of a line, and reads nothing behind its end.
    ///
    /// The end is the size that the file had at some moment, so that a reader sees one state of a
    /// file that others append to.
    pub(crate) fn of(mut file: File, part: Range<u64>) -> io::Result<Self> {
        file.seek(SeekFrom::Start(part.start))?;
        let length = part.end.saturating_sub(part.start);
        // Most logs are short, and a hook that asks for memory in vain pays for it.
        let ahead = usize::try_from(length).map_or(READ_AHEAD, |length| length.min(READ_AHEAD));
        let source = BufReader::with_capacity(ahead, file.take(length));
        Ok(Self { source, position: part.start })
    }

    /// Reads the next whole line, or nothing when the file holds no more of them yet.
    ///
    /// After nothing was returned, the reader must not be used again: it stands inside a line.
    pub(crate) fn next_whole(&mut self) -> io::Result<Option<Line>> {
        let start = self.position;
        let mut content = Vec::new();
        let most = LINE.get().saturating_add(1);
        let mut found = self.take_until_newline(most, &mut content)?;
        let reason_to_skip = match found {
            Found::Newline => None,
            Found::EndOfFile => return Ok(None),
            Found::Neither => Some(DamageReason::TooLong),
        };
        while found == Found::Neither {
            content.clear();
            found = self.take_until_newline(most, &mut content)?;
            if found == Found::EndOfFile {
                return Ok(None);
            }
        }
        let bytes = start..self.position.saturating_sub(1);
        let text = match reason_to_skip {
            Some(reason) => Err(Damage { bytes, reason }),
            None => as_text(content, bytes),
        };
        Ok(Some(Line { end: self.position, text }))
    }

    /// Reads at most `most` bytes, stopping after a newline; the newline itself is not kept.
    fn take_until_newline(&mut self, most: u64, content: &mut Vec<u8>) -> io::Result<Found> {
        let taken = (&mut self.source).take(most).read_until(b'\n', content)?;
        let taken = u64::try_from(taken).map_err(io::Error::other)?;
        self.position = self.position.saturating_add(taken);
        if content.last() == Some(&b'\n') {
            content.pop();
            Ok(Found::Newline)
        } else if taken < most {
            Ok(Found::EndOfFile)
        } else {
            Ok(Found::Neither)
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    Newline,
    EndOfFile,
    Neither,
}

fn as_text(content: Vec<u8>, bytes: Range<u64>) -> Result<String, Damage> {
    if content.contains(&0) {
        return Err(Damage { bytes, reason: DamageReason::HoldsNul });
    }
    String::from_utf8(content).map_err(|_| Damage { bytes, reason: DamageReason::NotUtf8 })
}

#[cfg(test)]
mod tests {
    use tempfile::tempdir;

    use super::*;
    use crate::open::{Access, Links, open_regular};
    use crate::write::write_atomically;

    fn lines_of(content: &[u8]) -> Vec<Line> {
        let directory = tempdir().unwrap();
        let path = directory.path().join("log");
        write_atomically(&path, content).unwrap();
        let (file, metadata) = open_regular(&path, Links::Refuse, Access::Read).unwrap();
        let mut lines = WholeLines::of(file, 0..metadata.len()).unwrap();
        let mut read = Vec::new();
        while let Some(line) = lines.next_whole().unwrap() {
            read.push(line);
        }
        read
    }

    fn text(end: u64, text: &str) -> Line {
        Line { end, text: Ok(text.to_owned()) }
    }

    fn damage(bytes: Range<u64>, reason: DamageReason) -> Line {
        Line { end: bytes.end + 1, text: Err(Damage { bytes, reason }) }
    }

    #[test]
    fn whole_lines_are_read_as_they_are() {
        let table: [(&[u8], Vec<Line>); 5] = [
            (b"", vec![]),
            (b"unfinished", vec![]),
            (b"\n\r\n", vec![text(1, ""), text(3, "\r")]),
            ("a\nü\n".as_bytes(), vec![text(2, "a"), text(5, "ü")]),
            (b"one\ntwo\nthr", vec![text(4, "one"), text(8, "two")]),
        ];
        for (content, expected) in table {
            assert_eq!(lines_of(content), expected, "{content:?}");
        }
    }

    #[test]
    fn a_damaged_line_never_stops_the_rest() {
        assert_eq!(
            lines_of(b"a\n\xff\n\0\0\nb\n"),
            [
                text(2, "a"),
                damage(2..3, DamageReason::NotUtf8),
                damage(4..6, DamageReason::HoldsNul),
                text(9, "b"),
            ]
        );
    }

    #[test]
    fn a_line_at_the_cap_is_kept_and_one_above_is_skipped() {
        let cap = usize::try_from(LINE.get()).unwrap();
        for length in [cap - 1, cap, cap + 1, cap + 2, 2 * cap + 1, 2 * cap + 2, 5 * cap] {
            let mut content = "x".repeat(length);
            content.push('\n');
            let end = u64::try_from(length).unwrap() + 1;
            let first = if length <= cap {
                text(end, content.trim_end())
            } else {
                damage(0..end - 1, DamageReason::TooLong)
            };
            content.push_str("after\n");
            assert_eq!(lines_of(content.as_bytes()), [first, text(end + 6, "after")], "{length}");
            content.truncate(length);
            assert_eq!(lines_of(content.as_bytes()), [], "unfinished {length}");
        }
    }

    #[test]
    fn damage_says_where_it_is() {
        let damage = Damage { bytes: 4..6, reason: DamageReason::HoldsNul };
        assert_eq!(damage.to_string(), "bytes 4 to 6: the line holds a NUL byte");
        let damage = Damage { bytes: 0..70_000, reason: DamageReason::TooLong };
        assert_eq!(damage.to_string(), "bytes 0 to 70000: the line is longer than 64 KiB");
    }
}
