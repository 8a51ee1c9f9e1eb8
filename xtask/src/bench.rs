//! `bench`: figures of the release build, with the method printed beside them.

mod briefing;
mod bystanders;
mod comparison;
mod course;
mod flow;
mod hook;
mod instructions;
mod payloads;
mod project;
mod redact;
mod report;
mod rounds;
mod scan;
mod shelf;
mod shuffle;
mod skills;
mod start;
mod statistics;
mod storm;
mod syncs;
mod workplace;

use std::path::Path;

use clap::Subcommand;
use tempfile::TempDir;

pub(crate) use self::instructions::functions_run;
pub(crate) use self::shelf::Shelf;
pub(crate) use self::workplace::{Way, Workplace};

use crate::cargo::{STORE_WORKER, build_release};
use crate::environment::Environment;
use crate::failure::Failure;
use crate::process::Invocation;
use crate::{disk, say};

/// What to measure.
#[derive(Debug, Subcommand)]
pub(crate) enum Benchmark {
    /// How long a short-lived process takes, side by side with `/bin/true`
    Start(start::Options),
    /// What a hook costs where an agent is at work and where none is, and what many at once do
    Hook(hook::Options),
    /// What it costs to follow a workflow, side by side with `/bin/true`
    Flow(flow::Options),
    /// Whether briefings hold what their readers need, over a table of situations
    Briefing(briefing::Options),
    /// What the store does in a second, as one JSON object
    Store,
    /// How finding and reading skills grows with their number
    Skills(skills::Options),
    /// What the scanner of skills finds, and what it takes for an attack that is none
    Scan(scan::Options),
    /// How long secrets are looked for, side by side with one pass over the same keywords
    Redact,
}

/// Measures what was asked for.
pub(crate) fn run(environment: &Environment, benchmark: &Benchmark) -> Result<(), Failure> {
    match benchmark {
        Benchmark::Start(options) => start::run(environment, options),
        Benchmark::Hook(options) => hook::run(environment, options),
        Benchmark::Flow(options) => flow::run(environment, options),
        Benchmark::Briefing(options) => briefing::run(environment, options),
        Benchmark::Store => measure_store(environment),
        Benchmark::Skills(options) => skills::run(environment, options),
        Benchmark::Scan(options) => scan::run(environment, options),
        Benchmark::Redact => redact::run(environment),
    }
}

/// A directory to measure in, away from what others have just deleted; removed when dropped.
///
/// Whoever makes a file on ext4 waits until it has passed over every place nearby that was given up
/// in the last minutes, one by one, and tests and benchmarks give up thousands. A directory in one
/// with this mark is put elsewhere on the disk, where its name says: a name that nobody had before.
/// Where there is no such mark, any directory is as good.
#[derive(Debug)]
struct Ground {
    inner: TempDir,
    _outer: TempDir,
}

impl Ground {
    fn prepare(environment: &Environment) -> Result<Self, Failure> {
        let outer = disk::temporary_directory(&environment.temporary, "pacenote-bench-")?;
        let mark = Invocation::new("chattr").arguments([Path::new("+T"), outer.path()]);
        if !mark.succeeds() {
            say::note("files are made wherever the system likes, which may take longer");
        }
        Ok(Self { inner: disk::temporary_directory(outer.path(), "ground-")?, _outer: outer })
    }

    fn path(&self) -> &Path {
        self.inner.path()
    }
}

/// The store worker measures itself; its figures are passed on as they are.
fn measure_store(environment: &Environment) -> Result<(), Failure> {
    let worker = build_release(environment, STORE_WORKER)?;
    Invocation::new(worker).arguments(["bench", "--json"]).run()
}
