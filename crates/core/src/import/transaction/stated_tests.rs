use super::super::balance::{RowOrder, Sense};
use super::super::totals::Totals;
use super::*;
use crate::import::cells::Cells;
use crate::import::register::Parts;

use AnchorKind::{Closing, Opening, Total};

/// Lines of a table with signs, of one with columns for the directions, and of a statement.
const CSV: LinesFacts =
    LinesFacts { may_be_opposite: true, were_opposite: false, have_currencies: false };
const DIRECTED: LinesFacts = LinesFacts { may_be_opposite: false, ..CSV };
const STATEMENT: LinesFacts = LinesFacts { have_currencies: true, ..DIRECTED };

/// A balance behind so many rows.
fn stated(kind: AnchorKind, amount: i64, place: u64) -> StatedBalance {
    StatedBalance { kind, account: None, amount, currency: Currency::EUR, place }
}

/// Rows of the account with these amounts, on successive days.
fn rows(amounts: &[i64]) -> RowsSum {
    let mut sum = RowsSum::default();
    for (day, amount) in (1..).zip(amounts) {
        sum.add(&row(day, *amount, None));
    }
    sum
}

fn row(day: i8, amount: i64, account: Option<&str>) -> Row<'_> {
    Row {
        date: jiff::civil::date(2026, 1, day),
        amount,
        currency: Currency::EUR,
        name: "Rent",
        category: None,
        tags: Cells::new("", &[]),
        notes: None,
        account,
        external_id: None,
        rate: None,
        transfer: None,
        parts: Parts::default(),
    }
}

#[test]
fn both_balances_and_the_rows_prove_each_other() {
    // Money in is negative: 1.00, and 0.30 spent, is 0.70.
    for (lines, is_proven) in [
        (&[stated(Opening, -10_000, 0), stated(Closing, -7_000, 2)][..], true),
        // Newest first, and pages with balances in between.
        (&[stated(Closing, -7_000, 0), stated(Opening, -10_000, 2)], true),
        (
            &[
                stated(Opening, -10_000, 0),
                stated(Closing, -9_000, 1),
                stated(Opening, -9_000, 1),
                stated(Closing, -7_000, 2),
                stated(Total, 99, 2),
            ],
            true,
        ),
        // A debt of 0.70 that grows to 1.00 beside purchases that are negative in the file.
        (&[stated(Opening, -7_000, 0), stated(Closing, -10_000, 2)], true),
        (&[stated(Opening, -10_000, 0), stated(Closing, -7_001, 2)], false),
    ] {
        let comparison = rows(&[1_000, 2_000]).compare(2, lines, None, CSV);
        assert_eq!(comparison.problem.is_none(), is_proven, "{lines:?}");
        assert_eq!(comparison.ends.unwrap().is_proven(), is_proven, "{lines:?}");
    }
    let debt = [stated(Opening, -7_000, 0), stated(Closing, -10_000, 2)];
    let ends = rows(&[1_000, 2_000]).compare(2, &debt, None, CSV).ends.unwrap();
    assert_eq!((ends.opening, ends.closing, ends.sum), (Some(-7_000), Some(-10_000), Some(-3_000)));
}

#[test]
fn a_difference_is_named() {
    let lines = [stated(Opening, -10_000, 0), stated(Closing, -7_500, 2)];
    let problem = rows(&[1_000, 2_000]).compare(2, &lines, None, CSV).problem.unwrap().to_string();
    assert!(problem.contains("€1.00 before 2026-01-01 → €0.75 after 2026-01-02"), "{problem}");
    assert!(problem.contains("€0.05 less"), "{problem}");
}

#[test]
fn one_end_or_rows_of_several_accounts_prove_nothing() {
    let both = [stated(Opening, -10_000, 0), stated(Closing, -1, 1)];
    let one = rows(&[1_000]).compare(1, &both[..1], None, CSV);
    assert_eq!(one.problem, None);
    assert!(one.ends.is_some_and(|ends| ends.opening == Some(10_000) && !ends.is_proven()));
    let mut several = rows(&[1_000]);
    several.add(&row(2, 5, Some("Savings")));
    assert_eq!(several.compare(1, &both, None, CSV), Comparison::default());
    let mut partial = rows(&[1_000]);
    partial.miss();
    assert_eq!(partial.compare(1, &both, None, CSV), Comparison::default());
    assert_eq!(RowsSum::default().compare(1, &both, None, CSV), Comparison::default());
    assert_eq!(rows(&[1_000]).compare(1, &[], None, CSV), Comparison::default());
    let other = StatedBalance { currency: Currency::parse("USD").unwrap(), ..both[0].clone() };
    assert_eq!(rows(&[1_000]).compare(1, &[other], None, CSV), Comparison::default());
    let account = |name: &str| Some(name.to_owned());
    let another = StatedBalance { account: account("Savings"), ..stated(Opening, -99, 0) };
    let own = StatedBalance { account: account("Giro"), ..both[0].clone() };
    let mut sum = RowsSum::default();
    sum.add(&row(1, 1_000, Some("Giro")));
    let ends = sum.compare(1, &[another, own], None, CSV).ends;
    assert!(ends.is_some_and(|ends| ends.opening == Some(10_000)), "that of the same account");
}

