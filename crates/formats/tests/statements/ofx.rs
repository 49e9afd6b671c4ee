//! OFX, read back and broken.

use jiff::civil::date;
use purser_core::import::source_file::FileFormat;
use purser_formats::statements::StatementFormat;
use purser_formats::statements::model::{Doubt, EntryStatus};
use purser_formats::statements::proof::{Missing, Proof};

use crate::ledger::{Allowed, Ledger, ledger};
use crate::mutations::{BYTES_MAX, FILES, every_digit};
use crate::ofx_writing::{Habits, written};
use crate::random::Random;
use crate::reading::{assert_entries, read_file, read_text, text};
use crate::table::objections;

const ALLOWED: Allowed = Allowed { pending: true, reversals: false, batches: false, plain: false };

/// Pending transactions are in a list of their own, behind the others.
fn in_the_order_of_the_file(ledger: &mut Ledger) {
    for statement in &mut ledger.statements {
        statement.entries.sort_by_key(|entry| entry.status == EntryStatus::Pending);
    }
}

#[test]
fn files_are_read_as_their_ledgers() {
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let mut ledger = ledger(&mut random, ALLOWED);
        in_the_order_of_the_file(&mut ledger);
        let habits = Habits::new(&mut random);
        let file = written(&ledger, &habits);
        let read = read_file(StatementFormat::Ofx, &file);
        assert_eq!(read.len(), ledger.statements.len());
        for (read, expected) in read.into_iter().zip(&ledger.statements) {
            assert_entries(&read, expected, &file);
            let statement = &read.statement;
            assert_eq!(statement.problems, []);
            assert_eq!(statement.account.number.as_deref(), Some(ledger.number.as_str()));
            assert_eq!(statement.currency.as_deref(), Some(ledger.currency));
            assert_eq!((statement.from, statement.to), (Some(expected.from), Some(expected.to)));
            assert_eq!(statement.balances[0].on, Some(expected.to));
            let Proof::Incomplete { missing, .. } = read.check().proof else { panic!() };
            assert_eq!(missing, [Missing::OpeningBalance]);
            let check = read.opening_with(expected.opening).check();
            assert!(check.is_proven(), "{check:?}");
        }
    }
}

#[test]
fn a_changed_digit_is_noticed() {
    let mut noticed = 0;
    let texts = (1_000..).map(|seed| {
        let mut random = Random::new(seed);
        let ledger = ledger(&mut random, Allowed::default());
        let mut habits = Habits::new(&mut random);
        habits.unknown_aggregates = false;
        let (_, text) = text(&written(&ledger, &habits));
        (ledger, text)
    });
    for (ledger, text) in texts.filter(|(_, text)| text.len() < BYTES_MAX).take(FILES) {
        let openings: Vec<i64> = ledger.statements.iter().map(|its| its.opening).collect();
        noticed += every_digit(StatementFormat::Ofx, &text, |read| {
            read.into_iter().zip(&openings).map(|(it, cents)| it.opening_with(*cents)).collect()
        });
    }
    assert!(noticed > 300, "{noticed}");
}

/// A file with one account and these transactions.
fn file(transactions: &str) -> String {
    format!(
        "OFXHEADER:100\nDATA:OFXSGML\n\n<OFX><BANKMSGSRSV1><STMTRS><CURDEF>EUR\n<BANKACCTFROM>\
         <ACCTID>1</BANKACCTFROM><BANKTRANLIST>\n{transactions}</BANKTRANLIST>\
         <LEDGERBAL><BALAMT>10.00<DTASOF>20240131</LEDGERBAL></STMTRS></BANKMSGSRSV1></OFX>"
    )
}

