//! `deny`: licences, duplicate versions and sources of dependencies, as `deny.toml` allows them.
//!
//! Advisories are left out: their database has to be fetched, which not every machine may do.

use crate::cargo::{cargo, has_subcommand};
use crate::environment::Environment;
use crate::failure::Failure;

/// Runs cargo-deny; when it is missing, says how to get it rather than installing it.
pub(crate) fn run(environment: &Environment) -> Result<(), Failure> {
    if !has_subcommand(environment, "deny") {
        return Err(Failure::NoSubcommand { subcommand: "deny" });
    }
    cargo(environment, ["deny", "--locked", "check", "licenses", "bans", "sources"]).run()
}
