//! The splits of a security, out of what accounts tell of them.
//!
//! A split is one event of the security, but each account that holds shares tells it with a trade
//! of its own, and brokers book it some days apart. A price must be divided by it once. So what
//! different accounts tell with one ratio, at most [`SPREAD_DAYS`] days after the first telling, is
//! one split, and counts from the first telling on. An account tells a split once: its next telling
//! is of another split, however soon it comes.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;

use crate::ids::AccountId;
use crate::money::exact::{self, Fraction};

/// Days from the first telling of a split to the last one that is taken to be of the same.
pub const SPREAD_DAYS: i32 = 10;

/// A split of a security, as an account tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Split {
    /// From the start of this day on
    pub date: Date,
    /// so many
    pub to: u32,
    /// stand for every so many of before,
    pub from: u32,
    /// says this account.
    pub account: AccountId,
}

impl Split {
    fn has_ratio_of(&self, other: &Self) -> bool {
        let product = |to: u32, from: u32| u64::from(to) * u64::from(from);
        product(self.to, other.from) == product(other.to, self.from)
    }
}

/// On which days one share became how many: of several splits of a day all together, so that a
/// price of the day before is carried over all of them.
pub(super) fn by_day(told: &[Split]) -> BTreeMap<Date, Fraction> {
    let mut ratios: BTreeMap<Date, Fraction> = BTreeMap::new();
    for Split { date, to, from, .. } in distinct(told) {
        let ratio = exact::whole(to.into()) / exact::whole(from.max(1).into());
        *ratios.entry(date).or_insert_with(|| exact::whole(1)) *= ratio;
    }
    // Two that undo each other leave the price alone.
    ratios.retain(|_, ratio| *ratio != exact::whole(1));
    ratios
}

/// The first telling of each split, in the order of days.
fn distinct(told: &[Split]) -> Vec<Split> {
    let mut told = told.to_vec();
    told.sort_unstable();
    let mut found: Vec<(Split, BTreeSet<AccountId>)> = Vec::new();
    for telling in told {
        let is_same = |(first, tellers): &&mut (Split, BTreeSet<AccountId>)| {
            first.has_ratio_of(&telling)
                && (telling.date - first.date).get_days() <= SPREAD_DAYS
                && !tellers.contains(&telling.account)
        };
        match found.iter_mut().find(is_same) {
            Some((_, tellers)) => drop(tellers.insert(telling.account)),
            None => found.push((telling, BTreeSet::from([telling.account]))),
        }
    }
    found.into_iter().map(|(first, _)| first).collect()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use proptest::prelude::*;

    use super::*;

    fn told(account: u128, day: i8, to: u32, from: u32) -> Split {
        let account = AccountId(uuid::Uuid::from_u128(account));
        Split { date: date(2024, 2, day), to, from, account }
    }

    fn days(told: &[Split]) -> Vec<i8> {
        distinct(told).iter().map(|split| split.date.day()).collect()
    }

    #[test]
    fn accounts_tell_one_split_on_several_days() {
        for (name, tellings, expected) in [
            ("nothing", vec![], vec![]),
            ("on one day", vec![told(1, 3, 2, 1), told(2, 3, 2, 1)], vec![3]),
            ("a day apart", vec![told(2, 4, 2, 1), told(1, 3, 2, 1)], vec![3]),
            ("in other words", vec![told(1, 3, 2, 1), told(2, 4, 4, 2)], vec![3]),
            ("just near enough", vec![told(1, 3, 2, 1), told(2, 13, 2, 1)], vec![3]),
            ("just too far", vec![told(1, 3, 2, 1), told(2, 14, 2, 1)], vec![3, 14]),
            (
                "each near the last one only",
                vec![told(1, 3, 2, 1), told(2, 10, 2, 1), told(3, 17, 2, 1)],
                vec![3, 17],
            ),
            ("another ratio", vec![told(1, 3, 2, 1), told(2, 3, 3, 1)], vec![3, 3]),
            ("the other way round", vec![told(1, 3, 2, 1), told(2, 3, 1, 2)], vec![3, 3]),
            ("one account twice", vec![told(1, 3, 2, 1), told(1, 3, 2, 1)], vec![3, 3]),
            (
                "two accounts twice",
                vec![told(1, 3, 2, 1), told(2, 4, 2, 1), told(1, 6, 2, 1), told(2, 7, 2, 1)],
                vec![3, 6],
            ),
        ] {
            assert_eq!(days(&tellings), expected, "{name}");
        }
    }

    fn any_telling() -> impl Strategy<Value = Split> {
        let ratio = prop::sample::select(vec![(2, 1), (4, 2), (3, 1)]);
        (1..5_u128, 1..29_i8, ratio)
            .prop_map(|(account, day, (to, from))| told(account, day, to, from))
    }

    proptest! {
        #[test]
        fn the_order_of_arrival_does_not_matter(
            (tellings, shuffled) in prop::collection::vec(any_telling(), 0..20)
                .prop_flat_map(|all| (Just(all.clone()), Just(all).prop_shuffle())),
        ) {
            prop_assert_eq!(distinct(&shuffled), distinct(&tellings));
        }

        /// Who else tells a split within the spread adds none; an account alone is believed.
        #[test]
        fn others_who_tell_it_later_change_nothing(
            day in prop::collection::vec(1..19_i8, 0..6), late in 0..=10_i8, others in 1..5_u128,
        ) {
            let alone: Vec<Split> = day.iter().map(|day| told(1, *day, 2, 1)).collect();
            prop_assert_eq!(distinct(&alone).len(), alone.len());
            let later = |other| day.iter().map(move |day| told(other, day + late, 2, 1));
            let all: Vec<Split> =
                alone.iter().copied().chain((2..2 + others).flat_map(later)).collect();
            let dates = |found: Vec<Split>| found.iter().map(|one| one.date).collect::<Vec<_>>();
            prop_assert_eq!(dates(distinct(&all)), dates(distinct(&alone)));
        }

        /// What is told only later changes nothing before it: prices are brought up to date from
        /// the day on that was touched.
        #[test]
        fn a_telling_changes_nothing_before_its_day(
            tellings in prop::collection::vec(any_telling(), 0..20), one in any_telling(),
        ) {
            let before = |all: &[Split]| {
                let mut found = distinct(all);
                found.retain(|split| split.date < one.date);
                found
            };
            let more: Vec<Split> = tellings.iter().copied().chain([one]).collect();
            prop_assert_eq!(before(&more), before(&tellings));
        }
    }
}
