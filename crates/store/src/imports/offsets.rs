//! Where the records of an import's file start.

use purser_core::error::Result;
use purser_core::ids::{FileId, ImportId};

use crate::access::FamilyTx;
use crate::driver::{Val, statements};

statements! {
    /// Where the records start.
    OFFSETS_INSERT = "INSERT INTO import_offsets (family_id, import_id, records_file_id, offsets)
        VALUES ($1, $2, $3, $4)";
    /// Where the records start.
    OFFSETS_BY_IMPORT = "SELECT records_file_id, offsets FROM import_offsets
        WHERE family_id = $1 AND import_id = $2";
}

/// Where the records of a file start.
#[derive(Debug, Clone)]
pub struct Offsets {
    /// The text in UTF-8, if the evidence is in another encoding.
    pub records_file: Option<FileId>,
    /// The offset index of the file.
    pub bytes: Vec<u8>,
}

/// Keeps where the records start.
pub(super) fn offsets_insert(tx: &mut FamilyTx<'_>, id: ImportId, offsets: &Offsets) -> Result<()> {
    let family = tx.family();
    let bytes = Val::Bytes(&offsets.bytes);
    let offsets = [family.into(), id.into(), offsets.records_file.into(), bytes];
    tx.execute(&OFFSETS_INSERT, &offsets).map(drop)
}

/// Where an import's records start; `None` when nothing was found to read.
pub fn offsets(tx: &mut FamilyTx<'_>, id: ImportId) -> Result<Option<Offsets>> {
    let family = tx.family();
    tx.query_opt(&OFFSETS_BY_IMPORT, &[family.into(), id.into()], |row| {
        Ok(Offsets { records_file: row.opt_uuid(0)?.map(FileId), bytes: row.bytes(1)?.to_vec() })
    })
}
