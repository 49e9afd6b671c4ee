//! Changing and removing single transactions.
//!
//! The first change marks the transaction and keeps its origin, so that an undo of its import
//! leaves it alone and the same row of a later file is still recognised.

use jiff::civil::Date;
use purser_core::error::{Error, Problem, Result};
use purser_core::ids::EntryId;
use purser_core::ledger::locks::Locks;
use purser_core::money::Money;
use purser_core::plan::TransactionRevision;
use rust_decimal::Decimal;
use serde_json::json;
use uuid::Uuid;

use super::conversions::{Booking, CONVERSION_DELETE};
use super::origins::CurrentTransaction;
use super::{Applied, Executor};
use crate::access::FamilyTx;
use crate::driver::{Val, statements};
use crate::transfers;

statements! {
    /// Sets the fields that a person may change; the time of the first change stays.
    TRANSACTION_UPDATE = "UPDATE entries SET date = $1, amount = $2, booked = $3, name = $4,
            notes = $5, category_id = $6, merchant_id = $7, excluded = $8, locked = $9,
            changed_at = COALESCE(changed_at, $10), has_origin = $11, updated_at = $10
        WHERE family_id = $12 AND id = $13";
    /// Moves a transaction to another account.
    TRANSACTION_MOVE = "UPDATE entries SET account_id = $1 WHERE family_id = $2 AND id = $3";
    /// Which fields rules and imports leave alone.
    TRANSACTION_LOCK = "UPDATE entries SET locked = $1, updated_at = $2
        WHERE family_id = $3 AND id = $4";
    /// All tags of an entry go.
    TRANSACTION_UNTAG = "DELETE FROM entry_tags WHERE family_id = $1 AND entry_id = $2";
    /// Transfers of which an entry is one side.
    TRANSACTION_TRANSFERS_DELETE = "DELETE FROM transfers
        WHERE family_id = $1 AND (outflow_id = $2 OR inflow_id = $2)";
    /// Takes a transaction away.
    TRANSACTION_DELETE = "DELETE FROM entries WHERE family_id = $1 AND id = $2";
}

impl Executor {
    /// Changes a transaction that exists.
    pub(super) fn revise_transaction(
        &mut self,
        tx: &mut FamilyTx<'_>,
        revision: &TransactionRevision<'_>,
    ) -> Result<Applied> {
        let before = self.current(tx, revision.entry)?;
        let locked = before.locked.union(revision.set_fields()).without(revision.unlock);
        if revision.is_empty() {
            return self.lock(tx, &before, locked);
        }
        require_allowed(&before, revision)?;
        before.keep_origin(tx)?;
        let date = revision.date.unwrap_or(before.date);
        let amount = revision.amount.unwrap_or(before.amount);
        let name = revision.name.unwrap_or(&before.name);
        let notes = revision.notes.unwrap_or(before.notes.as_deref());
        let category = match revision.category {
            None => before.category,
            Some(target) => target.map(|target| self.resolve(target)).transpose()?,
        };
        let merchant = match revision.merchant {
            None => before.merchant,
            Some(target) => target.map(|target| self.resolve(target)).transpose()?,
        };
        let excluded = revision.excluded.unwrap_or(before.is_excluded);
        let account = revision.account.map_or(before.account, |account| account.0);
        let moves = (account, date, amount) != (before.account, before.date, before.amount);
        let rebooks = moves || revision.rate.is_some();
        let booking = match rebooks {
            true => self.booking_of(tx, &before, (account, date), amount, revision.rate)?,
            false => self.kept_booking(tx, &before)?,
        };
        let now = tx.now();
        tx.execute(
            &TRANSACTION_UPDATE,
            &[
                date.into(),
                Val::Int(amount),
                booking.booked.into(),
                Val::Text(name),
                notes.into(),
                category.into(),
                merchant.into(),
                Val::Bool(excluded),
                Val::Int(locked.bits()),
                now.into(),
                Val::Bool(!before.is_part),
                self.family.into(),
                revision.entry.into(),
            ],
        )?;
        if before.is_split || before.is_part {
            self.mark_split(tx, &before)?;
        }
        if let (true, Some(excluded)) = (before.is_split, revision.excluded) {
            self.exclude_parts(tx, before.id, excluded)?;
        }
        if rebooks {
            self.rebook(tx, &before, (account, date), moves, &booking)?;
        } else {
            self.accounts.touch(tx, before.account)?;
        }
        let mut after = json!({ "account": account, "date": date, "amount": amount, "name": name,
            "notes": notes, "category": category, "merchant": merchant, "excluded": excluded,
            "locked": locked.names() });
        if let Some(tags) = revision.tags {
            tx.execute(&TRANSACTION_UNTAG, &self.key(revision.entry.0))?;
            self.tag(tx, revision.entry, tags)?;
            let tags = tags.iter().map(|tag| self.resolve(*tag)).collect::<Result<Vec<_>>>()?;
            after["tags"] = json!(tags);
        }
        self.notes
            .push(json!({ "entry": revision.entry, "before": before.image(), "after": after }));
        Ok(Applied { entry: revision.entry, existed: true })
    }

