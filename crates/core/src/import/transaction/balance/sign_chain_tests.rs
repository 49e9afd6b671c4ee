#![allow(clippy::unwrap_used, reason = "a failed test should stop")]

use super::*;

/// The changes of rows, each an amount with its balance, by their places in the file.
fn changes(
    order: RowOrder,
    opening: Option<i128>,
    rows: &[(i128, Option<i128>, bool)],
) -> Vec<Change> {
    let mut chain = SignChain::new(order);
    let mut found = vec![None; rows.len()];
    let mut shown = |at: usize, change| {
        assert_eq!(found[at].replace(change), None, "row {at} is decided once");
    };
    for (at, (magnitude, balance, is_left_out)) in rows.iter().copied().enumerate() {
        let stated = balance.map_or(Stated::Blank, Stated::Value);
        chain.row(Unsigned { at, magnitude, stated, is_left_out }, &mut shown);
    }
    chain.finish(opening, &mut shown);
    found.into_iter().map(Option::unwrap).collect()
}

use Change::{Differs, Falls, LeftOut, Rises, Unknown};
use RowOrder::{NewestFirst, OldestFirst};

#[test]
fn the_balance_before_a_row_shows_its_direction_in_both_orders() {
    let rows = [(20, Some(80), false), (50, Some(130), false), (30, Some(100), false)];
    let newest_first: Vec<_> = rows.iter().rev().copied().collect();
    for (opening, first) in
        [(None, Unknown), (Some(100), Falls), (Some(60), Rises), (Some(1), Differs { before: 1 })]
    {
        assert_eq!(changes(OldestFirst, opening, &rows), [first, Rises, Falls]);
        assert_eq!(changes(NewestFirst, opening, &newest_first), [Falls, Rises, first]);
    }
}

#[test]
fn a_wrong_balance_and_a_lost_row_show_nothing() {
    let rows = |middle| [(1, Some(10), false), (5, Some(middle), false), (2, Some(13), false)];
    assert_eq!(changes(OldestFirst, Some(11), &rows(15)), [Falls, Rises, Falls]);
    let wrong = [Falls, Differs { before: 10 }, Differs { before: 19 }];
    assert_eq!(changes(OldestFirst, Some(11), &rows(19)), wrong);
    let lost = [(1, Some(10), false), (2, Some(13), false)];
    assert_eq!(changes(OldestFirst, Some(11), &lost), [Falls, Differs { before: 10 }]);
    let doubled = [(1, Some(10), false), (1, Some(10), false)];
    assert_eq!(changes(OldestFirst, Some(11), &doubled), [Falls, Differs { before: 10 }]);
    let newest_first = [(2, Some(13), false), (2, Some(13), false), (1, Some(15), false)];
    let found = changes(NewestFirst, Some(14), &newest_first);
    assert_eq!(found, [Differs { before: 13 }, Falls, Rises]);
}

#[test]
fn a_row_that_is_left_out_may_have_happened_or_not() {
    for (left_out, its, next) in [(15, Rises, 12), (10, LeftOut, 7), (10, LeftOut, 13)] {
        let rows = [(1, Some(10), false), (5, Some(left_out), true), (3, Some(next), false)];
        let change = if next == 13 { Rises } else { Falls };
        assert_eq!(changes(OldestFirst, Some(11), &rows), [Falls, its, change]);
        let newest_first: Vec<_> = rows.iter().rev().copied().collect();
        assert_eq!(changes(NewestFirst, Some(11), &newest_first), [change, its, Falls]);
    }
    // With it a fall of three, without it a rise of three.
    let either = [(1, Some(10), false), (6, Some(16), true), (3, Some(13), false)];
    assert_eq!(changes(OldestFirst, Some(11), &either), [Falls, Rises, Unknown]);
    let blank = [(1, Some(10), false), (5, None, true), (3, Some(13), false)];
    assert_eq!(changes(OldestFirst, Some(11), &blank), [Falls, LeftOut, Rises]);
    let many: Vec<_> = (0..1_000).map(|balance| (1, Some(2 * balance), true)).collect();
    assert!(changes(NewestFirst, None, &many).iter().all(|change| *change == LeftOut));
}

#[test]
fn nothing_is_known_behind_a_row_without_a_balance() {
    let rows = [(1, Some(10), false), (5, None, false), (3, Some(18), false), (3, Some(15), false)];
    assert_eq!(changes(OldestFirst, Some(11), &rows), [Falls, Unknown, Unknown, Falls]);
    let newest_first: Vec<_> = rows.iter().rev().copied().collect();
    assert_eq!(changes(NewestFirst, Some(11), &newest_first), [Falls, Unknown, Unknown, Falls]);
    let zero = [(1, Some(10), false), (0, None, false), (3, Some(13), false)];
    assert_eq!(changes(OldestFirst, Some(11), &zero), [Falls, Falls, Rises]);
    let zero = [(1, Some(10), false), (0, Some(10), false), (3, Some(13), false)];
    assert_eq!(changes(OldestFirst, Some(11), &zero), [Falls, Falls, Rises]);
    let moved = [(1, Some(10), false), (0, Some(14), false), (3, Some(17), false)];
    let found = changes(OldestFirst, Some(11), &moved);
    assert_eq!(found, [Falls, Differs { before: 10 }, Rises]);
}
