//! `test`: every test the README promises, with all that has to be installed first.
//!
//! It must never pass quietly with less: what was left out is said in the last lines.

use clap::Args;

use crate::cargo::{cargo, has_subcommand};
use crate::environment::Environment;
use crate::failure::Failure;
use crate::hosts::{Known, Selection};
use crate::process::Invocation;
use crate::{hosts, say};

/// What tests look for to know that real clients were left out on purpose.
const WITHOUT_CLIENTS: &str = "PACENOTE_WITHOUT_CLIENTS";

/// What tests look for to know that the slow ones were.
const WITHOUT_SLOW_CLIENTS: &str = "PACENOTE_WITHOUT_SLOW_CLIENTS";

/// What may be left out.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Leave out the tests that drive real clients, and install none
    #[arg(long)]
    without_clients: bool,
    /// Leave out the clients whose tests take long, and do not install them
    #[arg(long, conflicts_with = "without_clients")]
    quick: bool,
}

/// Installs the clients, builds the programs and runs all tests; what was left out comes last.
pub(crate) fn run(environment: &Environment, options: &Options) -> Result<(), Failure> {
    let install = |selection| hosts::install_selected(environment, selection);
    let clients = if options.without_clients {
        Clients::LeftOut
    } else if options.quick {
        Clients::Quick(install(Selection::Quick)?)
    } else {
        Clients::All(install(Selection::All)?)
    };
    cargo(environment, ["build", "--workspace", "--bins", "--exclude", "xtask"]).run()?;
    let outcome = run_tests(environment, &clients);
    if let Some(skipped) = clients.skipped() {
        say::note(skipped);
    }
    outcome
}

/// With which clients the tests run.
enum Clients {
    All(Vec<hosts::Installed>),
    Quick(Vec<hosts::Installed>),
    LeftOut,
}

impl Clients {
    /// Tells the tests by environment variables where the clients are, and which there are not.
    fn announce(&self, tests: Invocation) -> Invocation {
        // What the developer has set for a single test is not what this run has installed.
        let inherited = [WITHOUT_CLIENTS, WITHOUT_SLOW_CLIENTS].into_iter();
        let unset = inherited
            .chain(hosts::known().map(|known| known.variable))
            .fold(tests, Invocation::without_variable);
        let (tests, clients) = match self {
            Self::All(clients) => (unset, clients.as_slice()),
            Self::Quick(clients) => (unset.variable(WITHOUT_SLOW_CLIENTS, "1"), clients.as_slice()),
            Self::LeftOut => (unset.variable(WITHOUT_CLIENTS, "1"), [].as_slice()),
        };
        clients.iter().fold(tests, |tests, client| tests.variable(client.variable, &client.binary))
    }

    /// Says what the tests did without, unless they had everything.
    fn skipped(&self) -> Option<String> {
        match self {
            Self::All(_) => None,
            Self::Quick(_) => Some(format!(
                "SKIPPED by --quick: all tests that drive a slow client ({})",
                listed(hosts::left_out(Selection::Quick))
            )),
            Self::LeftOut => Some(format!(
                "SKIPPED by --without-clients: all tests that need another's program ({})",
                listed(hosts::known())
            )),
        }
    }
}

fn listed(programs: impl Iterator<Item = Known>) -> String {
    let named = programs.map(|known| format!("{} {}", known.name, known.version));
    named.collect::<Vec<_>>().join(", ")
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
            .variable("PACENOTE_WITHOUT_SLOW_CLIENTS", "left over")
            .variable("PACENOTE_CLIENT_CLAUDE", "left over")
            .variable("PACENOTE_CLIENT_QWEN", "left over");
        clients.announce(env).read_output().unwrap()
    }

    fn claude() -> Vec<hosts::Installed> {
        vec![hosts::Installed {
            name: "claude",
            variable: "PACENOTE_CLIENT_CLAUDE",
            binary: "/cache/claude".into(),
        }]
    }

    #[test]
    fn tests_are_told_where_the_clients_are() {
        let all = Clients::All(claude());
        assert_eq!(environment_of_tests(&all), "PACENOTE_CLIENT_CLAUDE=/cache/claude\n");
        assert_eq!(all.skipped(), None);
    }

    #[test]
    fn tests_are_told_when_slow_clients_were_left_out() {
        let quick = Clients::Quick(claude());
        assert_eq!(
            environment_of_tests(&quick),
            "PACENOTE_CLIENT_CLAUDE=/cache/claude\nPACENOTE_WITHOUT_SLOW_CLIENTS=1\n"
        );
        assert_eq!(
            quick.skipped().unwrap(),
            "SKIPPED by --quick: all tests that drive a slow client (opencode 1.18.33, \
             copilot 1.0.102, qwen 0.15.10)"
        );
    }

    #[test]
    fn tests_are_told_when_clients_were_left_out() {
        assert_eq!(environment_of_tests(&Clients::LeftOut), "PACENOTE_WITHOUT_CLIENTS=1\n");
        let skipped = Clients::LeftOut.skipped().unwrap();
        for name in ["claude", "codex", "gemini", "opencode", "copilot", "qwen", "skills-ref"] {
            assert!(skipped.contains(name), "{skipped}");
        }
    }
}
