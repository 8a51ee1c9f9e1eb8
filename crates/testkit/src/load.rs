//! Many processes at once on one store.

use std::{
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use pacenote_model::{Effect, Refusal, Sequence, TaskEffect, TaskId};
use pacenote_store::{Access, Place, open};

use crate::{
    crash::Random,
    scene::{Scene, agent, new_task},
};

/// What a crowd of processes did.
#[derive(Clone, Debug)]
pub struct Crowd {
    /// Processes that ended badly, with what they said.
    pub errors: Vec<String>,
    /// What each process printed.
    pub said: Vec<String>,
    /// How long all of them took together.
    pub wall: Duration,
}

/// Starts `many` workers with the same arguments plus their number, and waits for all.
pub fn crowd(worker: &Path, directory: &Path, many: u32, arguments: &[&str]) -> Crowd {
    let begun = Instant::now();
    let children: Vec<Child> = (0..many)
        .map(|number| {
            Command::new(worker)
                .args(arguments)
                .args(["--number", &number.to_string(), "--directory"])
                .arg(directory)
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("the worker")
        })
        .collect();
    let mut crowd = Crowd { errors: Vec::new(), said: Vec::new(), wall: Duration::ZERO };
    for child in children {
        let ended = child.wait_with_output().expect("an end");
        if !ended.status.success() {
            crowd.errors.push(String::from_utf8_lossy(&ended.stderr).into_owned());
        }
        crowd.said.push(String::from_utf8_lossy(&ended.stdout).into_owned());
    }
    crowd.wall = begun.elapsed();
    crowd
}

/// A worker that reads all tasks and then adds one that says how many it saw, `times` over.
pub fn read_then_write(directory: &Path, number: u32, times: u32) {
    let store = open(&Place::new(directory), Access::Write).expect("a store");
    let mut scene = Scene::new(Box::new(store));
    for time in 0..times {
        let seen = scene.titles().len();
        let key = format!("load-{number}-{time}");
        let task = new_task(&format!("{key} after {seen}"));
        scene.commit_as(&key, vec![Effect::Task(TaskEffect::Added { task })]).expect("a commit");
    }
}

/// Adds `many` tasks in as few commits as fit.
pub fn prepare_tasks(directory: &Path, many: u32) {
    let store = open(&Place::new(directory), Access::Write).expect("a store");
    let mut scene = Scene::new(Box::new(store));
    let tasks: Vec<Effect> = (0..many)
        .map(|number| Effect::Task(TaskEffect::Added { task: new_task(&format!("task {number}")) }))
        .collect();
    for part in tasks.chunks(1000) {
        scene.commit(part.to_vec()).expect("a commit");
    }
}

/// A worker that claims every task it can get, in an order of its own, and says which.
pub fn claim_all(directory: &Path, number: u32) -> Vec<String> {
    let store = open(&Place::new(directory), Access::Write).expect("a store");
    let mut scene = Scene::new(Box::new(store));
    let mut tasks: Vec<(TaskId, String)> = scene
        .store
        .tasks(scene.project)
        .expect("the tasks")
        .iter()
        .map(|task| (task.id, task.short.to_string()))
        .collect();
    Random::new(u64::from(number) * 7919 + 13).shuffle(&mut tasks);
    let who = agent(&format!("worker-{number}"));
    let mut won = Vec::new();
    for (task, short) in tasks {
        let claim = Effect::Task(TaskEffect::Claimed { task, agent: who.clone() });
        match scene.commit(vec![claim]) {
            Ok(_) => won.push(short),
            Err(pacenote_store::StoreError::Refused(Refusal::Held { .. })) => {}
            Err(error) => panic!("{error}"),
        }
    }
    won
}

/// Returns how many tasks were ever added.
pub fn tasks_added(directory: &Path) -> usize {
    let store = open(&Place::new(directory), Access::Write).expect("a store");
    let scene = Scene::new(Box::new(store));
    let journal = scene.store.journal(Sequence::START, u32::MAX).expect("the journal");
    journal
        .iter()
        .filter(|entry| (entry.aggregate.as_str(), entry.kind.as_str()) == ("task", "added"))
        .count()
}
