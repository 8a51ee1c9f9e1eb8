//! What a hook costs where an agent is at work, among few skills and among many.
//!
//! Whole processes, from being started to being reaped, in the same rounds as `/bin/true`. A start
//! is told everything and leaves its receipt behind; a prompt is told nothing, for nothing is new.
//! Neither may wait for the disk.

use clap::Args;
use serde_json::{Value, json};

use super::comparison::Comparison;
use super::instructions;
use super::project::{FLOOR, Subject};
use super::report::{Figures, Report};
use super::rounds::{SEED, WARM_UP_ROUNDS, load_average, measure};
use super::shelf::Shelf;
use super::syncs::{self, Syncs};
use super::workplace::Workplace;
use crate::cargo::{PACENOTE, build_as_installed};
use crate::environment::Environment;
use crate::failure::Failure;
use crate::process::Invocation;
use crate::{disk, say};

/// Fewer rounds make the 95th percentile a guess.
const FEWEST_ROUNDS: i64 = 50;

/// How many skills a busy user has.
const FEW: u32 = 200;

/// How many a company has.
const MANY: u32 = 10_000;

const START_AMONG_FEW: &str = "session start among 200 skills";
const PROMPT_AMONG_FEW: &str = "prompt among 200 skills";
const START_AMONG_MANY: &str = "session start among 10,000 skills";
const PROMPT_AMONG_MANY: &str = "prompt among 10,000 skills";
const START_AMONG_UNLISTED: &str = "session start among 10,000 unlisted";

/// What has to hold: a command, what it is compared with, and how many times as long it may take.
const GOALS: [(&str, &str, f64); 5] = [
    (START_AMONG_FEW, FLOOR, 4.0),
    (PROMPT_AMONG_FEW, FLOOR, 4.0),
    (START_AMONG_MANY, START_AMONG_FEW, 2.0),
    (PROMPT_AMONG_MANY, PROMPT_AMONG_FEW, 2.0),
    (START_AMONG_UNLISTED, START_AMONG_FEW, 2.0),
];

/// How to measure and how to show it.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// How often each command is run
    #[arg(
        long,
        default_value_t = 200,
        value_parser = clap::value_parser!(u32).range(FEWEST_ROUNDS..)
    )]
    rounds: u32,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

/// Builds the product, measures its hooks and fails when a goal is missed.
pub(crate) fn run(environment: &Environment, options: &Options) -> Result<(), Failure> {
    let timed_rounds = WARM_UP_ROUNDS.saturating_add(options.rounds);
    // Sessions of their own for what is looked at after the timed rounds.
    let [counted_round, traced_round, rounds] =
        [0, 1, 2].map(|further| timed_rounds.saturating_add(further));
    let directory = disk::temporary_directory(&environment.temporary, "pacenote-bench-")?;
    let pacenote = build_as_installed(environment, PACENOTE, directory.path())?;
    let workplace = |name: &str, shelf: Shelf, skills: u32| {
        say::note(format_args!("setting up a repository and {skills} skills"));
        let place = directory.path().join(name);
        Workplace::prepare(environment, &pacenote, &place, (shelf, skills), rounds)
    };
    let few = workplace("few", Shelf::OfTheHost, FEW)?;
    let many = workplace("many", Shelf::OfTheHost, MANY)?;
    // Skills that the host does not list are for us to list, and must not all be read for that.
    let unlisted = workplace("unlisted", Shelf::OfOthers, MANY)?;
    let subjects = [
        Subject::new(FLOOR, Invocation::new(FLOOR).clean()),
        few.start(START_AMONG_FEW),
        few.prompt(PROMPT_AMONG_FEW),
        many.start(START_AMONG_MANY),
        many.prompt(PROMPT_AMONG_MANY),
        unlisted.start(START_AMONG_UNLISTED),
    ];

    let load_before = load_average();
    let times = measure(&subjects, timed_rounds)?;
    let load_after = load_average();

    let times_of = |name: &str| {
        let mut both = subjects.iter().zip(&times);
        both.find(|(subject, _)| subject.name == name).map(|(_, times)| times.clone())
    };
    let floor = times_of(FLOOR).unwrap_or_default();
    let (mut figures, mut waits) = (Vec::new(), Vec::new());
    for (subject, times) in subjects.iter().zip(&times) {
        let instructions = instructions::count(subject.in_round(counted_round))?;
        figures.push(Figures::of(subject.name, times, &floor, instructions));
        let syncs = syncs::count(subject.in_round(traced_round))?;
        waits.push(Wait { command: subject.name, syncs });
    }
    let goals = GOALS.map(|(command, floor, limit)| Comparison {
        command,
        floor,
        times: times_of(command).unwrap_or_default(),
        floor_times: times_of(floor).unwrap_or_default(),
        limit,
    });
    let report = Report {
        rounds: options.rounds,
        seed: SEED,
        load_before,
        load_after,
        figures,
        goals: goals.into(),
    };
    say::result(if options.json { json(&report, &waits) } else { table(&report, &waits) })?;
    report.judge()?;
    waits.iter().try_for_each(Wait::judge)
}

/// How often a command waits for the disk.
#[derive(Debug)]
struct Wait {
    command: &'static str,
    syncs: Syncs,
}

impl Wait {
    /// Fails when it ever does.
    fn judge(&self) -> Result<(), Failure> {
        match self.syncs {
            Syncs::Counted(0) | Syncs::NoStrace => Ok(()),
            Syncs::Counted(calls) => Err(Failure::Synced { command: self.command, calls }),
        }
    }

    fn line(&self) -> String {
        let verdict = match self.syncs {
            Syncs::Counted(0) => "found 0: met".to_owned(),
            Syncs::Counted(calls) => format!("found {calls}: not met"),
            Syncs::NoStrace => "not counted: no strace".to_owned(),
        };
        format!("goal: `{}` never waits for the disk, {verdict}", self.command)
    }

    fn json(&self) -> Value {
        let calls = match self.syncs {
            Syncs::Counted(calls) => Some(calls),
            Syncs::NoStrace => None,
        };
        json!({ "command": self.command, "calls": calls, "met": calls.map(|calls| calls == 0) })
    }
}

fn table(report: &Report, waits: &[Wait]) -> String {
    let lines: Vec<_> = [report.table()].into_iter().chain(waits.iter().map(Wait::line)).collect();
    lines.join("\n")
}

fn json(report: &Report, waits: &[Wait]) -> String {
    let mut told = report.json();
    if let Some(fields) = told.as_object_mut() {
        fields.insert("syncs".to_owned(), waits.iter().map(Wait::json).collect());
    }
    told.to_string()
}

#[cfg(test)]
mod tests {
    use super::{START_AMONG_FEW, Syncs, Wait};

    #[test]
    fn a_hook_that_waits_for_the_disk_fails() {
        let wait = |syncs| Wait { command: START_AMONG_FEW, syncs };
        assert!(wait(Syncs::Counted(0)).judge().is_ok());
        assert_eq!(
            wait(Syncs::Counted(2)).judge().unwrap_err().to_string(),
            "`session start among 200 skills` waited for the disk 2 times, the goal is never"
        );
        assert_eq!(
            wait(Syncs::Counted(2)).line(),
            "goal: `session start among 200 skills` never waits for the disk, found 2: not met"
        );
    }

    #[test]
    fn what_was_not_counted_is_told_and_does_not_fail() {
        let wait = Wait { command: START_AMONG_FEW, syncs: Syncs::NoStrace };
        assert!(wait.line().ends_with("not counted: no strace"));
        assert!(wait.judge().is_ok());
        assert!(wait.json()["met"].is_null());
    }
}
