//! The currency that the lines above the header name.

use purser_core::import::layout::Layout;
use purser_core::import::transaction::header_names::{Role, known};
use purser_core::money::Currency;
use purser_core::text::number::named_currency;

use crate::csv::Reader;

/// The currency above the header, if there is only one: alone in a cell, behind the name of a
/// currency (`Currency: USD`), or behind an amount (`1,234.56 USD`).
pub(super) fn currency_above(head: &[u8], layout: &Layout) -> Option<Currency> {
    let mut reader = Reader::at(head, layout.separator_byte(), 0, 1);
    let mut found = None;
    while let Ok(Some(record)) = reader.read() {
        if record.line >= layout.header_line {
            break;
        }
        let cells: Vec<&str> = record.cells.iter().collect();
        for (column, cell) in cells.iter().enumerate() {
            let label = column.checked_sub(1).and_then(|before| cells.get(before));
            match of_cell(cell, label.copied().unwrap_or_default()) {
                Some(currency) if found.is_some_and(|known| known != currency) => return None,
                Some(currency) => found = Some(currency),
                None => {}
            }
        }
    }
    found
}

fn of_cell(cell: &str, label: &str) -> Option<Currency> {
    let is_label =
        |text: &str| matches!(known(text.trim_end_matches([':', ' '])), Some((Role::Currency, _)));
    let code = |text: &str| {
        let text = text.trim();
        let is_code = text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase());
        named_currency(text).filter(|_| is_code)
    };
    if let Some((name, value)) = cell.split_once(':')
        && is_label(name)
    {
        return code(value);
    }
    if is_label(label) {
        return code(cell);
    }
    if let Some(code) = code(cell) {
        // `Transactions: all` is no currency of Albania.
        return Some(code).filter(|code| !matches!(code.code(), "ALL" | "TOP" | "CUP"));
    }
    let (amount, word) = cell.rsplit_once(' ')?;
    let is_amount = amount.bytes().any(|byte| byte.is_ascii_digit())
        && amount.chars().all(|c| !c.is_alphabetic());
    code(word).filter(|_| is_amount)
}
