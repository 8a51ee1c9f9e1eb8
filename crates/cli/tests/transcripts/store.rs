//! `pacenote store`.

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
    error: the store at `/desk/home/.local/share/pacenote/pacenote.db` has schema 99, this pacenote knows 4

    hint: update pacenote: a newer version wrote this store, nothing was changed
    [exit 3]
    $ pacenote task add "New"
    error: the store at `/desk/home/.local/share/pacenote/pacenote.db` has schema 99, this pacenote knows 4

    hint: update pacenote: a newer version wrote this store, nothing was changed
    [exit 3]
    $ pacenote doctor
    ok    pacenote: 0.1.0 (schema 4)
    ok    settings: sound
    ok    data directory: /desk/home/.local/share/pacenote
    fail  store: the store at `/desk/home/.local/share/pacenote/pacenote.db` has schema 99, this pacenote knows 4
          hint: update pacenote; a newer one wrote this store
    ok    session logs: 0
    fail  project: the store at `/desk/home/.local/share/pacenote/pacenote.db` has schema 99, this pacenote knows 4
          hint: update pacenote: a newer version wrote this store, nothing was changed
    [exit 1]
    "#);
    let hook = desk.run_with_input(
        "hook claude session-start",
        r#"{"session_id":"s","cwd":"/","hook_event_name":"SessionStart","source":"startup"}"#,
    );
    assert_eq!((hook.code.as_str(), hook.stdout.as_str()), ("0", "{}"));
}
