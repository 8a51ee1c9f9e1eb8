//! The other processes of the store's tests: workers that are killed, crowds that contend, and the
//! figures of `cargo xtask bench store` and `cargo xtask crash`.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test program: it prints what it did and stops when it cannot go on"
)]

use std::{path::PathBuf, process::ExitCode};

use clap::{Parser, Subcommand};
use pacenote_testkit::{crash, load};

/// Workers for the tests of the store
#[derive(Parser)]
#[command(name = "pacenote-store-worker")]
struct Arguments {
    #[command(subcommand)]
    work: Work,
}

#[derive(Subcommand)]
enum Work {
    /// Commit until killed, saying each key
    Commit {
        #[arg(long)]
        directory: PathBuf,
        #[arg(long)]
        round: u32,
    },
    /// Read, then write, some times
    ReadThenWrite {
        #[arg(long)]
        directory: PathBuf,
        #[arg(long)]
        number: u32,
        #[arg(long)]
        times: u32,
    },
    /// Claim every task that can be had
    Claim {
        #[arg(long)]
        directory: PathBuf,
        #[arg(long)]
        number: u32,
    },
    /// Open a store, dying before the nth statement of its migration
    Migrate {
        #[arg(long)]
        directory: PathBuf,
        #[arg(long)]
        die_before: usize,
        #[arg(long)]
        versions: u32,
    },
    /// Kill workers and look at what they leave
    Crash {
        #[arg(long)]
        rounds: u32,
        #[arg(long)]
        seed: Option<u64>,
    },
    /// Measure crowds on one store
    Bench {
        #[arg(long)]
        json: bool,
    },
}

fn main() -> ExitCode {
    match Arguments::parse().work {
        Work::Commit { directory, round } => crash::commit_until_killed(&directory, round),
        Work::ReadThenWrite { directory, number, times } => {
            load::read_then_write(&directory, number, times);
        }
        Work::Claim { directory, number } => {
            println!("{}", load::claim_all(&directory, number).join("\n"));
        }
        Work::Migrate { directory, die_before, versions } => {
            pacenote_testkit::migration::migrate_and_die(&directory, die_before, versions);
        }
        Work::Crash { rounds, seed } => return crash_rounds(rounds, seed),
        Work::Bench { json } => bench(json),
    }
    ExitCode::SUCCESS
}

fn crash_rounds(rounds: u32, seed: Option<u64>) -> ExitCode {
    let seed = seed.unwrap_or_else(|| u64::from(std::process::id()));
    eprintln!("{rounds} rounds with seed {seed}");
    let directory = tempfile::tempdir().expect("a directory");
    let worker = std::env::current_exe().expect("this program");
    let report = crash::rounds(&worker, directory.path(), rounds, seed);
    println!(
        "kills {}, acknowledged {}, lost {}, committed but not yet acknowledged {}, \
         duplicates after retry {}, damaged {}",
        report.kills,
        report.acknowledged,
        report.lost,
        report.unacknowledged,
        report.duplicates,
        report.damaged
    );
    if report.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn bench(json: bool) {
    let worker = std::env::current_exe().expect("this program");
    let crowd = |many: u32, arguments: &[&str], prepared: u32| {
        let directory = tempfile::tempdir().expect("a directory");
        load::prepare_tasks(directory.path(), prepared);
        let crowd = load::crowd(&worker, directory.path(), many, arguments);
        (crowd, load::tasks_added(directory.path()))
    };
    let (singles, single_rows) = crowd(200, &["read-then-write", "--times", "1"], 0);
    let (rows, row_count) = crowd(50, &["read-then-write", "--times", "20"], 0);
    let (claims, _) = crowd(32, &["claim"], 1000);
    let claimed: Vec<&str> = claims.said.iter().flat_map(|said| said.lines()).collect();
    let figures = serde_json::json!({
        "read_then_write_200_processes": {
            "errors": singles.errors.len(),
            "lost": 200 - single_rows,
            "seconds": singles.wall.as_secs_f64(),
        },
        "rows_50_processes_of_20": {
            "errors": rows.errors.len(),
            "lost": 1000 - row_count,
            "rows_per_second": 1000.0 / rows.wall.as_secs_f64(),
        },
        "claims_32_processes_of_1000_tasks": {
            "errors": claims.errors.len(),
            "claimed": claimed.iter().filter(|line| !line.is_empty()).count(),
            "attempts_per_second": 32_000.0 / claims.wall.as_secs_f64(),
        },
    });
    if json {
        println!("{figures}");
    } else {
        println!("{figures:#}");
    }
}
