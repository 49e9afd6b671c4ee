//! What the names of an import stand for now: since the upload it may have been created or removed.

use purser_core::error::Result;
use purser_core::ids::ImportId;

use super::Mapping;
use crate::access::FamilyTx;
use crate::driver::{Val, statements};

statements! {
    /// What a name stands for by now.
    MAPPING_RESOLVE = "UPDATE import_mappings SET target_id = $1, creates = $2, problem = $3, chosen = $4
        WHERE family_id = $5 AND import_id = $6 AND kind = $7 AND value_key = $8";
    /// How many names a person must choose for.
    UNASSIGNED_COUNT = "UPDATE imports SET unassigned_mappings_count = (
            SELECT CAST(COUNT(*) AS BIGINT) FROM import_mappings m
            WHERE m.family_id = $1 AND m.import_id = imports.id
                AND m.problem IS NOT NULL)
        WHERE family_id = $1 AND id = $2";
}

/// Stores what these names stand for by now, and how many names nothing is known of.
pub fn mappings_resolve(
    tx: &mut FamilyTx<'_>,
    import: ImportId,
    resolved: &[Mapping],
) -> Result<()> {
    let family = tx.family();
    for mapping in resolved {
        tx.execute(
            &MAPPING_RESOLVE,
            &[
                mapping.target.into(),
                Val::Bool(mapping.creates),
                mapping.problem.as_deref().into(),
                Val::Bool(mapping.choice.is_some()),
                family.into(),
                import.into(),
                Val::Text(mapping.kind.as_str()),
                Val::Text(&mapping.value_key),
            ],
        )?;
    }
    if !resolved.is_empty() {
        tx.execute(&UNASSIGNED_COUNT, &[family.into(), import.into()])?;
    }
    Ok(())
}
