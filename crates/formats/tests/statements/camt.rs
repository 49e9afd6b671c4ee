//! CAMT, read back and broken.

use purser_core::import::source_file::FileFormat;
use purser_formats::statements::StatementFormat;
use purser_formats::statements::model::{BalanceKind, Doubt, EntryStatus};
use purser_formats::statements::proof::{Missing, Proof};

use crate::camt_writing::{Habits, Message, written};
use crate::ledger::{Allowed, decimal, ledger};
use crate::mutations::{BYTES_MAX, FILES, every_digit, every_digit_of_totals};
use crate::random::Random;
use crate::reading::{ReadStatement, assert_entries, read_file, read_text, text};

const ALLOWED: Allowed = Allowed { pending: true, reversals: true, batches: true, plain: false };

#[test]
fn files_are_read_as_their_ledgers() {
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let ledger = ledger(&mut random, ALLOWED);
        let file = written(&ledger, &Habits::new(&mut random));
        let read = read_file(StatementFormat::Camt, &file);
        assert_eq!(read.len(), ledger.statements.len());
        for (read, expected) in read.iter().zip(&ledger.statements) {
            assert_entries(read, expected, &file);
            let statement = &read.statement;
            assert_eq!(statement.problems, []);
            assert_eq!(statement.account.iban.as_deref(), Some(ledger.iban.as_str()));
            assert_eq!(statement.account.holder.as_deref(), Some("The Owner"));
            assert_eq!(statement.number, Some(expected.number.to_string()));
            assert_eq!((statement.from, statement.to), (Some(expected.from), Some(expected.to)));
            assert!(read.check().is_proven(), "{:?}", read.check());
            for (one, two) in read.entries.iter().zip(&expected.entries) {
                assert_eq!(one.value_on, Some(two.value_on));
                assert_eq!(one.is_reversal, two.is_reversal);
                assert_eq!(one.texts.end_to_end_id, two.end_to_end_id);
                assert_eq!(one.texts.counterparty.account.iban, two.iban);
                assert_eq!(one.texts.type_code.as_deref(), Some("PMNT-RCDT-ESCT"));
                let parts = |cents: &i64| decimal(*cents, '.');
                let amounts = one.details.iter().map(|its| its.amount.unwrap().to_string());
                assert!(amounts.eq(two.parts.iter().map(parts)), "{one:?}");
                let repeated = |doubt: &Doubt| matches!(doubt, Doubt::ReferenceRepeated { .. });
                assert!(one.doubts.iter().all(repeated), "{one:?}");
            }
        }
    }
}

#[test]
fn a_changed_digit_is_noticed() {
    let mut noticed = 0;
    let texts = (2_000..).map(|seed| {
        let mut random = Random::new(seed);
        let allowed = Allowed { pending: false, ..ALLOWED };
        let ledger = ledger(&mut random, allowed);
        text(&written(&ledger, &Habits::new(&mut random))).1
    });
    for text in texts.filter(|text| text.len() < BYTES_MAX).take(FILES) {
        noticed += every_digit(StatementFormat::Camt, &text, |read| read);
    }
    assert!(noticed > 300, "{noticed}");
}

#[test]
fn a_changed_digit_of_reports_and_notifications_is_noticed() {
    for (message, file) in
        [(Message::Report, FileFormat::Camt052), (Message::Notification, FileFormat::Camt054)]
    {
        let mut noticed = 0;
        let files = (4_000..).map(|seed| {
            let mut random = Random::new(seed);
            let ledger = ledger(&mut random, ALLOWED);
            (written(&ledger, &Habits::with_totals(&mut random, message)), ledger)
        });
        let files = files.filter(|(file, ledger)| file.len() < BYTES_MAX && ledger.has_booked());
        for (written, ledger) in files.take(FILES / 2) {
            let read = read_file(StatementFormat::Camt, &written);
            assert_eq!(read.len(), ledger.statements.len());
            for (read, expected) in read.iter().zip(&ledger.statements) {
                assert_entries(read, expected, &written);
            }
            let text = text(&written).1;
            noticed += every_digit_of_totals(file, StatementFormat::Camt, &text);
        }
        assert!(noticed > 100, "{message:?} {noticed}");
    }
}

/// A statement with these children, in a message of a kind.
fn file(message: &str, statement: &str, children: &str) -> String {
    format!(
        "<Document><{message}>\n<{statement}>\n<Acct><Id><Othr><Id>12-34</Id></Othr></Id></Acct>\n\
         {children}</{statement}></{message}></Document>"
    )
}

fn stated(children: &str) -> ReadStatement {
    let text = file("BkToCstmrStmt", "Stmt", children);
    read_text(StatementFormat::Camt, text.as_bytes()).unwrap().remove(0)
}

const GOOD: &str = "<Ntry><Amt Ccy='EUR'>1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>\
    <BookgDt><Dt>2024-01-01</Dt></BookgDt></Ntry>\n";

