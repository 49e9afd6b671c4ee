//! Pairs that a person rejected as transfers: they are not proposed again until that is taken back.
//!
//! A pair outlives its transactions; only pairs of which both transactions exist are shown.

use jiff::Timestamp;
use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, EntryId, RejectedTransferId};
use serde_json::json;

use super::{Side, shown, sides};
use crate::access::FamilyTx;
use crate::audit::{self};
use crate::driver::{Filter, Query, Row, Val, statements, vals};
use crate::families::FamilyId;

statements! {
    /// The pair with an id.
    REJECTED_BY_ID = "SELECT t.id, t.created_at,
            o.id, o.date, o.amount, o.currency, o.name, a.id, a.name, a.account_type, a.status,
            i.id, i.date, i.amount, i.currency, i.name, b.id, b.name, b.account_type, b.status
        FROM rejected_transfers t
        JOIN ledger_entries o ON o.family_id = $1 AND o.id = t.outflow_id
        JOIN accounts a ON a.family_id = $1 AND a.id = o.account_id
        JOIN ledger_entries i ON i.family_id = $1 AND i.id = t.inflow_id
        JOIN accounts b ON b.family_id = $1 AND b.id = i.account_id
        WHERE t.family_id = $1 AND t.id = $2";
    /// Remembers a pair, once.
    REJECTED_ADD = "INSERT INTO rejected_transfers
            (family_id, id, outflow_id, inflow_id, created_at)
        VALUES ($1, $2, $3, $4, $5) ON CONFLICT (family_id, outflow_id, inflow_id) DO NOTHING";
    /// Forgets a pair by its id.
    REJECTED_REMOVE = "DELETE FROM rejected_transfers WHERE family_id = $1 AND id = $2";
    /// Removes a pair for good.
    REJECTED_REMOVE_PAIR = "DELETE FROM rejected_transfers
        WHERE family_id = $1 AND outflow_id = $2 AND inflow_id = $3";
}

const SELECT: &str = "SELECT t.id, t.created_at,
        o.id, o.date, o.amount, o.currency, o.name, a.id, a.name, a.account_type, a.status,
        i.id, i.date, i.amount, i.currency, i.name, b.id, b.name, b.account_type, b.status
    FROM rejected_transfers t
    JOIN ledger_entries o ON o.family_id = $1 AND o.id = t.outflow_id
    JOIN accounts a ON a.family_id = $1 AND a.id = o.account_id
    JOIN ledger_entries i ON i.family_id = $1 AND i.id = t.inflow_id
    JOIN accounts b ON b.family_id = $1 AND b.id = i.account_id";
const SELECT_COUNT: &str = "SELECT COUNT(*) FROM rejected_transfers t
    JOIN ledger_entries o ON o.family_id = $1 AND o.id = t.outflow_id
    JOIN ledger_entries i ON i.family_id = $1 AND i.id = t.inflow_id";
const NEWEST_FIRST: &str = "ORDER BY t.created_at DESC, t.id DESC LIMIT ? OFFSET ?";

/// A pair that is no transfer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejected {
    /// The id of the pair.
    pub id: RejectedTransferId,
    /// When it was rejected.
    pub created_at: Timestamp,
    /// Where the money went out.
    pub outflow: Side,
    /// Where it came in.
    pub inflow: Side,
}

/// Which pairs are listed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Listing {
    /// Only with this account on one side.
    pub account: Option<AccountId>,
    /// From this day on, by the day on which the money went out.
    pub start: Option<Date>,
    /// Up to this day.
    pub end: Option<Date>,
}

/// A page of the rejected pairs with both sides in visible accounts, the latest first, and how many
/// there are in all.
pub fn list(
    tx: &mut FamilyTx<'_>,
    listing: Listing,
    limit: i64,
    offset: i64,
) -> Result<(Vec<Rejected>, u64)> {
    let family = tx.family();
    let filter = filter(family, &listing, &shown(tx)?);
    let total = tx.query_one(&filter.query(SELECT_COUNT, "", []), &[], |row| row.count(0))?;
    let page = filter.query(SELECT, NEWEST_FIRST, [limit.into(), offset.into()]);
    Ok((tx.query(&page, &[], read)?, total))
}

fn filter<'a>(family: FamilyId, listing: &Listing, shown: &[AccountId]) -> Filter<'a> {
    let accounts = || shown.iter().map(|id| Val::from(*id));
    let mut filter = Filter::of_family("t.family_id = ?", family)
        .and_in("o.account_id", accounts())
        .and_in("i.account_id", accounts())
        .and_opt("o.date >= ?", listing.start)
        .and_opt("o.date <= ?", listing.end);
    if let Some(account) = listing.account {
        let either = "o.account_id = ? OR i.account_id = ?";
        filter = filter.and(either, [account.into(), account.into()]);
    }
    filter
}

/// The rejected pair with an id.
pub fn get(tx: &mut FamilyTx<'_>, id: RejectedTransferId) -> Result<Rejected> {
    let (family, visible) = (tx.family(), tx.accounts());
    tx.query_opt(&REJECTED_BY_ID, vals![family, id], read)?
        .filter(|pair| visible.shows(&pair.outflow.account) && visible.shows(&pair.inflow.account))
        .ok_or(Error::NotFound { what: "Rejected transfer" })
}

/// Takes a rejection back: the pair may be proposed again.
pub fn remove(tx: &mut FamilyTx<'_>, id: RejectedTransferId) -> Result<()> {
    let actor = tx.actor();
    let family = tx.family();
    let pair = get(tx, id)?;
    tx.execute(&REJECTED_REMOVE, vals![family, id])?;
    let event = audit::Event {
        actor,
        action: "rejected_transfer.remove",
        subject_kind: "rejected_transfer",
        subject_id: Some(id.0),
        details: json!({ "outflow": pair.outflow.id, "inflow": pair.inflow.id }),
    };
    audit::record(tx, &event).map(drop)
}

/// Remembers that a pair is no transfer.
pub(super) fn add(tx: &mut FamilyTx<'_>, outflow: EntryId, inflow: EntryId) -> Result<()> {
    let family = tx.family();
    let (id, now) = (tx.new_id()?, tx.now());
    tx.execute(&REJECTED_ADD, vals![family, id, outflow, inflow, now]).map(drop)
}

/// Forgets that a pair is no transfer.
pub(super) fn forget(tx: &mut FamilyTx<'_>, outflow: EntryId, inflow: EntryId) -> Result<()> {
    let family = tx.family();
    tx.execute(&REJECTED_REMOVE_PAIR, vals![family, outflow, inflow]).map(drop)
}

fn read(row: &Row<'_>) -> Result<Rejected> {
    Ok(Rejected {
        id: row.id(0)?,
        created_at: row.timestamp(1)?,
        outflow: sides::read(row, 2)?,
        inflow: sides::read(row, 11)?,
    })
}

/// The widest queries of this module, for the test that prepares them.
pub(super) fn query_examples(family: FamilyId, account: AccountId) -> Vec<Query<'static>> {
    let day = Some(Date::constant(2000, 1, 1));
    let listing = Listing { account: Some(account), start: day, end: day };
    let filter = filter(family, &listing, &[account]);
    vec![
        filter.query(SELECT, NEWEST_FIRST, [1.into(), 1.into()]),
        filter.query(SELECT_COUNT, "", []),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_columns_are_read_of_one_and_of_many() {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words(REJECTED_BY_ID.text()).starts_with(&words(SELECT)));
    }
}
