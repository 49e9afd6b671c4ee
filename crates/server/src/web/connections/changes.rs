//! What a run changed in an account, in words.

use purser_app::sync::{Counts, StoredPlan, Warning};
use purser_core::connection::RevertStatus;
use purser_core::named::Named as _;

use crate::web::view::{grouped, time};

/// What a run changed in one account of the family.
#[derive(Debug)]
pub(super) struct ChangesView {
    pub(super) account: String,
    pub(super) name: String,
    pub(super) facts: Vec<String>,
    /// What is worth knowing about the answers of the bank.
    pub(super) warnings: Vec<&'static str>,
    /// When it was undone.
    pub(super) undone: Option<String>,
    /// Whether an undo is under way.
    pub(super) is_reverting: bool,
    /// Whether an undo was given up.
    pub(super) has_failed_revert: bool,
}

impl ChangesView {
    pub(super) fn of(plan: StoredPlan, name: String, zone: &str) -> Self {
        // A code that this version doesn't know is left out.
        let warnings = plan.warnings.iter().filter_map(|code| Warning::named(code));
        Self {
            account: plan.account.0.to_string(),
            name,
            facts: facts(&plan.counts),
            warnings: warnings.map(Warning::sentence).collect(),
            undone: plan.undone_at.map(|at| time(at, zone)),
            is_reverting: plan.revert_status == Some(RevertStatus::Reverting),
            has_failed_revert: plan.revert_status == Some(RevertStatus::Failed),
        }
    }
}

/// A sentence for each number that isn't zero.
fn facts(counts: &Counts) -> Vec<String> {
    let numbers = [
        (counts.added, "new transaction", "new transactions"),
        (counts.booked, "pending transaction was booked", "pending transactions were booked"),
        (counts.corrected, "transaction was changed by the bank", "were changed by the bank"),
        (
            counts.claimed,
            "was there already, from you or a file",
            "were there already, from you or a file",
        ),
        (
            counts.deleted_before,
            "was deleted by you and stays so",
            "were deleted by you and stay so",
        ),
        (counts.removed, "pending transaction is gone", "pending transactions are gone"),
        (counts.suggested, "pair may be one transaction", "pairs may be one transaction each"),
        (counts.unreadable, "row could not be read", "rows could not be read"),
        (counts.holdings.opened, "position was opened", "positions were opened"),
        (counts.holdings.changed, "position was changed", "positions were changed"),
        (counts.holdings.closed, "position was closed", "positions were closed"),
        (counts.holdings.priced, "price was stated", "prices were stated"),
    ];
    let some = numbers.into_iter().filter(|(count, ..)| *count > 0);
    let texts: Vec<String> = some
        .map(|(count, one, many)| {
            format!("{} {}", grouped(count), if count == 1 { one } else { many })
        })
        .collect();
    if texts.is_empty() { vec!["Nothing new.".to_owned()] } else { texts }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_zero_are_left_out() {
        assert_eq!(facts(&Counts::default()), ["Nothing new."]);
        let counts = Counts { added: 1200, known: 7, removed: 1, ..Counts::default() };
        assert_eq!(facts(&counts), ["1,200 new transactions", "1 pending transaction is gone"]);
    }
}
