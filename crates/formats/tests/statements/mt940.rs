//! MT940, read back and broken.

use purser_core::import::source_file::FileFormat;
use purser_formats::statements::StatementFormat;
use purser_formats::statements::model::BalanceKind;
use purser_formats::statements::proof::{Missing, Proof};

use crate::ledger::{Allowed, LedgerStatement, ledger};
use crate::mt940_writing::{Habits, reported, written};
use crate::mutations::{BYTES_MAX, FILES, every_digit, every_digit_of_totals};
use crate::random::Random;
use crate::reading::{ReadStatement, assert_entries, read_file, read_text, text};

const ALLOWED: Allowed = Allowed { pending: true, reversals: true, batches: false, plain: true };

/// The pages of each statement as one.
fn without_pages(read: Vec<ReadStatement>) -> Vec<ReadStatement> {
    let mut statements: Vec<ReadStatement> = Vec::new();
    for page in read {
        assert!(page.check().is_proven(), "{:?}", page.check());
        let goes_on = page.statement.balances[0].is_between_pages;
        match statements.last_mut().filter(|_| goes_on) {
            Some(before) => {
                let last = before.statement.balances_of(&BalanceKind::Closing).last().unwrap();
                assert_eq!(last.amount, page.statement.balances[0].amount);
                before.entries.extend(page.entries);
                before.statement.balances = page.statement.balances;
            }
            None => statements.push(page),
        }
    }
    statements
}

#[test]
fn files_are_read_as_their_ledgers() {
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let ledger = ledger(&mut random, ALLOWED);
        let habits = Habits::new(&mut random);
        let file = written(&ledger, &habits);
        let read = without_pages(read_file(StatementFormat::Mt940, &file));
        assert_eq!(read.len(), ledger.statements.len(), "{}", String::from_utf8_lossy(&file));
        for (read, expected) in read.iter().zip(&ledger.statements) {
            assert_entries(read, expected, &file);
            assert_texts(read, expected);
            let statement = &read.statement;
            assert_eq!(statement.problems, []);
            assert_eq!(statement.number, Some(format!("{}/1", expected.number)));
            assert_eq!(statement.currency.as_deref(), Some(ledger.currency));
            assert_eq!(statement.from, Some(expected.from));
            let account = &statement.account;
            let by_number = account.number.as_deref() == Some(ledger.number.as_str())
                && account.bank.as_deref() == Some(ledger.bank.as_str());
            assert!(by_number || account.iban.as_deref() == Some(ledger.iban.as_str()));
        }
    }
}

fn assert_texts(read: &ReadStatement, expected: &LedgerStatement) {
    for (one, two) in read.entries.iter().zip(&expected.entries) {
        assert_eq!(one.texts.end_to_end_id, two.end_to_end_id);
        assert_eq!(one.texts.counterparty.account.iban, two.iban);
        let is_booked = two.status == purser_formats::statements::model::EntryStatus::Booked;
        assert_eq!(one.is_reversal, two.is_reversal && is_booked);
    }
}

#[test]
fn a_changed_digit_is_noticed() {
    let mut noticed = 0;
    let texts = (3_000..).map(|seed| {
        let mut random = Random::new(seed);
        let ledger = ledger(&mut random, Allowed { pending: false, ..ALLOWED });
        text(&written(&ledger, &Habits::new(&mut random))).1
    });
    for text in texts.filter(|text| text.len() < BYTES_MAX).take(FILES) {
        noticed += every_digit(StatementFormat::Mt940, &text, |read| read);
    }
    assert!(noticed > 300, "{noticed}");
}

#[test]
fn a_changed_digit_of_reports_of_a_day_is_noticed() {
    let mut noticed = 0;
    let files = (4_000..).map(|seed| {
        let mut random = Random::new(seed);
        let ledger = ledger(&mut random, ALLOWED);
        let habits = Habits::new(&mut random);
        (reported(&ledger, &habits, random.one_in(2)), ledger)
    });
    for (written, ledger) in
        files.filter(|(file, ledger)| file.len() < BYTES_MAX && ledger.has_booked()).take(FILES / 2)
    {
        let read = read_file(StatementFormat::Mt940, &written);
        assert_eq!(read.len(), ledger.statements.len());
        for (read, expected) in read.iter().zip(&ledger.statements) {
            assert_entries(read, expected, &written);
        }
        let text = text(&written).1;
        noticed += every_digit_of_totals(FileFormat::Mt942, StatementFormat::Mt940, &text);
    }
    assert!(noticed > 100, "{noticed}");
}

