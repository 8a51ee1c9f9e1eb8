//! `kill -9` in the middle of `flow next`: the run stands where it stood or one step further, and the
//! same command again takes it there, once.

use std::{
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use pacenote_fleet::StartError;
use pacenote_testkit::{
    crash::Random,
    desk::{Desk, Ran},
};
use serde_json::{Value, json};

use crate::desk;

/// How many commands are killed at a random moment.
const ROUNDS: u64 = 200;

/// The longest life of a command, as a part of what it usually takes, in thousandths: long enough
/// that some have come to their end.
const LONGEST_LIFE: u64 = 1500;

/// The calls by which a command changes what outlives it. One that a system does not have is passed
/// over.
const EFFECTS: [&str; 14] = [
    "open",
    "openat",
    "mkdir",
    "mkdirat",
    "write",
    "pwrite64",
    "ftruncate",
    "fsync",
    "fdatasync",
    "rename",
    "renameat2",
    "unlink",
    "unlinkat",
    "flock",
];

/// The steps of the run, which goes round: where it stands follows from how often it was moved.
const STEPS: [&str; 3] = ["one", "two", "three"];

const ROUND: &str = "
name: round
description: Goes round.
steps:
  - { id: one, title: One, actions: [Do it.], next: two, limit: 100 }
  - { id: two, title: Two, actions: [Do it.], next: three, limit: 100 }
  - { id: three, title: Three, actions: [Do it.], next: { ok: one, skip: end }, limit: 100 }
";

/// Begins a run that goes round.
fn going_round() -> Desk {
    let desk = desk();
    desk.write("../home/.config/pacenote/workflows/round.yaml", ROUND);
    assert_eq!(desk.run("flow start round").code, "0");
    desk
}

fn next(at: u64) -> [String; 7] {
    ["flow", "next", "1", "--at", &at.to_string(), "--outcome", "ok"].map(str::to_owned)
}

/// Returns the step at which a run stands that was moved so often.
fn step(at: u64) -> usize {
    usize::try_from((at - 1) % 3).expect("a small number")
}

/// Returns where the run stands, once all that is told of it fits together.
fn stands(desk: &Desk) -> u64 {
    let status = desk.run("flow status 1 --json").json();
    let at = status["at"].as_u64().expect("a revision");
    assert_eq!(status["step"]["header"]["step"], step(at) + 1, "{status}");
    let history = desk.run("flow history 1 --json").json();
    assert_eq!(history["run"]["at"], at);
    assert_eq!(history["run"]["step"], STEPS[step(at)]);
    let told =
        |entry: &Value| json!([entry["revision"], entry["what"]["from"], entry["what"]["to"]]);
    let entries: Vec<_> =
        history["entries"].as_array().expect("entries").iter().map(told).collect();
    let moved = |to: u64| json!([to, STEPS[step(to - 1)], { "step": STEPS[step(to)] }]);
    assert_eq!(entries, (2..=at).map(moved).collect::<Vec<_>>(), "every move is told once");
    at
}

/// Says the same again, and returns whether it had been done.
fn retry(desk: &Desk, at: u64) -> bool {
    let again = desk.run_arguments(&next(at), "");
    assert_eq!(again.code, "0", "{}", again.stderr);
    let header = format!("step=\"{}\"", step(at + 1) + 1);
    assert!(again.stdout.contains(&header), "{}", again.stdout);
    again.stderr.contains("this was done already")
}

/// Starts a command and kills it after a while.
fn killed_after(desk: &Desk, at: u64, life: Duration) {
    let mut child = Command::new(desk.binary())
        .args(next(at))
        .current_dir(desk.root().join("shop"))
        .env_clear()
        .env("HOME", desk.root().join("home"))
        .env("PACENOTE_AGENT", "backend")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary");
    std::thread::sleep(life);
    child.kill().expect("a kill");
    child.wait().expect("an end");
}

#[test]
fn heavy_a_move_that_is_killed_at_any_moment_is_done_or_not_done() {
    let desk = going_round();
    let seed = u64::from(std::process::id());
    let mut random = Random::new(seed);
    let began = Instant::now();
    assert!(!retry(&desk, 1), "the first move was not done before");
    let mut usual = began.elapsed();
    let (mut undone, mut done) = (0, 0);
    for at in 2..2 + ROUNDS {
        let part = u32::try_from(random.below(LONGEST_LIFE)).expect("a small number");
        killed_after(&desk, at, usual * part / 1000);
        let found = stands(&desk);
        assert!([at, at + 1].contains(&found), "seed {seed}: {found} after a move from {at}");
        let began = Instant::now();
        let was_done = retry(&desk, at);
        assert_eq!(was_done, found == at + 1, "seed {seed}, from {at}");
        if was_done {
            done += 1;
        } else {
            undone += 1;
            usual = began.elapsed();
        }
    }
    assert_eq!(stands(&desk), 2 + ROUNDS);
    println!("seed {seed}: {undone} undone, {done} done");
    assert!(undone > 0 && done > 0, "no kill came in time, or all too early");
}

/// Kills a command right before it makes a call for the nth time, and tells whether that came.
fn killed_before(desk: &Desk, at: u64, call: &str, nth: u64) -> bool {
    let inject = format!("inject=?{call}:signal=KILL:when={nth}");
    let trace = format!("trace=?{call}");
    let arguments = ["-f", "-qq", "-o", "/dev/null", "-e", &trace, "-e", &inject, "--"];
    let strace = desk.launch("strace").arguments(arguments);
    let ran = Ran::of(&strace.argument(desk.binary()).arguments(next(at)));
    match ran.code.as_str() {
        "0" => false,
        "Signalled(9)" => true,
        _ => panic!("{ran:?}"),
    }
}

#[test]
fn heavy_a_move_that_is_killed_before_each_of_its_effects_is_done_or_not_done() {
    let mut desk = going_round();
    desk.set("PATH", "/usr/bin:/bin");
    let strace = desk.launch("strace").argument("--version");
    if let Err(StartError::Spawn { .. }) = pacenote_fleet::start(&strace, Duration::from_mins(1)) {
        println!("not looked at, for strace is not installed");
        return;
    }
    let (mut at, mut undone, mut done) = (1, 0, 0);
    for call in EFFECTS {
        for nth in 1.. {
            let came = killed_before(&desk, at, call, nth);
            let found = stands(&desk);
            assert!([at, at + 1].contains(&found), "{found} after a move from {at}: {call} {nth}");
            assert!(came || found == at + 1, "nobody was killed: {call} {nth}");
            assert_eq!(retry(&desk, at), found == at + 1, "{call} {nth}");
            at += 1;
            if !came {
                break;
            }
            if found == at { done += 1 } else { undone += 1 }
        }
    }
    assert_eq!(stands(&desk), at);
    println!("{undone} undone, {done} done");
    assert!(undone > 0 && done > 0, "there are effects before the commit and after it");
}
