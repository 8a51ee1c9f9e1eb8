//! Instruction counts, which a busy machine does not change.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

use crate::disk;
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

/// Returns the functions that a run calls, by their names in the program; `profile` is a file that
/// callgrind may write.
pub(crate) fn functions_run(
    invocation: Invocation,
    profile: &Path,
) -> Result<BTreeSet<String>, Failure> {
    let mut written = OsString::from("--callgrind-out-file=");
    written.push(profile);
    let callgrind = Invocation::new("valgrind").arguments([
        OsString::from("--tool=callgrind"),
        OsString::from("--demangle=no"),
        written,
        OsString::from("--"),
    ]);
    let (variable, value) = NO_THREADS;
    invocation.variable(variable, value).under(callgrind).read_errors()?;
    Ok(functions_in(&disk::read(profile)?))
}

/// Finds the functions in what callgrind wrote: `fn=(7) name` and `cfn=(7) name`, where a name is
/// said once, and `name'2` is called by itself.
fn functions_in(profile: &str) -> BTreeSet<String> {
    let names = profile.lines().filter_map(|line| {
        let numbered = line.strip_prefix("fn=(").or_else(|| line.strip_prefix("cfn=("))?;
        let (_, name) = numbered.split_once(") ")?;
        Some(name.split('\'').next().unwrap_or(name).to_owned())
    });
    names.collect()
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
    use super::{collected, functions_in};

    #[test]
    fn functions_are_found_where_they_are_named() {
        let profile = "ob=(1) /bin/true\nfl=(1) ???\nfn=(1) main\n+3 4\ncfn=(2) walk'2\ncalls=1 0\n\
                       fn=(2)\ncfn=(3) _ZN4core3fmt17h0123456789abcdefE\n";
        let names: Vec<_> = functions_in(profile).into_iter().collect();
        assert_eq!(names, ["_ZN4core3fmt17h0123456789abcdefE", "main", "walk"]);
    }

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
