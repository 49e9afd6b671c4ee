//! Splitting transactions into parts, and putting them together again.
//!
//! The whole stays as it came, for balances, duplicates and undo; lists and reports show its parts.
//! Parts are entries of a kind of their own, so nothing that looks for transactions by their money
//! meets them. They follow the day of the whole; they are changed like transactions, but for day
//! and amount.

use purser_core::error::{Error, Result};
use purser_core::ids::EntryId;
use purser_core::ledger::entry::EntryKind;
use purser_core::ledger::split::{Part, share};
use purser_core::money::Money;
use purser_core::plan::{PartDraft, TransactionDraft};
use serde_json::json;
use uuid::Uuid;

use super::origins::{CurrentTransaction, mark_decided};
use super::{Applied, Executor};
use crate::access::FamilyTx;
use crate::driver::{Bulk, ColumnType, Val, statements};

statements! {
    /// Whether it is split, and whether it is one side of a confirmed transfer.
    SPLIT_STATE = "SELECT e.is_split, e.pending, EXISTS (SELECT 1 FROM transfers t
            WHERE t.family_id = $1 AND t.status = 'confirmed'
                AND (t.outflow_id = e.id OR t.inflow_id = e.id))
        FROM ledger_entries e WHERE e.family_id = $1 AND e.id = $2";
    /// A part, which has the day, the currency and the source of nobody but its whole.
    PART_INSERT = "INSERT INTO entries (family_id, id, account_id, kind, date, amount, currency,
            booked, name, notes, category_id, merchant_id, excluded, parent_id, pending,
            created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16)";
    /// Marks the whole as split, or as no longer split, and as changed by a person.
    SPLIT_MARK = "UPDATE entries SET is_split = $1, changed_at = COALESCE(changed_at, $2),
            has_origin = $3, updated_at = $2
        WHERE family_id = $4 AND id = $5";
    /// The parts of a transaction, in the order in which they were named. Their ids come from the
    /// index alone; otherwise SQLite would rather read all entries of the family.
    PARTS = "SELECT id, amount, name, category_id FROM ledger_entries
        WHERE family_id = $1 AND id IN (SELECT p.id FROM entries p
            WHERE p.family_id = $1 AND p.parent_id = $2) ORDER BY id";
    /// The tags of the parts.
    PARTS_UNTAG = "DELETE FROM entry_tags WHERE family_id = $1 AND entry_id IN (
            SELECT id FROM entries WHERE family_id = $1 AND parent_id = $2)";
    /// The rows of the parts.
    PARTS_DELETE = "DELETE FROM entries WHERE family_id = $1 AND parent_id = $2";
    /// They are in the account of the whole. What they are booked as there is set afterwards.
    PARTS_MOVE = "UPDATE entries SET account_id = $1, booked = NULL
        WHERE family_id = $2 AND parent_id = $3";
    /// They are on the day of the whole.
    PARTS_DATE = "UPDATE entries SET date = $1, updated_at = $2
        WHERE family_id = $3 AND parent_id = $4";
    /// Excludes the parts as the whole.
    PARTS_EXCLUDE = "UPDATE entries SET excluded = $1, updated_at = $2
        WHERE family_id = $3 AND parent_id = $4";
    /// Marks the transactions of parts that were added as split.
    ADDED_SPLIT_MARK = "UPDATE entries SET is_split = TRUE WHERE family_id = $1 AND id IN (
            SELECT p.parent_id FROM entries p
            WHERE p.family_id = $1 AND p.id >= $2 AND p.id <= $3 AND p.kind = 3)";
    /// The transaction of a part, if nobody has changed it.
    UNCHANGED_WHOLE = "SELECT w.id FROM ledger_entries p
        JOIN ledger_entries w ON w.family_id = $1 AND w.id = p.parent_id
        WHERE p.family_id = $1 AND p.id = $2 AND w.changed_at IS NULL";
    /// A person has changed the transaction, and with it its parts.
    PARTS_MARK = "UPDATE entries SET changed_at = COALESCE(changed_at, $1)
        WHERE family_id = $2 AND parent_id = $3";
    /// What a part is booked as.
    PART_BOOK = "UPDATE entries SET booked = $1 WHERE family_id = $2 AND id = $3";
    /// Proposals that it could be a transfer.
    PROPOSALS_DELETE = "DELETE FROM transfers WHERE family_id = $1
            AND (outflow_id = $2 OR inflow_id = $2) AND status <> 'confirmed'";
}

