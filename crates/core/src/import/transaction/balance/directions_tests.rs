#![allow(clippy::unwrap_used, reason = "a failed test should stop")]

use super::*;
use crate::text::number::{NumberFormat, parse_amount};

const EUR: Currency = Currency::EUR;

fn balance(order: RowOrder, sense: Sense) -> RunningBalance {
    RunningBalance {
        column: 3,
        order,
        sense,
        proofs: 0,
        breaks: Vec::new(),
        ends: Vec::new(),
        directions: None,
    }
}

fn link(account: &str, amount: i64, balance: i128) -> Link<'_> {
    let date = "2026-01-01".parse().unwrap();
    Link { account, date, currency: EUR, amount, balance: Stated::Value(balance) }
}

/// The directions of rows, each an account, an amount and a balance; none can't be read.
fn found(order: RowOrder, sense: Sense, rows: &[Option<(&str, i64, i128)>]) -> FoundDirections {
    let mut finder = DirectionFinder::new(&balance(order, sense));
    for (index, row) in rows.iter().enumerate() {
        match row {
            None => finder.unreadable_row(),
            Some((account, amount, balance)) => {
                let link = link(account, *amount, *balance);
                let row = index as u64 + 1;
                finder.row((row, row + 1), &link, false, CorrectedDirection::default());
            }
        }
    }
    finder.finish(|account, _| (account == "stated").then_some(100))
}

fn shown(found: &FoundDirections, rows: u64) -> String {
    let text = |row| match found.directions.of(row) {
        Some(Direction::In) => '+',
        Some(Direction::Out) => '-',
        None => '?',
    };
    (1..=rows).map(text).collect()
}

#[test]
fn a_balance_of_money_rises_with_money_in_and_a_debt_with_money_out() {
    let rows = [
        Some(("stated", 20, 80)),
        Some(("other", 5, 5)),
        Some(("stated", 30, 110)),
        Some(("other", 1, 4)),
        Some(("stated", 10, 100)),
    ];
    let of = |sense| found(RowOrder::OldestFirst, sense, &rows);
    assert_eq!(shown(&of(Sense::Money), 6), "-?+--?");
    assert_eq!(shown(&of(Sense::Debt), 6), "+?-++?");
    let reversed: Vec<_> = rows.iter().rev().copied().collect();
    assert_eq!(shown(&found(RowOrder::NewestFirst, Sense::Money, &reversed), 5), "--+?-");
    let FoundDirections { proofs, breaks, unknown, .. } = of(Sense::Money);
    assert_eq!((proofs, breaks, unknown), (4, 0, 1));
}

#[test]
fn an_opening_balance_counts_only_if_no_row_before_is_lost() {
    for order in [RowOrder::OldestFirst, RowOrder::NewestFirst] {
        let rows = [None, Some(("stated", 20, 80)), Some(("stated", 30, 110))];
        let mut in_order = rows.to_vec();
        if order == RowOrder::NewestFirst {
            in_order.reverse();
        }
        let all = found(order, Sense::Money, &in_order);
        assert_eq!((all.proofs, all.unknown), (1, 1), "{order:?}");
        let between = [Some(("stated", 20, 80)), None, Some(("stated", 30, 110))];
        let mut in_order = between.to_vec();
        if order == RowOrder::NewestFirst {
            in_order.reverse();
        }
        let all = found(order, Sense::Money, &in_order);
        assert_eq!((all.proofs, all.unknown), (1, 1), "{order:?}");
    }
}

