//! OFX in the forms in which banks write it.

use jiff::civil::Date;
use purser_formats::statements::StatementFormat;
use purser_formats::statements::model::{Doubt, EntryStatus};
use purser_formats::statements::proof::{Missing, Proof};

use crate::ledger::{Allowed, Ledger, LedgerEntry, decimal, ledger};
use crate::mutations::every_digit;
use crate::random::Random;
use crate::reading::{assert_entries, read_file, read_text, text};

const ALLOWED: Allowed = Allowed { pending: true, reversals: false, batches: false, plain: false };

#[derive(Debug, Clone, Copy, PartialEq)]
enum Tags {
    Open,
    Closed,
    Xml,
}

/// The habits of one bank.
#[derive(Debug, Clone)]
struct Habits {
    tags: Tags,
    line_end: &'static str,
    /// The encoding that the header claims, and the one that the file has.
    charset: (&'static str, &'static str),
    numbers: usize,
    dates: usize,
    small_letters: bool,
    empty_values: bool,
    unknown_aggregates: bool,
    balance_first: bool,
    is_card: bool,
}

impl Habits {
    fn new(random: &mut Random) -> Self {
        let tags = *random.pick(&[Tags::Open, Tags::Open, Tags::Closed, Tags::Xml]);
        let line_ends: &[&str] =
            if tags == Tags::Open { &["\n", "\r\n"] } else { &["\n", "\r\n", ""] };
        Self {
            tags,
            line_end: *random.pick::<&str>(line_ends),
            charset: *random.pick(&[
                ("1252", "windows-1252"),
                ("1252", "utf-8"),
                ("UTF-8", "windows-1252"),
                ("NONE", "utf-8"),
            ]),
            numbers: random.below(6),
            dates: random.below(4),
            small_letters: random.one_in(5),
            empty_values: random.one_in(2),
            unknown_aggregates: random.one_in(3),
            balance_first: random.one_in(4),
            is_card: random.one_in(4),
        }
    }

    fn header(&self) -> String {
        let (claim, _) = self.charset;
        if self.tags == Tags::Xml {
            let encoding = if claim == "1252" { "windows-1252" } else { "UTF-8" };
            return format!(
                "<?xml version=\"1.0\" encoding=\"{encoding}\" standalone=\"no\"?>{}\
                 <?OFX OFXHEADER=\"200\" VERSION=\"211\" SECURITY=\"NONE\"?>{}",
                self.line_end, self.line_end
            );
        }
        let encoding = if claim == "UTF-8" { "UNICODE" } else { "USASCII" };
        let charset = if claim == "UTF-8" { "NONE" } else { claim };
        let end = if self.line_end.is_empty() { " " } else { self.line_end };
        format!(
            "OFXHEADER:100{end}DATA:OFXSGML{end}VERSION:102{end}SECURITY:NONE{end}\
             ENCODING:{encoding}{end}CHARSET:{charset}{end}COMPRESSION:NONE{end}\
             OLDFILEUID:NONE{end}NEWFILEUID:NONE{end}{end}"
        )
    }

    fn number(&self, cents: i64) -> String {
        let plain = decimal(cents, '.');
        let grouped = |between: char, mark: char| {
            let (whole, fraction) = plain.split_once('.').unwrap();
            let (sign, digits) = match whole.strip_prefix('-') {
                Some(digits) => ("-", digits),
                None => ("", whole),
            };
            let mut text = String::new();
            for (at, digit) in digits.chars().enumerate() {
                if at > 0 && (digits.len() - at) % 3 == 0 {
                    text.push(between);
                }
                text.push(digit);
            }
            format!("{sign}{text}{mark}{fraction}")
        };
        match self.numbers {
            0 => grouped(',', '.'),
            1 => grouped('.', ','),
            2 => decimal(cents, ','),
            3 if cents > 0 => format!("+{plain}"),
            4 => plain.trim_end_matches('0').trim_end_matches('.').to_owned(),
            _ => plain,
        }
    }

    fn day(&self, day: Date) -> String {
        let digits = day.to_string().replace('-', "");
        match self.dates {
            0 => format!("{digits}000000[+1:CET]"),
            1 => format!("{digits}235959.999[-8:PST]"),
            2 => format!("{digits}120000"),
            _ => digits,
        }
    }
}

/// Writes tags as a bank does.
struct Writer<'h> {
    habits: &'h Habits,
    text: String,
}

