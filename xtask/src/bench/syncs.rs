//! How often a run waits for the disk, which a fast disk hides and a busy one does not.

use serde_json::{Value, json};

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

/// How often a command waits for the disk.
#[derive(Debug)]
pub(super) struct Wait {
    /// What it is called in the report.
    pub(super) command: &'static str,
    /// What was counted.
    pub(super) syncs: Syncs,
}

impl Wait {
    /// Fails when it ever does.
    pub(super) fn judge(&self) -> Result<(), Failure> {
        match self.syncs {
            Syncs::Counted(0) | Syncs::NoStrace => Ok(()),
            Syncs::Counted(calls) => Err(Failure::Synced { command: self.command, calls }),
        }
    }

    /// Renders it for people.
    pub(super) fn line(&self) -> String {
        let verdict = match self.syncs {
            Syncs::Counted(0) => "found 0: met".to_owned(),
            Syncs::Counted(calls) => format!("found {calls}: not met"),
            Syncs::NoStrace => "not counted: no strace".to_owned(),
        };
        format!("goal: `{}` never waits for the disk, {verdict}", self.command)
    }

    /// Renders for people how often it does, where there is no goal.
    pub(super) fn told(&self) -> String {
        let found = match self.syncs {
            Syncs::Counted(calls) => format!("waits for the disk {calls} times"),
            Syncs::NoStrace => "not looked at for waits: no strace".to_owned(),
        };
        format!("`{}`: {found}", self.command)
    }

    /// Returns how often it does, if that was counted.
    pub(super) fn calls(&self) -> Option<usize> {
        match self.syncs {
            Syncs::Counted(calls) => Some(calls),
            Syncs::NoStrace => None,
        }
    }

    /// Renders it for programs.
    pub(super) fn json(&self) -> Value {
        let calls = self.calls();
        json!({ "command": self.command, "calls": calls, "met": calls.map(|calls| calls == 0) })
    }
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
    use super::{Syncs, Wait, counted};

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

    #[test]
    fn a_hook_that_waits_for_the_disk_fails() {
        let wait = |syncs| Wait { command: "a prompt", syncs };
        assert!(wait(Syncs::Counted(0)).judge().is_ok());
        assert_eq!(
            wait(Syncs::Counted(2)).judge().unwrap_err().to_string(),
            "`a prompt` waited for the disk 2 times, the goal is never"
        );
        assert_eq!(
            wait(Syncs::Counted(2)).line(),
            "goal: `a prompt` never waits for the disk, found 2: not met"
        );
        assert_eq!(wait(Syncs::Counted(2)).told(), "`a prompt`: waits for the disk 2 times");
    }

    #[test]
    fn what_was_not_counted_is_told_and_does_not_fail() {
        let wait = Wait { command: "a prompt", syncs: Syncs::NoStrace };
        assert!(wait.line().ends_with("not counted: no strace"));
        assert!(wait.told().ends_with("no strace"));
        assert!(wait.judge().is_ok());
        assert!(wait.json()["met"].is_null());
    }
}
