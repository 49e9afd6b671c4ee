//! Answers to where the year stands in dates with two digits of it.

use super::{Reading, order_of};
use crate::import::cells::CellsBuf;
use crate::import::layout::Layout;
use crate::text::date::DateFormat;

/// The order that was found, and those with the year at the other end that read the dates, too.
pub(super) fn orders(layout: &Layout, records: &[CellsBuf]) -> Vec<Reading> {
    let (Some(found), Some(column)) = (&layout.date_format, layout.columns.date) else {
        return Vec::new();
    };
    let mut patterns = vec![found.clone()];
    for other in ["%d", "%m"] {
        patterns.push(swapped(found, other, "%y"));
    }
    patterns.push(swapped(&swapped(found, "%d", "%y"), "%d", "%m"));
    let reads_all = |pattern: &String| {
        DateFormat::new(pattern).is_ok_and(|format| {
            let mut cells = records.iter().map(|record| record.as_cells().get(column));
            cells.all(|cell| cell.is_empty() || format.parse(cell).is_ok())
        })
    };
    patterns.dedup();
    let reading = |pattern: &String| {
        Reading::new(layout, ("date_format", pattern), order_of(pattern), |layout| {
            layout.date_format = Some(pattern.clone());
        })
    };
    patterns.iter().filter(|pattern| reads_all(pattern)).map(reading).collect()
}

/// A pattern with two of its fields in each other's places.
fn swapped(pattern: &str, one: &str, other: &str) -> String {
    pattern.replace(one, "\0").replace(other, one).replace('\0', other)
}
