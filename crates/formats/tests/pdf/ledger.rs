//! Statements as banks lay them out, made by chance from a seed.

use crate::random::Random;
use crate::writing::{Page, Style};

/// A booking: the day of the month, its text, and hundredths with money in as positive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Booking {
    pub(crate) day: i64,
    pub(crate) text: Vec<String>,
    pub(crate) cents: i64,
}

/// What a statement of January 2026 is about.
#[derive(Debug, Clone)]
pub(crate) struct Ledger {
    pub(crate) opening: i64,
    pub(crate) bookings: Vec<Booking>,
}

/// How a bank lays out its statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Debit, credit and balance; days without a year, a minus behind the number.
    German,
    /// One column with signs and the balance; the month comes first.
    American,
    /// The day only beside its first row, the balance only beside its last one.
    British,
    /// The newest row first, no balance beside the rows.
    French,
    /// What was spent has no sign, what was paid has `CR`; the balance is owed.
    Card,
    /// Money in and money out under headings of their own, without signs.
    Sections,
    /// As the American one, but no line states the balances at the ends.
    Chain,
}

impl Layout {
    /// Those that state the balances at both ends.
    pub(crate) const ALL: [Self; 6] =
        [Self::German, Self::American, Self::British, Self::French, Self::Card, Self::Sections];
}

const TEXTS: [&str; 6] =
    ["Bakery", "Salary ACME", "Rent", "Card 1234 Coffee", "Transfer 55 12", "Market (Main St.)"];

impl Ledger {
    pub(crate) fn new(random: &mut Random, rows: usize) -> Self {
        let mut day = 1;
        let bookings = (0..rows).map(|_| {
            day = (day + i64::from(random.one_in(3))).min(28);
            let wrapped = random.one_in(4);
            let mut text: Vec<String> = vec![(*random.pick(&TEXTS)).to_owned()];
            if wrapped {
                text.push("and what it was for".to_owned());
            }
            let cents = random.between(1, 2_000_000);
            let cents = if random.one_in(3) { cents } else { -(cents / 10) - 1 };
            Booking { day, text, cents }
        });
        let bookings = bookings.collect();
        let opening = random.between(100, 500_000);
        Self { opening, bookings }
    }

    pub(crate) fn closing(&self) -> i64 {
        self.opening + self.bookings.iter().map(|one| one.cents).sum::<i64>()
    }
}

/// `1,234.50` or `1.234,50`, without a sign.
fn plain(cents: i64, group: char, mark: char) -> String {
    let cents = cents.abs();
    let whole = (cents / 100).to_string();
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push(group);
        }
        grouped.push(digit);
    }
    format!("{grouped}{mark}{:02}", cents % 100)
}

fn german(cents: i64) -> String {
    format!("{}{}", plain(cents, '.', ','), if cents < 0 { "-" } else { "" })
}

fn english(cents: i64) -> String {
    format!("{}{}", if cents < 0 { "-" } else { "" }, plain(cents, ',', '.'))
}

fn french(cents: i64) -> String {
    format!("{}{}", if cents < 0 { "-" } else { "" }, plain(cents, ' ', ','))
}

/// Writes lines from the top of a page to its end, and then on the next one.
struct Sheet {
    pages: Vec<Page>,
    y: i64,
    style: Style,
    header: Vec<(i64, bool, &'static str)>,
    /// The account is named by the layout itself.
    has_iban: bool,
}

const TOP: i64 = 780;

impl Sheet {
    fn new(style: Style) -> Self {
        Self { pages: vec![Page::default()], y: TOP, style, header: Vec::new(), has_iban: true }
    }

    /// Cells with the place at which they begin, or end if they are amounts.
    fn line(&mut self, cells: &[(i64, bool, &str)]) {
        let page = self.pages.last_mut().unwrap();
        for (x, is_right, text) in cells.iter().filter(|(_, _, text)| !text.is_empty()) {
            match is_right {
                true => page.right(*x, self.y, text, self.style),
                false => page.left(*x, self.y, text),
            }
        }
        self.y -= 12;
    }

