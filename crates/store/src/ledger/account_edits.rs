//! Changing an account: its columns, and where its series of balances starts.
//!
//! An opening balance with a day is a valuation, one without is before everything. A balance that
//! the bank reports now reverses the direction of the series: earlier days follow from it.

use jiff::civil::Date;
use purser_core::error::{Error, Problem, Result};
use purser_core::ids::{AccountId, EntryId};
use purser_core::ledger::account_values::CheckedAccount;
use purser_core::ledger::entry::ValuationKind;
use purser_core::plan::{Target, ValuationDraft, ValuationRevision};
use purser_core::text::label::name_key;
use uuid::Uuid;

use super::Executor;
use crate::access::FamilyTx;
use crate::driver::{Val, statements};

statements! {
    /// What a person can set.
    ACCOUNT_UPDATE = "UPDATE accounts SET name = $1, name_key = $2, subtype = $3, status = $4,
            owner_id = $5, institution_name = $6, institution_domain = $7, cost_method = $8,
            notes = $9, updated_at = $10
        WHERE family_id = $11 AND id = $12";
    /// The columns of an account at present.
    ACCOUNT_NOW = "SELECT name, subtype, status, owner_id, institution_name, institution_domain,
            cost_method, notes
        FROM accounts WHERE family_id = $1 AND id = $2";
    /// Before everything that is ever entered.
    ACCOUNT_OPENING = "UPDATE accounts SET opening_amount = $1 WHERE family_id = $2 AND id = $3";
    /// The valuation that the series starts with. A bound on the days has SQLite take the index of
    /// valuations; otherwise it would rather read all entries of the family.
    OPENING_ANCHOR = "SELECT id, amount FROM ledger_entries
        WHERE family_id = $1 AND account_id = $2 AND kind = 1 AND date > -10000000
            AND valuation_kind = 'opening_anchor'";
    /// The first day with anything but the opening.
    FIRST_ENTRY = "SELECT MIN(date) FROM ledger_entries
        WHERE family_id = $1 AND account_id = $2
            AND NOT (kind = 1 AND valuation_kind = 'opening_anchor')";
}

impl Executor {
    /// Changes an account. `today` is the day of a current balance.
    pub fn revise_account(
        &mut self,
        tx: &mut FamilyTx<'_>,
        account: AccountId,
        values: &CheckedAccount,
        today: Date,
    ) -> Result<()> {
        self.set_columns(tx, account, values)?;
        self.set_opening(tx, account, values)?;
        if let Some(amount) = values.current_amount {
            self.set_valuation(
                tx,
                &ValuationDraft {
                    account: Target::Existing(account.0),
                    date: today,
                    amount,
                    kind: ValuationKind::CurrentAnchor,
                    notes: None,
                },
            )?;
        }
        Ok(())
    }

    fn set_columns(
        &mut self,
        tx: &mut FamilyTx<'_>,
        account: AccountId,
        values: &CheckedAccount,
    ) -> Result<()> {
        let key = self.key(account.0);
        let now = tx.now();
        let row = tx.query_opt(&ACCOUNT_NOW, &key, |row| {
            Ok((
                values.name.clone().map_or_else(|| row.string(0), Ok)?,
                values.subtype.clone().map_or_else(|| row.opt_string(1), Ok)?,
                values
                    .status
                    .map(|one| one.as_str().to_owned())
                    .map_or_else(|| row.string(2), Ok)?,
                values.owner.map(|id| id.map(|id| id.0)).map_or_else(|| row.opt_uuid(3), Ok)?,
                values.institution_name.clone().map_or_else(|| row.opt_string(4), Ok)?,
                values.institution_domain.clone().map_or_else(|| row.opt_string(5), Ok)?,
                row.string(6)?,
                values.notes.clone().map_or_else(|| row.opt_string(7), Ok)?,
            ))
        })?;
        let (name, subtype, status, owner, institution, domain, method, notes) =
            row.ok_or(Error::NotFound { what: "Account" })?;
        let wanted = values.cost_method.map(|method| method.as_str());
        tx.execute(
            &ACCOUNT_UPDATE,
            &[
                Val::Text(&name),
                Val::Text(&name_key(&name)),
                subtype.as_deref().into(),
                Val::Text(&status),
                owner.into(),
                institution.as_deref().into(),
                domain.as_deref().into(),
                Val::Text(wanted.unwrap_or(&method)),
                notes.as_deref().into(),
                now.into(),
                key[0],
                key[1],
            ],
        )?;
        if wanted.is_some_and(|wanted| wanted != method) {
            self.refold_positions(tx, account)?;
        }
        Ok(())
    }

    fn set_opening(
        &mut self,
        tx: &mut FamilyTx<'_>,
        account: AccountId,
        values: &CheckedAccount,
    ) -> Result<()> {
        if values.opening_amount.is_none() && values.opening_date.is_none() {
            return Ok(());
        }
        let read = |row: &crate::driver::Row<'_>| Ok((row.id::<EntryId>(0)?, row.int(1)?));
        let anchor = tx.query_opt(&OPENING_ANCHOR, &self.key(account.0), read)?;
        let stated = self.accounts.touch(tx, account.0)?.series.opening_stated;
        let present = anchor.map_or(stated, |(_, amount)| amount);
        let amount = values.opening_amount.unwrap_or(present);
        match (anchor, values.opening_date) {
            (Some((entry, _)), None) => self.move_opening(tx, entry, None, amount),
            (Some((entry, _)), Some(Some(date))) => {
                self.require_first(tx, account.0, date)?;
                self.move_opening(tx, entry, Some(date), amount)
            }
            (None, Some(Some(date))) => {
                self.require_first(tx, account.0, date)?;
                self.store_opening(tx, account.0, 0)?;
                let kind = ValuationKind::OpeningAnchor;
                let account = Target::Existing(account.0);
                let draft = ValuationDraft { account, date, amount, kind, notes: None };
                self.set_valuation(tx, &draft).map(drop)
            }
            (Some((entry, _)), Some(None)) => {
                self.remove_valuation(tx, entry)?;
                self.store_opening(tx, account.0, amount)
            }
            (None, None | Some(None)) => self.store_opening(tx, account.0, amount),
        }
    }

    fn move_opening(
        &mut self,
        tx: &mut FamilyTx<'_>,
        entry: EntryId,
        date: Option<Date>,
        amount: i64,
    ) -> Result<()> {
        let revision = ValuationRevision { entry, date, amount: Some(amount), notes: None };
        self.revise_valuation(tx, &revision).map(drop)
    }

    /// The amount that is before everything.
    pub(super) fn store_opening(
        &mut self,
        tx: &mut FamilyTx<'_>,
        account: Uuid,
        amount: i64,
    ) -> Result<()> {
        let key = self.key(account);
        tx.execute(&ACCOUNT_OPENING, &[Val::Int(amount), key[0], key[1]])?;
        let touched = self.accounts.touch(tx, account)?;
        touched.series.opening_stated = amount;
        touched.refold_from(Date::MIN);
        Ok(())
    }

    /// The opening of a series can't be after its first entry.
    pub(super) fn require_first(
        &mut self,
        tx: &mut FamilyTx<'_>,
        account: Uuid,
        date: Date,
    ) -> Result<()> {
        let first = tx.query_one(&FIRST_ENTRY, &self.key(account), |row| row.opt_date(0))?;
        match first.filter(|first| *first <= date) {
            None => Ok(()),
            Some(first) => {
                let predicate = format!("must be before the account's first entry of {first}");
                Err(Problem::field("opening_date", predicate).into())
            }
        }
    }
}
