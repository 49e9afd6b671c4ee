//! What pairs entries, once these are written.

use purser_core::error::{Error, Result};
use purser_core::ids::EntryId;
use purser_core::import::native::{Record, RecordType, RecordTypes, SourceId};
use purser_store::FamilyTx;
use purser_store::ledger::{RestoredTransfer, restore_rejected, restore_transfer};

use super::publication::Basis;

/// Adds the transfers and the rejected pairs of a file.
pub(super) fn add(
    tx: &mut FamilyTx<'_>,
    basis: &Basis,
    entry_of: impl Fn(&SourceId) -> Option<EntryId>,
) -> Result<()> {
    if basis.collected.sides.count() == 0 {
        return Ok(());
    }
    let import = basis.import.id;
    let wanted = RecordTypes::of(&[RecordType::Transfer, RecordType::RejectedTransfer]);
    basis.source.visit_types(
        wanted,
        1,
        |_| false,
        |visited| {
            let record = visited.outcome.as_ref().ok().and_then(|row| row.native());
            let Some(record) = record else { return Ok(()) };
            if !basis.blocks.get(visited.row)?.verdict.creates() {
                return Ok(());
            }
            match record {
                Record::Transfer(one) => {
                    let missing = || Error::internal("a transfer of no entry");
                    let transfer = RestoredTransfer {
                        outflow: entry_of(&one.outflow).ok_or_else(missing)?,
                        inflow: entry_of(&one.inflow).ok_or_else(missing)?,
                        status: one.status,
                        made_by: one.made_by,
                        score: one.score,
                        reasons: &one.reasons,
                    };
                    restore_transfer(tx, import, &transfer).map(drop)
                }
                Record::RejectedTransfer(one) => {
                    restore_rejected(tx, import, (entry_of(&one.outflow), entry_of(&one.inflow)))
                }
                _ => Ok(()),
            }
        },
    )
}
