//! The SQLite engine: conformance, versions, damage and backups.

#![expect(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a test stops when it cannot go on, and damages files on purpose"
)]

use std::{os::unix::fs::PermissionsExt as _, path::PathBuf};

use pacenote_model::{Effect, Moment, Sequence, TaskEffect};
use pacenote_store::{
    Access, Place, SCHEMA, Sqlite, Store, StoreError, WithoutBackup, backups, open, open_with,
    restore,
};
use pacenote_testkit::{
    conformance, crash,
    migration::{migrations, opened_with, version},
    scene::{Scene, new_task},
};
use tempfile::TempDir;

fn place() -> (TempDir, Place) {
    let directory = TempDir::new().expect("a directory");
    let place = Place::new(directory.path().join("data"));
    (directory, place)
}

#[test]
fn conforms() {
    let mut kept = Vec::new();
    conformance::store(&mut || {
        let (directory, place) = place();
        kept.push(directory);
        Box::new(open(&place, Access::Write).expect("a store"))
    });
}

#[test]
fn two_versions_at_once_do_not_fight() {
    let (_directory, place) = place();
    drop(opened_with(&place, 1));
    // The older binary refuses to touch what it does not know, and changes nothing.
    for access in [Access::Write, Access::Read, Access::Hook] {
        match open(&place, access) {
            Err(StoreError::Newer { found, known, .. }) => {
                assert_eq!((found, known), (SCHEMA + 1, SCHEMA));
            }
            other => panic!("{access:?}: {other:?}"),
        }
    }
    assert_eq!(version(&place), SCHEMA + 1);
    // The newer binary's hook serves the version before; its commands migrate.
    let (_other, old) = self::place();
    drop(open(&old, Access::Write).expect("a store"));
    assert!(open_with(&old, Access::Hook, &migrations(1), &mut |_| {}).is_ok());
    let two_behind = open_with(&old, Access::Hook, &migrations(2), &mut |_| {});
    assert!(matches!(two_behind, Err(StoreError::Older { .. })), "{two_behind:?}");
    assert_eq!(version(&old), SCHEMA, "a hook migrates nothing");
    drop(open_with(&old, Access::Read, &migrations(2), &mut |_| {}).expect("migrated"));
    assert_eq!(version(&old), SCHEMA + 2);
}

#[test]
fn a_reader_makes_nothing() {
    let (_directory, place) = place();
    for access in [Access::Read, Access::Hook] {
        assert!(matches!(open(&place, access), Err(StoreError::Missing { .. })));
    }
    assert!(!place.directory().exists());
}

#[test]
fn a_file_that_was_only_begun_is_in_nobodys_way() {
    let (_directory, place) = place();
    std::fs::create_dir_all(place.directory()).expect("a directory");
    std::fs::write(place.database(), b"").expect("a file");
    for access in [Access::Read, Access::Hook] {
        assert!(matches!(open(&place, access), Err(StoreError::Missing { .. })));
    }
    let mut scene = Scene::new(Box::new(open(&place, Access::Write).expect("a store")));
    scene.add("first");
    assert!(open(&place, Access::Read).is_ok());
}

#[test]
fn a_restored_store_is_in_wal_mode_again_and_waits_for_writers() {
    let (_directory, place) = place();
    let mut scene = Scene::new(Box::new(open(&place, Access::Write).expect("a store")));
    scene.add("saved");
    scene.store.back_up(Moment::from_millis(1), 3).expect("a backup");
    // A restore that could exchange the file now would lose what this writer commits next.
    let restoring = std::thread::spawn({
        let place = place.clone();
        move || restore(&place, Moment::from_millis(2), WithoutBackup::Refuse).expect("restored")
    });
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(!restoring.is_finished(), "the writer is still there");
    scene.add("acknowledged before the restore");
    drop(scene);
    restoring.join().expect("restored");
    let mut scene = Scene::new(Box::new(open(&place, Access::Write).expect("a store")));
    scene.add("goes on");
    drop(scene);
    let mode: String = rusqlite::Connection::open(place.database())
        .and_then(|connection| connection.query_row("PRAGMA journal_mode", [], |row| row.get(0)))
        .expect("a mode");
    assert_eq!(mode, "wal");
}

