use std::collections::HashMap;

use jiff::civil::date;

use super::super::Interpreter;
use super::super::tests::case;
use crate::import::cells::CellsBuf;
use crate::import::kind::{Context, Interpreted};
use crate::import::scratch::Scratch;
use crate::money::Currency;

const LONGER: &str = "cells, the header only";

#[test]
fn cells_behind_the_header_are_left_out_where_nothing_can_have_moved() {
    for (header, record, amount) in [
        // All that is needed stands before what people write.
        ("Date;Amount;Name", "2024-06-01;-5.00;Kiosk;and more", 50_000),
        ("Date;Amount;Balance;Name", "2024-06-01;-5.00;95.00;Kiosk;7.00", 50_000),
        // Nothing behind the amount could be the amount.
        ("Date;Name;Amount", "2024-06-01;Kiosk;-5.00;and more", 50_000),
        ("Date;Name;Amount;Notes", "2024-06-01;Kiosk;-5.00;at noon;and more", 50_000),
        ("Name;Date;Amount", "Kiosk;2024-06-01;-5.00;x;;", 50_000),
        ("Date;Category;Name;Amount", "2024-06-01;Food;Kiosk;-5.00;x", 50_000),
        ("Date;Name;Debit;Credit", "2024-06-01;Kiosk;5.00;;x", 50_000),
    ] {
        assert_eq!(case(header).amount(record), amount, "{header} {record}");
    }
}

#[test]
fn cells_behind_the_header_make_a_row_invalid_where_columns_may_have_moved() {
    for (header, record) in [
        // The amount may be the next cell.
        ("Date;Name;Amount", "2024-06-01;Kiosk;5;-7.00"),
        ("Date;Name;Amount;Balance", "2024-06-01;Kiosk;5;-7.00;93.00"),
        ("Date;Name;Debit;Credit;Balance", "2024-06-01;Ki;osk;;5.00;93.00"),
        // A day may be the next one.
        ("Name;Date;Amount", "a;2024-06-01;5;2024-06-02;-7.00"),
        // A category may be half of one.
        ("Date;Amount;Name;Category", "2024-06-01;-5.00;Kiosk;Food;x"),
        ("Date;Amount;Category", "2024-06-01;-5.00;Food;drinks"),
        ("Date;Amount;Name;Currency", "2024-06-01;-5.00;Kiosk;USD;EUR"),
    ] {
        let reasons = case(header).reasons(record);
        assert!(reasons.iter().any(|reason| reason.contains(LONGER)), "{record}: {reasons:?}");
    }
}

/// What a record with these cells is found to be, into no account.
fn verdict(header: &'static str, cells: &[&str]) -> Result<String, Vec<String>> {
    let layout = case(header).layout();
    let accounts = HashMap::new();
    let context = Context {
        as_of: date(2024, 6, 15),
        family_currency: Currency::EUR,
        account: None,
        account_currencies: &accounts,
        row_set: None,
    };
    let interpreter = Interpreter::new(&layout, context).unwrap();
    let cells: CellsBuf = cells.iter().collect();
    match interpreter.interpret(cells.as_cells(), &mut Scratch::default()) {
        Interpreted::Row(row) => Ok(row.name.to_owned()),
        Interpreted::Invalid(reasons) => Err(reasons),
        Interpreted::NotARow => panic!("no row"),
    }
}

#[test]
fn a_cell_with_further_records_is_no_row() {
    let header = "Date;Name;Amount";
    let reason = |column: &str| {
        Err(vec![format!("{column} holds the next records, too: a quote isn't closed")])
    };
    let cells = ["2024-06-01", "Kiosk;-5.00\n2024-06-02;Tram", "-2.50"];
    assert_eq!(verdict(header, &cells), reason("Name"));
    // What would be passed over as a total or a remark holds rows.
    let cells = ["Total", "x\r\n\"2024-06-02\";Tram;-2.50\r\n", ""];
    assert_eq!(verdict(header, &cells), reason("Name"));
    let cells = ["All values without guarantee\n2024-06-02;Tram;-2.50\n"];
    assert_eq!(verdict(header, &cells), reason("Date"));
    // Lines of a text are a text.
    let cells = ["2024-06-01", "Kiosk;\nat noon on 2024-06-01; 2 teas", "-2.50"];
    assert_eq!(verdict(header, &cells), Ok(cells[1].to_owned()));
}

#[test]
fn an_account_has_one_line() {
    let cells = ["2024-06-01", "-2.50", "Main\nstreet"];
    let reasons = verdict("Date;Amount;Account", &cells);
    assert_eq!(reasons, Err(vec!["Account has a line break".to_owned()]));
}
