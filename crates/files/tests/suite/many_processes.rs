//! Several processes on one log, some of them killed: what was acknowledged is there, once.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{self, Stdio};

use pacenote_files::Bytes;
use pacenote_files::session_log::{LogDirectory, LogPath};
use tempfile::tempdir;

use crate::child::child;
use crate::log_law::{numbered_line, numbers_of, read_in_chunks, tear};

const LINES_OF_A_CHILD: usize = 100;

fn log_in(directory: &Path) -> LogPath {
    LogDirectory::new(directory.join("logs")).log_for("codex", "1").unwrap()
}

fn writer() -> usize {
    usize::try_from(process::id()).unwrap()
}

pub(crate) fn append_some_lines(directory: &Path) {
    let log = log_in(directory);
    for number in 0..LINES_OF_A_CHILD {
        log.append(&numbered_line(writer(), number), 7).unwrap();
    }
}

pub(crate) fn append_until_killed(directory: &Path) {
    let log = log_in(directory);
    for number in 0.. {
        log.append(&numbered_line(writer(), number), 7).unwrap();
        println!("acknowledged {number}");
    }
}

#[test]
fn processes_that_append_at_once_lose_nothing() {
    let directory = tempdir().unwrap();
    let log = log_in(directory.path());
    let start = || child(&[], "append some lines", directory.path()).stdout(Stdio::null()).spawn();
    let mut children: Vec<_> = (0..4).map(|_| start().unwrap()).collect();
    while children.iter_mut().any(|child| child.try_wait().unwrap().is_none()) {
        tear(&log, br#"{"writer":1,"number":5,"fil"#);
    }
    log.append("sets the last torn line apart", 7).unwrap();
    let whole = read_in_chunks(&log, Bytes::kib(4));
    for child in &mut children {
        assert!(child.wait().unwrap().success());
        let writer = usize::try_from(child.id()).unwrap();
        assert_eq!(numbers_of(writer, &whole), (0..LINES_OF_A_CHILD).collect::<Vec<_>>());
    }
}

#[test]
fn a_killed_writer_loses_no_acknowledged_line_and_leaves_no_lock() {
    let directory = tempdir().unwrap();
    let log = log_in(directory.path());
    for acknowledgements in 1..=20 {
        let mut child = child(&[], "append until killed", directory.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let acknowledged = output
            .lines()
            .filter_map(|line| line.unwrap().split("acknowledged ").nth(1)?.parse().ok())
            .nth(acknowledgements)
            .unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        log.append("comes after the kill", 7).unwrap();
        let whole = read_in_chunks(&log, Bytes::kib(64));
        let numbers = numbers_of(usize::try_from(child.id()).unwrap(), &whole);
        assert_eq!(numbers, (0..numbers.len()).collect::<Vec<_>>());
        assert!(numbers.len() > acknowledged, "{} > {acknowledged}", numbers.len());
    }
}
