//! Taking back what an import added: the steps, each for itself.
//!
//! The entries that an import created lie in one range of ids. They are removed with statements
//! over the range and not one by one, in slices, so that memory doesn't grow with the import and
//! progress can be reported. Entries that a person changed stay: the caller lists them.
//!
//! ```text
//! count_out_range ─► delete_range ─► take_back(…)* ─► settle ─► records
//!     ─► remove_account(…)* ─► finish
//! ```

use std::collections::HashMap;

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, EntryId};
use purser_core::ledger::balance::Delta;
use purser_core::ledger::entry::EntryKind;
use serde_json::json;
use uuid::Uuid;

use super::Executor;
use super::account_removal::leave_imports;
use super::records::undo::ACCOUNT;
use crate::access::FamilyTx;
use crate::driver::{Val, statements};

statements! {
    /// What goes. Summed up here and not by the database: SQLite would sort all of it first.
    RANGE_ACTIVITY = "SELECT account_id, date, kind, COALESCE(booked, amount), is_split
        FROM ledger_entries
        WHERE family_id = $1 AND id >= $2 AND id <= $3 AND changed_at IS NULL";
    /// What its trades exchanged.
    RANGE_TRADES = "SELECT e.account_id, e.date, COALESCE(e.booked, e.amount), t.value,
            t.security_id
        FROM ledger_entries e
        JOIN trades t ON t.family_id = $1 AND t.entry_id = e.id
        WHERE e.family_id = $1 AND e.id >= $2 AND e.id <= $3 AND e.kind = 2
            AND e.changed_at IS NULL";
    /// The first entry after a slice.
    RANGE_SLICE_END = "SELECT id FROM ledger_entries
        WHERE family_id = $1 AND id >= $2 AND id <= $3 ORDER BY id LIMIT 1 OFFSET $4";
    /// Removes the tags of entries in the range.
    RANGE_UNTAG = "DELETE FROM entry_tags
        WHERE family_id = $1 AND entry_id >= $2 AND entry_id <= $3
            AND entry_id NOT IN (SELECT e.id FROM ledger_entries e
                WHERE e.family_id = $1 AND e.id >= $2 AND e.id <= $3
                    AND e.changed_at IS NOT NULL)";
    /// Transfers with one of them going out.
    RANGE_OUTFLOWS = "DELETE FROM transfers
        WHERE family_id = $1 AND outflow_id >= $2 AND outflow_id <= $3
            AND outflow_id NOT IN (SELECT e.id FROM ledger_entries e
                WHERE e.family_id = $1 AND e.id >= $2 AND e.id <= $3
                    AND e.changed_at IS NOT NULL)";
    /// Transfers with one of them coming in.
    RANGE_INFLOWS = "DELETE FROM transfers
        WHERE family_id = $1 AND inflow_id >= $2 AND inflow_id <= $3
            AND inflow_id NOT IN (SELECT e.id FROM ledger_entries e
                WHERE e.family_id = $1 AND e.id >= $2 AND e.id <= $3
                    AND e.changed_at IS NOT NULL)";
    /// What later imports filled in them: there is nothing left that could be taken back.
    RANGE_FILLS = "DELETE FROM import_fills
        WHERE family_id = $1 AND entry_id >= $2 AND entry_id <= $3
            AND entry_id NOT IN (SELECT e.id FROM ledger_entries e
                WHERE e.family_id = $1 AND e.id >= $2 AND e.id <= $3
                    AND e.changed_at IS NOT NULL)";
    /// Origins of entries in the range that rules changed. Tombstones stay.
    RANGE_ORIGINS = "DELETE FROM entry_origins
        WHERE family_id = $1 AND entry_id >= $2 AND entry_id <= $3 AND deleted_at IS NULL
            AND entry_id NOT IN (SELECT e.id FROM ledger_entries e
                WHERE e.family_id = $1 AND e.id >= $2 AND e.id <= $3
                    AND e.changed_at IS NOT NULL)";
    /// How they were converted.
    RANGE_CONVERSIONS = "DELETE FROM entry_conversions
        WHERE family_id = $1 AND entry_id >= $2 AND entry_id <= $3
            AND entry_id NOT IN (SELECT e.id FROM ledger_entries e
                WHERE e.family_id = $1 AND e.id >= $2 AND e.id <= $3
                    AND e.changed_at IS NOT NULL)";
    /// What happened to shares.
    RANGE_SHARES = "DELETE FROM trades
        WHERE family_id = $1 AND entry_id >= $2 AND entry_id <= $3
            AND entry_id NOT IN (SELECT e.id FROM ledger_entries e
                WHERE e.family_id = $1 AND e.id >= $2 AND e.id <= $3
                    AND e.changed_at IS NOT NULL)";
    /// The tags of parts of transactions in the range; a part may lie behind it.
    RANGE_PARTS_UNTAG = "DELETE FROM entry_tags WHERE family_id = $1 AND entry_id IN (
            SELECT p.id FROM entries w
            JOIN entries p ON p.family_id = $1 AND p.parent_id = w.id
            WHERE w.family_id = $1 AND w.id >= $2 AND w.id <= $3 AND w.is_split
                AND w.changed_at IS NULL)";
    /// The parts of split transactions, too.
    RANGE_PARTS_DELETE = "DELETE FROM entries WHERE family_id = $1 AND parent_id IN (
            SELECT w.id FROM entries w WHERE w.family_id = $1 AND w.id >= $2 AND w.id <= $3
                AND w.is_split AND w.changed_at IS NULL)";
    /// Removes the entries in the range.
    RANGE_DELETE = "DELETE FROM entries
        WHERE family_id = $1 AND id >= $2 AND id <= $3 AND changed_at IS NULL";
    /// Fields that an import filled are empty again.
    FILL_TAKE_BACK = "UPDATE entries
        SET category_id = CASE WHEN $1 THEN NULL ELSE category_id END,
            notes = CASE WHEN $2 THEN NULL ELSE notes END,
            external_id = CASE WHEN $3 THEN NULL ELSE external_id END,
            updated_at = $4
        WHERE family_id = $5 AND id = $6";
    /// So are its tags.
    FILL_UNTAG = "DELETE FROM entry_tags WHERE family_id = $1 AND entry_id = $2";
    /// And what was kept of an id that came with the fill.
    FILL_ORIGIN = "UPDATE entry_origins SET external_id = NULL
        WHERE family_id = $1 AND entry_id = $2 AND external_id = $3";
    /// An account's derived days.
    ACCOUNT_BALANCES_DELETE = "DELETE FROM balances WHERE family_id = $1 AND account_id = $2";
    /// What keeps the ids of positions that an account had.
    ACCOUNT_HOLDINGS_DELETE = "DELETE FROM holdings WHERE family_id = $1 AND account_id = $2";
    /// Opening balances that came with an account.
    ACCOUNT_OPENINGS_DELETE = "DELETE FROM entries
        WHERE family_id = $1 AND account_id = $2 AND kind = 1
            AND valuation_kind = 'opening_anchor'";
    /// An account that nothing points to.
    ACCOUNT_DELETE = "DELETE FROM accounts WHERE family_id = $1 AND id = $2";
    /// What was found of an account to come every month goes with what it was found in.
    ACCOUNT_RECURRING_DELETE = "DELETE FROM recurring_transactions
        WHERE family_id = $1 AND account_id = $2 AND made_by = 'detection'";
}