#[test]
fn directions_survive_their_storage_and_are_small() {
    let rows: Vec<_> = (0..100_000_i64)
        .scan(0, |balance, n| {
            *balance += i128::from(if n % 3 == 0 { n + 1 } else { -n - 1 });
            Some(Some(("", n + 1, *balance)))
        })
        .collect();
    let all = found(RowOrder::OldestFirst, Sense::Money, &rows);
    assert_eq!((all.proofs, all.breaks, all.unknown), (99_999, 0, 1));
    let stored = serde_json::to_string(&all.directions).unwrap();
    assert!(stored.len() < 40_000, "{}", stored.len());
    let read: Directions = serde_json::from_str(&stored).unwrap();
    assert_eq!(read, all.directions);
    let is_right = |row: u64| {
        let way = if (row - 1).is_multiple_of(3) { Direction::In } else { Direction::Out };
        read.of(row) == Some(way)
    };
    assert!((2..=100_000).all(is_right));
    assert_eq!((read.of(0), read.of(1), read.of(100_001)), (None, None, None));
}

#[test]
fn no_more_open_rows_are_kept_than_anybody_corrects() {
    let rows: Vec<_> = (0..1_000).map(|n| Some(("", 1, 10 * n))).collect();
    let all = found(RowOrder::OldestFirst, Sense::Money, &rows);
    assert!(all.is_overflowing());
    assert_eq!((all.breaks, all.unknown, all.oldest), (999, 1, 1));
    assert_eq!(all.directions.open.len(), BALANCE_BREAKS_MAX + 1);
    assert_eq!((all.first_lines.len(), all.first_lines[0]), (BALANCE_BREAKS_MAX, 3));
    // The oldest row of each account is no such row.
    let names: Vec<String> = (0..1_000).map(|n| n.to_string()).collect();
    let rows: Vec<_> = names.iter().map(|name| Some((name.as_str(), 1, 10))).collect();
    for order in [RowOrder::OldestFirst, RowOrder::NewestFirst] {
        let all = found(order, Sense::Money, &rows);
        assert_eq!((all.open(), all.oldest, all.is_overflowing()), (0, 1_000, false));
        assert_eq!(shown(&all, 1_000), "?".repeat(1_000), "none of them is known");
    }
}

#[test]
fn only_a_missing_direction_is_asked_for() {
    let rows = [
        Some(("other", 5, 5)),
        Some(("other", 1, 4)),
        Some(("other", 7, 5)),
        Some(("other", 1, 6)),
    ];
    let found = found(RowOrder::OldestFirst, Sense::Money, &rows).directions;
    let asked: Vec<u64> = (0..=5).filter(|row| found.is_asked(*row)).collect();
    assert_eq!((found.open_rows(), asked), (2, vec![1]));
}

#[test]
fn an_amount_with_a_direction_is_an_amount() {
    let (plain, comma) = (NumberFormat::CommaDot, NumberFormat::DotComma);
    for (cell, format, shown) in [
        ("12.50", plain, "12.50"),
        (" $1,012.50 ", plain, "1012.50"),
        ("USD 12.50", plain, "12.50"),
        ("12.50 \u{20aa}", plain, "12.50"),
        ("\u{20aa}12.50", plain, "12.50"),
        ("12,50 \u{20ac}", comma, "12.50"),
        ("\u{20ac} 1.012,50", comma, "1012.50"),
        ("+12.50", plain, "12.50"),
        ("-12.50", plain, "12.50"),
        ("(12.50)", plain, "12.50"),
        ("(12.50 USD)", plain, "12.50"),
        ("12.50-", plain, "12.50"),
        ("12.50 CR", plain, "12.50"),
        ("$12.50 (Dr.)", plain, "12.50"),
        ("12.50 USD DR", plain, "12.50"),
        ("$ -.50", plain, "0.50"),
        ("\u{2212}12,50 \u{20ac}", comma, "12.50"),
    ] {
        for is_money_in in [true, false] {
            let text = with_direction(cell, is_money_in);
            let CorrectedDirection(direction) = corrected_direction(&text);
            let expected = if is_money_in { Direction::In } else { Direction::Out };
            assert_eq!(direction, Some(expected), "{text}");
            let amount = parse_amount(&text, format, EUR.scale()).unwrap();
            assert_eq!(amount_text(amount.value.abs(), EUR), shown, "{text}");
        }
    }
}
