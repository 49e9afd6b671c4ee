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

use facts::facts;

use crate::import::cells::CellsBuf;
use crate::import::columns::place_label;
use crate::text::date::is_day;

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
