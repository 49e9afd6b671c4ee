//! Lots and gains against Beancount.

use std::fmt::Write as _;

use purser_core::ledger::trade::CostMethod;
use purser_core::money::exact::Fraction;
use rust_decimal::Decimal;

use crate::random::{Ledger, ledgers, product};
use crate::{output, program, write};

/// A part of a lot that a trade closed.
#[derive(Debug, PartialEq)]
struct Closed {
    account: String,
    date: String,
    opened: String,
    /// Negative if the shares were owed.
    quantity: Decimal,
    proceeds: Fraction,
    cost: Fraction,
}

#[test]
fn lots_and_gains_are_those_of_beancount() {
    let ledgers = ledgers(60, false);
    let methods = [("FIFO", CostMethod::Fifo), ("LIFO", CostMethod::Lifo)];
    let mut journal = String::from("2023-01-01 open Equity:Other\n");
    let mut ours = Vec::new();
    for (name, method) in methods {
        for ledger in &ledgers {
            put_down(&mut journal, ledger, name);
            ours.extend(closed_by_us(ledger, name, method));
        }
    }
    let theirs = closed_by_beancount(&journal);
    assert!(theirs.len() > 2_000, "{}", theirs.len());
    assert!(theirs.iter().any(|closed| closed.quantity.is_sign_negative()), "no short position");
    assert_eq!(ours.len(), theirs.len());
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!(ours, theirs);
    }
}

fn account(ledger: &Ledger, method: &str) -> String {
    format!("Assets:{method}{:03}", ledger.number)
}

/// A trade that crosses zero is written as two, because a posting of Beancount's either closes
/// lots or opens one.
fn put_down(journal: &mut String, ledger: &Ledger, method: &str) {
    let account = account(ledger, method);
    writeln!(journal, "2023-01-01 open {account} STOCK \"{method}\"").unwrap();
    for (deal, held) in ledger.held() {
        let opposes = held.is_sign_negative() != deal.quantity.is_sign_negative();
        let closing = if opposes { deal.quantity.abs().min(held.abs()) } else { Decimal::ZERO };
        let signed = |size: Decimal| if deal.quantity.is_sign_negative() { -size } else { size };
        let mut post = |size: Decimal, how: String| {
            let (date, quantity) = (deal.date, signed(size));
            writeln!(journal, "{date} * \"trade\"\n  {account}  {quantity} STOCK {how}").unwrap();
            writeln!(journal, "  Equity:Other").unwrap();
        };
        if !closing.is_zero() {
            post(closing, format!("{{}} @ {} USD", deal.price));
        }
        let opening = deal.quantity.abs() - closing;
        if !opening.is_zero() {
            post(opening, format!("{{{} USD}}", deal.price));
        }
    }
}

fn closed_by_us(ledger: &Ledger, name: &str, method: CostMethod) -> Vec<Closed> {
    let folded = ledger.fold(method);
    let end = folded.segments.values().next().unwrap().last().unwrap();
    assert_eq!(end.quantity, Decimal::ZERO);
    let closed = folded.gains.into_iter().flat_map(|gain| {
        let date = gain.date.to_string();
        gain.lots.into_iter().map(move |lot| (date.clone(), lot))
    });
    closed
        .map(|(date, lot)| Closed {
            account: account(ledger, name),
            date,
            opened: lot.opened.unwrap().to_string(),
            quantity: lot.quantity,
            proceeds: lot.proceeds.unwrap(),
            cost: lot.cost.unwrap(),
        })
        .collect()
}

fn closed_by_beancount(journal: &str) -> Vec<Closed> {
    let path = write("lots.beancount", journal);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/differential/lots.py");
    let mut python = program("PURSER_TEST_BEANCOUNT", "a Python that has Beancount");
    let printed = output(python.arg(script).arg(path).env("BEANCOUNT_DISABLE_LOAD_CACHE", "1"));
    let rows: Vec<[String; 6]> = serde_json::from_str(&printed).unwrap();
    let mut all: Vec<Closed> = rows
        .into_iter()
        .map(|[account, date, units, opened, cost, price]| {
            let decimal = |text: &str| Decimal::from_str_exact(text).unwrap();
            // What reduces a lot has the other sign.
            let quantity = -decimal(&units);
            let size = quantity.abs();
            let (then, now) = (product(size, decimal(&cost)), product(size, decimal(&price)));
            let owed = quantity.is_sign_negative();
            let (proceeds, cost) = if owed { (then, now) } else { (now, then) };
            Closed { account, date, opened, quantity, proceeds, cost }
        })
        .collect();
    // Its entries are sorted by day; ours come account by account.
    all.sort_by(|one, other| (&one.account, &one.date).cmp(&(&other.account, &other.date)));
    all
}
