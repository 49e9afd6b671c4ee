//! The opening balances of accounts that are created, from the balances of the file.
//!
//! What the file states before its first row is what the account held before anything that the
//! ledger knows of it: an opening without a day, so that it stays before the first entry.

use std::collections::{HashMap, HashSet};

use super::{MappingKind, Preparation};
use crate::import::register::{StatedAccountType, StatedOpening};
use crate::import::transaction::balance::{BalanceEnds, Sense};
use crate::ledger::account::{AccountType, NewAccount};
use crate::plan::{Creation, Target};
use crate::text::label::name_key;

impl Preparation {
    /// Gives each account that is created the balance before the first of its rows. Where the file
    /// writes the name of an account in several ways, it has several chains of balances, and none
    /// of them is known to be the first: such an account opens with nothing.
    pub fn take_openings(&mut self, ends: &[BalanceEnds], sense: Sense) {
        let mut by_creation: HashMap<u32, Vec<&BalanceEnds>> = HashMap::new();
        for ends in ends {
            if let Some(Target::Created(slot)) = self.account(&ends.account, ends.currency) {
                by_creation.entry(slot.0).or_default().push(ends);
            }
        }
        for (slot, ends) in by_creation {
            let ([only], Some(Creation::Account(account))) =
                (ends.as_slice(), self.creations.get_mut(slot as usize))
            else {
                continue;
            };
            let classification = account.account_type.classification();
            let stated = only.opening.filter(|_| only.currency == account.currency);
            if let Some(amount) = stated.and_then(|amount| sense.in_account(amount, classification))
            {
                account.opening.amount = amount;
            }
        }
    }

    /// Makes accounts that are created investments if the file has trades in them.
    pub fn take_portfolios(&mut self, portfolios: &[String]) {
        let keys: HashSet<String> = portfolios.iter().map(|name| name_key(name)).collect();
        for key in &keys {
            for account in self.created_accounts(key) {
                if !account.account_type.holds_securities() {
                    account.account_type = AccountType::Investment;
                    account.subtype = None;
                }
            }
        }
    }

    /// Makes accounts that are created what the file states that they are.
    pub fn take_account_types(&mut self, stated: &[StatedAccountType]) {
        for StatedAccountType { account, account_type, subtype } in stated {
            for created in self.created_accounts(&name_key(account)) {
                created.account_type = *account_type;
                created.subtype.clone_from(subtype);
            }
        }
    }

    /// The accounts that are created for a name, by its key: one, or one for each currency.
    fn created_accounts(&mut self, key: &str) -> impl Iterator<Item = &mut NewAccount> {
        let by_name = self.target(MappingKind::Account, key);
        let by_currency = self.accounts_by_currency.iter();
        let by_currency = by_currency.filter(|((its, _), _)| its == key);
        let all = by_name.into_iter().chain(by_currency.map(|(_, target)| *target));
        let slots: HashSet<usize> = all
            .filter_map(|target| match target {
                Target::Created(slot) => Some(slot.0 as usize),
                Target::Existing(_) => None,
            })
            .collect();
        let creations = self.creations.iter_mut().enumerate();
        creations.filter(move |(at, _)| slots.contains(at)).filter_map(|(_, creation)| {
            match creation {
                Creation::Account(account) => Some(account),
                _ => None,
            }
        })
    }

    /// Gives each account that is created what the file states that it held in the beginning.
    pub fn take_stated_openings(&mut self, openings: &[StatedOpening]) {
        for opening in openings {
            let Some(Target::Created(slot)) = self.account(&opening.account, opening.currency)
            else {
                continue;
            };
            let Some(Creation::Account(account)) = self.creations.get_mut(slot.0 as usize) else {
                continue;
            };
            let classification = account.account_type.classification();
            let amount = Sense::Money.in_account(opening.amount, classification);
            let sum = amount.and_then(|amount| account.opening.amount.checked_add(amount));
            if let Some(sum) = sum.filter(|_| account.currency == opening.currency) {
                account.opening.amount = sum;
            }
        }
    }
}

#[cfg(test)]
#[path = "openings_tests.rs"]
mod tests;
