//! Entries that rows of a file may stand for or resemble.
//!
//! The columns of an unchanged transaction are those of its source. A transaction that a person or
//! a rule changed counts twice: as its origin, and as it is now. Origins of deleted ones are
//! tombstones. The keys of all that lies in the days of a file are scanned; only those that the
//! caller selects are read whole.

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::{AccountId, EntryId};
use purser_core::import::transaction::duplicates::Aspect;
use purser_core::money::Currency;

use crate::access::FamilyTx;
use crate::driver::{Row, Sql, Val, statements};

statements! {
    /// Keys of an account's transactions as they are now; from the index alone on SQLite.
    ENTRY_KEYS = "SELECT id, date, amount FROM ledger_entries
        WHERE family_id = $1 AND account_id = $2 AND date BETWEEN $3 AND $4 AND kind = 0";
    /// Keys of the origins of an account's changed and deleted transactions.
    ORIGIN_KEYS = "SELECT entry_id, date, amount FROM entry_origins
        WHERE family_id = $1 AND account_id = $2 AND date BETWEEN $3 AND $4";
    /// Transactions of an account that have an id of the bank, changed or not.
    ENTRIES_BY_EXTERNAL = "SELECT id FROM ledger_entries
        WHERE family_id = $1 AND account_id = $2 AND external_id = ANY($3)
            AND external_id IS NOT NULL AND kind = 0";
    /// Changed and deleted transactions of an account that came with an id of the bank.
    ORIGINS_BY_EXTERNAL = "SELECT entry_id FROM entry_origins
        WHERE family_id = $1 AND account_id = $2 AND external_id = ANY($3)
            AND external_id IS NOT NULL";
    /// Transactions as they are now, and whether an origin has other values. Unlike AND, which
    /// SQLite may evaluate whole, CASE looks for none if nothing was changed.
    ENTRIES_WHOLE = "SELECT id, date, amount, currency, name, external_id,
            CASE WHEN has_origin THEN EXISTS (SELECT 1 FROM entry_origins o
                WHERE o.family_id = $1 AND o.entry_id = e.id) ELSE FALSE END, account_id
        FROM ledger_entries e
        WHERE family_id = $1 AND id = ANY($2)";
    /// Origins of transactions that are still there, with their accounts, and tombstones.
    ORIGINS_WHOLE = "SELECT o.entry_id, o.date, o.amount, o.currency, o.name, o.external_id,
            o.deleted_at IS NOT NULL, o.account_id, e.account_id
        FROM entry_origins o
        LEFT JOIN ledger_entries e ON e.family_id = $1 AND e.id = o.entry_id
        WHERE o.family_id = $1 AND o.entry_id = ANY($2) AND o.kind = 0
            AND (o.deleted_at IS NOT NULL OR e.id IS NOT NULL)";
}

/// A transaction as its source reported it or as it is now, or the tombstone of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The entry; of a tombstone the one that was deleted.
    pub entry: EntryId,
    /// What of it the rest is.
    pub aspect: Aspect,
    /// The account that it is in or came into.
    pub account: AccountId,
    /// The day that it is of.
    pub date: Date,
    /// In the scale of its currency.
    pub amount: i64,
    /// The currency of the amount.
    pub currency: Currency,
    /// Its name, at present or in the source.
    pub name: String,
    /// The id that the source gave it.
    pub external_id: Option<String>,
}

/// Where candidates are read whole.
#[derive(Clone, Copy)]
enum Side {
    Entries,
    Origins,
}

impl Side {
    fn whole(self) -> &'static Sql {
        match self {
            Self::Entries => &ENTRIES_WHOLE,
            Self::Origins => &ORIGINS_WHOLE,
        }
    }

    /// The aspect of a candidate, of which the last column tests whether it was changed, or
    /// deleted.
    fn aspect(self, is_otherwise: bool) -> Aspect {
        match (self, is_otherwise) {
            (Self::Entries, false) => Aspect::Unchanged,
            (Self::Entries, true) => Aspect::Current,
            (Self::Origins, false) => Aspect::Source,
            (Self::Origins, true) => Aspect::Tombstone,
        }
    }
}