#[test]
fn accounts_of_several_open_with_what_lines_prove() {
    let of = |name: &str, one: StatedBalance| StatedBalance { account: Some(name.into()), ..one };
    let lines = [
        of("A", stated(Opening, -10_000, 0)),
        of("B", stated(Opening, 500, 0)),
        of("C", stated(Opening, -1, 0)),
        of("A", stated(Closing, -9_000, 3)),
        of("B", stated(Closing, 501, 3)),
    ];
    let mut totals = Totals::default();
    for (name, amount) in [("A", 1_500), ("A", -500), ("B", 2)] {
        totals.row(&row(1, amount, Some(name)));
    }
    let opening = |amount| {
        [StatedOpening { account: "A".to_owned(), currency: Currency::EUR, amount }].to_vec()
    };
    let totals = totals.finish();
    assert_eq!(
        proven_openings(&lines, 3, &totals, false),
        opening(10_000),
        "B's rows come to more"
    );
    assert_eq!(proven_openings(&lines, 2, &totals, false), [], "the closing ones stand elsewhere");
    // OFX has closing balances alone.
    assert_eq!(proven_openings(&lines[3..4], 3, &totals, true), opening(10_000));
    assert_eq!(proven_openings(&lines[3..4], 3, &totals, false), []);
}

#[test]
fn lines_agree_with_the_column_of_balances() {
    let ends = rows(&[1_000]).compare(1, &[stated(Opening, -10_000, 0)], None, CSV).ends.unwrap();
    let balance = RunningBalance {
        column: 3,
        order: RowOrder::OldestFirst,
        sense: Sense::Money,
        proofs: 1,
        breaks: Vec::new(),
        ends: vec![BalanceEnds { closing: Some(9_000), ..ends }],
        directions: None,
    };
    for (lines, agrees) in [
        ([stated(Opening, -10_000, 0), stated(Closing, 9_000, 1)], true),
        ([stated(Opening, -10_001, 0), stated(Closing, -9_000, 1)], false),
        ([stated(Opening, -10_000, 0), stated(Closing, -8_000, 1)], false),
        // Carried from page to page.
        ([stated(Opening, -10_001, 7), stated(Closing, -8_000, 7)], true),
    ] {
        let comparison = rows(&[1_000]).compare(1, &lines, Some(&balance), CSV);
        assert_eq!((comparison.ends, comparison.problem.is_none()), (None, agrees), "{lines:?}");
    }
}

#[test]
fn known_directions_are_never_turned_round() {
    // A digit of an amount, a digit of the opening balance, or all signs wrong.
    for (amounts, opening, closing) in
        [(&[-1_000, 2_000][..], -10_000, -11_000), (&[-5_000], -20_000, -15_000)]
    {
        let rows_count = amounts.len() as u64;
        let lines = [stated(Opening, opening, 0), stated(Closing, closing, rows_count)];
        let comparison = rows(amounts).compare(rows_count, &lines, None, DIRECTED);
        assert!(!comparison.is_opposite && !comparison.ends.unwrap().is_proven());
        let problem = comparison.problem.unwrap().to_string();
        assert!(problem.contains("if the account were a debt"), "{problem}");
        assert!(rows(amounts).compare(rows_count, &lines, None, CSV).is_opposite);
    }
}

#[test]
fn what_cant_be_compared_is_a_problem() {
    let dollars = |kind, amount, place| StatedBalance {
        currency: Currency::USD,
        ..stated(kind, amount, place)
    };
    let mut mixed = rows(&[1_000]);
    mixed.add(&Row { currency: Currency::USD, ..row(2, 5, None) });
    let euros = [stated(Opening, -10_000, 0), stated(Closing, -9_000, 2)];
    for (sum, lines) in [
        (mixed.clone(), euros.to_vec()),
        (rows(&[500, 500]), vec![dollars(Opening, -10_000, 0), dollars(Closing, -9_000, 2)]),
        (rows(&[500, 500]), vec![stated(Opening, -10_000, 0), dollars(Closing, -9_000, 2)]),
        (rows(&[500, 500]), vec![dollars(Closing, -9_000, 0), stated(Opening, -10_000, 2)]),
    ] {
        let problem = sum.compare(2, &lines, None, STATEMENT).problem.map(|its| its.to_string());
        assert!(problem.as_ref().is_some_and(|its| its.contains("can't be added")), "{problem:?}");
    }
    let others = [dollars(Opening, -10_000, 0), dollars(Closing, -9_000, 2)];
    assert_eq!(rows(&[500, 500]).compare(2, &others, None, CSV).problem, None, "a blank cell");
    assert_eq!(
        mixed.compare(2, &euros[..1], None, STATEMENT).problem,
        None,
        "one end proves nothing"
    );
}
