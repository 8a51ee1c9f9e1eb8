//! The append-only log of one session: what a hook must remember, because it may not write the
//! database.
//!
//! A hook appends with one `write` under a lock and no fsync; later hooks of the session and the
//! ingest of any command read whole lines from an offset they remember. Nothing here ever changes
//! or removes a line that is in a log, nor knows what a line means.
//!
//! The first line of a log is its header, `{"pacenote_log":1,"id":"…"}`. An offset is remembered
//! under that id, because a log that was removed and begun again has another, and under the name of
//! the file, because a copy has the same id: see [`LogPath::cursor`]. A log whose first line is not a
//! header was damaged and has no id, whatever is appended to it.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::append::{append_lines, check_line, lock_log, size_of_log};
use crate::bytes::Bytes;
use crate::error::{FileError, FileKind, Operation};
use crate::lines::WholeLines;
pub use crate::lines::{Damage, DamageReason, LINE, Line};
use crate::lock::{FileLock, Patience};
use crate::open::{Access, Links, open_regular};
use crate::write::list_directory;

/// Longest host in the name of a log, in bytes: the longest we know has 11.
const HOST_BYTES: usize = 32;

/// Longest session id that is part of a name as it is, in bytes; real ones are UUIDs of 36.
const PLAIN_ID_BYTES: usize = 64;

/// How many hexadecimal digits stand for a session id that cannot be part of a name: 128 bits.
const DIGEST_DIGITS: usize = 32;

/// What every log is called after its name.
const EXTENSION: &str = "jsonl";

const HEADER_START: &str = r#"{"pacenote_log":1,"id":""#;
const HEADER_END: &str = r#""}"#;
const HEADER_ID_DIGITS: usize = 32;

/// The directory that holds the logs of all sessions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogDirectory {
    path: PathBuf,
}

impl LogDirectory {
    /// Names the directory; it is made by the first append.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Returns the log of the session that `host` calls `host_id`.
    ///
    /// The id comes from outside: one that cannot be part of a file name is replaced by its digest.
    /// No host may be called like the beginning of another up to a `-`.
    pub fn log_for(&self, host: &str, host_id: &str) -> Result<LogPath, FileError> {
        if !is_host(host) {
            return Err(FileError::BadHost {
                directory: self.path.clone(),
                host: host.to_owned(),
                most: HOST_BYTES,
            });
        }
        let id =
            if is_plain_id(host_id) { host_id.to_owned() } else { digest_of(host_id.as_bytes()) };
        Ok(LogPath { path: self.path.join(format!("{host}-{id}.{EXTENSION}")) })
    }

    /// Returns every log in the directory, sorted by name; a missing directory holds none.
    pub fn list(&self) -> Result<Vec<LogPath>, FileError> {
        let entries = match list_directory(&self.path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let regular = entries.into_iter().filter(|entry| entry.kind == FileKind::Regular);
        let paths = regular.map(|entry| self.path.join(entry.name));
        let logs = paths.filter(|path| path.extension().is_some_and(|found| found == EXTENSION));
        Ok(logs.map(|path| LogPath { path }).collect())
    }
}

/// The log of one session, which need not exist yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogPath {
    path: PathBuf,
}

/// Some whole lines of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The id of the log; nothing when its first line is not a header.
    pub log_id: Option<String>,
    /// How many bytes the log held when it was opened.
    pub size: u64,
    /// The lines in order, without headers.
    pub lines: Vec<Line>,
    /// Where to go on reading.
    pub next: u64,
    /// Whether `lines` reach to the last whole line that the log held when it was opened.
    pub complete: bool,
}

