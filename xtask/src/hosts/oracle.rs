//! The reference validator of the Agent Skills specification, which judges our own.
//!
//! It is a Python package and lives in an environment of its own, pinned to its bytes like the
//! clients. Such an environment knows its own path and cannot be renamed, so it is filled where it
//! stays; the marker, written last, says that it is whole.

use std::path::Path;

use super::cache::Cache;
use super::{Installed, Known};
use crate::disk;
use crate::failure::Failure;
use crate::process::Invocation;
use crate::say;

/// How the tests know it, in the one version they are written for.
pub(super) const KNOWN: Known =
    Known { name: "skills-ref", version: "0.1.1", variable: "PACENOTE_SKILLS_REF" };

/// The package and all it needs, each with the digest pip checks before it unpacks.
const REQUIREMENTS: &str = include_str!("skills-ref.txt");

/// Returns the validator, after installing it if it is not there or does not run any more.
pub(super) fn install(cache: &Cache) -> Result<Installed, Failure> {
    let Known { name, version, variable } = KNOWN;
    let program = Path::new("bin").join("agentskills");
    let binary = cache
        .provide_in_place(&format!("{name}-{version}"), REQUIREMENTS, &program, runs, fill)
        .map_err(|source| Failure::Install { client: name, source: Box::new(source) })?;
    Ok(Installed { name, variable, binary })
}

/// Tells whether it still runs: the Python it was made with may have been removed since.
fn runs(program: &Path) -> bool {
    Invocation::new(program).arguments(["--help"]).succeeds()
}

fn fill(directory: &Path) -> Result<(), Failure> {
    say::note(format_args!("installing {} {}", KNOWN.name, KNOWN.version));
    Invocation::new("python3").arguments(["-m", "venv"]).arguments([directory]).run_aside()?;
    let requirements = directory.join("requirements.txt");
    disk::write(&requirements, REQUIREMENTS)?;
    Invocation::new(directory.join("bin").join("python"))
        .arguments(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
        .arguments(["--no-deps", "--only-binary", ":all:", "--require-hashes", "--requirement"])
        .arguments([&requirements])
        .run_aside()
}

#[cfg(test)]
mod tests {
    use super::{KNOWN, REQUIREMENTS};

    #[test]
    fn every_requirement_is_pinned_to_its_bytes() {
        let lines: Vec<_> = REQUIREMENTS.lines().filter(|line| !line.starts_with('#')).collect();
        for line in &lines {
            assert!(line.contains("==") && line.contains(" --hash=sha256:"), "{line}");
        }
        assert!(
            lines
                .iter()
                .any(|line| line.starts_with(&format!("{}=={} ", KNOWN.name, KNOWN.version)))
        );
    }
}
