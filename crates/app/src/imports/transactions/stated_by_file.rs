//! What a program's file states beyond its rows: what accounts began with, and which rows are the
//! two sides of a transfer.

use purser_core::error::Result;
use purser_core::ids::EntryId;
use purser_core::import::layout::Layout;
use purser_core::import::register::{Leg, PairBook, StatedOpening, StatedPair};
use purser_core::import::transaction::Row;
use purser_store::FamilyTx;
use purser_store::ledger::Executor;
use purser_store::transfers::stated;

use crate::imports::creations::Creations;
use crate::imports::names::Names;

/// What has to be kept of it until the publish ends.
pub(super) struct StatedByFile {
    openings: Vec<StatedOpening>,
    legs: PairBook,
    pairs: Vec<StatedPair>,
}

impl StatedByFile {
    /// What the file states about its accounts.
    pub(super) fn new(layout: &Layout) -> Self {
        let openings = layout.openings.clone();
        Self { openings, legs: PairBook::default(), pairs: Vec::new() }
    }

    /// Takes the transaction of a row that may be one side of a transfer.
    pub(super) fn side(&mut self, row: &Row<'_>, entry: EntryId, is_new: bool, names: &mut Names) {
        let Some(other) = row.transfer else { return };
        let account = names.account(row.account, row.currency);
        let other = names.account(Some(other), row.currency);
        if let (Some(account), Some(other)) = (account, other) {
            let Row { date, amount, currency, .. } = *row;
            let leg = Leg { entry, is_new, account, other, date, amount, currency };
            self.pairs.extend(self.legs.leg(leg));
        }
    }

    /// Creates accounts of which the file states nothing but what they hold.
    pub(super) fn create_accounts(
        &self,
        tx: &mut FamilyTx<'_>,
        names: &mut Names,
        creations: &mut Creations,
        executor: &mut Executor,
    ) -> Result<()> {
        for StatedOpening { account, currency, .. } in &self.openings {
            if let Some(target) = names.account(Some(account), *currency) {
                creations.create(tx, executor, target)?;
            }
        }
        Ok(())
    }

    /// How many transfers have both sides.
    pub(super) fn transfers(&self) -> usize {
        self.pairs.len()
    }

    /// Makes the transfers, once their sides are in the ledger.
    pub(super) fn add_transfers(&self, tx: &mut FamilyTx<'_>) -> Result<u64> {
        stated::add(tx, &self.pairs)
    }
}
