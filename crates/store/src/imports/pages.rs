//! The file with the pages of a document as they were read.

use purser_core::error::Result;
use purser_core::ids::{FileId, ImportId};

use crate::access::FamilyTx;
use crate::driver::{statements, vals};

statements! {
    /// The pages of a document.
    PAGES_INSERT = "INSERT INTO import_pages (family_id, import_id, file_id)
        VALUES ($1, $2, $3)";
    /// Another document has taken the place of theirs.
    PAGES_DELETE = "DELETE FROM import_pages WHERE family_id = $1 AND import_id = $2";
    /// Those of the document that is read.
    PAGES = "SELECT file_id FROM import_pages WHERE family_id = $1 AND import_id = $2";
}

/// Notes the file with the pages, if the import has one.
pub(super) fn insert(tx: &mut FamilyTx<'_>, id: ImportId, file: Option<FileId>) -> Result<()> {
    let Some(file) = file else { return Ok(()) };
    let family = tx.family();
    tx.execute(&PAGES_INSERT, vals![family, id, file]).map(drop)
}

/// Notes that there are no pages any more.
pub(super) fn remove(tx: &mut FamilyTx<'_>, id: ImportId) -> Result<()> {
    let family = tx.family();
    tx.execute(&PAGES_DELETE, vals![family, id]).map(drop)
}

/// The file with the pages; none of what is no document, or was read by a version that didn't keep
/// them.
pub fn pages_file(tx: &mut FamilyTx<'_>, id: ImportId) -> Result<Option<FileId>> {
    let family = tx.family();
    tx.query_opt(&PAGES, vals![family, id], |row| row.uuid(0).map(FileId))
}
