//! What a hook costs where an agent is at work, and where nobody has heard of pacenote.
//!
//! Whole processes, from being started to being reaped, in the same rounds as `/bin/true`, and the
//! same through a shell beside `sh -c /bin/true`, for that is how clients run what is registered
//! with them. A start is told everything and leaves its receipt behind; a prompt is told nothing,
//! for nothing is new. None may wait for the disk, and many at once must not get into each other's
//! way.

use std::path::{Path, PathBuf};

use clap::Args;

use super::Ground;
use super::bystanders;
use super::comparison::Comparison;
use super::instructions::{self, Instructions};
use super::project::{FLOOR, Subject};
use super::report::{Figures, Report};
use super::rounds::{SEED, WARM_UP_ROUNDS, load_average, measure};
use super::shelf::Shelf;
use super::storm::{self, Storm};
use super::syncs::{self, Wait};
use super::workplace::{SHELL, Way, Workplace};
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
const TOOL_AMONG_FEW: &str = "before a tool among 200 skills";
const ELSEWHERE: &str = "start in a project without pacenote";
const START_AMONG_MANY: &str = "session start among 10,000 skills";
const PROMPT_AMONG_MANY: &str = "prompt among 10,000 skills";
const START_AMONG_UNLISTED: &str = "session start among 10,000 unlisted";

const SHELL_FLOOR: &str = "sh -c /bin/true";
const FLOOR_BESIDE: &str = "/bin/true, beside these:";
const START_BY_SHELL: &str = "sh: session start among 200 skills";
const PROMPT_BY_SHELL: &str = "sh: prompt among 200 skills";
const TOOL_BY_SHELL: &str = "sh: before a tool among 200 skills";
const ELSEWHERE_BY_SHELL: &str = "sh: start without pacenote";

/// What has to hold: a command, what it is compared with, and how many times as long it may take.
const GOALS: [(&str, &str, f64); 9] = [
    (START_AMONG_FEW, FLOOR, 4.0),
    (PROMPT_AMONG_FEW, FLOOR, 4.0),
    (ELSEWHERE, FLOOR, 2.0),
    (START_BY_SHELL, SHELL_FLOOR, 4.0),
    (PROMPT_BY_SHELL, SHELL_FLOOR, 4.0),
    (ELSEWHERE_BY_SHELL, SHELL_FLOOR, 2.0),
    (START_AMONG_MANY, START_AMONG_FEW, 2.0),
    (PROMPT_AMONG_MANY, PROMPT_AMONG_FEW, 2.0),
    (START_AMONG_UNLISTED, START_AMONG_FEW, 2.0),
];

const START_TRUSTED: &str = "session start, trusted settings";
const START_TRUSTED_BEFORE: &str = "previous: start, trusted settings";
const START_BEFORE: &str = "previous: session start";
const PROMPT_BEFORE: &str = "previous: prompt";
const TOOL_BEFORE: &str = "previous: before a tool";
const ELSEWHERE_BEFORE: &str = "previous: start without pacenote";

