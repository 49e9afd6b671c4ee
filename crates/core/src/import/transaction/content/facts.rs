//! What is counted of the cells of a column.

use crate::import::cells::CellsBuf;
use crate::import::transaction::direction_words::{Direction, direction};
use crate::import::transaction::flag_words::flag;
use crate::import::transaction::interpret::is_placeholder;
use crate::import::transaction::status_words::{Status, status};
use crate::money::Currency;
use crate::text::date::is_day;
use crate::text::number::{NumberFormat, Written, parse_amount, written_sign};

/// Whole numbers with more digits are numbers of accounts or of bookings.
const AMOUNT_DIGITS_MAX: usize = 9;
/// Different texts that are counted.
pub(super) const TEXTS_MAX: usize = 100;
/// A column of statuses has so many different words at most.
const STATUSES_MAX: usize = 8;
/// A word for a status has more letters, unless a header calls the column so.
const STATUS_BYTES_MIN: usize = 4;
/// The decimals with which a number is read.
const SCALE: u32 = 8;

/// What the cells of a column are, over some records.
#[derive(Debug, Clone, Default)]
pub(super) struct Facts {
    /// How many records were looked at.
    pub(super) records: usize,
    /// Cells with any text.
    pub(super) filled: usize,
    /// The first of them.
    pub(super) first: String,
    /// Cells that are days.
    pub(super) days: usize,
    /// Cells with more than dashes, of which amounts are made.
    pub(super) amounts: usize,
    /// How many of these can be read in each format.
    fits: [usize; NumberFormat::ALL.len()],
    /// What stands before the decimals, if any number has some.
    pub(super) decimal_mark: Option<char>,
    /// Numbers with a minus, a plus, a currency or decimals: whole numbers without any of it may be
    /// anything.
    pub(super) marked: usize,
    /// Numbers that are not zero.
    pub(super) nonzero: usize,
    /// Numbers other than zero with a minus, with a plus.
    pub(super) minus: usize,
    pub(super) plus: usize,
    /// The number of digits of the longest whole number.
    digits_max: usize,
    /// Cells that are codes of currencies.
    pub(super) currencies: usize,
    /// Cells that are words for money in, for money out.
    pub(super) ins: usize,
    pub(super) outs: usize,
    /// Cells with words that people read.
    pub(super) texts: usize,
    /// Cells with any letter.
    pub(super) lettered: usize,
    /// Letters and digits of all cells.
    pub(super) chars: usize,
    /// Different cells, up to a limit.
    different: Vec<String>,
}

/// Whether all but a tenth are so, and there are some.
pub(super) fn mostly(part: usize, whole: usize) -> bool {
    whole > 0 && part * 10 >= whole * 9
}

/// The facts of each column.
pub(super) fn facts(records: &[&CellsBuf], columns: usize) -> Vec<Facts> {
    let of = |column: usize| {
        let mut facts = Facts { records: records.len(), ..Facts::default() };
        records.iter().for_each(|record| facts.count(record.as_cells().get(column)));
        facts
    };
    (0..columns).map(of).collect()
}

impl Facts {
    /// Nearly every record has a day here.
    pub(super) fn are_days(&self) -> bool {
        mostly(self.days, self.records)
    }

    /// What stands here is nearly always a number, and no day.
    pub(super) fn are_numbers(&self) -> bool {
        !self.are_days()
            && self.fits.iter().any(|fits| mostly(*fits, self.amounts))
            && (self.marked > 0 || self.digits_max <= AMOUNT_DIGITS_MAX)
    }

    /// Numbers that look like amounts, and not like a count or a code.
    pub(super) fn are_amounts(&self) -> bool {
        let is_marked = mostly(self.marked, self.amounts);
        self.are_numbers() && (is_marked || self.decimal_mark.is_some() || self.minus > 0)
    }

    /// Nearly every record has a number here.
    pub(super) fn is_full(&self) -> bool {
        mostly(self.amounts, self.records)
    }

    /// Nearly every record has the code of a currency here.
    pub(super) fn are_currencies(&self) -> bool {
        self.currencies == self.filled && mostly(self.filled, self.records)
    }

