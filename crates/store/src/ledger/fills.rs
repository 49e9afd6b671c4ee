//! Filling empty fields of transactions that a file's rows were matched with.
//!
//! An import changes no field that has a value: it only adds missing ones. Its additions are kept
//! as before-images in `import_fills`, so that an undo can take them back. A filled transaction
//! doesn't count as changed: later files are still compared with what its source reported.

use std::collections::HashMap;

use purser_core::error::{Error, Result};
use purser_core::ids::{EntryId, ImportId};
use purser_core::ledger::entry::EntryKind;
use purser_core::ledger::locks::{LockField, Locks};
use purser_core::plan::TransactionFill;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{Applied, Executor};
use crate::access::FamilyTx;
use crate::driver::{Bulk, ColumnType, Val, statements};

statements! {
    /// Sets fields that are empty; changes nothing if one of them is not. An entry that a source
    /// stands behind gets no id. A comparison is null only where one side is.
    ENTRY_FILL = "UPDATE entries
        SET category_id = COALESCE(category_id, $1), notes = COALESCE(notes, $2),
            external_id = COALESCE(external_id, $3), updated_at = $4
        WHERE family_id = $5 AND id = $6 AND kind = $7
            AND (category_id = $1) IS NULL AND (notes = $2) IS NULL
            AND (external_id = $3) IS NULL AND (source = $3) IS NULL";
    /// An id that is filled in counts as reported by the source, also for an entry that was
    /// changed.
    ORIGIN_FILL = "UPDATE entry_origins SET external_id = $1
        WHERE family_id = $2 AND entry_id = $3 AND external_id IS NULL";
    /// Which fields of transactions are empty.
    FIELDS = "SELECT id, category_id IS NULL, notes IS NULL,
            external_id IS NULL AND source IS NULL, locked
        FROM ledger_entries WHERE family_id = $1 AND kind = 0 AND id = ANY($2)";
    /// The transactions that have tags.
    TAGGED = "SELECT entry_id FROM entry_tags WHERE family_id = $1 AND entry_id = ANY($2)";
    /// What imports filled and what of it an undo would take back.
    FILLS_BY_IMPORT = "SELECT entry_id, filled FROM import_fills
        WHERE family_id = $1 AND import_id = $2 ORDER BY entry_id";
}

pub(crate) static FILLS: Bulk = Bulk {
    table: "import_fills",
    columns: &[
        ("family_id", ColumnType::Int),
        ("import_id", ColumnType::Uuid),
        ("entry_id", ColumnType::Uuid),
        ("filled", ColumnType::Text),
    ],
};

/// What an import put into a transaction, as it is kept for undo. Each field was empty before.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filled {
    /// The category that was filled in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category_id: Option<Uuid>,
    /// The notes that were filled in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// The tags, all that it has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tag_ids: Vec<Uuid>,
    /// The bank's id that was filled in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_id: Option<String>,
}

/// Which fields of a transaction are empty. What a person left empty is not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EmptyFields {
    /// It has no category.
    pub category: bool,
    /// It has no notes.
    pub notes: bool,
    /// It has no tags.
    pub tags: bool,
    /// It has no id of the bank, and no other source.
    pub external_id: bool,
}

impl Executor {
    /// Fills empty fields of one transaction; that one of them is not empty is a defect.
    pub(super) fn fill_transaction(
        &mut self,
        tx: &mut FamilyTx<'_>,
        fill: &TransactionFill<'_>,
    ) -> Result<Applied> {
        let category = fill.category.map(|target| self.resolve(target)).transpose()?;
        let now = tx.now();
        let changed = tx.execute(
            &ENTRY_FILL,
            &[
                category.into(),
                fill.notes.into(),
                fill.external_id.into(),
                now.into(),
                self.family.into(),
                fill.entry.into(),
                Val::Int(EntryKind::Transaction.code()),
            ],
        )?;
        if changed != 1 {
            return Err(Error::internal(format!(
                "transaction {} is not there, or has what was to be filled in",
                fill.entry
            )));
        }
        if let Some(id) = fill.external_id {
            tx.execute(&ORIGIN_FILL, &[id.into(), self.family.into(), fill.entry.into()])?;
        }
        let tags = fill.tags.iter().map(|tag| self.resolve(*tag)).collect::<Result<_>>()?;
        self.tag(tx, fill.entry, fill.tags)?;
        let filled = Filled {
            category_id: category,
            notes: fill.notes.map(str::to_owned),
            tag_ids: tags,
            external_id: fill.external_id.map(str::to_owned),
        };
        let filled = serde_json::to_string(&filled).map_err(Error::internal)?;
        let row = [self.family.into(), fill.import.into(), fill.entry.into(), Val::Text(&filled)];
        self.fills.push(tx, &row)?;
        Ok(Applied { entry: fill.entry, existed: true })
    }
}

/// Which fields of these transactions are empty. What is not there, or no transaction, is left out.
pub fn empty_fields(
    tx: &mut FamilyTx<'_>,
    entries: &[EntryId],
) -> Result<HashMap<EntryId, EmptyFields>> {
    let family = tx.family();
    let mut found = HashMap::with_capacity(entries.len());
    let keys: Vec<Val<'_>> = entries.iter().map(|id| (*id).into()).collect();
    tx.lookup(&FIELDS, &[family.into()], &keys, |row| {
        let locked = Locks::from_bits(row.int(4)?);
        let empty = EmptyFields {
            category: row.bool(1)? && !locked.has(LockField::Category),
            notes: row.bool(2)? && !locked.has(LockField::Notes),
            tags: !locked.has(LockField::Tags),
            external_id: row.bool(3)?,
        };
        found.insert(row.id(0)?, empty);
        Ok(())
    })?;
    tx.lookup(&TAGGED, &[family.into()], &keys, |row| {
        if let Some(empty) = found.get_mut(&row.id::<EntryId>(0)?) {
            empty.tags = false;
        }
        Ok(())
    })?;
    Ok(found)
}

/// What an import filled, by entry.
pub fn fills_of(tx: &mut FamilyTx<'_>, import: ImportId) -> Result<Vec<(EntryId, Filled)>> {
    let family = tx.family();
    tx.query(&FILLS_BY_IMPORT, &[family.into(), import.into()], |row| {
        let filled = serde_json::from_str(row.text(1)?).map_err(Error::internal)?;
        Ok((row.id(0)?, filled))
    })
}
