//! The ledgers from which files are written.

#![allow(dead_code, reason = "no format has all of it")]

use jiff::ToSpan;
use jiff::civil::{Date, date};
use purser_formats::statements::model::EntryStatus;

use crate::random::Random;

/// An account with one or more statements that follow each other.
#[derive(Debug, Clone)]
pub(crate) struct Ledger {
    pub(crate) iban: String,
    pub(crate) number: String,
    pub(crate) bank: String,
    pub(crate) currency: &'static str,
    pub(crate) statements: Vec<LedgerStatement>,
}

#[derive(Debug, Clone)]
pub(crate) struct LedgerStatement {
    pub(crate) number: usize,
    pub(crate) from: Date,
    pub(crate) to: Date,
    pub(crate) opening: i64,
    pub(crate) entries: Vec<LedgerEntry>,
}

#[derive(Debug, Clone)]
pub(crate) struct LedgerEntry {
    pub(crate) booked_on: Date,
    pub(crate) value_on: Date,
    /// Hundredths; paid in is positive.
    pub(crate) cents: i64,
    pub(crate) status: EntryStatus,
    pub(crate) is_reversal: bool,
    pub(crate) reference: Option<String>,
    pub(crate) end_to_end_id: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) iban: Option<String>,
    pub(crate) remittance: Option<String>,
    /// The parts of a batch, in hundredths with their signs.
    pub(crate) parts: Vec<i64>,
}

impl LedgerStatement {
    pub(crate) fn closing(&self) -> i64 {
        let booked = self.entries.iter().filter(|entry| entry.status == EntryStatus::Booked);
        self.opening + booked.map(|entry| entry.cents).sum::<i64>()
    }
}

impl Ledger {
    /// Whether an import of it has rows.
    pub(crate) fn has_booked(&self) -> bool {
        let mut entries = self.statements.iter().flat_map(|statement| &statement.entries);
        entries.any(|entry| entry.status == EntryStatus::Booked)
    }
}

const IBANS: [&str; 4] = [
    "DE89370400440532013000",
    "NL91ABNA0417164300",
    "FR1420041010050500013M02606",
    "GB29NWBK60161331926819",
];
const NAMES: [&str; 8] = [
    "Müller & Söhne GmbH",
    "A<B Market",
    "O'Neil \"The Shop\"",
    "Café Zoë",
    "Shop 24",
    "X",
    "Stadtwerke",
    "Long Name of a Company That Sells Everything to All",
];
const TEXTS: [&str; 7] = [
    "Invoice 2024-17",
    "Rent 05/2024",
    "thanks",
    "REF 00123/45 & more",
    "ünïcödé text",
    "1 < 2",
    "Order 12345678 of 2024-02-29 with many words that go on and on until no line holds them",
];

/// What a format can't represent is left out of its ledgers.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Allowed {
    pub(crate) pending: bool,
    pub(crate) reversals: bool,
    pub(crate) batches: bool,
    /// Only the letters that SWIFT allows.
    pub(crate) plain: bool,
}

pub(crate) fn ledger(random: &mut Random, allowed: Allowed) -> Ledger {
    let mut opening = random.between(-1_000_000, 100_000_000);
    let mut day = date(2023, 1, 1) + random.between(0, 700).days();
    let mut statements = Vec::new();
    for number in 1..=1 + random.below(3) {
        let to = day + random.between(0, 31).days();
        let length = (to - day).get_days();
        let count = if random.one_in(8) { 0 } else { random.below(12) };
        let mut entries: Vec<LedgerEntry> = (0..count)
            .map(|_| {
                let booked_on = day + random.between(0, i64::from(length) + 1).days();
                entry(random, booked_on, allowed)
            })
            .collect();
        entries.sort_by_key(|entry| entry.booked_on);
        let statement = LedgerStatement { number, from: day, to, opening, entries };
        opening = statement.closing();
        day = to + 1.day();
        statements.push(statement);
    }
    let digits = |random: &mut Random, count: usize| -> String {
        let first = char::from(b'1' + u8::try_from(random.below(9)).unwrap());
        let rest = (1..count).map(|_| char::from(b'0' + u8::try_from(random.below(10)).unwrap()));
        std::iter::once(first).chain(rest.collect::<Vec<_>>()).collect()
    };
    Ledger {
        iban: (*random.pick(&IBANS)).to_owned(),
        number: digits(random, 10),
        bank: digits(random, 8),
        currency: random.pick::<&str>(&["EUR", "USD", "CHF", "PLN"]),
        statements,
    }
}

fn entry(random: &mut Random, booked_on: Date, allowed: Allowed) -> LedgerEntry {
    let text = |random: &mut Random, texts: &[&str]| {
        let text = *random.pick(texts);
        let text = if allowed.plain { plain(text) } else { text.to_owned() };
        (!random.one_in(6)).then_some(text)
    };
    let mut cents = random.between(-200_000, 200_000);
    if random.one_in(5) {
        cents *= 997;
    }
    let status = match random.below(6) {
        0 if allowed.pending => EntryStatus::Pending,
        _ => EntryStatus::Booked,
    };
    let mut parts = Vec::new();
    if allowed.batches && random.one_in(4) {
        parts = (0..2 + random.below(3)).map(|_| random.between(1, 50_000)).collect();
        if random.one_in(2) {
            parts = parts.into_iter().map(|part: i64| -part).collect();
        }
        cents = parts.iter().sum();
    }
    let number = random.between(100_000, 999_999);
    let is_batch = !parts.is_empty();
    // What the payments of a batch have isn't of the entry.
    let of_one = |text: Option<String>| text.filter(|_| !is_batch);
    LedgerEntry {
        booked_on,
        value_on: booked_on + random.between(-2, 3).days(),
        cents: if cents == 0 { 1 } else { cents },
        status,
        is_reversal: allowed.reversals && random.one_in(7),
        reference: (!random.one_in(5)).then(|| format!("R{number}")),
        end_to_end_id: of_one((!random.one_in(3)).then(|| format!("E2E-{number}"))),
        name: of_one(text(random, &NAMES)),
        iban: of_one((!random.one_in(3)).then(|| (*random.pick(&IBANS)).to_owned())),
        remittance: of_one(text(random, &TEXTS)),
        parts,
    }
}

/// The letters of SWIFT, and nothing that the dialects of field 86 use as a sign of their own.
fn plain(text: &str) -> String {
    let plain = |c: char| match c {
        'ä' | 'Ä' => "ae".to_owned(),
        'ö' | 'Ö' => "oe".to_owned(),
        'ü' | 'Ü' => "ue".to_owned(),
        'é' | 'ë' => "e".to_owned(),
        'ï' => "i".to_owned(),
        c if c.is_ascii_alphanumeric() || " .,-'".contains(c) => c.to_string(),
        _ => " ".to_owned(),
    };
    let text: String = text.chars().map(plain).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Hundredths as a decimal number.
pub(crate) fn decimal(cents: i64, mark: char) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    let cents = cents.unsigned_abs();
    format!("{sign}{}{mark}{:02}", cents / 100, cents % 100)
}
