//! Imports of files in the server's own format: everything that a family has.
//!
//! Of everything but entries, prices, rates and reports there are few records: they are collected
//! first ([`collected`]), and it is decided what each stands for ([`records`]). The verdict on
//! every row follows from that and from the ledger ([`planning`]). A publish makes the plan again
//! in its own transaction, and goes through the file once for each group of records
//! ([`publication`]).

mod collected;
mod entries;
mod few;
mod opening;
mod planning;
mod publication;
mod records;
mod verification;

pub(super) use planning::plan;
pub(super) use publication::publish;
