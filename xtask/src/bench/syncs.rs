//! How often a run waits for the disk, which a fast disk hides and a busy one does not.

use crate::failure::Failure;
use crate::process::Invocation;

/// The calls that wait until data is on the disk.
const CALLS: [&str; 4] = ["fsync", "fdatasync", "sync", "syncfs"];

/// How often a run waited for the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syncs {
    /// As strace counted, over all threads.
    Counted(usize),
    /// Strace is not installed.
    NoStrace,
}

/// Counts how often a run waits for the disk.
pub(super) fn count(invocation: Invocation) -> Result<Syncs, Failure> {
    let strace = Invocation::new("strace");
    if !strace.clone().arguments(["--version"]).succeeds() {
        return Ok(Syncs::NoStrace);
    }
    let wanted = format!("trace={}", CALLS.join(","));
    let traced = invocation.under(strace.arguments(["-f", "-qq", "-e", &wanted, "--"]));
    Ok(Syncs::Counted(counted(&traced.read_errors()?)))
}

/// Counts the lines on which a call begins; one that another thread cuts in two goes on without an
/// opening bracket.
fn counted(trace: &str) -> usize {
    let begins = |line: &str| {
        let (before, _) = line.split_once('(')?;
        CALLS.contains(&before.split_whitespace().next_back()?).then_some(())
    };
    trace.lines().filter_map(begins).count()
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn every_call_is_counted_once() {
        let trace = "\
[pid  4711] fsync(5 <unfinished ...>
[pid  4712] fdatasync(6)                = 0
[pid  4711] <... fsync resumed>)        = 0
fdatasync(3) = -1 EIO (Input/output error)
[pid  4712] +++ exited with 0 +++
";
        assert_eq!(counted(trace), 3);
        assert_eq!(counted(""), 0);
    }
}
