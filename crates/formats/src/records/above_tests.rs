//! What lines above the header and lines that look like totals make of a file.

use std::collections::{BTreeMap, HashMap};
use std::io::Cursor;

use purser_core::import::kind::{Context, TargetAccount};
use purser_core::import::kinds::Kind;
use purser_core::import::layout_problem::texts;
use purser_core::import::row_edit::{RowChoice, RowEdit, RowEdits};
use purser_core::import::settings::Settings;
use purser_core::ledger::account::Classification;
use purser_core::money::Currency;

use super::*;
use crate::decode::{Encoding, UTF_8};

const ENCODING: Encoding = Encoding { name: UTF_8, bom_len: 0, certain: true };

fn analysed(text: &str, has_account: bool, edits: &RowEdits) -> Analysis {
    let account_currencies = HashMap::new();
    let account = TargetAccount { currency: Currency::EUR, classification: Classification::Asset };
    let context = Context {
        as_of: "2026-06-15".parse().unwrap(),
        family_currency: Currency::EUR,
        account: has_account.then_some(account),
        account_currencies: &account_currencies,
        row_set: None,
    };
    let open = || Ok(Cursor::new(text.as_bytes()));
    analyse(open, Kind::Transaction, &ENCODING, &Settings::default(), context, edits).unwrap()
}

const ROWS: &str = "Date;Text;Amount\n2026-01-02;Grocer;-50.00\n2026-01-25;Salary;2000.00\n";

#[test]
fn a_currency_above_the_header_counts() {
    for above in [
        "Währung:;CHF\n",
        "Account currency;CHF\n",
        "Bank of Nowhere\nCurrency: CHF\n\n",
        "Account;CH93 0076 2011 6238 5295 7;CHF\n",
        "Balance;1,234.56 CHF\n",
    ] {
        let text = format!("{above}{ROWS}");
        let of_new = analysed(&text, false, &RowEdits::new());
        let codes: Vec<&str> = of_new.currencies.iter().map(|one| one.code()).collect();
        assert_eq!((codes, of_new.valid), (vec!["CHF"], 2), "{above}");
        let of_known = analysed(&text, true, &RowEdits::new());
        let problems = texts(&of_known.layout.problems);
        assert!(problems[0].starts_with("The lines above the header name CHF"), "{problems:?}");
    }
    for above in ["Type;ALL\n", "Rate;1 CHF = 1.05 EUR\n", "Currencies;CHF;USD\n", "CURRENCY\n", ""]
    {
        let of_known = analysed(&format!("{above}{ROWS}"), true, &RowEdits::new());
        assert_eq!(texts(&of_known.layout.problems), [""; 0], "{above}");
    }
}

#[test]
fn a_row_that_may_be_a_total_is_taken_only_if_a_person_wants_it() {
    let text = format!("{ROWS}2026-01-31;Total Girokonto Plus;1950.00\n");
    let found = analysed(&text, true, &RowEdits::new());
    assert_eq!((found.valid, found.invalid), (2, 1));
    assert_eq!((found.findings[0].row, found.findings[0].line), (3, 4));
    assert_eq!(
        found.findings[0].reasons,
        ["The row may be a total: its amount is what the other rows come to"]
    );
    assert_eq!(found.layout.totals[0].rows, 2);
    for (choice, valid) in [(RowChoice::Create, 3), (RowChoice::LeaveOut, 2)] {
        let edits = BTreeMap::from([(3, RowEdit { cells: BTreeMap::new(), choice })]);
        let decided = analysed(&text, true, &edits);
        assert_eq!((decided.valid, decided.invalid), (valid, 0), "{choice:?}");
        assert_eq!(decided.layout.totals[0].rows, valid);
    }
}

#[test]
fn balances_with_more_words_are_never_money() {
    for (line, is_asked) in [
        ("2026-01-01;Opening balance as of January 1, 2026;1234.56", false),
        ("2026-01-01;Kontostand am 31. Dezember 2025;1234.56", false),
        ("2026-01-01;Ancien solde créditeur au 31.12.2025;1234.56", false),
        ("2026-01-01;Saldo contabile al 31/12/2025;1234.56", false),
        ("2026-01-01;SALDO DO DIA;1234.56", false),
        ("2026-01-01;Solde créditeur;1234.56", true),
        ("2026-01-01;Total for January;1234.56", true),
        ("2026-01-01;Closing balance of sub account Holidays;1234.56", true),
    ] {
        let found = analysed(&format!("{ROWS}{line}\n"), true, &RowEdits::new());
        let expected = (2, u64::from(is_asked), u64::from(!is_asked));
        assert_eq!((found.valid, found.invalid, found.left_out), expected, "{line}");
    }
    for payee in ["Total Energies", "Saldo Fitness GmbH", "Balance Coffee"] {
        let line = format!("2026-01-27;{payee};-61.20");
        let found = analysed(&format!("{ROWS}{line}\n"), true, &RowEdits::new());
        assert_eq!((found.valid, found.invalid, found.left_out), (3, 0, 0), "{payee}");
    }
}
