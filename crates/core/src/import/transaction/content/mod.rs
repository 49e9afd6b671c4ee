//! What the columns of a file hold, by their cells alone: for files without a header, and for
//! headers with blank cells.
//!
//! The first records are looked at. What leaves no doubt is taken: one column of days, one column
//! of amounts. Two columns that could be the same are a question with a proposal
//! ([`LayoutProblem::WhichColumn`](crate::import::layout_problem::LayoutProblem::WhichColumn)); of
//! amounts the running balance may still decide. [`shape`] is what a file without a header is
//! recognised by when the next one of its kind comes.

mod amounts;
mod complete;
mod facts;
mod texts;

pub use complete::{complete, is_needed};

use facts::{Facts, facts};

use crate::import::cells::CellsBuf;
use crate::import::columns::place_label;
use crate::import::transaction::interpret::is_placeholder;
use crate::text::Detection;
use crate::text::date::{DateFormat, DateFormatDetector, is_day};
use crate::text::number::{NumberFormat, NumberFormatDetector};

/// Records that are looked at.
pub const SAMPLE_RECORDS: usize = 300;
/// Records that the shape is made of: as many as are read to find out how the file is divided.
pub const SHAPE_RECORDS: usize = 50;

/// Cells that are looked at; of files with very many columns fewer records are.
const SAMPLE_CELLS: usize = 12_000;
/// So many records are always looked at.
const SAMPLE_RECORDS_MIN: usize = 30;

/// The labels of so many columns without a header.
pub fn place_labels(columns: usize) -> Vec<String> {
    (0..columns).map(place_label).collect()
}

/// Whether a record has a day in a cell of its own.
pub fn has_day<'r>(mut cells: impl Iterator<Item = &'r str>) -> bool {
    cells.any(is_day)
}

/// Records that have a day, which totals and remarks don't; all records if none has.
pub fn dated(records: &[CellsBuf]) -> Vec<&CellsBuf> {
    let dated: Vec<&CellsBuf> =
        records.iter().filter(|record| has_day(record.as_cells().iter())).collect();
    if dated.is_empty() { records.iter().collect() } else { dated }
}

/// Columns in which nearly every record has a day.
pub fn columns_of_days(records: &[CellsBuf], columns: usize) -> Vec<usize> {
    columns_with(records, columns, Facts::are_days)
}

/// Columns with numbers that look like amounts.
pub fn columns_of_amounts(records: &[CellsBuf], columns: usize) -> Vec<usize> {
    columns_with(records, columns, Facts::are_amounts)
}

fn columns_with(
    records: &[CellsBuf],
    columns: usize,
    is_so: impl Fn(&Facts) -> bool,
) -> Vec<usize> {
    let facts = facts(&dated(records), columns);
    (0..columns).filter(|column| facts.get(*column).is_some_and(&is_so)).collect()
}

/// The format that reads the days of a column, if the cells leave no doubt.
pub fn format_of_days(records: &[CellsBuf], column: usize) -> Option<DateFormat> {
    let mut detector = DateFormatDetector::new();
    dated(records).iter().for_each(|record| detector.observe(record.as_cells().get(column)));
    match detector.finish(None) {
        Detection::One(format) | Detection::None { best: format } => Some(format),
        Detection::Ambiguous(..) | Detection::Empty => None,
    }
}

/// The format that reads the numbers of a column, if the cells leave no doubt.
pub fn format_of_amounts(records: &[CellsBuf], column: usize) -> Option<NumberFormat> {
    let mut detector = NumberFormatDetector::new();
    let dated = dated(records);
    let cells = dated.iter().map(|record| record.as_cells().get(column));
    cells.filter(|cell| !is_placeholder(cell)).for_each(|cell| detector.observe(cell));
    match detector.finish(None) {
        Detection::One(format) | Detection::None { best: format } => Some(format),
        Detection::Ambiguous(..) | Detection::Empty => None,
    }
}

/// What a file without a header is recognised by: how many columns it has, which of them hold days
/// and which amounts with decimals, and how both are written. What differs from one month to the
/// next (texts, whole numbers, blank cells) doesn't count.
pub fn shape(records: &[CellsBuf], columns: usize) -> String {
    let records = dated(records.get(..SHAPE_RECORDS).unwrap_or(records));
    let parts: Vec<String> = facts(&records, columns)
        .iter()
        .map(|column| match (column.are_days(), column.decimal_mark) {
            (true, _) => format!("day {}", pattern(&column.first)),
            (false, Some(mark)) if column.are_numbers() => format!("number {mark}"),
            _ => "other".to_owned(),
        })
        .collect();
    parts.join("\u{1f}")
}

/// The form of a day: its digits as `9`, its letters as `a`, however many these are.
fn pattern(cell: &str) -> String {
    let mut pattern = String::new();
    for c in cell.chars() {
        let class = match c {
            _ if c.is_ascii_digit() => '9',
            _ if c.is_alphabetic() => 'a',
            _ => c,
        };
        if !pattern.ends_with(class) {
            pattern.push(class);
        }
    }
    pattern
}

#[cfg(test)]
mod tests;
