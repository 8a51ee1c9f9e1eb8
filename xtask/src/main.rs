//! The developers' verbs, run as `cargo xtask <verb>`.
//!
//! One file per verb; `process`, `disk`, `environment` and `say` are the only doors to programs,
//! files, variables and the terminal. It must never depend on the crates it checks.

mod bench;
mod cargo;
mod corpus;
mod crash;
mod deny;
mod deps;
mod disk;
mod environment;
mod failure;
mod fuzz;
mod hosts;
mod house;
mod install;
mod lint;
mod order;
mod process;
mod say;
mod size;
mod standalone;
mod test;
mod verb;

use std::process::ExitCode;

use clap::Parser as _;

use crate::environment::Environment;
use crate::verb::CommandLine;

fn main() -> ExitCode {
    let command_line = CommandLine::parse();
    let outcome = Environment::read().and_then(|environment| command_line.perform(&environment));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            say::failure(&failure);
            failure.exit_code()
        }
    }
}
