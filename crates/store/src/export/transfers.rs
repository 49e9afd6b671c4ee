//! Transfers, and pairs that are none.

use purser_core::error::{Error, Result};
use serde_json::value::RawValue;

use super::line::Lines;
use super::records::{RejectedTransfer, Transfer};
use crate::access::FamilyTx;
use crate::driver::{statements, vals};

statements! {
    /// The transfers, proposed ones too.
    TRANSFERS = "SELECT id, outflow_id, inflow_id, status, made_by, score, reasons
        FROM transfers WHERE family_id = $1 ORDER BY id";
    /// Pairs that a person rejected; their entries may be gone.
    REJECTED = "SELECT id, outflow_id, inflow_id
        FROM rejected_transfers WHERE family_id = $1 ORDER BY id";
}

/// Writes what pairs entries.
pub(super) fn write(tx: &mut FamilyTx<'_>, lines: &mut Lines<'_>) -> Result<()> {
    let family = tx.family();
    tx.for_each(&TRANSFERS, vals![family], |row| {
        let reasons: &RawValue = serde_json::from_str(row.text(6)?).map_err(Error::internal)?;
        lines.put(&Transfer {
            id: row.uuid(0)?,
            outflow_transaction_id: row.uuid(1)?,
            inflow_transaction_id: row.uuid(2)?,
            status: row.text(3)?,
            made_by: row.text(4)?,
            score: row.int(5)?,
            reasons,
        })
    })?;
    tx.for_each(&REJECTED, vals![family], |row| {
        lines.put(&RejectedTransfer {
            id: row.uuid(0)?,
            outflow_transaction_id: row.uuid(1)?,
            inflow_transaction_id: row.uuid(2)?,
        })
    })
}
