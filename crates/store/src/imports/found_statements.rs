//! What the bank statements of a file state about themselves, found when the file was read for the
//! first time.

use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::import::file_statement::FileStatement;

use crate::access::FamilyTx;
use crate::driver::{statements, vals};

statements! {
    /// The bank statements of a file.
    FOUND_INSERT = "INSERT INTO import_statements (family_id, import_id, statements)
        VALUES ($1, $2, $3)";
    /// Another file has taken the place of theirs.
    FOUND_DELETE = "DELETE FROM import_statements WHERE family_id = $1 AND import_id = $2";
    /// Those of the file that is read.
    FOUND = "SELECT statements FROM import_statements WHERE family_id = $1 AND import_id = $2";
}

/// A JSON list with nothing in it.
const NONE: &str = "[]";

/// Keeps what a file has: a JSON list, or nothing if the file was read before.
pub(super) fn insert(tx: &mut FamilyTx<'_>, id: ImportId, found: Option<&str>) -> Result<()> {
    let Some(found) = found.filter(|found| *found != NONE) else { return Ok(()) };
    let family = tx.family();
    tx.execute(&FOUND_INSERT, vals![family, id, found]).map(drop)
}

/// Keeps what another file has, in the place of what was there.
pub(super) fn replace(tx: &mut FamilyTx<'_>, id: ImportId, found: Option<&str>) -> Result<()> {
    if found.is_none() {
        return Ok(());
    }
    let family = tx.family();
    tx.execute(&FOUND_DELETE, vals![family, id])?;
    insert(tx, id, found)
}

/// The bank statements of a file, in the order of its rows; none of a file that has none, or that
/// was read by a version that didn't keep them.
pub fn found_statements(tx: &mut FamilyTx<'_>, id: ImportId) -> Result<Vec<FileStatement>> {
    let family = tx.family();
    let found = tx.query_opt(&FOUND, vals![family, id], |row| row.string(0))?;
    let found = found.map(|found| serde_json::from_str(&found)).transpose();
    Ok(found.map_err(Error::internal)?.unwrap_or_default())
}
