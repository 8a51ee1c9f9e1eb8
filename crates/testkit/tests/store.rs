//! The store under kills and crowds: other processes, real deaths.

#![expect(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a test stops when it cannot go on, and starts workers of its own"
)]

use std::{collections::BTreeSet, path::Path, process::Command};

use pacenote_store::{Place, SCHEMA};
use pacenote_testkit::{
    crash, load,
    migration::{opened_with, version},
    scene::Scene,
};
use tempfile::TempDir;

/// Kills in one run of the suite; `cargo xtask crash` does 10,000.
const CRASH_ROUNDS: u32 = 500;

fn place() -> (TempDir, Place) {
    let directory = TempDir::new().expect("a directory");
    let place = Place::new(directory.path().join("data"));
    (directory, place)
}

fn worker() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_pacenote-store-worker"))
}

#[test]
fn heavy_kills_lose_nothing() {
    let (_directory, place) = place();
    let seed = u64::from(std::process::id());
    let report = crash::rounds(worker(), place.directory(), CRASH_ROUNDS, seed);
    println!("seed {seed}: {report:?}");
    assert!(report.is_clean(), "seed {seed}: {report:?}");
    assert_eq!(report.kills, CRASH_ROUNDS);
    assert!(report.acknowledged > 0, "the workers died before they committed anything");
}

#[test]
fn heavy_two_hundred_processes_read_then_write() {
    let (_directory, place) = place();
    let crowd = load::crowd(worker(), place.directory(), 200, &["read-then-write", "--times", "1"]);
    assert_eq!(crowd.errors, Vec::<String>::new());
    assert_eq!(load::tasks_added(place.directory()), 200);
}

#[test]
fn heavy_fifty_processes_write_twenty_rows_each() {
    let (_directory, place) = place();
    let crowd = load::crowd(worker(), place.directory(), 50, &["read-then-write", "--times", "20"]);
    assert_eq!(crowd.errors, Vec::<String>::new());
    assert_eq!(load::tasks_added(place.directory()), 1000);
}

#[test]
fn heavy_a_thousand_tasks_are_claimed_once_each() {
    let (_directory, place) = place();
    load::prepare_tasks(place.directory(), 1000);
    let crowd = load::crowd(worker(), place.directory(), 32, &["claim"]);
    assert_eq!(crowd.errors, Vec::<String>::new());
    let claimed: Vec<&str> =
        crowd.said.iter().flat_map(|said| said.lines()).filter(|line| !line.is_empty()).collect();
    let different: BTreeSet<&str> = claimed.iter().copied().collect();
    assert_eq!((claimed.len(), different.len()), (1000, 1000));
}

#[test]
fn a_death_during_any_statement_of_a_migration_leaves_one_version_or_the_next() {
    for more in 0..=2 {
        let (_directory, place) = place();
        if more > 0 {
            let mut scene = Scene::new(Box::new(opened_with(&place, more - 1)));
            scene.add("kept");
        }
        let before = if more == 0 { 0 } else { version(&place) };
        let mut died = 0;
        loop {
            let status = Command::new(worker())
                .args(["migrate", "--die-before", &died.to_string()])
                .args(["--versions", &more.to_string(), "--directory"])
                .arg(place.directory())
                .stderr(std::process::Stdio::null())
                .status()
                .expect("the worker");
            let found = version(&place);
            let after = SCHEMA + more;
            if status.success() {
                assert_eq!(found, after);
                break;
            }
            // A new store comes by all versions; an old one lacks the last.
            assert!((before..after).contains(&found), "{found} before statement {died}");
            died += 1;
        }
        assert!(died > 2, "{died} statements were witnessed");
        if more > 0 {
            let copy = place.backups().join(format!("before-migration-v{before}.db"));
            assert!(copy.exists(), "a copy of version {before} is kept");
            let store = opened_with(&place, more);
            let scene = Scene::new(Box::new(store));
            assert_eq!(scene.titles(), ["kept"]);
        }
    }
}
