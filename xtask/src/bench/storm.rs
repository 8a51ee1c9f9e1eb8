//! Hooks of many sessions at once, as when a whole fleet of agents is started.
//!
//! Each process waits at a gate, a lock that is let go of when all of them stand before it. Whatever
//! the crowd, every answer must be valid and nearly all must hold everything; what was told must be
//! found again in the receipts.

use std::collections::BTreeMap;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};

use super::workplace::{Workplace, told};
use crate::disk;
use crate::failure::Failure;
use crate::process::Invocation;

/// How many processes are let go at once.
const PROCESSES: u16 = 200;

/// How many of a hundred must be told everything; the watchdog may answer for the others.
const WHOLE_PERCENT: usize = 99;

/// How long the gate stays shut: plenty to start them all, and whoever comes later walks through.
const GATHERING: Duration = Duration::from_secs(2);

/// What came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Storm {
    /// Processes that ended with 0 and printed what a client reads at a start.
    valid: usize,
    /// Those of them that told everything.
    whole: usize,
    /// Those of these whose receipt says so.
    kept: usize,
    /// From the opening of the gate to the last answer.
    took: Duration,
}

/// Starts the hooks of many new sessions, lets them go at once and looks at what they did.
pub(super) fn raise(workplace: &mut Workplace, directory: &Path) -> Result<Storm, Failure> {
    let mut sessions = workplace.unheard(u32::from(PROCESSES).saturating_add(1))?;
    let Some((_, undisturbed)) = sessions.pop() else { return Ok(Storm::default()) };
    let expected = context(&told(&undisturbed)?)
        .ok_or_else(|| undisturbed.unexpected("it is no answer to the start of a session"))?;

    let flock = Invocation::new("flock");
    if !flock.clone().arguments(["--version"]).succeeds() {
        return Err(Failure::Missing { program: "flock".to_owned() });
    }
    let path = directory.join("gate");
    let waiting = flock.arguments(["--shared", "--no-fork"]).arguments([&path]);
    let gate = disk::lock(&path)?;
    let (answers, took) = thread::scope(|scope| {
        let running: Vec<_> = sessions
            .iter()
            .map(|(_, start)| {
                let start = start.clone().under(waiting.clone());
                scope.spawn(move || start.read_output())
            })
            .collect();
        thread::sleep(GATHERING);
        let opened = Instant::now();
        drop(gate);
        let answers: Vec<_> =
            running.into_iter().map(|process| process.join().ok()?.ok()).collect();
        (answers, opened.elapsed())
    });

    let valid = answers.iter().flatten().filter(|answer| context(answer).is_some()).count();
    let whole: Vec<_> = sessions
        .iter()
        .zip(&answers)
        .filter(|(_, answer)| answer.as_deref().and_then(context).as_ref() == Some(&expected))
        .map(|((session, _), _)| session.as_str())
        .collect();
    let kept = receipts(workplace, &whole, &expected)?;
    Ok(Storm { valid, whole: whole.len(), kept, took })
}

/// Returns what an answer tells the model, which may be nothing; `None` when it is no answer to the
/// start of a session.
fn context(answer: &str) -> Option<String> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Answer {
        #[serde(default)]
        hook_specific_output: Option<Output>,
        #[serde(default, rename = "systemMessage")]
        _system_message: Option<String>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Output {
        hook_event_name: String,
        #[serde(default)]
        additional_context: String,
    }
    let answer: Answer = serde_json::from_str(answer).ok()?;
    match answer.hook_specific_output {
        None => Some(String::new()),
        Some(output) if output.hook_event_name == "SessionStart" => Some(output.additional_context),
        Some(_) => None,
    }
}

/// Counts the sessions whose receipt holds the text that they were told.
fn receipts(workplace: &Workplace, told: &[&str], text: &str) -> Result<usize, Failure> {
    #[derive(Deserialize)]
    struct List {
        sessions: Vec<Session>,
    }
    #[derive(Deserialize)]
    struct Session {
        host_id: String,
        number: u64,
    }
    #[derive(Deserialize)]
    struct Replay {
        tellings: Vec<Telling>,
    }
    #[derive(Deserialize)]
    struct Telling {
        texts: Vec<String>,
    }
    let list = workplace.command(["session", "list", "--json"]);
    let List { sessions } = read(&list)?;
    let numbers: BTreeMap<_, _> =
        sessions.into_iter().map(|session| (session.host_id, session.number)).collect();
    let mut kept: usize = 0;
    for number in told.iter().filter_map(|session| numbers.get(*session)) {
        let replay = workplace.command(["replay", &format!("#{number}"), "--json"]);
        let Replay { tellings } = read(&replay)?;
        if matches!(tellings.as_slice(), [telling] if telling.texts == [text]) {
            kept = kept.saturating_add(1);
        }
    }
    Ok(kept)
}

