//! Statements as PDF documents, written from ledgers that are known, as banks lay them out.

#![expect(clippy::unwrap_used, reason = "a failed test should stop")]

mod accounts;
mod encrypted;
mod generators;
mod hostile;
mod judging;
mod ledger;
mod page_ends;
mod picture;
#[path = "../bank_files/random.rs"]
mod random;
mod scans;
#[path = "../../../../tests/support/pdf.rs"]
mod writing;

use std::collections::BTreeSet;

use purser_core::import::settings::{BalanceCheck, Formats, Settings};
use purser_core::ledger::account::Classification;
use purser_formats::pdf::{PdfError, PdfFacts, PdfProof, write_table};

use judging::judge;
use ledger::{Layout, Ledger, pages};
use random::Random;
use writing::{Letters, Style, document};

/// Days and hundredths of the rows, with money in as positive, and their texts.
type Rows = Vec<(String, i64, String)>;

fn read(document: &[u8]) -> Result<(PdfFacts, Rows), PdfError> {
    let mut table = Vec::new();
    let facts = write_table(document, "", &mut table, std::io::sink())?;
    let mut reader = csv::Reader::from_reader(&table[..]);
    let header = reader.headers().unwrap().clone();
    let at = |name: &str| header.iter().position(|cell| cell == name);
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.unwrap();
        let cell = |name: &str| at(name).map(|at| record[at].to_owned()).unwrap_or_default();
        if cell("Name").ends_with(" balance") {
            continue;
        }
        let cents = |name: &str| cell(name).replace('.', "").parse::<i64>().unwrap_or(0);
        let amount = cents("Amount") + cents("Money in") - cents("Money out");
        let text = [cell("Name"), cell("Notes")].join(" ").trim().to_owned();
        rows.push((cell("Date"), amount, text));
    }
    Ok((facts, rows))
}

/// What a document should be read as. Sections come one after the other.
fn expected(ledger: &Ledger, layout: Layout) -> Rows {
    let mut bookings: Vec<_> = ledger.bookings.iter().collect();
    if layout == Layout::Sections {
        bookings.sort_by_key(|one| one.cents < 0);
    }
    let row =
        |one: &&ledger::Booking| (format!("2026-01-{:02}", one.day), one.cents, one.text.join(" "));
    bookings.iter().map(row).collect()
}

fn styles() -> Vec<Style> {
    let all = [Letters::Plain, Letters::Named, Letters::Double];
    let mut styles = Vec::new();
    for letters in all {
        for (is_compressed, has_object_streams) in [(false, false), (true, false), (true, true)] {
            styles.push(Style { letters, is_compressed, has_object_streams });
        }
    }
    styles
}

#[test]
fn statements_are_read_as_their_ledgers_and_proven() {
    for seed in 0..54 {
        let mut random = Random::new(seed);
        let style = styles()[usize::try_from(seed).unwrap() % 9];
        for layout in Layout::ALL {
            let rows = 2 + random.below(90);
            let ledger = Ledger::new(&mut random, rows);
            let file = document(&pages(&ledger, layout, style), style);
            let (facts, found) = read(&file).unwrap();
            let place = format!("seed {seed} {layout:?} {style:?}");
            let money = |rows: &Rows| -> Vec<(String, i64)> {
                let mut money: Vec<_> =
                    rows.iter().map(|(day, cents, _)| (day.clone(), *cents)).collect();
                // Rows of one day may come in the other order.
                if layout == Layout::French {
                    money.sort();
                }
                money
            };
            let mut wanted = expected(&ledger, layout);
            let is_debt = ledger.opening <= 0 && ledger.closing() <= 0;
            if layout == Layout::Card && is_debt && ledger.bookings.iter().all(|one| one.cents < 0)
            {
                // Nothing shows that these are no payments: the import asks.
                wanted.iter_mut().for_each(|row| row.1 = -row.1);
            }
            assert_eq!(money(&found), money(&wanted), "{place}");
            assert_eq!(facts.proof, PdfProof::Proven, "{place}");
            if layout != Layout::French {
                assert_eq!(found, wanted, "{place}");
            }
        }
    }
}

/// The account that a layout is about.
fn classification_of(layout: Layout) -> Option<Classification> {
    let is_card = layout == Layout::Card;
    Some(if is_card { Classification::Liability } else { Classification::Asset })
}

/// What is known of an account after a document of which somebody has confirmed the balances.
fn after(file: &[u8], layout: Layout) -> Settings {
    let balance_check = Some(BalanceCheck::Compare);
    let confirmed = Settings { balance_check, ..Settings::default() };
    let stated_is_debt = judge(file, classification_of(layout), &confirmed).unwrap().stated_is_debt;
    let preferred = Formats { stated_is_debt, ..Formats::default() };
    Settings { preferred, ..Settings::default() }
}

#[test]
fn every_changed_digit_of_money_is_asked_about() {
    let mut changed_money = 0;
    for seed in 0..4 {
        for layout in Layout::ALL {
            let ledger = Ledger::new(&mut Random::new(1_000 + seed), 6);
            let file = document(&pages(&ledger, layout, Style::PLAIN), Style::PLAIN);
            let earlier = after(&file, layout);
            let judged = |file: &[u8]| judge(file, classification_of(layout), &earlier);
            let original = judged(&file).unwrap();
            assert_eq!(original.asked, Vec::<String>::new(), "{layout:?}");
            for (at, changed) in with_a_digit_changed(&file) {
                let Ok(judged) = judged(&changed) else { continue };
                if judged.money() == original.money() {
                    continue;
                }
                changed_money += 1;
                let place = format!("seed {seed} {layout:?} byte {at}");
                assert!(!judged.asked.is_empty(), "{place}\n{}\n{}", judged.table, original.table);
            }
        }
    }
    assert!(changed_money > 1_000, "{changed_money}");
}

