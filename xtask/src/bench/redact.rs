//! How long secrets are looked for, by the benchmark that stands beside the redactor.

use crate::cargo::cargo;
use crate::environment::Environment;
use crate::failure::Failure;

/// Builds the benchmark and passes on what it prints.
pub(super) fn run(environment: &Environment) -> Result<(), Failure> {
    cargo(environment, ["bench", "--package", "pacenote-recall", "--bench", "redact"]).run()
}
