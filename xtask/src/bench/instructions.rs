//! Instruction counts, which a busy machine does not change.

use crate::failure::Failure;
use crate::process::Invocation;

/// The least stack of a thread that a Rust program is told of while it is counted: more than there
/// are addresses, so that it starts no threads. A hook's watchdog would end a run that is fifty
/// times slower than in earnest; a hook without one answers all the same.
const NO_THREADS: (&str, &str) = ("RUST_MIN_STACK", "140737488355328");

/// How many instructions a run took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instructions {
    /// As callgrind counted them.
    Counted(u64),
    /// Callgrind is part of valgrind, and that is not installed.
    NoValgrind,
    /// They would be those of a shell or of another's program.
    NotAsked,
}

/// Counts the instructions of a run.
pub(super) fn count(invocation: Invocation) -> Result<Instructions, Failure> {
    let valgrind = Invocation::new("valgrind");
    if !valgrind.clone().arguments(["--version"]).succeeds() {
        return Ok(Instructions::NoValgrind);
    }
    let callgrind =
        valgrind.arguments(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--"]);
    let (variable, value) = NO_THREADS;
    let profiled = invocation.variable(variable, value).under(callgrind);
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
