//! What the ledger knows that rows of a file may stand for.
//!
//! A transaction counts as its source said it: as its own columns say while nobody changed it, else
//! as its origin says. Origins of deleted ones are tombstones. The keys of all that lies in the
//! days of a file are scanned; only those that the caller wants are read whole.

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::{AccountId, EntryId};
use purser_core::money::Currency;

use crate::driver::{Row, Sql, Tx, Val, statements};
use crate::families::FamilyId;

statements! {
    /// Keys of an account's transactions, changed or not; from the index alone on SQLite.
    ENTRY_KEYS = "SELECT id, date, amount FROM ledger_entries
        WHERE family_id = $1 AND account_id = $2 AND date BETWEEN $3 AND $4 AND kind = 0";
    /// Keys of what the source said of an account's changed and deleted transactions.
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
    /// Transactions that say themselves what their source said.
    ENTRIES_WHOLE = "SELECT id, date, amount, currency, name, external_id,
            CAST(NULL AS BIGINT)
        FROM ledger_entries e
        WHERE family_id = $1 AND id = ANY($2)
            AND (changed_at IS NULL OR NOT EXISTS (SELECT 1 FROM entry_origins o
                WHERE o.family_id = e.family_id AND o.entry_id = e.id))";
    /// Origins of transactions that are still there, and tombstones.
    ORIGINS_WHOLE = "SELECT entry_id, date, amount, currency, name, external_id, deleted_at
        FROM entry_origins o
        WHERE family_id = $1 AND entry_id = ANY($2)
            AND (deleted_at IS NOT NULL OR EXISTS (SELECT 1 FROM ledger_entries e
                WHERE e.family_id = o.family_id AND e.id = o.entry_id))";
}

/// A transaction as its source said it, or the tombstone of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The entry; of a tombstone the one that was deleted.
    pub entry: EntryId,
    /// Which day.
    pub date: Date,
    /// In the scale of its currency.
    pub amount: i64,
    /// Of the amount.
    pub currency: Currency,
    /// As the source says.
    pub name: String,
    /// The other side's id.
    pub external_id: Option<String>,
    /// Whether it is a tombstone.
    pub deleted: bool,
}

/// Hands over those of an account and of some days, the last one included, whose day and amount
/// are wanted. Their order means nothing.
#[allow(clippy::too_many_arguments, reason = "a place, what to look for, and what to do with it")]
pub fn candidates(
    tx: &mut Tx<'_>,
    family: FamilyId,
    account: AccountId,
    from: Date,
    to: Date,
    wants: &mut dyn FnMut(Date, i64) -> bool,
    take: &mut dyn FnMut(Candidate) -> Result<()>,
) -> Result<()> {
    for (keys, whole) in [(&ENTRY_KEYS, &ENTRIES_WHOLE), (&ORIGIN_KEYS, &ORIGINS_WHOLE)] {
        let mut wanted = Vec::new();
        let place = [family.into(), account.into(), from.into(), to.into()];
        tx.for_each(keys, &place, |row| {
            if wants(row.date(1)?, row.int(2)?) {
                wanted.push(row.id(0)?);
            }
            Ok(())
        })?;
        read_whole(tx, family, whole, wanted, take)?;
    }
    Ok(())
}

/// Hands over those of an account that have one of these ids of the bank, whatever their day.
pub fn candidates_by_id(
    tx: &mut Tx<'_>,
    family: FamilyId,
    account: AccountId,
    external_ids: &[&str],
    take: &mut dyn FnMut(Candidate) -> Result<()>,
) -> Result<()> {
    let ids: Vec<Val<'_>> = external_ids.iter().map(|id| Val::Text(id)).collect();
    for (keys, whole) in
        [(&ENTRIES_BY_EXTERNAL, &ENTRIES_WHOLE), (&ORIGINS_BY_EXTERNAL, &ORIGINS_WHOLE)]
    {
        let mut wanted = Vec::new();
        tx.lookup(keys, &[family.into(), account.into()], &ids, |row| {
            wanted.push(row.id(0)?);
            Ok(())
        })?;
        read_whole(tx, family, whole, wanted, take)?;
    }
    Ok(())
}

fn read_whole(
    tx: &mut Tx<'_>,
    family: FamilyId,
    whole: &Sql,
    mut wanted: Vec<EntryId>,
    take: &mut dyn FnMut(Candidate) -> Result<()>,
) -> Result<()> {
    // Neighbours lie in the same page.
    wanted.sort_unstable();
    wanted.dedup();
    let wanted: Vec<Val<'_>> = wanted.into_iter().map(Val::from).collect();
    tx.lookup(whole, &[family.into()], &wanted, |row| take(read(row)?))
}

fn read(row: &Row<'_>) -> Result<Candidate> {
    Ok(Candidate {
        entry: row.id(0)?,
        date: row.date(1)?,
        amount: row.int(2)?,
        currency: row.currency(3)?,
        name: row.string(4)?,
        external_id: row.opt_string(5)?,
        deleted: row.opt_int(6)?.is_some(),
    })
}

#[cfg(test)]
mod tests;
