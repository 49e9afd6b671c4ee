//! What the publish of a plan adds to accounts that exist.

use std::collections::{BTreeMap, HashMap};

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::ids::AccountId;
use crate::limits::BALANCE_ENDS_MAX;

/// Days of an account, the last ones, of which what flows is known of each.
const DAYS_MAX: usize = 400;

/// What the rows that a publish adds come to in one account that exists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedFlow {
    /// The account that it changes.
    pub account: AccountId,
    /// Positive is money out; nothing if a row is in another currency than the account.
    pub amount: Option<i64>,
    /// The same of each of its last days, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub last_days: Vec<(Date, i64)>,
    /// There are rows on days before these.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_earlier: bool,
}

impl PlannedFlow {
    /// What flows after a day; nothing if that isn't known.
    pub fn after(&self, day: Date) -> Option<i64> {
        self.amount?;
        let first = self.last_days.first().map(|(first, _)| *first);
        if self.has_earlier && first.is_none_or(|first| day < first) {
            return None;
        }
        let mut later = self.last_days.iter().filter(|(its, _)| *its > day);
        later.try_fold(0_i64, |sum, (_, amount)| sum.checked_add(*amount))
    }

    /// What flows until the end of a day.
    pub fn until(&self, day: Date) -> Option<i64> {
        self.amount?.checked_sub(self.after(day)?)
    }
}

/// The sums by account while a plan is made.
#[derive(Debug, Default)]
pub struct FlowSums(HashMap<Uuid, Option<Sums>>);

/// The sums of an account.
#[derive(Debug, Default)]
struct Sums {
    all: i128,
    /// Those of the last days.
    days: BTreeMap<Date, i128>,
    has_earlier: bool,
}

impl Sums {
    fn add(&mut self, day: Date, amount: i128) {
        self.all += amount;
        *self.days.entry(day).or_default() += amount;
        if self.days.len() > DAYS_MAX {
            self.days.pop_first();
            self.has_earlier = true;
        }
    }
}

impl FlowSums {
    /// Adds a row. An amount in another currency than the account's is no part of a sum.
    pub fn add(&mut self, account: Uuid, day: Date, amount: i64, is_in_its_currency: bool) {
        let sums = self.0.entry(account).or_insert_with(|| Some(Sums::default()));
        match sums.as_mut().filter(|_| is_in_its_currency) {
            Some(sums) => sums.add(day, i128::from(amount)),
            None => *sums = None,
        }
    }

    /// Takes off what rows of an account and a day come to that aren't added after all.
    pub fn take_off(&mut self, account: Uuid, day: Date, amount: i128) {
        if let Some(Some(sums)) = self.0.get_mut(&account) {
            sums.add(day, -amount);
        }
    }

    /// The sums; nothing if there are more accounts than balances are compared of.
    pub fn finish(self) -> Option<Vec<PlannedFlow>> {
        if self.0.len() > BALANCE_ENDS_MAX {
            return None;
        }
        let flow = |(account, sums): (Uuid, Option<Sums>)| {
            let days = |sums: &Sums| -> Option<Vec<(Date, i64)>> {
                let of = |(day, sum): (&Date, &i128)| Some((*day, i64::try_from(*sum).ok()?));
                sums.days.iter().map(of).collect()
            };
            let known = sums.and_then(|sums| {
                Some((i64::try_from(sums.all).ok()?, days(&sums)?, sums.has_earlier))
            });
            let (amount, last_days, has_earlier) = match known {
                Some((amount, days, has_earlier)) => (Some(amount), days, has_earlier),
                None => (None, Vec::new(), false),
            };
            PlannedFlow { account: AccountId(account), amount, last_days, has_earlier }
        };
        let mut flows: Vec<PlannedFlow> = self.0.into_iter().map(flow).collect();
        flows.sort_unstable_by_key(|flow| flow.account);
        Some(flows)
    }
}

#[cfg(test)]
mod tests {
    use jiff::ToSpan as _;
    use jiff::civil::date;

    use super::*;

    const DAY: Date = date(2024, 1, 31);

    #[test]
    fn rows_are_summed_up_by_account_and_day() {
        let (main, card) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let next = date(2024, 2, 1);
        let mut sums = FlowSums::default();
        for (account, day, amount, is_in_its_currency) in [
            (main, next, 5, true),
            (card, DAY, 7, true),
            (main, DAY, -12, true),
            (card, DAY, 1, false),
            (card, DAY, 1, true),
            (main, next, 2, true),
        ] {
            sums.add(account, day, amount, is_in_its_currency);
        }
        sums.take_off(main, next, 5);
        sums.take_off(card, DAY, 7);
        let [of_main, of_card] = sums.finish().unwrap().try_into().unwrap();
        assert_eq!((of_main.account, of_main.amount), (AccountId(main), Some(-10)));
        assert_eq!(of_main.last_days, [(DAY, -12), (next, 2)]);
        let before = date(2024, 1, 30);
        let after = [before, DAY, next].map(|day| (of_main.after(day), of_main.until(day)));
        assert_eq!(after, [(Some(-10), Some(0)), (Some(2), Some(-12)), (Some(0), Some(-10))]);
        assert_eq!((of_card.amount, of_card.after(before)), (None, None));
    }

    #[test]
    fn the_last_days_are_known_in_whatever_order_they_come() {
        let account = Uuid::from_u128(1);
        let days: Vec<Date> = (0..500).map(|at| date(2024, 1, 1) + at.days()).collect();
        let flow = |days: &mut dyn Iterator<Item = &Date>| {
            let mut sums = FlowSums::default();
            days.for_each(|day| sums.add(account, *day, 1, true));
            sums.finish().unwrap().remove(0)
        };
        let one = flow(&mut days.iter());
        assert_eq!(one, flow(&mut days.iter().rev()));
        assert_eq!(
            (one.amount, one.after(days[499]), one.after(days[100])),
            (Some(500), Some(0), Some(399))
        );
        assert_eq!(one.after(days[99]), None, "days before are unknown");
        let stored = serde_json::to_string(&one).unwrap();
        assert_eq!(serde_json::from_str::<PlannedFlow>(&stored).unwrap(), one);
    }

    #[test]
    fn a_sum_beyond_every_amount_is_not_known() {
        let mut sums = FlowSums::default();
        sums.add(Uuid::nil(), DAY, i64::MAX, true);
        sums.add(Uuid::nil(), DAY, i64::MAX, true);
        assert_eq!(sums.finish().unwrap()[0].amount, None);
    }

    #[test]
    fn many_accounts_have_no_sums() {
        let mut sums = FlowSums::default();
        for account in 0..=BALANCE_ENDS_MAX as u128 {
            sums.add(Uuid::from_u128(account), DAY, 1, true);
        }
        assert_eq!(sums.finish(), None);
    }
}
