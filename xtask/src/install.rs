//! `install`: builds the product as it is released and puts it where cargo puts programs.

use std::path::PathBuf;

use clap::Args;

use crate::cargo::cargo;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::standalone;

/// Where to install.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Put the program into `DIR/bin` instead of cargo's own
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
}

/// Builds and installs the product.
pub(crate) fn run(environment: &Environment, options: &Options) -> Result<(), Failure> {
    let flags = standalone::flags(environment)?;
    let install = cargo(environment, ["install", "--locked", "--path", "crates/cli"]);
    let root = options.root.iter().flat_map(|root| [PathBuf::from("--root"), root.clone()]);
    install.arguments(flags).arguments(root).run()
}
