//! How finding and reading skills grows with their number.
//!
//! Three questions, each answered side by side with something that cannot be blamed on us: one
//! name among many against the same among few, a sound look at what changed against a bare loop of
//! `stat`, reading everything against `rg`.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Deserialize;
use serde_json::json;

use super::Ground;
use super::comparison::Comparison;
use super::project::Subject;
use super::rounds::{WARM_UP_ROUNDS, load_average, measure};
use super::shelf::{self, Shelf};
use crate::cargo::{PACENOTE, SKILL_WORKER, build_as_installed, build_release};
use crate::environment::Environment;
use crate::failure::Failure;
use crate::process::Invocation;
use crate::{disk, say};

/// Fewer rounds make the median a guess.
const FEWEST_ROUNDS: i64 = 20;

/// A beginner's, a collector's and a company's shelf.
const SHELVES: [(u32, &str); 3] = [
    (10, "skill resolve among 10"),
    (1_000, "skill resolve among 1,000"),
    (10_000, "skill resolve among 10,000"),
];

/// One name among ten thousand skills costs at most this many times the same among ten.
const RESOLVE_LIMIT: f64 = 3.0;

/// Looking soundly at what changed costs at most this many times a bare loop of `stat`.
const REVALIDATE_LIMIT: f64 = 1.2;

/// Finding and reading everything costs at most this many times what `rg` takes for a line of each.
const READ_LIMIT: f64 = 1.5;

/// How to measure and how to show it.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// How often each command is run
    #[arg(
        long,
        default_value_t = 40,
        value_parser = clap::value_parser!(u32).range(FEWEST_ROUNDS..)
    )]
    rounds: u32,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

/// Builds everything, fills the shelves, measures, and fails when a goal is missed.
pub(crate) fn run(environment: &Environment, options: &Options) -> Result<(), Failure> {
    let ripgrep = Invocation::new("rg");
    if !ripgrep.clone().arguments(["--version"]).succeeds() {
        return Err(Failure::Missing { program: "rg".to_owned() });
    }
    let directory = Ground::prepare(environment)?;
    let pacenote = build_as_installed(environment, PACENOTE, directory.path())?;
    let worker = Invocation::new(build_release(environment, SKILL_WORKER)?);

    let bench = Shelves::prepare(environment, &pacenote)?;
    let load_before = load_average();
    let rounds = WARM_UP_ROUNDS.saturating_add(options.rounds);
    let comparisons = [
        bench.resolve(rounds)?,
        revalidate(&worker, &bench.largest, options.rounds)?,
        read(&worker, ripgrep, &bench.largest, rounds)?,
    ];
    let load_after = load_average();

    say::result(if options.json {
        json!({
            "rounds": options.rounds,
            "load_before": load_before,
            "load_after": load_after,
            "comparisons": comparisons.each_ref().map(Comparison::json),
        })
        .to_string()
    } else {
        let load =
            |load: Option<f64>| load.map_or("unknown".to_owned(), |load| format!("{load:.2}"));
        format!(
            "n = {} rounds, load average {} before, {} after; medians\n\n{}",
            options.rounds,
            load(load_before),
            load(load_after),
            comparisons.each_ref().map(Comparison::table).join("\n\n")
        )
    })?;
    comparisons.iter().try_for_each(Comparison::judge)
}

/// Homes with few and many skills, each with a store of its own.
struct Shelves {
    resolves: Vec<Subject>,
    /// The skill directory with the most skills.
    largest: PathBuf,
    _directory: Ground,
}

impl Shelves {
    fn prepare(environment: &Environment, pacenote: &Path) -> Result<Self, Failure> {
        let directory = Ground::prepare(environment)?;
        let mut resolves = Vec::new();
        let mut largest = PathBuf::new();
        for (skills, name) in SHELVES {
            say::note(format_args!("making up {skills} skills"));
            let place = directory.path().join(skills.to_string());
            let [home, store, work] = ["home", "store", "work"].map(|name| place.join(name));
            for path in [&home, &store, &work] {
                disk::create_directory(path)?;
            }
            largest = shelf::fill(&home, Shelf::OfTheHost, skills)?;
            let resolve = Invocation::new(pacenote)
                .directory(&work)
                .clean()
                .variable("PATH", &environment.path)
                .variable("HOME", &home)
                .variable("PACENOTE_HOME", &store)
                .arguments(["skill", "resolve", shelf::ON_EVERY_SHELF, "--indexed", "--json"]);
            find_it(&resolve)?;
            resolves.push(Subject::new(name, resolve));
        }
        Ok(Self { resolves, largest, _directory: directory })
    }

