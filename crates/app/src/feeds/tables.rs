//! Files of rates and prices that people bring. Only days that entries may have are accepted.

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ledger::input::entry_days;
use purser_core::rates::StatedRate;
use purser_formats::feeds::{self, FeedError, PROBLEMS_MAX};
use purser_store::prices::import::FilePrice;

/// The rates of a file, of days that entries may have today.
pub fn rates(file: &[u8], today: Date) -> Result<Vec<StatedRate>> {
    let lines = feeds::rates::read(file).map_err(unreadable)?;
    require_days(today, lines.iter().map(|line| (line.line, line.stated.date)))?;
    Ok(lines.into_iter().map(|line| line.stated).collect())
}

/// The prices of a file, of days that entries may have today.
pub fn prices(file: &[u8], today: Date) -> Result<Vec<FilePrice>> {
    let lines = feeds::prices::read_table(file).map_err(unreadable)?;
    require_days(today, lines.iter().map(|line| (line.price.line, line.price.date)))?;
    let price = |line: feeds::prices::TickerLine| FilePrice {
        line: line.price.line,
        ticker: line.ticker,
        exchange_operating_mic: line.exchange_operating_mic,
        date: line.price.date,
        currency: line.price.currency,
        price: line.price.price,
    };
    Ok(lines.into_iter().map(price).collect())
}

fn require_days(today: Date, days: impl Iterator<Item = (u64, Date)>) -> Result<()> {
    let (first, last) = entry_days(today);
    let wrong = days.filter(|(_, date)| *date < first || *date > last).take(PROBLEMS_MAX);
    let problems: Vec<String> = wrong
        .map(|(line, date)| format!("Line {line}: {date} is not from {first} to {last}"))
        .collect();
    if problems.is_empty() { Ok(()) } else { Err(refused(problems)) }
}

fn unreadable(error: FeedError) -> Error {
    refused(error.texts())
}

fn refused(problems: Vec<String>) -> Error {
    Error::invalid_list("validation_failed", problems)
}