/// Entries that are deleted with one statement.
const SLICE_ENTRIES: i64 = 10_000;

/// The first and the last entry that an import made.
pub type Range = (EntryId, EntryId);

/// Fields of a transaction that an undo empties again, with what an import had put there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TakenBack {
    /// It has no category again.
    pub category: bool,
    /// It has no notes again.
    pub notes: bool,
    /// It has no tags again.
    pub tags: bool,
    /// It doesn't have this id of the bank any more.
    pub external_id: Option<String>,
}

/// The beginning of a range with so many entries, and what is left of the range.
pub(crate) fn split_range(
    tx: &mut FamilyTx<'_>,
    (first, last): Range,
    entries_max: u64,
) -> Result<(Range, Option<Range>)> {
    let count = i64::try_from(entries_max).unwrap_or(i64::MAX);
    let look = [tx.family().into(), first.into(), last.into(), Val::Int(count)];
    let next: Option<EntryId> = tx.query_opt(&RANGE_SLICE_END, &look, |row| row.id(0))?;
    Ok(match next {
        Some(next) => ((first, before(next)), Some((next, last))),
        None => ((first, last), None),
    })
}

impl Executor {
    /// Counts the entries of a range that nobody changed out of counters and balances.
    pub fn count_out_range(&mut self, tx: &mut FamilyTx<'_>, range: Range) -> Result<()> {
        let key = [self.family.into(), range.0.into(), range.1.into()];
        let mut days: HashMap<(Uuid, Date), Delta> = HashMap::new();
        let mut valuations: HashMap<Uuid, i64> = HashMap::new();
        let mut has_trades = false;
        tx.for_each(&RANGE_ACTIVITY, &key, |row| {
            let account = row.uuid(0)?;
            let delta = days.entry((account, row.date(1)?)).or_default();
            let kind = row.int(2)?;
            if kind == EntryKind::Transaction.code() {
                // Lists have the parts in place of a transaction that is split.
                delta.transactions += i64::from(row.bool(4)?);
                return delta.remove_transaction(row.int(3)?).map_err(Error::internal);
            }
            delta.transactions -= i64::from(kind == EntryKind::Part.code());
            if kind == EntryKind::Valuation.code() {
                delta.valued = Some(None);
                *valuations.entry(account).or_default() += 1;
            }
            has_trades |= kind == EntryKind::Trade.code();
            Ok(())
        })?;
        let trades = if has_trades { self.range_trades(tx, range, &mut days)? } else { Vec::new() };
        for ((account, date), delta) in days {
            let deltas = &mut self.accounts.touch(tx, account)?.deltas;
            deltas.entry(date).or_default().merge(&delta).map_err(Error::internal)?;
        }
        for (account, count) in valuations {
            self.accounts.touch(tx, account)?.valuations -= count;
        }
        for account in trades {
            self.accounts.touch(tx, account)?.trades -= 1;
        }
        Ok(())
    }

