//! Another configuration for an import that is there: what was found is replaced as a whole.

use purser_core::error::Result;
use purser_core::ids::ImportId;
use purser_core::import::status::ImportStatus;

use super::{NewImport, count, found_statements, mappings, offsets_insert, pages};
use crate::access::FamilyTx;
use crate::driver::{Val, statements};

statements! {
    /// Everything that follows from settings and file. No earlier upload is its equal any more, its
    /// plan is of what it was, and so was a wish to publish it. The time of the change moves even
    /// within a microsecond: plans are compared by it.
    IMPORT_REPLACE = "UPDATE imports
        SET account_id = $1, file_id = $2, settings = $3, layout = $4, readable = $5, as_of = $6,
            rows_count = $7, valid_rows_count = $8, invalid_rows_count = $9, left_out_count = $10,
            mappings_count = $11, unassigned_mappings_count = $12, findings = $13,
            skip_invalid = $14, template_id = $15, upload_fingerprint = NULL,
            publish_wanted = $16, publish_failed_at = NULL, plan = NULL, plan_version = NULL,
            plan_flows = NULL, readback = NULL,
            updated_at = CASE WHEN updated_at >= $17 THEN updated_at + 1 ELSE $17 END
        WHERE family_id = $18 AND id = $19 AND status = $20";
    /// Removes the stored offsets of the records.
    OFFSETS_DELETE = "DELETE FROM import_offsets WHERE family_id = $1 AND import_id = $2";
    /// What was to become of the rows before.
    PLAN_DELETE = "DELETE FROM import_plan_blocks WHERE family_id = $1 AND import_id = $2";
}

/// Replaces what was found before; the plan is removed. Returns false and changes nothing if the
/// import is not in the status that the change starts from. Type, wish and fingerprint of `new` are
/// ignored: they don't change.
pub fn replace(
    tx: &mut FamilyTx<'_>,
    id: ImportId,
    from: ImportStatus,
    new: &NewImport,
) -> Result<bool> {
    let family = tx.family();
    let reading = &new.reading;
    let now = tx.now();
    let changed = tx.execute(
        &IMPORT_REPLACE,
        &[
            new.account.into(),
            new.file.into(),
            Val::Text(&new.settings),
            reading.layout.as_deref().into(),
            Val::Bool(reading.readable),
            reading.as_of.into(),
            count(reading.valid_rows + reading.invalid_rows),
            count(reading.valid_rows),
            count(reading.invalid_rows),
            count(reading.left_out),
            count(reading.mappings.len() as u64),
            count(reading.unassigned()),
            Val::Text(&reading.findings),
            Val::Bool(new.skip_invalid),
            new.template.map(|template| template.0).into(),
            Val::Bool(false),
            now.into(),
            family.into(),
            id.into(),
            Val::Text(from.as_str()),
        ],
    )?;
    if changed == 0 {
        return Ok(false);
    }
    let key = [family.into(), id.into()];
    tx.execute(&PLAN_DELETE, &key)?;
    tx.execute(&OFFSETS_DELETE, &key)?;
    mappings::mappings_delete(tx, id)?;
    mappings::mappings_insert(tx, id, &reading.mappings)?;
    if let Some(offsets) = &reading.offsets {
        offsets_insert(tx, id, offsets)?;
    }
    found_statements::replace(tx, id, reading.statements.as_deref())?;
    if reading.statements.is_some() {
        pages::remove(tx, id)?;
        pages::insert(tx, id, reading.pages)?;
    }
    Ok(true)
}
