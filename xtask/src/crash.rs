//! `crash`: kills a process in the middle of its writes, many times, and has the store checked.
//!
//! The killing and the checking are done by the store worker; its exit code becomes ours.

use clap::Args;

use crate::cargo::{STORE_WORKER, build_release};
use crate::environment::Environment;
use crate::failure::Failure;
use crate::process::Invocation;

/// How long to go on.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// How many times the writer is killed
    #[arg(default_value_t = 10_000)]
    rounds: u32,
}

/// Builds the store worker and has it killed and checked.
pub(crate) fn run(environment: &Environment, options: &Options) -> Result<(), Failure> {
    let worker = build_release(environment, STORE_WORKER)?;
    Invocation::new(worker).arguments(["crash", "--rounds", &options.rounds.to_string()]).run()
}
