//! This test binary, started again as a process of its own that does one task.

use std::path::Path;
use std::process::Command;

use crate::{full_disk, many_processes};

const TASK: &str = "PACENOTE_TEST_TASK";
const DIRECTORY: &str = "PACENOTE_TEST_DIRECTORY";

/// What a child does, with the directory it works in.
type Task = fn(&Path);

/// What a child can be told to do.
const TASKS: [(&str, Task); 3] = [
    ("append some lines", many_processes::append_some_lines),
    ("append until killed", many_processes::append_until_killed),
    ("fill the disk", full_disk::fill_the_disk),
];

#[test]
#[ignore = "is started by other tests as a process of its own"]
#[expect(clippy::disallowed_methods, reason = "the parent can tell its child only by variables")]
fn does_its_task() {
    let (Ok(task), Ok(directory)) = (std::env::var(TASK), std::env::var(DIRECTORY)) else { return };
    let (_, act) = TASKS.iter().find(|(name, _)| *name == task).unwrap();
    act(Path::new(&directory));
}

/// Returns the command that starts a child with a task, run by `wrapper` if that is not empty.
#[expect(clippy::disallowed_methods, reason = "a test that needs processes must start them")]
pub(crate) fn child(wrapper: &[&str], task: &str, directory: &Path) -> Command {
    assert!(TASKS.iter().any(|(name, _)| *name == task), "no task `{task}`");
    let binary = std::env::current_exe().unwrap();
    let mut command = match wrapper {
        [] => Command::new(&binary),
        [program, arguments @ ..] => {
            let mut command = Command::new(program);
            command.args(arguments).arg(&binary);
            command
        }
    };
    command.args(["--exact", "child::does_its_task", "--ignored", "--nocapture"]);
    command.env(TASK, task).env(DIRECTORY, directory);
    command
}
