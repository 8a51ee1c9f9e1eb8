//! A restore beside writers.

#![expect(
    clippy::expect_used,
    reason = "a test stops when it cannot go on"
)]

use std::{
    sync::{
        Barrier,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use pacenote_files::FileLock;
use pacenote_model::Moment;
use pacenote_store::{Access, Place, Store, open, restore};
use pacenote_testkit::scene::Scene;
use tempfile::TempDir;

fn place() -> (TempDir, Place) {
    let directory = TempDir::new().expect("a directory");
    let place = Place::new(directory.path().join("data"));
    (directory, place)
}

fn scene_at(place: &Place) -> Scene {
    Scene::new(Box::new(open(place, Access::Write).expect("a store")))
}

fn back_up(scene: &Scene, at: i64, keep: usize) {
    scene.store.back_up(Moment::from_millis(at), keep).expect("a backup").expect("a file");
}

/// Waits until somebody holds a lock, for as long as that may take on a busy machine.
fn is_held_soon(path: &std::path::Path) -> bool {
    (0..5000).any(|_| {
        thread::sleep(Duration::from_millis(2));
        FileLock::try_exclusive(path).expect("a lock").is_none()
    })
}

#[test]
fn a_writer_that_comes_after_a_restore_waits_for_it() {
    let (_directory, place) = place();
    let mut inside = scene_at(&place);
    inside.add("saved");
    back_up(&inside, 1, 3);
    inside.add("lost");
    thread::scope(|scope| {
        let restoring = scope.spawn(|| restore(&place, Moment::from_millis(2)).expect("restored"));
        assert!(is_held_soon(&place.restore_lock()), "the restore lets others enter");
        let next = scope.spawn(|| scene_at(&place).titles());
        drop(inside);
        restoring.join().expect("restored");
        assert_eq!(next.join().expect("a writer"), ["saved"], "it entered before the restore");
    });
}

#[test]
fn a_restore_gets_its_turn_beside_busy_writers() {
    /// Far more turns than a writer gets while a restore waits for those inside.
    const MOST: usize = 500;
    let (_directory, place) = place();
    let mut scene = scene_at(&place);
    scene.add("saved");
    back_up(&scene, 1, 3);
    drop(scene);
    let is_restored = AtomicBool::new(false);
    let everybody_writes = Barrier::new(9);
    let turns: Vec<usize> = thread::scope(|scope| {
        let write = || {
            let mut inside = scene_at(&place);
            everybody_writes.wait();
            let busy = |_: &usize| !is_restored.load(Ordering::SeqCst);
            let turn = |_| {
                inside.add("busy");
                // Let go, and come back while the others are inside.
                inside.store = Box::new(open(&place, Access::Hook).expect("a store"));
                inside.store = Box::new(open(&place, Access::Write).expect("a store"));
            };
            (0..MOST).take_while(busy).map(turn).count()
        };
        let writers: Vec<_> = (0..8).map(|_| scope.spawn(write)).collect();
        everybody_writes.wait();
        restore(&place, Moment::from_millis(2)).expect("restored");
        is_restored.store(true, Ordering::SeqCst);
        writers.into_iter().map(|writer| writer.join().expect("a writer")).collect()
    });
    assert!(turns.iter().all(|turns| *turns < MOST), "the restore waited for {turns:?} turns");
    assert!(open(&place, Access::Read).expect("a store").check().expect("a check").is_empty());
}
