//! Pairs of entries that may be one transaction: a run was not certain, and a person decides.
//!
//! The first of a pair was there, the other one was added by the run. If they are one, the first
//! stays with everything that people made of it and follows what the bank reports of the other,
//! which goes.

use std::collections::HashSet;

use jiff::Timestamp;
use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, DuplicateId, EntryId};
use purser_core::money::Currency;
use purser_core::plan::{Change, SourceUpdate};
use purser_core::sync::{Doubt, SourceRow};
use serde_json::json;

use crate::access::FamilyTx;
use crate::audit;
use crate::bank_statements;
use crate::driver::{Inserter, Row, statements, vals};
use crate::ledger::sources::Inheritance;
use crate::ledger::{Event, Executor};
use crate::sync_rows::{self, SourceAccount};

statements! {
    /// Every pair of which both are there, the newest first.
    PAIRS = "SELECT s.id, s.account_id, s.doubt, s.created_at,
            e.id, e.date, e.amount, e.currency, e.name, e.pending, e.source, e.account_id,
            o.id, o.date, o.amount, o.currency, o.name, o.pending, o.source, o.account_id
        FROM sync_suggestions s
        JOIN ledger_entries e ON e.family_id = $1 AND e.id = s.entry_id
        JOIN ledger_entries o ON o.family_id = $1 AND o.id = s.other_id
        WHERE s.family_id = $1 ORDER BY s.created_at DESC, s.id";
    /// What providers reported of an entry.
    ROWS_OF_ENTRY = "SELECT source, external_id, date, amount, currency, name, pending
        FROM sync_rows WHERE family_id = $1 AND entry_id = $2 ORDER BY source";
    /// The pair was decided on.
    PAIR_REMOVE = "DELETE FROM sync_suggestions WHERE family_id = $1 AND id = $2";
    /// Pairs with one of two entries that are one. An entry that has changed its id in an answer
    /// that wasn't whole may have done so several times: those pairs stay. So does the question
    /// whether one of another account is the row that both are.
    PAIRS_OF_ENTRIES_REMOVE = "DELETE FROM sync_suggestions
        WHERE family_id = $1 AND (id = $2 OR (doubt <> 'answer_incomplete'
            AND (entry_id = $3 OR entry_id = $4
                OR (doubt <> 'moved' AND (other_id = $3 OR other_id = $4)))))";
    /// Entries that may be a row of the account from which they were moved.
    MOVED_IN_QUESTION = "SELECT entry_id FROM sync_suggestions
        WHERE family_id = $1 AND doubt = 'moved'";
    /// The entry is a row of the account to which it was moved.
    MOVED_SETTLED = "DELETE FROM sync_suggestions
        WHERE family_id = $1 AND entry_id = $2 AND doubt = 'moved'";
    /// Pairs with an entry that is gone.
    PAIRS_OF_ENTRY = "SELECT id, entry_id, other_id, account_id, doubt, created_at
        FROM sync_suggestions
        WHERE family_id = $1 AND (entry_id = $2 OR other_id = $2)";
    /// A pair with the entry that stands for the one that is gone.
    PAIR_PUT = "INSERT INTO sync_suggestions (family_id, entry_id, other_id, id, account_id, doubt,
            created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (family_id, entry_id, other_id) DO NOTHING";
}

/// A pair of entries that may be one transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Duplicate {
    /// The id of the pair.
    pub id: DuplicateId,
    /// The account that was synced: the new one is in it, and mostly both are.
    pub account: AccountId,
    /// Why it isn't certain.
    pub doubt: Doubt,
    /// The entry that was there.
    pub entry: DuplicateSide,
    /// The entry that the run added.
    pub other: DuplicateSide,
    /// When the run noticed it.
    pub created_at: Timestamp,
}

/// One of the two entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DuplicateSide {
    /// The id of the entry.
    pub id: EntryId,
    /// The day of the entry.
    pub date: Date,
    /// The amount in the scale of its currency; positive = money out.
    pub amount: i64,
    /// The currency of the amount.
    pub currency: Currency,
    /// The name that people see.
    pub name: String,
    /// Whether the bank has not booked it yet.
    pub pending: bool,
    /// The source that it came from.
    pub source: Option<String>,
    /// The account that it is in.
    pub account: AccountId,
}

/// The pairs in visible accounts, the newest first.
pub fn list(tx: &mut FamilyTx<'_>, account: Option<AccountId>) -> Result<Vec<Duplicate>> {
    let (family, visible) = (tx.family(), tx.accounts());
    let mut found = tx.query(&PAIRS, vals![family], read)?;
    found.retain(|one| {
        let both = [one.account, one.entry.account, one.other.account];
        both.into_iter().all(|account| visible.covers(Some(account)))
            && account.is_none_or(|wanted| both.contains(&wanted))
    });
    Ok(found)
}

/// The pair with an id.
pub fn get(tx: &mut FamilyTx<'_>, id: DuplicateId) -> Result<Duplicate> {
    let found = list(tx, None)?.into_iter().find(|one| one.id == id);
    found.ok_or(Error::NotFound { what: "Duplicate" })
}

