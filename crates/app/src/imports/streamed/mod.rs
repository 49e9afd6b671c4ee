//! What an import of a streamed kind does with the ledger: its plan, its publish, and the family's
//! rules on what it adds. A file may have any number of rows, so they are streamed, and a large
//! publish is cut into parts.
//!
//! Each row becomes one entry: a transaction or a trade. What a plan compares and where a row goes
//! is the same for both ([`destinations`]); what they add differs (`additions`), and only
//! transactions are filled and have rules.

mod additions;
mod comparison;
mod corrections;
mod destinations;
mod fills;
mod pass;
mod planning;
mod precomputed_rules;
mod publication;
mod published_statements;
mod refusals;
mod rule_evaluation;
mod side_records;
mod stated_by_file;
mod verdicts;

pub(super) use comparison::{ComparedRow, Comparison};
pub(super) use corrections::{IN_OPENING, is_correction};
pub(super) use destinations::{Destinations, EntryFacts};
pub(super) use pass::Pass;
pub(super) use planning::plan;
pub(super) use precomputed_rules::PrecomputedRules;
pub(super) use publication::Publication;
pub(super) use published_statements::stated_amount;
use purser_core::error::{Error, Result};
use purser_core::import::dispatch;
use purser_core::import::kinds::Kind;
use purser_core::import::streamed::EntryRow;
pub(super) use rule_evaluation::RuleEvaluation;
pub(super) use side_records::RecordFacts;

/// Whether rows that are transactions are recognised by their records, whatever these were read as
/// before. In a file of trades they aren't: the same record may be read as a trade.
fn notes_records(kind: Kind) -> bool {
    kind != Kind::Trade
}

/// The entry that a row of a streamed kind becomes.
pub(super) fn entry_of<'r, 'a>(row: &'a dispatch::Row<'r>) -> Result<EntryRow<'a, 'r>> {
    row.entry().ok_or_else(|| Error::internal("a row of a streamed kind becomes no entry"))
}
