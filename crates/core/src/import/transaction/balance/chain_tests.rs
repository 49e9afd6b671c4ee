use proptest::prelude::*;

use super::*;

/// A row: the change, and the balance; nothing where the cell is blank.
type Record = (i128, Option<i128>);

/// The numbers of the rows that are named, and how many balances follow.
fn named(order: RowOrder, records: &[Record]) -> (Vec<usize>, u64) {
    let mut chain = Chain::new(order);
    let mut rows = Vec::new();
    for (row, (change, balance)) in records.iter().enumerate() {
        let stated = balance.map_or(Stated::Blank, Stated::Value);
        match chain.row(row, *change, stated) {
            None => {}
            Some(Finding::Breaks(mismatch)) => rows.push(mismatch.at),
            Some(Finding::Moves { from, to }) => {
                rows.retain(|row| *row != from);
                rows.push(to.at);
            }
        }
    }
    (rows, chain.proofs)
}

/// Rows from the oldest on, as a bank writes them.
fn records(opening: i128, changes: &[i128]) -> Vec<Record> {
    let mut balance = opening;
    changes
        .iter()
        .map(|change| {
            balance += change;
            (*change, Some(balance))
        })
        .collect()
}

fn in_order(order: RowOrder, mut records: Vec<Record>) -> Vec<Record> {
    if order == RowOrder::NewestFirst {
        records.reverse();
    }
    records
}

const ORDERS: [RowOrder; 2] = [RowOrder::OldestFirst, RowOrder::NewestFirst];

#[test]
fn balances_follow_in_their_own_order_only() {
    let oldest = records(1_000, &[-100, 250, -30]);
    assert_eq!(named(RowOrder::OldestFirst, &oldest), (vec![], 2));
    let newest = in_order(RowOrder::NewestFirst, oldest.clone());
    assert_eq!(named(RowOrder::NewestFirst, &newest), (vec![], 2));
    assert_eq!(named(RowOrder::NewestFirst, &oldest).1, 0);
    assert_eq!(named(RowOrder::OldestFirst, &newest).1, 0);
}

#[test]
fn blank_balances_are_summed_up_to_the_next() {
    // Each day has its balance in the newest of its rows.
    let days = [(-100, None), (-50, Some(850)), (10, None), (20, None), (-5, Some(875))];
    assert_eq!(named(RowOrder::OldestFirst, &days), (vec![], 1));
    let newest: Vec<Record> = days.iter().rev().copied().collect();
    assert_eq!(named(RowOrder::NewestFirst, &newest), (vec![], 1));
    let wrong = [(-100, None), (-50, Some(850)), (10, None), (21, None), (-5, Some(875))];
    assert_eq!(named(RowOrder::OldestFirst, &wrong).0, [4]);
}

#[test]
fn the_row_with_the_wrong_cell_is_named() {
    let right = records(0, &[500, -20, -30, -40, -50]);
    for order in ORDERS {
        let of_file = |row: usize| if order == RowOrder::OldestFirst { row } else { 4 - row };
        for row in 1..5 {
            let mut wrong = right.clone();
            wrong[row].0 += 7;
            assert_eq!(named(order, &in_order(order, wrong)).0, [of_file(row)], "{order:?}");
        }
        for row in 1..4 {
            let mut wrong = right.clone();
            wrong[row].1 = wrong[row].1.map(|balance| balance + 7);
            assert_eq!(named(order, &in_order(order, wrong)).0, [of_file(row)], "{order:?}");
        }
    }
}

#[test]
fn both_ends_are_known() {
    for order in ORDERS {
        let mut chain = Chain::new(order);
        for (row, (change, balance)) in
            in_order(order, records(1_000, &[-100, 250, -30])).into_iter().enumerate()
        {
            let stated = balance.map_or(Stated::Blank, Stated::Value);
            assert_eq!(chain.row(row, change, stated), None);
        }
        assert_eq!(chain.ends(), (Some(1_000), Some(1_120)), "{order:?}");
    }
}

