//! A repository in which an agent is at work, with a shelf of skills, and the hooks fired in it.

use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::payloads::{Payload, before_tool, payload, prompt, session_id, session_start};
use super::project::Subject;
use super::shelf::{self, Shelf};
use crate::disk;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::process::Invocation;

/// The shell through which clients run what is registered with them.
pub(super) const SHELL: &str = "/bin/sh";

/// The agent that is at work.
const AGENT: &str = "bench";

/// The task it has claimed, the first of all.
const CLAIMED: &str = "Say what a change of the house is for";

/// How many tasks there are, with the claimed one.
const TASKS: u32 = 50;

/// The word for the start of a session on our command line.
const SESSION_START: &str = "session-start";

/// What is added where a client is to ask for a start in parts: the first holds the most.
const FIRST_PART: &str = " --part 1/4";

/// Who starts a hook.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    /// The client itself.
    Direct,
    /// A shell, which the client hands the registered string.
    ThroughShell,
}

/// A repository with tasks and skills, one of each in the agent's hands.
#[derive(Debug)]
pub(crate) struct Workplace {
    pacenote: PathBuf,
    path: OsString,
    /// Where everything lies.
    place: PathBuf,
    home: PathBuf,
    store: PathBuf,
    /// The repository in which there is work.
    work: PathBuf,
    /// How often each hook is fired.
    rounds: u32,
    /// How many sessions have a number.
    sessions: u32,
}

impl Workplace {
    /// Sets one up in `place` for hooks that are fired in so many rounds.
    pub(crate) fn prepare(
        environment: &Environment,
        pacenote: &Path,
        place: &Path,
        (shelf, skills): (Shelf, u32),
        rounds: u32,
    ) -> Result<Self, Failure> {
        let [home, store, work] = ["home", "store", "work"].map(|name| place.join(name));
        for path in [&home, &store] {
            disk::create_directory(path)?;
        }
        let workplace = Self {
            pacenote: pacenote.to_owned(),
            path: environment.path.clone(),
            place: place.to_owned(),
            home,
            store,
            work,
            rounds,
            sessions: 0,
        };
        workplace.make_repository(&workplace.work)?;
        shelf::fill(&workplace.home, shelf, skills)?;
        workplace.add_work()?;
        Ok(workplace)
    }

    /// Gives the project settings of its own, which the person trusts.
    pub(crate) fn trust_settings(&self) -> Result<(), Failure> {
        let directory = self.work.join(".pacenote");
        disk::create_directory(&directory)?;
        disk::write(&directory.join("config.toml"), "[context]\nbudget_tokens = 6000\n")?;
        // Only a person may, who has no name of an agent.
        let approve =
            self.command(["trust", "approve", "--yes"]).without_variable("PACENOTE_AGENT");
        approve.read_output().map(drop)
    }

    /// The hook that is called when a session starts, in every round another one.
    pub(crate) fn start(&mut self, name: &'static str, way: Way) -> Result<Subject, Failure> {
        let sessions = self.sessions_of_rounds();
        let payloads = self.write_payloads(sessions, session_start, &self.work)?;
        let hook = self.hook(SESSION_START, way);
        told(&hook.clone().input(&payload(&payloads, self.rounds)))?;
        Ok(Subject::with_sessions(name, hook, &payloads))
    }

    /// The hook that is called with a prompt when nothing has changed since the start.
    pub(crate) fn prompt(&mut self, name: &'static str, way: Way) -> Result<Subject, Failure> {
        self.within_sessions(name, prompt, self.hook("user-prompt-submit", way))
    }

    /// The hook that is called before a command is run.
    pub(crate) fn before_tool(&mut self, name: &'static str, way: Way) -> Result<Subject, Failure> {
        self.within_sessions(name, before_tool, self.hook("pre-tool-use", way))
    }

    /// The hook that is called when a session starts in a repository without pacenote.
    pub(crate) fn elsewhere(&mut self, name: &'static str, way: Way) -> Result<Subject, Failure> {
        let elsewhere = self.place.join("elsewhere");
        self.make_repository(&elsewhere)?;
        let sessions = self.sessions_of_rounds();
        let payloads = self.write_payloads(sessions, session_start, &elsewhere)?;
        let hook = self.hook(SESSION_START, way).directory(&elsewhere);
        is_silent(&hook.clone().input(&payload(&payloads, self.rounds)))?;
        Ok(Subject::with_sessions(name, hook, &payloads))
    }

    /// So many sessions that nobody has heard of, each with the hook that is called at its start.
    pub(super) fn unheard(&mut self, count: u32) -> Result<Vec<(String, Invocation)>, Failure> {
        let sessions = self.next_sessions(count);
        let payloads = self.write_payloads(sessions.clone(), session_start, &self.work)?;
        let starts = (0..)
            .map(|round| self.hook(SESSION_START, Way::Direct).input(&payload(&payloads, round)));
        Ok(sessions.map(session_id).zip(starts).collect())
    }

    /// Describes a command of the agent.
    pub(super) fn command<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Invocation {
        self.here(&self.pacenote).arguments(arguments)
    }

