//! Edits of single rows of an import: an overlay by row number.

use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::import::row_edit::{RowChoice, RowEdit, RowEdits};

use super::count;
use crate::access::FamilyTx;
use crate::driver::{Val, statements};

statements! {
    /// Every correction of an import.
    EDITS = "SELECT row_number, cells, choice FROM import_row_edits
        WHERE family_id = $1 AND import_id = $2 ORDER BY row_number";
    /// Stores the edit of a row.
    EDIT_PUT = "INSERT INTO import_row_edits
            (family_id, import_id, row_number, cells, choice, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (family_id, import_id, row_number)
        DO UPDATE SET cells = EXCLUDED.cells, choice = EXCLUDED.choice,
            updated_at = EXCLUDED.updated_at";
    /// Removes the edit of a row.
    EDIT_DELETE = "DELETE FROM import_row_edits
        WHERE family_id = $1 AND import_id = $2 AND row_number = $3";
    /// Counts the rows that become transactions even if they are duplicates.
    CHOICES_COUNT = "SELECT CAST(COUNT(*) AS BIGINT) FROM import_row_edits
        WHERE family_id = $1 AND import_id = $2 AND choice = $3";
    /// Removes edits that have nothing but a choice.
    CHOICES_DELETE = "DELETE FROM import_row_edits
        WHERE family_id = $1 AND import_id = $2 AND choice = $3 AND cells = '{}'";
    /// Removes the choices of edits with corrected cells.
    CHOICES_RESET = "UPDATE import_row_edits SET choice = $1, updated_at = $2
        WHERE family_id = $3 AND import_id = $4 AND choice = $5";
    /// Removes all edits of an import.
    EDITS_DELETE = "DELETE FROM import_row_edits WHERE family_id = $1 AND import_id = $2";
}

/// The edits of the rows of an import.
pub fn row_edits(tx: &mut FamilyTx<'_>, import: ImportId) -> Result<RowEdits> {
    let family = tx.family();
    let mut edits = RowEdits::new();
    tx.for_each(&EDITS, &[family.into(), import.into()], |row| {
        let choice = row.named(2)?;
        let cells = serde_json::from_str(row.text(1)?).map_err(Error::internal)?;
        edits.insert(row.count(0)?, RowEdit { cells, choice });
        Ok(())
    })?;
    Ok(edits)
}

/// Stores the edit of a row, or removes it if it is empty.
pub fn row_edit_put(
    tx: &mut FamilyTx<'_>,
    import: ImportId,
    row: u64,
    edit: &RowEdit,
) -> Result<()> {
    let family = tx.family();
    if edit.is_empty() {
        let key = [family.into(), import.into(), count(row)];
        return tx.execute(&EDIT_DELETE, &key).map(drop);
    }
    let cells = serde_json::to_string(&edit.cells).map_err(Error::internal)?;
    let now = tx.now();
    tx.execute(
        &EDIT_PUT,
        &[
            family.into(),
            import.into(),
            count(row),
            Val::Text(&cells),
            Val::Text(edit.choice.as_str()),
            now.into(),
        ],
    )?;
    Ok(())
}

/// The number of rows that a person chose to become transactions even if they are duplicates.
pub(super) fn row_choices(tx: &mut FamilyTx<'_>, import: ImportId) -> Result<u64> {
    let family = tx.family();
    let key = [family.into(), import.into(), Val::Text(RowChoice::Create.as_str())];
    tx.query_one(&CHOICES_COUNT, &key, |row| row.count(0))
}

/// Removes these choices, so that the plan decides again; corrections of cells are kept. Returns
/// the number of rows.
pub fn row_choices_reset(tx: &mut FamilyTx<'_>, import: ImportId) -> Result<u64> {
    let family = tx.family();
    let create = Val::Text(RowChoice::Create.as_str());
    let now = tx.now();
    let deleted = tx.execute(&CHOICES_DELETE, &[family.into(), import.into(), create])?;
    let plan = Val::Text(RowChoice::Plan.as_str());
    let reset = [plan, now.into(), family.into(), import.into(), create];
    Ok(deleted + tx.execute(&CHOICES_RESET, &reset)?)
}

/// Removes all edits of the rows.
pub fn row_edits_clear(tx: &mut FamilyTx<'_>, import: ImportId) -> Result<()> {
    let family = tx.family();
    tx.execute(&EDITS_DELETE, &[family.into(), import.into()]).map(drop)
}
