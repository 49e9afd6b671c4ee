//! Creating accounts.

use purser_core::error::Result;
use purser_core::ledger::account::{AccountStatus, NewAccount};
use purser_core::ledger::entry::ValuationKind;
use purser_core::plan::{Target, ValuationDraft};
use purser_core::text::label::name_key;
use uuid::Uuid;

use super::Executor;
use super::records::undo::ACCOUNT;
use crate::access::FamilyTx;
use crate::driver::{Val, statements};

statements! {
    /// A new account without entries.
    ACCOUNT_INSERT = "INSERT INTO accounts (family_id, id, name, name_key, account_type, subtype,
            currency, status, opening_amount, institution_name, institution_domain,
            notes, owner_id, cost_method, transactions_count, valuations_count, created_at,
            updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 0, 0, $15, $15)";
}

impl Executor {
    /// Creates an account; a dated opening becomes its opening anchor.
    pub(super) fn create_account(
        &mut self,
        tx: &mut FamilyTx<'_>,
        account: &NewAccount,
    ) -> Result<Uuid> {
        let id = tx.new_id()?;
        let now = tx.now();
        let floating = account.opening.date.is_none();
        tx.execute(
            &ACCOUNT_INSERT,
            &[
                self.family.into(),
                Val::Uuid(id),
                Val::Text(&account.name),
                Val::Text(&name_key(&account.name)),
                Val::Text(account.account_type.as_str()),
                account.subtype.as_deref().into(),
                Val::Text(account.currency.code()),
                Val::Text(AccountStatus::Active.as_str()),
                Val::Int(if floating { account.opening.amount } else { 0 }),
                account.institution_name.as_deref().into(),
                account.institution_domain.as_deref().into(),
                account.notes.as_deref().into(),
                account.owner.into(),
                Val::Text(account.cost_method.as_str()),
                now.into(),
            ],
        )?;
        if let Some(date) = account.opening.date {
            self.accounts.take_new(id, account);
            self.set_valuation(
                tx,
                &ValuationDraft {
                    account: Target::Existing(id),
                    date,
                    amount: account.opening.amount,
                    kind: ValuationKind::OpeningAnchor,
                    notes: None,
                },
            )?;
        }
        self.note_creation(tx, ACCOUNT, id, None)?;
        Ok(id)
    }
}
