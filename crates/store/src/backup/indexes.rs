//! Indexes of a SQLite database that is filled: they are made when all rows are there.
//!
//! Rows come in the order of their keys, but not in that of any other index. An index that is made
//! of all rows is sorted once; one that is there from the beginning is changed at a place by chance
//! for each row.

use purser_core::error::Result;

use super::catalogue::CatalogueQuery;
use crate::driver::Tx;

/// The indexes that a statement made, with the statement. Those of keys have none.
const INDEXES: CatalogueQuery = CatalogueQuery::sqlite(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY rowid",
);

/// Removes every index that isn't a key of its table, and returns the statements that make them.
pub(super) fn take_away(tx: &mut Tx<'_>) -> Result<Vec<String>> {
    let indexes = tx.query(&INDEXES, &[], |row| Ok((row.string(0)?, row.string(1)?)))?;
    for (name, _) in &indexes {
        tx.script(&format!("DROP INDEX \"{name}\""))?;
    }
    Ok(indexes.into_iter().map(|(_, statement)| statement).collect())
}
