//! Migrations: numbered, additive, each in one transaction with the version it leads to.
//!
//! A kill during any statement therefore leaves version n or n + 1, never something between.
//! A migration that was released is never edited; a new one is added.

use std::{collections::BTreeSet, path::Path, time::Duration};

use rusqlite::{Connection, OpenFlags, TransactionBehavior, fallible_iterator::FallibleIterator};

use crate::{error::Fault, open::connect};

/// One step of the schema.
#[derive(Clone, Copy, Debug)]
pub struct Migration {
    /// The version it leads to; the list counts up from 1 without gaps.
    pub version: u32,
    /// Its statements.
    pub sql: &'static str,
}

/// Every step, in order.
pub const MIGRATIONS: &[Migration] = &[
    Migration { version: 1, sql: include_str!("../schema/0001.sql") },
    Migration { version: 2, sql: include_str!("../schema/0002.sql") },
    Migration { version: 3, sql: include_str!("../schema/0003.sql") },
    Migration { version: 4, sql: include_str!("../schema/0004.sql") },
    Migration { version: 5, sql: include_str!("../schema/0005.sql") },
];

/// The version this binary writes.
pub const SCHEMA: u32 = 5;

/// Returns the version of an open database; a new file has version 0.
pub(crate) fn version(connection: &Connection) -> Result<u32, Fault> {
    let found = raw_version(connection)?;
    // The first migration commits its tables and its version at once. So whoever sees tables sees a
    // version afterwards, unless something else took it away.
    if found > 0 || !has_tables(connection)? {
        return Ok(found);
    }
    match raw_version(connection)? {
        0 => Err(Fault::Odd("user_version")),
        found => Ok(found),
    }
}

fn raw_version(connection: &Connection) -> Result<u32, Fault> {
    let raw: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    u32::try_from(raw).map_err(|_| Fault::Odd("user_version"))
}

fn has_tables(connection: &Connection) -> Result<bool, Fault> {
    Ok(connection.query_row("SELECT EXISTS (SELECT 1 FROM sqlite_master)", [], |row| row.get(0))?)
}

/// Brings the database to the newest version, calling `witness` before each statement.
pub(crate) fn migrate(
    connection: &mut Connection,
    migrations: &[Migration],
    witness: &mut dyn FnMut(&str),
) -> Result<(), Fault> {
    for migration in migrations {
        let step = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Read inside the transaction: another process may have migrated while we waited for it.
        if version(&step)? >= migration.version {
            continue;
        }
        let mut statements = rusqlite::Batch::new(&step, migration.sql);
        while let Some(mut statement) = statements.next()? {
            witness(&statement.expanded_sql().unwrap_or_default());
            statement.execute([])?;
        }
        step.pragma_update(None, "user_version", migration.version)?;
        witness("COMMIT");
        step.commit()?;
    }
    Ok(())
}

/// Returns what a database lacks of the schema of its own version, such as "the table `task`".
///
/// What there should be is what the migrations make in an empty database in memory, so there is no
/// second list that could fall behind them.
pub(crate) fn missing_parts(connection: &Connection) -> Result<Vec<String>, Fault> {
    let found = version(connection)?;
    let known = MIGRATIONS.iter().take_while(|migration| migration.version <= found).copied();
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let mut model = connect(Path::new(":memory:"), flags, Duration::ZERO)?;
    migrate(&mut model, &known.collect::<Vec<_>>(), &mut |_| {})?;
    let there = parts_of(connection)?;
    let missing = parts_of(&model)?.into_iter().filter(|part| !there.contains(part));
    Ok(missing.map(|(kind, name)| format!("the {kind} `{name}`")).collect())
}

/// Returns the kinds and names of everything that a schema consists of.
fn parts_of(connection: &Connection) -> Result<BTreeSet<(String, String)>, Fault> {
    let mut parts = connection.prepare("SELECT type, name FROM sqlite_schema")?;
    let rows = parts.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_counts_up_to_the_schema() {
        let versions: Vec<u32> = MIGRATIONS.iter().map(|migration| migration.version).collect();
        assert_eq!(versions, (1..=SCHEMA).collect::<Vec<_>>());
    }
}
