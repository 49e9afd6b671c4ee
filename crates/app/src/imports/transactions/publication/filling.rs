//! What matched entries get from their rows: fields that are empty.

use purser_core::error::{Error, Result};
use purser_core::ids::EntryId;
use purser_core::import::mapping::MappingKind;
use purser_core::import::transaction::Row;
use purser_core::plan::{Change, TransactionFill};
use purser_store::FamilyTx;
use purser_store::imports::BLOCK_ROWS;
use purser_store::ledger::EmptyFields;

use super::PlanExecutor;
use crate::imports::transactions::pass::Pass;

impl PlanExecutor {
    /// Gives a matched entry what it doesn't have, or notes that this is to be done.
    pub(super) fn matched(
        &mut self,
        tx: &mut FamilyTx<'_>,
        number: u64,
        row: &Row<'_>,
        entry: EntryId,
    ) -> Result<()> {
        let Some(empty) = self.fillable_fields(tx, row, entry)? else { return Ok(()) };
        if self.pass == Pass::Additions {
            self.filling.insert((number - 1) / BLOCK_ROWS);
            return Ok(());
        }
        self.fill(tx, row, entry, empty)
    }

    /// The empty fields of a matched entry that the row can fill.
    fn fillable_fields(
        &mut self,
        tx: &mut FamilyTx<'_>,
        row: &Row<'_>,
        entry: EntryId,
    ) -> Result<Option<EmptyFields>> {
        let has_more = row.category.is_some() || row.notes.is_some() || row.external_id.is_some();
        if !has_more && row.tags.is_empty() {
            return Ok(None);
        }
        let Some(empty) = self.verdicts.empty_fields(tx, entry)? else {
            return match self.pass {
                Pass::Whole => Err(Error::internal(format!(
                    "the plan names the transaction {entry}, which isn't there"
                ))),
                // Somebody deleted it between two parts.
                Pass::Additions | Pass::Fills => Ok(None),
            };
        };
        let fills = row.category.is_some() && empty.category
            || row.notes.is_some() && empty.notes
            || row.external_id.is_some() && empty.external_id
            || !row.tags.is_empty() && empty.tags;
        Ok(fills.then_some(empty))
    }

    fn fill(
        &mut self,
        tx: &mut FamilyTx<'_>,
        row: &Row<'_>,
        entry: EntryId,
        empty: EmptyFields,
    ) -> Result<()> {
        let category = match row.category.filter(|_| empty.category) {
            Some(name) => Some(self.named(tx, MappingKind::Category, name)?),
            None => None,
        };
        self.tags.clear();
        if empty.tags {
            self.name_tags(tx, row)?;
        }
        let fill = TransactionFill {
            entry,
            import: self.import,
            category,
            notes: row.notes.filter(|_| empty.notes),
            tags: &self.tags,
            external_id: row.external_id.filter(|_| empty.external_id),
        };
        self.executor.apply(tx, &Change::FillTransaction(fill)).map(drop)
    }
}
