//! MT940 in the dialects of banks.

use std::fmt::Write;

use jiff::civil::Date;
use purser_formats::statements::model::EntryStatus;

use crate::ledger::{Ledger, LedgerEntry, LedgerStatement, decimal};
use crate::random::Random;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Dialect {
    /// Parts with numbers behind a sign.
    Parts(char),
    /// Code words between slashes.
    Words,
    /// The counterparty's words in one line.
    Counterparty,
}

/// The habits of one bank.
#[derive(Debug, Clone)]
pub(crate) struct Habits {
    dialect: Dialect,
    line_end: &'static str,
    /// What stands around each message.
    frame: (&'static str, &'static str),
    century: bool,
    entry_day: bool,
    funds: bool,
    kinds: bool,
    mark: char,
    iban: bool,
    /// Several pages of each statement.
    pub(crate) pages: bool,
}

impl Habits {
    pub(crate) fn new(random: &mut Random) -> Self {
        let dialect = *random.pick(&[
            Dialect::Parts('?'),
            Dialect::Parts('~'),
            Dialect::Parts('<'),
            Dialect::Words,
            Dialect::Counterparty,
        ]);
        Self {
            dialect,
            line_end: random.pick::<&str>(&["\n", "\r\n", "\r"]),
            frame: *random.pick(&[
                ("", "-\n"),
                ("", ""),
                ("{1:F01BANKDEFFAXXX0000000000}{2:O940}{4:\n", "-}{5:}\n"),
                ("ABNANL2A\n940\nABNANL2A\n", "-\n"),
            ]),
            century: random.one_in(5),
            entry_day: !random.one_in(4),
            funds: random.one_in(4),
            // Without a type a reference that begins with N could be one.
            kinds: !random.one_in(5),
            mark: *random.pick(&[',', ',', '.']),
            iban: random.one_in(2),
            pages: random.one_in(3),
        }
    }

    fn day(&self, day: Date) -> String {
        let digits = day.to_string().replace('-', "");
        if self.century { digits } else { digits[2..].to_owned() }
    }

    fn amount(&self, cents: i64) -> String {
        let text = decimal(cents.abs(), self.mark);
        match text.strip_suffix("00").filter(|_| self.mark == ',') {
            Some(whole) => whole.to_owned(),
            None => text,
        }
    }
}

fn balance(habits: &Habits, tag: &str, cents: i64, currency: &str, day: Date) -> String {
    let mark = if cents < 0 { 'D' } else { 'C' };
    format!(":{tag}:{mark}{}{currency}{}\n", habits.day(day), habits.amount(cents))
}

fn entry(habits: &Habits, entry: &LedgerEntry, currency: &str) -> String {
    let mark = match (entry.status, entry.is_reversal, entry.cents < 0) {
        (EntryStatus::Booked, false, true) => "D",
        (EntryStatus::Booked, false, false) => "C",
        (EntryStatus::Booked, true, true) => "RC",
        (EntryStatus::Booked, true, false) => "RD",
        (_, _, true) => "ED",
        (_, _, false) => "EC",
    };
    let day = entry.booked_on.to_string().replace('-', "");
    // A day without its year is only read right near the value date, and it is.
    let booked = if habits.entry_day { &day[4..] } else { "" };
    let value_on = if habits.entry_day { entry.value_on } else { entry.booked_on };
    let funds = if habits.funds { &currency[2..] } else { "" };
    let kind = if habits.kinds { "NTRF" } else { "" };
    let reference = entry.reference.as_ref().map(|it| format!("//{it}")).unwrap_or_default();
    format!(
        ":61:{}{booked}{mark}{funds}{}{kind}NONREF{reference}\n:86:{}\n",
        habits.day(value_on),
        habits.amount(entry.cents),
        information(habits, entry),
    )
}

/// A text in pieces of so many letters.
fn pieces(text: &str, length: usize) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    letters.chunks(length).map(|piece| piece.iter().collect()).collect()
}

