//! Commands of many processes on one run at once: one moves it, and every other is told.

use std::{collections::BTreeSet, sync::Barrier};

use pacenote_testkit::desk::{Desk, Ran};

use crate::desk;

/// How many processes are started at once.
const PROCESSES: usize = 20;

/// A step that can be left in four ways, so that it matters who is first.
const CROSSING: &str = "
name: crossing
description: One step with many ways.
steps:
  - id: here
    title: Here
    actions: [Choose a way.]
    next: { ok: left, fail: right, skip: ahead, iterate: back }
  - { id: left, title: Left, actions: [Go on.], next: ahead }
  - { id: right, title: Right, actions: [Go on.], next: ahead }
  - { id: back, title: Back, actions: [Go on.], next: ahead }
  - { id: ahead, title: Ahead, actions: [Go on.], next: end }
";

fn at_the_crossing() -> Desk {
    let desk = desk();
    desk.write("../home/.config/pacenote/workflows/crossing.yaml", CROSSING);
    desk
}

/// Runs all command lines at once.
fn at_once(desk: &Desk, lines: &[String]) -> Vec<Ran> {
    let gate = Barrier::new(lines.len());
    let launch = |line: &String| {
        let words = line.split(' ').map(str::to_owned);
        desk.launch(env!("CARGO_BIN_EXE_pacenote")).arguments(words)
    };
    let launches: Vec<_> = lines.iter().map(launch).collect();
    let run = |launch| {
        gate.wait();
        Ran::of(launch)
    };
    std::thread::scope(|scope| {
        let running: Vec<_> = launches.iter().map(|launch| scope.spawn(|| run(launch))).collect();
        running.into_iter().map(|process| process.join().expect("a thread")).collect()
    })
}

/// What a process was told that wanted to move the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    /// It moved it.
    Moved,
    /// Another one did the same.
    DoneAlready,
    /// Another one did something else.
    Refused,
}

fn told(ran: &Ran) -> Told {
    match (ran.code.as_str(), ran.stderr.as_str()) {
        ("0", "") => Told::Moved,
        ("0", warning) if warning.contains("already") => Told::DoneAlready,
        ("1", error) if error.contains("stands at `--at 2`") => Told::Refused,
        _ => panic!("{ran:?}"),
    }
}

/// Returns the ways in which the run was moved, by its history.
fn ways(desk: &Desk) -> Vec<String> {
    let history = desk.run("flow history 1 --json").json();
    assert_eq!(history["run"]["at"], 2);
    let entries = history["entries"].as_array().expect("entries");
    entries.iter().map(|entry| entry["what"]["by"].as_str().expect("a way").to_owned()).collect()
}

#[test]
fn heavy_of_many_that_say_the_same_one_moves_the_run() {
    let desk = at_the_crossing();
    desk.run("flow start crossing");
    let lines = vec!["flow next 1 --at 1 --outcome ok".to_owned(); PROCESSES];
    let all: Vec<Told> = at_once(&desk, &lines).iter().map(told).collect();
    assert_eq!(all.iter().filter(|told| **told == Told::Moved).count(), 1, "{all:?}");
    assert!(!all.contains(&Told::Refused), "all meant the same: {all:?}");
    assert_eq!(ways(&desk), ["ok"]);
}

#[test]
fn heavy_of_many_that_say_different_things_one_is_heard() {
    let desk = at_the_crossing();
    desk.run("flow start crossing");
    let words = ["ok", "fail", "skip", "iterate"];
    let said: Vec<&str> = words.into_iter().cycle().take(PROCESSES).collect();
    let line = |word: &&str| format!("flow next 1 --at 1 --outcome {word}");
    let lines: Vec<String> = said.iter().map(line).collect();
    let all: Vec<Told> = at_once(&desk, &lines).iter().map(told).collect();
    let winners: Vec<&str> = said
        .iter()
        .zip(&all)
        .filter(|(_, told)| **told == Told::Moved)
        .map(|(word, _)| *word)
        .collect();
    assert_eq!(winners.len(), 1, "{all:?}");
    assert_eq!(ways(&desk), winners);
    for (word, told) in said.iter().zip(&all) {
        let differs = *word != winners[0];
        assert_eq!(*told == Told::Refused, differs, "`{word}` was told {told:?}");
    }
}

#[test]
fn heavy_of_many_runs_that_begin_at_once_each_gets_a_number() {
    let desk = at_the_crossing();
    let lines = vec!["flow start crossing --json".to_owned(); PROCESSES];
    let begun = at_once(&desk, &lines);
    let numbers: Vec<u64> =
        begun.iter().map(|ran| ran.json()["run"].as_u64().expect("a number")).collect();
    let expected: BTreeSet<u64> = (1..=PROCESSES as u64).collect();
    assert_eq!(numbers.iter().copied().collect::<BTreeSet<u64>>(), expected, "{numbers:?}");
    let runs = desk.run("flow runs --json").json();
    let listed = runs["runs"].as_array().expect("runs").iter();
    let listed: Vec<u64> = listed.map(|run| run["run"].as_u64().expect("a number")).collect();
    assert_eq!(listed, expected.into_iter().collect::<Vec<u64>>());
}

#[test]
fn heavy_runs_that_begin_while_others_end_are_seen_by_hooks() {
    let desk = at_the_crossing();
    let (begin, end) = ("flow start crossing", "flow abort");
    for _ in 0..PROCESSES {
        desk.run(begin);
        let number = desk.run("flow runs --json").json()["runs"][0]["run"].to_string();
        let lines = [begin.to_owned(), format!("{end} {number}")];
        for ran in at_once(&desk, &lines) {
            assert_eq!(ran.code, "0", "{}", ran.stderr);
        }
        let marks = std::fs::read_dir(desk.data().join("projects")).expect("the marks");
        let is_mark = |entry: std::io::Result<std::fs::DirEntry>| {
            entry.expect("a mark").path().extension().is_some_and(|ending| ending == "run")
        };
        assert_eq!(marks.map(is_mark).filter(|is_mark| *is_mark).count(), 1);
        desk.run(end);
    }
}