#[test]
fn a_writer_that_takes_its_time_keeps_no_hook_waiting() {
    let (_directory, place) = place();
    let mut scene = Scene::new(Box::new(open(&place, Access::Write).expect("a store")));
    scene.add("written before");
    let writer = rusqlite::Connection::open(place.database()).expect("a connection");
    writer
        .execute_batch("BEGIN IMMEDIATE; UPDATE task SET title = 'unfinished'")
        .expect("a writer");
    let hook = open(&place, Access::Hook).expect("a store");
    let titles: Vec<String> = hook
        .tasks(scene.project)
        .expect("the tasks")
        .iter()
        .map(|task| task.title.to_string())
        .collect();
    assert_eq!(titles, ["written before"]);
    writer.execute_batch("ROLLBACK").expect("the end");
}

#[test]
fn a_glance_sees_what_was_written_and_leaves_the_files_as_they_lie_there() {
    const UNTOUCHED: &str = "as it lies there";
    let (_directory, busy) = place();
    let mut scene = Scene::new(Box::new(open(&busy, Access::Write).expect("a store")));
    scene.add("written before");
    let titles_at = |place: &Place| -> Vec<String> {
        let glance = open(place, Access::Glance).expect("a store");
        let tasks = glance.tasks(scene.project).expect("the tasks");
        tasks.iter().map(|task| task.title.to_string()).collect()
    };
    assert_eq!(titles_at(&busy), ["written before"], "beside a writer");

    // What a writer leaves behind that was killed: all of it is still in the log.
    let (_directory, left) = place();
    std::fs::create_dir_all(left.directory()).expect("a directory");
    for extension in ["db", "db-wal"] {
        let [from, to] = [&busy, &left].map(|place| place.database().with_extension(extension));
        std::fs::copy(from, to).expect("a copy");
    }
    assert_eq!(titles_at(&left), ["written before"], "without an index");
    let index = left.database().with_extension("db-shm");
    std::fs::write(&index, UNTOUCHED).expect("an index");
    assert_eq!(titles_at(&left), ["written before"], "beside an index that is none");
    assert_eq!(std::fs::read_to_string(&index).expect("an index"), UNTOUCHED);
}

#[test]
fn copies_from_the_future_and_empty_ones_do_no_harm() {
    let (_directory, place) = place();
    let mut scene = Scene::new(Box::new(open(&place, Access::Write).expect("a store")));
    scene.add("saved");
    std::fs::create_dir_all(place.backups()).expect("a directory");
    for at in 0..3 {
        std::fs::write(place.backups().join(format!("pacenote-99999999999{at}-v1.db")), b"")
            .expect("a file");
    }
    std::fs::write(place.backups().join("partial-1-1.db"), b"left by a kill").expect("a file");
    let made = scene.store.back_up(Moment::from_millis(5), 2).expect("a backup").expect("a file");
    assert!(made.path.exists(), "the copy just made is kept");
    assert!(!place.backups().join("partial-1-1.db").exists());
    drop(scene);
    std::fs::write(place.database(), b"junk junk junk").expect("damage");
    let restored =
        restore(&place, Moment::from_millis(6), WithoutBackup::Refuse).expect("restored");
    assert_eq!(restored.from.expect("a backup").path, made.path);
}

