//! The accounts that a plan touches: what it needs to know of them, and what it changes in them.

use std::collections::{BTreeMap, HashMap};

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::AccountId;
use purser_core::ledger::account::{AccountType, Classification};
use purser_core::ledger::balance::Delta;
use purser_core::money::Currency;
use uuid::Uuid;

use super::balances;
use crate::driver::{Tx, Val, statements};
use crate::families::FamilyId;

statements! {
    /// What the ledger needs to know of an account.
    ACCOUNT_FACTS = "SELECT account_type, currency, opening_amount FROM accounts
        WHERE family_id = $1 AND id = $2";
    /// Keeps the counters beside the entries: no list ever counts rows.
    ACCOUNT_COUNT = "UPDATE accounts
        SET transactions_count = transactions_count + $1,
            valuations_count = valuations_count + $2,
            updated_at = $3
        WHERE family_id = $4 AND id = $5";
}

/// An account that a plan touches.
pub(super) struct Touched {
    pub(super) id: Uuid,
    pub(super) classification: Classification,
    pub(super) currency: Currency,
    pub(super) opening_amount: i64,
    pub(super) deltas: BTreeMap<Date, Delta>,
    pub(super) valuations: i64,
}

/// All accounts that a plan touches, each read once.
#[derive(Default)]
pub(super) struct Accounts {
    touched: Vec<Touched>,
    index: HashMap<Uuid, usize>,
}

impl Accounts {
    /// The account, read when it is touched first.
    pub(super) fn touch(
        &mut self,
        tx: &mut Tx<'_>,
        family: FamilyId,
        id: Uuid,
    ) -> Result<&mut Touched> {
        let position = match self.index.get(&id) {
            Some(position) => *position,
            None => {
                self.touched.push(read(tx, family, id)?);
                self.index.insert(id, self.touched.len() - 1);
                self.touched.len() - 1
            }
        };
        self.touched.get_mut(position).ok_or_else(|| Error::internal("lost a touched account"))
    }

    pub(super) fn ids(&self) -> Vec<AccountId> {
        self.touched.iter().map(|account| AccountId(account.id)).collect()
    }

    /// Reads again what is known of the accounts: others may have written since they were touched.
    pub(super) fn read_again(&mut self, tx: &mut Tx<'_>, family: FamilyId) -> Result<()> {
        for account in &mut self.touched {
            let now = read(tx, family, account.id)?;
            account.classification = now.classification;
            account.opening_amount = now.opening_amount;
        }
        Ok(())
    }

    /// An account that is gone has nothing to be written.
    pub(super) fn forget(&mut self, id: Uuid) {
        self.touched.retain(|account| account.id != id);
        self.index = self.touched.iter().enumerate().map(|(at, one)| (one.id, at)).collect();
    }

    /// Writes counters and balances; what is written doesn't count again.
    pub(super) fn write(&mut self, tx: &mut Tx<'_>, family: FamilyId) -> Result<()> {
        for account in &mut self.touched {
            balances::update(tx, family, account)?;
            let transactions: i64 = account.deltas.values().map(|delta| delta.transactions).sum();
            let now = tx.now();
            tx.execute(
                &ACCOUNT_COUNT,
                &[
                    Val::Int(transactions),
                    Val::Int(account.valuations),
                    now.into(),
                    family.into(),
                    Val::Uuid(account.id),
                ],
            )?;
            account.deltas.clear();
            account.valuations = 0;
        }
        Ok(())
    }
}

fn read(tx: &mut Tx<'_>, family: FamilyId, id: Uuid) -> Result<Touched> {
    let facts = tx.query_opt(&ACCOUNT_FACTS, &[family.into(), Val::Uuid(id)], |row| {
        let account_type = AccountType::parse(row.text(0)?)
            .ok_or_else(|| Error::internal("unknown account type"))?;
        Ok(Touched {
            id,
            classification: account_type.classification(),
            currency: row.currency(1)?,
            opening_amount: row.int(2)?,
            deltas: BTreeMap::new(),
            valuations: 0,
        })
    })?;
    facts.ok_or(Error::NotFound { what: "Account" })
}