    /// A hook that is called in sessions that were told everything, and has nothing to say.
    fn within_sessions(
        &mut self,
        name: &'static str,
        event: Payload,
        hook: Invocation,
    ) -> Result<Subject, Failure> {
        let sessions = self.sessions_of_rounds();
        let begun = self.write_payloads(sessions.clone(), session_start, &self.work)?;
        for round in 0..=self.rounds {
            told(&self.hook(SESSION_START, Way::Direct).input(&payload(&begun, round)))?;
        }
        let payloads = self.write_payloads(sessions, event, &self.work)?;
        is_silent(&hook.clone().input(&payload(&payloads, self.rounds)))?;
        Ok(Subject::with_sessions(name, hook, &payloads))
    }

    /// Numbers of new sessions: one for each round, and one to see how a hook answers.
    fn sessions_of_rounds(&mut self) -> Range<u32> {
        self.next_sessions(self.rounds.saturating_add(1))
    }

    fn next_sessions(&mut self, count: u32) -> Range<u32> {
        let first = self.sessions;
        self.sessions = first.saturating_add(count);
        first..self.sessions
    }

    /// Writes the payload of an event in each of these sessions, and returns where.
    fn write_payloads(
        &self,
        sessions: Range<u32>,
        event: Payload,
        work: &Path,
    ) -> Result<PathBuf, Failure> {
        let directory = disk::temporary_directory(&self.place, "payloads-")?.keep();
        for (round, session) in (0..).zip(sessions) {
            disk::write(&payload(&directory, round), &event(session, &self.home, work))?;
        }
        Ok(directory)
    }

    fn hook(&self, event: &str, way: Way) -> Invocation {
        match way {
            Way::Direct => self.command(["hook", "claude", event]),
            Way::ThroughShell => {
                let part = if event == SESSION_START { FIRST_PART } else { "" };
                let registered = format!("{} hook claude {event}{part}", quoted(&self.pacenote));
                self.here(Path::new(SHELL)).arguments(["-c", &registered])
            }
        }
    }

    fn here(&self, program: &Path) -> Invocation {
        Invocation::new(program)
            .directory(&self.work)
            .clean()
            .variable("PATH", &self.path)
            .variable("HOME", &self.home)
            .variable("PACENOTE_HOME", &self.store)
            .variable("PACENOTE_AGENT", AGENT)
    }

    fn make_repository(&self, directory: &Path) -> Result<(), Failure> {
        disk::create_directory(directory)?;
        let git = self.here(Path::new("git")).directory(directory);
        git.arguments(["init", "--quiet"]).read_output().map(drop)
    }

    /// Indexes the skills, adds the tasks and takes the one that calls for a skill.
    fn add_work(&self) -> Result<(), Failure> {
        let call =
            |arguments: &[&str]| self.command(arguments.iter().copied()).read_output().map(drop);
        call(&["skill", "list", "--json"])?;
        call(&["task", "add", CLAIMED, "--skill", shelf::ON_EVERY_SHELF, "--json"])?;
        for number in 2..=TASKS {
            call(&["task", "add", &format!("Look after part {number} of the house"), "--json"])?;
        }
        call(&["task", "claim", "#1", "--json"])
    }
}

/// Puts a path into the quotes that a shell takes off again.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

/// Returns the hook's answer, and fails unless it tells of the task and the skill: the empty answer
/// would look fast.
pub(super) fn told(start: &Invocation) -> Result<String, Failure> {
    let answer = start.read_output()?;
    for wanted in [CLAIMED, shelf::ON_EVERY_SHELF, shelf::HEADING] {
        if !answer.contains(wanted) {
            return Err(start.unexpected(format!("`{wanted}` is not in it")));
        }
    }
    Ok(answer)
}

/// Fails unless the hook has nothing to say: saying something again would look slow, and to be
/// silent is all that is wanted where nobody works with pacenote.
fn is_silent(hook: &Invocation) -> Result<(), Failure> {
    if hook.read_output()?.trim() == "{}" {
        Ok(())
    } else {
        Err(hook.unexpected("it tells of something, and there is nothing to tell"))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{CLAIMED, Invocation, SHELL, is_silent, quoted, shelf, told};

    fn echo(answer: &str) -> Invocation {
        Invocation::new("/bin/echo").arguments([answer])
    }

    #[test]
    fn a_start_that_does_not_tell_of_the_work_is_not_measured() {
        let all = [CLAIMED, shelf::ON_EVERY_SHELF, shelf::HEADING];
        assert!(told(&echo(&all.join("\n"))).is_ok());
        for left_out in all {
            let rest = all.into_iter().filter(|text| *text != left_out).collect::<Vec<_>>();
            assert!(told(&echo(&rest.join("\n"))).is_err(), "{left_out}");
        }
    }

    #[test]
    fn a_hook_that_speaks_without_need_is_not_measured() {
        assert!(is_silent(&echo("{}")).is_ok());
        for speaking in [r#"{"hookSpecificOutput":{"additionalContext":"again"}}"#, ""] {
            assert!(is_silent(&echo(speaking)).is_err(), "{speaking}");
        }
    }

    #[test]
    fn a_shell_reads_a_quoted_path_as_it_is() {
        for path in ["/bin/plain", "/two words/$HOME", "/it's/`here`"] {
            let script = format!("printf %s {}", quoted(Path::new(path)));
            let shell = Invocation::new(SHELL).arguments(["-c", &script]);
            assert_eq!(shell.read_output().unwrap(), path);
        }
    }
}
