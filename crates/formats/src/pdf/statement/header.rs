//! The line above a table that names its columns.

use purser_core::import::transaction::header_names::{
    Role, currency_in, is_available_balance, is_balance, known,
};

use super::super::fixed::Fixed;
use super::super::lines::{Line, Word};

/// What a column of amounts is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    Amount,
    Debit,
    Credit,
    Balance,
}

/// The names above the columns of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Header {
    /// Columns of amounts from left to right, with their ends.
    pub(super) amounts: Vec<(Column, Fixed, Fixed)>,
    /// Columns of days from left to right, with the rank of each: the booking date first.
    pub(super) days: Vec<(u8, Fixed, Fixed)>,
    /// Currencies that names of amounts end with.
    pub(super) currencies: Vec<&'static str>,
    /// Whether balances are called what can be spent, and none is that of the account.
    pub(super) is_available: bool,
    texts: usize,
}

/// Words that one name consists of at most.
const NAME_WORDS_MAX: usize = 5;

impl Header {
    /// The header that begins with a line, and the number of its lines.
    pub(super) fn find(lines: &[Line]) -> Option<(Self, usize)> {
        let one = lines.first()?;
        let of_one = Self::of(one);
        let of_two = lines.get(1).and_then(|two| {
            let distance = one.base.minus(two.base);
            let is_near = two.page == one.page && distance <= one.size.max(two.size).part(2, 1);
            is_near.then(|| Self::of(&joined(one, two))).flatten()
        });
        match (of_one, of_two) {
            (Some(one), Some(two)) if two.columns() > one.columns() => Some((two, 2)),
            (Some(one), _) => Some((one, 1)),
            // The second line may be the header alone.
            (None, Some(two)) if lines.get(1).and_then(Self::of).is_none() => Some((two, 2)),
            _ => None,
        }
    }

    fn columns(&self) -> usize {
        self.amounts.len() + self.days.len() + self.texts
    }

    fn of(line: &Line) -> Option<Self> {
        let mut header = Self::default();
        let (mut at, mut named) = (0, 0);
        while at < line.words.len() {
            let words = header.take(line, at).unwrap_or(0);
            named += words;
            at += words.max(1);
        }
        let has_amount = !header.amounts.is_empty();
        let is_header = has_amount && header.columns() >= 2 && named * 3 >= line.words.len() * 2;
        let has_digit = line.words.iter().any(|w| w.text.contains(|c: char| c.is_ascii_digit()));
        (is_header && !has_digit).then_some(header)
    }

    /// Takes the longest name that begins with a word.
    fn take(&mut self, line: &Line, at: usize) -> Option<usize> {
        let gap = line.size.part(9, 10);
        let mut end = at + 1;
        while end < line.words.len() && end - at < NAME_WORDS_MAX && line.gap_after(end - 1) <= gap
        {
            end += 1;
        }
        (at + 1..=end).rev().find_map(|end| {
            let text = line.text(at..end);
            let (left, right) = (line.words[at].left, line.words[end - 1].right);
            let column = match known(&text) {
                _ if is_balance(&text) => Some(Column::Balance),
                Some((Role::Amount, _)) => Some(Column::Amount),
                Some((Role::Debit, _)) => Some(Column::Debit),
                Some((Role::Credit, _)) => Some(Column::Credit),
                Some((Role::Date, rank)) => {
                    self.days.push((rank, left, right));
                    None
                }
                Some(_) => {
                    self.texts += 1;
                    None
                }
                None => return None,
            };
            if let Some(column) = column {
                if column == Column::Balance {
                    let has_other = self.amounts.iter().any(|(one, ..)| *one == Column::Balance);
                    self.is_available =
                        is_available_balance(&text) && (self.is_available || !has_other);
                }
                self.amounts.push((column, left, right));
                self.currencies.extend(currency_in(&text).map(|currency| currency.code()));
            }
            Some(end - at)
        })
    }
}

/// Two lines as one, in which what stands below a word belongs to it.
fn joined(one: &Line, two: &Line) -> Line {
    let cells = |line: &Line| {
        let mut cells: Vec<Word> = Vec::new();
        for (at, word) in line.words.iter().enumerate() {
            let is_near = at > 0 && line.gap_after(at - 1) <= line.size.part(9, 10);
            match cells.last_mut() {
                Some(cell) if is_near => {
                    cell.text = format!("{} {}", cell.text, word.text);
                    cell.right = word.right;
                }
                _ => cells.push(word.clone()),
            }
        }
        cells
    };
    let mut words = cells(one);
    for below in cells(two) {
        let is_above = |cell: &&mut Word| cell.left < below.right && below.left < cell.right;
        match words.iter_mut().find(is_above) {
            Some(cell) => {
                cell.text = format!("{} {}", cell.text, below.text);
                cell.left = cell.left.min(below.left);
                cell.right = cell.right.max(below.right);
            }
            None => words.push(below),
        }
    }
    words.sort_by_key(|word| word.left);
    Line { words, ..one.clone() }
}