impl Writer<'_> {
    fn name(&self, name: &str) -> String {
        if self.habits.small_letters { name.to_ascii_lowercase() } else { name.to_owned() }
    }

    fn open(&mut self, name: &str) {
        let tag = format!("<{}>{}", self.name(name), self.habits.line_end);
        self.text.push_str(&tag);
    }

    fn close(&mut self, name: &str) {
        let tag = format!("</{}>{}", self.name(name), self.habits.line_end);
        self.text.push_str(&tag);
    }

    fn value(&mut self, name: &str, value: &str) {
        let tag = self.name(name);
        // Programs often forget to escape the sign in SGML.
        let value = match self.habits.tags {
            Tags::Open => value.replace('<', "&lt;"),
            _ => value.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;"),
        };
        let close =
            if self.habits.tags == Tags::Open { String::new() } else { format!("</{tag}>") };
        self.text.push_str(&format!("<{tag}>{value}{close}{}", self.habits.line_end));
    }

    fn entry(&mut self, entry: &LedgerEntry) {
        let is_pending = entry.status == EntryStatus::Pending;
        let name = if is_pending { "STMTTRNP" } else { "STMTTRN" };
        self.open(name);
        self.value("TRNTYPE", if entry.cents < 0 { "DEBIT" } else { "CREDIT" });
        let day = self.habits.day(entry.booked_on);
        self.value(if is_pending { "DTTRAN" } else { "DTPOSTED" }, &day);
        self.value("TRNAMT", &self.habits.number(entry.cents));
        if entry.reference.is_some() || self.habits.empty_values {
            self.value("FITID", entry.reference.as_deref().unwrap_or_default());
        }
        if self.habits.unknown_aggregates {
            self.open("X.EXTRA");
            self.value("NAME", "trap");
            self.value("TRNAMT", "999.99");
            self.close("X.EXTRA");
        }
        if entry.name.is_some() || self.habits.empty_values {
            self.value("NAME", entry.name.as_deref().unwrap_or_default());
        }
        if entry.remittance.is_some() || self.habits.empty_values {
            self.value("MEMO", entry.remittance.as_deref().unwrap_or_default());
        }
        self.close(name);
    }

    fn balance(&mut self, ledger: &Ledger, at: usize) {
        let statement = &ledger.statements[at];
        self.open("LEDGERBAL");
        self.value("BALAMT", &self.habits.number(statement.closing()));
        self.value("DTASOF", &self.habits.day(statement.to));
        self.close("LEDGERBAL");
        self.open("AVAILBAL");
        self.value("BALAMT", &self.habits.number(statement.closing() + 50_000));
        self.value("DTASOF", &self.habits.day(statement.to));
        self.close("AVAILBAL");
    }

    fn statement(&mut self, ledger: &Ledger, at: usize) {
        let (messages, response, account) = match self.habits.is_card {
            true => ("CREDITCARDMSGSRSV1", "CCSTMTRS", "CCACCTFROM"),
            false => ("BANKMSGSRSV1", "STMTRS", "BANKACCTFROM"),
        };
        let statement = &ledger.statements[at];
        self.open(messages);
        self.open(response);
        self.value("CURDEF", ledger.currency);
        self.open(account);
        if !self.habits.is_card {
            self.value("BANKID", &ledger.bank);
        }
        self.value("ACCTID", &ledger.number);
        if !self.habits.is_card {
            self.value("ACCTTYPE", "CHECKING");
        }
        self.close(account);
        if self.habits.balance_first {
            self.balance(ledger, at);
        }
        self.open("BANKTRANLIST");
        self.value("DTSTART", &self.habits.day(statement.from));
        self.value("DTEND", &self.habits.day(statement.to));
        let is_booked = |entry: &&LedgerEntry| entry.status == EntryStatus::Booked;
        statement.entries.iter().filter(is_booked).for_each(|entry| self.entry(entry));
        self.close("BANKTRANLIST");
        if statement.entries.iter().any(|entry| !is_booked(&entry)) {
            self.open("BANKTRANLISTP");
            self.value("DTASOF", &self.habits.day(statement.to));
            statement.entries.iter().filter(|its| !is_booked(its)).for_each(|its| self.entry(its));
            self.close("BANKTRANLISTP");
        }
        if !self.habits.balance_first {
            self.balance(ledger, at);
        }
        self.close(response);
        self.close(messages);
    }
}

fn written(ledger: &Ledger, habits: &Habits) -> Vec<u8> {
    let mut writer = Writer { habits, text: habits.header() };
    writer.open("OFX");
    writer.open("SIGNONMSGSRSV1");
    writer.value("LANGUAGE", "ENG");
    writer.close("SIGNONMSGSRSV1");
    (0..ledger.statements.len()).for_each(|at| writer.statement(ledger, at));
    writer.close("OFX");
    encoded(&writer.text, habits.charset.1)
}

fn encoded(text: &str, label: &str) -> Vec<u8> {
    encoding_rs::Encoding::for_label(label.as_bytes()).unwrap().encode(text).0.into_owned()
}

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
    for seed in 1_000..1_030 {
        let mut random = Random::new(seed);
        let ledger = ledger(&mut random, Allowed::default());
        let mut habits = Habits::new(&mut random);
        habits.unknown_aggregates = false;
        let (_, text) = text(&written(&ledger, &habits));
        let openings: Vec<i64> = ledger.statements.iter().map(|its| its.opening).collect();
        noticed += every_digit(StatementFormat::Ofx, &text, |read| {
            read.into_iter().zip(&openings).map(|(it, cents)| it.opening_with(*cents)).collect()
        });
    }
    assert!(noticed > 3_000, "{noticed}");
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
        assert_eq!(read.unreadable[0].location.line, 6);
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
        <STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20240103<TRNAMT>2.00<NAME>A & B\n";
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
            ("2.00".to_owned(), Some("A & B".to_owned()), String::new())
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
            vec![Doubt::ReferenceRepeated { line: 5 }],
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