#[test]
fn a_document_that_states_no_ends_is_asked_about() {
    for seed in 0..2 {
        let ledger = Ledger::new(&mut Random::new(2_000 + seed), 6);
        let file =
            |ledger: &Ledger| document(&pages(ledger, Layout::Chain, Style::PLAIN), Style::PLAIN);
        let judged = |file: &[u8], balance_check| {
            let settings = Settings { balance_check, ..Settings::default() };
            judge(file, Some(Classification::Asset), &settings).unwrap()
        };
        let original = judged(&file(&ledger), None);
        assert_eq!(original.facts.proof, PdfProof::Proven);
        let [asked] = &original.asked[..] else { panic!("{:?}", original.asked) };
        assert!(asked.contains("before the first row") && asked.contains("after the last row"));
        // The answer is about the ends alone.
        let take = Some(BalanceCheck::IgnoreEnds);
        assert_eq!(judged(&file(&ledger), take).asked, Vec::<String>::new());
        let mut unseen = BTreeSet::new();
        for (_, changed) in with_a_digit_changed(&file(&ledger)) {
            let judged = judged(&changed, take);
            if judged.asked.is_empty() && judged.money() != original.money() {
                let money = judged.money();
                let is_new = |row: &&String| !original.money().contains(row);
                unseen.extend(
                    money
                        .iter()
                        .filter(is_new)
                        .map(|row| row.split(' ').next_back().unwrap().to_owned()),
                );
            }
        }
        let after_first = ledger.opening + ledger.bookings[0].cents;
        let sign = if after_first < 0 { "-" } else { "" };
        let after_first = after_first.unsigned_abs();
        let after_first = format!("{sign}{}.{:02}", after_first / 100, after_first % 100);
        assert!(unseen.iter().all(|balance| *balance == after_first), "{unseen:?} {after_first}");
    }
}

/// The document as often as it has digits in texts, each time with another one changed.
fn with_a_digit_changed(file: &[u8]) -> impl Iterator<Item = (usize, Vec<u8>)> {
    digits_of_texts(file).into_iter().map(|at| {
        let mut changed = file.to_vec();
        changed[at] = b'0' + (changed[at] - b'0' + 1 + u8::try_from(at % 9).unwrap()) % 10;
        (at, changed)
    })
}

/// Where the digits of texts are that a page shows.
fn digits_of_texts(file: &[u8]) -> Vec<usize> {
    let (mut digits, mut is_text) = (Vec::new(), false);
    for (at, byte) in file.iter().enumerate() {
        match byte {
            b'(' => is_text = true,
            b')' => is_text = false,
            b'0'..=b'9' if is_text => digits.push(at),
            _ => {}
        }
    }
    digits
}

#[test]
fn a_statement_without_balances_is_not_proven() {
    let ledger = Ledger::new(&mut Random::new(7), 20);
    let mut page = writing::Page::default();
    page.left(40, 780, "Statement 01/01/2026 - 01/31/2026");
    page.left(40, 760, "Date");
    page.left(110, 760, "Description");
    page.right(560, 760, "Amount", Style::PLAIN);
    for (y, one) in (0..).map(|row| 748 - 12 * row).zip(&ledger.bookings) {
        page.left(40, y, &format!("01/{:02}/2026", one.day));
        page.left(110, y, &one.text[0]);
        let cents = one.cents.abs();
        let sign = if one.cents < 0 { "-" } else { "" };
        let amount = format!("{sign}{}.{:02}", cents / 100, cents % 100);
        page.right(560, y, &amount, Style::PLAIN);
    }
    let (facts, rows) = read(&document(&[page], Style::PLAIN)).unwrap();
    assert_eq!((facts.proof, facts.rows), (PdfProof::Nothing, 20));
    assert_eq!(rows.len(), 20);
}

#[test]
fn a_table_without_balances_is_read_and_proves_nothing() {
    let mut page = writing::Page::default();
    page.left(40, 780, "Kontoauszug vom 01.01.2026 bis 31.01.2026");
    page.left(40, 746, "Buchung");
    page.left(110, 746, "Text");
    page.right(440, 746, "Soll", Style::PLAIN);
    page.right(560, 746, "Haben", Style::PLAIN);
    for (y, day, text, x, amount) in [
        (732, "02.01.", "Bakery", 440, "12,50"),
        (718, "15.01.", "Salary", 560, "2.345,67"),
        (704, "31.01.", "Rent", 440, "800,00"),
    ] {
        page.left(40, y, day);
        page.left(110, y, text);
        page.right(x, y, amount, Style::PLAIN);
    }
    let (facts, rows) = read(&document(&[page], Style::PLAIN)).unwrap();
    assert_eq!(facts.proof, PdfProof::Nothing);
    assert_eq!(rows.iter().map(|row| row.1).collect::<Vec<_>>(), [-1250, 234_567, -80_000]);
}
