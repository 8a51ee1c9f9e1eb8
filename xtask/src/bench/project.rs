//! A project with a warm store, away from the developer's own, and the commands run in it.

use std::path::{Path, PathBuf};

use super::Ground;
use super::payloads::{payload, session_start};
use crate::disk;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::process::Invocation;

/// The command that does nothing, which everything is compared with.
pub(super) const FLOOR: &str = "/bin/true";

/// The command that has a goal.
pub(super) const TASK_LIST: &str = "pacenote task list --json";

/// A busy week's worth; an empty store would flatter us.
const TASKS: u32 = 50;

/// How the title of every task begins.
const TITLE: &str = "Measure the start of a process";

/// A project in a directory of its own, removed when dropped.
#[derive(Debug)]
pub(super) struct Project {
    /// Sees only this project and its store.
    pacenote: Invocation,
    floor: Invocation,
    sessions: PathBuf,
    _directory: Ground,
}

impl Project {
    /// Fills a store with tasks and writes what a client would send at the start of each session.
    pub(super) fn prepare(
        environment: &Environment,
        pacenote: &Path,
        sessions: u32,
    ) -> Result<Self, Failure> {
        let directory = Ground::prepare(environment)?;
        let [home, store, work, payloads] =
            ["home", "store", "work", "payloads"].map(|name| directory.path().join(name));
        for path in [&home, &store, &work, &payloads] {
            disk::create_directory(path)?;
        }
        let here = |program: &Path| {
            Invocation::new(program)
                .directory(&work)
                .clean()
                .variable("PATH", &environment.path)
                .variable("HOME", &home)
                .variable("PACENOTE_HOME", &store)
        };
        for session in 0..sessions {
            disk::write(&payload(&payloads, session), &session_start(session, &home, &work))?;
        }
        let project = Self {
            pacenote: here(pacenote),
            floor: here(Path::new(FLOOR)),
            sessions: payloads,
            _directory: directory,
        };
        project.add_tasks()?;
        Ok(project)
    }

    /// Returns the commands to measure, the floor first.
    pub(super) fn subjects(&self) -> Vec<Subject> {
        let pacenote =
            |arguments: &[&str]| self.pacenote.clone().arguments(arguments.iter().copied());
        vec![
            Subject::new(FLOOR, self.floor.clone()),
            Subject::new("pacenote --version", pacenote(&["--version"])),
            Subject::new(TASK_LIST, pacenote(&["task", "list", "--json"])),
            Subject::with_sessions(
                "pacenote hook claude session-start",
                pacenote(&["hook", "claude", "session-start"]),
                &self.sessions,
            ),
        ]
    }

    fn add_tasks(&self) -> Result<(), Failure> {
        for number in 1..=TASKS {
            let title = format!("{TITLE}, number {number}");
            self.pacenote.clone().arguments(["task", "add", &title, "--json"]).read_output()?;
        }
        let list = self.pacenote.clone().arguments(["task", "list", "--json"]);
        // A list that does not hold the tasks is not the one whose time we want to know.
        if list.read_output()?.contains(TITLE) {
            Ok(())
        } else {
            Err(list.unexpected("the tasks that were added are not in it"))
        }
    }
}

/// A command that is measured.
#[derive(Debug)]
pub(crate) struct Subject {
    /// What it is called in the report.
    pub(super) name: &'static str,
    invocation: Invocation,
    /// Where the payload of each round's session is, for a command that reads one.
    sessions: Option<PathBuf>,
}

impl Subject {
    /// A command that does the same in every round.
    pub(super) fn new(name: &'static str, invocation: Invocation) -> Self {
        Self { name, invocation, sessions: None }
    }

    /// A command that is told of a new session in every round.
    ///
    /// With one session for all rounds, each would find what the rounds before have left behind.
    pub(super) fn with_sessions(
        name: &'static str,
        invocation: Invocation,
        sessions: &Path,
    ) -> Self {
        Self { name, invocation, sessions: Some(sessions.to_owned()) }
    }

    /// Returns the run of this command in a round.
    pub(crate) fn in_round(&self, round: u32) -> Invocation {
        let invocation = self.invocation.clone();
        match &self.sessions {
            Some(sessions) => invocation.input(&payload(sessions, round)),
            None => invocation,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Environment, Failure, Invocation, Project, Subject, disk, payload, session_start};

    #[test]
    fn every_round_is_told_of_a_session_of_its_own() {
        let sessions = tempfile::tempdir().unwrap();
        let [home, work] = ["/home/developer", "/home/developer/work"].map(Path::new);
        for round in [0, 1] {
            let text = session_start(round, home, work);
            disk::write(&payload(sessions.path(), round), &text).unwrap();
        }
        let subject = Subject::with_sessions("cat", Invocation::new("/bin/cat"), sessions.path());
        let [first, second] = [0, 1].map(|round| subject.in_round(round).read_output().unwrap());
        assert!(
            first.contains(r#""session_id":"00000000-0000-4000-8000-000000000000""#),
            "{first}"
        );
        assert!(
            second.contains(r#""session_id":"00000000-0000-4000-8000-000000000001""#),
            "{second}"
        );
    }

    #[test]
    fn a_product_that_does_not_list_its_tasks_is_not_measured() {
        let environment = Environment::from_lookup(|_| Some("/repository/xtask".into())).unwrap();
        let environment = Environment { temporary: "/tmp".into(), ..environment };
        let echo = Path::new("/bin/echo");
        let failure = Project::prepare(&environment, echo, 1).unwrap_err();
        assert!(matches!(failure, Failure::Unexpected { .. }), "{failure}");
    }
}