/// What has to hold beside another binary. Hooks that open no store take as long as the floor, of which
/// a twentieth is noise.
const GOALS_AGAINST: [(&str, &str, f64); 5] = [
    (START_AMONG_FEW, START_BEFORE, 1.0),
    (START_TRUSTED, START_TRUSTED_BEFORE, 1.0),
    (PROMPT_AMONG_FEW, PROMPT_BEFORE, 1.0),
    (TOOL_AMONG_FEW, TOOL_BEFORE, 1.05),
    (ELSEWHERE, ELSEWHERE_BEFORE, 1.05),
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
    /// Measure another binary in the same rounds, such as the one before a change, and fail when this
    /// one is slower
    #[arg(long, value_name = "BINARY")]
    against: Option<PathBuf>,
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
    let directory = Ground::prepare(environment)?;
    let pacenote = build_as_installed(environment, PACENOTE, directory.path())?;
    let mut places = Places::prepare(environment, &pacenote, directory.path(), rounds)?;
    let (others, missing) = bystanders::find(environment, directory.path())?;
    let mut trials = places.line_up()?;
    if let Some(previous) = &options.against {
        // Side by side with ours, and copied like any file: how a linker leaves one costs a tenth.
        let copy = directory.path().join("previous-pacenote");
        disk::copy(previous, &copy)?;
        // Each has a store of its own, because another version may write another schema. The names
        // are as long as those of ours: where files lie makes a difference of some percent.
        let place = |binary: &Path, name: &str| {
            let (place, shelf) = (directory.path().join(name), (Shelf::OfTheHost, FEW));
            Workplace::prepare(environment, binary, &place, shelf, rounds)
        };
        let mut trusted = place(&pacenote, "trusted")?;
        trusted.trust_settings()?;
        let mut trusted_before = place(&copy, "beliefs")?;
        trusted_before.trust_settings()?;
        let mut few_before = place(&copy, "old")?;
        trials.extend(line_up_previous(&mut few_before, &mut trusted, &mut trusted_before)?);
    }
    let ours = trials.len();
    trials.extend(beside(others));

    say::note(format_args!("running {} commands in {timed_rounds} rounds", trials.len()));
    let load_before = load_average();
    // In rounds of their own, with a floor of their own: what runs behind a program of forty
    // megabytes finds every cache emptied, and the more of them the more it does itself.
    let (own, rest) = trials.split_at_checked(ours).unwrap_or((&trials, &[]));
    let mut times = measure(own.iter().map(|trial| &trial.subject), timed_rounds)?;
    times.extend(measure(rest.iter().map(|trial| &trial.subject), timed_rounds)?);
    let load_after = load_average();

    let times_of = |name: &str| {
        let mut both = trials.iter().zip(&times);
        both.find(|(trial, _)| trial.subject.name == name).map(|(_, times)| times.clone())
    };
    let (mut figures, mut waits) = (Vec::new(), Vec::new());
    for (Trial { subject, floor, look }, times) in trials.iter().zip(&times) {
        let instructions = match look {
            Look::Everything | Look::Instructions => {
                instructions::count(subject.in_round(counted_round))?
            }
            Look::Times => Instructions::NotAsked,
        };
        let floor_times = times_of(floor).unwrap_or_default();
        figures.push(Figures::of(subject.name, times, (floor, &floor_times), instructions));
        match look {
            Look::Everything => {
                let syncs = syncs::count(subject.in_round(traced_round))?;
                waits.push(Wait { command: subject.name, syncs });
            }
            Look::Instructions | Look::Times => {}
        }
    }
    let against = options.against.iter().flat_map(|_| GOALS_AGAINST);
    let goals = GOALS.into_iter().chain(against).map(|(command, floor, limit)| Comparison {
        command,
        floor,
        times: times_of(command).unwrap_or_default(),
        floor_times: times_of(floor).unwrap_or_default(),
        limit,
    });
    let found = Found {
        report: Report {
            rounds: options.rounds,
            seed: SEED,
            load_before,
            load_after,
            figures,
            missing,
            goals: goals.collect(),
        },
        waits,
        storm: storm::raise(&mut places.few, directory.path())?,
    };
    say::result(if options.json { found.json() } else { found.table() })?;
    found.judge()
}

/// Returns the hooks of another binary, which are measured in the same rounds as ours.
fn line_up_previous(
    few: &mut Workplace,
    trusted: &mut Workplace,
    trusted_before: &mut Workplace,
) -> Result<[Trial; 6], Failure> {
    let trial = |subject| Trial { subject, floor: FLOOR, look: Look::Times };
    let subjects = [
        trusted.start(START_TRUSTED, Way::Direct)?,
        trusted_before.start(START_TRUSTED_BEFORE, Way::Direct)?,
        few.start(START_BEFORE, Way::Direct)?,
        few.prompt(PROMPT_BEFORE, Way::Direct)?,
        few.before_tool(TOOL_BEFORE, Way::Direct)?,
        few.elsewhere(ELSEWHERE_BEFORE, Way::Direct)?,
    ];
    Ok(subjects.map(trial))
}

