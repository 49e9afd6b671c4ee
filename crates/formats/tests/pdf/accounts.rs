//! Statements of several accounts in one document.

use purser_core::import::settings::Settings;
use purser_formats::pdf::{PdfError, PdfProof, write_table};

use crate::judging::judge;
use crate::ledger::{Layout, Ledger, pages_under};
use crate::random::Random;
use crate::with_a_digit_changed;
use crate::writing::{Page, Style, document};

/// Headings of accounts, with the number that they name.
const HEADINGS: [(&str, &str); 3] = [
    ("Girokonto IBAN DE89 3704 0044 0532 0130 00", "DE89370400440532013000"),
    ("Savings account number: 98-761234", "98-761234"),
    ("Account no. **** 4711", "…4711"),
];

/// Account, day, hundredths and balance of each row.
type Rows = Vec<(String, String, i64, i64)>;

fn cents(text: &str) -> i64 {
    text.replace('.', "").parse().unwrap_or(0)
}

fn read(document: &[u8]) -> Result<(PdfProof, Vec<String>, Rows), PdfError> {
    let mut table = Vec::new();
    let facts = write_table(document, "", &mut table, std::io::sink())?;
    let mut reader = csv::Reader::from_reader(&table[..]);
    let header = reader.headers().unwrap().clone();
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.unwrap();
        let cell = |name: &str| {
            let at = header.iter().position(|cell| cell == name);
            at.map(|at| record[at].to_owned()).unwrap_or_default()
        };
        let amount = cents(&cell("Amount")) + cents(&cell("Money in")) - cents(&cell("Money out"));
        let account = cell("Account (of several)");
        rows.push((account, cell("Date"), amount, cents(&cell("Balance"))));
    }
    let accounts = facts.statements.into_iter().map(|one| one.account).collect();
    Ok((facts.proof, accounts, rows))
}

/// A document with a statement for each heading, one below the other or each on pages of its own.
fn combined(ledgers: &[(&str, Ledger)], layout: Layout, is_apart: bool) -> Vec<u8> {
    let (mut pages, mut y): (Vec<Page>, i64) = (Vec::new(), 0);
    for (heading, ledger) in ledgers {
        let begun = if is_apart { None } else { pages.pop().map(|page| (page, y)) };
        let (more, end) = pages_under(ledger, layout, Style::PLAIN, heading, begun);
        pages.extend(more);
        y = end;
    }
    document(&pages, Style::PLAIN)
}

fn ledgers(random: &mut Random, count: usize, rows: usize) -> Vec<(&'static str, Ledger)> {
    let ledger = |(heading, _): &(&'static str, &str)| (*heading, Ledger::new(random, rows));
    HEADINGS[..count].iter().map(ledger).collect()
}

fn expected(ledgers: &[(&str, Ledger)]) -> Rows {
    let mut rows = Vec::new();
    for (heading, ledger) in ledgers {
        let (_, account) = HEADINGS.iter().find(|(one, _)| one == heading).unwrap();
        let mut balance = ledger.opening;
        for one in &ledger.bookings {
            balance += one.cents;
            let day = format!("2026-01-{:02}", one.day);
            rows.push(((*account).to_owned(), day, one.cents, balance));
        }
    }
    rows
}

#[test]
fn statements_of_several_accounts_are_read_and_each_is_proven() {
    for seed in 0..12 {
        for layout in [Layout::German, Layout::American, Layout::British, Layout::Sections] {
            for is_apart in [true, false] {
                let mut random = Random::new(9_000 + seed);
                let count = 2 + usize::try_from(seed % 2).unwrap();
                let most = if is_apart { 60 } else { 8 };
                let rows = 2 + random.below(most);
                let ledgers = ledgers(&mut random, count, rows);
                let place = format!("seed {seed} {layout:?} {is_apart}");
                let file = combined(&ledgers, layout, is_apart);
                let (proof, accounts, mut found) = read(&file).expect(&place);
                let mut wanted = expected(&ledgers);
                if layout == Layout::Sections {
                    // Of one day the money that came in stands first.
                    let without = |rows: &mut Rows| rows.iter_mut().for_each(|row| row.3 = 0);
                    without(&mut wanted);
                    without(&mut found);
                    wanted.sort();
                    found.sort();
                }
                assert_eq!(found, wanted, "{place}");
                assert_eq!(proof, PdfProof::Proven, "{place}");
                let named: Vec<&str> =
                    HEADINGS[..count].iter().map(|(_, number)| *number).collect();
                assert_eq!(accounts, named, "{place}");
            }
        }
    }
}

#[test]
fn an_account_that_opens_with_what_the_one_before_closes_with_is_one_of_its_own() {
    for layout in [Layout::German, Layout::American, Layout::British] {
        for is_apart in [true, false] {
            let mut both = ledgers(&mut Random::new(41), 2, 4);
            let first = &both[0].1;
            let closing = first.bookings.iter().fold(first.opening, |sum, one| sum + one.cents);
            both[1].1.opening = closing;
            let (proof, _, rows) = read(&combined(&both, layout, is_apart)).unwrap();
            assert_eq!(rows, expected(&both), "{layout:?} {is_apart}");
            assert_eq!(proof, PdfProof::Proven);
        }
    }
}

#[test]
fn every_changed_digit_of_several_accounts_is_refused_or_asked_about() {
    let (mut refused, mut asked) = (0, 0);
    let judged = |file: &[u8]| judge(file, None, &Settings::default());
    for seed in 0..2 {
        for layout in [Layout::German, Layout::American, Layout::British, Layout::Sections] {
            let ledgers = ledgers(&mut Random::new(70 + seed), 2, 4);
            let file = combined(&ledgers, layout, seed % 2 == 0);
            let original = judged(&file).unwrap();
            assert_eq!(original.asked, Vec::<String>::new(), "seed {seed} {layout:?}");
            for (at, changed) in with_a_digit_changed(&file) {
                let Ok(judged) = judged(&changed) else {
                    refused += 1;
                    continue;
                };
                // Where rows have no balances, another day changes those that follow from them.
                let has_balances = layout != Layout::Sections;
                if judged.amounts(has_balances) == original.amounts(has_balances) {
                    // A digit of an account's number, of a day or of a text.
                    continue;
                }
                asked += 1;
                let place = format!("seed {seed} {layout:?} byte {at}");
                assert!(!judged.asked.is_empty(), "{place}\n{}\n{}", judged.table, original.table);
            }
        }
    }
    assert!(refused > 500 && asked > 0, "{refused} were refused, {asked} asked about");
}

#[test]
fn what_is_not_proven_for_each_account_is_refused() {
    let mut random = Random::new(3);
    let both = ledgers(&mut random, 2, 6);
    let unnamed: Vec<(&str, Ledger)> =
        both.iter().map(|(_, ledger)| ("Your account", ledger.clone())).collect();
    let twice: Vec<(&str, Ledger)> =
        both.iter().map(|(_, ledger)| (HEADINGS[0].0, ledger.clone())).collect();
    for (what, ledgers) in [("no number", unnamed), ("one number", twice)] {
        let found = read(&combined(&ledgers, Layout::Sections, true));
        assert_eq!(found.unwrap_err(), PdfError::SeveralAccounts, "{what}");
    }
}
