//! The drivers that read a CSV, whatever its rows are.
//!
//! [`analyse`] is called once at upload: it finds the layout, then interprets every record, counts,
//! collects what the rows name, and builds the offset index. [`visit`] interprets records from any
//! known place on: from the start for a publish, from an entry of the index for a page. Both hand
//! each record to the same `Interpreter`, so they agree on every row and its number. Where rows are
//! judged as a whole, [`survey`] comes before both; so does the pass that finds which way amounts
//! without signs went, if balances show it.

mod above;
#[cfg(test)]
mod above_tests;
mod analyse;
#[cfg(test)]
mod balance_tests;
mod collector;
mod directions;
mod first_records;
mod judged;
mod names;
#[cfg(test)]
mod tests;
mod totals;
mod visit;
#[cfg(test)]
mod without_header_tests;

pub use analyse::{AnalyseError, Analysis, RowFinding, analyse};
pub use names::Name;
pub use visit::{Passed, VisitError, Visited, survey, visit};
