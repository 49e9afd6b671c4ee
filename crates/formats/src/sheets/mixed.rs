//! Texts that look like numbers, in sheets that have numbers.
//!
//! A number has a point before its decimals, whatever people see. A text has what people see:
//! beside numbers `1.234` may be 1234 or 1.234, and `1,234` too. No other text may show which, and
//! the numbers show nothing of texts, also those of other columns. So texts that look like numbers
//! are marked while cells are read, by a character that no text has.

use purser_core::text::number::{NumberFormat, parse_amount};

/// What stands behind a text that looks like a number.
const MARK: char = '\u{FDD0}';
/// Longer texts are no numbers.
const CHARS_MAX: usize = 40;
/// Words that a column of numbers may have more than numbers: lines of the bank, headers, totals.
const WORDS_AROUND: u64 = 20;
/// Decimals of any amount.
const SCALE: u32 = 8;

/// A text as it is handed on within this module.
pub(super) fn of_text(mut text: String) -> String {
    if is_like_number(text.trim()) || has_two_readings(text.trim()) {
        text.push(MARK);
    }
    text
}

/// A cell without the mark.
pub(super) fn unmarked(cell: &str) -> &str {
    cell.strip_suffix(MARK).unwrap_or(cell)
}

/// Whether a cell is marked.
pub(super) fn is_marked(cell: &str) -> bool {
    cell.ends_with(MARK)
}

/// Whether a cell is a text that may be thousands or three decimals.
pub(super) fn is_doubtful(cell: &str) -> bool {
    cell.strip_suffix(MARK).is_some_and(|text| has_two_readings(text.trim()))
}

/// Whether a text is a number with a point or a comma before three digits, which may be thousands
/// or decimals. Signs and currencies may stand around it.
fn has_two_readings(text: &str) -> bool {
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let bytes = text.as_bytes();
    let (Some(first), Some(last)) =
        (bytes.iter().position(is_digit), bytes.iter().rposition(is_digit))
    else {
        return false;
    };
    let Some((whole, fraction)) = text[first..=last].split_once(['.', ',']) else { return false };
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    text.len() <= CHARS_MAX
        && (1..=3).contains(&whole.len())
        && fraction.len() == 3
        && !whole.starts_with('0')
        && are_digits(whole)
        && are_digits(fraction)
        && parse_amount(text, NumberFormat::CommaDot, SCALE).is_ok()
}

fn is_like_number(text: &str) -> bool {
    let text = text.strip_prefix(['-', '+', '\u{2212}']).unwrap_or(text).trim_start();
    text.len() <= CHARS_MAX
        && text.bytes().any(|byte| byte.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '\'' | ' '))
}

/// Whether a text is an amount with a sign or a currency around it: `500 €`, `(500)`, `500 CR`.
fn is_amount(text: &str) -> bool {
    let formats = [NumberFormat::CommaDot, NumberFormat::DotComma];
    text.len() <= CHARS_MAX
        && text.bytes().any(|byte| byte.is_ascii_digit())
        && formats.into_iter().any(|format| parse_amount(text, format, SCALE).is_ok())
}

/// What the columns of a sheet have.
#[derive(Debug, Default)]
pub(super) struct Columns {
    counts: Vec<Counts>,
    /// Some number of the sheet has decimals.
    has_decimals: bool,
}

#[derive(Debug, Default, Clone, Copy)]
struct Counts {
    numbers: u64,
    doubtful: u64,
    /// Other texts that look like numbers.
    other: u64,
    words: u64,
}

impl Columns {
    /// Counts the cells of a row.
    pub(super) fn add(&mut self, cells: &[String]) {
        if self.counts.len() < cells.len() {
            self.counts.resize(cells.len(), Counts::default());
        }
        for (cell, its) in cells.iter().zip(&mut self.counts) {
            let text = cell.trim();
            if text.is_empty() {
                continue;
            }
            if is_doubtful(cell) {
                its.doubtful += 1;
            } else if is_marked(cell) {
                its.other += 1;
            } else if is_like_number(text) {
                its.numbers += 1;
                self.has_decimals |= text.contains('.');
            } else if is_amount(text) {
                its.other += 1;
            } else {
                its.words += 1;
            }
        }
    }