    /// One name among many against the same among few.
    fn resolve(&self, rounds: u32) -> Result<Comparison, Failure> {
        let mut times = measure(&self.resolves, rounds)?.into_iter().zip(&self.resolves);
        let (floor_times, floor) = times.next().unzip();
        let (most_times, most) = times.next_back().unzip();
        Ok(Comparison {
            command: most.map_or("", |subject| subject.name),
            floor: floor.map_or("", |subject| subject.name),
            times: most_times.unwrap_or_default(),
            floor_times: floor_times.unwrap_or_default(),
            limit: RESOLVE_LIMIT,
        })
    }
}

/// Fails unless the skill is resolved: an answer that does not hold it is not the one whose time we
/// want to know. It also leaves a warm index behind.
fn find_it(resolve: &Invocation) -> Result<(), Failure> {
    #[derive(Deserialize)]
    struct Answer {
        resolved: Vec<Resolved>,
    }
    #[derive(Deserialize)]
    struct Resolved {
        name: String,
    }
    let output = resolve.read_output()?;
    let answer: Answer =
        serde_json::from_str(&output).map_err(|error| resolve.unexpected(error))?;
    if answer.resolved.iter().any(|resolved| resolved.name == shelf::ON_EVERY_SHELF) {
        Ok(())
    } else {
        Err(resolve.unexpected("the skill that was asked for is not in it"))
    }
}

/// A sound look at what changed against a bare loop of `stat`.
///
/// Both are loops of one process, so the worker times them, in rounds of its own.
fn revalidate(worker: &Invocation, root: &Path, rounds: u32) -> Result<Comparison, Failure> {
    #[derive(Deserialize)]
    struct Times {
        revalidate_ms: Vec<f64>,
        stat_ms: Vec<f64>,
    }
    let timed =
        worker.clone().arguments(["revalidate", "--rounds", &rounds.to_string()]).arguments([root]);
    let Times { revalidate_ms, stat_ms } =
        serde_json::from_str(&timed.read_output()?).map_err(|error| timed.unexpected(error))?;
    Ok(Comparison {
        command: "revalidate 10,000 skills",
        floor: "stat of the same paths",
        times: revalidate_ms,
        floor_times: stat_ms,
        limit: REVALIDATE_LIMIT,
    })
}

/// Finding and reading everything against `rg`.
fn read(
    worker: &Invocation,
    ripgrep: Invocation,
    root: &Path,
    rounds: u32,
) -> Result<Comparison, Failure> {
    let reading = worker.clone().arguments(["read"]).arguments([root]);
    let wanted = SHELVES.iter().map(|(skills, _)| *skills).max().unwrap_or_default().to_string();
    if reading.read_output()?.trim() != wanted {
        return Err(reading.unexpected(format!("not {wanted} skills with a description")));
    }
    let subjects = [
        Subject::new("walk and frontmatter of 10,000 skills", reading),
        Subject::new(
            "rg -m1 '^description' on the same",
            ripgrep.arguments(["-m1", "^description"]).arguments([root]),
        ),
    ];
    let mut times = measure(&subjects, rounds)?.into_iter();
    let [reading, ripgrep] = subjects;
    Ok(Comparison {
        command: reading.name,
        floor: ripgrep.name,
        times: times.next().unwrap_or_default(),
        floor_times: times.next().unwrap_or_default(),
        limit: READ_LIMIT,
    })
}

#[cfg(test)]
mod tests {
    use super::{Invocation, find_it};

    #[test]
    fn an_answer_without_the_skill_is_not_measured() {
        let echo = |answer: &str| Invocation::new("/bin/echo").arguments([answer]);
        assert!(find_it(&echo(r#"{"resolved":[{"name":"made-up-skill-00005"}]}"#)).is_ok());
        for answer in [r#"{"resolved":[]}"#, "{}", "made-up-skill-00005"] {
            assert!(find_it(&echo(answer)).is_err(), "{answer}");
        }
    }
}
