//! Damage of every kind, the order of backups, and a restore beside writers.

#![expect(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a test stops when it cannot go on, and damages files on purpose"
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
use pacenote_model::{Actor, Effect, Moment, TaskEffect, Trust};
use pacenote_store::{
    Access, Place, SCHEMA, Store, StoreError, WithoutBackup, backups, open, restore,
};
use pacenote_testkit::scene::{Scene, agent, new_task};
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

fn moments(place: &Place) -> Vec<i64> {
    backups(place).expect("backups").iter().map(|backup| backup.at.millis()).collect()
}

/// A moment long after all others: the clock was wrong.
const FUTURE: i64 = 43_200_000_000_000;

#[test]
fn backups_are_ordered_by_the_journal_and_not_by_the_clock() {
    let (_directory, place) = place();
    let mut scene = scene_at(&place);
    scene.add("one");
    back_up(&scene, 10, 3);
    scene.add("two");
    back_up(&scene, FUTURE, 3);
    scene.add("three");
    back_up(&scene, 20, 3);
    assert_eq!(moments(&place), [20, FUTURE, 10]);
    scene.add("four");
    back_up(&scene, 30, 3);
    assert_eq!(moments(&place), [30, 20, FUTURE], "the oldest goes, whatever its clock said");
    drop(scene);

    let restored =
        restore(&place, Moment::from_millis(40), WithoutBackup::Refuse).expect("restored");
    assert_eq!(restored.from.expect("a backup").at.millis(), 30);
    assert_eq!(scene_at(&place).titles(), ["one", "two", "three", "four"]);
}

#[test]
fn backups_of_the_first_version_are_ordered_by_what_is_in_them() {
    let (_directory, place) = place();
    let mut scene = scene_at(&place);
    for (title, at) in [("one", 10), ("two", FUTURE), ("three", 20)] {
        scene.add(title);
        back_up(&scene, at, 3);
    }
    for backup in backups(&place).expect("backups") {
        let old = format!("pacenote-{}-v{SCHEMA}.db", backup.at.millis());
        std::fs::rename(&backup.path, place.backups().join(old)).expect("renamed");
    }
    assert_eq!(moments(&place), [20, FUTURE, 10]);
    scene.add("four");
    back_up(&scene, 15, 3);
    assert_eq!(moments(&place), [15, 20, FUTURE]);
}

#[test]
fn a_backup_after_a_restore_is_newer_than_all_before_it() {
    let (_directory, place) = place();
    let mut scene = scene_at(&place);
    scene.add("kept");
    back_up(&scene, 10, 5);
    for title in ["lost", "lost too", "lost as well"] {
        scene.add(title);
    }
    back_up(&scene, 20, 5);
    drop(scene);
    // The newest copy is damaged, so the store goes back to the one before.
    let newest = backups(&place).expect("backups").remove(0);
    std::fs::write(&newest.path, b"not a database").expect("damage");
    let restored =
        restore(&place, Moment::from_millis(30), WithoutBackup::Refuse).expect("restored");
    assert_eq!(restored.from.expect("a backup").at.millis(), 10);

    let mut scene = scene_at(&place);
    scene.add("new");
    back_up(&scene, 5, 5);
    assert_eq!(moments(&place), [5, 20, 10]);
    let generations: Vec<u32> =
        backups(&place).expect("backups").iter().map(|backup| backup.generation).collect();
    assert_eq!(generations, [1, 0, 0]);
    scene.add("newer");
    back_up(&scene, 4, 2);
    assert_eq!(moments(&place), [4, 5]);
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
        let restoring = scope.spawn(|| {
            restore(&place, Moment::from_millis(2), WithoutBackup::Refuse).expect("restored")
        });
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
        restore(&place, Moment::from_millis(2), WithoutBackup::Refuse).expect("restored");
        is_restored.store(true, Ordering::SeqCst);
        writers.into_iter().map(|writer| writer.join().expect("a writer")).collect()
    });
    assert!(turns.iter().all(|turns| *turns < MOST), "the restore waited for {turns:?} turns");
    assert!(open(&place, Access::Read).expect("a store").check().expect("a check").is_empty());
}

