#[path = "detection_tests/directions.rs"]
mod directions;
#[path = "detection_tests/fees.rs"]
mod fees;
#[path = "detection_tests/reversals.rs"]
mod reversals;
#[path = "detection_tests/statuses.rs"]
mod statuses;

use std::collections::HashMap;

#[path = "detection_currency_tests.rs"]
mod currencies;

use super::*;
use crate::import::cells::CellsBuf;
use crate::import::kind::TargetAccount;
use crate::import::kinds::Kind;
use crate::import::layout::Preface;
use crate::import::layout_problem::texts;
use crate::import::questions::questions;
use crate::import::settings::{AmountStrategy, Separator, Signage};
use crate::ledger::account::Classification;
use crate::money::Currency;
use crate::text::number::NumberFormat;

/// The layout of a file, from lines with `;` between the cells.
fn layout(lines: &[&str], settings: &Settings) -> Layout {
    layout_into(lines, settings, None)
}

/// The same of a file for an account that is known.
fn layout_into(lines: &[&str], settings: &Settings, account: Option<TargetAccount>) -> Layout {
    let mut layout = layout_of(lines, settings);
    complete(&mut layout, lines, settings, account);
    layout
}

/// The layout as far as the header gives it.
fn layout_of(lines: &[&str], settings: &Settings) -> Layout {
    let header = lines[0];
    let preface = Preface::below(header, Separator::Semicolon);
    Kind::Transaction.layout(preface, settings).unwrap()
}

/// What the rows below the header show.
fn complete(
    layout: &mut Layout,
    lines: &[&str],
    settings: &Settings,
    account: Option<TargetAccount>,
) {
    complete_with(layout, lines, settings, context(account, &HashMap::new()));
}

fn complete_with(layout: &mut Layout, lines: &[&str], settings: &Settings, context: Context<'_>) {
    if let Some(mut detector) = Detector::new(layout, settings, context) {
        for row in &lines[1..] {
            let cells: CellsBuf = row.split(';').collect();
            detector.observe(cells.as_cells());
        }
        Box::new(detector).finish(layout);
    }
}

fn context(
    account: Option<TargetAccount>,
    account_currencies: &HashMap<String, Currency>,
) -> Context<'_> {
    Context {
        as_of: "2024-06-30".parse().unwrap(),
        family_currency: Currency::EUR,
        account,
        account_currencies,
        row_set: None,
    }
}

fn found(lines: &[&str]) -> Layout {
    layout(lines, &Settings::default())
}

fn problems(lines: &[&str]) -> Vec<String> {
    texts(&found(lines).problems)
}

#[test]
fn formats_that_fit_every_row_are_found() {
    for (lines, date, number) in [
        (&["Date;Amount", "01/13/2024;1,234.56", "02/01/2024;-3"][..], "%m/%d/%Y", "1,234.56"),
        (&["Datum;Betrag", "13.01.2024;1.234,56", "1.2.2024;-3,00 EUR"], "%d.%m.%Y", "1.234,56"),
        (&["Date;Montant", "2024-01-13;1 234,56", "2024-02-01;-3,5"], "%Y-%m-%d", "1 234,56"),
        (&["Date;Debit;Credit", "2024-01-13;1.50;", "2024-01-13;;20.25"], "%Y-%m-%d", "1,234.56"),
        (
            &["Date;Debit;Credit", "2024-01-13;1.50;-", "2024-01-13;--;20.25"],
            "%Y-%m-%d",
            "1,234.56",
        ),
    ] {
        let layout = found(lines);
        assert_eq!(layout.problems, [], "{lines:?}");
        assert_eq!(layout.date_format.as_deref(), Some(date), "{lines:?}");
        assert_eq!(layout.number_format.map(NumberFormat::as_str), Some(number), "{lines:?}");
        assert!(layout.found.contains(&"date_format".to_owned()));
        assert!(layout.found.contains(&"number_format".to_owned()));
    }
}

#[test]
fn two_formats_that_fit_are_a_problem_that_names_both() {
    assert_eq!(
        problems(&["Date;Amount", "03/04/2024;-1.50", "05/05/2024;2.50"]),
        ["The date format is ambiguous: %d/%m/%Y and %m/%d/%Y fit equally well \
          (for example \"03/04/2024\")"]
    );
    assert_eq!(
        problems(&["Date;Amount", "2024-03-13;1,234", "2024-03-14;-5"]),
        ["The number format is ambiguous: 1,234.56 and 1.234,56 fit equally well \
          (for example \"1,234\")"]
    );
}

