//! Transfers that a file of an import states: made with its transactions, confirmed, and gone with
//! them when the import is undone.
//!
//! They are no decision of a person, so their sides don't count as changed. A side that was there
//! before stays in the transfer that it is in, and a pair that a person rejected stays rejected.

use purser_core::error::{Error, Result};
use purser_core::ids::EntryId;
use purser_core::import::register::StatedPair;
use purser_core::transfers::{DAYS_MAX, Maker, TransferStatus};
use serde_json::json;

use super::changes::TRANSFERS_SETTLE;
use super::matching::PAIR_STANDS;
use crate::access::FamilyTx;
use crate::driver::{Bulk, ColumnType, Inserter, Val, statements, vals};

pub(crate) static TRANSFERS: Bulk = Bulk {
    table: "transfers",
    columns: &[
        ("family_id", ColumnType::Int),
        ("id", ColumnType::Uuid),
        ("outflow_id", ColumnType::Uuid),
        ("inflow_id", ColumnType::Uuid),
        ("status", ColumnType::Text),
        ("made_by", ColumnType::Text),
        ("score", ColumnType::Int),
        ("reasons", ColumnType::Text),
        ("created_at", ColumnType::Int),
        ("updated_at", ColumnType::Int),
    ],
};

statements! {
    /// A proposal of the same pair, which becomes what the file states.
    PROPOSAL_OF_PAIR_REMOVE = "DELETE FROM transfers WHERE family_id = $1
            AND outflow_id = $2 AND inflow_id = $3 AND status = 'pending'";
}

/// The score of what a file states, and why it has it.
const BY_IMPORT: (i64, &str) = (100, "The file states it.");

/// Makes the transfers, and gives how many it made.
pub fn add(tx: &mut FamilyTx<'_>, pairs: &[StatedPair]) -> Result<u64> {
    let family = tx.family();
    let (now, (score, reason)) = (tx.now(), BY_IMPORT);
    let (status, maker) = (TransferStatus::Confirmed.as_str(), Maker::Import.as_str());
    let reasons = json!([reason]).to_string();
    let ids = tx.reserve_ids((pairs.len() as u64).max(1))?;
    let mut transfers = Inserter::new(&TRANSFERS);
    for (at, pair) in (0..).zip(pairs) {
        if !pair.is_new && !is_free(tx, pair.outflow, pair.inflow)? {
            continue;
        }
        let row = [
            family.into(),
            Val::Uuid(ids.get(at)),
            pair.outflow.into(),
            pair.inflow.into(),
            Val::Text(status),
            Val::Text(maker),
            Val::Int(score),
            Val::Text(&reasons),
            now.into(),
            now.into(),
        ];
        transfers.push(tx, &row)?;
    }
    transfers.flush(tx)
}

/// Whether a pair with a side that was there before can be a transfer. Other proposals of both
/// sides go.
fn is_free(tx: &mut FamilyTx<'_>, outflow: EntryId, inflow: EntryId) -> Result<bool> {
    let family = tx.family();
    let pair = vals![family, outflow, inflow, DAYS_MAX];
    if tx.query_opt(&PAIR_STANDS, pair, |_| Ok(()))?.is_none() {
        return Ok(false);
    }
    tx.execute(&TRANSFERS_SETTLE, vals![family, outflow, inflow])?;
    let removed = tx.execute(&PROPOSAL_OF_PAIR_REMOVE, vals![family, outflow, inflow])?;
    if removed > 1 {
        return Err(Error::internal("a pair is proposed twice"));
    }
    Ok(true)
}
