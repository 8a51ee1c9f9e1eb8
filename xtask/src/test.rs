//! `test`: every test the README promises, with all that has to be installed first.
//!
//! It must never pass quietly with less: what was left out is said in the last lines.

use clap::Args;

use crate::cargo::{cargo, has_subcommand};
use crate::environment::Environment;
use crate::failure::Failure;
use crate::process::Invocation;
use crate::{hosts, say};

/// What tests look for to know that real clients were left out on purpose.
const WITHOUT_CLIENTS: &str = "PACENOTE_WITHOUT_CLIENTS";

/// What may be left out.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Leave out the tests that drive real clients, and install none
    #[arg(long)]
    without_clients: bool,
}

/// Installs the clients, builds the programs and runs all tests; the runner's summary comes last.
pub(crate) fn run(environment: &Environment, options: &Options) -> Result<(), Failure> {
    let clients = if options.without_clients {
        Clients::LeftOut
    } else {
        Clients::Installed(hosts::install_all(environment)?)
    };
    cargo(environment, ["build", "--workspace", "--bins", "--exclude", "xtask"]).run()?;
    run_tests(environment, &clients)?;
    clients.tell_what_was_skipped();
    Ok(())
}

/// With which clients the tests run.
enum Clients {
    Installed(Vec<hosts::Installed>),
    LeftOut,
}

impl Clients {
    /// Tells the tests by environment variables where the clients are, or that there are none.
    fn announce(&self, tests: Invocation) -> Invocation {
        match self {
            Self::Installed(clients) => {
                clients.iter().fold(tests.without_variable(WITHOUT_CLIENTS), |tests, client| {
                    tests.variable(client.variable, &client.binary)
                })
            }
            Self::LeftOut => hosts::variables()
                .fold(tests.variable(WITHOUT_CLIENTS, "1"), Invocation::without_variable),
        }
    }

    fn tell_what_was_skipped(&self) {
        match self {
            Self::Installed(_) => {}
            Self::LeftOut => say::note(format_args!(
                "skipped by --without-clients: all tests that need another's program ({})",
                hosts::names().collect::<Vec<_>>().join(", ")
            )),
        }
    }
}

/// Runs documentation tests first, whatever their outcome the others too, and fails if any failed.
fn run_tests(environment: &Environment, clients: &Clients) -> Result<(), Failure> {
    let tests = |arguments: &[&'static str]| {
        clients.announce(cargo(environment, arguments.iter().copied())).run()
    };
    if has_subcommand(environment, "nextest") {
        say::note("running the tests with cargo-nextest, documentation tests with cargo test");
        let documentation = tests(&["test", "--workspace", "--doc", "--no-fail-fast"]);
        tests(&["nextest", "run", "--workspace"]).and(documentation)
    } else {
        say::note("running all tests with cargo test, because cargo-nextest is not installed");
        tests(&["test", "--workspace", "--no-fail-fast"])
    }
}

#[cfg(test)]
mod tests {
    use super::{Clients, Invocation, hosts};

    fn environment_of_tests(clients: &Clients) -> String {
        let env = Invocation::new("/usr/bin/env")
            .clean()
            .variable("PACENOTE_WITHOUT_CLIENTS", "left over")
            .variable("PACENOTE_CLIENT_CLAUDE", "left over");
        clients.announce(env).read_output().unwrap()
    }

    #[test]
    fn tests_are_told_where_the_clients_are() {
        let claude = hosts::Installed {
            name: "claude",
            variable: "PACENOTE_CLIENT_CLAUDE",
            binary: "/cache/claude".into(),
        };
        assert_eq!(
            environment_of_tests(&Clients::Installed(vec![claude])),
            "PACENOTE_CLIENT_CLAUDE=/cache/claude\n"
        );
    }

    #[test]
    fn tests_are_told_when_clients_were_left_out() {
        assert_eq!(environment_of_tests(&Clients::LeftOut), "PACENOTE_WITHOUT_CLIENTS=1\n");
    }
}
