mod flags;
mod names;

use std::collections::HashMap;

use jiff::civil::date;

use super::*;
use crate::import::kind::{Context, Detect as _, TargetAccount};
use crate::import::kinds::Kind;
use crate::import::layout::{AmountSource, Layout, Position, Preface};
use crate::import::layout_problem::texts;
use crate::import::settings::{Separator, Settings};
use crate::import::transaction::detection::Detector;
use crate::ledger::account::Classification;
use crate::money::Currency;

fn records(lines: &[&str]) -> Vec<CellsBuf> {
    lines.iter().map(|line| line.split(';').collect()).collect()
}

fn settings(fields: &[(&str, &str)]) -> Settings {
    let value = |name: &str| fields.iter().find(|(known, _)| *known == name);
    Settings::from_fields(|name| value(name).map(|(_, text)| (*text).to_owned())).unwrap()
}

/// The layout of a file without a header, as all stages together find it.
fn layout_of(lines: &[&str], fields: &[(&str, &str)], account: Option<TargetAccount>) -> Layout {
    let records = records(lines);
    let columns = records.iter().map(|record| record.as_cells().len()).max().unwrap();
    let preface = Preface {
        encoding: "UTF-8".to_owned(),
        encoding_certain: true,
        separator: Separator::Semicolon,
        headers: place_labels(columns),
        header_line: 1,
        start: Position { offset: 0, line: 1, row: 1 },
        shape: Some(shape(&records, columns)),
    };
    layout(preface, &records, &settings(fields), account)
}

/// A family with two accounts.
fn layout(
    preface: Preface,
    records: &[CellsBuf],
    settings: &Settings,
    account: Option<TargetAccount>,
) -> Layout {
    let mut layout = Kind::Transaction.layout(preface, settings).unwrap();
    assert!(is_needed(&layout));
    complete(&mut layout, settings, records);
    let accounts = [("giro", "EUR"), ("de02120300000000202051", "USD")];
    let account_currencies: HashMap<String, Currency> =
        accounts.map(|(key, code)| (key.to_owned(), Currency::parse(code).unwrap())).into();
    let context = Context {
        as_of: date(2024, 6, 15),
        family_currency: Currency::EUR,
        account,
        account_currencies: &account_currencies,
        row_set: None,
    };
    if let Some(mut detector) = Detector::new(&layout, settings, context) {
        records.iter().for_each(|record| detector.observe(record.as_cells()));
        Box::new(detector).finish(&mut layout);
    }
    layout
}

/// The layout of a file with a header.
fn headed(header: &str, lines: &[&str]) -> Layout {
    let preface = Preface::below(header, Separator::Semicolon);
    layout(preface, &records(lines), &Settings::default(), None)
}

fn found(lines: &[&str]) -> Layout {
    layout_of(lines, &[], None)
}

/// The columns that were taken, by their places: day, amount or money out and in, names, notes,
/// currency, balance.
fn taken(layout: &Layout) -> String {
    let place = |column: Option<usize>| column.map(|column| column + 1);
    let mut parts = Vec::new();
    let mut add = |what: &str, column: Option<usize>| {
        parts.extend(place(column).map(|place| format!("{what} {place}")));
    };
    add("day", layout.columns.date);
    match &layout.amount {
        Some(AmountSource::Signed { column } | AmountSource::ByBalance { column }) => {
            add("amount", Some(*column))
        }
        Some(AmountSource::DebitCredit { debit, credit }) => {
            add("out", Some(*debit));
            add("in", Some(*credit));
        }
        Some(AmountSource::Directed { amount, direction, .. }) => {
            add("amount", Some(*amount));
            add("direction", Some(*direction));
        }
        None => {}
    }
    layout.columns.names.iter().for_each(|column| add("name", Some(*column)));
    add("notes", layout.columns.notes);
    add("currency", layout.columns.currency);
    add("balance", layout.balance.as_ref().map(|balance| balance.column));
    parts.join(", ")
}

