//! `pacenote store`.

use std::{fs, path::Path};

use pacenote_testkit::{
    crash::Random,
    desk::{Desk, Ran},
};

use crate::{desk, transcript};

#[test]
fn check_back_up_damage_restore() {
    let desk = desk();
    transcript!(desk, ["store check", r#"task add "Saved""#, "store check", "store restore"], @r#"
    $ pacenote store check
    error: there is no store at `/desk/home/.local/share/pacenote/pacenote.db`

    hint: `pacenote task add "<title>"` makes the first one
    [exit 1]
    $ pacenote task add "Saved"
    added t-1 #1 (open) Saved
    $ pacenote store check
    the store is sound
    $ pacenote store restore
    the store is sound, nothing was done; `--anyway` restores it all the same
    "#);
    let backup = desk.run("store backup");
    assert!(backup.stdout.contains("/backups/pacenote-"), "{backup:?}");
    std::fs::write(desk.data().join("pacenote.db"), "junk, and plenty of it").expect("damage");
    for beside in ["pacenote.db-wal", "pacenote.db-shm"] {
        std::fs::remove_file(desk.data().join(beside)).ok();
    }
    transcript!(desk, ["task list", "store check"], @"
    $ pacenote task list
    error: the store at `/desk/home/.local/share/pacenote/pacenote.db` is damaged: file is not a database

    hint: `pacenote store restore` puts the newest sound backup in its place and keeps the damaged file
    [exit 3]
    $ pacenote store check
    file is not a database
    hint: `pacenote store restore` puts the newest sound backup in its place
    [exit 1]
    ");
    let restored = desk.run("store restore");
    assert!(restored.stdout.starts_with("restored from "), "{restored:?}");
    transcript!(desk, ["task list", "store check"], @"
    $ pacenote task list
    t-1  #1  open  Saved
    $ pacenote store check
    the store is sound
    ");
}

#[test]
fn a_newer_store_is_refused_and_left_alone() {
    let desk = desk();
    desk.run(r#"task add "Old""#);
    let path = desk.data().join("pacenote.db");
    let mut bytes = std::fs::read(&path).expect("the file");
    // The schema version lies at byte 60 of the header, the most significant byte first.
    bytes[63] = 99;
    std::fs::write(&path, &bytes).expect("the file");
    transcript!(desk, ["task list", r#"task add "New""#, "doctor"], @r#"
    $ pacenote task list
    error: the store at `/desk/home/.local/share/pacenote/pacenote.db` has schema 99, this pacenote knows 5

    hint: update pacenote: a newer version wrote this store, nothing was changed
    [exit 3]
    $ pacenote task add "New"
    error: the store at `/desk/home/.local/share/pacenote/pacenote.db` has schema 99, this pacenote knows 5

    hint: update pacenote: a newer version wrote this store, nothing was changed
    [exit 3]
    $ pacenote doctor
    ok    pacenote: 0.1.0 (schema 5)
    ok    settings: sound
    ok    data directory: /desk/home/.local/share/pacenote
    fail  store: the store at `/desk/home/.local/share/pacenote/pacenote.db` has schema 99, this pacenote knows 5
          hint: update pacenote; a newer one wrote this store
    ok    session logs: 0
    fail  project: the store at `/desk/home/.local/share/pacenote/pacenote.db` has schema 99, this pacenote knows 5
          hint: update pacenote: a newer version wrote this store, nothing was changed
    [exit 1]
    "#);
    let hook = desk.run_with_input(
        "hook claude session-start",
        r#"{"session_id":"s","cwd":"/","hook_event_name":"SessionStart","source":"startup"}"#,
    );
    assert_eq!((hook.code.as_str(), hook.stdout.as_str()), ("0", "{}"));
}

/// Damage that is done to the files of a store.
type Vandal = fn(&Path, &mut Random);

fn change(database: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(database).expect("the file");
    change(&mut bytes);
    fs::write(database, bytes).expect("damage");
}

fn below(random: &mut Random, most: usize) -> usize {
    usize::try_from(random.below(most as u64)).expect("an index")
}

fn flip_in(bytes: &mut [u8], random: &mut Random) {
    let at = below(random, bytes.len());
    bytes[at] ^= 1 << random.below(8);
}

fn garbage(random: &mut Random, length: usize) -> Vec<u8> {
    (0..length).map(|_| u8::try_from(random.below(256)).expect("a byte")).collect()
}

const VANDALS: [(&str, usize, Vandal); 8] = [
    ("bits of a page", 8, |database, random| {
        change(database, |bytes| {
            let page = below(random, bytes.len() / 4096) * 4096;
            (0..64).for_each(|_| flip_in(&mut bytes[page..page + 4096], random));
        });
    }),
    ("bits of the header", 6, |database, random| {
        change(database, |bytes| flip_in(&mut bytes[..100], random));
    }),
    ("a page of zeros", 4, |database, random| {
        change(database, |bytes| {
            let page = below(random, bytes.len() / 4096) * 4096;
            bytes[page..page + 4096].fill(0);
        });
    }),
    ("a file that was cut", 4, |database, random| {
        change(database, |bytes| bytes.truncate(below(random, bytes.len())));
    }),
    ("an empty file", 1, |database, _| change(database, Vec::clear)),
    ("a version", 10, |database, random| {
        change(database, |bytes| {
            let versions = [-1, i32::MIN, 0, 1, 2];
            bytes[60..64].copy_from_slice(&versions[below(random, 5)].to_be_bytes());
        });
    }),
    ("a write-ahead log of garbage", 2, |database, random| {
        fs::write(database.with_extension("db-wal"), garbage(random, 9000)).expect("damage");
    }),
    ("an index of garbage", 2, |database, random| {
        fs::write(database.with_extension("db-shm"), garbage(random, 32768)).expect("damage");
    }),
];

/// Puts the sound files in their place again.
fn put_back(desk: &Desk, sound: &[u8]) {
    let database = desk.data().join("pacenote.db");
    for path in ["db", "db-wal", "db-shm"].map(|extension| database.with_extension(extension)) {
        fs::remove_file(&path).ok();
    }
    fs::write(&database, sound).expect("the file");
}

#[test]
fn damage_of_any_kind_ends_in_a_sentence_and_a_hint() {
    let desk = desk();
    for number in 0..5 {
        desk.run(&format!(r#"task add "Task {number}""#));
    }
    let database = desk.data().join("pacenote.db");
    let sound = fs::read(&database).expect("the file");
    let mut random = Random::new(70);
    let helps = [
        "`pacenote store restore`",
        "update pacenote",
        "`PACENOTE_HOME`",
        "makes the first one",
        "migrates it",
    ];
    for (what, times, vandal) in VANDALS {
        for _ in 0..times {
            for line in ["store check", "task list", r#"task add "More""#] {
                put_back(&desk, &sound);
                vandal(&database, &mut random);
                let ran = desk.run(line);
                assert!(["0", "1", "3"].contains(&ran.code.as_str()), "{what}, {line}: {ran:?}");
                let is_helped = helps.iter().any(|help| ran.stderr.contains(help));
                assert!(ran.code == "0" || is_helped, "{what}, {line}: {ran:?}");
                if line == "store check" && ran.code != "0" {
                    let restored = desk.run("store restore --empty");
                    let listed = desk.run("task list");
                    assert_eq!(
                        (restored.code.as_str(), listed.code.as_str()),
                        ("0", "0"),
                        "{what}: {ran:?}, {restored:?}, {listed:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_store_that_is_gone_is_missed_and_restored_from_its_backup() {
    let desk = desk();
    desk.run(r#"task add "Saved""#);
    desk.run("store backup");
    fs::remove_file(desk.data().join("pacenote.db")).expect("removed");
    transcript!(desk, ["task list", r#"task add "More""#, "store check", "doctor"], @r#"
    $ pacenote task list
    error: the store at `/desk/home/.local/share/pacenote/pacenote.db` is gone, but copies of it exist

    hint: `pacenote store restore` puts the newest sound backup in its place
    [exit 3]
    $ pacenote task add "More"
    error: the store at `/desk/home/.local/share/pacenote/pacenote.db` is gone, but copies of it exist

    hint: `pacenote store restore` puts the newest sound backup in its place
    [exit 3]
    $ pacenote store check
    error: the store at `/desk/home/.local/share/pacenote/pacenote.db` is gone, but copies of it exist

    hint: `pacenote store restore` puts the newest sound backup in its place
    [exit 3]
    $ pacenote doctor
    ok    pacenote: 0.1.0 (schema 5)
    ok    settings: sound
    ok    data directory: /desk/home/.local/share/pacenote
    fail  store: the store at `/desk/home/.local/share/pacenote/pacenote.db` is gone, but copies of it exist
          hint: `pacenote store restore` puts the newest sound backup in its place
    ok    session logs: 0
    fail  project: the store at `/desk/home/.local/share/pacenote/pacenote.db` is gone, but copies of it exist
          hint: `pacenote store restore` puts the newest sound backup in its place
    [exit 1]
    "#);
    let restored = desk.run("store restore");
    assert!(restored.stdout.starts_with("restored from "), "{restored:?}");
    assert!(desk.run("task list").stdout.contains("Saved"));
}

#[test]
fn a_damaged_store_is_noticed_when_its_backup_is_due() {
    let desk = desk();
    desk.run(r#"task add "Saved""#);
    let database = desk.data().join("pacenote.db");
    let sound = fs::read(&database).expect("the file");
    put_back(&desk, &sound);
    // A free page that does not exist: everything else can be read and written.
    change(&database, |bytes| bytes[39] += 1);
    fs::remove_dir_all(desk.data().join("backups")).expect("removed");
    transcript!(desk, [r#"task add "More""#, "task list"], @r#"
    $ pacenote task add "More"
    added t-1 #2 (open) More
    warning: the store could not be backed up
    error: the store at `/desk/home/.local/share/pacenote/pacenote.db` is damaged: Freelist: size is 0 but should be 1

    hint: `pacenote store restore` puts the newest sound backup in its place and keeps the damaged file
    $ pacenote task list
    t-2  #1  open  Saved
    t-1  #2  open  More
    "#);
    let left = fs::read_dir(desk.data().join("backups")).expect("a directory");
    let names: Vec<_> = left.map(|entry| entry.expect("an entry").file_name()).collect();
    assert_eq!(names, ["backup.lock"]);
}

#[test]
fn without_a_sound_backup_nothing_is_thrown_away_unasked() {
    let desk = desk();
    desk.run(r#"task add "Kept""#);
    let database = desk.data().join("pacenote.db");
    let sound = fs::read(&database).expect("the file");
    fs::remove_dir_all(desk.data().join("backups")).expect("removed");
    put_back(&desk, &sound);
    change(&database, |bytes| bytes[100..].fill(0xff));
    let damaged = fs::read(&database).expect("the file");
    transcript!(desk, ["store backup", "store restore"], @"
    $ pacenote store backup
    error: the store at `/desk/home/.local/share/pacenote/pacenote.db` is damaged: database disk image is malformed

    hint: `pacenote store restore` puts the newest sound backup in its place and keeps the damaged file
    [exit 3]
    $ pacenote store restore
    error: there is no sound backup in `/desk/home/.local/share/pacenote/backups`

    hint: nothing was changed; `pacenote store restore --empty` moves the store aside and starts an empty one
    [exit 1]
    ");
    assert_eq!(fs::read(&database).expect("the file"), damaged);
    let restored = desk.run("store restore --empty");
    assert!(restored.stdout.starts_with("there was no sound backup: the store is empty now"));
    transcript!(desk, ["task list", "store check"], @r#"
    $ pacenote task list
    no tasks here; `pacenote task add "<title>"` adds one
    $ pacenote store check
    the store is sound
    "#);
}

#[test]
fn what_is_not_a_file_is_refused_and_moved_aside() {
    let desk = desk();
    desk.run(r#"task add "Saved""#);
    desk.run("store backup");
    let database = desk.data().join("pacenote.db");
    fs::remove_file(&database).expect("removed");
    let launch = desk.launch("/usr/bin/mkfifo").arguments([database.display().to_string()]);
    assert_eq!(Ran::of(&launch).code, "0");
    transcript!(desk, ["task list", r#"task add "More""#, "store check", "doctor"], @r#"
    $ pacenote task list
    error: the store at `/desk/home/.local/share/pacenote/pacenote.db` is a named pipe, not a regular file

    hint: `pacenote store restore` moves it aside and puts the newest sound backup in its place
    [exit 3]
    $ pacenote task add "More"
    error: the store at `/desk/home/.local/share/pacenote/pacenote.db` is a named pipe, not a regular file

    hint: `pacenote store restore` moves it aside and puts the newest sound backup in its place
    [exit 3]
    $ pacenote store check
    error: the store at `/desk/home/.local/share/pacenote/pacenote.db` is a named pipe, not a regular file

    hint: `pacenote store restore` moves it aside and puts the newest sound backup in its place
    [exit 3]
    $ pacenote doctor
    ok    pacenote: 0.1.0 (schema 5)
    ok    settings: sound
    ok    data directory: /desk/home/.local/share/pacenote
    fail  store: the store at `/desk/home/.local/share/pacenote/pacenote.db` is a named pipe, not a regular file
          hint: `pacenote store restore` moves it aside and puts the newest sound backup in its place
    ok    session logs: 0
    fail  project: the store at `/desk/home/.local/share/pacenote/pacenote.db` is a named pipe, not a regular file
          hint: `pacenote store restore` moves it aside and puts the newest sound backup in its place
    [exit 1]
    "#);
    fs::remove_file(&database).expect("removed");
    std::os::unix::fs::symlink("/nowhere/pacenote.db", &database).expect("a link");
    transcript!(desk, ["task list", r#"task add "More""#], @r#"
    $ pacenote task list
    error: the store at `/desk/home/.local/share/pacenote/pacenote.db` is a symbolic link, not a regular file

    hint: the link leads nowhere: bring back the file at its end
    hint: `pacenote store restore` moves it aside and puts the newest sound backup in its place
    [exit 3]
    $ pacenote task add "More"
    error: the store at `/desk/home/.local/share/pacenote/pacenote.db` is a symbolic link, not a regular file

    hint: the link leads nowhere: bring back the file at its end
    hint: `pacenote store restore` moves it aside and puts the newest sound backup in its place
    [exit 3]
    "#);
    fs::remove_file(&database).expect("removed");
    fs::create_dir(&database).expect("a directory");
    transcript!(desk, ["task list", r#"task add "More""#], @r#"
    $ pacenote task list
    error: the store at `/desk/home/.local/share/pacenote/pacenote.db` is a directory, not a regular file

    hint: `pacenote store restore` moves it aside and puts the newest sound backup in its place
    [exit 3]
    $ pacenote task add "More"
    error: the store at `/desk/home/.local/share/pacenote/pacenote.db` is a directory, not a regular file

    hint: `pacenote store restore` moves it aside and puts the newest sound backup in its place
    [exit 3]
    "#);
    let restored = desk.run("store restore");
    assert!(restored.stdout.starts_with("restored from "), "{restored:?}");
    assert!(desk.run("task list").stdout.contains("Saved"));
}