    fn header(&mut self, cells: &[(i64, bool, &'static str)]) {
        self.header = cells.to_vec();
        self.line(cells);
    }

    /// Begins a page with the header again if the rows of one booking don't fit.
    fn room(&mut self, lines: usize) {
        if self.y < 60 + 12 * i64::try_from(lines).unwrap() {
            self.pages.push(Page::default());
            self.y = TOP;
            self.line(&[(40, false, "First Example Bank")]);
            self.line(&self.header.clone());
        }
    }

    fn gap(&mut self) {
        self.y -= 24;
    }
}

/// The text of a booking below each other, with the amounts beside its first line.
fn booking(sheet: &mut Sheet, day: &str, one: &Booking, amounts: &[(i64, bool, &str)]) {
    sheet.room(one.text.len());
    let mut cells = vec![(40, false, day), (110, false, one.text[0].as_str())];
    cells.extend(amounts);
    sheet.line(&cells);
    for more in &one.text[1..] {
        sheet.line(&[(110, false, more)]);
    }
}

pub(crate) fn pages(ledger: &Ledger, layout: Layout, style: Style) -> Vec<Page> {
    pages_under(ledger, layout, style, "", None).0
}

/// The same with a line that names the account, below a height of a page if there is one. Also
/// returns the height at which it ends.
pub(crate) fn pages_under(
    ledger: &Ledger,
    layout: Layout,
    style: Style,
    account: &str,
    begun: Option<(Page, i64)>,
) -> (Vec<Page>, i64) {
    let mut sheet = Sheet::new(style);
    match begun {
        Some((page, y)) => {
            sheet.y = y - 24;
            sheet.pages = vec![page];
        }
        None => sheet.line(&[(40, false, "First Example Bank")]),
    }
    sheet.has_iban = account.is_empty();
    if !account.is_empty() {
        sheet.line(&[(40, false, account)]);
    }
    match layout {
        Layout::German => german_pages(&mut sheet, ledger),
        Layout::American => american_pages(&mut sheet, ledger, true),
        Layout::Chain => american_pages(&mut sheet, ledger, false),
        Layout::British => british_pages(&mut sheet, ledger),
        Layout::French => french_pages(&mut sheet, ledger),
        Layout::Card => card_pages(&mut sheet, ledger),
        Layout::Sections => section_pages(&mut sheet, ledger),
    }
    sheet.gap();
    sheet.line(&[(40, false, "Complaints within 6 weeks. Page 1 of 1")]);
    (sheet.pages, sheet.y)
}

fn german_pages(sheet: &mut Sheet, ledger: &Ledger) {
    sheet.line(&[(40, false, "Kontoauszug vom 01.01.2026 bis 31.01.2026")]);
    if sheet.has_iban {
        sheet.line(&[(40, false, "IBAN DE89 3704 0044 0532 0130 00")]);
    }
    sheet.line(&[(40, false, "Anfangssaldo"), (560, true, &german(ledger.opening))]);
    sheet.header(&[
        (40, false, "Buchung"),
        (110, false, "Verwendungszweck"),
        (400, true, "Soll"),
        (480, true, "Haben"),
        (560, true, "Saldo"),
    ]);
    let mut balance = ledger.opening;
    for one in &ledger.bookings {
        balance += one.cents;
        let amount = plain(one.cents, '.', ',');
        let side = if one.cents < 0 { 400 } else { 480 };
        let day = format!("{:02}.01.", one.day);
        booking(sheet, &day, one, &[(side, true, &amount), (560, true, &german(balance))]);
    }
    sheet.gap();
    sheet.line(&[(40, false, "Endsaldo"), (560, true, &format!("{} EUR", german(balance)))]);
}

fn american_pages(sheet: &mut Sheet, ledger: &Ledger, has_ends: bool) {
    sheet.line(&[(40, false, "Statement period: January 1, 2026 - January 31, 2026")]);
    if has_ends {
        sheet.line(&[(40, false, "Beginning balance"), (300, false, "Ending balance")]);
        let ends = [english(ledger.opening), english(ledger.closing())];
        sheet.line(&[(40, false, &format!("${}", ends[0])), (300, false, &ends[1])]);
    }
    sheet.gap();
    sheet.header(&[
        (40, false, "Date"),
        (110, false, "Description"),
        (470, true, "Amount"),
        (560, true, "Balance"),
    ]);
    let mut balance = ledger.opening;
    for one in &ledger.bookings {
        balance += one.cents;
        let day = format!("01/{:02}", one.day);
        let amounts = [english(one.cents), english(balance)];
        booking(sheet, &day, one, &[(470, true, &amounts[0]), (560, true, &amounts[1])]);
    }
}

fn british_pages(sheet: &mut Sheet, ledger: &Ledger) {
    let balance_text =
        |cents: i64| format!("{}{}", plain(cents, ',', '.'), if cents < 0 { " DR" } else { "" });
    sheet.line(&[(40, false, "01 January 2026 to 31 January 2026")]);
    sheet.header(&[
        (40, false, "Date"),
        (110, false, "Details"),
        (400, true, "Paid out"),
        (480, true, "Paid in"),
        (560, true, "Balance"),
    ]);
    let opening = balance_text(ledger.opening);
    sheet.line(&[
        (40, false, "01 Jan 26"),
        (110, false, "Balance brought forward"),
        (560, true, &opening),
    ]);
    let mut balance = ledger.opening;
    for (at, one) in ledger.bookings.iter().enumerate() {
        balance += one.cents;
        let is_first = at == 0 || ledger.bookings[at - 1].day != one.day;
        let is_last = ledger.bookings.get(at + 1).is_none_or(|next| next.day != one.day);
        let day = if is_first { format!("{:02} Jan 26", one.day) } else { String::new() };
        let amount = plain(one.cents, ',', '.');
        let side = if one.cents < 0 { 400 } else { 480 };
        let after = if is_last { balance_text(balance) } else { String::new() };
        booking(sheet, &day, one, &[(side, true, &amount), (560, true, &after)]);
    }
    sheet.line(&[
        (40, false, "31 Jan 26"),
        (110, false, "Balance carried forward"),
        (560, true, &balance_text(balance)),
    ]);
}

fn french_pages(sheet: &mut Sheet, ledger: &Ledger) {
    sheet.line(&[(40, false, "Relevé du 01/01/2026 au 31/01/2026")]);
    let ends = [french(ledger.opening), french(ledger.closing())];
    sheet.line(&[(40, false, "Nouveau solde au 31/01/2026"), (560, true, &ends[1])]);
    sheet.header(&[
        (40, false, "Date"),
        (110, false, "Libellé"),
        (470, true, "Débit"),
        (560, true, "Crédit"),
    ]);
    for one in ledger.bookings.iter().rev() {
        let amount = plain(one.cents, ' ', ',');
        let side = if one.cents < 0 { 470 } else { 560 };
        booking(sheet, &format!("{:02}/01/2026", one.day), one, &[(side, true, &amount)]);
    }
    sheet.gap();
    sheet.line(&[(40, false, "Ancien solde au 01/01/2026"), (560, true, &ends[0])]);
}

fn card_pages(sheet: &mut Sheet, ledger: &Ledger) {
    let owed =
        |cents: i64| format!("{}{}", plain(cents, ',', '.'), if cents > 0 { "CR" } else { "" });
    sheet.line(&[(40, false, "Statement date 31 January 2026")]);
    sheet.line(&[(40, false, "Previous balance"), (300, true, &owed(ledger.opening))]);
    sheet.line(&[(40, false, "New balance"), (300, true, &owed(ledger.closing()))]);
    sheet.gap();
    sheet.header(&[(40, false, "Date"), (110, false, "Description"), (560, true, "Amount")]);
    for one in &ledger.bookings {
        let day = format!("{} Jan", one.day);
        booking(sheet, &day, one, &[(560, true, &owed(one.cents))]);
    }
}

fn section_pages(sheet: &mut Sheet, ledger: &Ledger) {
    sheet.line(&[(40, false, "Opening balance"), (300, true, &english(ledger.opening))]);
    sheet.line(&[(40, false, "Closing balance"), (300, true, &english(ledger.closing()))]);
    sheet.gap();
    sheet.header(&[(40, false, "Date"), (110, false, "Description"), (560, true, "Amount")]);
    for (heading, is_in) in [("Deposits and other credits", true), ("Withdrawals", false)] {
        sheet.gap();
        sheet.room(3);
        sheet.line(&[(40, false, heading)]);
        for one in ledger.bookings.iter().filter(|one| (one.cents > 0) == is_in) {
            let day = format!("2026-01-{:02}", one.day);
            booking(sheet, &day, one, &[(560, true, &plain(one.cents, ',', '.'))]);
        }
    }
}
