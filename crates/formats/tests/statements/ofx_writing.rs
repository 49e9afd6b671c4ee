//! OFX in the forms in which banks write it.

use jiff::civil::Date;
use purser_formats::statements::model::EntryStatus;

use crate::ledger::{Ledger, LedgerEntry, decimal};
use crate::random::Random;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Tags {
    Open,
    Closed,
    Xml,
}

/// The habits of one bank.
#[derive(Debug, Clone)]
pub(crate) struct Habits {
    tags: Tags,
    line_end: &'static str,
    /// The encoding that the header claims, and the one that the file has.
    charset: (&'static str, &'static str),
    numbers: usize,
    dates: usize,
    small_letters: bool,
    empty_values: bool,
    pub(crate) unknown_aggregates: bool,
    balance_first: bool,
    is_card: bool,
}

impl Habits {
    pub(crate) fn new(random: &mut Random) -> Self {
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

pub(crate) fn written(ledger: &Ledger, habits: &Habits) -> Vec<u8> {
    let mut writer = Writer { habits, text: habits.header() };
    writer.open("OFX");
    writer.open("SIGNONMSGSRSV1");
    writer.value("LANGUAGE", "ENG");
    writer.close("SIGNONMSGSRSV1");
    (0..ledger.statements.len()).for_each(|at| writer.statement(ledger, at));
    writer.close("OFX");
    encoded(&writer.text, habits.charset.1)
}

pub(crate) fn encoded(text: &str, label: &str) -> Vec<u8> {
    encoding_rs::Encoding::for_label(label.as_bytes()).unwrap().encode(text).0.into_owned()
}
