use super::*;
use crate::import::cells::CellsBuf;
use crate::import::kind::{Context, Interpreted};
use crate::import::kinds::Kind;
use crate::import::layout::Preface;
use crate::import::scratch::Scratch;
use crate::import::settings::{Separator, Settings};
use crate::import::transaction::Interpreter;
use crate::text::number::NumberFormat;

/// What is found of rows below a header, by their numbers.
fn found(lines: &[&str], stated: &[(AnchorKind, i64)]) -> Vec<(u64, ShownBy)> {
    let (header, rows) = lines.split_first().unwrap();
    let preface = Preface::below(header, Separator::Semicolon);
    let settings = Settings {
        date_format: Some("%d.%m.%Y".to_owned()),
        number_format: Some(NumberFormat::CommaDot),
        ..Settings::default()
    };
    let layout = Kind::Transaction.layout(preface, &settings).unwrap();
    let currencies = std::collections::HashMap::new();
    let context = Context {
        as_of: "2026-06-30".parse().unwrap(),
        family_currency: Currency::EUR,
        account: None,
        account_currencies: &currencies,
        row_set: None,
    };
    let interpreter = Interpreter::new(&layout, context).unwrap();
    let mut scratch = Scratch::default();
    let mut all = LookAlikes::new(&layout);
    for (number, line) in (1..).zip(rows) {
        let cells: CellsBuf = line.split(';').collect();
        let cells = cells.as_cells();
        let Interpreted::Row(row) = interpreter.interpret(cells, &mut scratch) else {
            panic!("{line}")
        };
        all.add((number, number + 1), &row, cells, interpreter.is_alike(cells));
    }
    let stated = stated.iter().map(|(kind, amount)| StatedBalance {
        kind: *kind,
        account: None,
        amount: *amount,
        currency: Currency::EUR,
        place: 0,
    });
    let found = all.finish(&stated.collect::<Vec<_>>());
    found.into_iter().map(|one| (one.row, one.shown_by)).collect()
}

const ROWS: [&str; 3] =
    ["02.01.2026;Grocer;-50.00", "05.01.2026;Salary;2000.00", "09.01.2026;Rent;-900.00"];

fn with<'a>(header: &'a str, before: &[&'a str], after: &[&'a str]) -> Vec<&'a str> {
    [&[header], before, &ROWS[..], after].concat()
}

#[test]
fn a_shop_with_the_name_of_a_total_is_money() {
    let header = "Date;Text;Amount";
    for line in [
        "12.01.2026;Total Energies;-61.20",
        "12.01.2026;Saldo Fitness GmbH;-49.00",
        "12.01.2026;Balance Coffee;-3.50",
        "12.01.2026;Balance Coffee;0.00",
    ] {
        assert_eq!(found(&with(header, &[], &[line]), &[]), [], "{line}");
        assert_eq!(found(&with(header, &[line], &[]), &[]), [], "{line}");
    }
    let many = ["12.01.2026;Total Energies;-61.20"; 9];
    assert_eq!(found(&with(header, &many, &many), &[]), []);
    // Two rows of the same amount are no sum.
    let two = ["Date;Text;Amount", "02.01.2026;Grocer;-50.00", "03.01.2026;Balance Coffee;-50.00"];
    assert_eq!(found(&two, &[]), []);
}

#[test]
fn what_the_other_rows_come_to_may_be_a_total() {
    let header = "Date;Text;Amount";
    let total = "12.01.2026;Total Girokonto Plus;1050.00";
    assert_eq!(found(&with(header, &[], &[total]), &[]), [(4, ShownBy::Sum)]);
    assert_eq!(found(&with(header, &[total], &[]), &[]), [(1, ShownBy::Sum)]);
    let out = "12.01.2026;Total Girokonto Plus;950.00";
    assert_eq!(found(&with(header, &[], &[out]), &[]), [(4, ShownBy::OneWay)]);
    // In the middle of the rows it is none.
    let middle = [header, ROWS[0], ROWS[1], total, ROWS[2], ROWS[2], ROWS[1]];
    assert_eq!(found(&middle, &[]), []);
}

#[test]
fn balances_to_which_the_rows_lead_are_none_of_them() {
    let header = "Date;Text;Amount";
    let (before, after) =
        ("01.01.2026;Saldo Girokonto Plus;100.00", "31.01.2026;Saldo Girokonto Plus;1150.00");
    let both = with(header, &[before], &[after]);
    assert_eq!(found(&both, &[]), [(1, ShownBy::Ends), (5, ShownBy::Sum)]);
    // Positive is money out.
    let closing = [(AnchorKind::Closing, -11_500_000)];
    assert_eq!(found(&with(header, &[before], &[]), &closing), [(1, ShownBy::Ends)]);
    let opening = [(AnchorKind::Opening, -1_000_000)];
    assert_eq!(found(&with(header, &[], &[after]), &opening), [(4, ShownBy::Ends)]);
    assert_eq!(found(&with(header, &[], &[after]), &closing), []);
}

#[test]
fn a_line_without_what_all_others_have_may_be_a_balance() {
    let lines = [
        "Date;Text;Reference;Amount",
        "01.01.2026;Saldo Girokonto Plus;;100.00",
        "02.01.2026;Grocer;17;-50.00",
        "05.01.2026;Salary;18;2000.00",
        "09.01.2026;Rent;19;-900.00",
    ];
    assert_eq!(found(&lines, &[]), [(1, ShownBy::Cells)]);
    let mut with_gap = lines;
    with_gap[3] = "05.01.2026;Salary;;2000.00";
    assert_eq!(found(&with_gap, &[]), []);
}
