//! The checks that SQLite has of its own. They are the only statements that one database alone
//! understands, so they are not among those that every database must prepare.

use purser_core::error::Result;
use rusqlite::Connection;

use super::failed;

/// Damaged pages, indexes that don't fit their tables, values of a wrong type.
const INTEGRITY: &str = "SELECT integrity_check FROM pragma_integrity_check";
/// The answer of SQLite when it finds no damage.
const WHOLE: &str = "ok";
/// Rows that point to rows that don't exist.
const FOREIGN_KEYS: &str = "SELECT \"table\", parent, COUNT(*) FROM pragma_foreign_key_check
    GROUP BY \"table\", parent ORDER BY \"table\", parent";

/// Every damage; SQLite stops after a hundred.
pub(in crate::driver) fn integrity(connection: &Connection) -> Result<Vec<String>> {
    let read = || -> rusqlite::Result<Vec<String>> {
        connection.prepare(INTEGRITY)?.query_map([], |row| row.get(0))?.collect()
    };
    let mut found = read().map_err(|error| failed(connection, INTEGRITY, &error))?;
    found.retain(|line| line != WHOLE);
    Ok(found)
}

/// Tables with rows that point nowhere, the tables that they point to, and how many rows.
pub(in crate::driver) fn foreign_keys(
    connection: &Connection,
) -> Result<Vec<(String, String, i64)>> {
    let read = || -> rusqlite::Result<Vec<(String, String, i64)>> {
        let mut statement = connection.prepare(FOREIGN_KEYS)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        rows.collect()
    };
    read().map_err(|error| failed(connection, FOREIGN_KEYS, &error))
}