    /// Those with texts that may be other numbers, where numbers stand in the column or show in
    /// the sheet how decimals are written. A column of words has names.
    pub(super) fn doubtful(&self) -> Vec<usize> {
        let is_it = |its: &Counts| {
            its.doubtful > 0
                && (its.numbers > 0 || self.has_decimals)
                && its.words <= its.numbers + its.doubtful + its.other + WORDS_AROUND
        };
        self.counts.iter().enumerate().filter(|(_, its)| is_it(its)).map(|(at, _)| at).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::slice::from_ref;

    use super::*;

    fn text(text: &str) -> String {
        of_text(text.to_owned())
    }

    /// The doubtful columns of a sheet with these rows.
    fn doubtful(rows: &[&[String]]) -> Vec<usize> {
        let mut columns = Columns::default();
        rows.iter().for_each(|row| columns.add(row));
        columns.doubtful()
    }

    #[test]
    fn only_texts_among_numbers_are_doubtful() {
        let number = "12.5".to_owned();
        for (cell, is_it) in [
            (text("1.234"), true),
            (text("1,234"), true),
            (text(" -999.000 "), true),
            (text("2.500 \u{20ac}"), true),
            (text("EUR 2.500"), true),
            (text("2.500-"), true),
            (text("(2.500)"), true),
            (text("2.500 CR"), true),
            (text("\u{20ac} 2.500"), true),
            ("1.234".to_owned(), false),
            (text("1.2340"), false),
            (text("1.23"), false),
            (text("0.123"), false),
            (text("1.234,56"), false),
            (text("1,234,567"), false),
            (text("1234.567"), false),
            (text("Shop 1.234"), false),
        ] {
            let found = doubtful(&[from_ref(&number), from_ref(&cell)]);
            assert_eq!(!found.is_empty(), is_it, "{cell}");
            assert_eq!(is_doubtful(&cell), is_it, "{cell}");
        }
        assert_eq!(unmarked(&text("1.234")), "1.234");
    }

    #[test]
    fn numbers_of_the_whole_sheet_count() {
        let blank = String::new;
        let number = |digits: &str| digits.to_owned();
        // One column decides nothing about the other.
        let two =
            [&[number("12.5"), blank()][..], &[blank(), text("2.500")], &[blank(), text("1.000")]];
        assert_eq!(doubtful(&two), [1]);
        // However few numbers there are.
        assert_eq!(doubtful(&[&[number("12")], &[text("2.500")], &[text("1.000")]]), [0]);
        assert_eq!(doubtful(&[&[number("10")], &[number("5.5")], &[text("2,500")]]), [0]);
        // Without numbers all of them show together what they are, and whole ones show nothing.
        assert!(doubtful(&[&[text("12,50")], &[text("1.234")]]).is_empty());
        assert!(doubtful(&[&[number("2024-01-02")], &[text("1.234")]]).is_empty());
        assert!(doubtful(&[&[number("12"), text("1.234")]]).is_empty());
        // Amounts with a currency or a sign around them are no words.
        for whole in ["500 \u{20ac}", "EUR 500", "500-", "(500)", "500 CR", "1.234,56 \u{20ac}"] {
            let income = [number("12.5"), text(whole)];
            let mut rows = vec![&income[..]; 40];
            let last = [blank(), text("2.500 \u{20ac}")];
            rows.push(&last);
            assert_eq!(doubtful(&rows), [1], "{whole}");
        }
        // Names are no amounts.
        let names = [number("12.5"), text("Shop")];
        let mut rows = vec![&names[..]; 40];
        let name = [number("12.5"), text("1.234")];
        rows.push(&name);
        assert!(doubtful(&rows).is_empty());
        assert_eq!(doubtful(&rows[30..]), [1], "lines around a table");
    }
}
