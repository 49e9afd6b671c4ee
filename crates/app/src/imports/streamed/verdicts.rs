//! The verdicts of a plan beside the rows, and what is empty in the entries that they match.
//!
//! A block at a time is in memory. Entries are only looked at if a row could fill something, and
//! then those of a whole block at once.

use std::collections::HashMap;

use purser_core::error::Result;
use purser_core::ids::{EntryId, ImportId};
use purser_store::FamilyTx;
use purser_store::imports::{self, BLOCK_ROWS, Block, Planned};
use purser_store::ledger::{EmptyFields, empty_fields};

use crate::imports::built_plan::BuiltPlan;

/// The verdicts, block after block.
pub(super) struct Verdicts {
    /// The plan, if it isn't stored.
    built: Option<BuiltPlan>,
    block: Option<(u64, Block)>,
    /// What is empty in the entries that rows of the block were matched with, if somebody asked.
    empty: Option<HashMap<EntryId, EmptyFields>>,
}

impl Verdicts {
    /// The verdicts of the stored plan, or those of one that was made just now.
    pub(super) fn new(built: Option<BuiltPlan>) -> Self {
        Self { built, block: None, empty: None }
    }

    /// The plan that isn't stored yet.
    pub(super) fn into_built(self) -> Option<BuiltPlan> {
        self.built
    }

    /// The verdict on a row, counted from 1. Rows come in order.
    pub(super) fn of(
        &mut self,
        tx: &mut FamilyTx<'_>,
        import: ImportId,
        row: u64,
    ) -> Result<Planned> {
        let (number, index) = ((row - 1) / BLOCK_ROWS, (row - 1) % BLOCK_ROWS);
        if let Some((known, block)) = &self.block
            && *known == number
        {
            return block.get(index);
        }
        let block = match &self.built {
            Some(built) => built.plan.blocks().block(number)?.clone(),
            None => imports::plan_block(tx, import, number)?,
        };
        self.empty = None;
        let (_, block) = self.block.insert((number, block));
        block.get(index)
    }

    /// What was read is read again.
    pub(super) fn forget(&mut self) {
        self.block = None;
        self.empty = None;
    }

    /// What is empty in an entry that a row of the same block was matched with; `None` if it isn't
    /// there.
    pub(super) fn empty_fields(
        &mut self,
        tx: &mut FamilyTx<'_>,
        entry: EntryId,
    ) -> Result<Option<EmptyFields>> {
        let empty = match &mut self.empty {
            Some(empty) => empty,
            None => {
                let block = self.block.iter().flat_map(|(_, block)| block.records());
                let matched = block.filter(|(_, verdict)| verdict.matches());
                let entries: Vec<EntryId> = matched.map(|(record, _)| EntryId(record)).collect();
                self.empty.insert(empty_fields(tx, &entries)?)
            }
        };
        Ok(empty.get(&entry).copied())
    }
}