fn read<T: for<'a> Deserialize<'a>>(command: &Invocation) -> Result<T, Failure> {
    serde_json::from_str(&command.read_output()?).map_err(|error| command.unexpected(error))
}

impl Storm {
    /// Fails when one answer is not valid, too few are whole, or a receipt is lost.
    pub(super) fn judge(&self) -> Result<(), Failure> {
        match self.goals().into_iter().find(|goal| goal.found < goal.least) {
            None => Ok(()),
            Some(Goal { what, found, least }) => Err(Failure::Storm { what, found, least }),
        }
    }

    /// Renders it for people.
    pub(super) fn lines(&self) -> Vec<String> {
        let took = self.took.as_secs_f64();
        let heading = format!("{PROCESSES} hook processes at once, all ended after {took:.2} s");
        let goals = self.goals().map(|Goal { what, found, least }| {
            let verdict = if found < least { "not met" } else { "met" };
            format!("goal: at least {least} {what}, found {found}: {verdict}")
        });
        [heading].into_iter().chain(goals).collect()
    }

    /// Renders it for programs.
    pub(super) fn json(&self) -> Value {
        json!({
            "processes": PROCESSES,
            "valid": self.valid,
            "whole": self.whole,
            "receipts": self.kept,
            "seconds": self.took.as_secs_f64(),
            "met": self.judge().is_ok(),
        })
    }

    fn goals(&self) -> [Goal; 3] {
        let Self { valid, whole, kept, .. } = *self;
        let processes = usize::from(PROCESSES);
        let nearly_all = processes.saturating_mul(WHOLE_PERCENT).div_ceil(100);
        [
            Goal { what: "valid answers with exit code 0", found: valid, least: processes },
            Goal { what: "whole briefings", found: whole, least: nearly_all },
            Goal { what: "receipts of whole briefings", found: kept, least: whole },
        ]
    }
}

/// What must be found, and how often at least.
#[derive(Clone, Copy)]
struct Goal {
    what: &'static str,
    found: usize,
    least: usize,
}

#[cfg(test)]
mod tests {
    use super::{Duration, Storm, context};

    fn storm(valid: usize, whole: usize, kept: usize) -> Storm {
        Storm { valid, whole, kept, took: Duration::from_millis(400) }
    }

    #[test]
    fn a_storm_that_was_weathered_passes() {
        assert!(storm(200, 198, 198).judge().is_ok());
        assert_eq!(
            storm(200, 199, 199).lines(),
            [
                "200 hook processes at once, all ended after 0.40 s",
                "goal: at least 200 valid answers with exit code 0, found 200: met",
                "goal: at least 198 whole briefings, found 199: met",
                "goal: at least 199 receipts of whole briefings, found 199: met",
            ]
        );
    }

    #[test]
    fn a_storm_that_cost_something_fails() {
        let table = [
            (Storm::default(), "0 valid answers with exit code 0, the goal is 200"),
            (storm(199, 199, 199), "199 valid answers with exit code 0, the goal is 200"),
            (storm(200, 197, 197), "197 whole briefings, the goal is 198"),
            (storm(200, 200, 199), "199 receipts of whole briefings, the goal is 200"),
        ];
        for (storm, told) in table {
            let failure = storm.judge().unwrap_err().to_string();
            assert_eq!(failure, format!("hook processes at once left {told}"));
            assert_eq!(storm.json()["met"], false);
        }
    }

    #[test]
    fn only_what_a_client_reads_at_a_start_is_an_answer() {
        let told = r#"{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"x"},"systemMessage":"y"}"#;
        let table = [
            (told, Some("x")),
            ("{}", Some("")),
            ("", None),
            (r#"{"hookSpecificOutput":{"hookEventName":"Stop"}}"#, None),
            (r#"{"hookSpecificOutput":{"hookEventName":"SessionStart"}}{}"#, None),
            (r#"{"context":"x"}"#, None),
        ];
        for (answer, expected) in table {
            assert_eq!(context(answer).as_deref(), expected, "{answer}");
        }
    }
}
