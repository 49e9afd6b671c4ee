//! What a publish created beside entries: undo removes it again if nothing else uses it.

use purser_core::error::Result;
use purser_core::ids::ImportId;
use purser_core::import::mapping::MappingKind;
use uuid::Uuid;

use crate::access::FamilyTx;
use crate::driver::{Val, statements};
use crate::families::FamilyId;

statements! {
    /// Something that a publish created.
    CREATED_INSERT = "INSERT INTO import_created (family_id, import_id, kind, target_id)
        VALUES ($1, $2, $3, $4)";
}

/// Notes that a publish created something.
pub fn note_created(
    tx: &mut FamilyTx<'_>,
    family: FamilyId,
    import: ImportId,
    kind: MappingKind,
    id: Uuid,
) -> Result<()> {
    let row = [family.into(), import.into(), Val::Text(kind.as_str()), Val::Uuid(id)];
    tx.execute(&CREATED_INSERT, &row).map(drop)
}
