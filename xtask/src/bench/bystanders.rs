//! What hooks of others are made of, beside ours for comparison: no goal depends on them.

use std::env::split_paths;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::project::Subject;
use super::report::Missing;
use crate::disk;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::process::Invocation;

/// A script that prints its answer from a file.
const SCRIPT: &str = "bash script that prints a file";

/// A program that does nothing in the language of the client.
const NODE: &str = "node -e 0";

/// How much context the file of the script holds, in bytes: that of an ordinary start of ours.
const CONTEXT: usize = 4096;

/// Returns what can be measured on this machine, and what cannot.
pub(super) fn find(
    environment: &Environment,
    directory: &Path,
) -> Result<(Vec<Subject>, Vec<Missing>), Failure> {
    let script = write_script(directory)?;
    let wanted = [
        (SCRIPT, "bash", vec![script.into_os_string()]),
        (NODE, "node", ["-e", "0"].map(Into::into).into()),
    ];
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for (command, program, arguments) in wanted {
        let there = installed(program, &environment.path).map(|path| {
            Invocation::new(path).clean().variable("PATH", &environment.path).arguments(arguments)
        });
        match there.filter(Invocation::succeeds) {
            Some(invocation) => found.push(Subject::new(command, invocation)),
            None => missing.push(Missing { command, program }),
        }
    }
    Ok((found, missing))
}

/// Returns the whole path of a program, because a search would be part of its time.
fn installed(program: &str, path: &OsStr) -> Option<PathBuf> {
    split_paths(path).map(|directory| directory.join(program)).find(|path| path.is_file())
}

fn write_script(directory: &Path) -> Result<PathBuf, Failure> {
    let [script, answer] = ["print.sh", "answer.json"].map(|name| directory.join(name));
    let context = "x".repeat(CONTEXT);
    let told = json!({ "hookEventName": "SessionStart", "additionalContext": context });
    disk::write(&answer, &json!({ "hookSpecificOutput": told }).to_string())?;
    disk::write(&script, "cat \"${0%/*}/answer.json\"\n")?;
    Ok(script)
}

#[cfg(test)]
mod tests {
    use super::{CONTEXT, Environment, find};

    fn environment(path: &str) -> Environment {
        let environment = Environment::from_lookup(|_| Some("/repository/xtask".into())).unwrap();
        Environment { path: path.into(), ..environment }
    }

    #[test]
    fn the_script_prints_its_answer() {
        let directory = tempfile::tempdir().unwrap();
        let (found, _) = find(&environment("/usr/bin:/bin"), directory.path()).unwrap();
        let answer = found.first().unwrap().in_round(0).read_output().unwrap();
        assert!(answer.contains("additionalContext") && answer.len() > CONTEXT);
    }

    #[test]
    fn what_is_not_installed_is_missing() {
        let directory = tempfile::tempdir().unwrap();
        let (found, missing) = find(&environment("/nowhere"), directory.path()).unwrap();
        assert!(found.is_empty());
        let programs: Vec<_> = missing.iter().map(|missing| missing.program).collect();
        assert_eq!(programs, ["bash", "node"]);
    }
}