impl LogPath {
    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the name of the file, as people see it.
    pub fn name(&self) -> Cow<'_, str> {
        self.path.file_name().unwrap_or_default().to_string_lossy()
    }

    /// Returns the name under which an offset into this log is remembered: the id of the log, a `-`,
    /// and the digest of its file name.
    ///
    /// A log that was copied has the id of the other, but no file name is twice in one directory. The
    /// id is empty for a damaged log that has none.
    pub fn cursor(&self, log_id: Option<&str>) -> String {
        let name = self.path.file_name().unwrap_or_default();
        format!("{}-{}", log_id.unwrap_or_default(), digest_of(name.as_encoded_bytes()))
    }

    /// Appends one line of at most [`LINE`] bytes, under a header if it is the first.
    ///
    /// `fresh_id` becomes the id of a log that is begun by this line, and is unused otherwise. The
    /// first append is done whole or not at all; after an error of a later one, the beginning of the
    /// line may be in the log as a line of its own.
    pub fn append(&self, line: &str, fresh_id: u128) -> Result<(), FileError> {
        self.append_with(line, fresh_id, Patience::Endless)
    }

    /// Appends like [`LogPath::append`], but fails when somebody holds the log for long.
    pub fn append_soon(&self, line: &str, fresh_id: u128) -> Result<(), FileError> {
        self.append_with(line, fresh_id, Patience::Short)
    }

    fn append_with(&self, line: &str, id: u128, patience: Patience) -> Result<(), FileError> {
        check_line(&self.path, line, LINE)?;
        self.hold_with(patience)?.append(&[line], id)
    }

    /// Holds the log, so that nobody appends between what is read of it and what is appended; fails
    /// when somebody else holds it for long.
    pub fn hold_soon(&self) -> Result<HeldLog, FileError> {
        self.hold_with(Patience::Short)
    }

    fn hold_with(&self, patience: Patience) -> Result<HeldLog, FileError> {
        Ok(HeldLog { lock: lock_log(&self.path, patience)? })
    }

    /// Reads the whole lines among the last `cap` bytes like [`HeldLog::tail`], without holding the log:
    /// a line that is being appended may be missing. A log that does not exist is empty.
    pub fn read_tail(&self, cap: Bytes) -> Result<Vec<Line>, FileError> {
        match open_regular(&self.path, Links::Refuse, Access::Read) {
            Ok((file, metadata)) => tail_of(file, metadata.len(), cap)
                .map_err(FileError::io(Operation::Read, &self.path)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// Reads whole lines from `offset`, which is 0 or the `next` of an earlier chunk.
    ///
    /// At most `cap` bytes of memory are used for the lines, but always enough for one of them. A
    /// log that does not exist is empty, and so is everything behind its end.
    pub fn read_from(&self, offset: u64, cap: Bytes) -> Result<Chunk, FileError> {
        match open_regular(&self.path, Links::Refuse, Access::Read) {
            Ok((file, metadata)) => read_chunk(file, offset..metadata.len(), cap)
                .map_err(FileError::io(Operation::Read, &self.path)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Ok(Chunk { log_id: None, size: 0, lines: Vec::new(), next: offset, complete: true })
            }
            Err(error) => Err(error),
        }
    }
}

/// A log that nobody else appends to while this value lives.
#[derive(Debug)]
pub struct HeldLog {
    lock: FileLock,
}

impl HeldLog {
    /// Reads the whole lines among the last `cap` bytes, oldest first, without the header.
    pub fn tail(&self, cap: Bytes) -> Result<Vec<Line>, FileError> {
        let failed = || FileError::io(Operation::Read, self.lock.path());
        let size = size_of_log(&self.lock)?;
        let file = self.lock.file().try_clone().map_err(failed())?;
        tail_of(file, size, cap).map_err(failed())
    }

    /// Appends lines of at most [`LINE`] bytes each in one write, under a header if they are the
    /// first; see [`LogPath::append`].
    pub fn append(&mut self, lines: &[&str], fresh_id: u128) -> Result<(), FileError> {
        let path = self.lock.path();
        lines.iter().try_for_each(|line| check_line(path, line, LINE))?;
        let size = size_of_log(&self.lock)?;
        if size > 0 {
            return append_lines(&self.lock, size, lines);
        }
        let header = header_line(fresh_id);
        let all: Vec<&str> = [header.as_str()].into_iter().chain(lines.iter().copied()).collect();
        append_lines(&self.lock, size, &all).inspect_err(|_| {
            // Half a beginning would give a log that names a session and does not introduce it. It
            // is cut off, because nobody counts on a log that has no id; if even that fails, the
            // first error is the one to report.
            self.lock.file().set_len(0).ok();
        })
    }
}

/// Reads the whole lines among the last `cap` bytes of a log of this size.
fn tail_of(file: File, size: u64, cap: Bytes) -> io::Result<Vec<Line>> {
    if size == 0 {
        return Ok(Vec::new());
    }
    let start = size.saturating_sub(cap.get());
    let mut whole_lines = WholeLines::of(file, start..size)?;
    if start > 0 {
        // The first one most likely began before.
        whole_lines.next_whole()?;
    }
    let mut lines = Vec::new();
    while let Some(line) = whole_lines.next_whole()? {
        let is_header = |text: &String| header_id(text.as_bytes()).is_some();
        if !line.text.as_ref().is_ok_and(is_header) {
            lines.push(line);
        }
    }
    Ok(lines)
}

/// Reads lines of `part`, whose end was measured before the header is looked for: a log that is
/// begun meanwhile is an empty one, and never one without an id.
fn read_chunk(file: File, part: Range<u64>, cap: Bytes) -> io::Result<Chunk> {
    let mut chunk = Chunk {
        log_id: find_id(&file)?,
        size: part.end,
        lines: Vec::new(),
        next: part.start,
        complete: false,
    };
    let mut whole_lines = WholeLines::of(file, part)?;
    let mut spent = 0;
    while let Some(line) = whole_lines.next_whole()? {
        // Version 0.1.0 wrote another header behind one that was torn.
        if line.text.as_ref().is_ok_and(|text| header_id(text.as_bytes()).is_some()) {
            chunk.next = line.end;
            continue;
        }
        spent += memory_of(&line);
        if spent > cap.get() && !chunk.lines.is_empty() {
            return Ok(chunk);
        }
        chunk.next = line.end;
        chunk.lines.push(line);
    }
    chunk.complete = true;
    Ok(chunk)
}

/// Counts the line itself too, or a file of newlines would take fifty times its size.
fn memory_of(line: &Line) -> u64 {
    let text = line.text.as_ref().map_or(0, String::len);
    u64::try_from(size_of::<Line>().saturating_add(text)).unwrap_or(u64::MAX)
}

fn header_line(id: u128) -> String {
    format!("{HEADER_START}{id:0HEADER_ID_DIGITS$x}{HEADER_END}")
}

/// Returns the id in the first line of a log, if that is a header.
fn find_id(file: &File) -> io::Result<Option<String>> {
    let mut line = vec![0; header_line(u128::MAX).len().saturating_add(1)];
    match file.read_exact_at(&mut line, 0) {
        Ok(()) => Ok(line.strip_suffix(b"\n").and_then(header_id)),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

fn header_id(line: &[u8]) -> Option<String> {
    let id = line.strip_prefix(HEADER_START.as_bytes())?.strip_suffix(HEADER_END.as_bytes())?;
    let id = str::from_utf8(id).ok()?;
    is_hexadecimal(id, HEADER_ID_DIGITS).then(|| id.to_owned())
}

fn is_host(host: &str) -> bool {
    let allowed = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
    (1..=HOST_BYTES).contains(&host.len()) && host.bytes().all(allowed)
}

/// Tells whether an id may be part of a name, and cannot be mistaken for the digest of another.
fn is_plain_id(id: &str) -> bool {
    let allowed = |byte: u8| matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_');
    let is_digest = id.strip_prefix('x').is_some_and(|rest| is_hexadecimal(rest, DIGEST_DIGITS));
    (1..=PLAIN_ID_BYTES).contains(&id.len()) && id.bytes().all(allowed) && !is_digest
}

fn is_hexadecimal(text: &str, digits: usize) -> bool {
    let allowed = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    text.len() == digits && text.bytes().all(allowed)
}

fn digest_of(name: &[u8]) -> String {
    let digest = blake3::hash(name).to_hex();
    "x".chars().chain(digest.chars().take(DIGEST_DIGITS)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::io::Write;

    use tempfile::tempdir;

    use super::*;
    use crate::read::read_text;
    use crate::write::{create_private_directory, write_atomically};

    const CAP: Bytes = Bytes::mib(1);
    const ID: &str = "00000000000000000000000000000007";

    fn text_of(log: &LogPath) -> String {
        read_text(log.path(), CAP, Links::Refuse).unwrap()
    }

    fn texts(chunk: &Chunk) -> Vec<&str> {
        chunk.lines.iter().map(|line| line.text.as_deref().unwrap()).collect()
    }

    fn tear(log: &LogPath, bytes: &[u8]) {
        File::options().append(true).open(log.path()).unwrap().write_all(bytes).unwrap();
    }

    #[test]
    fn a_log_is_named_after_host_and_session() {
        let directory = LogDirectory::new("/logs");
        let longest = "a".repeat(64);
        let table = [
            ("claude-code", "0198c-_Z", "claude-code-0198c-_Z"),
            ("codex", &longest, &format!("codex-{longest}")),
            // What follows the `x` is the digest of nothing, as published with BLAKE3.
            ("codex", "", "codex-xaf1349b9f5f9a1a6a0404dea36dcc949"),
        ];
        for (host, id, name) in table {
            let log = directory.log_for(host, id).unwrap();
            assert_eq!(log.path().to_str().unwrap(), format!("/logs/{name}.jsonl"), "{id}");
        }
    }

    #[test]
    fn a_held_log_is_read_from_its_end_and_appended_to() {
        let directory = tempdir().unwrap();
        let log = LogDirectory::new(directory.path()).log_for("codex", "s").unwrap();
        let mut held = log.hold_soon().unwrap();
        assert_eq!(held.tail(CAP).unwrap(), []);
        held.append(&["one", "two"], 7).unwrap();
        held.append(&["three"], 8).unwrap();
        let tail = |held: &HeldLog, cap| -> Vec<String> {
            held.tail(cap).unwrap().into_iter().map(|line| line.text.unwrap()).collect()
        };
        assert_eq!(tail(&held, CAP), ["one", "two", "three"]);
        // The cap falls into a line, which is left out.
        assert_eq!(tail(&held, Bytes::new(9)), ["three"]);
        assert_eq!(tail(&held, Bytes::new(1)), Vec::<String>::new());
        assert!(log.append_soon("four", 9).is_err(), "held");
        drop(held);
        log.append_soon("four", 9).unwrap();
        assert_eq!(texts(&log.read_from(0, CAP).unwrap()), ["one", "two", "three", "four"]);
    }

    #[test]
    fn an_id_that_cannot_be_part_of_a_name_is_digested() {
        let directory = LogDirectory::new("/logs");
        // The last one looks like a digest and must not take the log of the empty id.
        let digest_of_nothing = "xaf1349b9f5f9a1a6a0404dea36dcc949";
        let too_long = "a".repeat(65);
        let ids = ["", "../../etc/passwd", "a b", "ü", "\0", &too_long, digest_of_nothing];
        let mut names = BTreeSet::new();
        for id in ids {
            let log = directory.log_for("codex", id).unwrap();
            let name = log.path().strip_prefix("/logs").unwrap().to_str().unwrap().to_owned();
            let digest = name.strip_prefix("codex-x").unwrap().strip_suffix(".jsonl").unwrap();
            assert!(is_hexadecimal(digest, 32), "{id:?}: {name}");
            names.insert(name);
        }
        assert_eq!(names.len(), ids.len());
    }

    #[test]
    fn a_host_that_is_no_name_is_refused() {
        let directory = LogDirectory::new("/logs");
        let long = "h".repeat(33);
        for host in ["", "Codex", "a/b", "..", "a b", "ü", "a\n", &long] {
            match directory.log_for(host, "id") {
                Err(FileError::BadHost { host: named, .. }) => assert_eq!(named, host),
                other => panic!("{host:?}: {other:?}"),
            }
        }
        assert_eq!(
            directory.log_for("a\u{1b}", "id").unwrap_err().to_string(),
            "cannot name a log in `/logs`: a host is 1 to 32 of `a-z0-9-`, not `a\\u{1b}`"
        );
    }

    #[test]
    fn the_first_line_comes_under_a_header() {
        let directory = tempdir().unwrap();
        let log = LogDirectory::new(directory.path().join("logs")).log_for("codex", "1").unwrap();
        let nothing = Chunk { log_id: None, size: 0, lines: vec![], next: 0, complete: true };
        assert_eq!(log.read_from(0, CAP).unwrap(), nothing);
        log.append(r#"{"n":1}"#, 7).unwrap();
        log.append(r#"{"n":2}"#, 8).unwrap();
        assert_eq!(
            text_of(&log),
            format!("{{\"pacenote_log\":1,\"id\":\"{ID}\"}}\n{{\"n\":1}}\n{{\"n\":2}}\n")
        );
        let chunk = log.read_from(0, CAP).unwrap();
        assert_eq!(texts(&chunk), [r#"{"n":1}"#, r#"{"n":2}"#]);
        assert_eq!((chunk.log_id.as_deref(), chunk.next, chunk.complete), (Some(ID), 75, true));
        assert_eq!(chunk.lines.iter().map(|line| line.end).collect::<Vec<_>>(), [67, 75]);
        let rest = log.read_from(chunk.lines[0].end, CAP).unwrap();
        assert_eq!((texts(&rest), rest.log_id.as_deref()), (vec![r#"{"n":2}"#], Some(ID)));
    }

    #[test]
    fn a_log_that_is_held_is_not_awaited_for_long() {
        let directory = tempdir().unwrap();
        let log = LogDirectory::new(directory.path()).log_for("codex", "1").unwrap();
        log.append_soon("one", 7).unwrap();
        let held = lock_log(log.path(), Patience::Endless).unwrap();
        let error = log.append_soon("lost", 7).unwrap_err();
        assert_eq!((error.kind(), error.path()), (io::ErrorKind::ResourceBusy, log.path()));
        drop(held);
        log.append_soon("two", 7).unwrap();
        assert_eq!(texts(&log.read_from(0, CAP).unwrap()), ["one", "two"]);
    }

    #[test]
    fn a_cursor_belongs_to_one_file_and_one_id() {
        let logs = LogDirectory::new("/logs");
        let (one, two) = (logs.log_for("codex", "1").unwrap(), logs.log_for("codex", "2").unwrap());
        assert_eq!(
            one.cursor(Some(ID)),
            LogDirectory::new("/moved").log_for("codex", "1").unwrap().cursor(Some(ID))
        );
        let cursors = [one.cursor(Some(ID)), two.cursor(Some(ID)), one.cursor(Some("other"))];
        assert_eq!(BTreeSet::from(cursors).len(), 3);
        assert_eq!(Some(one.cursor(None).as_str()), one.cursor(Some(ID)).strip_prefix(ID));
    }

    #[test]
    fn a_log_without_its_header_has_no_id_and_loses_nothing() {
        let header = header_line(7);
        let damaged = header.replace("pacenote", "pacenotf");
        let starts =
            ["{", r#"{"pacenote_log":1,"id":"0000"#, "\0\0", "foreign\n", &header, &damaged];
        for start in starts {
            let directory = tempdir().unwrap();
            let log = LogDirectory::new(directory.path()).log_for("codex", "1").unwrap();
            write_atomically(log.path(), start.as_bytes()).unwrap();
            assert_eq!(log.read_from(0, CAP).unwrap().log_id, None, "{start:?}");
            log.append("line", 8).unwrap();
            log.append("more", 9).unwrap();
            let chunk = log.read_from(0, CAP).unwrap();
            // A header that lacked nothing but its newline is whole with the next line.
            let id = (start == header).then(|| ID.to_owned());
            assert_eq!(chunk.log_id, id, "{start:?}");
            let (_, last) = chunk.lines.split_at(usize::from(id.is_none()));
            let last: Vec<_> = last.iter().map(|line| line.text.as_deref().unwrap()).collect();
            assert_eq!(last, ["line", "more"], "{start:?}");
        }
    }

    #[test]
    fn a_header_further_down_is_not_a_line_and_gives_no_id() {
        let directory = tempdir().unwrap();
        let log = LogDirectory::new(directory.path()).log_for("codex", "1").unwrap();
        write_atomically(log.path(), format!("torn\n{}\nline\n", header_line(9)).as_bytes())
            .unwrap();
        let chunk = log.read_from(0, CAP).unwrap();
        assert_eq!((texts(&chunk), &chunk.log_id), (vec!["torn", "line"], &None));
    }

    #[test]
    fn a_line_that_is_still_growing_is_left_for_the_next_time() {
        let directory = tempdir().unwrap();
        let log = LogDirectory::new(directory.path()).log_for("codex", "1").unwrap();
        log.append("one", 7).unwrap();
        tear(&log, b"tw");
        let chunk = log.read_from(0, CAP).unwrap();
        assert_eq!((texts(&chunk), chunk.complete), (vec!["one"], true));
        tear(&log, b"o\n");
        let chunk = log.read_from(chunk.next, CAP).unwrap();
        assert_eq!((texts(&chunk), chunk.complete), (vec!["two"], true));
        let behind = log.read_from(chunk.next + 1000, CAP).unwrap();
        assert_eq!((behind.lines.len(), behind.next), (0, chunk.next + 1000));
    }

    #[test]
    fn a_small_cap_still_gives_a_line_at_a_time() {
        let directory = tempdir().unwrap();
        let log = LogDirectory::new(directory.path()).log_for("codex", "1").unwrap();
        for line in ["one", "two", "three"] {
            log.append(line, 7).unwrap();
        }
        let mut next = 0;
        for line in ["one", "two", "three"] {
            let chunk = log.read_from(next, Bytes::new(0)).unwrap();
            assert_eq!(texts(&chunk), [line]);
            assert_eq!(chunk.complete, line == "three");
            next = chunk.next;
        }
    }

    #[test]
    fn lines_that_would_not_be_read_back_are_refused_and_leave_no_file() {
        let directory = tempdir().unwrap();
        let log = LogDirectory::new(directory.path().join("logs")).log_for("codex", "1").unwrap();
        let too_long = "x".repeat(64 * 1024 + 1);
        for line in ["a\nb", "a\0b", &too_long] {
            assert!(matches!(log.append(line, 7), Err(FileError::LineRefused { .. })));
        }
        assert!(!directory.path().join("logs").exists());
        let longest = "x".repeat(64 * 1024);
        log.append(&longest, 7).unwrap();
        assert_eq!(texts(&log.read_from(0, CAP).unwrap()), [longest]);
    }

    #[test]
    fn only_logs_are_listed() {
        let directory = tempdir().unwrap();
        let logs = LogDirectory::new(directory.path().join("logs"));
        assert_eq!(logs.list().unwrap(), []);
        let second = logs.log_for("codex", "2").unwrap();
        let first = logs.log_for("codex", "1").unwrap();
        second.append("line", 7).unwrap();
        first.append("line", 7).unwrap();
        write_atomically(&directory.path().join("logs/notes.txt"), b"").unwrap();
        create_private_directory(&directory.path().join("logs/deep.jsonl")).unwrap();
        assert_eq!(logs.list().unwrap(), [first.clone(), second]);
        let below = LogDirectory::new(first.path());
        assert_eq!(below.list().unwrap_err().kind(), io::ErrorKind::NotADirectory);
        let error = below.log_for("codex", "1").unwrap().append("line", 7).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotADirectory);
    }

    #[test]
    fn the_end_of_a_log_of_short_lines_is_never_cut_off() {
        let directory = tempfile::tempdir().unwrap();
        let log = LogDirectory::new(directory.path()).log_for("claude", "s-1").unwrap();
        for number in 0..200 {
            log.append(&format!("{number}"), 1).unwrap();
        }
        // The file is smaller than the cap, the lines in memory are not.
        let cap = Bytes::kib(4);
        let last = |lines: Vec<Line>| lines.last().unwrap().text.clone().unwrap();
        assert_eq!(last(log.hold_soon().unwrap().tail(cap).unwrap()), "199");
        assert_eq!(last(log.read_tail(cap).unwrap()), "199");
        assert_eq!(log.hold_soon().unwrap().tail(cap).unwrap().len(), 200, "and no header");
        assert!(log.read_tail(Bytes::new(20)).unwrap().len() < 10);
    }
}
