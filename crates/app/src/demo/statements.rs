//! Plausible statements of an invented family, as three banks would write them.
//!
//! Two years up to a given day, always the same for the same day. The three files differ in what
//! real banks differ in: format, separator, date and number format, one signed column or two.

use std::collections::BTreeMap;
use std::fmt::Write;

use jiff::Span;
use jiff::civil::Date;

/// A file of a bank, with the account that it is for.
pub(super) struct Statement {
    /// The account that it belongs to.
    pub(super) account: &'static str,
    /// The name as it was downloaded.
    pub(super) file_name: &'static str,
    /// Settings with which it is read.
    pub(super) settings: &'static [(&'static str, &'static str)],
    /// The contents, as they were downloaded.
    pub(super) text: String,
}

/// Money that left one account and came into another days later, without a word about it: only the
/// family knows whether it is a transfer.
const LENT: i64 = 62_350;
const LENT_DAYS_AGO: usize = 12;
const RETURNED_DAYS_AGO: usize = 8;

const CHECKING: &str = "Everyday checking";
/// What the savings account begins with, in cents.
const SAVINGS_OPENING: i64 = 1_800_000;

/// What a family spends money on: name, category, tag, smallest and largest amount in cents, and
/// how many times in a hundred days.
type Habit = (&'static str, &'static str, &'static str, i64, i64, u64);

const EVERYDAY: &[Habit] = &[
    ("Corner Bakery", "Food:Bakery", "", 350, 1_450, 22),
    ("Greenfield Market", "Food:Groceries", "", 2_200, 14_800, 24),
    ("Harbour Fish & Co.", "Food:Groceries", "", 1_800, 5_200, 5),
    ("City Transit", "Transport:Public", "", 280, 280, 30),
    ("Bluebird Books", "Leisure:Books", "", 1_200, 4_900, 3),
    ("Cinema Lumière", "Leisure:Films", "", 1_400, 4_200, 3),
    ("Pharmacy at the Gate", "Health", "", 600, 5_400, 4),
];

const CARD: &[Habit] = &[
    ("Trattoria Da Nino", "Food:Restaurants", "", 2_800, 9_600, 8),
    ("Rail & Road Tickets", "Transport:Trips", "travel", 3_900, 18_500, 3),
    ("Hotel Seeblick", "Holidays", "travel", 9_800, 42_000, 2),
    ("Northwind Streaming", "Leisure:Subscriptions", "", 1_299, 1_299, 3),
    ("Tool Shed", "Home", "", 1_500, 22_000, 3),
    ("Kids' Corner", "Clothing", "children", 1_900, 8_900, 4),
];

/// A small generator: the same numbers on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % sides.max(1)
    }

    /// Between the two, in cents, both included.
    fn cents(&mut self, low: i64, high: i64) -> i64 {
        low + self.roll(high.abs_diff(low) + 1).cast_signed()
    }
}

/// The files of all accounts.
pub(super) fn statements(today: Date) -> Vec<Statement> {
    let days: Vec<Date> =
        (0..=730).rev().filter_map(|back| today.checked_sub(Span::new().days(back)).ok()).collect();
    let (card, payments) = card(&days);
    vec![checking(&days, &payments), savings(&days), card]
}

/// What the bank of the checking account has next: the last rows once more, and new ones.
pub(super) fn newest(today: Date) -> Statement {
    const ROWS_AGAIN: usize = 6;
    let whole = statements(today).into_iter().find(|one| one.account == CHECKING);
    let text = whole.map(|one| one.text).unwrap_or_default();
    let mut lines: Vec<&str> = text.lines().collect();
    let header = if lines.is_empty() { "" } else { lines.remove(0) };
    let mut text = format!("{header}\n");
    for line in lines.iter().skip(lines.len().saturating_sub(ROWS_AGAIN)) {
        let _ = writeln!(text, "{line}");
    }
    for (name, cents, category) in [
        ("Bicycle Workshop", -18_950, "Transport:Bicycle"),
        ("Concert Hall", -7_400, "Leisure:Concerts"),
        ("Returned: rain jacket", 8_990, "Clothing"),
    ] {
        let _ = writeln!(text, "{today},\"{name}\",{},{category},\"\"", signed(cents));
    }
    Statement { account: CHECKING, file_name: "checking-latest.csv", settings: &[], text }
}