pub(crate) static PARTS_ADDED: Bulk = Bulk {
    table: "entries",
    columns: &[
        ("family_id", ColumnType::Int),
        ("id", ColumnType::Uuid),
        ("account_id", ColumnType::Uuid),
        ("kind", ColumnType::Int),
        ("date", ColumnType::Int),
        ("amount", ColumnType::Int),
        ("currency", ColumnType::Text),
        ("booked", ColumnType::Int),
        ("name", ColumnType::Text),
        ("notes", ColumnType::Text),
        ("category_id", ColumnType::Uuid),
        ("merchant_id", ColumnType::Uuid),
        ("excluded", ColumnType::Bool),
        ("parent_id", ColumnType::Uuid),
        ("pending", ColumnType::Bool),
        ("created_at", ColumnType::Int),
        ("updated_at", ColumnType::Int),
    ],
};

impl Executor {
    /// Adds a transaction with its parts. They are entries of the same plan, so an undo takes them
    /// away with it.
    pub(super) fn add_split(
        &mut self,
        tx: &mut FamilyTx<'_>,
        whole: &TransactionDraft<'_>,
        parts: &[PartDraft<'_>],
    ) -> Result<Applied> {
        let applied = self.add_transaction(tx, whole)?;
        let account = self.resolve(whole.account)?;
        let merchant = whole.merchant.map(|target| self.resolve(target)).transpose()?;
        let amounts: Vec<i64> = parts.iter().map(|part| part.amount).collect();
        if amounts.iter().map(|amount| i128::from(*amount)).sum::<i128>() != whole.amount.into() {
            return Err(Error::internal("the parts of a transaction don't add up to it"));
        }
        let booked = self.booked_shares(tx, whole, account, &amounts)?;
        let now = tx.now();
        for (at, part) in parts.iter().enumerate() {
            let id = self.next_entry_id()?;
            let category = part.category.map(|target| self.resolve(target)).transpose()?;
            if self.parts.is_batch_due() {
                // A part may not arrive before its transaction.
                self.entries.flush(tx)?;
            }
            let row = [
                self.family.into(),
                Val::Uuid(id),
                Val::Uuid(account),
                Val::Int(EntryKind::Part.code()),
                whole.date.into(),
                Val::Int(part.amount),
                Val::Text(whole.currency.code()),
                booked.as_ref().and_then(|booked| booked.get(at).copied()).into(),
                Val::Text(whole.name),
                part.notes.into(),
                category.into(),
                merchant.into(),
                Val::Bool(whole.excluded),
                Val::Uuid(applied.entry.0),
                Val::Bool(false),
                now.into(),
                now.into(),
            ];
            self.parts.push(tx, &row)?;
            self.parts_added = Some((self.parts_added.map_or(id, |(first, _)| first), id));
            self.tag(tx, EntryId(id), whole.tags)?;
        }
        let listed = i64::try_from(parts.len()).map_err(Error::internal)? - 1;
        let deltas = &mut self.accounts.touch(tx, account)?.deltas;
        deltas.entry(whole.date).or_default().transactions += listed;
        Ok(applied)
    }

    /// What parts of such amounts are booked as; none in the account's own currency.
    fn booked_shares(
        &mut self,
        tx: &mut FamilyTx<'_>,
        whole: &TransactionDraft<'_>,
        account: Uuid,
        amounts: &[i64],
    ) -> Result<Option<Vec<i64>>> {
        let currency = self.accounts.touch(tx, account)?.currency;
        if whole.currency == currency {
            return Ok(None);
        }
        let original = Money::new(whole.amount, whole.currency);
        let booking = self.booking(tx, original, currency, whole.date, whole.rate)?;
        Ok(Some(share(booking.amount(), whole.amount, amounts)))
    }

    /// Sends the transactions that were added, then their parts; gives how many transactions there
    /// are.
    pub(super) fn flush_entries(&mut self, tx: &mut FamilyTx<'_>) -> Result<u64> {
        let transactions = self.entries.flush(tx)?;
        self.parts.flush(tx)?;
        if let Some((first, last)) = self.parts_added.take() {
            let range = [self.family.into(), Val::Uuid(first), Val::Uuid(last)];
            tx.execute(&ADDED_SPLIT_MARK, &range)?;
        }
        Ok(transactions)
    }

    /// A person has changed a split transaction or a part: all of it counts as changed, so that an
    /// undo of its import leaves all of it alone.
    pub(super) fn mark_split(
        &mut self,
        tx: &mut FamilyTx<'_>,
        changed: &CurrentTransaction,
    ) -> Result<()> {
        let now = tx.now();
        let whole = if changed.is_part {
            let whole = tx.query_opt(&UNCHANGED_WHOLE, &self.key(changed.id.0), |row| row.id(0))?;
            let Some(whole) = whole else { return Ok(()) };
            mark_decided(tx, whole)?;
            whole
        } else {
            changed.id
        };
        tx.execute(&PARTS_MARK, &[now.into(), self.family.into(), whole.into()]).map(drop)
    }

    /// Splits a transaction, or splits it anew.
    pub(super) fn split_transaction(
        &mut self,
        tx: &mut FamilyTx<'_>,
        entry: EntryId,
        parts: &[Part],
    ) -> Result<Applied> {
        let whole = self.current(tx, entry)?;
        let was_split = self.require_splittable(tx, &whole)?;
        whole.keep_origin(tx)?;
        let former = if was_split { self.take_parts_away(tx, &whole)? } else { Vec::new() };
        let now = tx.now();
        let mark = [Val::Bool(true), now.into(), Val::Bool(true)];
        tx.execute(&SPLIT_MARK, &[&mark[..], &self.key(entry.0)].concat())?;
        tx.execute(&PROPOSALS_DELETE, &self.key(entry.0))?;
        let amounts: Vec<i64> = parts.iter().map(|part| part.amount).collect();
        let booked = self.foreign_shares(tx, &whole, &amounts)?;
        let mut made = Vec::with_capacity(parts.len());
        for (at, part) in parts.iter().enumerate() {
            let booked = booked.as_ref().and_then(|booked| booked.get(at).copied());
            made.push(self.add_part(tx, &whole, part, booked)?);
        }
        let listed = i64::try_from(parts.len()).map_err(Error::internal)? - i64::from(!was_split);
        self.list_more(tx, &whole, listed)?;
        self.notes.push(json!({ "entry": entry, "before": whole.image(), "parts_before": former,
            "parts": made, "amounts": amounts }));
        Ok(Applied { entry, existed: true })
    }

    /// Puts a transaction together again. It stays one that a person has changed.
    pub(super) fn unsplit_transaction(
        &mut self,
        tx: &mut FamilyTx<'_>,
        entry: EntryId,
    ) -> Result<Applied> {
        let whole = self.current(tx, entry)?;
        if !whole.is_split {
            return Err(Error::invalid("The transaction is not split"));
        }
        let former = self.take_parts_away(tx, &whole)?;
        let now = tx.now();
        let mark = [Val::Bool(false), now.into(), Val::Bool(true)];
        tx.execute(&SPLIT_MARK, &[&mark[..], &self.key(entry.0)].concat())?;
        self.list_more(tx, &whole, 1)?;
        self.notes.push(json!({ "entry": entry, "before": whole.image(),
            "parts_before": former }));
        Ok(Applied { entry, existed: true })
    }

    /// Removes the parts of a transaction; gives what they were.
    pub(super) fn take_parts_away(
        &mut self,
        tx: &mut FamilyTx<'_>,
        whole: &CurrentTransaction,
    ) -> Result<Vec<serde_json::Value>> {
        let key = self.key(whole.id.0);
        let former = tx.query(&PARTS, &key, |row| {
            Ok(json!({ "entry": row.uuid(0)?, "amount": row.int(1)?, "name": row.text(2)?,
                "category": row.opt_uuid(3)? }))
        })?;
        tx.execute(&PARTS_UNTAG, &key)?;
        tx.execute(&PARTS_DELETE, &key)?;
        let gone = i64::try_from(former.len()).map_err(Error::internal)?;
        self.list_more(tx, whole, -gone)?;
        Ok(former)
    }

    /// Reports look at the parts, so leaving the whole out leaves them out.
    pub(super) fn exclude_parts(
        &mut self,
        tx: &mut FamilyTx<'_>,
        whole: EntryId,
        excluded: bool,
    ) -> Result<()> {
        let (now, key) = (tx.now(), self.key(whole.0));
        tx.execute(&PARTS_EXCLUDE, &[Val::Bool(excluded), now.into(), key[0], key[1]]).map(drop)
    }

    /// The parts follow the whole to its account and its day, and are booked as it is.
    pub(super) fn parts_follow(
        &mut self,
        tx: &mut FamilyTx<'_>,
        before: &CurrentTransaction,
        account: Uuid,
        date: jiff::civil::Date,
    ) -> Result<()> {
        let key = self.key(before.id.0);
        let now = tx.now();
        let moved = tx.execute(&PARTS_DATE, &[date.into(), now.into(), key[0], key[1]])?;
        if account != before.account {
            tx.execute(&PARTS_MOVE, &[Val::Uuid(account), key[0], key[1]])?;
        }
        let count = i64::try_from(moved).map_err(Error::internal)?;
        self.list_more(tx, before, -count)?;
        let account = self.accounts.touch(tx, account)?;
        account.deltas.entry(date).or_default().transactions += count;
        let now_booked = CurrentTransaction::of(tx, before.id)?;
        self.book_parts(tx, &now_booked)
    }

    /// Books the parts of a transaction in another currency as their shares of it.
    pub(super) fn book_parts(
        &mut self,
        tx: &mut FamilyTx<'_>,
        whole: &CurrentTransaction,
    ) -> Result<()> {
        let parts =
            tx.query(&PARTS, &self.key(whole.id.0), |row| Ok((row.uuid(0)?, row.int(1)?)))?;
        let amounts: Vec<i64> = parts.iter().map(|(_, amount)| *amount).collect();
        if let Some(shares) = self.foreign_shares(tx, whole, &amounts)? {
            for ((id, _), booked) in parts.iter().zip(shares) {
                let booked = [Val::Int(booked), self.family.into(), Val::Uuid(*id)];
                tx.execute(&PART_BOOK, &booked)?;
            }
        }
        Ok(())
    }

    fn add_part(
        &mut self,
        tx: &mut FamilyTx<'_>,
        whole: &CurrentTransaction,
        part: &Part,
        booked: Option<i64>,
    ) -> Result<Uuid> {
        let id = self.next_entry_id()?;
        let now = tx.now();
        tx.execute(
            &PART_INSERT,
            &[
                self.family.into(),
                Val::Uuid(id),
                Val::Uuid(whole.account),
                Val::Int(EntryKind::Part.code()),
                whole.date.into(),
                Val::Int(part.amount),
                Val::Text(whole.currency.code()),
                booked.into(),
                Val::Text(part.name.as_deref().unwrap_or(&whole.name)),
                part.notes.as_deref().into(),
                part.category.into(),
                part.merchant.or(whole.merchant).into(),
                Val::Bool(part.excluded.unwrap_or(whole.is_excluded)),
                Val::Uuid(whole.id.0),
                Val::Bool(false),
                now.into(),
            ],
        )?;
        let tags: Vec<_> =
            part.tags.iter().map(|tag| purser_core::plan::Target::Existing(*tag)).collect();
        self.tag(tx, EntryId(id), &tags)?;
        Ok(id)
    }

    /// What parts of such amounts are booked as; none if the whole is in its account's currency.
    fn foreign_shares(
        &mut self,
        tx: &mut FamilyTx<'_>,
        whole: &CurrentTransaction,
        amounts: &[i64],
    ) -> Result<Option<Vec<i64>>> {
        let currency = self.accounts.touch(tx, whole.account)?.currency;
        let foreign = whole.currency != currency;
        Ok(foreign.then(|| share(whole.booked, whole.amount, amounts)))
    }

    fn require_splittable(
        &self,
        tx: &mut FamilyTx<'_>,
        whole: &CurrentTransaction,
    ) -> Result<bool> {
        if whole.is_part {
            return Err(Error::invalid("A part can't be split: split its transaction anew"));
        }
        let (is_split, pending, transferred) =
            tx.query_one(&SPLIT_STATE, &self.key(whole.id.0), |row| {
                Ok((row.bool(0)?, row.bool(1)?, row.bool(2)?))
            })?;
        if pending {
            return Err(Error::invalid("A pending transaction can't be split before it is posted"));
        }
        if transferred {
            return Err(Error::invalid(
                "The transaction is one side of a transfer: remove the transfer first",
            ));
        }
        Ok(is_split)
    }

    /// So many more transactions are in the list of the whole's day.
    fn list_more(
        &mut self,
        tx: &mut FamilyTx<'_>,
        whole: &CurrentTransaction,
        more: i64,
    ) -> Result<()> {
        let account = self.accounts.touch(tx, whole.account)?;
        account.deltas.entry(whole.date).or_default().transactions += more;
        Ok(())
    }
}
