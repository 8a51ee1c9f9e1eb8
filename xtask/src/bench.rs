//! `bench`: figures of the release build, with the method printed beside them.

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

use clap::Subcommand;

use crate::cargo::{STORE_WORKER, build_release};
use crate::environment::Environment;
use crate::failure::Failure;
use crate::process::Invocation;

/// What to measure.
#[derive(Debug, Subcommand)]
pub(crate) enum Benchmark {
    /// How long a short-lived process takes, side by side with `/bin/true`
    Start(start::Options),
    /// What a hook costs where an agent is at work and where none is, and what many at once do
    Hook(hook::Options),
    /// What it costs to follow a workflow, side by side with `/bin/true`
    Flow(flow::Options),
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
        Benchmark::Store => measure_store(environment),
        Benchmark::Skills(options) => skills::run(environment, options),
        Benchmark::Scan(options) => scan::run(environment, options),
        Benchmark::Redact => redact::run(environment),
    }
}

/// The store worker measures itself; its figures are passed on as they are.
fn measure_store(environment: &Environment) -> Result<(), Failure> {
    let worker = build_release(environment, STORE_WORKER)?;
    Invocation::new(worker).arguments(["bench", "--json"]).run()
}
