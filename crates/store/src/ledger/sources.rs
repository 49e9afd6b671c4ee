//! Transactions that follow what their source reports: pending ones that are booked, amounts that
//! the bank corrects, ids that it gives anew.
//!
//! A field follows while it is what the source reported before and no person has locked it. So what
//! a person or a rule made of a transaction stays, and nothing of this counts as a person's change.

use purser_core::error::{Error, Result};
use purser_core::ids::EntryId;
use purser_core::ledger::locks::{LockField, Locks};
use purser_core::money::Money;
use purser_core::plan::{SourceUpdate, Target, TransactionRevision};
use serde_json::json;
use uuid::Uuid;

use super::conversions::{Booking, CONVERSION_DELETE};
use super::edits::{TRANSACTION_DELETE, TRANSACTION_TRANSFERS_DELETE, TRANSACTION_UNTAG};
use super::origins::{CurrentTransaction, mark_decided};
use super::{Applied, Executor};
use crate::access::FamilyTx;
use crate::driver::{statements, vals};

statements! {
    /// What the source reports of a transaction, money apart.
    SOURCE_FOLLOW = "UPDATE entries SET name = $1, notes = $2, external_id = $3, updated_at = $4
        WHERE family_id = $5 AND id = $6";
    /// Notes that came from the source.
    SOURCE_NOTES_DROP = "UPDATE entries SET notes = NULL, updated_at = $1
        WHERE family_id = $2 AND id = $3";
    /// When and how much it is, and whether it is booked.
    SOURCE_MOVE = "UPDATE entries SET date = $1, amount = $2, booked = $3, pending = $4
        WHERE family_id = $5 AND id = $6";
    /// What is kept of the source of a transaction that was changed.
    SOURCE_ORIGIN = "UPDATE entry_origins SET date = $1, amount = $2, name = $3, external_id = $4
        WHERE family_id = $5 AND entry_id = $6 AND source = $7";
    /// The origin of a transaction that was never there.
    ORIGIN_DROP = "DELETE FROM entry_origins WHERE family_id = $1 AND entry_id = $2";
    /// What imports filled in a transaction that was never there.
    FILLS_DROP = "DELETE FROM import_fills WHERE family_id = $1 AND entry_id = $2";
    /// A transaction that nobody changed since its source claimed it: the time of the last change
    /// is that of the claim.
    CLAIM_RELEASE = "UPDATE entries SET changed_at = NULL, updated_at = $1
        WHERE family_id = $2 AND id = $3 AND changed_at = updated_at";
}

/// What a transaction takes over from another one that is the same and goes.
#[derive(Debug, Default)]
pub(crate) struct Inheritance {
    name: Option<String>,
    notes: Option<String>,
    category: Option<Uuid>,
    merchant: Option<Uuid>,
    tags: Option<Vec<Uuid>>,
    excluded: Option<bool>,
    /// The fields that nobody has set in either of them.
    unlock: Locks,
}

impl Inheritance {
    /// What the one that stays lacks and the other one has, and what a person set in the other one;
    /// never a field that a person set in the one that stays.
    pub(crate) fn of(tx: &mut FamilyTx<'_>, stays: EntryId, goes: EntryId) -> Result<Self> {
        let (own, other) = (CurrentTransaction::of(tx, stays)?, CurrentTransaction::of(tx, goes)?);
        if other.is_split {
            return Err(Error::invalid(
                "The transaction that would go is split: put it together first",
            ));
        }
        let is_open = |field| !own.locked.has(field);
        let is_set = |field| is_open(field) && other.locked.has(field);
        let takes =
            |field, has: bool, lacks: bool| has && (is_set(field) || lacks && is_open(field));
        let taken = |field, theirs: Option<Uuid>, ours: Option<Uuid>| {
            theirs.filter(|_| takes(field, true, ours.is_none()) && theirs != ours)
        };
        let is_note_taken = takes(LockField::Notes, other.notes.is_some(), own.notes.is_none());
        let has_tags = !other.tags.is_empty() && other.tags != own.tags;
        let unlock = [LockField::Notes, LockField::Category, LockField::Merchant, LockField::Tags];
        let unlock = unlock.into_iter().fold(Locks::NONE, |all, field| {
            all.with(field, is_open(field) && !other.locked.has(field))
        });
        Ok(Self {
            name: is_set(LockField::Name).then_some(other.name).filter(|name| *name != own.name),
            notes: other.notes.filter(|_| is_note_taken),
            category: taken(LockField::Category, other.category, own.category),
            merchant: taken(LockField::Merchant, other.merchant, own.merchant),
            tags: takes(LockField::Tags, has_tags, own.tags.is_empty()).then_some(other.tags),
            excluded: (is_set(LockField::Excluded) && other.is_excluded != own.is_excluded)
                .then_some(other.is_excluded),
            unlock,
        })
    }
}

