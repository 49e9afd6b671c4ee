use serde_json::json;

use super::*;
use crate::import::layout_problem::texts;
use crate::import::settings::{AmountStrategy, Labels, Settings};

fn preface(header: &str) -> Preface {
    Preface {
        encoding: "windows-1252".to_owned(),
        encoding_certain: false,
        separator: Separator::Semicolon,
        headers: header.split(';').map(str::to_owned).collect(),
        header_line: 4,
        start: Position { offset: 120, line: 5, row: 1 },
        shape: None,
    }
}

#[test]
fn the_configuration_shows_the_headers_in_effect() {
    let settings = Settings {
        labels: Labels { date: Some("VALUTADATUM".to_owned()), ..Labels::default() },
        number_format: Some(NumberFormat::DotComma),
        ..Settings::default()
    };
    let header = "Buchungstag;Valutadatum;Empfänger;Verwendungszweck;Betrag;Währung;Betrag;Konto";
    let layout = Kind::Transaction.layout(preface(header), &settings).unwrap();
    let json = serde_json::to_value(layout.configuration()).unwrap();
    assert_eq!(
        json,
        json!({
            "date_col_label": "Valutadatum",
            "amount_col_label": "Betrag",
            "name_col_label": "Empfänger",
            "category_col_label": null,
            "tags_col_label": null,
            "notes_col_label": "Verwendungszweck",
            "account_col_label": "Konto",
            "date_format": null,
            "number_format": "1.234,56",
            "signage_convention": "inflows_positive",
        })
    );
    let source = layout.source();
    assert_eq!(source["encoding"], "windows-1252");
    assert_eq!(source["encoding_certain"], false);
    assert_eq!(source["header_line"], 4);
    assert_eq!(source["col_sep"], ";");
    assert_eq!(source["duplicate_headers"], json!(["Betrag"]));
    assert_eq!(source["currency_col_label"], "Währung");
    assert_eq!(source["further_name_col_labels"], json!(["Verwendungszweck"]));
    assert_eq!(source["amount"]["amount_col_label"], "Betrag");
    let found: Vec<String> = serde_json::from_value(source["found"].clone()).unwrap();
    assert!(!found.contains(&"date_col_label".to_owned()));
    assert!(found.contains(&"amount_col_label".to_owned()));
}

#[test]
fn a_layout_survives_its_storage() {
    let settings = Settings {
        labels: Labels { entity_type: Some("Art".to_owned()), ..Labels::default() },
        amount_strategy: Some(AmountStrategy::CustomColumn),
        inflow_value: Some("Eingang".to_owned()),
        ..Settings::default()
    };
    let layout = Kind::Transaction.layout(preface("Datum;Betrag;Art"), &settings).unwrap();
    let json = serde_json::to_string(&layout).unwrap();
    assert_eq!(serde_json::from_str::<Layout>(&json).unwrap(), layout);
    assert_eq!(layout.source()["amount"]["amount_type_inflow_value"], "Eingang");
}

#[test]
fn separate_columns_have_no_amount_label() {
    let layout =
        Kind::Transaction.layout(preface("Datum;Soll;Haben"), &Settings::default()).unwrap();
    assert_eq!(layout.amount, Some(AmountSource::DebitCredit { debit: 1, credit: 2 }));
    assert_eq!(layout.configuration().amount_col_label, None);
    assert_eq!(layout.source()["amount"]["debit_col_label"], "Soll");
    assert_eq!(layout.source()["amount"]["credit_col_label"], "Haben");
}

#[test]
fn required_columns_that_are_missing_are_problems() {
    let layout = Kind::Transaction.layout(preface("Foo;Bar"), &Settings::default()).unwrap();
    assert_eq!(
        texts(&layout.problems),
        [
            "No column holds the date; headers found: \"Foo\", \"Bar\"",
            "No column holds the amount; headers found: \"Foo\", \"Bar\"",
        ]
    );
    assert!(!layout.is_readable());
}

#[test]
fn a_custom_column_is_in_effect_only_if_it_was_asked_for() {
    let mut settings = Settings {
        labels: Labels { entity_type: Some("Art".to_owned()), ..Labels::default() },
        inflow_value: Some("H".to_owned()),
        ..Settings::default()
    };
    let amount = |settings: &Settings| {
        Kind::Transaction.layout(preface("Datum;Betrag;Art"), settings).unwrap().amount
    };
    assert_eq!(amount(&settings), Some(AmountSource::Signed { column: 1 }));
    settings.amount_strategy = Some(AmountStrategy::CustomColumn);
    assert_eq!(
        amount(&settings),
        Some(AmountSource::Directed {
            amount: 1,
            direction: 2,
            inflow_value: Some("H".to_owned())
        })
    );
}

#[test]
fn without_a_file_the_configuration_is_what_was_sent() {
    let settings = Settings {
        labels: Labels { name: Some("Who".to_owned()), ..Labels::default() },
        signage: Some(Signage::InflowsNegative),
        ..Settings::default()
    };
    let configuration = settings.configuration();
    assert_eq!(configuration.name_col_label.as_deref(), Some("Who"));
    assert_eq!(configuration.signage_convention, Some(Signage::InflowsNegative));
    assert_eq!(configuration.date_format, None);
}

#[test]
fn little_is_kept_of_a_large_header() {
    let header = format!("Date;Amount;{}", format!("{};", "ü".repeat(1000)).repeat(600));
    let layout = Kind::Transaction.layout(preface(&header), &Settings::default()).unwrap();
    assert_eq!(layout.headers.len(), CSV_COLUMNS_MAX);
    assert!(layout.headers.iter().all(|header| header.chars().count() <= HEADER_CHARS_MAX));
    assert_eq!(layout.headers[2], "ü".repeat(HEADER_CHARS_MAX));
    let json = serde_json::to_string(&layout).unwrap();
    assert!(json.len() < 500_000, "{}", json.len());
}
