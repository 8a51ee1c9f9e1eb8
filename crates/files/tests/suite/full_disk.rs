//! A disk that is full in the middle of a write, played by a limit on the size of files: the
//! system then takes what fits and refuses the rest, as it does with the last block of a disk.

use std::io;
use std::path::Path;

use pacenote_files::session_log::{LogDirectory, LogPath};
use pacenote_files::{
    Bytes, FileError, Links, list_directory, read_text, size_of, write_atomically,
};
use tempfile::tempdir;

use crate::child::child;

/// Runs a program that may write files of at most 100 blocks, 50 or 100 KiB by shell, and that is
/// told so by an error instead of a signal.
const SMALL_DISK: [&str; 3] = ["sh", "-c", r#"trap "" XFSZ && ulimit -f 100 && exec "$0" "$@""#];

const LINE_LENGTH: usize = 30_000;

fn log_in(directory: &Path) -> LogPath {
    LogDirectory::new(directory.join("logs")).log_for("codex", "1").unwrap()
}

fn names_in(directory: &Path) -> Vec<String> {
    let entries = list_directory(directory).unwrap();
    entries.into_iter().map(|entry| entry.name.into_string().unwrap()).collect()
}

pub(crate) fn fill_the_disk(directory: &Path) {
    let settings = directory.join("settings");
    let error = write_atomically(&settings, &vec![b'x'; 1 << 20]).unwrap_err();
    assert_eq!((error.kind(), error.path()), (io::ErrorKind::FileTooLarge, settings.as_path()));

    let log = log_in(directory);
    let line = "x".repeat(LINE_LENGTH);
    let fitted = (0..10).take_while(|_| log.append(&line, 7).is_ok()).count();
    assert!(matches!(fitted, 1..=3), "{fitted} lines fitted");
    // The log is full to the brim, so nothing of the next line is written.
    let error = log.append(&line, 7).unwrap_err();
    assert_eq!((error.kind(), error.path()), (io::ErrorKind::FileTooLarge, log.path()));

    let other = LogDirectory::new(directory.join("logs")).log_for("codex", "2").unwrap();
    for _ in 0..fitted {
        other.append(&line, 7).unwrap();
    }
    match other.append(&line, 7) {
        Err(FileError::ShortWrite { written, length, .. }) => assert!(written < length),
        result => panic!("{result:?}"),
    }
    // A log that cannot be begun whole is not begun, and a shorter line may begin it later.
    let unbegun = LogDirectory::new(directory.join("logs")).log_for("codex", "3").unwrap();
    let most = "x".repeat(60_000);
    match unbegun.hold_soon().unwrap().append(&[&most, &most], 7) {
        Err(FileError::ShortWrite { written, length, .. }) => assert!(written < length),
        result => panic!("{result:?}"),
    }
    assert_eq!(size_of(unbegun.path()).unwrap(), Bytes::new(0));
    unbegun.append("short", 8).unwrap();
    let chunk = unbegun.read_from(0, Bytes::kib(1)).unwrap();
    assert_eq!(chunk.log_id, Some(format!("{:032x}", 8)));
    assert_eq!(
        chunk.lines.iter().map(|line| line.text.as_deref()).collect::<Vec<_>>(),
        [Ok("short")]
    );
    write_atomically(&directory.join("fitted"), fitted.to_string().as_bytes()).unwrap();
}

#[test]
fn a_full_disk_loses_nothing_that_was_written_before() {
    let directory = tempdir().unwrap();
    let settings = directory.path().join("settings");
    write_atomically(&settings, b"old").unwrap();
    let mut command = child(&SMALL_DISK, "fill the disk", directory.path());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    assert_eq!(read_text(&settings, Bytes::kib(1), Links::Refuse).unwrap(), "old");
    assert_eq!(names_in(directory.path()), ["fitted", "logs", "settings"]);
    let fitted = read_text(&directory.path().join("fitted"), Bytes::kib(1), Links::Refuse).unwrap();
    let fitted: usize = fitted.parse().unwrap();

    let log = log_in(directory.path());
    log.append("there is room again", 8).unwrap();
    let lines = log.read_from(0, Bytes::mib(1)).unwrap().lines;
    let texts: Vec<_> = lines.iter().map(|line| line.text.as_deref().unwrap()).collect();
    let (whole, rest) = texts.split_at(fitted);
    assert!(whole.iter().all(|text| text.len() == LINE_LENGTH));
    let [torn, last] = rest else { panic!("{} lines after the whole ones", rest.len()) };
    assert!(torn.len() < LINE_LENGTH && torn.bytes().all(|byte| byte == b'x'));
    assert_eq!(*last, "there is room again");
}
