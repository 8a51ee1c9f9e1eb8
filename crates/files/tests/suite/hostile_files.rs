//! Files that others prepared: links swapped under the reader, lines larger than memory should be.

use std::fs::File;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use pacenote_files::session_log::{DamageReason, LogDirectory};
use pacenote_files::{Bytes, Links, read_capped, rename, write_atomically};
use tempfile::tempdir;

/// A line that would show in the memory of whoever reads it whole, eight times what is allowed.
const HUGE: u64 = 256 << 20;

/// How often a link takes the place of a file while it is read.
const SWAPS: usize = 100_000;

#[test]
fn a_link_swapped_in_at_any_moment_is_never_read() {
    let directory = tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    write_atomically(&path("secret"), b"secret").unwrap();
    write_atomically(&path("public"), b"public").unwrap();
    write_atomically(&path("read"), b"public").unwrap();
    let done = AtomicBool::new(false);
    let reads = thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut reads = 0_usize;
            while !done.load(Ordering::Relaxed) {
                if let Ok(content) = read_capped(&path("read"), Bytes::kib(1), Links::Refuse) {
                    assert_eq!(content, b"public");
                    reads += 1;
                }
            }
            reads
        });
        for _ in 0..SWAPS / 2 {
            symlink(path("secret"), path("next")).unwrap();
            rename(&path("next"), &path("read")).unwrap();
            std::fs::hard_link(path("public"), path("next")).unwrap();
            rename(&path("next"), &path("read")).unwrap();
        }
        done.store(true, Ordering::Relaxed);
        reader.join().unwrap()
    });
    assert!(reads > 0, "the reader never met the file");
}

#[cfg(target_os = "linux")]
#[test]
fn a_line_larger_than_memory_should_be_is_skipped() {
    let directory = tempdir().unwrap();
    let log = LogDirectory::new(directory.path()).log_for("codex", "1").unwrap();
    log.append("before", 7).unwrap();
    let file = File::options().append(true).open(log.path()).unwrap();
    let start = file.metadata().unwrap().len();
    // A hole takes no room on disk and is read as NUL bytes.
    file.set_len(start + HUGE).unwrap();
    log.append("after", 7).unwrap();

    let memory_before = most_memory_used();
    let chunk = log.read_from(0, Bytes::mib(1)).unwrap();
    let growth = most_memory_used().saturating_sub(memory_before);
    assert!(growth < 32 * 1024, "{growth} KiB");
    let [before, large, after] = chunk.lines.as_slice() else { panic!("{:?}", chunk.lines) };
    assert_eq!((before.text.as_deref(), after.text.as_deref()), (Ok("before"), Ok("after")));
    let damage = large.text.as_ref().unwrap_err();
    assert_eq!(damage.reason, DamageReason::TooLong);
    assert_eq!(damage.bytes, start..start + HUGE);
}

#[test]
fn a_log_of_nothing_but_newlines_does_not_multiply_in_memory() {
    let directory = tempdir().unwrap();
    let log = LogDirectory::new(directory.path()).log_for("codex", "1").unwrap();
    write_atomically(log.path(), &vec![b'\n'; 1 << 20]).unwrap();
    let chunk = log.read_from(0, Bytes::kib(64)).unwrap();
    assert!(chunk.lines.len() < 4096 && !chunk.complete, "{} lines", chunk.lines.len());
}

/// Returns the most memory this process ever used, in KiB.
fn most_memory_used() -> u64 {
    let path = Path::new("/proc/self/status");
    let status = pacenote_files::read_text(path, Bytes::kib(64), Links::Follow).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}
