//! `fuzz`: throws made-up bytes at a parser for a while, with cargo-fuzz.
//!
//! The targets are a workspace of their own, because they are built with instrumentation. What is
//! found on the way is kept beside the build; only the seeds are part of the repository.

use std::path::Path;

use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::cargo::{cargo, has_subcommand};
use crate::disk;
use crate::environment::Environment;
use crate::failure::Failure;

/// The directory of the targets' workspace.
const WORKSPACE: &str = "fuzz";

/// What can be fuzzed: one file each in `fuzz/fuzz_targets`.
const TARGETS: [&str; 15] = [
    "body",
    "claude_decode",
    "claude_transcript",
    "codex_decode",
    "copilot_decode",
    "frontmatter",
    "gemini_decode",
    "lock",
    "opencode_decode",
    "qwen_decode",
    "redact",
    "registry",
    "resolver",
    "shell_decode",
    "workflow",
];

/// What to fuzz, and how long.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The parser that is fuzzed
    #[arg(value_parser = PossibleValuesParser::new(TARGETS))]
    target: String,
    /// How many seconds it goes on
    seconds: u32,
}

/// Builds the target, starts from the seeds and fails when an input does.
pub(crate) fn run(environment: &Environment, options: &Options) -> Result<(), Failure> {
    const SUBCOMMAND: &str = "fuzz";
    if !has_subcommand(environment, SUBCOMMAND) {
        return Err(Failure::NoSubcommand { subcommand: SUBCOMMAND });
    }
    let workspace = environment.root.join(WORKSPACE);
    let found = Path::new("target").join("corpus").join(&options.target);
    let seeds = Path::new("seeds").join(&options.target);
    disk::create_directory(&workspace.join(&found))?;
    // No sanitizer: our crates forbid unsafe code, panics are what is looked for, and without one
    // several times as many inputs are tried in the same time.
    cargo(environment, [SUBCOMMAND, "run", "--sanitizer", "none", &options.target])
        .arguments([&found, &seeds])
        .arguments(["--", &format!("-max_total_time={}", options.seconds), "-print_final_stats=1"])
        // The weighing of inputs by entropy took twice the time of the parsers themselves.
        .arguments(["-entropic=0"])
        .directory(&workspace)
        // Instrumentation is not stable yet, and the toolchain is: this lets it be used all the same.
        .variable("RUSTC_BOOTSTRAP", "1")
        .run()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{TARGETS, WORKSPACE, disk};

    #[test]
    fn every_target_has_a_file_and_seeds() {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join(WORKSPACE);
        let files: Vec<_> = disk::entries(&workspace.join("fuzz_targets"))
            .unwrap()
            .iter()
            .map(|entry| entry.path().file_stem().unwrap().to_str().unwrap().to_owned())
            .collect();
        assert_eq!(files, TARGETS);
        for target in TARGETS {
            let seeds = disk::entries(&workspace.join("seeds").join(target)).unwrap();
            assert!(!seeds.is_empty(), "{target}");
        }
    }
}