#[test]
fn damage_is_called_damage() {
    let (_directory, sound) = place();
    let mut scene = scene_at(&sound);
    for number in 0..40 {
        scene.add(&format!("task {number}"));
    }
    drop(scene);
    let bytes = std::fs::read(sound.database()).expect("the file");
    let tables = ["task", "project", "counter", "journal", "commit_key", "fact", "log_cursor"];
    let statements = tables
        .iter()
        .map(|table| format!("PRAGMA foreign_keys = OFF; DROP TABLE {table}"))
        .chain([
            "DELETE FROM counter".into(),
            "DROP TABLE skill_words_data".into(),
            "UPDATE skill_words_config SET v = 99".into(),
            "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'CREATE' WHERE name = 'task'"
                .into(),
            "UPDATE task SET state = 'nonsense'".into(),
            "UPDATE task SET id = x'00' WHERE number = 1".into(),
            "UPDATE task SET number = -1 WHERE number = 1".into(),
            "UPDATE task SET number = 99999999999 WHERE number = 1".into(),
        ]);
    let versions = [-1, i32::MIN, 0, 1, 2, 3]
        .map(|version| format!("PRAGMA user_version = {version}"))
        .into_iter();
    for statement in statements.chain(versions) {
        let (_directory, place) = place();
        std::fs::create_dir_all(place.directory()).expect("a directory");
        std::fs::write(place.database(), &bytes).expect("a file");
        let vandal = rusqlite::Connection::open(place.database()).expect("a connection");
        vandal.execute_batch(&statement).expect(&statement);
        drop(vandal);
        let errors: Vec<StoreError> = [Access::Hook, Access::Read, Access::Write]
            .into_iter()
            .flat_map(|access| use_store(&place, access))
            .collect();
        for error in &errors {
            assert!(
                matches!(error, StoreError::Damaged { .. } | StoreError::Older { .. }),
                "{statement}: {error:?}"
            );
        }
        assert!(!errors.is_empty(), "{statement}: nobody noticed");
    }
}

#[test]
fn a_check_misses_every_table_index_and_trigger_that_is_gone() {
    let (_directory, sound) = place();
    drop(scene_at(&sound));
    let list = |place: &Place| -> Vec<(String, String)> {
        let connection = rusqlite::Connection::open(place.database()).expect("a connection");
        // What the engine made by itself cannot be dropped alone.
        let sql = "SELECT type, name FROM sqlite_schema WHERE sql NOT NULL \
                   AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'skill_*_*'";
        let mut parts = connection.prepare(sql).expect("a query");
        let rows = parts.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).expect("rows");
        rows.collect::<Result<_, _>>().expect("parts")
    };
    let parts = list(&sound);
    assert!(parts.len() > 20, "{parts:?}");
    let bytes = std::fs::read(sound.database()).expect("the file");
    for (kind, name) in parts {
        let (_directory, place) = place();
        std::fs::create_dir_all(place.directory()).expect("a directory");
        std::fs::write(place.database(), &bytes).expect("a file");
        let vandal = rusqlite::Connection::open(place.database()).expect("a connection");
        let drop_it = format!("PRAGMA foreign_keys = OFF; DROP {kind} {name}");
        vandal.execute_batch(&drop_it).expect(&drop_it);
        drop(vandal);
        let problems = open(&place, Access::Read).expect("a store").check().expect(&drop_it);
        let expected = format!("the {kind} `{name}` is missing");
        assert!(problems.contains(&expected), "{expected}: {problems:?}");
    }
}

/// Fills the first page of a table with garbage, which most commands never read.
fn damage_table(place: &Place, table: &str) {
    let connection = rusqlite::Connection::open(place.database()).expect("a connection");
    let number = |sql: &str| -> usize {
        let found: i64 = connection.query_row(sql, [], |row| row.get(0)).expect(sql);
        usize::try_from(found).expect("a number")
    };
    let root = number(&format!("SELECT rootpage FROM sqlite_schema WHERE name = '{table}'"));
    let size = number("PRAGMA page_size");
    connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").expect("a checkpoint");
    drop(connection);
    let mut bytes = std::fs::read(place.database()).expect("the file");
    let page = bytes.iter_mut().skip((root - 1) * size).take(size);
    page.for_each(|byte| *byte = 0xff);
    std::fs::write(place.database(), bytes).expect("damage");
}

