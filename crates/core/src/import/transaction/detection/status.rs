//! Whether the words of a status are understood.
//!
//! A word that nobody knows could mean that no money moved, so it is a question, unless all rows
//! have it. A row that was reversed isn't taken; but some files have another row that gives the
//! money back, so one with the same amount is a question, too.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::import::cells::Cells;
use crate::import::layout::Layout;
use crate::import::layout_problem::LayoutProblem;
use crate::import::transaction::columns::Columns;
use crate::import::transaction::header_names::known_key;
use crate::import::transaction::header_names::statuses::is_unsure_status;
use crate::import::transaction::status_words::{Status, status};
use crate::text::quoted;

/// A column with more different words that nobody knows has texts about something else.
const UNKNOWN_MAX: usize = 12;
/// Words that the question names.
const WORDS_SHOWN: usize = 5;
/// Rows that were reversed, and others, of which amounts are compared.
const AMOUNTS_MAX: usize = 200_000;
/// Shorter words may be the names of such parts.
const SHORT_BYTES: usize = 3;

/// The words in the column of the status.
#[derive(Debug)]
pub(super) struct StatusCandidate {
    pub(super) column: usize,
    is_sure: bool,
    /// Unknown words with their keys, in the order of their appearance.
    unknown: Vec<(String, String)>,
    /// The words for booked.
    booked: Vec<String>,
    /// Whether there was a word that is known, and a blank cell.
    has_known: bool,
    has_blank: bool,
    /// A word for reversed, and the amounts of such rows and of all others, as hashes of digits.
    reversed_word: Option<String>,
    reversed: HashSet<u64>,
    others: HashSet<u64>,
}

impl StatusCandidate {
    pub(super) fn new(layout: &Layout, column: usize) -> Self {
        Self {
            column,
            is_sure: !is_unsure_status(&layout.header(column)),
            unknown: Vec::new(),
            booked: Vec::new(),
            has_known: false,
            has_blank: false,
            reversed_word: None,
            reversed: HashSet::new(),
            others: HashSet::new(),
        }
    }

    /// Looks at the next row that no filter leaves out; `amounts` are the columns of the amount.
    pub(super) fn observe(&mut self, cells: Cells<'_>, amounts: &[usize]) {
        let cell = cells.get(self.column);
        let found = status(cell);
        let amounts = amounts.iter().filter_map(|column| digits_key(cells.get(*column)));
        if found == Some(Status::Reversed) {
            self.reversed_word.get_or_insert_with(|| cell.to_owned());
            self.reversed.extend(amounts);
        } else if !matches!(found, Some(Status::Pending | Status::Refused))
            && self.others.len() < AMOUNTS_MAX
        {
            self.others.extend(amounts);
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

    /// Adds the question, or gives the column up.
    pub(super) fn finish(self, layout: &mut Layout) {
        let is_certain = self.is_sure && self.unknown.len() <= UNKNOWN_MAX;
        if !self.has_known && !is_certain {
            layout.columns.give_up_status(self.column);
            return;
        }
        // The filter that answers one question is a part of the answer to the next.
        let is_asked = |problem| matches!(problem, &LayoutProblem::UnknownStatus { .. });
        if layout.problems.iter().any(is_asked) {
            return;
        }
        let is_same_in_all = !self.has_known && !self.has_blank && self.unknown.len() == 1;
        let is_given_back =
            self.others.len() >= AMOUNTS_MAX || !self.reversed.is_disjoint(&self.others);
        let reversed = self.reversed_word.filter(|_| is_given_back);
        let unknown = self.unknown.into_iter().map(|(_, word)| word);
        let unknown: Vec<String> = unknown.filter(|_| !is_same_in_all).chain(reversed).collect();
        if unknown.is_empty() {
            return;
        }
        let mut booked = self.booked;
        if self.has_blank {
            booked.push(String::new());
        }
        let is_few = unknown.len() <= WORDS_SHOWN && booked.len() <= UNKNOWN_MAX;
        layout.problems.push(LayoutProblem::UnknownStatus {
            header: quoted(&layout.header(self.column)),
            words: unknown.iter().take(WORDS_SHOWN).map(|word| quoted(word)).collect(),
            unknown: if is_few { unknown } else { Vec::new() },
            booked: if is_few { booked } else { Vec::new() },
            filter: layout.written_filter(),
        });
    }
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