    /// Adds what the trades of a range take back with them; gives the account of each. Their
    /// positions are folded again once they are gone.
    fn range_trades(
        &mut self,
        tx: &mut FamilyTx<'_>,
        range: Range,
        days: &mut HashMap<(Uuid, Date), Delta>,
    ) -> Result<Vec<Uuid>> {
        let key = [self.family.into(), range.0.into(), range.1.into()];
        let mut accounts = Vec::new();
        tx.for_each(&RANGE_TRADES, &key, |row| {
            let (account, date) = (row.uuid(0)?, row.date(1)?);
            let delta = days.entry((account, date)).or_default();
            delta.remove_trade(row.int(2)?, row.int(3)?).map_err(Error::internal)?;
            self.positions.touch(row.id(4)?, date);
            accounts.push(account);
            Ok(())
        })?;
        Ok(accounts)
    }

    /// Removes the entries of a range that nobody changed, with their tags and the transfers that
    /// they are a side of. `progress` hears how many are gone.
    pub fn delete_range(
        &mut self,
        tx: &mut FamilyTx<'_>,
        range: Range,
        progress: &dyn Fn(u64),
    ) -> Result<u64> {
        let (mut from, last) = range;
        let mut deleted = 0;
        tx.execute(&RANGE_FILLS, &[self.family.into(), from.into(), last.into()])?;
        loop {
            let look = [self.family.into(), from.into(), last.into(), Val::Int(SLICE_ENTRIES)];
            let next: Option<EntryId> = tx.query_opt(&RANGE_SLICE_END, &look, |row| row.id(0))?;
            // The last slice reaches to the end; the next one begins where this one ends.
            let to = next.map_or(last, before);
            leave_transfers(tx, (from, to))?;
            deleted += delete_slice(tx, (from, to))?;
            progress(deleted);
            match next {
                Some(next) => from = next,
                None => return Ok(deleted),
            }
        }
    }

