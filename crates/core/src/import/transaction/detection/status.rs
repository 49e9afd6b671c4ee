//! Whether the words of a status are understood.
//!
//! A word that nobody knows could mean that no money moved, so it is a question, unless all rows
//! have it. A row that was reversed isn't taken; but some files have another row that gives the
//! money back, so one with the same amount is a question, too. So is one that was cancelled, if the
//! other row goes the other way: one that goes the same way is a second try.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::import::cells::Cells;
use crate::import::layout::{AmountSource, Layout, inflow_keys};
use crate::import::layout_problem::LayoutProblem;
use crate::import::transaction::columns::Columns;
use crate::import::transaction::direction_words::{Direction, direction};
use crate::import::transaction::header_names::known_key;
use crate::import::transaction::header_names::statuses::is_unsure_status;
use crate::import::transaction::status_column::StatusColumn;
use crate::import::transaction::status_words::Status;
use crate::text::label::name_key;
use crate::text::number::{Written, written_sign};
use crate::text::quoted;

/// A column with more different words that nobody knows has texts about something else.
const UNKNOWN_MAX: usize = 12;
/// Words that the question names.
const WORDS_SHOWN: usize = 5;
/// Amounts that are compared: of rows with a word for taken back, and of those that are taken.
const AMOUNTS_MAX: usize = 200_000;
/// Shorter words may be the names of such parts.
const SHORT_BYTES: usize = 3;

/// The ways in which an amount may be written to go: its column, its sign, a word beside it.
const WAYS: u64 = 2 * 3 * 3;
/// A minus, and no word for the direction, in a way.
const MINUS: u64 = 2;
const UNKNOWN_WAY: u64 = 0;
/// The last bits of a key have the way.
const WAY_BITS: u64 = 0b1_1111;

/// The words in the column of the status.
#[derive(Debug)]
pub(super) struct StatusCandidate {
    status: StatusColumn,
    is_sure: bool,
    /// Words beside the amounts that may give their direction, and those for money in.
    direction: Option<(usize, Option<Vec<String>>)>,
    /// Unknown words with their keys, in the order of their appearance.
    unknown: Vec<(String, String)>,
    /// The words for booked.
    booked: Vec<String>,
    /// Whether there was a word that is known, and a blank cell.
    has_known: bool,
    has_blank: bool,
    /// The words for reversed and cancelled.
    taken_back: Vec<TakenBack>,
    /// The amounts of rows that are taken.
    taken: HashSet<u64>,
}

/// A word for rows of which another one may give the money back.
#[derive(Debug)]
struct TakenBack {
    word: String,
    status: Status,
    amounts: HashSet<u64>,
}

impl StatusCandidate {
    pub(super) fn new(layout: &Layout, status: StatusColumn) -> Self {
        let direction = match &layout.amount {
            Some(AmountSource::Directed { direction, inflow_value, .. }) => {
                Some((*direction, inflow_value.as_deref().map(inflow_keys)))
            }
            _ => layout.columns.direction.map(|column| (column, None)),
        };
        Self {
            status,
            is_sure: !is_unsure_status(&layout.header(status.column)),
            direction,
            unknown: Vec::new(),
            booked: Vec::new(),
            has_known: false,
            has_blank: false,
            taken_back: Vec::new(),
            taken: HashSet::new(),
        }
    }

    /// Looks at the next row that no filter leaves out; `amounts` are the columns of the amount.
    pub(super) fn observe(&mut self, cells: Cells<'_>, amounts: &[usize], is_taken: bool) {
        let cell = cells.get(self.status.column);
        let found = self.status.status(cells);
        match found {
            Some(status @ (Status::Reversed | Status::Cancelled)) => {
                let keys: Vec<u64> = self.keys(cells, amounts).collect();
                if let Some(same) = self.taken_back(cell, status) {
                    same.amounts.extend(keys);
                }
            }
            _ if is_taken && self.taken.len() < AMOUNTS_MAX => {
                let keys: Vec<u64> = self.keys(cells, amounts).collect();
                self.taken.extend(keys);
            }
            _ => {}
        }
        if found == Some(Status::Booked) && !self.booked.iter().any(|known| known == cell) {
            // One more shows that there are too many to list.
            if self.booked.len() <= UNKNOWN_MAX {
                self.booked.push(cell.to_owned());
            }
        }
        match found {
            // `OK` is a word for booked, and a state.
            Some(_) => self.has_known |= self.is_sure || cell.len() > SHORT_BYTES,
            None if cell.is_empty() => self.has_blank = true,
            None if self.unknown.len() <= UNKNOWN_MAX => {
                let key = known_key(cell);
                if !self.unknown.iter().any(|(known, _)| *known == key) {
                    self.unknown.push((key, cell.to_owned()));
                }
            }
            None => {}
        }
    }

    /// The rows with a word for taken back; the last ones if there are too many words to list.
    fn taken_back(&mut self, word: &str, status: Status) -> Option<&mut TakenBack> {
        let rows = &mut self.taken_back;
        let known = rows.iter().position(|one| one.word == word);
        if known.is_none() && rows.len() <= UNKNOWN_MAX {
            rows.push(TakenBack { word: word.to_owned(), status, amounts: HashSet::new() });
        }
        match known {
            Some(position) => rows.get_mut(position),
            None => rows.last_mut(),
        }
    }