#[test]
fn a_bad_row_or_a_total_does_not_hide_the_format() {
    let lines = [
        "Date;Name;Amount",
        "13/01/2024;a;-1.50",
        "14/02/2024;b;x",
        "soon;c;2.00",
        "Total;;3.50",
        "End of report;;",
    ];
    let layout = found(&lines);
    assert_eq!(layout.problems, []);
    assert_eq!(layout.date_format.as_deref(), Some("%d/%m/%Y"));
}

#[test]
fn no_fitting_format_is_a_problem_and_so_is_a_blank_column() {
    assert_eq!(
        problems(&["Date;Amount", "yesterday 1;a lot 2"]),
        [
            "No known date format fits (for example \"yesterday 1\")",
            "No known number format fits (for example \"a lot 2\")"
        ]
    );
    assert_eq!(
        problems(&["Date;Amount;Name", ";;a coffee", ";;another"]),
        ["The date column is blank in every row", "The amount column is blank in every row"]
    );
}

#[test]
fn what_was_sent_is_not_looked_for() {
    let settings = Settings {
        date_format: Some("%d/%m/%Y".to_owned()),
        number_format: Some(NumberFormat::CommaDot),
        signage: Some(Signage::InflowsPositive),
        ..Settings::default()
    };
    let layout = layout(&["Date;Amount", "03/04/2024;1,234"], &settings);
    assert_eq!(layout.problems, []);
    assert_eq!(layout.date_format.as_deref(), Some("%d/%m/%Y"));
    assert!(layout.has_no_signs, "but whether amounts have signs");
}

#[test]
fn a_direction_column_decides_only_where_nothing_else_does() {
    let signed = AmountSource::Signed { column: 1 };
    let directed = AmountSource::Directed { amount: 1, direction: 2, inflow_value: None };
    for (rows, expected) in [
        (["2024-01-13;5.50;debit", "2024-01-14;6.00;CREDIT"], &directed),
        (["2024-01-13;5.50;debit", "2024-01-14;6.00;debit"], &directed),
        (["2024-01-13;-5.50;debit", "2024-01-14;6.00;credit"], &signed),
        (["2024-01-13;(5.50);debit", "2024-01-14;6.00;credit"], &signed),
        (["2024-01-13;5.50 DR;debit", "2024-01-14;6.00 CR;credit"], &signed),
        (["2024-01-13;5.50;debit", "2024-01-14;6.00;"], &directed),
        (["2024-01-13;5.50;deposit", "2024-01-14;6.00;fee"], &signed),
        (["2024-01-13;5.50;card", "2024-01-14;6.00;transfer"], &signed),
    ] {
        let lines = ["Date;Amount;Transaction Type", rows[0], rows[1]];
        assert_eq!(found(&lines).amount.as_ref(), Some(expected), "{rows:?}");
    }
    for settings in [
        Settings { signage: Some(Signage::InflowsNegative), ..Settings::default() },
        Settings { amount_strategy: Some(AmountStrategy::SignedAmount), ..Settings::default() },
    ] {
        let lines = ["Date;Amount;Type", "2024-01-13;5.50;debit"];
        assert_eq!(layout(&lines, &settings).amount.as_ref(), Some(&signed));
    }
}

#[test]
fn a_direction_that_is_not_certain_is_reported() {
    let problem = |lines: &[&str]| problems(lines).join("; ");
    for lines in [
        // Of the words only some are understood.
        ["Date;Amount;Type", "2024-01-13;5.50;debit", "2024-01-14;6.00;fee"],
        // C alone is credit to some and a charge to others.
        ["Date;Amount;D/C", "2024-01-13;5.50;C", "2024-01-14;6.00;c"],
        ["Date;Amount;D/C", "2024-01-13;5.50;C", "2024-01-14;6.00;A"],
        // Beside W for a withdrawal D is a deposit.
        ["Date;Amount;Direction", "2024-01-13;5.50;D", "2024-01-14;6.00;W"],
        // The words contradict the signs.
        ["Date;Amount;D/C", "2024-01-13;-5.50;D", "2024-01-14;6.00;D"],
    ] {
        assert!(problem(&lines).starts_with("Which way money went is not certain"), "{lines:?}");
    }
    let header = "Date;Amount;Debit/Credit";
    let lines = [header, "2024-01-13;5.50;Debit", "2024-01-14;6.00;Pending"];
    let is_directed =
        |layout: &Layout| matches!(layout.amount, Some(AmountSource::Directed { .. }));
    assert!(is_directed(&found(&lines)), "the column is about nothing else");
    let lines = [header, "2024-01-13;5.50;Debit", "2024-01-14;-6.00;Credit"];
    let layout = found(&lines);
    assert_eq!((layout.signage, is_directed(&layout)), (Signage::InflowsNegative, false));
    assert!(layout.found.contains(&"signage_convention".to_owned()));
}

