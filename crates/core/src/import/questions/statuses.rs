//! Answers to what the words of a status mean that nobody knows.

use super::Reading;
use crate::import::layout::Layout;
use crate::import::row_filter::{ColumnFilter, RowCondition};
use crate::import::transaction::columns::position;
use crate::text::quoted;

/// The column of the status that a question names.
pub(super) fn column(layout: &Layout, header: &str) -> Option<usize> {
    layout.columns.statuses().find(|column| quoted(&layout.header(*column)) == header)
}

/// Rows with the unknown words are taken, as those with the words for booked are; or left out.
pub(super) fn readings(
    layout: &Layout,
    header: &str,
    booked: &[String],
    unknown: &[String],
) -> Vec<Reading> {
    let Some(column) = column(layout, header).filter(|_| !unknown.is_empty()) else {
        return Vec::new();
    };
    let listed: Vec<String> = unknown.iter().map(|word| format!("\"{word}\"")).collect();
    let reading = |is_not: bool, values: Vec<String>, what: &str| {
        let condition = RowCondition { column: layout.header(column), is_not, values };
        let filter = layout.written_filter().with(condition);
        let meaning = format!("rows with {} in \"{header}\" are {what}", listed.join(", "));
        Reading::new(layout, ("row_filter", &filter.to_string()), meaning, |layout| {
            let position = |label: &str| position(&layout.headers, label);
            layout.row_filter = ColumnFilter::new(&filter, position).ok().flatten();
        })
    };
    let taken = booked.iter().chain(unknown).cloned().collect();
    vec![reading(false, taken, "taken"), reading(true, unknown.to_vec(), "left out")]
}
