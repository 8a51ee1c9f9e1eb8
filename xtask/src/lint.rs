//! `lint`: everything that can be said about a change without running it.

use crate::cargo::cargo;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::{deps, house, size};

/// Runs one check after the other and stops at the first that fails.
pub(crate) fn run(environment: &Environment) -> Result<(), Failure> {
    cargo(environment, ["fmt", "--all", "--check"]).run()?;
    cargo(environment, ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]).run()?;
    cargo(environment, ["doc", "--workspace", "--no-deps"])
        .variable("RUSTDOCFLAGS", "-D warnings")
        .run()?;
    size::run(environment)?;
    deps::run(environment)?;
    house::run(environment)
}
