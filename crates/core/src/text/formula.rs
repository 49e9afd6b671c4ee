//! Texts that a spreadsheet would execute, and how they are written so that it doesn't.
//!
//! A cell that begins with one of a few characters is a formula to a spreadsheet, wherever its text
//! came from. An apostrophe in front makes it a text, and is no part of it; so the reader of tables
//! takes it off again. What begins with apostrophes before such a character gets one more, so that
//! every text comes back as it was.

use std::borrow::Cow;

/// A text as it stands in a cell of a table for spreadsheets.
pub fn defused(text: &str) -> Cow<'_, str> {
    if is_formula(text) { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

/// The text of a cell: without the apostrophe that keeps it from being a formula.
pub fn read_back(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|text| is_formula(text)).unwrap_or(cell)
}

fn is_formula(text: &str) -> bool {
    // The wide forms as well, which some programs read as the others.
    let starts = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
    text.trim_start_matches('\'').starts_with(starts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_comes_back() {
        for (text, cell) in [
            ("=1+1", "'=1+1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("+49 30", "'+49 30"),
            ("-", "'-"),
            ("＝1+1", "'＝1+1"),
            ("\n=1", "'\n=1"),
            ("'=1", "''=1"),
            ("''-1", "'''-1"),
            ("'quoted'", "'quoted'"),
            ("", ""),
            ("'", "'"),
            ("Bakery = bread", "Bakery = bread"),
        ] {
            assert_eq!(defused(text), cell);
            assert_eq!(read_back(cell), text, "{cell}");
        }
    }
}
