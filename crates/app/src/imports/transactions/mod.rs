//! What an import of transactions does with the ledger: its plan, its publish, and the family's
//! rules on what it adds. A file may have any number of rows, so they are streamed, and a large
//! publish is cut into parts.

mod pass;
mod planning;
mod precomputed_rules;
mod publication;
mod refusals;
mod rule_evaluation;
mod stated_by_file;
mod verdicts;

pub(super) use pass::Pass;
pub(super) use planning::plan;
pub(super) use precomputed_rules::PrecomputedRules;
pub(super) use publication::Publication;
use purser_core::error::{Error, Result};
use purser_core::import::dispatch;
use purser_core::import::transaction::Row;
pub(super) use rule_evaluation::RuleEvaluation;

/// The row of a file of transactions.
pub(super) fn transaction_of<'r, 'a>(row: &'a dispatch::Row<'r>) -> Result<&'a Row<'r>> {
    row.transaction().ok_or_else(|| Error::internal("a row is of another kind than its file"))
}
