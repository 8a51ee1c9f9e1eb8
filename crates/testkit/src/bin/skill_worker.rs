//! The other process of the skills' tests: it reads a corpus for `cargo xtask corpus`, a shelf
//! for `cargo xtask bench skills`, and scans skills for `cargo xtask bench scan`.

#![expect(clippy::print_stdout, reason = "a test program: it prints what it found")]

use std::{path::PathBuf, process::ExitCode};

use clap::{Parser, Subcommand};
use pacenote_testkit::{corpus::Corpus, scan::Measurement, shelf};

/// Workers for the tests of skills
#[derive(Parser)]
#[command(name = "pacenote-skill-worker")]
struct Arguments {
    #[command(subcommand)]
    work: Work,
}

#[derive(Subcommand)]
enum Work {
    /// Read every skill below a directory and count what is odd
    Corpus { directory: PathBuf },
    /// Find and read every skill of a root, and say how many have a description
    Read { root: PathBuf },
    /// Scan every skill below a directory and compare with what its name says about it
    Scan {
        /// List what was found, one line each
        #[arg(long)]
        list: bool,
        directory: PathBuf,
    },
    /// Time a sound look at what changed against a bare loop of `stat`
    Revalidate {
        #[arg(long)]
        rounds: u32,
        root: PathBuf,
    },
}

fn main() -> ExitCode {
    match Arguments::parse().work {
        Work::Corpus { directory } => {
            let corpus = Corpus::read(&directory);
            println!("{corpus}");
            if !corpus.is_clean() {
                return ExitCode::FAILURE;
            }
        }
        Work::Read { root } => println!("{}", shelf::read(&root)),
        Work::Scan { list, directory } => {
            let measurement = Measurement::of(&directory);
            if list {
                println!("{}", measurement.list());
            }
            println!("{measurement}");
        }
        Work::Revalidate { rounds, root } => {
            let shelf::Watching { revalidate, stat } = shelf::watch(&root, rounds);
            println!("{}", serde_json::json!({ "revalidate_ms": revalidate, "stat_ms": stat }));
        }
    }
    ExitCode::SUCCESS
}
