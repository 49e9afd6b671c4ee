//! Pending entries that a person has touched and that the bank does not report any more.
//!
//! No sync takes away what people touched, so these wait for a person: who deletes them, or leaves
//! them for a bank that books late.

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::{AccountId, EntryId};
use purser_core::money::Currency;
use purser_core::sync::ABSENCES_MAX;

use crate::access::FamilyTx;
use crate::driver::{Row, statements, vals};

statements! {
    /// Pending rows that were missing on so many days, of entries that a person has touched. Those
    /// of a pair that waits for a person are shown with the pair.
    UNREPORTED = "SELECT e.id, e.account_id, e.date, e.amount, e.currency, e.name, r.absent_on
        FROM sync_rows r JOIN ledger_entries e ON e.family_id = $1 AND e.id = r.entry_id
        WHERE r.family_id = $1 AND r.pending AND r.absences >= $2 AND e.pending
            AND e.changed_at IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM sync_suggestions q
                JOIN ledger_entries o ON o.family_id = $1 AND o.id = q.other_id
                WHERE q.family_id = $1 AND q.entry_id = e.id)
        ORDER BY e.date DESC, e.id";
}

/// A pending entry that the bank does not report any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreported {
    /// The id of the entry.
    pub id: EntryId,
    /// The account that it is in.
    pub account: AccountId,
    /// The day of the entry.
    pub date: Date,
    /// The amount in the scale of its currency; positive = money out.
    pub amount: i64,
    /// The currency of the amount.
    pub currency: Currency,
    /// The name that people see.
    pub name: String,
    /// The day on which it was noticed.
    pub absent_on: Option<Date>,
}

/// Those in visible accounts, the newest first.
pub fn list(tx: &mut FamilyTx<'_>) -> Result<Vec<Unreported>> {
    let (family, visible) = (tx.family(), tx.accounts());
    let mut found = tx.query(&UNREPORTED, vals![family, ABSENCES_MAX], read)?;
    found.retain(|one| visible.covers(Some(one.account)));
    Ok(found)
}

fn read(row: &Row<'_>) -> Result<Unreported> {
    Ok(Unreported {
        id: row.id(0)?,
        account: row.id(1)?,
        date: row.date(2)?,
        amount: row.int(3)?,
        currency: row.currency(4)?,
        name: row.string(5)?,
        absent_on: row.opt_date(6)?,
    })
}