#[test]
fn what_leaves_no_doubt_is_taken() {
    for (lines, expected) in [
        (
            &["31.01.2024;-12,50;Grocer", "01.02.2024;2.000,00;Salary"][..],
            "day 1, amount 2, name 3",
        ),
        // The same days twice; the currency; a blank column; a code.
        (
            &[
                "31.01.2024;31.01.2024;-12,50;EUR;Grocer;;4711",
                "1.2.2024;1.2.2024;2,00;EUR;Pay;;4712",
            ],
            "day 1, amount 3, name 5, currency 4",
        ),
        // Signs show which of two columns is which.
        (
            &["2024-01-31;Grocer;-12.50;", "2024-02-01;Salary;;+2000.00"],
            "day 1, out 3, in 4, name 2",
        ),
        // Words for the direction.
        (
            &[
                "2024-01-31;Grocer;12.50;D",
                "2024-02-01;Salary;2000.00;C",
                "2024-02-02;Kiosk;1.20;D",
            ],
            "day 1, amount 3, direction 4, name 2",
        ),
        // Numbers of accounts and of banks are neither amounts nor names.
        (
            &[
                "DE02120300000000202051;20240131;COBADEFFXXX;Grocer;-12,50;000471100",
                "DE02120300000000202051;20240201;BYLADEM1001;Salary;2000,00;000471101",
            ],
            "day 2, amount 5, name 4",
        ),
        // Who comes before what for, and both before the sort.
        (
            &[
                "2024-01-31;TRANSFER;Rent for January, flat 5, thank you very much indeed;Landlord;-700.00",
                "2024-02-01;TRANSFER;Invoice 4711 of the fifth of January, order 12345678;Shop;-20.00",
                "2024-02-02;TRANSFER;Salary of February with all that was agreed upon;Employer;2000.00",
                "2024-02-03;TRANSFER;Something else that nobody can remember any more;Somebody;-1.00",
            ],
            "day 1, amount 5, name 4, name 3, name 2, notes 3",
        ),
    ] {
        let layout = found(lines);
        assert_eq!(texts(&layout.problems), [""; 0], "{lines:?}");
        assert_eq!(taken(&layout), expected, "{lines:?}");
        let shown = layout.source();
        assert_eq!(shown["has_header"], false);
        assert!(shown["header_line"].is_null());
        let by_content = shown["found_by_content"].as_array().unwrap();
        assert!(by_content.contains(&"date_col_label".into()), "{shown}");
    }
}

#[test]
fn the_balance_distinguishes_columns_of_amounts() {
    let asset = TargetAccount { currency: Currency::EUR, classification: Classification::Asset };
    let card = TargetAccount { classification: Classification::Liability, ..asset };
    for (lines, expected) in [
        (
            &[
                "2024-01-31;aa;-12.50;87.50",
                "2024-02-01;bb;20.00;107.50",
                "2024-02-02;cc;-7.25;100.25",
                "2024-02-03;dd;-0.25;100.00",
            ][..],
            "day 1, amount 3, name 2, balance 4",
        ),
        // Nothing but the balance shows that money in stands first.
        (
            &[
                "2024-01-31;aa;;12.50;87.50",
                "2024-02-01;bb;20.00;;107.50",
                "2024-02-02;cc;;7.25;100.25",
                "2024-02-03;dd;;0.25;100.00",
            ],
            "day 1, out 4, in 3, name 2, balance 5",
        ),
        // Whole numbers, as in a country without cents, beside the numbers of the rows.
        (
            &[
                "1;2024-01-31;aa;1250;;8750",
                "2;2024-02-01;bb;;2000;10750",
                "3;2024-02-02;cc;725;;10025",
                "4;2024-02-03;dd;25;;10000",
            ],
            "day 2, out 4, in 5, name 3, balance 6",
        ),
    ] {
        let layout = layout_of(lines, &[], Some(asset));
        assert_eq!(texts(&layout.problems), [""; 0], "{lines:?}");
        assert_eq!(taken(&layout), expected, "{lines:?}");
        // What a card owes could be what it has.
        let layout = layout_of(lines, &[], Some(card));
        let problems = texts(&layout.problems);
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].starts_with("Which way money went is not certain"), "{problems:?}");
    }
}

