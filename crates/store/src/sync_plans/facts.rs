//! What an execution or an undo has to know of the ledger.

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, EntryId};
use purser_core::ledger::entry::ValuationKind;

use super::images::EntryImage;
use crate::access::FamilyTx;
use crate::driver::{statements, vals};

statements! {
    /// The bank's current balance, and any valuation of a day. The bound on the days has SQLite
    /// take the index of valuations.
    VALUATIONS_AROUND = "SELECT date, amount, valuation_kind FROM ledger_entries
        WHERE family_id = $1 AND account_id = $2 AND kind = 1 AND date > -10000000
            AND (valuation_kind = 'current_anchor' OR date = $3)";
    /// Whether a balance of an account is known that holds on a day: what it opened with, or a
    /// valuation up to that day.
    BALANCE_STATED = "SELECT EXISTS (SELECT 1 FROM accounts
                WHERE family_id = $1 AND id = $2 AND opening_amount <> 0)
            OR EXISTS (SELECT 1 FROM ledger_entries WHERE family_id = $1 AND account_id = $2
                AND kind = 1 AND date > -10000000 AND date <= $3)";
    /// Whether a person decided something about a transaction.
    ENTRY_TOUCHED = "SELECT changed_at IS NOT NULL FROM ledger_entries
        WHERE family_id = $1 AND id = $2";
    /// Whether a transaction has notes.
    ENTRY_NOTED = "SELECT notes IS NOT NULL FROM ledger_entries WHERE family_id = $1 AND id = $2";
    /// What rules made of a transaction.
    ENTRY_LABELS = "SELECT name, notes, category_id, merchant_id, excluded FROM ledger_entries
        WHERE family_id = $1 AND id = $2";
    /// The tags that it has.
    ENTRY_TAGS = "SELECT tag_id FROM entry_tags
        WHERE family_id = $1 AND entry_id = $2 ORDER BY tag_id";
}

/// The balance that the bank reported last.
#[derive(Debug, Clone, Copy)]
pub(super) struct Anchor {
    pub(super) date: Date,
    pub(super) amount: i64,
}

/// Valuations that a new balance of a day meets with.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Around {
    /// The balance that the bank reported last.
    pub(super) anchor: Option<Anchor>,
    /// Whether the day has another valuation.
    pub(super) stated_by_person: bool,
}

pub(super) fn around(tx: &mut FamilyTx<'_>, account: AccountId, date: Date) -> Result<Around> {
    let family = tx.family();
    let mut around = Around::default();
    tx.for_each(&VALUATIONS_AROUND, vals![family, account, date], |row| {
        let anchor = Anchor { date: row.date(0)?, amount: row.int(1)? };
        match row.named(2)? {
            ValuationKind::CurrentAnchor => around.anchor = Some(anchor),
            _ => around.stated_by_person |= anchor.date == date,
        }
        Ok(())
    })?;
    Ok(around)
}

/// Whether a balance is known from which the ledger comes to one of a day.
pub(super) fn has_balance(tx: &mut FamilyTx<'_>, account: AccountId, date: Date) -> Result<bool> {
    let family = tx.family();
    tx.query_one(&BALANCE_STATED, vals![family, account, date], |row| row.bool(0))
}

/// Whether a person decided something about an entry; `None` if it is gone.
pub(super) fn touched(tx: &mut FamilyTx<'_>, entry: EntryId) -> Result<Option<bool>> {
    let family = tx.family();
    tx.query_opt(&ENTRY_TOUCHED, vals![family, entry], |row| row.bool(0))
}

/// Whether an entry has notes.
pub(super) fn has_notes(tx: &mut FamilyTx<'_>, entry: EntryId) -> Result<bool> {
    let family = tx.family();
    let has = tx.query_opt(&ENTRY_NOTED, vals![family, entry], |row| row.bool(0))?;
    Ok(has.unwrap_or(false))
}

/// What rules made of a pending entry.
pub(super) fn entry_image(tx: &mut FamilyTx<'_>, entry: EntryId) -> Result<EntryImage> {
    let family = tx.family();
    let tags = tx.query(&ENTRY_TAGS, vals![family, entry], |row| row.uuid(0))?;
    let image = tx.query_opt(&ENTRY_LABELS, vals![family, entry], |row| {
        Ok(EntryImage {
            name: row.string(0)?,
            notes: row.opt_string(1)?,
            category: row.opt_uuid(2)?,
            merchant: row.opt_uuid(3)?,
            tags: Vec::new(),
            excluded: row.bool(4)?,
        })
    })?;
    let image = image.ok_or(Error::NotFound { what: "Transaction" })?;
    Ok(EntryImage { tags, ..image })
}
