//! The law of a session log: whatever is torn between, every appended line is read exactly once
//! and in the order of its writer, in chunks of any size.

use std::fs::File;
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use pacenote_files::session_log::{Chunk, DamageReason, Line, LogDirectory, LogPath};
use pacenote_files::{Bytes, FileLock};
use proptest::prelude::*;
use tempfile::{TempDir, tempdir};

const ALL: Bytes = Bytes::mib(64);

/// What happens to a log.
#[derive(Clone, Debug)]
enum Act {
    /// A writer appends a line with this much filling.
    Append(usize),
    /// A writer dies in the middle of a line and leaves this.
    Tear(Vec<u8>),
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        3 => (0_usize..200).prop_map(Act::Append),
        1 => (65_000_usize..65_500).prop_map(Act::Append),
        2 => prop::collection::vec(any::<u8>(), 0..100).prop_map(Act::Tear),
        1 => (1_usize..60).prop_map(|length| Act::Tear(line(9, 9, 100).into_bytes()[..length].into())),
        1 => Just(Act::Tear(vec![b'x'; 70_000])),
    ]
}

fn line(writer: usize, number: usize, filling: usize) -> String {
    format!(r#"{{"writer":{writer},"number":{number},"filling":"{}"}}"#, "x".repeat(filling))
}

fn new_log() -> (TempDir, LogPath) {
    let directory = tempdir().unwrap();
    let log = LogDirectory::new(directory.path().join("logs")).log_for("codex", "1").unwrap();
    (directory, log)
}

/// Leaves the beginning of a line, as a writer does that dies with the lock in its hand.
pub(crate) fn tear(log: &LogPath, bytes: &[u8]) {
    let torn: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != b'\n').collect();
    if let Ok(_lock) = FileLock::exclusive(log.path()) {
        File::options().append(true).open(log.path()).unwrap().write_all(&torn).unwrap();
    }
}

/// Reads a whole log in chunks of at most `cap`, checking that each goes on where the last ended.
pub(crate) fn read_in_chunks(log: &LogPath, cap: Bytes) -> Chunk {
    let mut whole = log.read_from(0, cap).unwrap();
    while !whole.complete {
        let chunk = log.read_from(whole.next, cap).unwrap();
        assert!(chunk.next > whole.next || chunk.complete);
        whole.lines.extend(chunk.lines);
        whole.next = chunk.next;
        whole.complete = chunk.complete;
        assert_eq!(whole.log_id, chunk.log_id);
    }
    whole
}

/// Says what a line should be read as.
fn reading_of(content: &[u8]) -> Result<String, DamageReason> {
    if content.len() > 64 * 1024 {
        Err(DamageReason::TooLong)
    } else if content.contains(&0) {
        Err(DamageReason::HoldsNul)
    } else {
        String::from_utf8(content.to_vec()).map_err(|_| DamageReason::NotUtf8)
    }
}

fn readings(lines: &[Line]) -> Vec<Result<String, DamageReason>> {
    let reading = |line: &Line| line.text.clone().map_err(|damage| damage.reason);
    lines.iter().map(reading).collect()
}

/// Returns the numbers of the whole lines of one writer, as they stand in the log.
pub(crate) fn numbers_of(writer: usize, chunk: &Chunk) -> Vec<usize> {
    let start = format!(r#"{{"writer":{writer},"number":"#);
    let texts = chunk.lines.iter().filter_map(|line| line.text.as_ref().ok());
    let whole = texts.filter(|text| text.ends_with('}'));
    whole.filter_map(|text| text.strip_prefix(&start)?.split(',').next()?.parse().ok()).collect()
}

pub(crate) fn numbered_line(writer: usize, number: usize) -> String {
    line(writer, number, number % 50)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn every_line_is_read_as_it_was_written(
        acts in prop::collection::vec(act(), 0..30),
        cap in prop_oneof![Just(0_u64), 1_u64..2000, 60_000_u64..200_000],
    ) {
        let (directory, log) = new_log();
        pacenote_files::create_private_directory(&directory.path().join("logs")).unwrap();
        let mut expected = Vec::new();
        let mut torn = Vec::new();
        for (number, act) in acts.iter().enumerate() {
            match act {
                Act::Append(filling) => {
                    let line = line(0, number, *filling);
                    log.append(&line, 7).unwrap();
                    if !torn.is_empty() {
                        expected.push(reading_of(&torn));
                        torn.clear();
                    }
                    expected.push(Ok(line));
                }
                Act::Tear(bytes) => {
                    tear(&log, bytes);
                    torn.extend(bytes.iter().filter(|byte| **byte != b'\n'));
                }
            }
        }
        let whole = log.read_from(0, ALL).unwrap();
        prop_assert_eq!(readings(&whole.lines), expected);
        prop_assert!(whole.complete);
        prop_assert_eq!(read_in_chunks(&log, Bytes::new(cap)), whole);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn threads_that_append_tear_and_read_at_once_lose_nothing(
        writers in prop::collection::vec(prop::collection::vec(act(), 1..15), 2..5),
        cap in 0_u64..100_000,
    ) {
        let (_directory, log) = new_log();
        let running = AtomicUsize::new(writers.len());
        let followed = thread::scope(|scope| {
            for (writer, acts) in writers.iter().enumerate() {
                let (log, running) = (&log, &running);
                scope.spawn(move || {
                    for (number, act) in acts.iter().enumerate() {
                        match act {
                            Act::Append(filling) => {
                                log.append(&line(writer, number, *filling), 8).unwrap();
                            }
                            Act::Tear(bytes) => tear(log, bytes),
                        }
                    }
                    running.fetch_sub(1, Ordering::SeqCst);
                });
            }
            follow(&log, Bytes::new(cap), &running)
        });
        let whole = log.read_from(0, ALL).unwrap();
        prop_assert_eq!(&followed, &whole.lines);
        for (writer, acts) in writers.iter().enumerate() {
            let appended: Vec<_> = acts
                .iter()
                .enumerate()
                .filter_map(|(number, act)| matches!(act, Act::Append(_)).then_some(number))
                .collect();
            prop_assert_eq!(numbers_of(writer, &whole), appended);
        }
    }
}

#[test]
fn a_reader_that_meets_a_log_at_its_birth_never_takes_the_header_for_a_line() {
    for _ in 0..500 {
        let (_directory, log) = new_log();
        thread::scope(|scope| {
            scope.spawn(|| log.append("first", 7).unwrap());
            let chunk = loop {
                let chunk = log.read_from(0, ALL).unwrap();
                if !chunk.lines.is_empty() {
                    break chunk;
                }
            };
            assert_eq!(readings(&chunk.lines), [Ok("first".to_owned())]);
            assert_eq!(chunk.log_id, Some(format!("{:032x}", 7)));
        });
    }
}

/// Reads on while others write, until they are done and everything is read.
fn follow(log: &LogPath, cap: Bytes, running: &AtomicUsize) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut next = 0;
    loop {
        let done = running.load(Ordering::SeqCst) == 0;
        let chunk = log.read_from(next, cap).unwrap();
        lines.extend(chunk.lines);
        next = chunk.next;
        if done && chunk.complete {
            return lines;
        }
    }
}