    /// Counts a transaction in another account or on another day, or with another amount or rate.
    fn rebook(
        &mut self,
        tx: &mut FamilyTx<'_>,
        before: &CurrentTransaction,
        (account, date): (Uuid, Date),
        moves: bool,
        booking: &Booking,
    ) -> Result<()> {
        self.count_out(tx, before.account, before.date, before.booked)?;
        self.count_in(tx, account, date, booking.amount())?;
        if account != before.account {
            let [family, entry] = self.key(before.id.0);
            tx.execute(&TRANSACTION_MOVE, &[Val::Uuid(account), family, entry])?;
            // The next statement writes it for the new account, if it needs one.
            tx.execute(&CONVERSION_DELETE, &[family, entry])?;
        }
        // An amount in the account's currency never had a conversion.
        if booking.booked.is_some() {
            self.keep_conversion(tx, before.id.0, account, date, booking)?;
        }
        if before.is_split && moves {
            self.list_whole(tx, before, account, date)?;
        } else if before.is_split {
            let whole = CurrentTransaction::of(tx, before.id)?;
            self.book_parts(tx, &whole)?;
        }
        transfers::changes::remove_broken(tx, before.id)
    }

    /// Locks and unlocks fields. That alone doesn't count as a change of the transaction.
    fn lock(
        &mut self,
        tx: &mut FamilyTx<'_>,
        before: &CurrentTransaction,
        locked: Locks,
    ) -> Result<Applied> {
        let now = tx.now();
        let values = [Val::Int(locked.bits()), now.into(), self.family.into(), before.id.into()];
        tx.execute(&TRANSACTION_LOCK, &values)?;
        self.notes.push(json!({ "entry": before.id, "before": before.image(),
            "after": { "locked": locked.names() } }));
        Ok(Applied { entry: before.id, existed: true })
    }

    /// Locks the fields that a person set by creating a transaction of this plan.
    pub(crate) fn lock_added(
        &mut self,
        tx: &mut FamilyTx<'_>,
        entry: EntryId,
        locked: Locks,
    ) -> Result<()> {
        if locked.is_empty() {
            return Ok(());
        }
        self.entries.flush(tx)?;
        let now = tx.now();
        let values = [Val::Int(locked.bits()), now.into(), self.family.into(), entry.into()];
        tx.execute(&TRANSACTION_LOCK, &values).map(drop)
    }

    /// Takes a transaction away, with its tags and the transfers that it is a side of. Its origin
    /// stays: the same row of a later file doesn't bring it back.
    pub(super) fn remove_transaction(
        &mut self,
        tx: &mut FamilyTx<'_>,
        entry: EntryId,
    ) -> Result<Applied> {
        let before = self.current(tx, entry)?;
        if before.is_part {
            return Err(Error::invalid(
                "A part can't be removed alone: split its transaction anew, or put it together",
            ));
        }
        let parts = if before.is_split { self.take_parts_away(tx, &before)? } else { Vec::new() };
        before.bury(tx)?;
        let key = self.key(entry.0);
        if !before.tags.is_empty() {
            tx.execute(&TRANSACTION_UNTAG, &key)?;
        }
        if self.accounts.touch(tx, before.account)?.currency != before.currency {
            tx.execute(&CONVERSION_DELETE, &key)?;
        }
        tx.execute(&TRANSACTION_TRANSFERS_DELETE, &key)?;
        tx.execute(&TRANSACTION_DELETE, &key)?;
        self.count_out(tx, before.account, before.date, before.booked)?;
        if before.is_split {
            let account = self.accounts.touch(tx, before.account)?;
            account.deltas.entry(before.date).or_default().transactions += 1;
        }
        self.notes.push(json!({ "entry": entry, "before": before.image(), "parts": parts }));
        Ok(Applied { entry, existed: true })
    }

