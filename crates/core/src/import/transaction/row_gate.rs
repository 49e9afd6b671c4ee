//! Which rows of a file are taken: its filter, the words for the status, and what names show.
//!
//! The detector and the interpreter ask the same gate, so formats are found in the rows that count.

use super::anchors::{Named, kind_of, named};
use super::of_statements;
use super::status_column::StatusColumn;
use super::status_words::{Status, status};
use crate::import::cells::Cells;
use crate::import::layout::Layout;
use crate::import::left_out::{AnchorKind, Cause, LeftOut};
use crate::import::register::{OPENING, RegisterColumns};
use crate::import::row_filter::ColumnFilter;

/// What decides about the rows of a layout.
#[derive(Debug)]
pub(super) struct RowGate {
    filter: Option<ColumnFilter>,
    statuses: Vec<StatusColumn>,
    date: Option<usize>,
    /// The columns that the name of a row is taken from, the preferred first.
    texts: Vec<usize>,
    register: Option<RegisterColumns>,
    /// What marks balances, if no name does.
    lines: Option<usize>,
}

impl RowGate {
    pub(super) fn of(layout: &Layout) -> Self {
        let filter = layout.row_filter.clone();
        // A person who lists the words to take has decided about all of them.
        let is_decided = |column: &usize| {
            let mut conditions = filter.iter().flat_map(ColumnFilter::conditions);
            conditions.any(|one| !one.is_not && one.column == *column)
        };
        let statuses = layout.columns.statuses().filter(|column| !is_decided(column));
        Self {
            statuses: statuses.map(|column| StatusColumn::of(layout, column)).collect(),
            date: layout.columns.date,
            texts: texts(layout),
            register: layout.columns.register,
            lines: layout.lines_column(),
            filter,
        }
    }

    /// The columns of the status of which the words decide.
    pub(super) fn statuses(&self) -> impl Iterator<Item = StatusColumn> {
        self.statuses.iter().copied()
    }

    /// Why a record isn't taken.
    pub(super) fn left_out<'r>(&self, cells: Cells<'r>) -> Option<LeftOut<'r>> {
        let because = |column, cause| Some(LeftOut { column, cell: cells.get(column), cause });
        if let Some(column) = self.filter.as_ref().and_then(|filter| filter.leaves_out(cells)) {
            return because(column, Cause::Filter);
        }
        // A row that isn't booked may have the word for that in the place of its day.
        let undated = |column: &usize| !cells.get(*column).bytes().any(|b| b.is_ascii_digit());
        let of_date = |column: usize| (column, status(cells.get(column)));
        let of_statuses = self.statuses().map(|one| (one.column, one.status(cells)));
        for (column, found) in of_statuses.chain(self.date.filter(undated).map(of_date)) {
            match found {
                Some(Status::Refused | Status::Cancelled | Status::Reversed) => {
                    return because(column, Cause::Refused);
                }
                Some(Status::Pending) => return because(column, Cause::Pending),
                Some(Status::Booked) | None => {}
            }
        }
        if let Some(register) = self.register {
            let is_opening = cells.get(register.role) == OPENING;
            let column = self.texts.first().copied().filter(|_| is_opening)?;
            return because(column, Cause::Anchor(AnchorKind::Opening));
        }
        if let Some(lines) = self.lines {
            let kind = of_statements::kind_of(cells.get(lines))?;
            return because(*self.texts.first()?, Cause::Anchor(kind));
        }
        match self.named(cells)? {
            (column, Named::Anchor(kind)) => because(column, Cause::Anchor(kind)),
            (_, Named::Doubt | Named::Alike) => None,
        }
    }

    /// The balance that a record states.
    pub(super) fn balance_of(&self, cells: Cells<'_>) -> Option<AnchorKind> {
        match self.lines {
            Some(lines) => of_statements::kind_of(cells.get(lines)),
            None => cells.iter().find_map(kind_of),
        }
    }

    /// The column of a name that is a word for a balance or a total, and may be a shop's.
    pub(super) fn doubtful_name(&self, cells: Cells<'_>) -> Option<usize> {
        self.named(cells).filter(|(_, named)| *named == Named::Doubt).map(|(column, _)| column)
    }

    /// Whether the name of a record begins like a balance or a total, as names of shops do, too.
    pub(super) fn is_alike(&self, cells: Cells<'_>) -> bool {
        self.named(cells).is_some_and(|(_, named)| named == Named::Alike)
    }

    /// What the name of a record makes of it. Only the first text counts: a payment may be for a
    /// balance.
    fn named(&self, cells: Cells<'_>) -> Option<(usize, Named)> {
        // A program, or a bank's format, states what is a balance; its payees are nothing but that.
        if self.register.is_some() || self.lines.is_some() {
            return None;
        }
        let column = self.texts.iter().copied().find(|column| !cells.get(*column).is_empty())?;
        Some((column, named(cells.get(column))?))
    }
}

/// The columns that the name of a row is taken from. Those without another role count only where
/// the header doesn't show which are names, so that a remark about a balance is no balance.
fn texts(layout: &Layout) -> Vec<usize> {
    let columns = &layout.columns;
    if columns.names.is_empty() {
        columns.notes.iter().chain(&columns.other_texts).copied().collect()
    } else {
        columns.names.clone()
    }
}