/// The two are not the same transaction: both stay.
pub fn dismiss(tx: &mut FamilyTx<'_>, id: DuplicateId) -> Result<()> {
    let pair = get(tx, id)?;
    let family = tx.family();
    tx.execute(&PAIR_REMOVE, vals![family, id])?;
    let event = audit::Event {
        actor: tx.actor(),
        action: "duplicate.dismiss",
        subject_kind: "transaction",
        subject_id: Some(pair.entry.id.0),
        details: json!({ "other": pair.other.id, "doubt": pair.doubt.as_str() }),
    };
    audit::record(tx, &event).map(drop)
}

/// The two are one transaction: the one that was there stays, takes over the labels of the other
/// one that it lacks, and is what the bank reports of the other one from now on. Returns the one
/// that stays.
pub fn merge(tx: &mut FamilyTx<'_>, id: DuplicateId) -> Result<Duplicate> {
    let pair = get(tx, id)?;
    let (family, entry, other) = (tx.family(), pair.entry.id, pair.other.id);
    let known = rows_of(tx, entry)?;
    let reported = rows_of(tx, other)?;
    let inheritance = Inheritance::of(tx, entry, other)?;
    let mut executor = Executor::begin(tx, 0)?;
    executor.apply(tx, &Change::RemoveTransaction { entry: other })?;
    let mut rows = Inserter::new(&sync_rows::ROWS);
    for (source, after) in &reported {
        sync_rows::remove(tx, source, other)?;
        match known.iter().find(|(of, _)| of == source) {
            Some((_, before)) => {
                let update = SourceUpdate { entry, source, before, after, notes: None };
                executor.apply(tx, &Change::FollowSource(update))?;
                sync_rows::update(tx, source, entry, (after, 0, None))?;
            }
            None => {
                executor.apply(tx, &Change::ClaimTransaction { entry })?;
                let of = SourceAccount { account: pair.account, source };
                sync_rows::push(tx, &mut rows, of, (entry, after))?;
            }
        }
    }
    rows.flush(tx)?;
    executor.inherit(tx, entry, &inheritance)?;
    bank_statements::writing::hand_over(tx, other, entry)?;
    tx.execute(&PAIRS_OF_ENTRIES_REMOVE, vals![family, id, entry, other])?;
    hand_over(tx, &pair)?;
    let event = Event {
        actor: tx.actor(),
        action: "duplicate.merge",
        subject_kind: "transaction",
        subject_id: entry.0,
        details: json!({ "other": other, "doubt": pair.doubt.as_str() }),
    };
    executor.finish(tx, event)?;
    Ok(pair)
}

/// What a row of its account was found to be is no row of the account from which it was moved.
pub(crate) fn settle_moved(tx: &mut FamilyTx<'_>, claimed: &HashSet<EntryId>) -> Result<()> {
    if claimed.is_empty() {
        return Ok(());
    }
    let family = tx.family();
    let asked: Vec<EntryId> = tx.query(&MOVED_IN_QUESTION, vals![family], |row| row.id(0))?;
    for entry in asked.into_iter().filter(|entry| claimed.contains(entry)) {
        tx.execute(&MOVED_SETTLED, vals![family, entry])?;
    }
    Ok(())
}

/// What may be the entry that is gone may be the one that stays.
fn hand_over(tx: &mut FamilyTx<'_>, merged: &Duplicate) -> Result<()> {
    let (family, stays, gone) = (tx.family(), merged.entry.id, merged.other.id);
    let pairs = tx.query(&PAIRS_OF_ENTRY, vals![family, gone], |row| {
        let pair: (DuplicateId, EntryId, EntryId) = (row.id(0)?, row.id(1)?, row.id(2)?);
        let (account, doubt): (AccountId, Doubt) = (row.id(3)?, row.named(4)?);
        Ok((pair, account, doubt, row.timestamp(5)?))
    })?;
    for ((id, entry, other), account, doubt, created_at) in pairs {
        tx.execute(&PAIR_REMOVE, vals![family, id])?;
        let of = |side: EntryId| if side == gone { stays } else { side };
        let (entry, other) = (of(entry), of(other));
        if entry != other {
            let values = vals![family, entry, other, id, account, doubt.as_str(), created_at];
            tx.execute(&PAIR_PUT, values)?;
        }
    }
    Ok(())
}

fn rows_of(tx: &mut FamilyTx<'_>, entry: EntryId) -> Result<Vec<(String, SourceRow)>> {
    let family = tx.family();
    tx.query(&ROWS_OF_ENTRY, vals![family, entry], |row| {
        let source = SourceRow {
            id: row.opt_string(1)?,
            date: row.date(2)?,
            amount: row.int(3)?,
            currency: row.currency(4)?,
            name: row.string(5)?,
            pending: row.bool(6)?,
        };
        Ok((row.string(0)?, source))
    })
}

fn read(row: &Row<'_>) -> Result<Duplicate> {
    Ok(Duplicate {
        id: row.id(0)?,
        account: row.id(1)?,
        doubt: row.named(2)?,
        created_at: row.timestamp(3)?,
        entry: read_side(row, 4)?,
        other: read_side(row, 12)?,
    })
}

fn read_side(row: &Row<'_>, at: usize) -> Result<DuplicateSide> {
    Ok(DuplicateSide {
        id: row.id(at)?,
        date: row.date(at + 1)?,
        amount: row.int(at + 2)?,
        currency: row.currency(at + 3)?,
        name: row.string(at + 4)?,
        pending: row.bool(at + 5)?,
        source: row.opt_string(at + 6)?,
        account: row.id(at + 7)?,
    })
}
