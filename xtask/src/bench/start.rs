//! How long the product takes from being started to being reaped, compared with `/bin/true`.
//!
//! What is compared is the ratio within a round, which a slow minute does not change.

use clap::Args;

use super::Ground;
use super::comparison::Comparison;
use super::instructions;
use super::project::{FLOOR, Project, TASK_LIST};
use super::report::{Figures, Report};
use super::rounds::{SEED, WARM_UP_ROUNDS, load_average, measure};
use crate::cargo::{PACENOTE, build_as_installed};
use crate::environment::Environment;
use crate::failure::Failure;
use crate::say;

/// Fewer rounds make the 95th percentile a guess.
const FEWEST_ROUNDS: i64 = 200;

/// A command people and agents run all day costs at most this many times the floor.
const LIMIT: f64 = 4.0;

/// How to measure and how to show it.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// How often each command is run
    #[arg(
        long,
        default_value_t = 400,
        value_parser = clap::value_parser!(u32).range(FEWEST_ROUNDS..)
    )]
    rounds: u32,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

/// Builds the product, measures it on a warm store and fails when it misses its goal.
pub(crate) fn run(environment: &Environment, options: &Options) -> Result<(), Failure> {
    let directory = Ground::prepare(environment)?;
    let pacenote = build_as_installed(environment, PACENOTE, directory.path())?;
    let timed_rounds = WARM_UP_ROUNDS.saturating_add(options.rounds);
    // The round after the timed ones is for counting instructions.
    let project = Project::prepare(environment, &pacenote, timed_rounds.saturating_add(1))?;
    let subjects = project.subjects();

    let load_before = load_average();
    let times = measure(&subjects, timed_rounds)?;
    let load_after = load_average();

    let floor = times.first().cloned().unwrap_or_default();
    let (mut figures, mut goals) = (Vec::new(), Vec::new());
    for (subject, times) in subjects.iter().zip(&times) {
        let instructions = instructions::count(subject.in_round(timed_rounds))?;
        figures.push(Figures::of(subject.name, times, (FLOOR, &floor), instructions));
        if subject.name == TASK_LIST {
            goals.push(Comparison {
                command: TASK_LIST,
                floor: FLOOR,
                times: times.clone(),
                floor_times: floor.clone(),
                limit: LIMIT,
            });
        }
    }
    let rounds = options.rounds;
    let missing = Vec::new();
    let report = Report { rounds, seed: SEED, load_before, load_after, figures, missing, goals };
    say::result(if options.json { report.json().to_string() } else { report.table() })?;
    report.judge()
}
