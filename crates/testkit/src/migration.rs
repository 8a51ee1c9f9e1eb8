//! Dying in the middle of a migration.

use std::path::Path;

use pacenote_store::{
    Access, MIGRATIONS, Migration, Place, Sqlite, Store as _, StoreError, open, open_with,
};

/// Versions that come after the real ones, for tests of upgrading: each adds and fills a table.
const LATER: [&str; 2] = [
    "CREATE TABLE later_one (id INTEGER PRIMARY KEY, note TEXT NOT NULL);
     INSERT INTO later_one (note) SELECT title FROM task;
     ALTER TABLE project ADD COLUMN colour TEXT;
     CREATE INDEX later_one_by_note ON later_one (note);",
    "CREATE TABLE later_two (id INTEGER PRIMARY KEY);
     INSERT INTO later_two SELECT id FROM later_one;",
];

/// Returns the real migrations and `more` that might follow them.
pub fn migrations(more: u32) -> Vec<Migration> {
    let mut all = MIGRATIONS.to_vec();
    for sql in LATER.iter().take(usize::try_from(more).expect("a small number")) {
        let version = all.last().map_or(1, |last| last.version + 1);
        all.push(Migration { version, sql });
    }
    all
}

/// Opens a store with `more` versions than there are.
pub fn opened_with(place: &Place, more: u32) -> Sqlite {
    open_with(place, Access::Write, &migrations(more), &mut |_| {}).expect("a store")
}

/// Returns the version of a store, 0 for one that was only begun.
///
/// Whoever opens it brings in what a dead process left in its log.
pub fn version(place: &Place) -> u32 {
    match open(place, Access::Hook) {
        Ok(store) => store.describe().expect("a description").schema,
        Err(StoreError::Newer { found, .. } | StoreError::Older { found, .. }) => found,
        Err(StoreError::Missing { .. }) => 0,
        Err(error) => panic!("{error}"),
    }
}

/// Opens a store with `more` versions and aborts the process before the nth statement.
pub fn migrate_and_die(directory: &Path, die_before: usize, more: u32) {
    let mut statement = 0;
    let mut witness = |_: &str| {
        if statement == die_before {
            std::process::abort();
        }
        statement += 1;
    };
    open_with(&Place::new(directory), Access::Write, &migrations(more), &mut witness)
        .expect("a store");
}
