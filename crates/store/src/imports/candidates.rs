//! Entries that rows of a file may stand for or resemble: transactions, and for files of trades
//! trades too.
//!
//! The columns of an unchanged transaction are those of its source. A transaction that a person or
//! a rule changed counts twice: as its origin, and as it is now. One that its bank has not booked
//! yet counts only as it is now, but for its id: the booked row may have another day, and be beside
//! it in the file. Origins of deleted ones are tombstones. The keys of all that lies in the days of
//! a file are scanned; only those that the caller selects are read whole.

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::{AccountId, EntryId};
use purser_core::import::transaction::duplicates::Aspect;
use purser_core::money::Currency;

use crate::access::FamilyTx;
use crate::driver::{Row, Sql, Val, statements};
use crate::ledger::trade_origins::content;

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
    /// Keys of an account's trades as they are now.
    TRADE_KEYS = "SELECT id, date, amount FROM ledger_entries
        WHERE family_id = $1 AND account_id = $2 AND date BETWEEN $3 AND $4 AND kind = 2";
    /// Trades of an account that have an id of the broker.
    TRADES_BY_EXTERNAL = "SELECT id FROM ledger_entries
        WHERE family_id = $1 AND account_id = $2 AND external_id = ANY($3)
            AND external_id IS NOT NULL AND kind = 2";
    /// Trades as they are now, and whether an origin has other values.
    TRADES_WHOLE = "SELECT e.id, e.date, e.amount, e.currency, e.external_id, e.has_origin,
            t.trade_type, e.account_id, t.qty, t.price, t.fee, t.split_to, t.split_from, s.ticker,
            s.exchange_operating_mic
        FROM ledger_entries e
        JOIN trades t ON t.family_id = $1 AND t.entry_id = e.id
        JOIN securities s ON s.family_id = $1 AND s.id = t.security_id
        WHERE e.family_id = $1 AND e.id = ANY($2)";
    /// Origins of trades that are still there, with their accounts, and tombstones.
    TRADE_ORIGINS_WHOLE = "SELECT o.entry_id, o.date, o.amount, o.currency, o.name, o.external_id,
            o.deleted_at IS NOT NULL, o.account_id, e.account_id
        FROM entry_origins o
        LEFT JOIN ledger_entries e ON e.family_id = $1 AND e.id = o.entry_id
        WHERE o.family_id = $1 AND o.entry_id = ANY($2) AND o.kind = 2
            AND (o.deleted_at IS NOT NULL OR e.id IS NOT NULL)";
    /// Transactions as they are now, and whether an origin has other values. Unlike AND, which
    /// SQLite may evaluate whole, CASE looks for none if nothing was changed.
    ENTRIES_WHOLE = "SELECT id, date, amount, currency, name, external_id,
            CASE WHEN has_origin THEN EXISTS (SELECT 1 FROM entry_origins o
                WHERE o.family_id = $1 AND o.entry_id = e.id) ELSE FALSE END, account_id, pending
        FROM ledger_entries e
        WHERE family_id = $1 AND id = ANY($2)";
    /// Origins of transactions that are still there, with their accounts, and tombstones.
    ORIGINS_WHOLE = "SELECT o.entry_id, o.date, o.amount, o.currency, o.name, o.external_id,
            o.deleted_at IS NOT NULL, o.account_id, e.account_id, COALESCE(e.pending, FALSE)
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
    /// Whether it is a trade, and not a transaction.
    pub is_trade: bool,
    /// Its name, at present or in the source; of a trade what it contains, as
    /// [`purser_core::import::trade::fingerprint`] writes it.
    pub name: String,
    /// The id that the source gave it.
    pub external_id: Option<String>,
}

/// Which entries rows can stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparable {
    /// Only transactions are compared.
    Transactions,
    /// Transactions and trades are compared.
    Trades,
}

impl Comparable {
    /// Where they are found, by their days and by their ids.
    fn sides(self) -> &'static [Side] {
        match self {
            Self::Transactions => &[Side::Entries, Side::Origins],
            Self::Trades => &[Side::Entries, Side::Origins, Side::Trades, Side::TradeOrigins],
        }
    }
}

/// Where candidates are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Entries,
    Origins,
    Trades,
    TradeOrigins,
}