#[test]
fn a_doubt_is_a_question_with_a_proposal() {
    for (lines, problem) in [
        (
            &[
                "31.01.2024;30.01.2024;-12,50;aa",
                "01.02.2024;31.01.2024;-1,00;bb",
                "02.02.2024;29.01.2024;-1,00;cc",
            ][..],
            "The date may be in \"#1\" (for example \"31.01.2024\") or in \"#2\" (for example \
             \"30.01.2024\"); \"#1\" is likely, say which one it is",
        ),
        (
            &[
                "30.01.2024;31.01.2024;-12,50",
                "31.01.2024;01.02.2024;-1,00",
                "29.01.2024;02.02.2024;-1,00",
            ],
            "The date may be in \"#1\" (for example \"30.01.2024\") or in \"#2\" (for example \
             \"31.01.2024\"); \"#2\" is likely, say which one it is",
        ),
        (
            &["2024-01-31;12.50;-7.00", "2024-02-01;3.00;-8.00"],
            "The amount may be in \"#2\" (for example \"12.50\") or in \"#3\" (for example \
             \"-7.00\"); \"#3\" is likely, say which one it is",
        ),
        // Codes beside unsigned amounts; whole amounts beside what may be their balance.
        (
            &["2024-01-31;4711;12.50", "2024-02-01;4712;3.00"],
            "The amount may be in \"#3\" (for example \"12.50\") or in \"#2\" (for example \
             \"4711\"); \"#3\" is likely, say which one it is",
        ),
        (
            &["2024-01-31;12;;88.00", "2024-02-01;;3;91.00"],
            "The money out may be in \"#2\" (for example \"12\") or in \"#3\" (for example \"3\"); \
             \"#2\" is likely, say which one it is",
        ),
        (
            &["2024-01-31;12.50;;aa", "2024-02-01;;3.00;bb"],
            "The money out may be in \"#2\" (for example \"12.50\") or in \"#3\" (for example \
             \"3.00\"); \"#2\" is likely, say which one it is",
        ),
        (
            &["2024-01-31;12;aa", "2024-02-01;7;bb"],
            "The amount may be in \"#2\" (for example \"12\"); say whether it is",
        ),
        (
            &["2024-01-31;-12.50;EUR;USD", "2024-02-01;-7.00;EUR;EUR"],
            "The currency may be in \"#3\" (for example \"EUR\") or in \"#4\" (for example \"USD\"); \
             \"#3\" is likely, say which one it is",
        ),
        (
            &["2024-01-31;12.50;aa", "2024-02-01;7.00;bb"],
            "All amounts in \"#2\" are unsigned: are they money out (inflows_negative), money in \
             (inflows_positive), or does a column have the direction?",
        ),
    ] {
        assert_eq!(texts(&found(lines).problems), [problem], "{lines:?}");
    }
    let words = ["Grocer;12.50", "Kiosk;7.00"];
    assert_eq!(
        texts(&found(&words).problems),
        ["No column holds the date; headers found: \"#1\", \"#2\""]
    );
}

#[test]
fn one_answer_is_enough() {
    let pair = ["2024-01-31;12.50;;aa", "2024-02-01;;3.00;bb"];
    for (answer, expected) in [
        (("debit_col_label", "#2"), "day 1, out 2, in 3, name 4"),
        (("debit_col_label", "#3"), "day 1, out 3, in 2, name 4"),
        (("credit_col_label", "#3"), "day 1, out 2, in 3, name 4"),
    ] {
        let layout = layout_of(&pair, &[answer], None);
        assert_eq!((taken(&layout).as_str(), &layout.problems[..]), (expected, &[][..]));
    }
    let days = ["31.01.2024;30.01.2024;-12,50", "01.02.2024;31.01.2024;-1,00"];
    let layout = layout_of(&days, &[("date_col_label", "#2")], None);
    assert_eq!((taken(&layout).as_str(), &layout.problems[..]), ("day 2, amount 3", &[][..]));
    let amounts = ["2024-01-31;12.50;-7.00", "2024-02-01;3.00;-8.00"];
    let layout = layout_of(&amounts, &[("amount_col_label", "#3")], None);
    assert_eq!((taken(&layout).as_str(), &layout.problems[..]), ("day 1, amount 3", &[][..]));
}

