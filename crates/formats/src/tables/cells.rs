//! Cells of tables: numbers, tags, and texts that no spreadsheet executes.

use std::borrow::Cow;
use std::io::{self, Write};

use purser_core::text::formula;

pub(super) fn is_zero(number: &str) -> bool {
    !number.bytes().any(|byte| matches!(byte, b'1'..=b'9'))
}

/// A number with another digit where three decimals could be thousands.
pub(super) fn unmistakable(number: &str) -> Cow<'_, str> {
    match number.split_once('.') {
        Some((_, decimals)) if decimals.len() == 3 => Cow::Owned(format!("{number}0")),
        _ => Cow::Borrowed(number),
    }
}

/// Whether a cell is a number, which no spreadsheet executes: digits, perhaps with a minus in front
/// and a point.
pub(super) fn is_number(cell: &str) -> bool {
    let digits = cell.strip_prefix('-').unwrap_or(cell);
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    !whole.is_empty() && are_digits(whole) && are_digits(decimals)
}

/// A tag as it stands in a cell with several.
pub(super) fn escaped_tag(tag: &str) -> String {
    let mut cell = String::with_capacity(tag.len());
    for c in tag.chars() {
        if matches!(c, ',' | '|' | ';' | '\\') {
            cell.push('\\');
        }
        cell.push(c);
    }
    cell
}

/// Writes a record. Numbers are no formulas, whatever their sign.
pub(super) fn record(output: &mut dyn Write, cells: &[&str]) -> io::Result<()> {
    let mut line = String::new();
    for (at, cell) in cells.iter().enumerate() {
        if at > 0 {
            line.push(',');
        }
        let cell = if is_number(cell) { (*cell).into() } else { formula::defused(cell) };
        if cell.contains(['"', ',', '\n', '\r', ';', '\t', '|']) {
            line.push('"');
            line.push_str(&cell.replace('"', "\"\""));
            line.push('"');
        } else {
            line.push_str(&cell);
        }
    }
    line.push('\n');
    output.write_all(line.as_bytes())
}
