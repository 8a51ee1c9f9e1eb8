//! What `doctor --probe` finds out about each client, point by point.
//!
//! The tables say what the clients do in the versions they are pinned to. A point that cannot be
//! exercised has its line too: it must never be taken for one that was proved.
//!
//! `whole` means that the request holds, byte for byte, the section of the current plan task with its
//! code (angle brackets, quotes, backslashes, a tab), a note of the task, and a skill of 30,000
//! characters. Qwen Code alone spells angle brackets as entities, whatever a hook answers; there the
//! rest is byte for byte.

use std::{
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    time::Duration,
};

use pacenote_fleet::{Ending, start};
use pacenote_testkit::desk::Desk;
use serde_json::Value;

/// Only a failing run waits this long: the slowest client takes two minutes for all of its points.
const PATIENCE: Duration = Duration::from_mins(9);

/// Where a client finds a shell and, if it is written for Node, that.
const SEARCH: &str = "/usr/local/bin:/usr/bin:/bin";

/// The points of a session, each with what came of it.
type Outcomes = [(&'static str, &'static str); 5];

#[test]
fn heavy_claude_carries_everything() {
    let client = crate::client("PACENOTE_CLIENT_CLAUDE");
    prove("claude", client, CARRIES_EVERYTHING);
}

#[test]
fn heavy_codex_carries_everything() {
    let client = crate::client("PACENOTE_CLIENT_CODEX");
    prove("codex", client, CARRIES_EVERYTHING);
}

#[test]
fn heavy_gemini_carries_what_the_main_agent_needs() {
    let client = crate::client("PACENOTE_CLIENT_GEMINI");
    prove("gemini", client, ALL_BUT_SUBAGENTS);
}

#[test]
fn heavy_opencode_carries_everything() {
    let client = crate::slow_client("PACENOTE_CLIENT_OPENCODE");
    prove("opencode", client, CARRIES_EVERYTHING);
}

#[test]
fn heavy_copilot_carries_everything() {
    let client = crate::slow_client("PACENOTE_CLIENT_COPILOT");
    prove("copilot", client, CARRIES_EVERYTHING);
}

#[test]
fn heavy_qwen_carries_what_the_main_agent_needs() {
    let client = crate::slow_client("PACENOTE_CLIENT_QWEN");
    prove("qwen", client, ALL_BUT_SUBAGENTS);
}

const CARRIES_EVERYTHING: Outcomes = [
    ("start", "whole"),
    ("prompt", "whole"),
    ("gate", "whole"),
    ("subagent", "whole"),
    ("compaction", "whole"),
];

const ALL_BUT_SUBAGENTS: Outcomes = [
    ("start", "whole"),
    ("prompt", "whole"),
    ("gate", "whole"),
    ("subagent", "not_exercised"),
    ("compaction", "whole"),
];

/// Probes a client that is the only one on the `PATH`, unless it was left out.
fn prove(host: &str, client: Option<PathBuf>, outcomes: Outcomes) {
    let Some(client) = client else { return };
    let desk = Desk::with_installed(env!("CARGO_BIN_EXE_pacenote"));
    let directory = desk.root().join("clients");
    std::fs::create_dir_all(&directory).expect("a directory");
    symlink(client, directory.join(host)).expect("a link to the client");
    // Node need not be where the system's programs are.
    if let Some(node) = program_here("node") {
        symlink(node, directory.join("node")).expect("a link to Node");
    }

    let scratch = desk.root().join("scratch");
    std::fs::create_dir_all(&scratch).expect("a directory");
    let launch = desk
        .launch(desk.binary())
        .variable("TMPDIR", scratch.display().to_string())
        .variable("PATH", format!("{}:{SEARCH}", directory.display()))
        .arguments(["doctor", "--probe", host, "--json"]);
    let finished = start(&launch, PATIENCE).expect("pacenote");

    let (report, errors) = (finished.output.text(), finished.errors.text());
    let all = format!("{report}\n{errors}");
    assert_eq!(finished.ending, Ending::Exited(0), "{all}");
    let report: Value = serde_json::from_str(&report).expect(&all);
    assert_eq!(report["proved"], true, "{all}");
    let [probed] = report["clients"].as_array().expect("clients").as_slice() else {
        panic!("not one client: {all}");
    };
    assert_eq!(probed["host"], host, "{all}");
    assert!(probed["version"].is_string(), "{all}");
    let points = probed["points"].as_array().expect("points");
    let found: Vec<_> = points
        .iter()
        .map(|point| ["point", "outcome"].map(|name| point[name].as_str().unwrap_or_default()))
        .map(<(&str, &str)>::from)
        .collect();
    assert_eq!(found, outcomes, "{all}");
    assert_eq!(names_in(&scratch), [""; 0], "scratch directories are left");
    // Our program was put into this home by the desk, and nothing else by anybody.
    assert_eq!(names_in(&desk.root().join("home")), [".local"], "the probe wrote into the home");
}

fn names_in(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).expect("a directory");
    entries.map(|entry| entry.expect("an entry").file_name().display().to_string()).collect()
}

/// Looks for a program where the tests themselves would find it.
fn program_here(name: &str) -> Option<PathBuf> {
    let search = std::env::var_os("PATH")?;
    std::env::split_paths(&search)
        .map(|directory| directory.join(name))
        .find(|program| program.is_absolute() && program.is_file())
}
