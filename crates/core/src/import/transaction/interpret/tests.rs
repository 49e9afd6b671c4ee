use std::collections::HashMap;

use jiff::civil::date;

use super::*;
use crate::import::cells::CellsBuf;
use crate::import::kind::TargetAccount;
use crate::import::kinds::Kind;
use crate::import::layout::{AmountSource, Preface};
use crate::import::settings::{AmountStrategy, Separator, Settings, Signage};
use crate::ledger::account::Classification;
use crate::limits::{NAME_CHARS_MAX, NOTES_CHARS_MAX};

const FOUR: i64 = 10_000;

/// A header with `;` between the cells, and what was sent beside it.
pub(super) struct Case {
    header: &'static str,
    settings: Settings,
    account: Option<Currency>,
}

pub(super) fn case(header: &'static str) -> Case {
    let settings = Settings {
        date_format: Some("%Y-%m-%d".to_owned()),
        number_format: Some(NumberFormat::CommaDot),
        ..Settings::default()
    };
    Case { header, settings, account: Some(Currency::USD) }
}

impl Case {
    fn with(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(&mut self.settings);
        self
    }

    pub(super) fn layout(&self) -> Layout {
        let preface = Preface::below(self.header, Separator::Semicolon);
        Kind::Transaction.layout(preface, &self.settings).unwrap()
    }

