//! What a chunk asks the store for, and the set of entries that were taken.

use proptest::prelude::*;

use super::super::entry_set::EntrySet;
use super::super::{NEAR_DAYS, Window};
use super::*;

#[test]
fn windows_are_merged_by_account() {
    let at = |account, number| RowKey { account, ..row(0, number, 500, "a", "") };
    let window = |account, from, to| Window { account, from: day(from), to: day(to) };
    let windows = |rows: &[RowKey]| Chunk::new(rows.to_vec()).windows();
    assert_eq!(windows(&[]), []);
    assert_eq!(windows(&[at(0, 10)]), [window(0, 7, 13)]);
    assert_eq!(windows(&[at(0, 17), at(0, 10)]), [window(0, 7, 20)], "they touch");
    assert_eq!(windows(&[at(0, 18), at(0, 10)]), [window(0, 7, 13), window(0, 15, 21)]);
    assert_eq!(windows(&[at(1, 10), at(0, 11)]), [window(0, 8, 14), window(1, 7, 13)]);
}

#[test]
fn the_calendars_ends_are_no_problem() {
    let rows = [Date::MIN, Date::MAX].map(|date| RowKey { date, ..row(0, 1, 500, "a", "") });
    let chunk = Chunk::new(rows.to_vec());
    assert_eq!(chunk.windows()[0].from, Date::MIN);
    assert_eq!(chunk.windows()[1].to, Date::MAX);
    assert!(chunk.wants(0, Date::MIN, 500) && chunk.wants(0, Date::MAX, 500));
}

proptest! {
    /// Exactly the neighbours are wanted, and all of them lie in windows.
    #[test]
    fn wanted_are_the_neighbours(
        rows in prop::collection::vec((0u32..3, 0i64..40, -3i64..3), 0..20),
        asked in prop::collection::vec((0u32..3, 0i64..40, -3i64..3), 20),
    ) {
        let keys = rows.iter().map(|&(account, number, amount)| RowKey {
            account,
            ..row(0, number, amount, "a", "")
        });
        let chunk = Chunk::new(keys.collect());
        let windows = chunk.windows();
        for (account, number, amount) in asked {
            let near = |one: &&(u32, i64, i64)| (number - one.1).abs() <= i64::from(NEAR_DAYS);
            let in_days = |one: &&(u32, i64, i64)| one.0 == account && near(one);
            let wanted = rows.iter().filter(in_days).any(|one| one.2 == amount);
            prop_assert_eq!(chunk.wants(account, day(number), amount), wanted);
            let date = day(number);
            let covering = windows.iter().filter(|one| one.account == account);
            let covering = covering.filter(|one| one.from <= date && date <= one.to).count();
            prop_assert_eq!(covering, usize::from(rows.iter().any(|one| in_days(&one))));
        }
    }

    /// The set of intervals is a set.
    #[test]
    fn intervals_are_a_set(
        batches in prop::collection::vec(prop::collection::vec(0u128..60, 0..20), 0..5),
    ) {
        let mut set = EntrySet::default();
        let mut model = std::collections::BTreeSet::new();
        for batch in batches {
            set.add(batch.iter().map(|id| entry_id(*id)).collect());
            model.extend(batch);
            for id in 0..61 {
                prop_assert_eq!(set.contains(entry_id(id)), model.contains(&id));
            }
            let starts = model.iter().filter(|id| **id == 0 || !model.contains(&(**id - 1)));
            prop_assert_eq!(set.intervals(), starts.count());
        }
    }
}

#[test]
fn the_largest_ids_fit() {
    let mut set = EntrySet::default();
    set.add(vec![entry_id(u128::MAX), entry_id(0)]);
    set.add(vec![entry_id(u128::MAX - 1)]);
    assert!(set.contains(entry_id(u128::MAX)) && set.contains(entry_id(0)));
    assert!(!set.contains(entry_id(1)));
    assert_eq!(set.intervals(), 2);
}
