//! The list of verbs: what `cargo xtask --help` shows and where each one leads.

use clap::{Parser, Subcommand};

use crate::environment::Environment;
use crate::failure::Failure;
use crate::{
    bench, corpus, crash, deny, deps, fuzz, hosts, house, install, lint, order, size, test,
};

/// The developers' verbs of this workspace.
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask", disable_help_subcommand = true)]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    verb: Verb,
}

impl CommandLine {
    /// Does what the command line asks for.
    pub(crate) fn perform(&self, environment: &Environment) -> Result<(), Failure> {
        match &self.verb {
            Verb::Test(options) => test::run(environment, options),
            Verb::Lint => lint::run(environment),
            Verb::Size => size::run(environment),
            Verb::Deps => deps::run(environment),
            Verb::House => house::run(environment),
            Verb::Deny => deny::run(environment),
            Verb::Bench { benchmark } => bench::run(environment, benchmark),
            Verb::Crash(options) => crash::run(environment, options),
            Verb::Corpus(options) => corpus::run(environment, options),
            Verb::Fuzz(options) => fuzz::run(environment, options),
            Verb::Install(options) => install::run(environment, options),
            Verb::Hosts(options) => hosts::run(environment, options),
            Verb::Order => order::run(environment),
        }
    }
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Build the release and install it
    Install(install::Options),
    /// Run every test, the ones that drive real clients included
    Test(test::Options),
    /// Check format, clippy, documentation, file sizes and crate arrows
    Lint,
    /// Fail on source files that have grown too long
    Size,
    /// Fail on crate dependencies that point the wrong way
    Deps,
    /// Show how tangled the rooms are, and fail when one got worse
    House,
    /// Check licences, duplicate versions and sources of dependencies with cargo-deny
    Deny,
    /// Measure the release build
    Bench {
        #[command(subcommand)]
        benchmark: bench::Benchmark,
    },
    /// Kill a writing process again and again and check what the store kept
    Crash(crash::Options),
    /// Read every skill below a directory and count what is odd about them
    Corpus(corpus::Options),
    /// Throw made-up bytes at a parser for a while, with cargo-fuzz
    Fuzz(fuzz::Options),
    /// Install the pinned real clients into a cache outside the repository
    Hosts(hosts::Options),
    /// List the functions that hooks run, for the linker to put side by side; needs valgrind
    Order,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::CommandLine;

    /// More verbs than this and nobody remembers which one to run.
    const MOST_VERBS: usize = 13;

    #[test]
    fn the_command_line_is_well_formed() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn the_verbs_stay_few() {
        assert!(CommandLine::command().get_subcommands().count() <= MOST_VERBS);
    }
}