#[test]
fn loans_are_read() {
    let text = "OFXHEADER:100\nDATA:OFXSGML\n\n<OFX><LOANMSGSRSV1><LOANSTMTTRNRS><LOANSTMTRS>\
                <CURDEF>USD<LOANACCTFROM><LOANACCTID>L-4711<LOANACCTTYPE>Mortgage</LOANACCTFROM>\
                <LOANTRANLIST><DTSTART>20240101<DTEND>20240131\n\
                <LOANSTMTTRN><TRNTYPE>CREDIT<DTPOSTED>20240115<TRNAMT>500.00<FITID>A1<NAME>Payment\
                </LOANSTMTTRN>\n\
                <LOANSTMTTRN><TRNTYPE>INT<DTPOSTED>20240131<TRNAMT>-40.25<FITID>A2<NAME>Interest\
                </LOANSTMTTRN></LOANTRANLIST><LEDGERBAL><BALAMT>-9540.25<DTASOF>20240131\
                </LEDGERBAL></LOANSTMTRS></LOANSTMTTRNRS></LOANMSGSRSV1></OFX>";
    let read = read_text(StatementFormat::Ofx, text.as_bytes()).unwrap();
    let [loan] = &read[..] else { panic!("{}", read.len()) };
    let account = &loan.statement.account;
    assert_eq!(account.number.as_deref(), Some("L-4711"));
    assert_eq!(account.kind.as_deref(), Some("MORTGAGE"));
    assert_eq!(loan.statement.currency.as_deref(), Some("USD"));
    assert_eq!(loan.statement.from, Some(date(2024, 1, 1)));
    assert_eq!(loan.statement.to, Some(date(2024, 1, 31)));
    let rows: Vec<_> =
        loan.entries.iter().map(|it| (it.booked_on, it.amount.to_string())).collect();
    assert_eq!(rows[0], (Some(date(2024, 1, 15)), "500.00".to_owned()));
    assert_eq!(rows[1], (Some(date(2024, 1, 31)), "-40.25".to_owned()));
    assert_eq!(rows.len(), 2);
    let of = |text: &str| objections(FileFormat::Ofx, StatementFormat::Ofx, text.as_bytes());
    assert_eq!(of(text), Vec::<String>::new());
    // Its balances may stand in a list of others: then nothing proves its rows.
    assert!(of(&text.replace("LEDGERBAL", "OTHERBAL"))[0].contains("no closing balance"));
}

#[test]
fn what_cant_be_read_is_named_with_its_place() {
    for (transaction, reason) in [
        (
            "<TRNAMT>1,234<DTPOSTED>20240101",
            "TRNAMT is \"1,234\": its mark may separate thousands or decimals",
        ),
        (
            "<TRNAMT>12.5O<DTPOSTED>20240101",
            "TRNAMT is \"12.5O\": it is not a plain decimal number",
        ),
        ("<DTPOSTED>20240101", "It has no TRNAMT"),
        ("<TRNAMT>1.00", "It has no DTPOSTED"),
        ("<TRNAMT>1.00<DTPOSTED>01/02/2024", "DTPOSTED is \"01/02/2024\", which is no day"),
        ("<TRNAMT>1.00<DTPOSTED>20240230", "DTPOSTED is \"20240230\", which is no day"),
    ] {
        let good = "<STMTTRN><TRNAMT>1.00<DTPOSTED>20240101</STMTTRN>\n";
        let text = file(&format!("{good}<STMTTRN>{transaction}</STMTTRN>\n{good}"));
        let read = read_text(StatementFormat::Ofx, text.as_bytes()).unwrap().remove(0);
        assert_eq!(read.entries.len(), 2);
        assert_eq!(read.unreadable[0].location.line, 7);
        assert_eq!(read.unreadable[0].reasons, [reason]);
        let Proof::Incomplete { missing, .. } = read.opening_with(0).check().proof else {
            panic!()
        };
        assert_eq!(missing, [Missing::ReadableEntries(1)]);
    }
}