impl Executor {
    /// A transaction takes over the labels of one that was the same.
    pub(crate) fn inherit(
        &mut self,
        tx: &mut FamilyTx<'_>,
        entry: EntryId,
        from: &Inheritance,
    ) -> Result<()> {
        let tags = from.tags.iter().flatten().map(|tag| Target::Existing(*tag));
        let tags: Vec<Target> = tags.collect();
        let revision = TransactionRevision {
            name: from.name.as_deref(),
            notes: from.notes.as_deref().map(Some),
            category: from.category.map(|id| Some(Target::Existing(id))),
            merchant: from.merchant.map(|id| Some(Target::Existing(id))),
            tags: from.tags.is_some().then_some(tags.as_slice()),
            excluded: from.excluded,
            entry,
            account: None,
            date: None,
            amount: None,
            rate: None,
            unlock: from.unlock,
        };
        if revision.is_empty() {
            return Ok(());
        }
        self.revise_transaction(tx, &revision).map(drop)
    }

    /// A transaction takes over what its source reports now.
    pub(super) fn follow_source(
        &mut self,
        tx: &mut FamilyTx<'_>,
        update: &SourceUpdate<'_>,
    ) -> Result<Applied> {
        let SourceUpdate { entry, source, before, after, .. } = *update;
        let current = self.current(tx, entry)?;
        let is_of_source = current.source.as_deref() == Some(source);
        let name = match current.name == before.name && !current.locked.has(LockField::Name) {
            true => &after.name,
            false => &current.name,
        };
        let can_note = current.notes.is_none() && !current.locked.has(LockField::Notes);
        let notes = if can_note { update.notes } else { current.notes.as_deref() };
        let id = if is_of_source { after.id.as_deref() } else { current.external_id.as_deref() };
        let now = tx.now();
        tx.execute(&SOURCE_FOLLOW, vals![name.as_str(), notes, id, now, self.family, entry])?;
        let moved = self.move_with_source(tx, update, &current)?;
        if current.has_origin {
            self.follow_origin(tx, update)?;
        }
        self.accounts.touch(tx, current.account)?;
        self.notes.push(json!({ "entry": entry, "before": current.image(), "after": {
            "date": moved.0, "amount": moved.1, "name": name, "notes": notes, "external_id": id,
            "pending": after.pending } }));
        Ok(Applied { entry, existed: true })
    }

    /// Takes back notes that a transaction got from its source, unless a person has set others.
    pub(crate) fn take_notes_back(
        &mut self,
        tx: &mut FamilyTx<'_>,
        entry: EntryId,
        notes: &str,
    ) -> Result<()> {
        let current = self.current(tx, entry)?;
        if current.notes.as_deref() != Some(notes) || current.locked.has(LockField::Notes) {
            return Ok(());
        }
        let now = tx.now();
        tx.execute(&SOURCE_NOTES_DROP, vals![now, self.family, entry])?;
        self.notes.push(json!({ "entry": entry, "before": current.image() }));
        Ok(())
    }

