//! Instruction counts, which a busy machine does not change.

use crate::failure::Failure;
use crate::process::Invocation;

/// How many instructions a run took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instructions {
    /// As callgrind counted them, over all threads.
    Counted(u64),
    /// Callgrind is part of valgrind, and that is not installed.
    NoValgrind,
}

/// Counts the instructions of a run.
pub(super) fn count(invocation: Invocation) -> Result<Instructions, Failure> {
    let valgrind = Invocation::new("valgrind");
    if !valgrind.clone().arguments(["--version"]).succeeds() {
        return Ok(Instructions::NoValgrind);
    }
    let callgrind =
        valgrind.arguments(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--"]);
    let profiled = invocation.under(callgrind);
    collected(&profiled.read_errors()?)
        .map(Instructions::Counted)
        .ok_or_else(|| profiled.unexpected("no line `Collected : N`"))
}

/// Finds the count in callgrind's closing lines.
fn collected(report: &str) -> Option<u64> {
    report.lines().find_map(|line| {
        let (_, count) = line.split_once("Collected : ")?;
        count.trim().parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::collected;

    #[test]
    fn the_count_is_found_in_the_closing_lines() {
        let report = "==4711== Callgrind, a call-graph generating cache profiler\n\
                      ==4711== \n\
                      ==4711== Events    : Ir\n\
                      ==4711== Collected : 131416\n";
        assert_eq!(collected(report), Some(131_416));
        assert_eq!(collected("==4711== Events    : Ir\n"), None);
    }
}
