//! What a journal of a family is made of: lists with names, entries by day with everything that
//! belongs to them, trades by security with the lots that they move, and what balances come to.
//!
//! Entries are read in pages and the rest row by row, so memory doesn't grow with the ledger; of
//! one security all trades are there at a time, as when its positions are folded.

pub mod entries;
pub mod lists;
pub mod trades;
pub mod values;

use crate::driver::Sql;

/// Every constant statement of journals, for the test that prepares them.
pub(crate) fn statements() -> [(&'static str, &'static [(&'static str, Sql)]); 4] {
    [
        ("books::entries", entries::STATEMENTS),
        ("books::lists", lists::STATEMENTS),
        ("books::trades", trades::STATEMENTS),
        ("books::values", values::STATEMENTS),
    ]
}
