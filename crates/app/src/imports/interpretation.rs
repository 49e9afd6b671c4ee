//! What the rows of a file are read against: the family and its accounts as they were at the upload.

use std::collections::HashMap;

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::AccountId;
use purser_core::import::kind::{Context, RowSet, TargetAccount};
use purser_core::import::layout::Layout;
use purser_core::import::mapping::{Choice, ExistingRecords, MappingChoice, MappingKind};
use purser_core::money::Currency;
use purser_store::imports::{self, Import};
use purser_store::{Access, FamilyTx, families};

/// What rows are read against.
#[derive(Debug, Clone)]
pub struct InterpretationContext {
    /// What the person who changes the import may reach.
    pub access: Access,
    /// The day that limits of dates refer to.
    pub as_of: Date,
    /// The currency of the family.
    pub family_currency: Currency,
    /// The account that every row goes to, if one was named.
    pub account: Option<TargetAccount>,
    /// The currencies of accounts that rows may name, by the key of the name.
    pub account_currencies: HashMap<String, Currency>,
    /// What names can stand for; nothing for an import that is stored.
    pub existing: ExistingRecords,
}

impl InterpretationContext {
    /// For a new upload: the family and its accounts as they are now.
    pub fn of_upload(tx: &mut FamilyTx<'_>, account: Option<AccountId>) -> Result<Self> {
        let its = families::get(tx)?;
        let account = account.map(|id| imports::require_account(tx, id)).transpose()?;
        let existing = imports::existing(tx)?;
        Ok(Self {
            access: tx.access().clone(),
            as_of: purser_store::calendar::today(tx)?,
            family_currency: its.currency,
            account,
            account_currencies: existing.account_currencies(),
            existing,
        })
    }

    /// Adds the choices for names of accounts: rows without a currency are in that of the chosen
    /// account.
    pub fn with_choices(&self, choices: &[MappingChoice]) -> Self {
        let mut context = self.clone();
        for chosen in choices.iter().filter(|one| one.kind == MappingKind::Account) {
            let currency = match chosen.choice {
                Choice::Existing(id) => self.existing.account_currency(id),
                Choice::Create { .. } | Choice::PerCurrency { .. } | Choice::AccountType(_) => None,
            };
            match currency {
                Some(currency) => context.account_currencies.insert(chosen.key.clone(), currency),
                None => context.account_currencies.remove(&chosen.key),
            };
        }
        context
    }

    /// For an import that is stored: what held at its upload, so that no verdict changes later.
    pub(super) fn of_import(
        tx: &mut FamilyTx<'_>,
        import: &Import,
        layout: &Layout,
    ) -> Result<Self> {
        let its = families::get(tx)?;
        let account = import.account.map(|id| imports::target_account(tx, id)).transpose()?;
        Ok(Self {
            access: tx.access().clone(),
            as_of: import.as_of,
            family_currency: its.currency,
            account,
            account_currencies: layout.account_currencies.clone(),
            existing: ExistingRecords::default(),
        })
    }

    /// What of it depends on accounts that may change: it is stored with the layout.
    pub(super) fn other_currencies(&self) -> HashMap<String, Currency> {
        let is_other = |currency: &Currency| *currency != self.family_currency;
        let others = self.account_currencies.iter().filter(|(_, currency)| is_other(currency));
        others.map(|(key, currency)| (key.clone(), *currency)).collect()
    }

    pub(super) fn row_context<'a>(&'a self, row_set: Option<&'a RowSet>) -> Context<'a> {
        Context {
            row_set,
            as_of: self.as_of,
            family_currency: self.family_currency,
            account: self.account,
            account_currencies: &self.account_currencies,
        }
    }
}