#[test]
fn rows_beyond_the_last_balance_count_and_unreadable_ones_do_not() {
    // A row without a change can't be read.
    for (about, order, records, ends) in [
        (
            "blank balances at both ends",
            RowOrder::OldestFirst,
            vec![Some((5, None)), Some((10, Some(115))), Some((-3, None))],
            (Some(100), Some(112)),
        ),
        (
            "the same, newest first",
            RowOrder::NewestFirst,
            vec![Some((-3, None)), Some((10, Some(115))), Some((5, None))],
            (Some(100), Some(112)),
        ),
        (
            "unreadable rows at both ends",
            RowOrder::OldestFirst,
            vec![None, Some((10, Some(110))), Some((5, Some(115))), None, None],
            (Some(100), Some(115)),
        ),
        (
            "the same, newest first",
            RowOrder::NewestFirst,
            vec![None, Some((5, Some(115))), Some((10, Some(110))), None],
            (Some(100), Some(115)),
        ),
        (
            "unreadable rows between blank ones and the next balance",
            RowOrder::OldestFirst,
            vec![Some((5, None)), None, Some((10, Some(110))), None, Some((7, None))],
            (None, None),
        ),
        (
            "the same, newest first",
            RowOrder::NewestFirst,
            vec![Some((7, None)), None, Some((10, Some(110))), None, Some((5, None))],
            (None, None),
        ),
    ] {
        let mut chain = Chain::new(order);
        for (row, record) in records.into_iter().enumerate() {
            match record {
                Some((change, balance)) => {
                    let stated = balance.map_or(Stated::Blank, Stated::Value);
                    assert_eq!(chain.row(row, change, stated), None, "{about}");
                }
                None => chain.break_off(),
            }
        }
        assert_eq!(chain.ends(), ends, "{about}, {order:?}");
    }
}

#[test]
fn what_was_left_out_may_have_happened_or_not() {
    for order in ORDERS {
        for (about, left_out, rows) in [
            ("a row of the account", 2, records(0, &[500, -20, -30, -40])),
            ("a row that stands there twice", 2, {
                let mut rows = records(0, &[500, -20, -40]);
                rows.insert(2, rows[1]);
                rows
            }),
        ] {
            let mut chain = Chain::new(order);
            let left_out = if order == RowOrder::OldestFirst { left_out } else { 3 - left_out };
            for (row, (change, balance)) in in_order(order, rows).into_iter().enumerate() {
                let stated = balance.map_or(Stated::Blank, Stated::Value);
                if row == left_out {
                    chain.left_out(change, stated);
                } else {
                    assert_eq!(chain.row(row, change, stated), None, "{about}, {order:?}");
                }
            }
        }
    }
}

#[test]
fn a_balance_that_is_no_amount_is_named_and_passed_over() {
    for order in ORDERS {
        let mut chain = Chain::new(order);
        let rows = in_order(order, records(0, &[500, -20, -30]));
        let mut found = Vec::new();
        for (row, (change, balance)) in rows.iter().enumerate() {
            let stated =
                if row == 1 { Stated::Unreadable } else { Stated::Value(balance.unwrap()) };
            found.extend(chain.row(row, *change, stated));
        }
        let expected = Mismatch { at: 1, stated: None, expected: Some(480) };
        assert_eq!(found, [Finding::Breaks(expected)], "{order:?}");
    }
}

/// A digit of the number is another one.
fn with_other_digit(number: i128, place: u32, by: i128) -> i128 {
    let unit = 10_i128.pow(place);
    let digit = number.abs() / unit % 10;
    let other = (digit + by) % 10;
    let magnitude = number.abs() + (other - digit) * unit;
    if number < 0 { -magnitude } else { magnitude }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn every_change_of_a_file_is_noticed(
        opening in -1_000_000_i128..1_000_000,
        changes in prop::collection::vec((-100_000_i128..100_000).prop_filter("moves", |c| *c != 0), 3..12),
        at in any::<prop::sample::Index>(),
        place in 0_u32..5,
        by in 1_i128..10,
        newest_first in any::<bool>(),
    ) {
        let order = ORDERS[usize::from(newest_first)];
        let right = records(opening, &changes);
        prop_assert_eq!(named(order, &in_order(order, right.clone())).0, Vec::<usize>::new());
        // What precedes the oldest row isn't known, so its amount can't be checked.
        let row = 1 + at.index(right.len() - 1);
        let mut digit = right.clone();
        digit[row].0 = with_other_digit(digit[row].0, place, by);
        let mut balance = right.clone();
        balance[row].1 = balance[row].1.map(|balance| with_other_digit(balance, place, by));
        let mut doubled = right.clone();
        doubled.insert(row, right[row]);
        let mut dropped = right.clone();
        if row + 1 < right.len() {
            dropped.remove(row);
        }
        for (what, changed) in [
            ("a digit of an amount", digit),
            ("a digit of a balance", balance),
            ("a doubled row", doubled),
            ("a dropped row", dropped),
        ] {
            if changed == right {
                continue;
            }
            let found = named(order, &in_order(order, changed)).0;
            prop_assert!(!found.is_empty(), "{} was not noticed", what);
        }
    }
}