fn stated(fields: &str) -> ReadStatement {
    let text = format!(":20:1\n:25:123\n:28C:1\n{fields}");
    read_text(StatementFormat::Mt940, text.as_bytes()).unwrap().remove(0)
}

#[test]
fn what_cant_be_read_is_named_with_its_place() {
    let read = stated(
        ":60F:C240101EUR1,00\n:61:240102C1,00NTRF\n:61:240102X1,00\n:86:text\n:62F:C240131EUR2,00\n",
    );
    assert_eq!(read.entries.len(), 1);
    assert_eq!(read.unreadable[0].location.line, 6);
    assert_eq!(read.unreadable[0].location.path, ":61:");
    let Proof::Incomplete { missing, difference } = read.check().proof else { panic!() };
    assert_eq!(missing, [Missing::ReadableEntries(1)]);
    assert!(difference.unwrap().is_zero());
    for balance in ["C240101EUR1,0O", "X240101EUR1,00", "C240231EUR1,00", "C240101EU1,00", "C", ""]
    {
        let read = stated(&format!(":60F:{balance}\n:62F:C240131EUR2,00\n"));
        let Proof::Incomplete { missing, .. } = read.check().proof else { panic!("{balance}") };
        assert_eq!(missing, [Missing::ReadableBalance], "{balance}");
    }
    let new = stated(":60F:C000000EUR0,\n:62F:C240131EUR0,\n");
    assert!(new.check().is_proven());
    assert_eq!(new.statement.from, None);
}

#[test]
fn a_file_that_is_cut_off_proves_nothing() {
    let whole = ":20:1\n:25:123\n:28C:1\n:60F:C240101EUR1,00\n:61:240102C1,05NTRF\n:86:text\n\
        :62F:C240131EUR2,05";
    let check = |text: &str| {
        let read = read_text(StatementFormat::Mt940, text.as_bytes());
        read.map(|mut read| read.remove(0).check())
    };
    assert!(check(whole).unwrap().is_proven());
    for length in 0..whole.len() {
        match check(&whole[..length]) {
            Ok(check) => assert!(!check.is_proven(), "{length}"),
            Err(error) => assert!(length < 4, "{length}: {error}"),
        }
    }
}

#[test]
fn reports_of_a_day_are_proven_by_their_totals() {
    let report = |debits: &str| {
        stated(&format!(
            ":34F:EURD0,\n:13D:2401311200+0100\n:61:240131D1,50NTRF\n:61:240131ED2,00NTRF\n\
             :61:240131C7,00NTRF\n:90D:{debits}\n:90C:1EUR7,00\n-\n"
        ))
    };
    let read = report("2EUR3,50");
    assert_eq!(read.statement.currency.as_deref(), Some("EUR"));
    let check = read.check();
    assert_eq!((check.totals_agree, check.differences.len()), (2, 0));
    assert!(report("2EUR3,51").check().is_contradicted());
    assert!(report("1EUR3,50").check().is_contradicted());
    assert_eq!(report("EUR3,50").check().totals_unread, 1);
}

#[test]
fn fields_of_other_texts_do_no_harm() {
    let read = stated(
        ":60F:C240101EUR1,00\n:61:240102C1,00NTRF\n:86:first\n:99:not a field\n:12:30 lunch\n\
         :62F:C240131EUR2,00\n:86:about the statement\n-\n",
    );
    let texts = &read.entries[0].texts.remittance;
    assert_eq!(texts.join("|"), "first :99:not a field :12:30 lunch");
    let long = format!(":61:240102C1,00NTRF\n:86:{}\n", "x".repeat(1_000_000));
    let text = format!(":20:1\n:25:1\n{long}");
    let refusal = read_text(StatementFormat::Mt940, text.as_bytes()).unwrap_err().to_string();
    assert!(refusal.contains("longer than"), "{refusal}");
    let many = format!(":20:1\n:25:1\n:61:240102C1,00NTRF\n:86:{}", "some text\n".repeat(100_000));
    let refusal = read_text(StatementFormat::Mt940, many.as_bytes()).unwrap_err().to_string();
    assert!(refusal.contains("longer than"), "{refusal}");
}
