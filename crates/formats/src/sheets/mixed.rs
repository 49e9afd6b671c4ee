//! Texts that look like numbers, in columns of numbers.
//!
//! A number has a point before its decimals, whatever people see. A text has what people see:
//! beside numbers `1.234` may be 1234 or 1.234, and no other text may show which. So texts that
//! look like numbers are marked while cells are read, by a character that no text has.

/// What stands behind a text that looks like a number.
const MARK: char = '\u{FDD0}';
/// Longer texts are no numbers.
const CHARS_MAX: usize = 40;

/// A text as it is handed on within this module.
pub(super) fn of_text(mut text: String) -> String {
    if is_like_number(text.trim()) {
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
    let Some(text) = cell.strip_suffix(MARK) else { return false };
    let Some((whole, fraction)) = without_sign(text.trim()).split_once('.') else { return false };
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    (1..=3).contains(&whole.len())
        && fraction.len() == 3
        && !whole.starts_with('0')
        && are_digits(whole)
        && are_digits(fraction)
}

fn is_like_number(text: &str) -> bool {
    let text = without_sign(text);
    text.len() <= CHARS_MAX
        && text.bytes().any(|byte| byte.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '\'' | ' '))
}

fn without_sign(text: &str) -> &str {
    text.strip_prefix(['-', '+', '\u{2212}']).unwrap_or(text).trim_start()
}

/// What the columns of a sheet have.
#[derive(Debug, Default)]
pub(super) struct Columns(Vec<Counts>);

#[derive(Debug, Default, Clone, Copy)]
struct Counts {
    numbers: u64,
    doubtful: u64,
}

impl Columns {
    /// Counts the cells of a row.
    pub(super) fn add(&mut self, cells: &[String]) {
        for (at, cell) in cells.iter().enumerate() {
            let (is_doubtful, is_number) =
                (is_doubtful(cell), !is_marked(cell) && is_like_number(cell));
            if !is_doubtful && !is_number {
                continue;
            }
            if self.0.len() <= at {
                self.0.resize(at + 1, Counts::default());
            }
            self.0[at].doubtful += u64::from(is_doubtful);
            self.0[at].numbers += u64::from(is_number);
        }
    }

    /// Those of numbers, at least as many as there are texts that may be others.
    pub(super) fn doubtful(&self) -> Vec<usize> {
        let is_it = |counts: &Counts| counts.doubtful > 0 && counts.numbers >= counts.doubtful;
        self.0.iter().enumerate().filter(|(_, its)| is_it(its)).map(|(at, _)| at).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_texts_among_numbers_are_doubtful() {
        let text = |text: &str| of_text(text.to_owned());
        let columns = |cells: &[String]| {
            let mut columns = Columns::default();
            cells.iter().for_each(|cell| columns.add(std::slice::from_ref(cell)));
            columns.doubtful()
        };
        let number = "12.5".to_owned();
        for (cell, is_it) in [
            (text("1.234"), true),
            (text(" -999.000 "), true),
            ("1.2340".to_owned(), false),
            (text("1.23"), false),
            (text("0.123"), false),
            (text("1.234,56"), false),
            (text("1234.567"), false),
            (text("Shop 1.234"), false),
        ] {
            let found = columns(&[number.clone(), cell.clone()]);
            assert_eq!(!found.is_empty(), is_it, "{cell}");
            assert_eq!(is_doubtful(&cell), is_it, "{cell}");
        }
        // Without numbers all of them show together what they are.
        assert!(columns(&[text("12,50"), text("1.234")]).is_empty());
        assert!(columns(&["2024-01-02".to_owned(), text("1.234")]).is_empty());
        assert_eq!(unmarked(&text("1.234")), "1.234");
    }
}