#[test]
fn the_files_belong_to_their_owner_alone() {
    let (_directory, place) = place();
    let mut scene = Scene::new(Box::new(open(&place, Access::Write).expect("a store")));
    scene.add("secret");
    let mode =
        |path: PathBuf| std::fs::metadata(path).expect("a file").permissions().mode() & 0o777;
    assert_eq!(mode(place.directory().to_path_buf()), 0o700);
    for file in std::fs::read_dir(place.directory()).expect("the directory") {
        let path = file.expect("an entry").path();
        if path.is_file() {
            assert_eq!(mode(path.clone()), 0o600, "{}", path.display());
        }
    }
}

#[test]
fn the_journal_refuses_to_be_changed() {
    let (_directory, place) = place();
    let mut scene = Scene::new(Box::new(open(&place, Access::Write).expect("a store")));
    scene.add("once");
    drop(scene);
    let vandal = rusqlite::Connection::open(place.database()).expect("a connection");
    for sql in ["UPDATE journal SET actor = 'x'", "DELETE FROM journal"] {
        let error = vandal.execute(sql, []).expect_err(sql).to_string();
        assert!(error.contains("append-only"), "{error}");
    }
}

#[test]
fn an_entry_of_an_unknown_form_is_named_and_hides_nothing_else() {
    let (_directory, place) = place();
    let mut scene = Scene::new(Box::new(open(&place, Access::Write).expect("a store")));
    scene.add("before");
    let other = rusqlite::Connection::open(place.database()).expect("a connection");
    let copied =
        "INSERT INTO journal (project, at, actor, trust, kind, body, key, version, aggregate)
         SELECT project, at, actor, trust, 'sung', '{}', 'k', 9, 'opera' FROM journal LIMIT 1";
    other.execute(copied, []).expect("a row of a later version");
    scene.add("after");
    let problems = scene.store.check().expect("a check");
    let expected =
        "journal entry 3: a newer pacenote wrote it, in the form 9; this one reads up to 1";
    assert_eq!(problems, [expected]);
    assert_eq!(scene.titles(), ["before", "after"]);
    assert_eq!(scene.store.journal(Sequence::START, 100).expect("the journal").len(), 4);
}

#[test]
fn what_is_deleted_leaves_no_bytes_in_the_file() {
    const SECRET: &str = "correct horse battery staple";
    let (_directory, place) = place();
    let mut store = open(&place, Access::Write).expect("a store");
    let digest = pacenote_testkit::scene::intent_of("a text");
    let text = format!("{SECRET} {}", "more words. ".repeat(2_000));
    store.keep_told(&[(digest, text)], Moment::from_millis(1)).expect("a text");
    let holds = |place: &Place| {
        let other = rusqlite::Connection::open(place.database()).expect("a connection");
        other.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).expect("a checkpoint");
        let bytes = std::fs::read(place.database()).expect("the file");
        bytes.windows(SECRET.len()).any(|window| window == SECRET.as_bytes())
    };
    assert!(holds(&place), "the test would not see it");
    assert_eq!(store.forget_told(Moment::from_millis(2)).expect("forgotten"), 1);
    assert!(!holds(&place));
}

#[test]
fn a_damaged_store_is_told_and_mended_from_its_backup() {
    let (_directory, place) = place();
    let mut scene = Scene::new(Box::new(open(&place, Access::Write).expect("a store")));
    scene.add("saved");
    scene.store.back_up(Moment::from_millis(1), 3).expect("a backup").expect("a file");
    scene.add("lost");
    drop(scene);
    std::fs::write(place.database(), b"this is not a database, whatever its name says")
        .expect("damage");
    for access in [Access::Write, Access::Read, Access::Hook] {
        assert!(matches!(open(&place, access), Err(StoreError::Damaged { .. })), "{access:?}");
    }
    // A backup that is damaged itself is passed over.
    let newer = place.backups().join("pacenote-2-v1.db");
    std::fs::write(&newer, b"neither is this").expect("damage");
    let restored =
        restore(&place, Moment::from_millis(3), WithoutBackup::Refuse).expect("restored");
    assert_eq!(restored.from.expect("a backup").at, Moment::from_millis(1));
    let kept = std::fs::read(restored.damaged.join("pacenote.db")).expect("the damaged file");
    assert!(kept.starts_with(b"this is not"));
    let mut scene = Scene::new(Box::new(open(&place, Access::Write).expect("a store")));
    assert_eq!(scene.titles(), ["saved"]);
    assert!(scene.store.check().expect("a check").is_empty());
    scene.add("goes on");
}

