//! `corpus`: reads every skill below a directory and counts what is odd about them.
//!
//! The reading is done by the skill worker; its exit code becomes ours.

use std::path::PathBuf;

use clap::Args;

use crate::cargo::{SKILL_WORKER, build_release};
use crate::environment::Environment;
use crate::failure::Failure;
use crate::process::Invocation;

/// What to read.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The directory below which every SKILL.md is read
    directory: PathBuf,
}

/// Builds the skill worker and has it read everything.
pub(crate) fn run(environment: &Environment, options: &Options) -> Result<(), Failure> {
    let worker = build_release(environment, SKILL_WORKER)?;
    Invocation::new(worker).arguments(["corpus"]).arguments([&options.directory]).run()
}
