//! Shares and money against hledger.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use purser_core::ledger::positions::on;
use purser_core::ledger::trade::CostMethod;
use purser_core::money::decimal::to_decimal_string;
use rust_decimal::Decimal;

use crate::random::{Ledger, SCALE, ledgers};
use crate::{output, program, write};

#[test]
fn shares_and_money_are_those_of_hledger_on_every_day() {
    let ledgers = ledgers(120, true);
    // As many decimals as anything has, so that nothing is rounded when it is shown.
    let mut journal = String::from("commodity 1.00000000 USD\ncommodity 1.0000 STOCK\n\n");
    for ledger in &ledgers {
        put_down(&mut journal, ledger);
    }
    let theirs = balances(&journal);
    let mut compared = 0;
    for ledger in &ledgers {
        let folded = ledger.fold(CostMethod::Average);
        let segments = folded.segments.values().next().unwrap();
        let mut cash = 0;
        for deal in &ledger.deals {
            cash -= deal.effect().cash;
            let day = deal.date.to_string();
            let shares = on(segments, deal.date).unwrap().quantity;
            let of = |kind: &str| {
                let account = format!("{kind}:{:03}", ledger.number);
                theirs[&account].get(&day).copied().unwrap_or_else(|| panic!("{account} {day}"))
            };
            assert_eq!(of("shares"), shares, "{} {day}", ledger.number);
            let cash: Decimal = to_decimal_string(cash, SCALE, 0).parse().unwrap();
            assert_eq!(of("cash"), cash, "{} {day}", ledger.number);
            compared += 1;
        }
    }
    assert!(compared > 2_000, "{compared}");
}

/// The money is left to hledger: it multiplies shares by their price.
fn put_down(journal: &mut String, ledger: &Ledger) {
    for deal in &ledger.deals {
        let (number, quantity, price) = (ledger.number, deal.quantity, deal.price);
        writeln!(journal, "{} trade", deal.date).unwrap();
        writeln!(journal, "  shares:{number:03}  {quantity} STOCK @ {price} USD").unwrap();
        if !deal.fee.is_zero() {
            writeln!(journal, "  fees  {} USD", deal.fee).unwrap();
        }
        writeln!(journal, "  cash:{number:03}\n").unwrap();
    }
}

/// For each account its balance at the end of each day.
fn balances(journal: &str) -> BTreeMap<String, BTreeMap<String, Decimal>> {
    let path = write("balances.journal", journal);
    let mut hledger = program("PURSER_TEST_HLEDGER", "hledger");
    let wanted = ["balance", "shares", "cash", "--flat", "--historical", "--daily", "--empty"];
    let shown = ["--no-total", "--output-format", "csv"];
    let printed = output(hledger.arg("-f").arg(path).args(wanted).args(shown));
    let mut lines = printed.lines().map(|line| {
        line.split(',').map(|cell| cell.trim_matches('"').to_owned()).collect::<Vec<String>>()
    });
    let days = lines.next().expect("a header");
    lines
        .map(|row| {
            let cells = days.iter().zip(&row).skip(1).map(|(day, cell)| {
                let number = cell.split(' ').next().unwrap_or_default();
                (day.clone(), Decimal::from_str_exact(number).unwrap_or_else(|_| panic!("{cell}")))
            });
            (row[0].clone(), cells.collect())
        })
        .collect()
}
