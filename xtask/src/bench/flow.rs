//! What it costs to follow a workflow: where it stands, one step on, and a new run of it.
//!
//! Whole processes, from being started to being reaped, in the same rounds as `/bin/true`. A move is
//! kept when the command ends, so it waits for the disk; how often is counted and shown beside its
//! time. A script that prints one step and remembers nothing is measured for comparison.

use clap::Args;
use serde_json::Value;

use super::Ground;
use super::comparison::Comparison;
use super::course::{Course, MOVES, WORKFLOW, script};
use super::instructions::{self, Instructions};
use super::project::{FLOOR, Subject};
use super::report::{Figures, Missing, Report};
use super::rounds::{SEED, WARM_UP_ROUNDS, load_average, measure};
use super::syncs::{self, Wait};
use crate::cargo::{PACENOTE, build_as_installed};
use crate::environment::Environment;
use crate::failure::Failure;
use crate::process::Invocation;
use crate::say;

/// Fewer rounds make the 95th percentile a guess.
const FEWEST_ROUNDS: i64 = 200;

/// In more rounds the run that is moved would come to its end.
const MOST_ROUNDS: i64 = MOVES as i64 - 100;

const NEXT: &str = "pacenote flow next";
const STATUS: &str = "pacenote flow status";
const START: &str = "pacenote flow start";

/// What has to hold: a command, and how many times as long as the floor it may take.
const GOALS: [(&str, f64); 2] = [(NEXT, 7.0), (STATUS, 4.0)];

const SCRIPT: &str = "python3 script that prints one step";
const FLOOR_BESIDE: &str = "/bin/true, beside it:";

/// How to measure and how to show it.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// How often each command is run
    #[arg(
        long,
        default_value_t = 400,
        value_parser = clap::value_parser!(u32).range(FEWEST_ROUNDS..=MOST_ROUNDS)
    )]
    rounds: u32,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

/// Builds the product, measures what agents run at every step and fails when a goal is missed.
pub(crate) fn run(environment: &Environment, options: &Options) -> Result<(), Failure> {
    let timed_rounds = WARM_UP_ROUNDS.saturating_add(options.rounds);
    let directory = Ground::prepare(environment)?;
    let pacenote = build_as_installed(environment, PACENOTE, directory.path())?;
    let at = |name: &str| Course::prepare(environment, &pacenote, &directory.path().join(name));
    // Runs that begin have a store of their own: the one that is moved would not be alone for long.
    let (followed, begun) = (at("followed")?, at("begun")?);
    let floor = |name| Subject::new(name, Invocation::new(FLOOR).clean());
    let own = [
        floor(FLOOR),
        Subject::new(NEXT, followed.flow(&["next", "1", "--outcome", "ok"])),
        Subject::new(STATUS, followed.flow(&["status"])),
        Subject::new(START, begun.flow(&["start", WORKFLOW])),
    ];
    let (mut beside, mut missing) = (Vec::new(), Vec::new());
    match script(environment, directory.path())? {
        Some(script) => beside.extend([floor(FLOOR_BESIDE), Subject::new(SCRIPT, script)]),
        None => missing.push(Missing { command: SCRIPT, program: "python3" }),
    }

    say::note(format_args!("running {} commands in {timed_rounds} rounds", own.len()));
    let load_before = load_average();
    let times = measure(&own, timed_rounds)?;
    // In rounds of its own: what runs behind a large program finds every cache emptied.
    let times_beside = measure(&beside, timed_rounds)?;
    let load_after = load_average();

    let floor_times = times.first().cloned().unwrap_or_default();
    let (mut figures, mut goals, mut waits) = (Vec::new(), Vec::new(), Vec::new());
    for (subject, times) in own.iter().zip(&times) {
        let instructions = instructions::count(subject.in_round(timed_rounds))?;
        figures.push(Figures::of(subject.name, times, (FLOOR, &floor_times), instructions));
        if subject.name != FLOOR {
            let syncs = syncs::count(subject.in_round(timed_rounds))?;
            waits.push(Wait { command: subject.name, syncs });
        }
        goals.extend(GOALS.iter().filter(|(command, _)| *command == subject.name).map(
            |&(command, limit)| Comparison {
                command,
                floor: FLOOR,
                times: times.clone(),
                floor_times: floor_times.clone(),
                limit,
            },
        ));
    }
    let floor_beside = times_beside.first().cloned().unwrap_or_default();
    for (subject, times) in beside.iter().zip(&times_beside) {
        let floor = (FLOOR_BESIDE, floor_beside.as_slice());
        figures.push(Figures::of(subject.name, times, floor, Instructions::NotAsked));
    }
    let rounds = options.rounds;
    let report = Report { rounds, seed: SEED, load_before, load_after, figures, missing, goals };
    say::result(if options.json { json(&report, &waits) } else { table(&report, &waits) })?;
    report.judge()
}

fn table(report: &Report, waits: &[Wait]) -> String {
    let lines: Vec<_> = [report.table()].into_iter().chain(waits.iter().map(Wait::told)).collect();
    lines.join("\n")
}

fn json(report: &Report, waits: &[Wait]) -> String {
    let mut told = report.json();
    if let Some(fields) = told.as_object_mut() {
        let calls = |wait: &Wait| (wait.command.to_owned(), wait.calls());
        fields.insert("syncs".to_owned(), waits.iter().map(calls).collect::<Value>());
    }
    told.to_string()
}
