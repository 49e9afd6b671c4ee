use std::collections::HashMap;

use jiff::civil::date;

use super::columns::{Amounts, RegisterShape};
use super::*;
use crate::import::cells::CellsBuf;
use crate::import::dispatch::{Interpreter, Row};
use crate::import::kind::{Context, Interpreted};
use crate::import::kinds::Kind;
use crate::import::layout::{Layout, Position, Preface};
use crate::import::scratch::Scratch;
use crate::import::settings::{Separator, Settings};
use crate::money::Currency;

fn context(account_currencies: &HashMap<String, Currency>) -> Context<'_> {
    Context {
        as_of: date(2026, 6, 1),
        family_currency: Currency::USD,
        account: None,
        account_currencies,
        row_set: None,
    }
}

fn preface(headers: Vec<String>) -> Preface {
    Preface {
        encoding: "UTF-8".to_owned(),
        encoding_certain: true,
        separator: Separator::Comma,
        headers,
        header_line: 1,
        start: Position { offset: 0, line: 2, row: 1 },
        shape: None,
    }
}

fn layout() -> Layout {
    let headers = RegisterShape::of(Amounts::Signed).headers().map(str::to_owned).collect();
    Kind::Actual.layout(preface(headers), &Settings::default()).unwrap()
}

/// A record of Actual with these parts and this amount.
fn record(role: &str, parts: &str, problem: &str, amount: &str) -> CellsBuf {
    let cells = ["7", role, "Cash", "2026-01-02", "Shop", "", "", "", "", "Bank", parts, problem];
    cells.into_iter().chain([amount]).collect()
}

/// Amount and parts of the row that a record is, or why it is none.
fn read(record: &CellsBuf) -> Result<(i64, Vec<(i64, String)>), String> {
    let (layout, known) = (layout(), HashMap::new());
    let interpreter = Interpreter::new(&layout, context(&known)).unwrap();
    assert_eq!(interpreter.line(record.as_cells()), Some(7));
    let mut scratch = Scratch::default();
    match interpreter.interpret(record.as_cells(), &mut scratch) {
        Interpreted::Row(Row::Actual(super::Row::Transaction(row))) => {
            assert_eq!(row.transfer, Some("Bank"));
            let shown = |part: RowPart<'_>| {
                (part.amount / 100, part.category.unwrap_or_default().to_owned())
            };
            Ok((row.amount / 100, row.parts.iter().map(shown).collect()))
        }
        Interpreted::Invalid(reasons) => Err(reasons.join("; ")),
        other => panic!("{other:?}"),
    }
}

fn parts(parts: &[(&str, &str, bool)]) -> String {
    let cell = |(amount, category, apart): &(&str, &str, bool)| PartCell {
        amounts: vec![(*amount).to_owned().into()],
        category: (*category).to_owned().into(),
        apart: *apart,
        ..PartCell::default()
    };
    serde_json::to_string(&parts.iter().map(cell).collect::<Vec<_>>()).unwrap()
}

#[test]
fn a_row_is_what_its_parts_come_to() {
    let two = parts(&[("-1.00", "A", false), ("-2.50", "", false)]);
    let expected = Ok((350, vec![(100, "A".to_owned()), (250, String::new())]));
    assert_eq!(read(&record("", &two, "", "")), expected);
    assert_eq!(read(&record("", &two, "", "-3.50")), expected);
    let wrong = read(&record("", &two, "", "-3.00")).unwrap_err();
    assert_eq!(wrong, "Parts come to $3.50, but the transaction to $3.00");
}

#[test]
fn a_part_that_stands_apart_counts_for_the_sum_alone() {
    let three = parts(&[("-1.00", "A", false), ("-2.00", "B", false), ("-4.00", "", true)]);
    let (amount, own) = read(&record("", &three, "", "-7.00")).unwrap();
    assert_eq!((amount, own.len()), (300, 2));
}

#[test]
fn parts_that_cannot_be_read_make_the_row_invalid() {
    let wrong = parts(&[("-1.00", "A", false), ("two", "B", false)]);
    assert!(read(&record("", &wrong, "", "")).unwrap_err().starts_with("Amount"));
    assert_eq!(read(&record("", "no list", "", "")).unwrap_err(), "Parts is no list of parts");
    let many = parts(&vec![("-1.00", "A", false); 101]);
    assert_eq!(read(&record("", &many, "", "")).unwrap_err(), "Parts has more than 100 parts");
    assert_eq!(read(&record("", "", "It is odd", "-1.00")).unwrap_err(), "It is odd");
}

#[test]
fn what_accounts_began_with_is_added_up() {
    let (layout, known) = (layout(), HashMap::new());
    let interpreter = Interpreter::new(&layout, context(&known)).unwrap();
    let mut openings = StatedOpenings::default();
    for amount in ["100.00", "-30.00"] {
        let record = record(OPENING, "", "", amount);
        assert!(interpreter.left_out(record.as_cells()).is_some());
        let mut scratch = Scratch::default();
        let Interpreted::Row(row) = interpreter.interpret(record.as_cells(), &mut scratch) else {
            panic!("{amount}");
        };
        openings.add(row.transaction().unwrap());
    }
    let found = openings.finish();
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].account.as_str(), found[0].amount), ("Cash", 700_000));
    assert!(interpreter.left_out(record("", "", "", "1.00").as_cells()).is_none());
}

#[test]
fn a_register_of_another_kind_of_file_is_not_read() {
    let header = vec!["Date".to_owned(), "Amount".to_owned()];
    let layout = Kind::Mint.layout(preface(header), &Settings::default()).unwrap();
    assert!(!layout.is_readable());
}
