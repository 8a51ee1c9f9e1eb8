//! What the scanner of skills finds in a corpus, and what it takes for an attack that is none.
//!
//! Every directory of the corpus is one skill, and its name says the truth about it: `malicious-…`
//! or `benign-…`. The scanning is done by the skill worker, whose figures are passed on.

use std::path::PathBuf;

use clap::Args;

use crate::cargo::{SKILL_WORKER, build_release};
use crate::environment::Environment;
use crate::failure::Failure;
use crate::process::Invocation;

/// The skills of our own, an attack and an honest one of each kind.
const OWN_SKILLS: &str = "crates/testkit/data/scan";

/// What to scan.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// List what was found, one line each
    #[arg(long)]
    list: bool,
    /// The directory with one directory per skill; our own skills when left out
    directory: Option<PathBuf>,
}

/// Builds the skill worker and has it scan everything.
pub(crate) fn run(environment: &Environment, options: &Options) -> Result<(), Failure> {
    let worker = build_release(environment, SKILL_WORKER)?;
    let directory = options.directory.clone().unwrap_or_else(|| environment.root.join(OWN_SKILLS));
    let flags = options.list.then_some("--list");
    Invocation::new(worker).arguments(["scan"]).arguments(flags).arguments([directory]).run()
}