#[test]
fn without_a_backup_a_restore_changes_nothing_unless_an_empty_store_is_wanted() {
    let (_directory, place) = place();
    std::fs::create_dir_all(place.directory()).expect("a directory");
    std::fs::write(place.database(), b"junk junk junk junk").expect("damage");
    let refused = restore(&place, Moment::from_millis(2), WithoutBackup::Refuse);
    assert!(matches!(refused, Err(StoreError::NoSoundBackup { .. })), "{refused:?}");
    assert_eq!(std::fs::read(place.database()).expect("the file"), b"junk junk junk junk");
    let restored = restore(&place, Moment::from_millis(3), WithoutBackup::StartEmpty);
    let restored = restored.expect("restored");
    assert_eq!(restored.from, None);
    assert!(restored.damaged.join("pacenote.db").exists());
    let scene = Scene::new(Box::new(open(&place, Access::Write).expect("a store")));
    assert!(scene.titles().is_empty());
}

#[test]
fn flipped_bytes_never_cause_a_panic() {
    let (_directory, place) = place();
    let mut scene = Scene::new(Box::new(open(&place, Access::Write).expect("a store")));
    for number in 0..40 {
        scene.add(&format!("task {number}"));
    }
    drop(scene);
    let sound = std::fs::read(place.database()).expect("the file");
    let mut random = crash::Random::new(42);
    let mut noticed = 0;
    for _ in 0..300 {
        let mut bytes = sound.clone();
        for _ in 0..=random.below(30) {
            let at = usize::try_from(random.below(bytes.len() as u64)).expect("an index");
            bytes[at] ^= u8::try_from(random.below(255) + 1).expect("a byte");
        }
        let (_mutated, place) = self::place();
        std::fs::create_dir_all(place.directory()).expect("a directory");
        std::fs::write(place.database(), bytes).expect("a file");
        let outcome = open(&place, Access::Write).and_then(|mut store| {
            let problems = store.check()?;
            let project = store.projects()?.first().map(|project| project.id);
            if let Some(project) = project {
                store.tasks(project)?;
                let effects = pacenote_model::Effects {
                    project,
                    by: Scene::new(Box::new(opened_elsewhere())).actor,
                    at: Moment::from_millis(1),
                    intent: pacenote_testkit::scene::intent_of(""),
                    tasks_as_of: None,
                    list: vec![Effect::Task(TaskEffect::Added { task: new_task("more") })],
                };
                store.commit(&effects, &pacenote_model::CommitKey::parse("k").expect("a key"))?;
            }
            Ok(problems)
        });
        assert!(!matches!(outcome, Err(StoreError::Engine { .. })), "{outcome:?}");
        noticed += u32::from(outcome.is_err() || outcome.is_ok_and(|found| !found.is_empty()));
    }
    assert!(noticed > 150, "only {noticed} of 300 damaged files were noticed");
}

fn opened_elsewhere() -> Sqlite {
    let (directory, place) = place();
    let store = open(&place, Access::Write).expect("a store");
    drop(directory);
    store
}

#[test]
fn backups_are_counted_and_only_the_newest_are_kept() {
    let (_directory, place) = place();
    let scene = Scene::new(Box::new(open(&place, Access::Write).expect("a store")));
    for at in 1..=5 {
        scene.store.back_up(Moment::from_millis(at), 2).expect("a backup");
    }
    let kept: Vec<i64> =
        backups(&place).expect("backups").iter().map(|backup| backup.at.millis()).collect();
    assert_eq!(kept, [5, 4]);
}
