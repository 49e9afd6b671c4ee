//! A person's edits of single rows: an overlay by row number. The file is never changed.
//!
//! A correction replaces texts of cells, which are interpreted as if they were in the file. It
//! never changes which records are rows: a corrected row that would be none is invalid.

use std::collections::BTreeMap;

use super::cells::{Cells, CellsBuf};
use crate::named::text_enum;

text_enum! {
    /// A person's choice of what becomes of a row.
    RowChoice {
        /// What the plan finds.
        Plan = "plan",
        /// Nothing: it isn't counted either.
        LeaveOut = "leave_out",
        /// A new transaction, even if it resembles or equals an entry.
        Create = "create",
    }
}

/// A person's edit of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowEdit {
    /// The corrected texts by column, counted from 0.
    pub cells: BTreeMap<usize, String>,
    /// What is to become of it.
    pub choice: RowChoice,
}

/// The edits of a file by row number.
pub type RowEdits = BTreeMap<u64, RowEdit>;

impl RowEdit {
    /// Whether the row is unchanged.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty() && self.choice == RowChoice::Plan
    }

    /// The record with the corrected cells, in `buf`.
    pub fn apply(&self, cells: Cells<'_>, buf: &mut CellsBuf) {
        buf.clear();
        let columns = self.cells.keys().next_back().map_or(0, |last| last + 1).max(cells.len());
        for column in 0..columns {
            buf.push(self.cells.get(&column).map_or_else(|| cells.raw(column), String::as_str));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrected_cells_stand_in_for_those_of_the_file() {
        let record: CellsBuf = ["2024-01-05", "1,50"].iter().collect();
        let edit = RowEdit {
            cells: BTreeMap::from([(1, "1.50".to_owned()), (3, "note".to_owned())]),
            choice: RowChoice::Plan,
        };
        let mut buf = CellsBuf::default();
        edit.apply(record.as_cells(), &mut buf);
        let cells: Vec<_> = buf.as_cells().iter().collect();
        assert_eq!(cells, ["2024-01-05", "1.50", "", "note"]);
    }
}