    /// A transaction that is split is counted in money, but its parts are what lists show.
    fn list_whole(
        &mut self,
        tx: &mut FamilyTx<'_>,
        before: &CurrentTransaction,
        account: Uuid,
        date: Date,
    ) -> Result<()> {
        let from = self.accounts.touch(tx, before.account)?;
        from.deltas.entry(before.date).or_default().transactions += 1;
        let to = self.accounts.touch(tx, account)?;
        to.deltas.entry(date).or_default().transactions -= 1;
        self.parts_follow(tx, before, account, date)
    }

    /// What a transaction stays booked as: that follows from account, day and amount, and a better
    /// rate moves the balance too.
    fn kept_booking(
        &mut self,
        tx: &mut FamilyTx<'_>,
        before: &CurrentTransaction,
    ) -> Result<Booking> {
        let to = self.accounts.touch(tx, before.account)?.currency;
        Ok(Booking::kept(Money::new(before.amount, before.currency), to, before.booked))
    }

    /// The booked amount of a transaction in an account on a day. A rate that came with it stays,
    /// unless another is sent, or the account that it was for has another currency.
    fn booking_of(
        &mut self,
        tx: &mut FamilyTx<'_>,
        before: &CurrentTransaction,
        (account, date): (Uuid, Date),
        amount: i64,
        rate: Option<Option<Decimal>>,
    ) -> Result<Booking> {
        let from = self.accounts.touch(tx, before.account)?.currency;
        let to = self.accounts.touch(tx, account)?.currency;
        let stated = Money::new(amount, before.currency);
        let foreign = stated.currency != to;
        if before.is_part {
            return Ok(Booking::kept(stated, to, before.booked));
        }
        let given = match rate {
            Some(stated) => stated,
            None if foreign && from == to => self.given_rate(tx, before.id.0)?,
            None => None,
        };
        let booking = self.booking(tx, stated, to, date, given)?;
        if from != to && amount != 0 && !booking.is_known() {
            let predicate = format!(
                "is required: no rate from {} to {} is known",
                stated.currency.code(),
                to.code()
            );
            return Err(Problem::field("exchange_rate", predicate).into());
        }
        Ok(booking)
    }

    pub(super) fn count_in(
        &mut self,
        tx: &mut FamilyTx<'_>,
        account: Uuid,
        date: Date,
        amount: i64,
    ) -> Result<()> {
        let account = self.accounts.touch(tx, account)?;
        let delta = account.deltas.entry(date).or_default();
        delta.add_transaction(amount).map_err(|_| out_of_range())
    }

    pub(super) fn count_out(
        &mut self,
        tx: &mut FamilyTx<'_>,
        account: Uuid,
        date: Date,
        amount: i64,
    ) -> Result<()> {
        let account = self.accounts.touch(tx, account)?;
        let delta = account.deltas.entry(date).or_default();
        delta.remove_transaction(amount).map_err(|_| out_of_range())
    }
}

/// A part has the day and the amount that the split gave it, and a whole the amount of its parts.
fn require_allowed(before: &CurrentTransaction, revision: &TransactionRevision<'_>) -> Result<()> {
    let leaves = revision.account.is_some_and(|account| account.0 != before.account);
    if before.is_part && leaves {
        return Err(Error::invalid(
            "A part is in the account of its transaction: move the transaction",
        ));
    }
    let moved = revision.date.is_some_and(|date| date != before.date);
    let resized = revision.amount.is_some_and(|amount| amount != before.amount);
    if before.is_part && (moved || resized) {
        return Err(Error::invalid(
            "A part has the day of its transaction and the amount of the split: change those",
        ));
    }
    if before.is_split && resized {
        return Err(Error::invalid(
            "The transaction is split: put it together before its amount is changed",
        ));
    }
    Ok(())
}

fn out_of_range() -> Error {
    Error::invalid("The amount is out of range")
}