#[test]
fn backups_of_a_damaged_store_push_no_sound_one_out() {
    type Damage = fn(&Place);
    let damages: [Damage; 2] = [
        |place| damage_table(place, "told_text"),
        |place| {
            let vandal = rusqlite::Connection::open(place.database()).expect("a connection");
            vandal.execute_batch("DROP TABLE told_text").expect("damage");
        },
    ];
    for damage in damages {
        let (_directory, place) = backed_up();
        damage(&place);
        let store = open(&place, Access::Read).expect("a store");
        for at in 2..6 {
            match store.back_up(Moment::from_millis(at), 3) {
                Err(StoreError::Damaged { path, .. }) => assert_eq!(path, place.database()),
                made => panic!("{made:?}"),
            }
        }
        let left = std::fs::read_dir(place.backups()).expect("a directory");
        let names: Vec<_> = left.map(|entry| entry.expect("an entry").file_name()).collect();
        assert_eq!(names.len(), 2, "the sound copy and the lock: {names:?}");
        drop(store);
        let restored = restore(&place, Moment::from_millis(6), WithoutBackup::Refuse);
        assert_eq!(restored.expect("restored").from.expect("a backup").at.millis(), 1);
        assert_eq!(scene_at(&place).titles(), ["saved"]);
    }
}

/// Makes a store with a backup.
fn backed_up() -> (TempDir, Place) {
    let (directory, place) = place();
    let mut scene = scene_at(&place);
    scene.add("saved");
    back_up(&scene, 1, 3);
    (directory, place)
}

const ALL: [Access; 4] = [Access::Write, Access::Read, Access::Hook, Access::Glance];

#[test]
fn a_store_that_is_gone_is_not_made_again_while_there_are_copies() {
    type Loss = fn(&Place);
    let losses: [(&str, Loss); 4] = [
        ("removed", |place| std::fs::remove_file(place.database()).expect("removed")),
        ("emptied", |place| std::fs::write(place.database(), b"").expect("emptied")),
        ("a restore was killed in the exchange", |place| {
            let damaged = place.directory().join("damaged-5");
            std::fs::create_dir(&damaged).expect("a directory");
            std::fs::rename(place.database(), damaged.join("pacenote.db")).expect("moved");
            std::fs::write(place.database().with_extension("db-wal"), b"log").expect("a log");
            std::fs::write(place.directory().join("restoring.db"), b"copy").expect("a copy");
        }),
        ("a restore was killed while it made its copy", |place| {
            std::fs::write(place.database(), b"").expect("emptied");
            for name in ["restoring.db", "restoring.db-journal", "restoring.db-wal"] {
                std::fs::write(place.directory().join(name), b"half").expect("a copy");
            }
        }),
    ];
    for (what, lose) in losses {
        let (_directory, place) = backed_up();
        lose(&place);
        for access in ALL {
            let opened = open(&place, access);
            assert!(matches!(opened, Err(StoreError::Gone { .. })), "{what}: {opened:?}");
        }
        restore(&place, Moment::from_millis(9), WithoutBackup::Refuse).expect("restored");
        let scene = scene_at(&place);
        assert_eq!(scene.titles(), ["saved"], "{what}");
        assert!(scene.store.check().expect("a check").is_empty(), "{what}");
    }
}

#[test]
fn files_that_were_moved_aside_are_copies_too() {
    let (_directory, place) = place();
    drop(scene_at(&place));
    restore(&place, Moment::from_millis(9), WithoutBackup::StartEmpty).expect("restored");
    drop(open(&place, Access::Read).expect("a store"));
    std::fs::remove_file(place.database()).expect("removed");
    for access in ALL {
        assert!(matches!(open(&place, access), Err(StoreError::Gone { .. })), "{access:?}");
    }
}