impl Side {
    fn keys(self) -> &'static Sql {
        match self {
            Self::Entries => &ENTRY_KEYS,
            Self::Trades => &TRADE_KEYS,
            Self::Origins | Self::TradeOrigins => &ORIGIN_KEYS,
        }
    }

    fn by_external(self) -> &'static Sql {
        match self {
            Self::Entries => &ENTRIES_BY_EXTERNAL,
            Self::Trades => &TRADES_BY_EXTERNAL,
            Self::Origins | Self::TradeOrigins => &ORIGINS_BY_EXTERNAL,
        }
    }

    fn whole(self) -> &'static Sql {
        match self {
            Self::Entries => &ENTRIES_WHOLE,
            Self::Origins => &ORIGINS_WHOLE,
            Self::Trades => &TRADES_WHOLE,
            Self::TradeOrigins => &TRADE_ORIGINS_WHOLE,
        }
    }

    fn is_trade(self) -> bool {
        matches!(self, Self::Trades | Self::TradeOrigins)
    }

    /// The aspect of a candidate, of which the last column tests whether it was changed, or
    /// deleted.
    fn aspect(self, is_otherwise: bool) -> Aspect {
        match (self, is_otherwise) {
            (Self::Entries | Self::Trades, false) => Aspect::Unchanged,
            (Self::Entries | Self::Trades, true) => Aspect::Current,
            (Self::Origins | Self::TradeOrigins, false) => Aspect::Source,
            (Self::Origins | Self::TradeOrigins, true) => Aspect::Tombstone,
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
    comparable: Comparable,
    from: Date,
    to: Date,
    wants: &mut dyn FnMut(Date, i64) -> bool,
    take: &mut dyn FnMut(Candidate) -> Result<()>,
) -> Result<()> {
    let family = tx.family();
    for side in comparable.sides().iter().copied() {
        let mut wanted = Vec::new();
        let place = [family.into(), account.into(), from.into(), to.into()];
        tx.for_each(side.keys(), &place, |row| {
            if wants(row.date(1)?, row.int(2)?) {
                wanted.push(row.id(0)?);
            }
            Ok(())
        })?;
        read_whole(tx, side, wanted, &mut |candidate, is_pending| match candidate.aspect {
            Aspect::Source if is_pending => Ok(()),
            Aspect::Unchanged if is_pending => {
                take(Candidate { aspect: Aspect::Current, ..candidate })
            }
            _ => take(candidate),
        })?;
    }
    Ok(())
}

/// Passes on candidates of an account that have one of these ids of the bank, whatever their day;
/// of a changed one the origin.
pub fn candidates_by_id(
    tx: &mut FamilyTx<'_>,
    account: AccountId,
    comparable: Comparable,
    external_ids: &[&str],
    take: &mut dyn FnMut(Candidate) -> Result<()>,
) -> Result<()> {
    let family = tx.family();
    let ids: Vec<Val<'_>> = external_ids.iter().map(|id| Val::Text(id)).collect();
    let mut take_reported = reported(take);
    for side in comparable.sides().iter().copied() {
        let mut wanted = Vec::new();
        tx.lookup(side.by_external(), &[family.into(), account.into()], &ids, |row| {
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
fn reported(
    take: &mut dyn FnMut(Candidate) -> Result<()>,
) -> impl FnMut(Candidate, bool) -> Result<()> {
    move |candidate: Candidate, _| match candidate.aspect {
        Aspect::Current => Ok(()),
        _ => take(candidate),
    }
}

/// Passes on each with whether its bank has not booked it yet.
fn read_whole(
    tx: &mut FamilyTx<'_>,
    side: Side,
    mut wanted: Vec<EntryId>,
    take: &mut dyn FnMut(Candidate, bool) -> Result<()>,
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
            Side::Trades => row.bool(5)?,
            // What was moved to an account that the caller may not see is gone for the caller.
            Side::Origins | Side::TradeOrigins => {
                let account: Option<AccountId> = row.opt_id(8)?;
                row.bool(6)? || account.is_some_and(|account| !visible.allows(account))
            }
        };
        let is_pending = match side {
            Side::Entries => row.bool(8)?,
            Side::Origins => row.bool(9)?,
            Side::Trades | Side::TradeOrigins => false,
        };
        take(read(row, side, side.aspect(is_otherwise))?, is_pending)
    })
}

fn read(row: &Row<'_>, side: Side, aspect: Aspect) -> Result<Candidate> {
    let (name, external_id) = match side {
        Side::Trades => (content(row, [6, 8, 9, 10, 11, 12, 13, 14])?, row.opt_string(4)?),
        _ => (row.string(4)?, row.opt_string(5)?),
    };
    Ok(Candidate {
        entry: row.id(0)?,
        aspect,
        account: row.id(7)?,
        date: row.date(1)?,
        amount: row.int(2)?,
        currency: row.currency(3)?,
        is_trade: side.is_trade(),
        name,
        external_id,
    })
}

#[cfg(test)]
mod tests;