    /// What is kept of a transaction that was changed or deleted becomes what its source reports
    /// now, so that the same row of a file is recognised by it.
    pub(crate) fn follow_origin(
        &mut self,
        tx: &mut FamilyTx<'_>,
        update: &SourceUpdate<'_>,
    ) -> Result<()> {
        let SourceUpdate { entry, source, after, .. } = *update;
        let values = vals![after.date, after.amount, after.name.as_str(), after.id.as_deref()];
        let key = vals![self.family, entry, source];
        tx.execute(&SOURCE_ORIGIN, &[&values[..], &key[..]].concat()).map(drop)
    }

    /// Day, amount, and whether it is booked. Of a transaction that was split only the parts could
    /// be changed, so it keeps both. Returns day and amount as they are from then on.
    fn move_with_source(
        &mut self,
        tx: &mut FamilyTx<'_>,
        update: &SourceUpdate<'_>,
        current: &CurrentTransaction,
    ) -> Result<(jiff::civil::Date, i64)> {
        let SourceUpdate { before, after, .. } = *update;
        let can_move = |field| !current.is_split && !current.locked.has(field);
        let moves_day = current.date == before.date && can_move(LockField::Date);
        let date = if moves_day { after.date } else { current.date };
        let resizes = current.amount == before.amount && can_move(LockField::Amount);
        let amount = if resizes { after.amount } else { current.amount };
        let is_pending = after.pending && !current.is_split;
        if (date, amount, is_pending) == (current.date, current.amount, current.is_pending) {
            return Ok((date, amount));
        }
        let original = Money::new(amount, current.currency);
        let to = self.accounts.touch(tx, current.account)?.currency;
        let booking = match is_pending {
            true => Booking::pending(original),
            false => {
                let given = self.given_rate(tx, current.id.0)?;
                self.booking(tx, original, to, date, given)?
            }
        };
        let values = vals![date, amount, booking.booked, is_pending, self.family, current.id];
        tx.execute(&SOURCE_MOVE, values)?;
        if to != current.currency {
            self.keep_conversion(tx, current.id.0, current.account, date, &booking)?;
        }
        self.count_out(tx, current.account, current.date, current.booked)?;
        self.count_in(tx, current.account, date, booking.amount())?;
        if is_pending {
            tx.execute(&TRANSACTION_TRANSFERS_DELETE, &self.key(current.id.0))?;
        } else {
            crate::transfers::changes::remove_broken(tx, current.id)?;
        }
        Ok((date, amount))
    }

    /// A source stands behind a transaction that came from elsewhere.
    pub(super) fn claim_transaction(
        &mut self,
        tx: &mut FamilyTx<'_>,
        entry: EntryId,
    ) -> Result<Applied> {
        let current = self.current(tx, entry)?;
        mark_decided(tx, entry)?;
        self.accounts.touch(tx, current.account)?;
        self.notes.push(json!({ "entry": entry, "claimed": true }));
        Ok(Applied { entry, existed: true })
    }

    /// Takes back that a source stands behind a transaction. Its origin stays with it.
    pub(crate) fn release_claim(&mut self, tx: &mut FamilyTx<'_>, entry: EntryId) -> Result<()> {
        let now = tx.now();
        tx.execute(&CLAIM_RELEASE, vals![now, self.family, entry])?;
        self.notes.push(json!({ "entry": entry, "claimed": false }));
        Ok(())
    }

    /// Takes a transaction away that its source doesn't report any more, as if it had never been
    /// there.
    pub(super) fn withdraw_transaction(
        &mut self,
        tx: &mut FamilyTx<'_>,
        entry: EntryId,
    ) -> Result<Applied> {
        let before = self.current(tx, entry)?;
        if !before.is_pending {
            return Err(Error::internal(format!("transaction {entry} is booked, and stays")));
        }
        let key = self.key(entry.0);
        for statement in [
            &TRANSACTION_UNTAG,
            &CONVERSION_DELETE,
            &TRANSACTION_TRANSFERS_DELETE,
            &FILLS_DROP,
            &ORIGIN_DROP,
            &TRANSACTION_DELETE,
        ] {
            tx.execute(statement, &key)?;
        }
        self.count_out(tx, before.account, before.date, before.booked)?;
        self.notes.push(json!({ "entry": entry, "before": before.image() }));
        Ok(Applied { entry, existed: true })
    }
}
