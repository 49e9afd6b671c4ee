//! No record of a file without a header is lost, and none is taken for a header.

use std::collections::HashMap;
use std::io::Cursor;

use purser_core::import::kind::Context;
use purser_core::import::kinds::Kind;
use purser_core::import::row_edit::RowEdits;
use purser_core::import::settings::Settings;
use purser_core::money::Currency;

use super::{Analysis, analyse};
use crate::decode::{Encoding, UTF_8};

const ENCODING: Encoding = Encoding { name: UTF_8, bom_len: 0, certain: true };

fn analysed(text: &str) -> Analysis {
    let account_currencies = HashMap::new();
    let context = Context {
        as_of: "2024-06-15".parse().unwrap(),
        family_currency: Currency::USD,
        account: None,
        account_currencies: &account_currencies,
        row_set: None,
    };
    let open = || Ok(Cursor::new(text.as_bytes()));
    let edits = RowEdits::new();
    analyse(open, Kind::Transaction, &ENCODING, &Settings::default(), context, &edits).unwrap()
}

/// The day of a number in some notation: from the 13th on, so that no month can be meant.
fn day(notation: usize, number: usize) -> String {
    let day = 13 + number;
    match notation {
        0 => format!("2024-01-{day}"),
        1 => format!("{day}.01.2024"),
        2 => format!("{day} Jan 2024"),
        3 => format!("01/{day}/24"),
        _ => format!("202401{day}"),
    }
}

#[test]
fn every_record_is_a_row() {
    for (separator, amount) in [(";", "-5,25"), (",", "-5.25"), ("\t", "-5.25"), ("|", "-1,005.25")]
    {
        for notation in 0..5 {
            for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0]] {
                for preface in ["", "My Bank\n\n"] {
                    for count in 1..=5 {
                        let line = |number: usize| {
                            let shop = format!("Shop {}", ["A", "B", "C", "D", "E"][number]);
                            let cells = [day(notation, number), amount.to_owned(), shop];
                            order.map(|column: usize| cells[column].clone()).join(separator)
                        };
                        let lines: Vec<String> = (0..count).map(line).collect();
                        let text = format!("{preface}{}\n", lines.join("\n"));
                        let analysis = analysed(&text);
                        assert_eq!(analysis.layout.problems, [], "{text}");
                        assert_eq!(
                            (analysis.valid, analysis.invalid, analysis.skipped),
                            (count as u64, 0, 0),
                            "{text}"
                        );
                        assert!(analysis.layout.shape.is_some(), "{text}");
                    }
                }
            }
        }
    }
}

#[test]
fn columns_without_amounts_do_not_become_one() {
    let text = "2024-01-13;Shop;A\n2024-01-14;Kiosk;B\n";
    assert!(!analysed(text).layout.is_readable());
    assert_eq!(analysed(text).layout.amount, None);
}