#[test]
fn what_cant_be_read_is_named_with_its_place() {
    for (before, after, reason) in [
        ("1.00", "1,00", "Amt is \"1,00\": it is not a plain decimal number"),
        ("1.00", "-1.00", "Amt is \"-1.00\": it must not be negative"),
        ("1.00", "", "Amt is \"\": there is no amount"),
        ("'EUR'", "'EURO'", "\"EURO\" is not the code of a currency"),
        ("CRDT<", "C<", "CdtDbtInd is \"C\""),
        ("<CdtDbtInd>CRDT</CdtDbtInd>", "", "It has no CdtDbtInd"),
        ("BOOK", "DONE", "Sts is \"DONE\""),
        ("2024-01-01", "2024-02-30", "BookgDt is no day"),
        ("<BookgDt><Dt>2024-01-01</Dt></BookgDt>", "", "It has neither BookgDt nor ValDt"),
        ("<Sts>", "<RvslInd>maybe</RvslInd><Sts>", "RvslInd is \"maybe\""),
    ] {
        let wrong = GOOD.replace(before, after);
        assert_ne!(wrong, GOOD);
        let read = stated(&format!("{GOOD}{wrong}{GOOD}"));
        assert_eq!(read.entries.len(), 2, "{reason}");
        assert_eq!(read.unreadable[0].reasons, [reason]);
        assert_eq!(read.unreadable[0].location.line, 5);
        assert_eq!(read.unreadable[0].location.path, "Stmt/Ntry");
    }
    let report = file("BkToCstmrAcctRpt", "Rpt", &GOOD.replace("<Sts>BOOK</Sts>", ""));
    let read = read_text(StatementFormat::Camt, report.as_bytes()).unwrap().remove(0);
    assert_eq!(read.unreadable[0].reasons, ["It has no Sts"]);
    assert_eq!(stated(&GOOD.replace("<Sts>BOOK</Sts>", "")).entries[0].status, EntryStatus::Booked);
}

#[test]
fn a_balance_that_cant_be_read_proves_nothing() {
    let balance = |code: &str, amount: &str| {
        format!(
            "<Bal><Tp><CdOrPrtry><Cd>{code}</Cd></CdOrPrtry></Tp><Amt Ccy='EUR'>{amount}</Amt>\
             <CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2024-01-31</Dt></Dt></Bal>"
        )
    };
    let missing = |children: String| match stated(&children).check().proof {
        Proof::Incomplete { missing, .. } => missing,
        proof => panic!("{proof:?}"),
    };
    let good = balance("OPBD", "1.00") + &balance("CLBD", "1.00");
    assert!(stated(&good).check().is_proven());
    let opening = balance("OPBD", "1.O0") + &balance("CLBD", "1.00");
    assert_eq!(missing(opening), [Missing::ReadableBalance]);
    let available = good.clone() + &balance("CLAV", "1.O0");
    assert!(stated(&available).check().is_proven());
    let interim = balance("OPBD", "1.00") + &balance("ITBD", "1.00");
    assert_eq!(missing(interim.clone()), [Missing::ClosingBalance]);
    assert_eq!(stated(&interim).statement.balances[1].kind, BalanceKind::Interim);
    let none = file("BkToCstmrDbtCdtNtfctn", "Ntfctn", GOOD);
    let read = read_text(StatementFormat::Camt, none.as_bytes()).unwrap().remove(0);
    let Proof::Incomplete { missing, .. } = read.check().proof else { panic!() };
    assert_eq!(missing, [Missing::OpeningBalance, Missing::ClosingBalance]);
}

#[test]
fn parts_that_dont_add_up_are_a_doubt() {
    let part = |amount: &str| format!("<TxDtls><Amt Ccy='EUR'>{amount}</Amt></TxDtls>");
    let doubts = |details: &str| {
        let details = format!("<NtryDtls>{details}</NtryDtls></Ntry>");
        stated(&GOOD.replace("</Ntry>", &details)).entries[0].doubts.clone()
    };
    assert_eq!(doubts(&(part("0.40") + &part("0.60"))), []);
    assert_eq!(doubts(&(part("0.40") + &part("0.61"))), [Doubt::PartsDiffer]);
    let batch = "<Btch><NbOfTxs>3</NbOfTxs></Btch>";
    assert_eq!(doubts(&(batch.to_owned() + &part("0.40") + &part("0.60"))), [Doubt::PartsMissing]);
    assert_eq!(doubts(batch), []);
    let many = part("0.01").repeat(10_001);
    assert_eq!(doubts(&many), [Doubt::PartsLeftOut]);
}

#[test]
fn broken_and_hostile_files_are_refused() {
    let good = file("BkToCstmrStmt", "Stmt", GOOD);
    let refusal =
        |text: &str| read_text(StatementFormat::Camt, text.as_bytes()).unwrap_err().to_string();
    for length in 1..good.len() {
        let error = refusal(&good[..length]);
        assert!(error.contains("cut off") || error.contains("tag can't"), "{length}: {error}");
    }
    let entities = "<!DOCTYPE a [<!ENTITY l \"ha\"><!ENTITY m \"&l;&l;&l;&l;\">]>";
    assert!(refusal(&format!("{entities}{good}")).contains("document type declaration"));
    assert!(refusal(&good.replace("CRDT", "&m;")).contains("&m; is not known"));
    let deep = "<a>".repeat(100);
    assert!(refusal(&good.replace("<Sts>", &deep)).contains("are nested"));
    let wide = "<a></a>".repeat(20_000);
    assert!(refusal(&good.replace("<Sts>", &format!("{wide}<Sts>"))).contains("10000 elements"));
    let texts = format!("<a>{}</a>", "x".repeat(100_000)).repeat(10);
    assert!(refusal(&good.replace("<Sts>", &format!("{texts}<Sts>"))).contains("524288 bytes"));
    assert!(refusal("<Document><pain/></Document>").contains("no statement"));
    // What isn't of a statement is passed over, however much there is.
    let other = format!("<Document>{}<a/></Document>", "<b>text</b>".repeat(50_000));
    let with = other.replace("<a/>", &good);
    assert_eq!(read_text(StatementFormat::Camt, with.as_bytes()).unwrap().len(), 1);
}
