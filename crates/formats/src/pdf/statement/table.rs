//! A document as a table in CSV, which an import reads as any other.

use std::io::{self, Write};

use jiff::civil::Date;

use super::dates::{DayOrder, WrittenDay};
use super::rows::Scanned;
use super::{Days, Reading};
use crate::sheets::{CsvWriter, SheetRow};

/// The columns where amounts are known to be money in or money out.
const DIRECTED: [&str; 8] =
    ["Date", "Name", "Money out", "Money in", "Balance", "Currency", "Notes", "Account"];
/// The columns where the sign of the amounts is only that of the balances.
const SIGNED: [&str; 7] = ["Date", "Name", "Amount", "Balance", "Currency", "Notes", "Account"];

/// What stands in every row.
#[derive(Debug, Clone, Default)]
pub(super) struct Common {
    pub(super) currency: String,
    pub(super) account: String,
}

pub(super) fn write(
    scanned: &Scanned,
    reading: &Reading,
    days: &Days,
    common: &Common,
    target: impl Write,
) -> io::Result<()> {
    let header: &[&str] = if reading.is_money { &DIRECTED } else { &SIGNED };
    let has_balance = reading.booked.iter().any(|row| row.balance.is_some());
    let is_kept = |name: &str| {
        (name != "Balance" || has_balance)
            && (name != "Account" || !common.account.is_empty())
            && (name != "Currency" || !common.currency.is_empty())
    };
    let mut writer = CsvWriter::new(target);
    let mut number = 0;
    let mut put = |cell: &dyn Fn(&str) -> String| {
        number += 1;
        let cells: Vec<String> =
            header.iter().filter(|name| is_kept(name)).map(|name| cell(name)).collect();
        writer.write(SheetRow { number, cells: &cells })
    };
    put(&|name| name.to_owned())?;
    let line =
        |name: &str, day: String, amount: i64, balance: Option<i64>, texts: &[String]| match name {
            "Date" => day,
            "Name" => texts.first().cloned().unwrap_or_default(),
            "Money out" if amount < 0 => money(amount.saturating_neg()),
            "Money in" if amount >= 0 => money(amount),
            "Amount" => money(amount),
            "Balance" => balance.map(money).unwrap_or_default(),
            "Currency" => common.currency.clone(),
            "Notes" => texts.get(1..).unwrap_or_default().join("; "),
            "Account" => common.account.clone(),
            _ => String::new(),
        };
    // The balances at the ends stand in their lines alone; a column has them already.
    let end = |text: &str, at: Option<usize>, amount: i64| {
        let day = at.map(|at| days.text(scanned.rows[at].day)).unwrap_or_default();
        let texts = [text.to_owned()];
        move |name: &str| line(name, day.clone(), amount, None, &texts)
    };
    let ends = [reading.booked.first(), reading.booked.last()].map(|row| row.map(|row| row.row));
    if let Some(opening) = reading.opening {
        put(&end("Opening balance", ends[0], opening))?;
    }
    for row in &reading.booked {
        let raw = &scanned.rows[row.row];
        let day = days.text(raw.day);
        put(&|name| line(name, day.clone(), row.amount, row.balance, &raw.texts))?;
    }
    if let Some(closing) = reading.closing {
        put(&end("Closing balance", ends[1], closing))?;
    }
    Ok(())
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
