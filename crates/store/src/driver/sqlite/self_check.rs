//! The check that SQLite has of its own. It is the only statement that one database alone
//! understands, so it is not among those that every database must prepare.

use purser_core::error::Result;
use rusqlite::Connection;

use super::failed;

/// Damaged pages, indexes that don't fit their tables, values of a wrong type.
const INTEGRITY: &str = "SELECT integrity_check FROM pragma_integrity_check";
/// The answer of SQLite when it finds no damage.
const WHOLE: &str = "ok";

/// Every damage; SQLite stops after a hundred.
pub(in crate::driver) fn integrity(connection: &Connection) -> Result<Vec<String>> {
    let read = || -> rusqlite::Result<Vec<String>> {
        connection.prepare(INTEGRITY)?.query_map([], |row| row.get(0))?.collect()
    };
    let mut found = read().map_err(|error| failed(connection, INTEGRITY, &error))?;
    found.retain(|line| line != WHOLE);
    Ok(found)
}