    /// Nearly every record has a word for money in or for money out here, and both occur.
    pub(super) fn are_directions(&self) -> bool {
        self.ins > 0
            && self.outs > 0
            && self.ins + self.outs == self.filled
            && mostly(self.filled, self.records)
    }

    /// A few words stand here, and at least half of them are known for what became of a row.
    pub(super) fn are_statuses(&self) -> bool {
        let known = self.different.iter().filter(|cell| status(cell).is_some()).count();
        self.different.len() <= STATUSES_MAX && known > 0 && known * 2 >= self.different.len()
    }

    /// A few words stand in nearly every row, all of them known for what became of it, and one
    /// means that it is booked. Short ones such as `OK` may be about anything.
    pub(super) fn are_only_statuses(&self) -> bool {
        let is_known = |cell: &String| cell.len() > STATUS_BYTES_MIN && status(cell).is_some();
        mostly(self.filled, self.records)
            && self.different.len() <= STATUSES_MAX
            && self.different.iter().all(is_known)
            && self.different.iter().any(|cell| status(cell) == Some(Status::Booked))
    }

    /// What stands here may be yes or no below a word for a status. Numbers, days and codes are
    /// none, unless only some rows have been cancelled; below a word for booked nothing else is
    /// looked for.
    pub(super) fn may_be_flags(&self, flagged: Status) -> bool {
        let is_word = |cell: &String| flag(cell).is_some() || status(cell).is_some();
        let has_digit =
            |cell: &String| flag(cell).is_none() && cell.bytes().any(|byte| byte.is_ascii_digit());
        match flagged {
            Status::Booked => {
                self.different.iter().any(|cell| flag(cell).is_some())
                    && self.different.iter().all(is_word)
            }
            Status::Pending => !self.different.iter().any(has_digit),
            Status::Refused | Status::Cancelled | Status::Reversed => {
                self.filled < self.records || !self.different.iter().any(has_digit)
            }
        }
    }

    /// What stands here are two digits in every row.
    pub(super) fn are_cents(&self) -> bool {
        let is_it = |cell: &String| cell.len() == 2 && cell.bytes().all(|it| it.is_ascii_digit());
        self.filled > 0 && self.filled == self.records && self.different.iter().all(is_it)
    }

    /// No cell has a decimal point.
    pub(super) fn are_without_point(&self) -> bool {
        !self.different.iter().any(|cell| cell.contains('.'))
    }

    /// What stands here are words.
    pub(super) fn are_texts(&self) -> bool {
        self.texts > 0 && self.texts * 2 >= self.filled && !self.are_currencies()
    }

    /// How many different cells there are, up to a limit.
    pub(super) fn variety(&self) -> usize {
        self.different.len()
    }

    /// How long the cells are, on average.
    pub(super) fn mean_chars(&self) -> usize {
        self.chars / self.filled.max(1)
    }

    fn count(&mut self, cell: &str) {
        if cell.is_empty() {
            return;
        }
        self.filled += 1;
        if self.first.is_empty() {
            cell.clone_into(&mut self.first);
        }
        if self.different.len() < TEXTS_MAX && !self.different.iter().any(|known| known == cell) {
            self.different.push(cell.to_owned());
        }
        self.chars += cell.chars().filter(|c| c.is_alphanumeric()).count();
        match direction(cell) {
            Some(Direction::In) => self.ins += 1,
            Some(Direction::Out) => self.outs += 1,
            None => {}
        }
        let is_code = cell.len() == 3 && cell.bytes().all(|byte| byte.is_ascii_uppercase());
        self.currencies += usize::from(is_code && Currency::parse(cell).is_some());
        self.texts += usize::from(is_text(cell));
        self.lettered += usize::from(cell.chars().any(char::is_alphabetic));
        self.days += usize::from(is_day(cell));
        if !is_placeholder(cell) {
            self.count_number(cell);
        }
    }

