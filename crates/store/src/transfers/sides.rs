//! The two sides of a transfer.

use std::collections::HashSet;

use jiff::civil::Date;
use purser_core::error::{Problem, Result};
use purser_core::ids::EntryId;
use purser_core::money::Currency;
use uuid::Uuid;

use crate::access::FamilyTx;
use crate::accounts::{AccountSummary, read_summary};
use crate::driver::{Row, statements, vals};

statements! {
    /// A transaction as a side, and whether it is pending.
    SIDE_BY_ID = "SELECT e.id, e.date, e.amount, e.currency, e.name,
            a.id, a.name, a.account_type, a.status, e.pending
        FROM ledger_entries e
        JOIN accounts a ON a.family_id = $1 AND a.id = e.account_id
        WHERE e.family_id = $1 AND e.id = $2 AND e.kind = 0 AND NOT e.is_split";
    /// Both sides of every confirmed transfer.
    CONFIRMED_SIDES = "SELECT outflow_id, inflow_id FROM transfers
        WHERE family_id = $1 AND status = 'confirmed'";
    /// The same with the accounts of the sides.
    CONFIRMED_SIDES_IN_ACCOUNTS = "SELECT t.outflow_id, t.inflow_id, o.account_id, i.account_id
        FROM transfers t
        JOIN entries o ON o.family_id = $1 AND o.id = t.outflow_id
        JOIN entries i ON i.family_id = $1 AND i.id = t.inflow_id
        WHERE t.family_id = $1 AND t.status = 'confirmed'";
}

/// What a transfer shows of one of its transactions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Side {
    /// The id of the transaction.
    pub id: EntryId,
    /// The day that it is of.
    pub date: Date,
    /// The amount in the currency's scale; positive is money out.
    pub amount: i64,
    /// The currency of the amount.
    pub currency: Currency,
    /// The name that its source gave, or that it was renamed to.
    pub name: String,
    /// The account that it belongs to.
    pub account: AccountSummary,
}

/// A transaction that a person names as a side, and whether it is pending; `field` is where
/// the id was sent.
pub(super) fn find(tx: &mut FamilyTx<'_>, id: EntryId, field: &str) -> Result<(Side, bool)> {
    find_any(tx, id)?.ok_or_else(|| Problem::unknown(field, "transaction").into())
}

/// A transaction that may be a side, and whether it is pending: a visible one that is neither split
/// nor a part.
pub(super) fn find_any(tx: &mut FamilyTx<'_>, id: EntryId) -> Result<Option<(Side, bool)>> {
    let (family, visible) = (tx.family(), tx.accounts());
    let found =
        tx.query_opt(&SIDE_BY_ID, vals![family, id], |row| Ok((read(row, 0)?, row.bool(9)?)))?;
    Ok(found.filter(|(side, _)| visible.shows(&side.account)))
}

/// The transactions that are sides of confirmed transfers. For a restricted key a transfer with a
/// side in an account that it may not see doesn't exist.
pub(crate) fn confirmed(tx: &mut FamilyTx<'_>) -> Result<HashSet<Uuid>> {
    let (family, visible) = (tx.family(), tx.accounts());
    let mut sides = HashSet::new();
    if !visible.is_restricted() {
        tx.for_each(&CONFIRMED_SIDES, vals![family], |row| {
            sides.extend([row.uuid(0)?, row.uuid(1)?]);
            Ok(())
        })?;
        return Ok(sides);
    }
    tx.for_each(&CONFIRMED_SIDES_IN_ACCOUNTS, vals![family], |row| {
        if visible.allows(row.id(2)?) && visible.allows(row.id(3)?) {
            sides.extend([row.uuid(0)?, row.uuid(1)?]);
        }
        Ok(())
    })?;
    Ok(sides)
}

/// Reads a side from nine columns.
pub(super) fn read(row: &Row<'_>, first: usize) -> Result<Side> {
    Ok(Side {
        id: row.id(first)?,
        date: row.date(first + 1)?,
        amount: row.int(first + 2)?,
        currency: row.currency(first + 3)?,
        name: row.string(first + 4)?,
        account: read_summary(row, first + 5)?,
    })
}
