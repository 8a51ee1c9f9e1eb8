//! `kill -9` at random points of a commit loop.
//!
//! A worker commits task after task, each under a key of its own, and says so on its standard
//! output after each commit. It is killed at a random moment. What it said must be there; the same
//! keys committed again must add nothing; the file must be sound.

use std::{
    collections::BTreeSet,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use pacenote_model::{Effect, Sequence, TaskEffect};
use pacenote_store::{Access, Place, Store, open};

use crate::scene::{Scene, new_task};

/// Rounds between two checks of the whole file, which takes longer the larger it grows.
const ROUNDS_PER_CHECK: u32 = 50;

/// Commits a worker does at most in one round, if nobody kills it.
const COMMITS_PER_ROUND: u32 = 2000;

/// Longest life of a worker, in microseconds: long enough for some commits on a slow disk.
const LONGEST_LIFE: u64 = 40_000;

/// What the rounds showed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Workers killed.
    pub kills: u32,
    /// Commits that were acknowledged.
    pub acknowledged: u32,
    /// Acknowledged commits that were not there afterwards.
    pub lost: u32,
    /// Commits that were there although nobody had been told.
    pub unacknowledged: u32,
    /// Commits that a retry with the same key did twice.
    pub duplicates: u32,
    /// Checks of the whole file that found something.
    pub damaged: u32,
}

impl Report {
    /// Tells whether every promise was kept.
    pub const fn is_clean(&self) -> bool {
        self.lost == 0 && self.duplicates == 0 && self.damaged == 0
    }
}

/// Kills `rounds` workers in `directory` and looks at what they leave.
pub fn rounds(worker: &Path, directory: &Path, rounds: u32, seed: u64) -> Report {
    let place = Place::new(directory);
    let mut random = Random::new(seed);
    let mut report = Report::default();
    let mut known = Sequence::START;
    // The first worker of all may be killed while it makes the file; that is part of the test.
    for round in 0..rounds {
        let said = one_life(worker, directory, round, random.below(LONGEST_LIFE));
        report.kills += 1;
        report.acknowledged += u32::try_from(said.len()).expect("few commits");

        let mut scene = Scene::new(Box::new(open(&place, Access::Write).expect("a store")));
        let stored = keys_after(scene.store.as_ref(), &mut known);
        report.lost += count(said.iter().filter(|key| !stored.contains(*key)));
        report.unacknowledged += count(stored.iter().filter(|key| !said.contains(*key)));

        // The worker's owner does not know how far it came, and says everything again.
        let next = said.len();
        let again: BTreeSet<String> = said.into_iter().chain([key(round, next)]).collect();
        for key in &again {
            commit(&mut scene, key);
        }
        let added = keys_after(scene.store.as_ref(), &mut known);
        report.duplicates += count(added.iter().filter(|key| stored.contains(*key)));
        if round % ROUNDS_PER_CHECK == 0 || round + 1 == rounds {
            report.damaged += u32::from(!scene.store.check().expect("a check").is_empty());
        }
    }
    report
}

fn count<T>(found: impl Iterator<Item = T>) -> u32 {
    u32::try_from(found.count()).expect("few commits")
}

fn key(round: u32, number: usize) -> String {
    format!("crash-{round}-{number}")
}

fn commit(scene: &mut Scene, key: &str) {
    let task = new_task(key);
    scene.commit_as(key, vec![Effect::Task(TaskEffect::Added { task })]).expect("a commit");
}

/// Returns the keys of tasks added after a journal entry, and moves the entry to the last one.
fn keys_after(store: &dyn Store, seen: &mut Sequence) -> BTreeSet<String> {
    let entries = store.journal(*seen, u32::MAX).expect("the journal");
    *seen = entries.last().map_or(*seen, |entry| entry.sequence);
    let keys: Vec<String> = entries
        .into_iter()
        .filter(|entry| (entry.aggregate.as_str(), entry.kind.as_str()) == ("task", "added"))
        .map(|entry| entry.key)
        .collect();
    let unique: BTreeSet<String> = keys.iter().cloned().collect();
    assert_eq!(unique.len(), keys.len(), "one key was committed twice");
    unique
}

/// Starts a worker, kills it after a while, and returns the keys it said were committed.
fn one_life(worker: &Path, directory: &Path, round: u32, microseconds: u64) -> Vec<String> {
    let mut child = Command::new(worker)
        .args(["commit", "--round", &round.to_string(), "--directory"])
        .arg(directory)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the worker");
    let lines = BufReader::new(child.stdout.take().expect("a pipe"));
    let reader =
        std::thread::spawn(move || lines.lines().map_while(Result::ok).collect::<Vec<String>>());
    std::thread::sleep(Duration::from_micros(microseconds));
    child.kill().expect("a kill");
    child.wait().expect("an end");
    let mut said = reader.join().expect("the reader");
    // A line without its newline was being written when the kill came; it was not yet said.
    said.retain(|line| line.ends_with('.'));
    said.iter().map(|line| line.trim_end_matches('.').to_owned()).collect()
}

/// The worker's life: commit, say so, go on until killed.
pub fn commit_until_killed(directory: &Path, round: u32) {
    let store = open(&Place::new(directory), Access::Write).expect("a store");
    let mut scene = Scene::new(Box::new(store));
    let mut stdout = std::io::stdout().lock();
    for number in 0..COMMITS_PER_ROUND {
        let key = key(round, usize::try_from(number).expect("a small number"));
        commit(&mut scene, &key);
        writeln!(stdout, "{key}.").and_then(|()| stdout.flush()).expect("somebody who listens");
    }
}

/// Numbers without a pattern, the same for the same seed (xorshift).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Starts a sequence.
    pub const fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    /// Returns a number below `most`.
    pub const fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % most
    }

    /// Puts a list in another order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            let other = usize::try_from(self.below(last as u64 + 1)).expect("an index");
            list.swap(last, other);
        }
    }
}
