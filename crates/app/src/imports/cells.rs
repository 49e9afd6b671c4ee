//! The names of the cells of a row.

use purser_core::import::columns::label_key;
use purser_core::import::layout::Layout;
use purser_core::limits::CSV_COLUMNS_MAX;

/// The column of a header, else of a number counted from 1 (`3`, or `#3` if that is a header). Of
/// equal headers the first counts, as everywhere. Cells behind the header can be corrected too:
/// they are what makes some rows invalid.
pub(super) fn column_of(name: &str, layout: &Layout) -> Option<usize> {
    let key = label_key(name);
    let headers = &layout.headers;
    let known = headers.iter().position(|header| !key.is_empty() && label_key(header) == key);
    known.or_else(|| {
        let name = name.trim();
        let number: usize = name.strip_prefix('#').unwrap_or(name).parse().ok()?;
        number.checked_sub(1).filter(|column| *column < CSV_COLUMNS_MAX)
    })
}

/// The names of the cells of a row: those of the header, or their numbers where the header has none
/// or the same twice.
pub fn cell_names(layout: &Layout) -> Vec<String> {
    let names = layout.headers.iter().enumerate();
    let name = |(column, header): (usize, &String)| match column_of(header, layout) {
        Some(first) if first == column => header.clone(),
        _ => {
            let number = (column + 1).to_string();
            let is_header = column_of(&number, layout) != Some(column);
            if is_header { format!("#{number}") } else { number }
        }
    };
    names.map(name).collect()
}
