//! Adding one line to a log: one `write` at the end of a locked file, without fsync.
//!
//! A crash or a full disk can leave the beginning of a line behind. It is never repaired or cut
//! off, since a log is append-only: the next line starts with a newline and so sets it apart.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;

use crate::bytes::Bytes;
use crate::error::{FileError, Operation};
use crate::lock::{FileLock, Patience};
use crate::write::create_private_directory;

/// Why a text cannot be one line of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineRefusal {
    /// The text is more than one line.
    #[error("the line holds a line break")]
    HoldsBreak,
    /// Readers take such a line for damage.
    #[error("the line holds a NUL byte")]
    HoldsNul,
    /// Readers skip such a line.
    #[error("the line is longer than {0}")]
    TooLong(Bytes),
}

/// Refuses what would not be read back as this one line.
pub(crate) fn check_line(path: &Path, line: &str, cap: Bytes) -> Result<(), FileError> {
    let reason = if line.contains('\n') {
        LineRefusal::HoldsBreak
    } else if line.contains('\0') {
        LineRefusal::HoldsNul
    } else if u64::try_from(line.len()).is_ok_and(|length| length <= cap.get()) {
        return Ok(());
    } else {
        LineRefusal::TooLong(cap)
    };
    Err(FileError::LineRefused { path: path.to_path_buf(), reason })
}

/// Locks a log, making its directory when that is missing.
#[expect(clippy::disallowed_methods, reason = "logs lie in our data")]
pub(crate) fn lock_log(path: &Path, patience: Patience) -> Result<FileLock, FileError> {
    match (FileLock::with(path, patience), path.parent()) {
        (Err(error), Some(directory)) if error.kind() == io::ErrorKind::NotFound => {
            create_private_directory(directory)?;
            FileLock::with(path, patience)
        }
        (result, _) => result,
    }
}

/// Returns how much a locked log holds.
pub(crate) fn size_of_log(log: &FileLock) -> Result<u64, FileError> {
    let metadata = log.file().metadata().map_err(FileError::io(Operation::Inspect, log.path()))?;
    Ok(metadata.len())
}

/// Appends whole lines in one write; `size` is what the log holds.
pub(crate) fn append_lines(log: &FileLock, size: u64, lines: &[&str]) -> Result<(), FileError> {
    let mut content = String::new();
    if is_torn(log.file(), size).map_err(FileError::io(Operation::Append, log.path()))? {
        content.push('\n');
    }
    for line in lines {
        content.push_str(line);
        content.push('\n');
    }
    write_once(log.file(), content.as_bytes(), log.path())
}

fn is_torn(file: &File, size: u64) -> io::Result<bool> {
    let Some(last) = size.checked_sub(1) else { return Ok(false) };
    let mut byte = [0];
    file.read_exact_at(&mut byte, last)?;
    Ok(byte != *b"\n")
}

fn write_once(mut log: impl Write, content: &[u8], path: &Path) -> Result<(), FileError> {
    let length = content.len();
    loop {
        match log.write(content) {
            Ok(written) if written == length => return Ok(()),
            Ok(written) => {
                return Err(FileError::ShortWrite { path: path.to_path_buf(), written, length });
            }
            // Interrupted means that nothing was written.
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(FileError::io(Operation::Append, path)(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use tempfile::tempdir;

    use super::*;
    use crate::open::Links;
    use crate::read::read_text;
    use crate::write::write_atomically;

    #[test]
    fn a_line_is_one_line() {
        let cap = Bytes::new(4);
        let table = [
            ("", None),
            ("four", None),
            ("a\rb", None),
            ("a\nb", Some(LineRefusal::HoldsBreak)),
            ("a\0b", Some(LineRefusal::HoldsNul)),
            ("fives", Some(LineRefusal::TooLong(cap))),
        ];
        for (line, expected) in table {
            match check_line(Path::new("log"), line, cap) {
                Ok(()) => assert_eq!(expected, None, "{line:?}"),
                Err(FileError::LineRefused { reason, .. }) => assert_eq!(Some(reason), expected),
                Err(other) => panic!("{line:?}: {other:?}"),
            }
        }
        assert_eq!(
            check_line(Path::new("/log"), "fives", cap).unwrap_err().to_string(),
            "cannot append to `/log`: the line is longer than 4 bytes"
        );
    }

    #[test]
    fn a_torn_line_is_set_apart() {
        let table = [("", "new\n"), ("old\n", "old\nnew\n"), ("old\nto", "old\nto\nnew\n")];
        for (before, after) in table {
            let directory = tempdir().unwrap();
            let path = directory.path().join("log");
            write_atomically(&path, before.as_bytes()).unwrap();
            let log = lock_log(&path, Patience::Endless).unwrap();
            append_lines(&log, size_of_log(&log).unwrap(), &["new"]).unwrap();
            assert_eq!(read_text(&path, Bytes::kib(1), Links::Refuse).unwrap(), after);
        }
    }

    #[test]
    fn the_directory_of_a_log_is_made_when_it_is_missing() {
        let directory = tempdir().unwrap();
        let path = directory.path().join("one/two/log");
        drop(lock_log(&path, Patience::Endless).unwrap());
        assert!(path.is_file());
        let error = lock_log(&path.join("below"), Patience::Short).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotADirectory);
    }

    /// Takes what it is told to take, after one interruption.
    struct Stingy {
        interrupted: bool,
        takes: usize,
    }

    impl Write for Stingy {
        fn write(&mut self, _content: &[u8]) -> io::Result<usize> {
            if self.interrupted {
                Ok(self.takes)
            } else {
                self.interrupted = true;
                Err(io::ErrorKind::Interrupted.into())
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_short_write_is_an_error_and_an_interruption_is_not() {
        let path = Path::new("/logs/one.jsonl");
        write_once(Stingy { interrupted: false, takes: 5 }, b"line\n", path).unwrap();
        let error =
            write_once(Stingy { interrupted: false, takes: 2 }, b"line\n", path).unwrap_err();
        assert_eq!(
            error.to_string(),
            "cannot append to `/logs/one.jsonl`: only 2 of 5 bytes were written"
        );
        assert_eq!((error.kind(), error.path()), (io::ErrorKind::StorageFull, path));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_named() {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let error = write_once(&full, b"line\n", Path::new("/logs/one.jsonl")).unwrap_err();
        assert_eq!(error.to_string(), "cannot append to `/logs/one.jsonl`");
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    }
}
