//! Lines of text as a statement of a bank.
//!
//! A table is found by the names above its columns, which are those that imports know, and by
//! amounts that stand below each other. Which column is which, where signs belong and in which
//! order rows stand, is decided by the balances: the reading is taken under which they follow from
//! the amounts ([`reading`]). If none is proven, the first one is shown, and the import asks.

mod amounts;
mod dates;
mod facts;
mod header;
mod marks;
mod reading;
mod rows;
mod sections;
mod table;

use std::io::Write;

use super::error::{PdfError, Result};
use super::lines::Line;
use dates::{DayOrder, Period};
use purser_core::import::file_statement::FileStatement;
use purser_core::import::left_out::AnchorKind;
pub use reading::PdfProof;
use reading::{Booked, Reading};
use rows::{RawRow, Scanned};
use table::Common;

/// What is known of a document after it became a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PdfFacts {
    /// How many pages it has.
    pub pages: u32,
    /// How many rows the table has, those of balances not counted.
    pub rows: u64,
    /// What proves its rows.
    pub proof: PdfProof,
    /// What it states about itself.
    pub statement: FileStatement,
}

/// How the days of a document are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Days {
    /// None if both orders fit, so that a person has to decide.
    order: Option<DayOrder>,
    period: Period,
}

/// Finds the table in the lines, and writes it.
pub(super) fn write(lines: &[Line], pages: u32, target: impl Write) -> Result<PdfFacts> {
    let style = amounts::style_of(lines);
    let scanned = rows::scan(lines, style);
    let mut reading = reading::choose(&scanned).ok_or(PdfError::NoTable)?;
    if reading.proof != PdfProof::Proven && has_openings(&scanned) {
        return Err(PdfError::SeveralAccounts);
    }
    let days = days_of(lines, &scanned);
    oldest_first(&scanned, &days, &mut reading);
    hide_closing(&mut reading);
    let common = common(lines, &scanned);
    table::write(&scanned, &reading, &days, &common, target)
        .map_err(|_| PdfError::Damaged("its table can't be written"))?;
    let rows = u64::try_from(reading.booked.len()).unwrap_or(u64::MAX);
    let statement = facts::statement(lines, &common.account, days.period);
    Ok(PdfFacts { pages, rows, proof: reading.proof, statement })
}

/// Whether rows begin with different balances at several places, as those of several accounts do.
fn has_openings(scanned: &Scanned) -> bool {
    let openings = scanned.stated.iter().filter(|one| one.kind == AnchorKind::Opening);
    let mut openings = openings.map(|one| (one.place, one.found.signed()));
    let Some((place, amount)) = openings.next() else { return false };
    openings.any(|(its, other)| its != place && other != amount)
}

/// Sums don't show which row is the oldest one, but days do.
fn oldest_first(scanned: &Scanned, days: &Days, reading: &mut Reading) {
    let day = |row: Option<&Booked>| row.and_then(|row| days.date(scanned.rows[row.row].day));
    let (first, last) = (day(reading.booked.first()), day(reading.booked.last()));
    let has_balances = reading.booked.iter().any(|row| row.balance.is_some());
    if !has_balances && first.zip(last).is_some_and(|(first, last)| first > last) {
        reading.booked.reverse();
    }
}

/// If anything of the document contradicts its rows, the balances at its ends may still agree with
/// them. They must not look like a proof then.
fn hide_closing(reading: &mut Reading) {
    let sum = reading.booked.iter().try_fold(0_i64, |sum, row| sum.checked_add(row.amount));
    let comes_to = reading.opening.zip(sum).and_then(|(opening, sum)| opening.checked_add(sum));
    if reading.proof == PdfProof::Differs && comes_to == reading.closing {
        reading.closing = None;
    }
}

/// Finds out in which order day and month stand.
fn days_of(lines: &[Line], scanned: &Scanned) -> Days {
    let fits = |order: DayOrder| {
        let period = Period::find(lines, order);
        let day = |row: &RawRow| row.day.date(order, period.year_of(row.day, order));
        let days: Option<Vec<_>> = scanned.rows.iter().map(day).collect();
        // Rows stand in the order of their days, the oldest or the newest first.
        let days = days?;
        let is_sorted = days.is_sorted() || days.is_sorted_by(|one, next| one >= next);
        let is_inside = match (period.from, period.to) {
            (Some(from), Some(to)) => days.iter().all(|day| (from..=to).contains(day)),
            _ => true,
        };
        Some((Days { order: Some(order), period }, is_sorted, is_inside))
    };
    let (first, second) = (fits(DayOrder::DayFirst), fits(DayOrder::MonthFirst));
    let is_either = scanned.rows.iter().any(|row| row.day.is_either);
    match (first, second) {
        (Some((days, ..)), None) | (None, Some((days, ..))) => days,
        (Some((days, ..)), Some(_)) if !is_either => days,
        (Some((one, sorted, inside)), Some((two, sorted_two, inside_two))) => {
            match ((sorted && inside), (sorted_two && inside_two)) {
                (true, false) => one,
                (false, true) => two,
                _ => Days { order: None, ..one },
            }
        }
        (None, None) => {
            let order = DayOrder::DayFirst;
            Days { order: Some(order), period: Period::find(lines, order) }
        }
    }
}

/// Currency and account, if the document has exactly one.
fn common(lines: &[Line], scanned: &Scanned) -> Common {
    let amounts = scanned.rows.iter().flat_map(|row| row.cells.iter().map(|(_, found)| found));
    let stated = scanned.stated.iter().map(|stated| &stated.found);
    let of_amounts = amounts.chain(stated).filter_map(|found| found.currency);
    let of_header = scanned.header.iter().flat_map(|header| header.currencies.iter().copied());
    let mut currencies: Vec<&str> = of_amounts.chain(of_header).collect();
    currencies.sort_unstable();
    currencies.dedup();
    let currency = match currencies[..] {
        [only] => only.to_owned(),
        _ => String::new(),
    };
    Common { currency, account: iban(lines).unwrap_or_default() }
}

/// The international account number that a document has above its rows.
fn iban(lines: &[Line]) -> Option<String> {
    let mut found: Option<String> = None;
    for line in lines.iter().filter(|line| line.page == 1) {
        let text: String = line.text(0..line.words.len());
        for (at, _) in text.match_indices(|c: char| c.is_ascii_uppercase()) {
            let is_start = text[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
            let Some(number) = is_start.then(|| iban_at(&text[at..])).flatten() else { continue };
            if found.as_ref().is_some_and(|known| *known != number) {
                return None;
            }
            found = Some(number);
        }
    }
    found
}

/// An account number with its check digits, perhaps in groups.
fn iban_at(text: &str) -> Option<String> {
    let compact: String = text
        .chars()
        .take_while(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || *c == ' ')
        .filter(|c| *c != ' ')
        .take(34)
        .collect();
    let is_start = |number: &str| {
        let (country, rest) = number.split_at(2);
        country.bytes().all(|byte| byte.is_ascii_uppercase())
            && rest.bytes().take(2).all(|byte| byte.is_ascii_digit())
    };
    let is_valid = |number: &str| {
        let turned = number[4..].chars().chain(number[..4].chars());
        let rest = turned.filter_map(|c| c.to_digit(36)).fold(0_u64, |rest, digit| {
            (rest * if digit > 9 { 100 } else { 10 } + u64::from(digit)) % 97
        });
        rest == 1
    };
    (15..=compact.len())
        .rev()
        .map(|length| &compact[..length])
        .find(|number| is_start(number) && is_valid(number))
        .map(str::to_owned)
}