#[test]
fn a_header_without_some_names_is_completed() {
    let lines = ["2024-01-31;-12.50;Grocer", "2024-02-01;20.00;Salary"];
    let blank = headed(";Amount;Name", &lines);
    assert_eq!((taken(&blank).as_str(), &blank.problems[..]), ("day 1, amount 2, name 3", &[][..]));
    assert_eq!(blank.configuration().date_col_label.as_deref(), Some("#1"));
    let blank = headed("Date;;Name", &lines);
    assert_eq!(taken(&blank), "day 1, amount 2, name 3");
    // A name that nobody knows may mean something else: a fee, a day of birth.
    for (header, problem) in [
        (
            "Foo;Amount;Name",
            "The date may be in \"Foo\" (for example \"2024-01-31\"); say whether it is",
        ),
        (
            "Date;Foo;Name",
            "The amount may be in \"Foo\" (for example \"-12.50\"); say whether it is",
        ),
    ] {
        assert_eq!(texts(&headed(header, &lines).problems), [problem]);
    }
}

#[test]
fn totals_and_remarks_do_not_hide_the_columns() {
    let lines = [
        "Opening balance;;100,00",
        "31.01.2024;-12,50;Grocer",
        "01.02.2024;2.000,00;Salary",
        "Total;;1.987,50",
        "All values without guarantee",
    ];
    let layout = found(&lines);
    assert_eq!(taken(&layout), "day 1, amount 2, name 3");
    assert_eq!(layout.problems, []);
}

#[test]
fn the_shape_stays_from_file_to_file() {
    let shape_of = |lines: &[&str]| shape(&records(lines), 5);
    let january = shape_of(&["01.01.2024;Rent;-700,00;;5", "15.01.2024;Salary;1.500,00;x;6"]);
    let february = shape_of(&["1.2.2024;Kiosk 7;-3,50;REF 9;;", "Total;;;;"]);
    assert_eq!(january, february);
    for other in [
        "2024-02-01;Kiosk;-3,50;;",
        "01.02.2024;Kiosk;-3.50;;",
        "01.02.2024;Kiosk;-3,50;10,00;",
        "01.02.2024;01.02.2024;-3,50;;",
        "Kiosk;01.02.2024;-3,50;;",
    ] {
        assert_ne!(shape_of(&[other]), january, "{other}");
    }
    assert_ne!(shape(&records(&["01.01.2024;Rent;-700,00;;5"]), 6), january, "another width");
}

#[test]
fn the_own_account_is_one_that_the_family_has() {
    let file = |own: [&str; 3]| {
        let lines = [("31", own[0], "DE11"), ("30", own[1], "DE12"), ("29", own[2], "DE11")];
        let lines = lines.map(|(day, own, other)| {
            format!("2024-01-{day};{own};-12.50;Grocer {day};{other}00100100100100")
        });
        layout_of(&lines.each_ref().map(String::as_str), &[], None)
    };
    for own in [["DE02120300000000202051"; 3], ["Giro"; 3], ["Giro", "giro", "Giro"]] {
        let layout = file(own);
        assert_eq!(layout.columns.account, Some(1), "{own:?}");
        assert!(layout.found_by_content.iter().any(|name| name == "account_col_label"));
    }
    for own in [["DE99999900000000202051"; 3], ["Giro", "Giro", ""], ["Giro", "Giro", "Other"]] {
        assert_eq!(file(own).columns.account, None, "{own:?}");
    }
}

#[test]
fn a_second_column_of_the_same_name_is_asked_about() {
    let layout_of = |header: &str, lines: &[&str]| texts(&headed(header, lines).problems);
    let lines = ["2024-01-31;-12.50;-11.00;Grocer", "2024-02-01;20.00;18.00;Salary"];
    assert_eq!(
        layout_of("Date;Amount;Amount;Name", &lines),
        ["The amount may be in \"Amount\" or in \"#3\"; say which one it is"]
    );
    let same = lines.map(|line| line.replace("-11.00", "-12.50").replace("18.00", "20.00"));
    let same = same.each_ref().map(String::as_str);
    assert_eq!(layout_of("Date;Amount;Amount;Name", &same), [""; 0], "they are the same");
    let lines = ["2024-01-31;2024-02-02;-12.50;Grocer", "2024-02-01;2024-02-01;20.00;Salary"];
    assert_eq!(
        layout_of("Date;date;Amount;Name", &lines),
        ["The date may be in \"Date\" or in \"#2\"; say which one it is"]
    );
}