#[test]
fn numbers_of_accounts_are_only_the_own_if_all_are_one() {
    let account =
        |rows: [&str; 2]| found(&["Date;Amount;Account number", rows[0], rows[1]]).columns.account;
    assert_eq!(account(["2024-01-13;1.5;A1", "2024-01-14;1.5;A1"]), Some(2));
    assert_eq!(account(["2024-01-13;1.5;A1", "2024-01-14;1.5;A2"]), None);
    assert_eq!(account(["2024-01-13;1.5;", "2024-01-14;1.5;A1"]), None);
    let named = found(&["Date;Amount;Account", "2024-01-13;1.5;A1", "2024-01-14;1.5;A2"]);
    assert_eq!(named.columns.account, Some(2));
}

#[test]
fn a_currency_column_must_hold_currencies_unless_it_was_named() {
    let lines = ["Datum;Betrag;Valuta", "13.01.2024;1,50;14.01.2024"];
    assert_eq!(found(&lines).columns.currency, None);
    let lines = ["Datum;Bedrag;Valuta", "13.01.2024;1,50;EUR", "13.01.2024;1,50;XXZ"];
    assert_eq!(found(&lines[..2]).columns.currency, Some(2));
    assert_eq!(found(&lines).columns.currency, Some(2), "a wrong code is the row's mistake");
    let mut settings = Settings::default();
    settings.labels.currency = Some("Valuta".to_owned());
    let lines = ["Datum;Betrag;Valuta", "13.01.2024;1,50;14.01.2024"];
    assert_eq!(layout(&lines, &settings).columns.currency, Some(2));
}

/// The settings that a person sent.
fn sent(fields: &[(&str, &str)]) -> Settings {
    let of = |name: &str| fields.iter().find(|(its, _)| *its == name).map(|(_, v)| (*v).to_owned());
    Settings::from_fields(of).unwrap()
}

#[test]
fn years_of_two_digits_that_are_far_from_today_are_asked_about() {
    let asked = "Read as they are usually written, the dates would be far from today (\"28/05/69\" \
                 would be 1969-05-28); say how they are written";
    assert_eq!(problems(&["Date;Amount", "28/05/69;-1.00", "15/06/69;-2.00"]), [asked]);
    let ahead = asked.replace("28/05/69", "28/12/68").replace("1969-05", "2068-12");
    assert_eq!(problems(&["Date;Amount", "28/12/68;-1.00", "15/01/69;-2.00"]), [ahead]);
    assert_eq!(found(&["Date;Amount", "15/05/24;-1.00", "28/05/24;-2.00"]).problems, []);
    assert_eq!(found(&["Date;Amount", "15/05/1969;-1.00"]).problems, []);
    let preferred = Formats { date_format: Some("%d/%m/%y".to_owned()), ..Formats::default() };
    let settings = Settings { preferred, ..Settings::default() };
    assert_eq!(layout(&["Date;Amount", "15/05/69;-1.00"], &settings).problems, []);
}

#[test]
fn a_column_without_a_known_name_may_hold_the_booking_date() {
    let lines = ["Xyz;Value date;Amount", "2024-05-15;2024-05-16;-1.00"];
    assert_eq!(
        problems(&lines),
        ["The date may be in \"Value date\" or in \"Xyz\"; say which one it is"]
    );
    let [header, row] = lines;
    assert_eq!(found(&[&header.replace("Value date", "Date"), row]).problems, []);
    assert_eq!(found(&[header, &row.replace("2024-05-15", "A7")]).problems, []);
    let mut settings = Settings::default();
    settings.labels.date = Some("Value date".to_owned());
    assert_eq!(layout(&lines, &settings).problems, []);
}

#[test]
fn what_a_plus_before_every_amount_shows() {
    let pluses = ["Date;Amount;Type", "2024-01-13;+1.50;DB", "2024-01-14;+0.25;CR"];
    assert!(matches!(found(&pluses).amount, Some(AmountSource::Directed { .. })));
    let unknown = pluses.map(|line| line.replace("DB", "Foo"));
    let unknown = unknown.each_ref().map(String::as_str);
    assert_eq!(problems(&unknown).len(), 1, "one word is not understood");
    let without_words = ["Date;Amount", "2024-01-13;+1.50", "2024-01-14;+0.25"];
    assert_eq!(found(&without_words).problems, []);
}

#[test]
fn mostly_positive_amounts_of_an_unknown_account_are_asked_about() {
    let card = ["Date;Amount", "2024-01-13;20.00", "2024-01-14;15.00", "2024-01-15;-35.00"];
    let asked = "Most amounts in \"Amount\" are positive, as on some statements of cards: are \
                 positive amounts money in (inflows_positive, as in a bank account) or money out \
                 (inflows_negative)?";
    assert_eq!(problems(&card), [asked]);
    let settings = Settings::default();
    let asset = TargetAccount { currency: Currency::EUR, classification: Classification::Asset };
    assert_eq!(layout_into(&card, &settings, Some(asset)).problems, []);
    assert_eq!(
        problems(&card.map(|line| if line.contains("15.00") { card[3] } else { line })),
        [""; 0]
    );
}