    /// Interprets a record and looks at the verdict.
    fn look<T>(&self, record: &str, look: impl FnOnce(Interpreted<Row<'_>>) -> T) -> T {
        self.look_at(&self.layout(), record, look)
    }

    fn look_at<T>(
        &self,
        layout: &Layout,
        record: &str,
        look: impl FnOnce(Interpreted<Row<'_>>) -> T,
    ) -> T {
        let accounts = HashMap::from([("euro account".to_owned(), Currency::EUR)]);
        let context = Context {
            as_of: date(2024, 6, 15),
            family_currency: Currency::parse("GBP").unwrap(),
            account: self
                .account
                .map(|currency| TargetAccount { currency, classification: Classification::Asset }),
            account_currencies: &accounts,
            row_set: None,
        };
        let interpreter = Interpreter::new(layout, context).unwrap();
        let cells: CellsBuf = record.split(';').collect();
        let mut scratch = Scratch::default();
        look(interpreter.interpret(cells.as_cells(), &mut scratch))
    }

    fn row<T>(&self, record: &str, look: impl FnOnce(Row<'_>) -> T) -> T {
        self.look(record, |verdict| match verdict {
            Interpreted::Row(row) => look(row),
            other => panic!("{record}: {other:?}"),
        })
    }

    pub(super) fn amount(&self, record: &str) -> i64 {
        self.row(record, |row| row.amount)
    }

    fn money(&self, record: &str) -> String {
        self.row(record, |row| format!("{} {}", row.amount, row.currency))
    }

    pub(super) fn reasons(&self, record: &str) -> Vec<String> {
        self.look(record, |verdict| match verdict {
            Interpreted::Invalid(reasons) => reasons,
            other => panic!("{record}: {other:?}"),
        })
    }
}

#[test]
fn a_whole_row_is_read() {
    let case = case("Date;Amount;Name;Category;Tags;Notes;Transaction ID");
    case.row("2024-06-01; -12.50 ;Café\u{a0};Food:Out;trip|work;with Ann;T-1", |row| {
        assert_eq!(row.date, date(2024, 6, 1));
        assert_eq!((row.amount, row.currency), (125_000, Currency::USD));
        assert_eq!(row.name, "Café");
        assert_eq!(row.category, Some("Food:Out"));
        assert_eq!(row.tags.iter().collect::<Vec<_>>(), ["trip", "work"]);
        assert_eq!(row.notes, Some("with Ann"));
        assert_eq!(row.external_id, Some("T-1"));
        assert_eq!(row.account, None);
    });
    case.row("2024-06-01;1", |row| {
        assert_eq!(row.name, UNNAMED);
        assert_eq!((row.category, row.notes, row.external_id), (None, None, None));
        assert!(row.tags.is_empty());
    });
}

#[test]
fn inflows_are_positive_in_files_unless_the_file_or_a_setting_differs() {
    let plain = case("Date;Amount");
    let negative = case("Date;Amount").with(|s| s.signage = Some(Signage::InflowsNegative));
    for (cell, positive_inflows, negative_inflows) in [
        ("10", -10, 10),
        ("-10", 10, -10),
        ("(10)", 10, -10),
        ("10-", 10, -10),
        ("\u{2212}10", 10, -10),
        ("10 CR", -10, -10),
        ("10 DR", 10, 10),
        ("0", 0, 0),
    ] {
        let record = format!("2024-06-01;{cell}");
        assert_eq!(plain.amount(&record), positive_inflows * FOUR, "{cell}");
        assert_eq!(negative.amount(&record), negative_inflows * FOUR, "{cell}");
    }
}

#[test]
fn columns_for_debit_and_credit_ignore_signs_and_signage() {
    let case = case("Date;Paid out;Paid in").with(|s| s.signage = Some(Signage::InflowsNegative));
    for (cells, amount) in [
        ("10;", 10),
        ("-10;", 10),
        (";10", -10),
        (";-10", -10),
        ("10;0.00", 10),
        ("0.00;10", -10),
        ("10;-", 10),
        ("--;10", -10),
        ("0;0", 0),
        (";0.00", 0),
    ] {
        assert_eq!(case.amount(&format!("2024-06-01;{cells}")), amount * FOUR, "{cells}");
    }
    for (cells, reason) in [
        (";", "Paid out and Paid in are both blank"),
        ("-;", "Paid out and Paid in are both blank"),
        ("1;2", "Paid out and Paid in are both filled"),
        ("x;", "Paid out \"x\" is not an amount"),
        ("x;1", "Paid out \"x\" is not an amount"),
    ] {
        assert_eq!(case.reasons(&format!("2024-06-01;{cells}")), [reason], "{cells}");
    }
}

#[test]
fn a_custom_column_decides_and_the_sign_does_not_count() {
    let case = case("Date;Amount;Kind").with(|s| {
        s.amount_strategy = Some(AmountStrategy::CustomColumn);
        s.labels.entity_type = Some("Kind".to_owned());
        s.inflow_value = Some("Money  In".to_owned());
        s.signage = Some(Signage::InflowsNegative);
    });
    for (cells, amount) in
        [("10;Money In", -10), ("-10; MONEY IN ", -10), ("10;Money Out", 10), ("-10;fee", 10)]
    {
        assert_eq!(case.amount(&format!("2024-06-01;{cells}")), amount * FOUR, "{cells}");
    }
    assert_eq!(case.reasons("2024-06-01;10; "), ["Kind is blank, so the direction is not known"]);
}

#[test]
fn words_that_were_recognised_decide_and_others_are_refused() {
    let case = case("Date;Amount;Type");
    let mut layout = case.layout();
    layout.amount = Some(AmountSource::Directed { amount: 1, direction: 2, inflow_value: None });
    for (cells, amount) in [("10;Credit", -10), ("10;debit", 10), ("-10;CR", -10)] {
        let record = format!("2024-06-01;{cells}");
        case.look_at(&layout, &record, |verdict| match verdict {
            Interpreted::Row(row) => assert_eq!(row.amount, amount * FOUR, "{cells}"),
            other => panic!("{other:?}"),
        });
    }
    case.look_at(&layout, "2024-06-01;10;fee", |verdict| match verdict {
        Interpreted::Invalid(reasons) => {
            assert_eq!(reasons, ["Type \"fee\" does not say whether money came in or went out"])
        }
        other => panic!("{other:?}"),
    });
}

#[test]
fn the_currency_comes_from_the_nearest_source() {
    let mut column = case("Date;Amount;Currency");
    assert_eq!(column.money("2024-06-01;-1;"), "10000 USD");
    // Whether it can be booked in dollars is known when it is planned.
    assert_eq!(column.money("2024-06-01;-1;eur"), "10000 EUR");
    column.account = None;
    assert_eq!(column.money("2024-06-01;-1;eur"), "10000 EUR");
    assert_eq!(column.money("2024-06-01;-1;"), "10000 GBP");
    assert_eq!(column.money("2024-06-01;-1;€"), "10000 EUR");
    assert_eq!(column.money("2024-06-01;-1;£"), "10000 GBP");
    assert_eq!(
        column.reasons("2024-06-01;-1;$"),
        ["Currency \"$\" is not a known currency such as USD"]
    );
    assert_eq!(column.money("2024-06-01;-1 EUR;"), "10000 EUR");
    assert_eq!(column.money("2024-06-01;-1 EUR;EUR"), "10000 EUR");
    assert_eq!(column.money("2024-06-01;-0.12345678;BTC"), "12345678 BTC");
    assert_eq!(column.money("2024-06-01;-0.12345678 BTC;"), "12345678 BTC");
    assert_eq!(column.money("2024-06-01;-0.5 BTC;"), "50000000 BTC");
    assert_eq!(
        column.reasons("2024-06-01;1 EUR;USD"),
        ["Amount is in EUR, but the currency column says USD"]
    );
    assert_eq!(column.money("2024-06-01;-1;RUR"), "10000 RUB");
    let ended = "Currency \"DEM\" (German Mark) no longer exists: 1.95583 DEM became 1 EUR, so \
                 convert the amount in the file";
    assert_eq!(column.reasons("2024-06-01;-1;dem"), [ended]);
    assert_eq!(
        column.reasons("2024-06-01;1;EUP"),
        ["Currency \"EUP\" is not a known currency such as USD"]
    );
    assert_eq!(
        column.reasons("2024-06-01;0.12345;"),
        ["Amount \"0.12345\" has more than 4 decimals"]
    );
    let mut header = case("Date;Amount (EUR);Name");
    assert_eq!(header.money("2024-06-01;-1;x"), "10000 EUR");
    header.account = None;
    assert_eq!(header.money("2024-06-01;-1;x"), "10000 EUR");
    assert_eq!(
        header.reasons("2024-06-01;-1 USD;x"),
        ["Amount (EUR) is in USD, but the header says EUR"]
    );
    let mut accounts = case("Date;Amount;Account");
    accounts.account = None;
    assert_eq!(accounts.money("2024-06-01;-1;EURO  account"), "10000 EUR");
    assert_eq!(accounts.money("2024-06-01;-1;Other"), "10000 GBP");
}

#[test]
fn a_sign_is_not_taken_for_a_currency_that_never_has_it() {
    let mut column = case("Date;Amount;Currency");
    column.account = None;
    for (record, money) in [
        ("2024-06-01;-£1;", "10000 GBP"),
        ("2024-06-01;-$1;USD", "10000 USD"),
        ("2024-06-01;-$1;CAD", "10000 CAD"),
        ("2024-06-01;-1 kr;SEK", "10000 SEK"),
        ("2024-06-01;-1 kr;", "10000 GBP"),
    ] {
        assert_eq!(column.money(record), money, "{record}");
    }
    assert_eq!(
        column.reasons("2024-06-01;-$1;"),
        ["Amount is written with $, but is taken to be in GBP"]
    );
    assert_eq!(
        column.reasons("2024-06-01;-£1;USD"),
        ["Amount is written with £, but is taken to be in USD"]
    );
}

#[test]
fn the_account_column_counts_only_without_an_account() {
    let mut case = case("Date;Amount;Account");
    assert_eq!(case.row("2024-06-01;1;Savings", |row| row.account.map(str::to_owned)), None);
    assert_eq!(case.row("2024-06-01;1;", |row| row.account.map(str::to_owned)), None);
    case.account = None;
    let account = case.row("2024-06-01;1; Savings ", |row| row.account.map(str::to_owned));
    assert_eq!(account.as_deref(), Some("Savings"));
    assert_eq!(case.reasons("2024-06-01;1;"), ["Account is blank"]);
}

#[test]
fn the_name_is_the_first_text_there_is() {
    let case = case("Date;Amount;Payee;Description;Notes");
    let name =
        |record: &str| case.row(record, |row| (row.name.to_owned(), row.notes.map(str::to_owned)));
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(name("2024-06-01;1;Shop;Card 12;n"), ("Shop".to_owned(), some("n")));
    assert_eq!(name("2024-06-01;1;;Card 12;n"), ("Card 12".to_owned(), some("n")));
    assert_eq!(name("2024-06-01;1;;;n"), ("n".to_owned(), None));
    assert_eq!(name("2024-06-01;1;;;"), (UNNAMED.to_owned(), None));
    let long = "n".repeat(NAME_CHARS_MAX + 1);
    let beginning = long[1..].to_owned();
    assert_eq!(name(&format!("2024-06-01;1;;;{long}")), (beginning, some(&long)));
}

#[test]
fn a_text_that_becomes_the_name_is_not_noted_twice() {
    let case = case("Date;Amount;Payee;Description");
    let name =
        |record: &str| case.row(record, |row| (row.name.to_owned(), row.notes.map(str::to_owned)));
    assert_eq!(name("2024-06-01;1;Shop;Card 12"), ("Shop".to_owned(), Some("Card 12".to_owned())));
    assert_eq!(name("2024-06-01;1;;Card 12"), ("Card 12".to_owned(), None));
}

#[test]
fn every_reason_is_given_with_column_and_value() {
    let case = case("Datum;Betrag;Name;Währung;Tags");
    assert_eq!(
        case.reasons("31.02.2024;12,50;x;EUR;"),
        [
            "Datum \"31.02.2024\" is not a date like YYYY-MM-DD",
            "Betrag \"12,50\" is not written like 1,234.56",
        ]
    );
    assert_eq!(case.reasons(";;x;;"), ["Datum is blank", "Betrag is blank"]);
    assert_eq!(
        case.reasons("1899-12-31;1;x;;"),
        ["Datum 1899-12-31 is before 1900-01-01, the first day that is allowed"]
    );
    assert_eq!(case.reasons("2025-06-16;1;x;;").len(), 1);
    assert_eq!(case.amount("2025-06-15;1;x;;"), -FOUR);
    let long_tags: Vec<String> = (0..20).map(|n| format!("{n}{}", "x".repeat(200))).collect();
    let reasons = case.reasons(&format!("2024-06-01;1;x;;{}", long_tags.join(",")));
    assert_eq!(reasons, vec!["Tags is longer than 200 characters"; ROW_REASONS_MAX]);
    let tags: Vec<String> = (0..=ROW_TAGS_MAX).map(|n| format!("t{n}")).collect();
    assert_eq!(
        case.reasons(&format!("2024-06-01;1;x;;{}", tags.join(","))),
        ["Tags has more than 50 tags"]
    );
}

#[test]
fn texts_have_limits_in_characters_and_no_nul() {
    let case = case("Date;Amount;Name;Category;Notes;Tags");
    for (column, max, header) in [
        (2, NAME_CHARS_MAX, "Name"),
        (3, LABEL_CHARS_MAX, "Category"),
        (4, NOTES_CHARS_MAX, "Notes"),
        (5, LABEL_CHARS_MAX, "Tags"),
    ] {
        let record = |text: &str| {
            let mut cells = ["2024-06-01", "1", "n", "", "", ""];
            cells[column] = text;
            cells.join(";")
        };
        assert_eq!(case.amount(&record(&"é".repeat(max))), -FOUR, "{header}");
        let reasons = case.reasons(&record(&"é".repeat(max + 1)));
        assert_eq!(reasons, [format!("{header} is longer than {max} characters")]);
        assert_eq!(case.reasons(&record("a\0b")), [format!("{header} holds a NUL character")]);
    }
}

#[test]
fn records_may_be_shorter_or_longer_than_the_header() {
    let case = case("Date;Amount;Name");
    assert_eq!(case.amount("2024-06-01;1"), -FOUR);
    assert_eq!(case.amount("2024-06-01;1;x;; ;"), -FOUR);
    assert_eq!(case.amount("2024-06-01;1;Shop; Inc"), -FOUR);
    let many = format!("2024-06-01;1;x{}", ";".repeat(CSV_COLUMNS_MAX));
    assert_eq!(case.reasons(&many), ["The record has more than 512 cells"]);
}

#[test]
fn totals_are_no_rows_but_a_bad_date_is() {
    let case = case("Date;Name;Amount");
    for record in ["Total;;12.00", ";Total;12.00", "Page 1 of 2;;"] {
        case.look(record, |verdict| assert!(matches!(verdict, Interpreted::NotARow), "{record}"));
    }
    assert_eq!(case.reasons(";Shop;12.00"), ["Date is blank"]);
    assert_eq!(case.amount("2024-06-01;Total;12.00"), -12 * FOUR);
}

#[test]
fn a_layout_with_problems_reads_nothing() {
    let mut layout = case("Date;Amount").layout();
    layout.problems.push(LayoutProblem::NoRows);
    let context = Context {
        as_of: date(2024, 6, 15),
        family_currency: Currency::USD,
        account: None,
        account_currencies: &HashMap::new(),
        row_set: None,
    };
    assert_eq!(Interpreter::new(&layout, context).map(drop), Err(vec![LayoutProblem::NoRows]));
    layout.problems.clear();
    layout.number_format = None;
    assert_eq!(
        Interpreter::new(&layout, context).map(drop),
        Err(vec!["The number format is not known".to_owned().into()])
    );
}