    /// Empties fields that an import had filled.
    pub fn take_back(
        &mut self,
        tx: &mut FamilyTx<'_>,
        entry: EntryId,
        fields: &TakenBack,
    ) -> Result<()> {
        let now = tx.now();
        tx.execute(
            &FILL_TAKE_BACK,
            &[
                Val::Bool(fields.category),
                Val::Bool(fields.notes),
                Val::Bool(fields.external_id.is_some()),
                now.into(),
                self.family.into(),
                entry.into(),
            ],
        )?;
        if fields.tags {
            tx.execute(&FILL_UNTAG, &self.key(entry.0))?;
        }
        if let Some(id) = &fields.external_id {
            tx.execute(&FILL_ORIGIN, &[self.family.into(), entry.into(), Val::Text(id)])?;
        }
        Ok(())
    }

    /// Brings positions, counters and balances up to date before the end, for what can only go when
    /// they are.
    pub fn settle(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        self.positions.write(tx, &mut self.accounts)?;
        self.accounts.write(tx)
    }

    /// Removes an account that nothing points to any more.
    pub(crate) fn remove_account(&mut self, tx: &mut FamilyTx<'_>, id: Uuid) -> Result<()> {
        let key = self.key(id);
        leave_imports(tx, AccountId(id))?;
        tx.execute(&ACCOUNT_OPENINGS_DELETE, &key)?;
        tx.execute(&ACCOUNT_BALANCES_DELETE, &key)?;
        tx.execute(&ACCOUNT_RECURRING_DELETE, &key)?;
        tx.execute(&ACCOUNT_HOLDINGS_DELETE, &key)?;
        self.accounts.forget(id);
        if tx.execute(&ACCOUNT_DELETE, &key)? != 1 {
            return Err(Error::internal(format!("the account {id} is not there")));
        }
        self.notes.push(json!({ "removed": ACCOUNT, "id": id }));
        Ok(())
    }
}

/// Ends what others know of the entries of a range that nobody changed: fills and transfers.
pub(super) fn detach_range(tx: &mut FamilyTx<'_>, range: Range) -> Result<()> {
    let family = tx.family();
    tx.execute(&RANGE_FILLS, &[family.into(), range.0.into(), range.1.into()])?;
    leave_transfers(tx, range)
}

fn leave_transfers(tx: &mut FamilyTx<'_>, range: Range) -> Result<()> {
    let family = tx.family();
    let key = [family.into(), range.0.into(), range.1.into()];
    tx.execute(&RANGE_OUTFLOWS, &key)?;
    tx.execute(&RANGE_INFLOWS, &key).map(drop)
}

/// Deletes the entries of a slice that nobody changed, with their tags, conversions and origins,
/// and with what they did to shares.
pub(super) fn delete_slice(tx: &mut FamilyTx<'_>, slice: Range) -> Result<u64> {
    let family = tx.family();
    let key = [family.into(), slice.0.into(), slice.1.into()];
    tx.execute(&RANGE_UNTAG, &key)?;
    tx.execute(&RANGE_CONVERSIONS, &key)?;
    tx.execute(&RANGE_ORIGINS, &key)?;
    tx.execute(&RANGE_SHARES, &key)?;
    tx.execute(&RANGE_PARTS_UNTAG, &key)?;
    tx.execute(&RANGE_PARTS_DELETE, &key)?;
    tx.execute(&RANGE_DELETE, &key)
}

/// The id before an id, as the database sorts them.
pub(super) fn before(id: EntryId) -> EntryId {
    EntryId(Uuid::from_u128(id.0.as_u128().saturating_sub(1)))
}
