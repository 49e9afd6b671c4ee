//! The European Central Bank's reference rates: its daily file and its history.
//!
//! As CSV: a header of currency codes, a row for each day (`17 May 2024` in the daily file,
//! `2024-05-17` in the history), `N/A` where there is no rate. As XML: `Cube` elements with a day,
//! and in them `Cube` elements with a currency and a rate. Currencies that no longer exist and that
//! this program doesn't know are left out: their amounts can't be either.

use jiff::civil::Date;
use purser_core::ledger::input::calendar_date;
use purser_core::money::Currency;
use purser_core::rates::StatedRate;

use super::rates::{RateLine, decimal};
use super::table::Table;
use super::{FeedError, ROWS_MAX, RowProblems, quoted};

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A column for each currency.
pub(super) fn table(mut table: Table<'_>) -> Result<Vec<RateLine>, FeedError> {
    let date = table.require(&["date"])?;
    let mut columns = Vec::new();
    for (column, code) in table.header().iter().enumerate() {
        if column == date || code.is_empty() {
            continue;
        }
        if code.len() != 3 || !code.bytes().all(|byte| byte.is_ascii_uppercase()) {
            let mut problems = RowProblems::new();
            let problem = format!("{} is not the code of a currency such as USD", quoted(code));
            problems.push(table.header_line(), problem);
            problems.into_result()?;
        }
        let known = Currency::parse(code).filter(|currency| *currency != Currency::EUR);
        columns.extend(known.map(|currency| (column, currency)));
    }
    let (mut rates, mut problems) = (Vec::new(), RowProblems::new());
    while let Some(row) = table.next()? {
        let Some(day) = day(row.cell(date)) else {
            let problem = format!("{} is not a day such as 2026-01-31", quoted(row.cell(date)));
            problems.push(row.line, problem);
            continue;
        };
        for &(column, quote) in &columns {
            let cell = row.cell(column);
            if cell == "N/A" || (cell.is_empty() && column < row.len()) {
                continue;
            }
            match decimal(&format!("rate of {}", quote.code()), cell) {
                Ok(rate) => rates.push(line(row.line, quote, day, rate)),
                Err(problem) => problems.push(row.line, problem),
            }
        }
        if problems.is_full() {
            break;
        }
        if rates.len() > ROWS_MAX {
            return Err(FeedError::too_many_rows());
        }
    }
    problems.into_result()?;
    Ok(rates)
}

fn line(line: u64, quote: Currency, date: Date, rate: rust_decimal::Decimal) -> RateLine {
    RateLine { line, stated: StatedRate { base: Currency::EUR, quote, date, rate } }
}

/// `2024-05-17` or `17 May 2024`.
fn day(cell: &str) -> Option<Date> {
    if let Some(day) = calendar_date(cell) {
        return Some(day);
    }
    let mut words = cell.split(' ');
    let (day, month, year) = (words.next()?, words.next()?, words.next()?);
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if words.next().is_some() || !is_number(day) || !is_number(year) || year.len() != 4 {
        return None;
    }
    let month = MONTHS.iter().position(|name| *name == month)?;
    Date::new(year.parse().ok()?, i8::try_from(month + 1).ok()?, day.parse().ok()?).ok()
}

/// Elements with days, and in them elements with rates.
pub(super) fn xml(text: &str) -> Result<Vec<RateLine>, FeedError> {
    let (mut rates, mut problems) = (Vec::new(), RowProblems::new());
    let mut today: Option<Date> = None;
    let mut rest = Elements { text, at: 0, line: 1 };
    while let Some(element) = rest.next_cube()? {
        let Cube { line: at, time, currency, rate } = element;
        if let Some(time) = time {
            today = day(time);
            if today.is_none() {
                problems.push(at, format!("{} is not a day such as 2026-01-31", quoted(time)));
            }
        }
        let (code, rate) = match (currency, rate) {
            (None, None) => continue,
            (Some(code), Some(rate)) => (code, rate),
            (None, Some(_)) | (Some(_), None) => {
                problems.push(at, "A rate is missing, or its currency");
                continue;
            }
        };
        let Some(day) = today else {
            problems.push(at, "A rate stands before any day");
            continue;
        };
        let Some(quote) = Currency::parse(code).filter(|quote| *quote != Currency::EUR) else {
            continue;
        };
        match decimal("rate", rate) {
            Ok(rate) => rates.push(line(at, quote, day, rate)),
            Err(problem) => problems.push(at, problem),
        }
        if problems.is_full() {
            break;
        }
        if rates.len() > ROWS_MAX {
            return Err(FeedError::too_many_rows());
        }
    }
    problems.into_result()?;
    Ok(rates)
}

/// The attributes of a `Cube` element.
struct Cube<'t> {
    line: u64,
    time: Option<&'t str>,
    currency: Option<&'t str>,
    rate: Option<&'t str>,
}

/// Goes from element to element. Everything between them is passed over.
struct Elements<'t> {
    text: &'t str,
    at: usize,
    line: u64,
}

impl<'t> Elements<'t> {
    fn next_cube(&mut self) -> Result<Option<Cube<'t>>, FeedError> {
        loop {
            let Some(open) = self.text[self.at..].find('<') else { return Ok(None) };
            self.go_to(self.at + open);
            let rest = &self.text[self.at..];
            if rest.starts_with("<!--") {
                let end = rest.find("-->").ok_or_else(|| self.cut("A comment"))?;
                self.go_to(self.at + end + 3);
                continue;
            }
            let end = rest.find('>').ok_or_else(|| self.cut("An element"))?;
            let inside = rest[1..end].trim_end_matches('/');
            let line = self.line;
            self.go_to(self.at + end + 1);
            let name = inside.split(char::is_whitespace).next().unwrap_or_default();
            if name == "Cube" {
                return cube(line, &inside[name.len()..]).map(Some);
            }
        }
    }

    fn go_to(&mut self, at: usize) {
        self.line += self.text[self.at..at].bytes().filter(|byte| *byte == b'\n').count() as u64;
        self.at = at;
    }

    fn cut(&self, what: &str) -> FeedError {
        FeedError::one(format!("Line {}: {what} is cut off", self.line))
    }
}

/// Reads `name='value'` and `name="value"` until the end of an element.
fn cube(line: u64, attributes: &str) -> Result<Cube<'_>, FeedError> {
    let unreadable = || FeedError::one(format!("Line {line}: An attribute can't be read"));
    let mut cube = Cube { line, time: None, currency: None, rate: None };
    let mut rest = attributes.trim();
    while !rest.is_empty() {
        let (name, after) = rest.split_once('=').ok_or_else(unreadable)?;
        let after = after.trim_start();
        let quote = after.chars().next().filter(|quote| ['\'', '"'].contains(quote));
        let quote = quote.ok_or_else(unreadable)?;
        let (value, after) = after[1..].split_once(quote).ok_or_else(unreadable)?;
        match name.trim() {
            "time" => cube.time = Some(value),
            "currency" => cube.currency = Some(value),
            "rate" => cube.rate = Some(value),
            _ => {}
        }
        rest = after.trim_start();
    }
    Ok(cube)
}
