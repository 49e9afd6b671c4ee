use std::collections::HashMap;

use super::{Row, TradeKind};
use crate::import::cells::CellsBuf;
use crate::import::kind::{Context, Interpreted, RecordKind, TargetAccount};
use crate::import::kinds::Kind;
use crate::import::layout::{Layout, Preface};
use crate::import::layout_problem::LayoutProblem;
use crate::import::settings::{Separator, Settings};
use crate::ledger::account::Classification;
use crate::money::Currency;

/// A file with `|` between cells.
pub(super) struct File {
    pub(super) layout: Layout,
    lines: Vec<CellsBuf>,
    /// The currency of the account.
    currency: Currency,
}

const NOTHING_SENT: &[(&str, &str)] = &[];

fn with_context<T>(currency: Currency, run: impl FnOnce(Context<'_>) -> T) -> T {
    run(Context {
        as_of: jiff::civil::date(2024, 6, 1),
        family_currency: Currency::EUR,
        account: Some(TargetAccount { currency, classification: Classification::Asset }),
        account_currencies: &HashMap::new(),
        row_set: None,
    })
}

pub(super) fn file(text: &str) -> File {
    file_with(text, NOTHING_SENT)
}

fn file_with(text: &str, sent: &[(&str, &str)]) -> File {
    file_in(Currency::EUR, text, sent)
}

fn file_in(currency: Currency, text: &str, sent: &[(&str, &str)]) -> File {
    let find = |name: &str| {
        let sent = sent.iter().find(|(known, _)| *known == name);
        sent.map(|(_, value)| (*value).to_owned())
    };
    let settings = Settings::from_fields(find).unwrap();
    let (header, rows) = text.split_once('\n').unwrap_or((text, ""));
    let lines: Vec<CellsBuf> = rows.lines().map(|line| line.split('|').collect()).collect();
    let preface = Preface::below(header, Separator::Pipe);
    let mut layout = TradeKind::layout(preface, &settings).unwrap();
    with_context(currency, |context| {
        let mut detector = TradeKind::detector(&layout, &settings, context).unwrap();
        lines.iter().for_each(|cells| detector.observe(cells.as_cells()));
        detector.finish(&mut layout);
    });
    File { layout, lines, currency }
}

impl File {
    /// Each row as its fields, or its reasons.
    pub(super) fn rows(&self) -> Vec<Result<String, String>> {
        assert!(self.layout.is_readable(), "{:?}", self.layout.problems);
        with_context(self.currency, |context| {
            let interpreter = TradeKind::interpreter(&self.layout, context).unwrap();
            let row = |cells: &CellsBuf| match interpreter.interpret(cells.as_cells()) {
                Interpreted::Row(row) => Some(Ok(fields(&row))),
                Interpreted::Invalid(reasons) => Some(Err(reasons.join("; "))),
                Interpreted::NotARow => None,
            };
            self.lines.iter().filter_map(row).collect()
        })
    }

    fn row(&self) -> Result<String, String> {
        self.rows().into_iter().next().unwrap()
    }
}

/// What the ledger gets, in the words of its fields.
fn fields(row: &Row<'_>) -> String {
    let mut texts = Vec::new();
    TradeKind::fields(row, &mut |field, text| {
        if ["type", "ticker", "qty", "price", "fee", "amount", "currency"].contains(&field) {
            texts.push(text.to_owned());
        }
    });
    texts.join(" ")
}

#[track_caller]
fn reads(text: &str, expected: &[&str]) {
    let rows: Vec<String> = file(text).rows().into_iter().map(Result::unwrap).collect();
    assert_eq!(rows, expected, "{text}");
}

#[track_caller]
fn refuses(text: &str, reason: &str) {
    let refused = file(text).rows().into_iter().filter_map(Result::err).collect::<Vec<_>>();
    assert_eq!(refused, [reason], "{text}");
}

#[test]
fn files_of_brokers_are_read_as_they_are() {
    // The documented columns of the interface.
    reads(
        "date*|ticker*|exchange_operating_mic|currency|qty*|price*|account|name\n\
         2024-05-15|AAPL|XNAS|USD|10|150.25||Apple\n2024-05-16|AAPL|XNAS|USD|-4|160.00||Apple",
        &["buy AAPL 10.0 150.25 1502.50 USD", "sell AAPL -4.0 160 -640.00 USD"],
    );
    let text = "Date|Action|Symbol|Description|Quantity|Price|Fees & Comm|Amount\n\
         05/15/2024|Buy|VTI|VANGUARD TOTAL|10|$150.25|$1.00|-$1503.50\n\
         05/16/2024|Sell|VTI|VANGUARD TOTAL|4|$160.00|$1.00|$639.00\n\
         05/17/2024|Qualified Dividend|VTI|VANGUARD TOTAL||||$12.34\n\
         05/18/2024|Reinvest Shares|VTI|VANGUARD TOTAL|0.0771|$160.00||-$12.34\n\
         05/20/2024|Deposit||Tfr BANK||||$500.00";
    let rows = file_in(Currency::USD, text, NOTHING_SENT).rows().into_iter();
    let rows: Vec<String> = rows.map(Result::unwrap).collect();
    let expected = [
        "buy VTI 10.0 150.25 1.00 1503.50 USD",
        "sell VTI -4.0 160 1.00 -639.00 USD",
        "dividend VTI -12.34 USD",
        "buy VTI 0.0771 160.051880674448767834 12.34 USD",
        "-500.00 USD",
    ];
    assert_eq!(rows, expected);
    // Dollars are no euros.
    assert!(file(text).row().unwrap_err().contains("is in $, the row in EUR"));
}

#[test]
fn a_quantity_with_a_sign_needs_no_type() {
    reads(
        "Datum|ISIN|Anzahl|Kurs|Gebühr|Währung\n\
         15.05.2024|US0378331005|10|150,25|1,00|EUR\n16.05.2024|US0378331005|-4|160,00|1,00|EUR",
        &["buy 10.0 150.25 1.00 1503.50 EUR", "sell -4.0 160 1.00 -639.00 EUR"],
    );
}

#[test]
fn one_rule_holds_for_quantity_money_and_type() {
    let header = "date|side|symbol|quantity|price|total\n";
    // Purchases are negative in this file, in every cell.
    reads(
        &format!("{header}2024-05-15|buy|A|-10|2.00|20.00\n2024-05-16|sell|A|4|2.00|8.00"),
        &["buy A 10.0 2 20.00 EUR", "sell A -4.0 2 -8.00 EUR"],
    );
    let sent = [("signage_convention", "inflows_negative")];
    let file =
        file_with("date|symbol|qty|price\n2024-05-15|A|-10|2.00\n2024-05-16|A|4|2.00", &sent);
    let rows: Vec<String> = file.rows().into_iter().map(Result::unwrap).collect();
    assert_eq!(rows, ["buy A 10.0 2 20.00 EUR", "sell A -4.0 2 -8.00 EUR"]);
    refuses(
        &format!(
            "{header}2024-05-15|buy|A|10|2.00|\n2024-05-16|sell|A|-4|2.00|\n\
                  2024-05-17|sell|A|4|2.00|"
        ),
        "By the type shares leave, by the sign of the quantity they come in",
    );
    refuses(
        &format!(
            "{header}2024-05-15|buy|A|10|2.00|-20.00\n2024-05-16|sell|A|4|2.00|8.00\n\
                  2024-05-17|sell|A|4|2.00|-8.00"
        ),
        "By the type money comes in, by the sign of the total it goes out",
    );
}

#[test]
fn what_signs_do_not_show_is_a_question() {
    let text = "date|symbol|quantity|price\n2024-05-15|A|10|2.00\n2024-05-16|A|4|2.00";
    let problem = LayoutProblem::UnknownTradeDirection { header: "quantity".to_owned() };
    assert_eq!(file(text).layout.problems, [problem]);
    // Who names the column means what the interface documents.
    let named = file_with(text, &[("qty_col_label", "quantity")]);
    assert_eq!(named.row().unwrap(), "buy A 10.0 2 20.00 EUR");
    // Money shows it, too.
    reads(
        "date|symbol|quantity|price|amount\n2024-05-15|A|10|2.00|-20.00\n2024-05-16|A|4|2.00|8.00",
        &["buy A 10.0 2 20.00 EUR", "sell A -4.0 2 -8.00 EUR"],
    );
}

#[test]
fn a_total_must_follow_from_quantity_price_and_fee() {
    let header = "date|type|symbol|quantity|price|fee|total\n";
    // Rounding of the shown digits: the price that comes to the total is booked.
    reads(
        &format!("{header}2024-05-15|buy|A|3|33.33|0|100.00"),
        &["buy A 3.0 33.333333333333333333 100.00 EUR"],
    );
    refuses(
        &format!("{header}2024-05-15|buy|A|10|150.25|1.00|1502.60"),
        "The total 1502.60 does not follow from 10 × 150.25 + 1.00",
    );
    refuses(
        &format!("{header}2024-05-15|buy|A|10|150.25|1.00|1502.50"),
        "Nothing shows whether the total 1502.50 contains the fees and taxes of 1.00: state it \
         (total_meaning)",
    );
    refuses(
        &format!("{header}2024-05-15|sell|A|10|150.25||1520.50"),
        "The total 1520.50 does not follow from 10 × 150.25",
    );
    // Totals before fees, if that is what all of them are.
    let gross = format!(
        "{header}2024-05-15|buy|A|10|150.25|1.00|1502.50\n2024-05-16|sell|A|4|160.00|1.00|640.00"
    );
    reads(&gross, &["buy A 10.0 150.25 1.00 1503.50 EUR", "sell A -4.0 160 1.00 -639.00 EUR"]);
    assert!(file(&gross).layout.source()["sign_rule"].as_str().unwrap().contains("on top"));
    // A price by the total.
    reads(
        "date|type|symbol|quantity|total\n2024-05-15|buy|A|8|100.00",
        &["buy A 8.0 12.5 100.00 EUR"],
    );
}

#[test]
fn a_fee_that_rounding_hides_is_not_assumed_to_be_in_the_total() {
    let header = "date|type|symbol|quantity|price|fee|total\n2024-05-15|";
    let unknown = |total: &str, fee: &str| {
        format!(
            "Nothing shows whether the total {total} contains the fees and taxes of {fee}: state \
             it (total_meaning)"
        )
    };
    let text = format!("{header}buy|A|10000|0.05|4.90|500.00");
    refuses(&text, &unknown("500.00", "4.90"));
    refuses(&format!("{header}sell|A|10000|0.05|4.90|498.00"), &unknown("498.00", "4.90"));
    refuses(
        &format!("{header}buy|AAPL240119C00150000|200|0.1|4.90|2000.00"),
        &unknown("2000.00", "4.90"),
    );
    let row = |meaning| file_with(&text, &[("total_meaning", meaning)]).row().unwrap();
    assert_eq!(row("gross"), "buy A 10000.0 0.05 4.90 504.90 EUR");
    assert_eq!(row("net"), "buy A 10000.0 0.04951 4.90 500.00 EUR");
    // It comes to the total exactly with the fee.
    reads(
        &format!("{header}buy|A|10000|0.05|4.90|504.90"),
        &["buy A 10000.0 0.05 4.90 504.90 EUR"],
    );
}

#[test]
fn rows_that_contradict_each_other_do_not_show_what_totals_contain() {
    let gross = "2024-05-15|buy|A|10|150.25|1.00|1502.50";
    let text = format!(
        "date|type|symbol|quantity|price|fee|total\n{gross}\n{gross}\n\
         2024-05-16|buy|A|10|150.25|1.00|1503.50\n2024-05-17|Dividend|A|||3.00|13.20"
    );
    let rows = file(&text).rows();
    assert_eq!(rows[2], Ok("buy A 10.0 150.25 1.00 1503.50 EUR".to_owned()));
    for row in [0, 1, 3] {
        let reason = rows[row].as_ref().unwrap_err();
        assert!(reason.starts_with("Nothing shows whether the total"), "{reason}");
    }
}

#[test]
fn tables_of_exports_have_totals_as_they_moved() {
    let earlier = "date|type|ticker|exchange_operating_mic|isin|security|quantity|price|fee|amount|\
         currency|split ratio|account|notes";
    reads(
        &format!("{earlier}\n2024-05-17|dividend|A|||A|||3.00|13.20|EUR||Depot|"),
        &["dividend A 3.00 -13.20 EUR"],
    );
}

#[test]
fn only_shares_that_come_in_have_a_cost() {
    let header = "date|type|symbol|quantity|price|cost basis\n";
    reads(
        &format!("{header}2024-05-15|buy|A|1|2.00|n. v.\n2024-05-16|sell|A|1|2.00|$5"),
        &["buy A 1.0 2 2.00 EUR", "sell A -1.0 2 -2.00 EUR"],
    );
    let refused = file(&format!("{header}2024-05-15|transfer in|A|1|2.00|$5")).row();
    assert!(refused.unwrap_err().contains("is in $, the row in EUR"));
}

#[test]
fn every_type_is_booked_its_own_way() {
    let header = "date|type|symbol|quantity|price|amount|ratio\n";
    reads(
        &format!(
            "{header}2024-05-15|Dividende|A|||5.00|\n2024-05-15|Zinsen|A|||5.00|\n\
             2024-05-15|Gebühr|A|||5.00|\n2024-05-15|Split|A||||4:1\n\
             2024-05-15|Einlieferung|A|3|2.00||\n2024-05-15|Auslieferung|A|3|||\n\
             2024-05-15|Wiederanlage|A|2|2.50|5.00|\n2024-05-15|Einzahlung||||9.00|\n\
             2024-05-15|Entnahme||||9.00|\n2024-05-15|Zinsen||||1.50|"
        ),
        &[
            "dividend A -5.00 EUR",
            "interest A -5.00 EUR",
            "fee A 5.00 EUR",
            "split A 0.00 EUR",
            "transfer_in A 3.0 2 0.00 EUR",
            "transfer_out A -3.0 0.00 EUR",
            "reinvestment A 2.0 2.5 0.00 EUR",
            "-9.00 EUR",
            "9.00 EUR",
            "-1.50 EUR",
        ],
    );
    for (row, reason) in [
        ("2024-05-15|Merger|A|1|2.00||", "type \"Merger\" is no known type of trades"),
        (
            "2024-05-15|Split|A|10|||",
            "A split needs its ratio, such as 4:1, in a column of its own",
        ),
        ("2024-05-15|Kauf||10|2.00||", "The row names no security"),
        ("2024-05-15|Kauf|A||2.00||", "The number of shares is blank"),
        ("2024-05-15|Kauf|A|10|||", "Neither a price nor a total states what the shares cost"),
        ("2024-05-15|Dividende|A||||", "The amount is blank"),
        ("2024-05-15|Kauf|A B|10|2.00||", "symbol \"A B\" is no ticker"),
    ] {
        refuses(&format!("{header}{row}"), reason);
    }
}

#[test]
fn rates_have_a_direction() {
    // The total is in euros, so the rate between price and total is proven by it.
    reads(
        "Time|Action|Ticker|No. of shares|Price / share|Currency (Price / share)|Exchange rate|\
         Total|Currency (Total)\n\
         2024-05-15 10:00:00|Market buy|AAPL|10|150.25|USD|1.0870|1382.24|EUR",
        &["buy AAPL 10.0 138.224 1382.24 EUR"],
    );
    let text =
        "date|symbol|type|quantity|price|currency|fx rate\n2024-05-15|A|buy|10|2.00|USD|0.92";
    let refused = file(text).row().unwrap_err();
    assert!(refused.contains("nothing states whether"), "{refused}");
    for setting in ["exchange_rate_col_label", "inverse_rate_col_label"] {
        assert!(file_with(text, &[(setting, "fx rate")]).row().is_ok(), "{setting}");
    }
}

#[test]
fn required_columns_are_asked_for() {
    let problems = file("date|name\n2024-05-15|x").layout.problems;
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(matches!(problems[0], LayoutProblem::NoColumn { .. }));
    assert_eq!(Kind::Trade.spec().import_type.as_str(), "TradeImport");
}

#[test]
fn income_that_is_taken_back_is_not_income_where_totals_are_costs() {
    let rows = file(
        "date|type|symbol|quantity|price|amount\n\
         2024-01-02|buy|A|10|2.00|20.00\n\
         2024-01-03|sell|A|4|2.00|-8.00\n\
         2024-01-04|interest||||1.00\n\
         2024-01-05|dividend|A|||5.00\n\
         2024-01-06|dividend|A|||6.00\n\
         2024-01-07|dividend|A|||-5.00",
    )
    .rows();
    assert!(rows[..5].iter().all(Result::is_ok), "{rows:?}");
    let interest = rows[2].as_ref().unwrap();
    assert!(interest.contains("-1.00"), "money in: {interest}");
    assert!(rows[5].as_ref().unwrap_err().contains("goes out"), "{rows:?}");
}

#[test]
fn interest_alone_does_not_show_whether_it_was_paid_or_received() {
    let costs = "date|type|symbol|quantity|price|amount\n\
                 2024-01-02|buy|A|10|2.00|20.00\n\
                 2024-01-03|sell|A|4|2.00|-8.00\n";
    let rows = |more: &str| file(&format!("{costs}{more}")).rows();
    let only_interest = rows("2024-01-31|interest||||3.00\n2024-02-29|interest||||3.00");
    for row in &only_interest[2..] {
        assert!(row.as_ref().unwrap_err().contains("no dividends show"), "{row:?}");
    }
    let mut text = "2024-01-31|interest||||3.00\n".repeat(3);
    text.push_str("2024-01-31|dividend|A|||-5.00");
    let mixed = rows(&text);
    assert!(mixed.iter().all(Result::is_ok), "{mixed:?}");
    assert!(!mixed[2].as_ref().unwrap().contains("-3.00"), "money out: {mixed:?}");
}
