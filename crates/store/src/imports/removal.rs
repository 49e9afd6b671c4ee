//! Deleting an import: its record and everything that is known of it, but for what it made in the
//! ledger. Its files are named by no row any more; the caller has them removed.

use purser_core::error::{Error, Result};
use purser_core::ids::{FileId, ImportId};
use purser_core::import::status::ImportStatus;
use serde_json::json;

use super::{get, offsets, pages, sessions};
use crate::access::FamilyTx;
use crate::audit::{self};
use crate::bank_statements;
use crate::driver::statements;

statements! {
    /// Removes the plan of an import.
    REMOVE_PLAN = "DELETE FROM import_plan_blocks WHERE family_id = $1 AND import_id = $2";
    /// Removes the edits of its rows.
    REMOVE_EDITS = "DELETE FROM import_row_edits WHERE family_id = $1 AND import_id = $2";
    /// Removes the mappings of its names.
    REMOVE_MAPPINGS = "DELETE FROM import_mappings WHERE family_id = $1 AND import_id = $2";
    /// Removes the offsets of its records.
    REMOVE_OFFSETS = "DELETE FROM import_offsets WHERE family_id = $1 AND import_id = $2";
    /// Removes what its bank statements state about themselves.
    REMOVE_STATEMENTS = "DELETE FROM import_statements WHERE family_id = $1 AND import_id = $2";
    /// Removes the before-images of its fills.
    REMOVE_FILLS = "DELETE FROM import_fills WHERE family_id = $1 AND import_id = $2";
    /// Removes the list of what it created beside entries.
    REMOVE_CREATED = "DELETE FROM import_created WHERE family_id = $1 AND import_id = $2";
    /// What it changed of records that are no entries.
    REMOVE_CHANGES = "DELETE FROM import_changes WHERE family_id = $1 AND import_id = $2";
    /// Removes the import itself.
    REMOVE_IMPORT = "DELETE FROM imports WHERE family_id = $1 AND id = $2";
    /// The row of a file that no import has any more.
    REMOVE_FILE = "DELETE FROM files WHERE family_id = $1 AND id = $2
        AND NOT EXISTS (SELECT 1 FROM imports i WHERE i.family_id = $1 AND i.file_id = $2)
        AND NOT EXISTS (SELECT 1 FROM import_offsets o
            WHERE o.family_id = $1 AND o.records_file_id = $2)";
}

/// Deletes an import that no job works on. What it created in the ledger is kept. Returns the files
/// that no row names any more.
pub fn remove(tx: &mut FamilyTx<'_>, id: ImportId) -> Result<Vec<FileId>> {
    let actor = tx.actor();
    let family = tx.family();
    let import = get(tx, id)?;
    if matches!(import.status, ImportStatus::Importing | ImportStatus::Reverting) {
        return Err(Error::Conflict {
            code: "import_in_progress",
            message: format!("The import is {}: wait for its end", import.status.as_str()),
        });
    }
    let records = offsets(tx, id)?.and_then(|offsets| offsets.records_file);
    let pages_file = pages::pages_file(tx, id)?;
    let files: Vec<FileId> = import.file.into_iter().chain(records).chain(pages_file).collect();
    sessions::chunks::remove_of_import(tx, id)?;
    bank_statements::remove_of_import(tx, id)?;
    pages::remove(tx, id)?;
    for statement in [
        &REMOVE_PLAN,
        &REMOVE_EDITS,
        &REMOVE_MAPPINGS,
        &REMOVE_OFFSETS,
        &REMOVE_STATEMENTS,
        &REMOVE_FILLS,
        &REMOVE_CREATED,
        &REMOVE_CHANGES,
        &REMOVE_IMPORT,
    ] {
        tx.execute(statement, &[family.into(), id.into()])?;
    }
    let mut unnamed = Vec::new();
    for file in &files {
        if tx.execute(&REMOVE_FILE, &[family.into(), (*file).into()])? > 0 {
            unnamed.push(*file);
        }
    }
    let entries = import.range.map(|(first, last)| json!({ "first": first, "last": last }));
    audit::record(
        tx,
        &audit::Event {
            actor,
            action: "import.delete",
            subject_kind: "import",
            subject_id: Some(id.0),
            details: json!({ "status": import.status.as_str(), "files": files,
                "entries": entries, "created": import.created }),
        },
    )?;
    Ok(unnamed)
}
