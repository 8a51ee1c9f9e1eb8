//! A repository in which an agent is at work, with a shelf of skills, and the hooks fired in it.

use std::path::{Path, PathBuf};

use super::project::{Subject, payload, prompt, session_start};
use super::shelf::{self, Shelf};
use crate::disk;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::process::Invocation;

/// The agent that is at work.
const AGENT: &str = "bench";

/// The task it has claimed, the first of all.
const CLAIMED: &str = "Say what a change of the house is for";

/// How many tasks there are, with the claimed one.
const TASKS: u32 = 50;

/// A repository with tasks and skills, one of each in the agent's hands.
#[derive(Debug)]
pub(super) struct Workplace {
    start: Invocation,
    prompt: Invocation,
    /// What is sent at the start of sessions that nobody has heard of.
    unheard: PathBuf,
    /// What is sent with a prompt, each in a session that was told everything.
    told: PathBuf,
}

impl Workplace {
    /// Sets one up in `place` for so many rounds, and fails unless its hooks answer as they should.
    pub(super) fn prepare(
        environment: &Environment,
        pacenote: &Path,
        place: &Path,
        (shelf, skills): (Shelf, u32),
        rounds: u32,
    ) -> Result<Self, Failure> {
        let [home, store, work, unheard, started, told] =
            ["home", "store", "work", "unheard", "started", "told"].map(|name| place.join(name));
        for path in [&home, &store, &work, &unheard, &started, &told] {
            disk::create_directory(path)?;
        }
        let here = |program: &Path| {
            Invocation::new(program)
                .directory(&work)
                .clean()
                .variable("PATH", &environment.path)
                .variable("HOME", &home)
                .variable("PACENOTE_HOME", &store)
                .variable("PACENOTE_AGENT", AGENT)
        };
        here(Path::new("git")).arguments(["init", "--quiet"]).read_output()?;
        shelf::fill(&home, shelf, skills)?;
        let pacenote = here(pacenote);
        add_work(&pacenote)?;

        let workplace = Self {
            start: pacenote.clone().arguments(["hook", "claude", "session-start"]),
            prompt: pacenote.arguments(["hook", "claude", "user-prompt-submit"]),
            unheard,
            told,
        };
        // One session more than there are rounds, to see how a prompt is answered.
        let sessions = rounds.saturating_add(1);
        for round in 0..sessions {
            let text = session_start(round, &home, &work);
            disk::write(&payload(&workplace.unheard, round), &text)?;
            let session = sessions.saturating_add(round);
            let begin = payload(&started, round);
            disk::write(&begin, &session_start(session, &home, &work))?;
            is_told(&workplace.start.clone().input(&begin))?;
            let text = prompt(session, &home, &work);
            disk::write(&payload(&workplace.told, round), &text)?;
        }
        is_silent(&workplace.prompt.clone().input(&payload(&workplace.told, rounds)))?;
        Ok(workplace)
    }

    /// The hook that is called when a session starts, in every round another one.
    pub(super) fn start(&self, name: &'static str) -> Subject {
        Subject::with_sessions(name, self.start.clone(), &self.unheard)
    }

    /// The hook that is called with a prompt when nothing has changed since the start.
    pub(super) fn prompt(&self, name: &'static str) -> Subject {
        Subject::with_sessions(name, self.prompt.clone(), &self.told)
    }
}

/// Indexes the skills, adds the tasks and takes the one that calls for a skill.
fn add_work(pacenote: &Invocation) -> Result<(), Failure> {
    let call = |arguments: &[&str]| {
        pacenote.clone().arguments(arguments.iter().copied()).read_output().map(drop)
    };
    call(&["skill", "list", "--json"])?;
    call(&["task", "add", CLAIMED, "--skill", shelf::ON_EVERY_SHELF, "--json"])?;
    for number in 2..=TASKS {
        call(&["task", "add", &format!("Look after part {number} of the house"), "--json"])?;
    }
    call(&["task", "claim", "#1", "--json"])
}

/// Fails unless the hook tells of the task and the skill: the empty answer would look fast.
fn is_told(start: &Invocation) -> Result<(), Failure> {
    let answer = start.read_output()?;
    for wanted in [CLAIMED, shelf::ON_EVERY_SHELF, shelf::HEADING] {
        if !answer.contains(wanted) {
            return Err(start.unexpected(format!("`{wanted}` is not in it")));
        }
    }
    Ok(())
}

/// Fails unless a prompt after the start is told nothing: saying it again would look slow.
fn is_silent(prompt: &Invocation) -> Result<(), Failure> {
    let answer = prompt.read_output()?;
    if answer.contains("additionalContext") {
        Err(prompt.unexpected("it tells of something, and nothing is new"))
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{CLAIMED, Invocation, is_silent, is_told, shelf};

    fn echo(answer: &str) -> Invocation {
        Invocation::new("/bin/echo").arguments([answer])
    }

    #[test]
    fn a_start_that_does_not_tell_of_the_work_is_not_measured() {
        let all = [CLAIMED, shelf::ON_EVERY_SHELF, shelf::HEADING];
        assert!(is_told(&echo(&all.join("\n"))).is_ok());
        for left_out in all {
            let rest = all.into_iter().filter(|told| *told != left_out).collect::<Vec<_>>();
            assert!(is_told(&echo(&rest.join("\n"))).is_err(), "{left_out}");
        }
    }

    #[test]
    fn a_prompt_that_tells_of_something_is_not_measured() {
        assert!(is_silent(&echo("{}")).is_ok());
        let speaking = r#"{"hookSpecificOutput":{"additionalContext":"again"}}"#;
        assert!(is_silent(&echo(speaking)).is_err());
    }
}
