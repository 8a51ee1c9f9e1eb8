//! Everything that can stop a verb, each with its sentence, its advice and its exit code.

use std::error::Error;
use std::io;
use std::path::PathBuf;
use std::process::{ExitCode, ExitStatus};

/// Why a verb did not succeed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("`{program}` is not installed or not in `PATH`")]
    Missing { program: String },
    #[error("could not start `{program}`")]
    Start { program: String, source: io::Error },
    #[error("`{command}` ended with {status}")]
    Ended { command: String, status: ExitStatus },
    #[error("`{command}` printed something else than expected")]
    Unexpected { command: String, source: Box<dyn Error + Send + Sync> },
    #[error("could not {action} `{}`", path.display())]
    File { action: &'static str, path: PathBuf, source: io::Error },
    #[error("could not write to standard output")]
    Output { source: io::Error },
    #[error("`CARGO_MANIFEST_DIR` is not set")]
    OutsideCargo,
    #[error("`HOME` is not set, so there is no place for the clients' cache")]
    NoCache,
    #[error("client `{client}` is not available for `{platform}`")]
    NotAvailable { client: &'static str, platform: String },
    #[error("could not install client `{client}`")]
    Install { client: &'static str, source: Box<Failure> },
    #[error("a program that needs no library cannot be linked here")]
    NotStandalone,
    #[error("`cargo {subcommand}` is not installed")]
    NoSubcommand { subcommand: &'static str },
    #[error("files of more than {limit} lines: {found}")]
    TooLong { limit: usize, found: usize },
    #[error("dependencies that break the crate arrows: {found}")]
    BrokenArrows { found: usize },
    #[error("rooms with more modules in circles than before: {rooms}")]
    Tangled { rooms: usize },
    #[error("public items without a line that says what they are: {items}")]
    Undocumented { items: usize },
    #[error("the schema of the store has {entries} entries, at most {most} are allowed")]
    SchemaTooLarge { entries: usize, most: usize },
    #[error("the table of situations cannot be used: {reason}")]
    BadTable { reason: String },
    #[error(
        "{unmet} situations lack something, and {share} % of the tokens are about what is needed, at \
         least {least} % have to be"
    )]
    BriefingLacks { unmet: usize, share: usize, least: usize },
    #[error("the schema of the store cannot be read")]
    Schema { source: rusqlite::Error },
    #[error("`{command}` took {ratio:.2} times as long as `{floor}`, the goal is {limit:.2}")]
    GoalMissed { command: &'static str, floor: &'static str, ratio: f64, limit: f64 },
    #[error("`{command}` waited for the disk {calls} times, the goal is never")]
    Synced { command: &'static str, calls: usize },
    #[error("hook processes at once left {found} {what}, the goal is {least}")]
    Storm { what: &'static str, found: usize, least: usize },
}

impl Failure {
    /// What the developer can do about it, where the sentence alone does not say.
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::OutsideCargo => Some("run it as `cargo xtask <verb>`".to_owned()),
            Self::NoCache => Some(
                "set `HOME`, or `PACENOTE_HOSTS_CACHE` to the directory that may hold them"
                    .to_owned(),
            ),
            Self::NotAvailable { .. } | Self::Install { .. } => Some(
                "`cargo xtask test --without-clients` runs all tests that need no real client"
                    .to_owned(),
            ),
            Self::NotStandalone => Some(
                "on Linux, install the static C library, which is part of libc6-dev".to_owned(),
            ),
            Self::NoSubcommand { subcommand } => Some(install_advice(subcommand)),
            Self::TooLong { .. } => {
                Some("split each file along its nouns; lines of tests are not counted".to_owned())
            }
            Self::BrokenArrows { .. } => Some(
                "turn the dependency round, or argue for an exception in `xtask/src/deps/table.rs`"
                    .to_owned(),
            ),
            Self::Tangled { .. } => Some(
                "move what both modules need below them, or pass it in; the bounds are in \
                 `xtask/src/house.rs`"
                    .to_owned(),
            ),
            Self::Missing { program } => advice_on(program).map(str::to_owned),
            Self::Start { .. }
            | Self::Ended { .. }
            | Self::Unexpected { .. }
            | Self::File { .. }
            | Self::Output { .. }
            | Self::Undocumented { .. }
            | Self::SchemaTooLarge { .. }
            | Self::Schema { .. }
            | Self::BadTable { .. }
            | Self::BriefingLacks { .. }
            | Self::GoalMissed { .. }
            | Self::Synced { .. }
            | Self::Storm { .. } => None,
        }
    }

    /// The code of the program that failed, so that a caller sees what it would have seen without
    /// us between; 1 for everything else.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Ended { status, .. } => status
                .code()
                .and_then(|code| u8::try_from(code).ok())
                .map_or(ExitCode::FAILURE, ExitCode::from),
            Self::Missing { .. }
            | Self::Start { .. }
            | Self::Unexpected { .. }
            | Self::File { .. }
            | Self::Output { .. }
            | Self::OutsideCargo
            | Self::NoCache
            | Self::NotAvailable { .. }
            | Self::Install { .. }
            | Self::NotStandalone
            | Self::NoSubcommand { .. }
            | Self::TooLong { .. }
            | Self::BrokenArrows { .. }
            | Self::Tangled { .. }
            | Self::Undocumented { .. }
            | Self::SchemaTooLarge { .. }
            | Self::Schema { .. }
            | Self::BadTable { .. }
            | Self::BriefingLacks { .. }
            | Self::GoalMissed { .. }
            | Self::Synced { .. }
            | Self::Storm { .. } => ExitCode::FAILURE,
        }
    }
}

/// Returns how a subcommand of cargo is installed, and what else it needs.
fn install_advice(subcommand: &str) -> String {
    let install = format!("install it with `cargo install --locked cargo-{subcommand}`");
    match subcommand {
        // People expect cargo-fuzz to need a nightly toolchain, and look for one.
        "fuzz" => format!(
            "{install}; it needs a C++ compiler, but no nightly toolchain: `cargo xtask fuzz` sets \
             `RUSTC_BOOTSTRAP=1`, which `cargo fuzz` by itself needs as well"
        ),
        _ => install,
    }
}

/// How a program is installed whose package has another name than the program.
fn advice_on(program: &str) -> Option<&'static str> {
    match program {
        "rg" => Some("install it with `apt-get install ripgrep`"),
        "flock" => Some("install it with `apt-get install util-linux`"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Failure;

    #[test]
    fn a_missing_subcommand_comes_with_all_that_it_needs() {
        let hint = |subcommand| Failure::NoSubcommand { subcommand }.hint().unwrap();
        assert_eq!(hint("deny"), "install it with `cargo install --locked cargo-deny`");
        let fuzz = hint("fuzz");
        for needed in ["`cargo install --locked cargo-fuzz`", "`RUSTC_BOOTSTRAP=1`", "C++"] {
            assert!(fuzz.contains(needed), "{fuzz}");
        }
    }
}