/// Returns what other programs are measured, with a floor of their own.
fn beside(others: Vec<Subject>) -> impl Iterator<Item = Trial> {
    let floor = Subject::new(FLOOR_BESIDE, Invocation::new(FLOOR).clean());
    let all = [floor].into_iter().chain(others);
    all.map(|subject| Trial { subject, floor: FLOOR_BESIDE, look: Look::Times })
}

/// The repositories in which hooks are fired.
struct Places {
    few: Workplace,
    many: Workplace,
    /// Skills that the host does not list are for us to list, and must not all be read for that.
    unlisted: Workplace,
}

impl Places {
    fn prepare(
        environment: &Environment,
        pacenote: &Path,
        directory: &Path,
        rounds: u32,
    ) -> Result<Self, Failure> {
        let workplace = |name: &str, shelf: Shelf, skills: u32| {
            say::note(format_args!("setting up a repository and {skills} skills"));
            let place = directory.join(name);
            Workplace::prepare(environment, pacenote, &place, (shelf, skills), rounds)
        };
        Ok(Self {
            few: workplace("few", Shelf::OfTheHost, FEW)?,
            many: workplace("many", Shelf::OfTheHost, MANY)?,
            unlisted: workplace("unlisted", Shelf::OfOthers, MANY)?,
        })
    }

    /// Returns all that is measured, in the order of the report.
    fn line_up(&mut self) -> Result<Vec<Trial>, Failure> {
        let Self { few, many, unlisted } = self;
        let ours = [
            few.start(START_AMONG_FEW, Way::Direct)?,
            few.prompt(PROMPT_AMONG_FEW, Way::Direct)?,
            few.before_tool(TOOL_AMONG_FEW, Way::Direct)?,
            few.elsewhere(ELSEWHERE, Way::Direct)?,
            many.start(START_AMONG_MANY, Way::Direct)?,
            many.prompt(PROMPT_AMONG_MANY, Way::Direct)?,
            unlisted.start(START_AMONG_UNLISTED, Way::Direct)?,
        ];
        let by_shell = [
            Subject::new(SHELL_FLOOR, Invocation::new(SHELL).clean().arguments(["-c", FLOOR])),
            few.start(START_BY_SHELL, Way::ThroughShell)?,
            few.prompt(PROMPT_BY_SHELL, Way::ThroughShell)?,
            few.before_tool(TOOL_BY_SHELL, Way::ThroughShell)?,
            few.elsewhere(ELSEWHERE_BY_SHELL, Way::ThroughShell)?,
        ];
        let floor = Subject::new(FLOOR, Invocation::new(FLOOR).clean());
        let trial = |floor, look| move |subject| Trial { subject, floor, look };
        Ok([floor]
            .map(trial(FLOOR, Look::Instructions))
            .into_iter()
            .chain(ours.map(trial(FLOOR, Look::Everything)))
            .chain(by_shell.map(trial(SHELL_FLOOR, Look::Times)))
            .collect())
    }
}

/// A command with what it is compared with.
struct Trial {
    subject: Subject,
    floor: &'static str,
    look: Look,
}

/// How closely a command is looked at besides its times.
#[derive(Clone, Copy)]
enum Look {
    /// A hook of ours: its instructions are counted, and how often it waits for the disk.
    Everything,
    /// The floor: its instructions are counted.
    Instructions,
    /// Another's program or one behind a shell: its times say it all.
    Times,
}

/// Everything that was found out.
struct Found {
    report: Report,
    waits: Vec<Wait>,
    storm: Storm,
}

impl Found {
    fn judge(&self) -> Result<(), Failure> {
        self.report.judge()?;
        self.waits.iter().try_for_each(Wait::judge)?;
        self.storm.judge()
    }

    fn table(&self) -> String {
        let waits = self.waits.iter().map(Wait::line);
        let storm = [String::new()].into_iter().chain(self.storm.lines());
        let lines: Vec<_> = [self.report.table()].into_iter().chain(waits).chain(storm).collect();
        lines.join("\n")
    }

    fn json(&self) -> String {
        let mut told = self.report.json();
        if let Some(fields) = told.as_object_mut() {
            fields.insert("syncs".to_owned(), self.waits.iter().map(Wait::json).collect());
            fields.insert("at_once".to_owned(), self.storm.json());
        }
        told.to_string()
    }
}
