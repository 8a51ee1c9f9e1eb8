//! How many entries SQLite reads at every open of the store, which hooks do all the time.

use std::fs::DirEntry;
use std::path::Path;

use rusqlite::Connection;

use crate::disk;
use crate::failure::Failure;

/// Most entries: each table with its index costs a session start some 6 µs.
pub(super) const MOST: usize = 90;

/// Returns the statements of the store's migrations, in order.
pub(super) fn migrations(root: &Path) -> Result<Vec<String>, Failure> {
    let entries = disk::entries(&root.join("crates/store/schema"))?;
    let mut files: Vec<_> = entries.iter().map(DirEntry::path).collect();
    files.sort();
    files.iter().map(|path| disk::read(path)).collect()
}

/// Counts the entries that migrations make.
#[expect(clippy::disallowed_methods, reason = "nothing is kept: only the definitions are counted")]
pub(super) fn count_entries(migrations: &[String]) -> Result<usize, Failure> {
    let counted = Connection::open_in_memory().and_then(|connection| {
        migrations.iter().try_for_each(|text| connection.execute_batch(text))?;
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
    });
    counted.map_err(|source| Failure::Schema { source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_all_migrations_are_counted() {
        let table = "CREATE TABLE task (id INTEGER PRIMARY KEY, title TEXT UNIQUE);".to_owned();
        let index = "CREATE INDEX by_title ON task (title);".to_owned();
        // A table, the index that SQLite makes for `UNIQUE`, and the index.
        assert_eq!(count_entries(&[table, index]).unwrap(), 3);
        assert!(count_entries(&["CREATE".to_owned()]).is_err());
    }
}