    /// The amounts of a row with the ways in which they are written to go.
    fn keys(&self, cells: Cells<'_>, amounts: &[usize]) -> impl Iterator<Item = u64> {
        let word = self.direction.as_ref().map(|(column, inflow)| (cells.get(*column), inflow));
        let word = match word {
            Some((cell, Some(inflow))) if inflow.contains(&name_key(cell)) => Some(Direction::In),
            Some((_, Some(_))) => Some(Direction::Out),
            Some((cell, None)) => direction(cell),
            None => None,
        };
        let word = match word {
            None => UNKNOWN_WAY,
            Some(Direction::In) => 1,
            Some(Direction::Out) => 2,
        };
        amounts.iter().enumerate().filter_map(move |(position, column)| {
            let cell = cells.get(*column);
            let sign = match written_sign(cell) {
                Written::None => 0,
                Written::Plus => 1,
                Written::Minus => MINUS,
            };
            let way = (u64::from(position > 0) * 3 + sign) * 3 + word;
            Some((digits_key(cell)? & !WAY_BITS) | way)
        })
    }

    /// Whether it decides on every row by a word that is known, not by yes and no.
    pub(super) fn decides_all(&self) -> bool {
        let is_by_words = self.is_sure && self.status.flagged.is_none() && self.has_known;
        is_by_words && self.unknown.is_empty() && !self.has_blank
    }

    /// Adds the question, or gives the column up: so one without a known word, if its name isn't
    /// sure or a column before it decides on all rows.
    pub(super) fn finish(self, layout: &mut Layout, is_decided: bool) {
        let column = self.status.column;
        if !self.has_known && !self.is_certain(is_decided) {
            layout.columns.give_up_status(column);
            return;
        }
        // The filter that answers one question is a part of the answer to the next.
        let is_asked = |problem| matches!(problem, &LayoutProblem::UnknownStatus { .. });
        if layout.problems.iter().any(is_asked) {
            return;
        }
        let is_same_in_all = !self.has_known && !self.has_blank && self.unknown.len() == 1;
        let given_back = self.taken_back.into_iter().filter(|one| one.is_given_back(&self.taken));
        let given_back = given_back.map(|one| one.word);
        let unknown = self.unknown.into_iter().map(|(_, word)| word);
        let unknown: Vec<String> = unknown.filter(|_| !is_same_in_all).chain(given_back).collect();
        if unknown.is_empty() {
            return;
        }
        let mut booked = self.booked;
        if self.has_blank {
            booked.push(String::new());
        }
        let is_few = unknown.len() <= WORDS_SHOWN && booked.len() <= UNKNOWN_MAX;
        layout.problems.push(LayoutProblem::UnknownStatus {
            header: quoted(&layout.header(column)),
            words: unknown.iter().take(WORDS_SHOWN).map(|word| quoted(word)).collect(),
            unknown: if is_few { unknown } else { Vec::new() },
            booked: if is_few { booked } else { Vec::new() },
            filter: layout.written_filter(),
        });
    }

    /// Whether the column is a status by its name alone. Below a word such as `Cancelled` some rows
    /// may have any text.
    fn is_certain(&self, is_decided: bool) -> bool {
        let is_few = self.unknown.len() <= UNKNOWN_MAX;
        match self.status.flagged {
            Some(Status::Refused | Status::Cancelled | Status::Reversed) => {
                is_few || self.has_blank
            }
            Some(_) => is_few,
            None => is_few && self.is_sure && !is_decided,
        }
    }
}

impl TakenBack {
    /// Whether a row that is taken may give the money back.
    fn is_given_back(&self, taken: &HashSet<u64>) -> bool {
        let is_any_way = self.status == Status::Reversed;
        let is_taken = |key: &u64| {
            let ways = (0..WAYS).filter(|way| is_any_way || are_opposite(*way, key & WAY_BITS));
            ways.map(|way| (key & !WAY_BITS) | way).any(|key| taken.contains(&key))
        };
        taken.len() >= AMOUNTS_MAX || self.amounts.iter().any(is_taken)
    }
}

/// Whether amounts are written to go opposite ways: in two columns, with a minus and without, or
/// with words for in and out beside them.
fn are_opposite(one: u64, other: u64) -> bool {
    let parts = |way: u64| (way / 9, way / 3 % 3 == MINUS, way % 3);
    let ((column, minus, word), (other_column, other_minus, other_word)) =
        (parts(one), parts(other));
    let by_words = word != UNKNOWN_WAY && other_word != UNKNOWN_WAY && word != other_word;
    column != other_column || minus != other_minus || by_words
}

impl Columns {
    /// The columns that are called a status, the preferred first.
    pub(in crate::import) fn statuses(&self) -> impl Iterator<Item = usize> {
        self.status.into_iter().chain(self.other_statuses.iter().copied())
    }

    /// That a column which is called a status is none: the next one takes its place.
    fn give_up_status(&mut self, column: usize) {
        let left: Vec<usize> = self.statuses().filter(|one| *one != column).collect();
        self.set_statuses(left.into_iter());
    }

    /// Takes columns as those of the status, the preferred first.
    pub(in crate::import::transaction) fn set_statuses(
        &mut self,
        mut columns: impl Iterator<Item = usize>,
    ) {
        self.status = columns.next();
        self.other_statuses = columns.collect();
    }
}

/// A hash of the digits of an amount that isn't zero, whatever sign it has.
fn digits_key(cell: &str) -> Option<u64> {
    if !cell.bytes().any(|byte| matches!(byte, b'1'..=b'9')) {
        return None;
    }
    let mut hasher = DefaultHasher::new();
    for byte in cell.bytes().filter(u8::is_ascii_digit) {
        byte.hash(&mut hasher);
    }
    Some(hasher.finish())
}
