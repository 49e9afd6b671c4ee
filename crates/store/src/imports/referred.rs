//! The entries that a plan refers to, for the sentences that explain verdicts.

use std::collections::HashMap;

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::EntryId;

use crate::access::FamilyTx;
use crate::driver::{Filter, Query};
use crate::families::FamilyId;
use crate::ledger::trade_origins::content;

/// An entry as a plan refers to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Referred {
    /// The day of the entry.
    pub date: Date,
    /// The present name; for an entry that is deleted or hidden the name that its source gave.
    pub name: String,
    /// Whether it exists and has another account, day, amount or name than its origin.
    pub changed: bool,
    /// Whether it is a trade.
    pub is_trade: bool,
}

const LIVING: &str = "SELECT id, date, name, EXISTS (SELECT 1 FROM entry_origins o
        WHERE o.family_id = $1 AND o.entry_id = e.id
            AND (o.account_id <> e.account_id OR o.date <> e.date OR o.amount <> e.amount
                OR e.kind = 2 OR o.name <> e.name)), account_id, kind = 2
    FROM ledger_entries e";
/// What trades are shown as: their type, shares and security.
const TRADES: &str = "SELECT t.entry_id, t.trade_type, t.qty, t.price, t.fee, t.split_to,
        t.split_from, s.ticker, s.exchange_operating_mic
    FROM trades t JOIN securities s ON s.family_id = $1 AND s.id = t.security_id";

/// What is known of entries, living or deleted; few at a time. Of one that was moved to an account
/// that the caller may not see it is what its source reported.
pub fn referred(tx: &mut FamilyTx<'_>, entries: &[EntryId]) -> Result<HashMap<EntryId, Referred>> {
    let family = tx.family();
    let mut found = HashMap::new();
    if entries.is_empty() {
        return Ok(found);
    }
    let visible = tx.accounts();
    for query in [origins(family, entries), living(family, entries)] {
        tx.for_each(&query, &[], |row| {
            let (date, name, changed) = (row.date(1)?, row.string(2)?, row.bool(3)?);
            if visible.covers(row.opt_id(4)?) {
                let is_trade = row.bool(5)?;
                found.insert(row.id(0)?, Referred { date, name, changed, is_trade });
            }
            Ok(())
        })?;
    }
    let is_unnamed = |one: &Referred| one.is_trade && one.name.is_empty();
    if found.values().any(is_unnamed) {
        tx.for_each(&trades(family, entries), &[], |row| {
            if let Some(one) = found.get_mut(&row.id(0)?).filter(|one| is_unnamed(one)) {
                one.name = content(row, [1, 2, 3, 4, 5, 6, 7, 8])?;
            }
            Ok(())
        })?;
    }
    Ok(found)
}

fn trades(family: FamilyId, entries: &[EntryId]) -> Query<'static> {
    Filter::of_family("t.family_id = ?", family)
        .and_in("t.entry_id", entries.iter().map(|id| (*id).into()))
        .query(TRADES, "", [])
}

fn living(family: FamilyId, entries: &[EntryId]) -> Query<'static> {
    Filter::of_family("family_id = ?", family)
        .and_in("id", entries.iter().map(|id| (*id).into()))
        .query(LIVING, "", [])
}

fn origins(family: FamilyId, entries: &[EntryId]) -> Query<'static> {
    Filter::of_family("family_id = ?", family)
        .and_in("entry_id", entries.iter().map(|id| (*id).into()))
        .query(
            "SELECT entry_id, date, name, FALSE, account_id, kind = 2 FROM entry_origins",
            "",
            [],
        )
}

/// The longest texts that this module can make, for the test that prepares them.
pub(crate) fn query_examples() -> Vec<Query<'static>> {
    let family = FamilyId::from_number(0);
    let entries = [EntryId(uuid::Uuid::nil()); 3];
    vec![living(family, &entries), origins(family, &entries), trades(family, &entries)]
}
