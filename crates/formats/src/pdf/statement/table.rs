//! A document as a table in CSV, which an import reads as any other.

use std::borrow::Cow;
use std::io::{self, Write};

use jiff::civil::Date;
use purser_core::import::pdf::RECOGNISED;
use purser_core::import::transaction::ACCOUNT_OF_SEVERAL;

use super::dates::{DayOrder, WrittenDay};
use super::reading::Booked;
use super::rows::Scanned;
use super::{Days, Reading};
use crate::pdf::lines::Line;
use crate::sheets::{CsvWriter, SheetRow};

/// The columns where amounts are known to be money in or money out.
const DIRECTED: [&str; 9] = [
    "Date",
    "Name",
    "Money out",
    "Money in",
    "Balance",
    "Currency",
    "Notes",
    "Account",
    RECOGNISED,
];
/// The columns where the sign of the amounts is only that of the balances.
const SIGNED: [&str; 8] =
    ["Date", "Name", "Amount", "Balance", "Currency", "Notes", "Account", RECOGNISED];

/// What stands in every row.
#[derive(Debug, Clone, Default)]
pub(super) struct Common {
    pub(super) currency: String,
    pub(super) account: String,
}

/// What stands below each name of the header.
type CellOf<'c> = &'c dyn Fn(&str) -> String;

/// The rows of one account.
pub(super) struct Sheet<'l> {
    pub(super) scanned: Scanned,
    pub(super) reading: Reading,
    pub(super) days: Days,
    pub(super) common: Common,
    /// The lines that the rows are in.
    pub(super) lines: Cow<'l, [Line]>,
}

/// Writes the rows of all accounts. A column without cells shows that words were recognised.
pub(super) fn write(
    sheets: &[Sheet<'_>],
    is_recognised: bool,
    target: impl Write,
) -> io::Result<()> {
    let is_money = sheets.iter().all(|sheet| sheet.reading.is_money);
    let header: &[&str] = if is_money { &DIRECTED } else { &SIGNED };
    let any = |has: &dyn Fn(&Sheet<'_>) -> bool| sheets.iter().any(has);
    let has_balance =
        |sheet: &Sheet<'_>| sheet.reading.booked.iter().any(|row| row.balance.is_some());
    let (has_balance, has_account, has_currency) = (
        any(&has_balance),
        any(&|sheet| !sheet.common.account.is_empty()),
        any(&|sheet| !sheet.common.currency.is_empty()),
    );
    let is_kept = |name: &str| match name {
        "Balance" => has_balance,
        "Account" => has_account,
        "Currency" => has_currency,
        RECOGNISED => is_recognised,
        _ => true,
    };
    let mut writer = CsvWriter::new(target);
    let mut number = 0;
    let mut put = |cell: &dyn Fn(&str) -> String| {
        number += 1;
        let cells: Vec<String> =
            header.iter().filter(|name| is_kept(name)).map(|name| cell(name)).collect();
        writer.write(SheetRow { number, cells: &cells })
    };
    let is_available =
        any(&|sheet| sheet.scanned.header.as_ref().is_some_and(|header| header.is_available));
    put(&|name| match name {
        "Balance" if is_available => "Available balance".to_owned(),
        "Account" if sheets.len() > 1 => ACCOUNT_OF_SEVERAL.to_owned(),
        name => name.to_owned(),
    })?;
    sheets.iter().try_for_each(|sheet| sheet.put(&mut put))
}

impl Sheet<'_> {
    /// The row of the document that each line of the table is; none for those of balances.
    pub(super) fn rows(&self) -> Vec<Option<usize>> {
        let opening = self.reading.opening.map(|_| None);
        let closing = self.reading.closing.map(|_| None);
        let booked = self.reading.booked.iter().map(|row| Some(row.row));
        opening.into_iter().chain(booked).chain(closing).collect()
    }

    /// The balances that no line states, of one account among so many.
    pub(super) fn unstated_ends(&self, accounts: usize) -> Vec<String> {
        let account = &self.common.account;
        let of = if accounts > 1 { format!(" of the account {account}") } else { String::new() };
        let (opening, closing) = self.reading.states_ends;
        let first = format!(
            "No line states the balance before the first row{of}, so that its amount isn't \
             proven, and rows before it may be missing"
        );
        let last = format!(
            "No line states the balance after the last row{of}, so that rows behind it may be \
             missing"
        );
        let ends = [(opening, first), (closing, last)];
        ends.into_iter().filter(|(is_stated, _)| !is_stated).map(|(_, text)| text).collect()
    }

    /// The balances at the ends stand in lines of their own; a column has them already.
    fn put(&self, put: &mut dyn FnMut(CellOf<'_>) -> io::Result<()>) -> io::Result<()> {
        let Self { scanned, reading, days, .. } = self;
        let end = |text: &str, row: Option<&Booked>, amount: i64| {
            let day = row.map(|row| days.text(scanned.rows[row.row].day)).unwrap_or_default();
            let texts = [text.to_owned()];
            move |name: &str| self.cell(name, &day, amount, None, &texts)
        };
        if let Some(opening) = reading.opening {
            put(&end("Opening balance", reading.booked.first(), opening))?;
        }
        for row in &reading.booked {
            let raw = &scanned.rows[row.row];
            let day = days.text(raw.day);
            put(&|name| self.cell(name, &day, row.amount, row.balance, &raw.texts))?;
        }
        if let Some(closing) = reading.closing {
            put(&end("Closing balance", reading.booked.last(), closing))?;
        }
        Ok(())
    }

    /// What stands below a name of the header.
    fn cell(
        &self,
        name: &str,
        day: &str,
        amount: i64,
        balance: Option<i64>,
        texts: &[String],
    ) -> String {
        match name {
            "Date" => day.to_owned(),
            "Name" => texts.first().map(|text| printable(text)).unwrap_or_default(),
            "Money out" if amount < 0 => money(amount.saturating_neg()),
            "Money in" if amount >= 0 => money(amount),
            "Amount" => money(amount),
            "Balance" => balance.map(money).unwrap_or_default(),
            "Currency" => self.common.currency.clone(),
            "Notes" => printable(&texts.get(1..).unwrap_or_default().join("; ")),
            "Account" => self.common.account.clone(),
            _ => String::new(),
        }
    }
}

/// A text that is one line: fonts may call a letter anything.
fn printable(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// Hundredths as a plain decimal number.
fn money(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    let cents = cents.unsigned_abs();
    format!("{sign}{}.{:02}", cents / 100, cents % 100)
}

impl Days {
    /// A day, if it is known.
    pub(super) fn date(&self, day: WrittenDay) -> Option<Date> {
        let order = self.order?;
        day.date(order, self.period.year_of(day, order))
    }

    /// A day for the table: as a date, or as it is written if the order of its numbers isn't known.
    fn text(&self, day: WrittenDay) -> String {
        let year = day.year.or_else(|| self.period.year_of(day, DayOrder::DayFirst));
        match (self.date(day), year) {
            (Some(date), _) => date.to_string(),
            // All of them are written so, and a person is asked once.
            (None, Some(year)) if self.order.is_none() => {
                format!("{:02}/{:02}/{year}", day.first, day.second)
            }
            _ => format!("{:02}/{:02}", day.first, day.second),
        }
    }
}
