//! Imports of files in the server's own format: everything that a family has.
//!
//! Of everything but entries, prices, rates and reports there are few records: they are collected
//! first ([`collected`]), and it is decided what each stands for ([`records`]). The verdict on
//! every row follows from that and from the ledger ([`planning`]). A publish goes through the file
//! once for each group of records ([`publication`]), and reads only lines of their types.

mod additions;
mod collected;
mod entries;
mod few;
mod opening;
mod pairs;
mod planning;
mod positions;
mod publication;
mod reasons;
mod records;
mod verification;

pub(super) use planning::plan;
pub(super) use publication::{Prepared, Publication, open_choice, publish};
pub(super) use reasons::why_open;
