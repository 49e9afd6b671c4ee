//! The share splits of a security, out of what accounts report.
//!
//! A split is one event of the security, but each account that holds shares reports it with a trade
//! of its own, and brokers book it some days apart. A price must be divided by it once. So reports
//! of different accounts with one ratio, at most [`SPREAD_DAYS`] days after the first, are one
//! split, which counts from the first report on. An account reports a split once: its next report
//! is of another split, however soon it comes.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;

use crate::ids::AccountId;
use crate::money::exact::{self, Fraction};

/// The number of days from the first report of a split to the last one that is still of the same.
pub const SPREAD_DAYS: i32 = 10;

/// A share split as an account reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Split {
    /// The day from the start of which on it counts.
    pub date: Date,
    /// The number of shares after the split, for each `from` before it.
    pub to: u32,
    /// The number of shares before the split.
    pub from: u32,
    /// The account that reports it.
    pub account: AccountId,
}

impl Split {
    fn has_ratio_of(&self, other: &Self) -> bool {
        let product = |to: u32, from: u32| u64::from(to) * u64::from(from);
        product(self.to, other.from) == product(other.to, self.from)
    }
}

/// The ratio of all splits of each day together, so that a price of the day before is carried over
/// all of them.
pub(super) fn by_day(reported: &[Split]) -> BTreeMap<Date, Fraction> {
    let mut ratios: BTreeMap<Date, Fraction> = BTreeMap::new();
    for Split { date, to, from, .. } in distinct(reported) {
        let ratio = exact::whole(to.into()) / exact::whole(from.max(1).into());
        *ratios.entry(date).or_insert_with(|| exact::whole(1)) *= ratio;
    }
    // Two splits that undo each other leave the price alone.
    ratios.retain(|_, ratio| *ratio != exact::whole(1));
    ratios
}

/// The first report of each split, in the order of days.
fn distinct(reported: &[Split]) -> Vec<Split> {
    let mut reported = reported.to_vec();
    reported.sort_unstable();
    let mut found: Vec<(Split, BTreeSet<AccountId>)> = Vec::new();
    for report in reported {
        let is_same = |(first, accounts): &&mut (Split, BTreeSet<AccountId>)| {
            first.has_ratio_of(&report)
                && (report.date - first.date).get_days() <= SPREAD_DAYS
                && !accounts.contains(&report.account)
        };
        match found.iter_mut().find(is_same) {
            Some((_, accounts)) => drop(accounts.insert(report.account)),
            None => found.push((report, BTreeSet::from([report.account]))),
        }
    }
    found.into_iter().map(|(first, _)| first).collect()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use proptest::prelude::*;

    use super::*;

    fn report(account: u128, day: i8, to: u32, from: u32) -> Split {
        let account = AccountId(uuid::Uuid::from_u128(account));
        Split { date: date(2024, 2, day), to, from, account }
    }

    fn days(reported: &[Split]) -> Vec<i8> {
        distinct(reported).iter().map(|split| split.date.day()).collect()
    }

    #[test]
    fn accounts_report_one_split_on_several_days() {
        for (name, reports, expected) in [
            ("nothing", vec![], vec![]),
            ("on one day", vec![report(1, 3, 2, 1), report(2, 3, 2, 1)], vec![3]),
            ("a day apart", vec![report(2, 4, 2, 1), report(1, 3, 2, 1)], vec![3]),
            ("in other words", vec![report(1, 3, 2, 1), report(2, 4, 4, 2)], vec![3]),
            ("just near enough", vec![report(1, 3, 2, 1), report(2, 13, 2, 1)], vec![3]),
            ("just too far", vec![report(1, 3, 2, 1), report(2, 14, 2, 1)], vec![3, 14]),
            (
                "each near the last one only",
                vec![report(1, 3, 2, 1), report(2, 10, 2, 1), report(3, 17, 2, 1)],
                vec![3, 17],
            ),
            ("another ratio", vec![report(1, 3, 2, 1), report(2, 3, 3, 1)], vec![3, 3]),
            ("the other way round", vec![report(1, 3, 2, 1), report(2, 3, 1, 2)], vec![3, 3]),
            ("one account twice", vec![report(1, 3, 2, 1), report(1, 3, 2, 1)], vec![3, 3]),
            (
                "two accounts twice",
                vec![
                    report(1, 3, 2, 1),
                    report(2, 4, 2, 1),
                    report(1, 6, 2, 1),
                    report(2, 7, 2, 1),
                ],
                vec![3, 6],
            ),
        ] {
            assert_eq!(days(&reports), expected, "{name}");
        }
    }

    fn any_report() -> impl Strategy<Value = Split> {
        let ratio = prop::sample::select(vec![(2, 1), (4, 2), (3, 1)]);
        (1..5_u128, 1..29_i8, ratio)
            .prop_map(|(account, day, (to, from))| report(account, day, to, from))
    }

    proptest! {
        #[test]
        fn the_order_of_arrival_does_not_matter(
            (reports, shuffled) in prop::collection::vec(any_report(), 0..20)
                .prop_flat_map(|all| (Just(all.clone()), Just(all).prop_shuffle())),
        ) {
            prop_assert_eq!(distinct(&shuffled), distinct(&reports));
        }

        /// Others that report it within the spread add no split; an account alone is believed.
        #[test]
        fn later_reports_of_others_change_nothing(
            day in prop::collection::vec(1..19_i8, 0..6), late in 0..=10_i8, others in 1..5_u128,
        ) {
            let alone: Vec<Split> = day.iter().map(|day| report(1, *day, 2, 1)).collect();
            prop_assert_eq!(distinct(&alone).len(), alone.len());
            let later = |other| day.iter().map(move |day| report(other, day + late, 2, 1));
            let all: Vec<Split> =
                alone.iter().copied().chain((2..2 + others).flat_map(later)).collect();
            let dates = |found: Vec<Split>| found.iter().map(|one| one.date).collect::<Vec<_>>();
            prop_assert_eq!(dates(distinct(&all)), dates(distinct(&alone)));
        }

        /// A later report changes nothing before it: prices are brought up to date from the day on
        /// that was touched.
        #[test]
        fn a_report_changes_nothing_before_its_day(
            reports in prop::collection::vec(any_report(), 0..20), one in any_report(),
        ) {
            let before = |all: &[Split]| {
                let mut found = distinct(all);
                found.retain(|split| split.date < one.date);
                found
            };
            let more: Vec<Split> = reports.iter().copied().chain([one]).collect();
            prop_assert_eq!(before(&more), before(&reports));
        }
    }
}
