//! What the publish of a plan adds to accounts that exist.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::ids::AccountId;
use crate::limits::BALANCE_ENDS_MAX;

/// What the rows that a publish adds come to in one account that exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedFlow {
    /// The account that it changes.
    pub account: AccountId,
    /// Positive is money out; nothing if a row is in another currency than the account.
    pub amount: Option<i64>,
}

/// The sums by account while a plan is made.
#[derive(Debug, Default)]
pub struct FlowSums(HashMap<Uuid, Option<i128>>);

impl FlowSums {
    /// Adds a row. An amount in another currency than the account's is no part of a sum.
    pub fn add(&mut self, account: Uuid, amount: i64, is_in_its_currency: bool) {
        let sum = self.0.entry(account).or_insert(Some(0));
        *sum = sum.filter(|_| is_in_its_currency).map(|sum| sum + i128::from(amount));
    }

    /// Takes off what rows of an account come to that aren't added after all.
    pub fn take_off(&mut self, account: Uuid, amount: i128) {
        if let Some(Some(sum)) = self.0.get_mut(&account) {
            *sum -= amount;
        }
    }

    /// The sums; nothing if there are more accounts than balances are compared of.
    pub fn finish(self) -> Option<Vec<PlannedFlow>> {
        if self.0.len() > BALANCE_ENDS_MAX {
            return None;
        }
        let flow = |(account, sum): (Uuid, Option<i128>)| PlannedFlow {
            account: AccountId(account),
            amount: sum.and_then(|sum| i64::try_from(sum).ok()),
        };
        let mut flows: Vec<PlannedFlow> = self.0.into_iter().map(flow).collect();
        flows.sort_unstable_by_key(|flow| flow.account);
        Some(flows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_summed_up_by_account() {
        let (main, card) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let mut sums = FlowSums::default();
        for (account, amount, is_in_its_currency) in
            [(main, 5, true), (card, 7, true), (main, -12, true), (card, 1, false), (card, 1, true)]
        {
            sums.add(account, amount, is_in_its_currency);
        }
        sums.take_off(main, 5);
        sums.take_off(card, 7);
        let flow = |account, amount| PlannedFlow { account: AccountId(account), amount };
        assert_eq!(sums.finish().unwrap(), [flow(main, Some(-12)), flow(card, None)]);
    }

    #[test]
    fn a_sum_beyond_every_amount_is_not_known() {
        let mut sums = FlowSums::default();
        sums.add(Uuid::nil(), i64::MAX, true);
        sums.add(Uuid::nil(), i64::MAX, true);
        assert_eq!(sums.finish().unwrap()[0].amount, None);
    }

    #[test]
    fn many_accounts_have_no_sums() {
        let mut sums = FlowSums::default();
        for account in 0..=BALANCE_ENDS_MAX as u128 {
            sums.add(Uuid::from_u128(account), 1, true);
        }
        assert_eq!(sums.finish(), None);
    }
}
