//! Runs of cargo in the workspace, and the programs it builds.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::environment::Environment;
use crate::failure::Failure;
use crate::process::Invocation;
use crate::{disk, say, standalone};

/// A program of the workspace, by the package that holds it and its own name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Program {
    package: &'static str,
    name: &'static str,
}

/// The product.
pub(crate) const PACENOTE: Program = Program { package: "pacenote-cli", name: "pacenote" };

/// The process that writes to a store, to be measured and to be killed.
pub(crate) const STORE_WORKER: Program =
    Program { package: "pacenote-testkit", name: "pacenote-store-worker" };

/// The process that reads skills, to be measured and to be let loose on a corpus.
pub(crate) const SKILL_WORKER: Program =
    Program { package: "pacenote-testkit", name: "pacenote-skill-worker" };

/// Describes a run of cargo in the workspace.
pub(crate) fn cargo<'a>(
    environment: &Environment,
    arguments: impl IntoIterator<Item = &'a str>,
) -> Invocation {
    Invocation::new(&environment.cargo).directory(&environment.root).arguments(arguments)
}

/// Tells whether cargo knows `subcommand`.
pub(crate) fn has_subcommand(environment: &Environment, subcommand: &str) -> bool {
    cargo(environment, [subcommand, "--version"]).succeeds()
}

/// Builds a program with optimisation and returns where it is.
pub(crate) fn build_release(
    environment: &Environment,
    program: Program,
) -> Result<PathBuf, Failure> {
    build_with(environment, program, &[])
}

/// Builds a program as it is released, puts it into a directory as an installation does, and
/// returns where it is.
///
/// It is copied for what is measured with it: the pages of a file that a linker wrote here and there
/// are mapped one by one, those of a copy in larger pieces.
pub(crate) fn build_as_installed(
    environment: &Environment,
    program: Program,
    directory: &Path,
) -> Result<PathBuf, Failure> {
    let built = build_with(environment, program, &standalone::flags(environment)?)?;
    let installed = directory.join(program.name);
    disk::copy(&built, &installed)?;
    Ok(installed)
}

/// Builds a program with optimisation and such flags of cargo, and returns where it is.
pub(crate) fn build_with(
    environment: &Environment,
    program: Program,
    flags: &[String],
) -> Result<PathBuf, Failure> {
    let build = cargo(environment, ["build", "--release", "--package", program.package])
        .arguments(["--bin", program.name, "--message-format", "json-render-diagnostics"])
        .arguments(flags);
    say::note(format_args!("$ {build}"));
    let messages = build.read_output()?;
    executable(&messages, program.name)
        .map_err(|error| build.unexpected(error))?
        .ok_or_else(|| build.unexpected("no executable in its messages"))
}

/// Finds the executable in cargo's messages, which is right whatever target directory is set.
fn executable(messages: &str, name: &str) -> Result<Option<PathBuf>, serde_json::Error> {
    let messages: Vec<Message> =
        messages.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    Ok(messages
        .into_iter()
        .filter(|message| message.target.as_ref().is_some_and(|target| target.name == name))
        .find_map(|message| message.executable))
}

/// The part of cargo's messages that tells where an executable went.
#[derive(Debug, Deserialize)]
struct Message {
    target: Option<Target>,
    executable: Option<PathBuf>,
}

#[derive(Debug, Deserialize)]
struct Target {
    name: String,
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::executable;

    const MESSAGES: &str = r#"{"reason":"compiler-artifact","target":{"name":"model"},"executable":null}
{"reason":"compiler-artifact","target":{"name":"build-script-build"},"executable":"/target/build"}
{"reason":"compiler-artifact","target":{"name":"pacenote"},"executable":"/target/release/pacenote"}
{"reason":"build-finished","success":true}
"#;

    #[test]
    fn the_executable_is_found_by_its_name() {
        let found = executable(MESSAGES, "pacenote").unwrap();
        assert_eq!(found.as_deref(), Some(Path::new("/target/release/pacenote")));
        assert_eq!(executable(MESSAGES, "pacenote-store-worker").unwrap(), None);
    }
}