#[test]
fn a_restore_that_cannot_copy_leaves_the_store_in_its_place() {
    let (_directory, place) = backed_up();
    let mut scene = scene_at(&place);
    scene.add("newer");
    // Nothing can be written where the copy is made.
    std::fs::create_dir(place.directory().join("restoring.db")).expect("an obstacle");
    drop(scene);
    let refused = restore(&place, Moment::from_millis(9), WithoutBackup::Refuse);
    assert!(matches!(refused, Err(StoreError::File(_))), "{refused:?}");
    assert_eq!(scene_at(&place).titles(), ["saved", "newer"]);
}

/// Leaves a store with the rollback journal of a writer that was killed.
fn interrupt(place: &Place) {
    let (_directory, other) = backed_up();
    let backup = backups(&other).expect("backups").remove(0).path;
    let writer = rusqlite::Connection::open(&backup).expect("a connection");
    // So much that it is written to the file before the end.
    let write = "PRAGMA cache_size = 2; BEGIN; UPDATE task SET title = 'unfinished'; \
                 CREATE TABLE junk (blob); INSERT INTO junk VALUES (randomblob(1000000))";
    writer.execute_batch(write).expect("a writer");
    std::fs::create_dir_all(place.directory()).expect("a directory");
    for ending in ["db", "db-journal"] {
        let to = place.database().with_extension(ending);
        std::fs::copy(backup.with_extension(ending), to).expect("a copy");
    }
}

#[test]
fn a_journal_that_was_left_behind_is_played_back_by_commands_only() {
    let (_directory, place) = place();
    interrupt(&place);
    for access in [Access::Hook, Access::Glance] {
        let opened = open(&place, access);
        assert!(matches!(opened, Err(StoreError::Interrupted { .. })), "{access:?}: {opened:?}");
    }
    drop(open(&place, Access::Read).expect("a store"));
    assert_eq!(scene_at(&place).titles(), ["saved"]);
    assert!(open(&place, Access::Hook).expect("a store").check().expect("a check").is_empty());
}

#[test]
fn a_restore_leaves_no_journal_that_could_be_played_into_another_copy() {
    let (_directory, place) = backed_up();
    interrupt(&place);
    let journal = place.database().with_extension("db-journal");
    let left = std::fs::read(&journal).expect("a journal");
    let restored = restore(&place, Moment::from_millis(9), WithoutBackup::Refuse);
    let aside = restored.expect("restored").damaged.join("pacenote.db-journal");
    assert_eq!(std::fs::read(aside).expect("a journal"), left);
    assert!(!journal.exists());
    let mode = rusqlite::Connection::open(place.database())
        .and_then(|connection| {
            connection.query_row("PRAGMA journal_mode", [], |row| row.get::<_, String>(0))
        })
        .expect("a mode");
    assert_eq!(mode, "wal", "the first writer must not need a rollback journal");
    let scene = scene_at(&place);
    assert_eq!(scene.titles(), ["saved"]);
    assert!(scene.store.check().expect("a check").is_empty());
}

/// Reads and writes all over a store, and returns what went wrong.
fn use_store(place: &Place, access: Access) -> Vec<StoreError> {
    let store = match open(place, access) {
        Ok(store) => store,
        Err(error) => return vec![error],
    };
    let mut errors = Vec::new();
    match store.check() {
        Ok(problems) if problems.is_empty() => {}
        Ok(problems) => {
            errors
                .push(StoreError::Damaged { path: place.database(), detail: problems.join("; ") });
        }
        Err(error) => errors.push(error),
    }
    let projects = match store.projects() {
        Ok(projects) => projects,
        Err(error) => {
            errors.push(error);
            Vec::new()
        }
    };
    for project in &projects {
        errors.extend(store.tasks(project.id).err());
        errors.extend(store.wishes(project.id).err());
        errors.extend(store.sessions(project.id).err());
    }
    errors.extend(store.log_cursor("log").err());
    errors.extend(store.last_entry().err());
    if access == Access::Write
        && let Some(project) = projects.first()
    {
        let actor = Actor { name: agent("backend"), trust: Trust::Agent, session: None };
        let now = Moment::from_millis(1);
        let mut scene = Scene { store: Box::new(store), project: project.id, actor, now };
        errors.extend(
            scene.commit(vec![Effect::Task(TaskEffect::Added { task: new_task("more") })]).err(),
        );
    }
    errors
}