#[test]
fn yen_have_no_decimals() {
    let lines = ["Date;Amount", "2024-01-13;-1,500", "2024-01-14;-2,664"];
    let in_yen = TargetAccount {
        currency: Currency::parse("JPY").unwrap(),
        classification: Classification::Asset,
    };
    let layout = layout_into(&lines, &Settings::default(), Some(in_yen));
    assert_eq!((layout.number_format, layout.problems.len()), (Some(NumberFormat::CommaDot), 0));
    assert!(problems(&lines)[0].starts_with("The number format is ambiguous"));
}

#[test]
fn the_own_holder_is_a_party_of_every_row() {
    let file = |rows: &[&str]| {
        let header = ["Date;Amount;Payer;Payee"];
        found(&[&header, rows].concat()).own_name
    };
    for (rows, own) in [
        (&["2024-01-13;-1;Me;Shop", "2024-01-14;5;Employer;ME"][..], Some("Me")),
        (&["2024-01-13;-1;Me;Shop", "2024-01-14;-5;Me;Tram", "2024-01-15;-5;Me;"], Some("Me")),
        // Both could be the holder.
        (&["2024-01-13;-1;Me;Shop", "2024-01-14;-5;Me;Shop"], None),
        (&["2024-01-13;-1;Me;Shop"], None),
        // Nobody is in every row.
        (&["2024-01-13;-1;Me;Shop", "2024-01-14;-5;Employer;"], None),
        // One name at a time leaves the other party open.
        (&["2024-01-13;-1;;Shop", "2024-01-14;-5;;Shop"], None),
    ] {
        assert_eq!(file(rows).as_deref(), own, "{rows:?}");
    }
    assert_eq!(
        found(&["Date;Amount;Payee", "2024-01-13;-1;Me", "2024-01-14;-1;Me"]).own_name,
        None
    );
}

/// The amounts alone have no thousands, so that only the balances show how these are written.
#[test]
fn stated_balances_show_how_numbers_are_written() {
    for (opening, day) in [("3\u{a0}426,04 €", "2024-01-12"), ("3\u{a0}426,04 €", "")] {
        let opening = format!("{day};{opening};Opening balance");
        let lines = ["Date;Amount;Name", &opening, "2024-01-13;-61,45 €;A", "2024-01-14;5,00 €;B"];
        let found = layout(&lines, &Settings::default());
        assert_eq!((found.problems, found.number_format), (vec![], Some(NumberFormat::SpaceComma)));
    }
}

/// Each of them is a question of its own, and the answer to the next keeps that to the first.
#[test]
fn every_column_of_a_status_with_unknown_words_is_asked_about() {
    let lines = [
        "Date;Text;Amount;Status;Booking status",
        "2024-05-15;a;-1.00;Foo;Qux",
        "2024-05-16;b;-2.00;Bar;Zap",
        "2024-05-17;c;-3.00;Foo;Zap",
        "2024-05-18;d;-4.00;Booked;Booked",
    ];
    let answered = |answer: usize| {
        let (mut filter, mut asked) = (None, Vec::new());
        loop {
            let settings =
                filter.iter().map(|it: &String| ("row_filter", it.as_str())).collect::<Vec<_>>();
            let layout = layout(&lines, &sent(&settings));
            let currencies = HashMap::new();
            let records: Vec<Vec<String>> =
                lines[1..].iter().map(|row| row.split(';').map(str::to_owned).collect()).collect();
            let questions = questions(&layout, context(None, &currencies), &records);
            let [question] = &questions[..] else { return (asked, filter) };
            asked.push(question.problem.to_string());
            filter = Some(question.answers[answer].settings[0].1.clone());
        }
    };
    let (asked, filter) = answered(0);
    let last = "Whether rows with \"Qux\", \"Zap\" in \"Booking status\" are booked is not certain; \
                list the words to take in the row filter, as in: Status is booked | foo | bar; \
                Booking status is Booked | Qux | Zap";
    assert_eq!((asked.len(), asked.last().map(String::as_str)), (2, Some(last)));
    assert_eq!(
        filter.as_deref(),
        Some("Status is booked | foo | bar; Booking status is Booked | Qux | Zap")
    );
    let (asked, filter) = answered(1);
    assert_eq!((asked.len(), filter.as_deref()), (1, Some("Status is not Foo | Bar")));
}