/// Comma separated, ISO dates, one signed column.
fn checking(days: &[Date], card_payments: &BTreeMap<Date, i64>) -> Statement {
    let mut dice = Dice(7);
    let mut text = String::from("Date,Description,Amount,Category,Notes\n");
    let mut line = |day: Date, name: &str, cents: i64, category: &str, notes: &str| {
        let amount = signed(cents);
        let _ = writeln!(text, "{day},\"{name}\",{amount},{category},\"{notes}\"");
    };
    let lent = days.iter().rev().nth(LENT_DAYS_AGO);
    for day in days {
        if Some(day) == lent {
            line(*day, "Payment order 4711", -LENT, "", "");
        }
        match day.day() {
            1 => line(*day, "Oak Street Apartments", -145_000, "Home:Rent", "Rent"),
            3 => line(
                *day,
                "Municipal Power & Water",
                -dice.cents(8_200, 16_400),
                "Home:Utilities",
                "",
            ),
            5 => line(*day, "Transfer to savings", -40_000, "Savings", ""),
            12 => line(*day, "Fibre Direct", -3_990, "Home:Internet", ""),
            27 => line(*day, "Larkspur Design Ltd", 412_500, "Income:Salary", "Salary, net"),
            _ => {}
        }
        if let Some(paid) = card_payments.get(day) {
            line(*day, "Card payment", -paid, "Card payment", "");
        }
        for (name, category, _, low, high, often) in EVERYDAY {
            if dice.roll(100) < *often {
                line(*day, name, -dice.cents(*low, *high), category, "");
            }
        }
    }
    Statement { account: CHECKING, file_name: "checking-export.csv", settings: &[], text }
}

/// The months of the savings account that its owner downloaded: one is missing, which its page of
/// statements shows.
const MISSING_MONTHS_AGO: i32 = 3;

/// Statements of whole months in MT940, with their balances.
fn savings(days: &[Date]) -> Statement {
    let returned = days.iter().rev().nth(RETURNED_DAYS_AGO);
    let missing = days.last().and_then(|today| {
        today.first_of_month().checked_sub(Span::new().months(MISSING_MONTHS_AGO)).ok()
    });
    let (mut text, mut balance) = (String::new(), SAVINGS_OPENING);
    for (number, month) in days.chunk_by(|one, next| one.month() == next.month()).enumerate() {
        let [Some(first), Some(last)] = [month.first(), month.last()] else { continue };
        let opening = balance;
        let mut lines = String::new();
        for day in month {
            let mut line = |name: &str, cents: i64| {
                balance += cents;
                let (day, amount) = (day.strftime("%y%m%d"), comma(cents));
                let _ = writeln!(lines, ":61:{day}C{amount}NTRFNONREF\n:86:{name}");
            };
            if Some(day) == returned {
                line("Gutschrift", LENT);
            }
            match (day.day(), day.month()) {
                (5, _) => line("Dauerauftrag Sparen", 40_000),
                (28, 3 | 6 | 9 | 12) => line("Zinsgutschrift", 1_835),
                _ => {}
            }
        }
        if Some(first.first_of_month()) == missing {
            continue;
        }
        let (from, to) = (first.strftime("%y%m%d"), last.strftime("%y%m%d"));
        let (opening, closing) = (comma(opening), comma(balance));
        let _ = write!(
            text,
            ":20:STATEMENT\n:25:10010010/4711000\n:28C:{number}\n:60F:C{from}USD{opening}\n\
             {lines}:62F:C{to}USD{closing}\n-\n"
        );
    }
    Statement {
        account: "Savings",
        file_name: "umsaetze.sta",
        // Because a month is missing, the balances at both ends don't come to each other.
        settings: &[("balance_check", "ignore")],
        text,
    }
}

fn comma(cents: i64) -> String {
    unsigned(cents).replace('.', ",")
}

/// A preamble, tabs, and two columns: what was spent and what was paid back. Also returns the
/// payments by day: each month what was spent since the last payment.
fn card(days: &[Date]) -> (Statement, BTreeMap<Date, i64>) {
    let mut dice = Dice(11);
    let mut payments = BTreeMap::new();
    let mut owed = 0;
    let mut text = String::from("Card statement\n\n");
    text.push_str("Date\tMerchant\tDebit\tCredit\tCategory\tTags\n");
    for day in days {
        let shown = day.strftime("%Y/%m/%d");
        if day.day() == 20 && owed > 0 {
            let paid = unsigned(owed);
            let _ = writeln!(text, "{shown}\tPayment received\t\t{paid}\tCard payment\t");
            payments.insert(*day, owed);
            owed = 0;
        }
        for (name, category, tag, low, high, often) in CARD {
            if dice.roll(100) < *often {
                let cents = dice.cents(*low, *high);
                owed += cents;
                let spent = unsigned(cents);
                let _ = writeln!(text, "{shown}\t{name}\t{spent}\t\t{category}\t{tag}");
            }
        }
    }
    (Statement { account: "Family card", file_name: "card.tsv", settings: &[], text }, payments)
}

fn unsigned(cents: i64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

fn signed(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}{}", unsigned(cents.abs()))
}