    fn count_number(&mut self, cell: &str) {
        self.amounts += 1;
        let mut is_number = false;
        if cell.bytes().any(|byte| byte.is_ascii_digit()) {
            for (format, fits) in NumberFormat::ALL.iter().zip(&mut self.fits) {
                let is_read = parse_amount(cell, *format, SCALE).is_ok();
                *fits += usize::from(is_read);
                is_number |= is_read;
            }
        }
        if !is_number {
            return;
        }
        let is_nonzero = cell.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
        self.nonzero += usize::from(is_nonzero);
        let sign = written_sign(cell);
        self.minus += usize::from(is_nonzero && sign == Written::Minus);
        self.plus += usize::from(is_nonzero && sign == Written::Plus);
        self.decimal_mark = self.decimal_mark.or_else(|| decimal_mark(cell));
        let is_plain = cell.bytes().all(|byte| byte.is_ascii_digit());
        self.marked += usize::from(!is_plain);
        if is_plain {
            self.digits_max = self.digits_max.max(cell.len());
        }
    }
}

/// The mark before one, two or more than three digits at the end, which no group of digits has.
fn decimal_mark(cell: &str) -> Option<char> {
    let number = cell.trim_end_matches(|c: char| !c.is_ascii_digit());
    let at = number.rfind(['.', ','])?;
    let decimals = number.len() - at - 1;
    let mark = number[at..].chars().next()?;
    (decimals != 3 && number[at + 1..].bytes().all(|byte| byte.is_ascii_digit())).then_some(mark)
}

/// Whether people read a cell as words: more letters than digits, and no code such as that of a
/// bank or of an account, which has capitals and digits and no space.
fn is_text(cell: &str) -> bool {
    let letters = cell.chars().filter(|c| c.is_alphabetic()).count();
    let digits = cell.chars().filter(char::is_ascii_digit).count();
    let is_code = cell.len() >= 8
        && cell.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        && (digits > 0 || cell.ends_with("XXX"));
    letters > digits && !is_code
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(cells: &[&str]) -> Facts {
        let records: Vec<CellsBuf> =
            cells.iter().map(|cell| [cell].into_iter().collect()).collect();
        let records: Vec<&CellsBuf> = records.iter().collect();
        facts(&records, 1).remove(0)
    }

    #[test]
    fn columns_are_what_their_cells_are() {
        for (cells, days, numbers, amounts, texts) in [
            (&["2024-01-31", "2024-02-01"][..], true, false, false, false),
            (&["31.01.2024", ""], false, false, false, false),
            (&["-12.50", "1,300.00"], false, true, true, false),
            (&["-500", "20"], false, true, true, false),
            (&["500", "20"], false, true, false, false),
            (&["€ 12,50", "-"], false, true, true, false),
            (&["1234567890", "1234567891"], false, false, false, false),
            (&["DE02120300000000202051", ""], false, false, false, false),
            (&["COBADEFFXXX", "BYLADEM1001"], false, false, false, false),
            (&["Grocer", "REWE SAGT DANKE 4711"], false, false, false, true),
            (&["食料品店", "12"], false, false, false, true),
            (&["", ""], false, false, false, false),
        ] {
            let facts = column(cells);
            let found =
                (facts.are_days(), facts.are_numbers(), facts.are_amounts(), facts.are_texts());
            assert_eq!(found, (days, numbers, amounts, texts), "{cells:?}");
        }
    }

    #[test]
    fn decimals_show_their_mark() {
        for (cell, mark) in [
            ("12,50", Some(',')),
            ("-1.234,5 EUR", Some(',')),
            ("1,234.56", Some('.')),
            ("1.0834", Some('.')),
            ("1.234", None),
            ("1,234", None),
            ("17", None),
        ] {
            assert_eq!(decimal_mark(cell), mark, "{cell}");
        }
    }

    #[test]
    fn directions_and_currencies_leave_no_doubt() {
        assert!(column(&["D", "C", "D"]).are_directions());
        assert!(!column(&["D", "D", "D"]).are_directions(), "one word alone may be any code");
        assert!(!column(&["D", "C", "X"]).are_directions());
        assert!(column(&["EUR", "USD"]).are_currencies());
        assert!(!column(&["EUR", "CARD"]).are_currencies());
        assert!(!column(&["EUR", "", ""]).are_currencies());
    }
}
