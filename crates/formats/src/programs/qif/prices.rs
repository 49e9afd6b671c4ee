//! Prices of securities: `"ACM",10.50,"1/15'06"`, one on each line.

use std::io::{Cursor, Write};

use purser_core::import::register::PRICE;

use super::record::{Fields, day, fraction_as_decimal};
use super::sections::PRICE_LINE;
use super::securities::Securities;
use crate::csv::Reader;
use crate::programs::RewriteError;
use crate::programs::register::{Entry, Register, TradeCells};

const NO_PRICE: &str = "The line has no symbol, price and day";
const NO_SECURITY: &str = "The line names a security that the file doesn't describe";

/// Writes what a line states.
pub(super) fn write<W: Write>(
    fields: &Fields,
    has_apostrophes: bool,
    securities: &Securities,
    register: &mut Register<W>,
) -> Result<(), RewriteError> {
    let mut reader = Reader::new(Cursor::new(fields.get(PRICE_LINE)), b',');
    let cells: Vec<String> = match reader.read() {
        Ok(Some(record)) => record.cells.iter().map(|cell| cell.trim().to_owned()).collect(),
        _ => Vec::new(),
    };
    let (symbol, price, date) = match cells.as_slice() {
        [symbol, price, date] => (symbol.as_str(), price.as_str(), date.as_str()),
        _ => ("", "", ""),
    };
    let security = securities.by_symbol(symbol);
    let problem = match &security {
        _ if symbol.is_empty() || price.is_empty() || date.is_empty() => NO_PRICE,
        None => NO_SECURITY,
        Some(_) => "",
    };
    let security = security.unwrap_or_default();
    Ok(register.push(&Entry {
        line: fields.line,
        role: PRICE,
        account: &security.depot,
        date: &day(date, has_apostrophes),
        amounts: &[""],
        trade: TradeCells {
            ticker: &security.ticker,
            isin: &security.isin,
            security: &security.name,
            price: &fraction_as_decimal(price),
            ..TradeCells::default()
        },
        problem,
        ..Entry::default()
    })?)
}
