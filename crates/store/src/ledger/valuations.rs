//! Setting, revising and removing valuations: one per account and day.

use jiff::civil::Date;
use purser_core::error::{Error, Problem, Result};
use purser_core::ids::EntryId;
use purser_core::ledger::entry::{EntryKind, ValuationKind};
use purser_core::plan::{ValuationDraft, ValuationRevision};
use serde_json::json;
use uuid::Uuid;

use super::{Applied, Executor};
use crate::access::FamilyTx;
use crate::driver::{Row, Val, statements};

statements! {
    /// The valuation of an account on a day.
    VALUATION_ON = "SELECT id, account_id, date, amount, notes, valuation_kind
        FROM ledger_entries
        WHERE family_id = $1 AND account_id = $2 AND date = $3 AND kind = 1";
    /// A valuation by its id.
    VALUATION_BY_ID = "SELECT id, account_id, date, amount, notes, valuation_kind
        FROM ledger_entries
        WHERE family_id = $1 AND id = $2 AND kind = 1";
    /// Inserts a new valuation.
    VALUATION_INSERT = "INSERT INTO entries (family_id, id, account_id, kind, date, amount,
            currency, name, notes, valuation_kind, pending, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, '', $8, $9, $10, $11, $11)";
    /// Updates a valuation; its id and kind are kept.
    VALUATION_UPDATE = "UPDATE entries SET date = $1, amount = $2, notes = $3, updated_at = $4
        WHERE family_id = $5 AND id = $6";
    /// Another kind; nothing else of it changes.
    VALUATION_KIND = "UPDATE entries SET valuation_kind = $1, updated_at = $2
        WHERE family_id = $3 AND id = $4";
    /// The balance that the bank reported before for an account.
    CURRENT_ANCHOR = "SELECT id FROM ledger_entries
        WHERE family_id = $1 AND account_id = $2 AND kind = 1 AND date > -10000000
            AND valuation_kind = 'current_anchor'";
    /// Removes the entry of a valuation.
    VALUATION_DELETE = "DELETE FROM entries WHERE family_id = $1 AND id = $2";
}

/// A valuation as it is before a change.
struct Existing {
    id: Uuid,
    account: Uuid,
    date: Date,
    amount: i64,
    notes: Option<String>,
    kind: ValuationKind,
}

impl Existing {
    fn read(row: &Row<'_>) -> Result<Self> {
        Ok(Self {
            id: row.uuid(0)?,
            account: row.uuid(1)?,
            date: row.date(2)?,
            amount: row.int(3)?,
            notes: row.opt_text(4)?.map(str::to_owned),
            kind: row
                .opt_text(5)?
                .and_then(ValuationKind::parse)
                .ok_or_else(|| Error::internal("a valuation has no kind that is known"))?,
        })
    }

    fn image(&self) -> serde_json::Value {
        json!({ "date": self.date, "amount": self.amount, "notes": self.notes,
            "kind": self.kind })
    }
}

impl Executor {
    /// Sets the value of a day; a valuation that exists is replaced in place.
    pub(super) fn set_valuation(
        &mut self,
        tx: &mut FamilyTx<'_>,
        draft: &ValuationDraft,
    ) -> Result<Applied> {
        let account_id = self.resolve(draft.account)?;
        let account = self.accounts.touch(tx, account_id)?;
        let currency = account.currency;
        let existing = if account.is_new && account.deltas.is_empty() {
            None
        } else {
            let key = [self.family.into(), Val::Uuid(account_id), draft.date.into()];
            tx.query_opt(&VALUATION_ON, &key, Existing::read)?
        };
        if draft.kind == ValuationKind::CurrentAnchor {
            self.move_current_anchor(tx, account_id, existing.as_ref())?;
        }
        if let Some(existing) = existing {
            let notes = draft.notes.clone().unwrap_or_else(|| existing.notes.clone());
            return self.write_valuation(tx, &existing, draft.date, draft.amount, notes);
        }
        let id = self.next_entry_id()?;
        let notes = draft.notes.clone().flatten();
        let now = tx.now();
        tx.execute(
            &VALUATION_INSERT,
            &[
                self.family.into(),
                Val::Uuid(id),
                Val::Uuid(account_id),
                Val::Int(EntryKind::Valuation.code()),
                draft.date.into(),
                Val::Int(draft.amount),
                Val::Text(currency.code()),
                notes.as_deref().into(),
                Val::Text(draft.kind.as_str()),
                Val::Bool(false),
                now.into(),
            ],
        )?;
        self.value_day(tx, account_id, draft.date, Some(draft.amount), 1)?;
        if !self.restores {
            // What a file of this server restores is found by its range of ids: it may be much.
            self.notes.push(json!({ "entry": id, "after": {
                "date": draft.date, "amount": draft.amount, "notes": notes } }));
        }
        Ok(Applied { entry: EntryId(id), existed: false })
    }