#[test]
fn broken_and_hostile_files_are_refused() {
    let good = file("<STMTTRN><TRNAMT>1.00<DTPOSTED>20240101</STMTTRN>");
    let refusal =
        |text: &str| read_text(StatementFormat::Ofx, text.as_bytes()).unwrap_err().to_string();
    for length in 0..good.len() {
        let error = refusal(&good[..length]);
        assert!(error.contains("cut off") || error.contains("no statement"), "{length}: {error}");
    }
    assert_eq!(refusal("<OFX></OFX>"), "Line 1: The file has no statement of an account");
    let outside = good.replace("<STMTRS>", "").replace("</STMTRS>", "");
    assert_eq!(refusal(&outside), "Line 6: An entry stands outside of any statement");
    let two = format!("{good}{good}");
    assert_eq!(read_text(StatementFormat::Ofx, two.as_bytes()).unwrap().len(), 2);
    assert!(refusal(&two[..two.len() - 10]).contains("cut off"));
    let many = "<A>".repeat(600);
    let error = refusal(&file(&format!("<STMTTRN>{many}</STMTTRN>")));
    assert_eq!(error, "Line 6: STMTTRN has more than 500 items");
    let entity = good.replace("<OFX>", "<!DOCTYPE OFX [<!ENTITY a \"b\">]><OFX>");
    assert_eq!(
        refusal(&entity),
        "Line 4: The file has a document type declaration, which isn't read"
    );
    let long = file(&format!("<STMTTRN><MEMO>{}</STMTTRN>", "x".repeat(1_000_000)));
    assert!(refusal(&long).contains("longer than"), "{}", refusal(&long));
}

#[test]
fn tags_that_banks_forget_do_no_harm() {
    let transactions = "<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20240102<TRNAMT>-1.00<NAME><MEMO>only a memo\n\
        <STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20240103<TRNAMT>2.00<NAME>A & B <C\n<MEMO>1 <d 2\n";
    let read = read_text(StatementFormat::Ofx, file(transactions).as_bytes()).unwrap().remove(0);
    let shown: Vec<_> = read
        .entries
        .iter()
        .map(|it| {
            (
                it.amount.to_string(),
                it.texts.counterparty.name.clone(),
                it.texts.remittance.concat(),
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            ("-1.00".to_owned(), None, "only a memo".to_owned()),
            ("2.00".to_owned(), Some("A & B <C".to_owned()), "1 <d 2".to_owned())
        ]
    );
    assert_eq!(read.statement.balances[0].amount.to_string(), "10.00");
}

#[test]
fn identifiers_and_directions_that_no_one_should_trust() {
    let transactions = "<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20240102<TRNAMT>-1.00<FITID>7</STMTTRN>\n\
        <STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20240102<TRNAMT>3.00<FITID>0000</STMTTRN>\n\
        <STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20240103<TRNAMT>2.00<FITID>7</STMTTRN>\n\
        <STMTTRN><TRNTYPE>POS<DTPOSTED>20240103<TRNAMT>-2.00<FITID>8<CORRECTFITID>7\
        <CORRECTACTION>REPLACE</STMTTRN>\n";
    let read = read_text(StatementFormat::Ofx, file(transactions).as_bytes()).unwrap().remove(0);
    let doubts: Vec<_> = read.entries.iter().map(|entry| entry.doubts.clone()).collect();
    assert_eq!(
        doubts,
        [
            vec![],
            vec![Doubt::SignAgainstType],
            vec![Doubt::ReferenceRepeated { line: 6 }],
            vec![Doubt::Correction]
        ]
    );
    assert_eq!(read.entries[1].texts.bank_reference, None);
    assert_eq!(read.tally.doubtful, 3);
}

#[test]
fn foreign_currencies_are_not_added_to_the_accounts() {
    let transactions = "<STMTTRN><DTPOSTED>20240102<TRNAMT>-1.00<CURRENCY><CURRATE>1.1<CURSYM>USD\
        </CURRENCY></STMTTRN>\n<STMTTRN><DTPOSTED>20240103<TRNAMT>2.00<ORIGCURRENCY><CURRATE>1.2\
        <CURSYM>CHF</ORIGCURRENCY></STMTTRN>\n";
    let read = read_text(StatementFormat::Ofx, file(transactions).as_bytes()).unwrap().remove(0);
    assert_eq!(read.entries[0].currency.as_deref(), Some("USD"));
    assert_eq!(read.entries[1].currency, None);
    assert_eq!(read.entries[1].texts.original.as_ref().unwrap().currency, "CHF");
    let Proof::Incomplete { missing, .. } = read.opening_with(800).check().proof else { panic!() };
    assert_eq!(missing, [Missing::EntriesInTheCurrency(1)]);
}