fn information(habits: &Habits, entry: &LedgerEntry) -> String {
    let id = entry.end_to_end_id.as_deref();
    let (name, iban) = (entry.name.as_deref(), entry.iban.as_deref());
    let text = entry.remittance.as_deref();
    let mut field = String::new();
    match habits.dialect {
        Dialect::Parts(sign) => {
            let _ = write!(field, "166{sign}00TRANSFER{sign}109310");
            let mut number = 20;
            let mut part = |field: &mut String, text: &str| {
                let _ = write!(field, "{sign}{number}{text}");
                number = if number == 29 { 60 } else { number + 1 };
            };
            if let Some(id) = id {
                part(&mut field, &format!("EREF+{id}"));
            }
            let text = text.map(|text| pieces(&format!("SVWZ+{text}"), 27)).unwrap_or_default();
            text.iter().for_each(|text| part(&mut field, text));
            if let Some(iban) = iban {
                let _ = write!(field, "{sign}31{iban}");
            }
            for (name, number) in name.map(|it| pieces(it, 27)).unwrap_or_default().iter().zip(32..)
            {
                let _ = write!(field, "{sign}{number}{name}");
            }
        }
        Dialect::Words => {
            field.push_str("/TRTP/SEPA");
            for (word, value) in [("IBAN", iban), ("NAME", name), ("REMI", text), ("EREF", id)] {
                if let Some(value) = value {
                    let _ = write!(field, "/{word}/{value}");
                }
            }
        }
        Dialect::Counterparty => {
            let id = id.unwrap_or("NOTPROVIDED");
            let (iban, name) = (iban.unwrap_or_default(), name.unwrap_or_default());
            let _ = write!(field, "/EREF/{id}//CNTP/{iban}/INGBNL2A/{name}/Delft/");
            if let Some(text) = text {
                let _ = write!(field, "/REMI/USTD//{text}/");
            }
        }
    }
    // A line of a message has 65 letters.
    pieces(&field, 65).join("\n")
}

fn message(
    habits: &Habits,
    ledger: &Ledger,
    statement: &LedgerStatement,
    (page, pages): (usize, usize),
) -> String {
    let count = statement.entries.len();
    let (from, to) = (count * page / pages, count * (page + 1) / pages);
    let booked = |entries: &[LedgerEntry]| -> i64 {
        let booked = entries.iter().filter(|entry| entry.status == EntryStatus::Booked);
        booked.map(|entry| entry.cents).sum()
    };
    let opening = statement.opening + booked(&statement.entries[..from]);
    let closing = opening + booked(&statement.entries[from..to]);
    let account = match habits.iban {
        true => format!("{}{}", ledger.iban, ledger.currency),
        false => format!("{}/{}", ledger.bank, ledger.number),
    };
    let first = if page == 0 { "60F" } else { "60M" };
    let last = if page + 1 == pages { "62F" } else { "62M" };
    let mut text = format!(
        ":20:STARTUMS\n:25:{account}\n:28C:{:05}/{:03}\n{}",
        statement.number,
        page + 1,
        balance(habits, first, opening, ledger.currency, statement.from),
    );
    for its in &statement.entries[from..to] {
        text.push_str(&entry(habits, its, ledger.currency));
    }
    text.push_str(&balance(habits, last, closing, ledger.currency, statement.to));
    text.push_str(&balance(habits, "64", closing + 777, ledger.currency, statement.to));
    text.push_str(":86:A text about the whole statement 12,50\n");
    format!("{}{text}{}", habits.frame.0, habits.frame.1)
}

/// A report of a day: no balances, but totals of all entries. A direction without entries may have
/// none.
fn report(habits: &Habits, ledger: &Ledger, statement: &LedgerStatement, is_full: bool) -> String {
    let currency = ledger.currency;
    let day = statement.to.to_string().replace('-', "");
    let mut text = format!(
        ":20:STARTUMS\n:25:{}/{}\n:28C:{:05}/001\n:34F:{currency}D0,\n:34F:{currency}C0,\n\
         :13D:{}1200+0100\n",
        ledger.bank,
        ledger.number,
        statement.number,
        &day[2..]
    );
    for its in &statement.entries {
        text.push_str(&entry(habits, its, currency));
    }
    let amounts = || statement.entries.iter().map(|its| its.cents);
    let debits: Vec<i64> = amounts().filter(|cents| *cents < 0).collect();
    let credits: Vec<i64> = amounts().filter(|cents| *cents >= 0).collect();
    for (mark, cents) in [('D', debits), ('C', credits)] {
        if is_full || !cents.is_empty() {
            let sum = habits.amount(cents.iter().sum());
            let _ = writeln!(text, ":90{mark}:{}{currency}{sum}", cents.len());
        }
    }
    format!("{}{text}{}", habits.frame.0, habits.frame.1)
}

/// The statements of a ledger as reports of days (MT942).
pub(crate) fn reported(ledger: &Ledger, habits: &Habits, is_full: bool) -> Vec<u8> {
    let reports = ledger.statements.iter().map(|its| report(habits, ledger, its, is_full));
    reports.collect::<String>().replace('\n', habits.line_end).into_bytes()
}

pub(crate) fn written(ledger: &Ledger, habits: &Habits) -> Vec<u8> {
    let pages = if habits.pages { 2 } else { 1 };
    let messages = ledger.statements.iter().flat_map(|statement| {
        (0..pages).map(move |page| message(habits, ledger, statement, (page, pages)))
    });
    messages.collect::<String>().replace('\n', habits.line_end).into_bytes()
}