/// Passes on candidates of an account and of some days, the last one included, that have a wanted
/// day and amount; of a changed one the origin and the present state, each by its own day and
/// amount. Their order has no meaning.
#[allow(clippy::too_many_arguments, reason = "a place, what to look for, and what to do with it")]
pub fn candidates(
    tx: &mut FamilyTx<'_>,
    account: AccountId,
    from: Date,
    to: Date,
    wants: &mut dyn FnMut(Date, i64) -> bool,
    take: &mut dyn FnMut(Candidate) -> Result<()>,
) -> Result<()> {
    let family = tx.family();
    for (keys, side) in [(&ENTRY_KEYS, Side::Entries), (&ORIGIN_KEYS, Side::Origins)] {
        let mut wanted = Vec::new();
        let place = [family.into(), account.into(), from.into(), to.into()];
        tx.for_each(keys, &place, |row| {
            if wants(row.date(1)?, row.int(2)?) {
                wanted.push(row.id(0)?);
            }
            Ok(())
        })?;
        read_whole(tx, side, wanted, take)?;
    }
    Ok(())
}

/// Passes on candidates of an account that have one of these ids of the bank, whatever their day;
/// of a changed one the origin.
pub fn candidates_by_id(
    tx: &mut FamilyTx<'_>,
    account: AccountId,
    external_ids: &[&str],
    take: &mut dyn FnMut(Candidate) -> Result<()>,
) -> Result<()> {
    let family = tx.family();
    let ids: Vec<Val<'_>> = external_ids.iter().map(|id| Val::Text(id)).collect();
    let mut take_reported = reported(take);
    for (keys, side) in
        [(&ENTRIES_BY_EXTERNAL, Side::Entries), (&ORIGINS_BY_EXTERNAL, Side::Origins)]
    {
        let mut wanted = Vec::new();
        tx.lookup(keys, &[family.into(), account.into()], &ids, |row| {
            wanted.push(row.id(0)?);
            Ok(())
        })?;
        read_whole(tx, side, wanted, &mut take_reported)?;
    }
    Ok(())
}

/// Passes on candidates that have one of these ids of their own, whatever their account and day; of
/// a changed one the origin.
pub fn candidates_of(
    tx: &mut FamilyTx<'_>,
    entries: &[EntryId],
    take: &mut dyn FnMut(Candidate) -> Result<()>,
) -> Result<()> {
    let mut take_reported = reported(take);
    for side in [Side::Entries, Side::Origins] {
        read_whole(tx, side, entries.to_vec(), &mut take_reported)?;
    }
    Ok(())
}

/// Only what the source reported.
fn reported(take: &mut dyn FnMut(Candidate) -> Result<()>) -> impl FnMut(Candidate) -> Result<()> {
    move |candidate: Candidate| match candidate.aspect {
        Aspect::Current => Ok(()),
        _ => take(candidate),
    }
}

fn read_whole(
    tx: &mut FamilyTx<'_>,
    side: Side,
    mut wanted: Vec<EntryId>,
    take: &mut dyn FnMut(Candidate) -> Result<()>,
) -> Result<()> {
    let family = tx.family();
    // Neighbours lie in the same page.
    wanted.sort_unstable();
    wanted.dedup();
    let wanted: Vec<Val<'_>> = wanted.into_iter().map(Val::from).collect();
    let visible = tx.accounts();
    tx.lookup(side.whole(), &[family.into()], &wanted, |row| {
        let is_otherwise = match side {
            Side::Entries => row.bool(6)?,
            // What was moved to an account that the caller may not see is gone for the caller.
            Side::Origins => {
                let account: Option<AccountId> = row.opt_id(8)?;
                row.bool(6)? || account.is_some_and(|account| !visible.allows(account))
            }
        };
        take(read(row, side.aspect(is_otherwise))?)
    })
}

fn read(row: &Row<'_>, aspect: Aspect) -> Result<Candidate> {
    Ok(Candidate {
        entry: row.id(0)?,
        aspect,
        account: row.id(7)?,
        date: row.date(1)?,
        amount: row.int(2)?,
        currency: row.currency(3)?,
        name: row.string(4)?,
        external_id: row.opt_string(5)?,
    })
}

#[cfg(test)]
mod tests;
