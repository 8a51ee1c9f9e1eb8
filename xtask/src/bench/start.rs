//! How long the product takes from being started to being reaped, compared with `/bin/true`.
//!
//! All commands are run once per round, in an order shuffled anew, so that a busy machine slows
//! all of them alike and none always runs after the same other. What is compared is the ratio
//! within a round, which a slow minute does not change.

use std::path::Path;

use clap::Args;

use super::instructions;
use super::project::{Project, Subject};
use super::report::{Figures, Report};
use super::shuffle::Shuffle;
use crate::cargo::{PACENOTE, build_release};
use crate::environment::Environment;
use crate::failure::Failure;
use crate::{disk, say};

/// Fewer rounds make the 95th percentile a guess.
const FEWEST_ROUNDS: i64 = 200;

/// Rounds whose times are dropped, so that no command pays for a cold page cache.
const WARM_UP_ROUNDS: u32 = 2;

/// Any number will do; a fixed one gives every run the same orders.
const SEED: u64 = 20_261_115;

/// Where Linux keeps the load average.
const LOAD_AVERAGE: &str = "/proc/loadavg";

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
    let pacenote = build_release(environment, PACENOTE)?;
    let timed_rounds = WARM_UP_ROUNDS.saturating_add(options.rounds);
    // The round after the timed ones is for counting instructions.
    let project = Project::prepare(environment, &pacenote, timed_rounds.saturating_add(1))?;
    let subjects = project.subjects();

    let load_before = load_average();
    let times = measure(&subjects, timed_rounds)?;
    let load_after = load_average();

    let floor = times.first().cloned().unwrap_or_default();
    let mut figures = Vec::new();
    for (subject, times) in subjects.iter().zip(&times) {
        let instructions = instructions::count(subject.in_round(timed_rounds))?;
        figures.push(Figures::of(subject.name, times, &floor, instructions));
    }
    let report = Report { rounds: options.rounds, seed: SEED, load_before, load_after, figures };
    say::result(if options.json { report.json().to_string() } else { report.table() })?;
    report.judge()
}

/// Returns for each subject its times in milliseconds, round by round.
fn measure(subjects: &[Subject], rounds: u32) -> Result<Vec<Vec<f64>>, Failure> {
    let mut times = vec![Vec::new(); subjects.len()];
    let mut shuffle = Shuffle::seeded(SEED);
    for round in 0..rounds {
        let mut order: Vec<_> = subjects.iter().zip(&mut times).collect();
        shuffle.reorder(&mut order);
        for (subject, times) in order {
            let elapsed = subject.in_round(round).time()?;
            if round >= WARM_UP_ROUNDS {
                times.push(elapsed.as_secs_f64() * 1000.0);
            }
        }
    }
    Ok(times)
}

/// Returns the load average of the last minute, or nothing where the system does not tell it.
fn load_average() -> Option<f64> {
    let averages = disk::read(Path::new(LOAD_AVERAGE)).ok()?;
    averages.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{Subject, WARM_UP_ROUNDS, measure};
    use crate::process::Invocation;

    #[test]
    fn every_subject_is_timed_in_every_round_but_the_first_ones() {
        let subjects = [
            Subject::new("true", Invocation::new("/bin/true")),
            Subject::new("sh", Invocation::new("/bin/sh").arguments(["-c", "exit 0"])),
        ];
        let times = measure(&subjects, WARM_UP_ROUNDS + 3).unwrap();
        assert_eq!(times.iter().map(Vec::len).collect::<Vec<_>>(), [3, 3]);
        assert!(times.iter().flatten().all(|time| *time > 0.0));
    }

    #[test]
    fn a_command_that_fails_is_not_measured() {
        let subjects = [Subject::new("false", Invocation::new("/bin/false"))];
        assert!(measure(&subjects, 3).is_err());
    }
}
