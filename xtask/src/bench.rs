//! `bench`: figures of the release build, with the method printed beside them.

mod instructions;
mod project;
mod report;
mod shuffle;
mod start;
mod statistics;

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
    /// What the store does in a second, as one JSON object
    Store,
}

/// Measures what was asked for.
pub(crate) fn run(environment: &Environment, benchmark: &Benchmark) -> Result<(), Failure> {
    match benchmark {
        Benchmark::Start(options) => start::run(environment, options),
        Benchmark::Store => measure_store(environment),
    }
}

/// The store worker measures itself; its figures are passed on as they are.
fn measure_store(environment: &Environment) -> Result<(), Failure> {
    let worker = build_release(environment, STORE_WORKER)?;
    Invocation::new(worker).arguments(["bench", "--json"]).run()
}