    /// Makes the balance that the bank reports now the anchor. A balance that it reported for
    /// another day is kept as an ordinary valuation of that day, so the series is folded backward.
    fn move_current_anchor(
        &mut self,
        tx: &mut FamilyTx<'_>,
        account: Uuid,
        existing: Option<&Existing>,
    ) -> Result<()> {
        if existing.is_some_and(|one| one.kind == ValuationKind::OpeningAnchor) {
            return Ok(());
        }
        let now = tx.now();
        let key = [self.family.into(), Val::Uuid(account)];
        let anchors = tx.query(&CURRENT_ANCHOR, &key, |row| row.uuid(0))?;
        let waypoint = ValuationKind::Reconciliation;
        let earlier = anchors.into_iter().map(|id| (id, waypoint));
        let same_day = existing.map(|one| (one.id, ValuationKind::CurrentAnchor));
        for (id, kind) in earlier.chain(same_day) {
            let kind = [Val::Text(kind.as_str()), now.into(), self.family.into(), Val::Uuid(id)];
            tx.execute(&VALUATION_KIND, &kind)?;
        }
        self.accounts.touch(tx, account)?.set_direction(tx, true)
    }

    /// Changes a valuation that exists; the day that it moves to must be free.
    pub(super) fn revise_valuation(
        &mut self,
        tx: &mut FamilyTx<'_>,
        revision: &ValuationRevision,
    ) -> Result<Applied> {
        let existing = self.existing_valuation(tx, revision.entry)?;
        let date = revision.date.unwrap_or(existing.date);
        if date != existing.date && existing.kind == ValuationKind::OpeningAnchor {
            self.require_first(tx, existing.account, date)?;
        }
        if date != existing.date {
            let key = [self.family.into(), Val::Uuid(existing.account), date.into()];
            if tx.query_opt(&VALUATION_ON, &key, Existing::read)?.is_some() {
                return Err(Problem::about(
                    "date",
                    format!("The account already has a valuation on the date {date}"),
                )
                .into());
            }
        }
        let amount = revision.amount.unwrap_or(existing.amount);
        let notes = revision.notes.clone().unwrap_or_else(|| existing.notes.clone());
        self.write_valuation(tx, &existing, date, amount, notes)
    }

    /// Takes a valuation away; the day's flows count again.
    pub(super) fn remove_valuation(
        &mut self,
        tx: &mut FamilyTx<'_>,
        entry: EntryId,
    ) -> Result<Applied> {
        let existing = self.existing_valuation(tx, entry)?;
        tx.execute(&VALUATION_DELETE, &self.key(existing.id))?;
        if existing.kind == ValuationKind::CurrentAnchor {
            let account = self.accounts.touch(tx, existing.account)?;
            account.set_direction(tx, false)?;
        }
        self.value_day(tx, existing.account, existing.date, None, -1)?;
        self.notes.push(json!({ "entry": existing.id, "before": existing.image() }));
        Ok(Applied { entry, existed: true })
    }

    fn write_valuation(
        &mut self,
        tx: &mut FamilyTx<'_>,
        existing: &Existing,
        date: Date,
        amount: i64,
        notes: Option<String>,
    ) -> Result<Applied> {
        let now = tx.now();
        tx.execute(
            &VALUATION_UPDATE,
            &[
                date.into(),
                Val::Int(amount),
                notes.as_deref().into(),
                now.into(),
                self.family.into(),
                Val::Uuid(existing.id),
            ],
        )?;
        if date != existing.date {
            self.value_day(tx, existing.account, existing.date, None, 0)?;
        }
        self.value_day(tx, existing.account, date, Some(amount), 0)?;
        self.notes.push(json!({ "entry": existing.id, "before": existing.image(),
            "after": { "date": date, "amount": amount, "notes": notes } }));
        Ok(Applied { entry: EntryId(existing.id), existed: true })
    }

    fn existing_valuation(&mut self, tx: &mut FamilyTx<'_>, entry: EntryId) -> Result<Existing> {
        tx.query_opt(&VALUATION_BY_ID, &self.key(entry.0), Existing::read)?
            .ok_or(Error::NotFound { what: "Valuation" })
    }

    /// Notes the day's new value in the account's balances.
    fn value_day(
        &mut self,
        tx: &mut FamilyTx<'_>,
        account: Uuid,
        date: Date,
        valued: Option<i64>,
        count: i64,
    ) -> Result<()> {
        let account = self.accounts.touch(tx, account)?;
        account.deltas.entry(date).or_default().valued = Some(valued);
        account.valuations += count;
        Ok(())
    }
}
