//! Answers about what a sync changed in accounts.

use purser_app::sync::{Counts, HoldingCounts, StoredPlan, Warning};
use purser_core::named::Named as _;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::named::{RevertStatusName, SyncWarningName};
use crate::http::time::Time;

/// What a sync changed in one account of the family.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SyncChanges)]
pub(super) struct ChangesBody {
    /// The id of the account.
    account_id: Uuid,
    /// The name of the provider.
    #[schema(example = "lunchflow")]
    provider: String,
    /// The numbers of rows and transactions, by what became of them.
    counts: CountsBody,
    /// What is worth knowing about the answers, although they were booked.
    warnings: Vec<WarningBody>,
    /// The time at which the changes were undone; null if they were not.
    #[schema(required)]
    undone_at: Option<Time>,
    /// How far an undo of the changes is; null if nobody undid them.
    #[schema(required)]
    revert_status: Option<RevertStatusName>,
}

/// How many rows and transactions came to what.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SyncCounts)]
pub(super) struct CountsBody {
    /// Rows that became transactions.
    added: u64,
    /// Rows that were there already and didn't change.
    known: u64,
    /// Pending transactions that were booked.
    booked: u64,
    /// Transactions that the bank changed.
    corrected: u64,
    /// Transactions that got another id of the bank.
    identified: u64,
    /// Transactions of imports or of people that the bank reports, too.
    claimed: u64,
    /// Rows of transactions that somebody deleted; they stay deleted.
    deleted_before: u64,
    /// Pending transactions that the bank doesn't report any more, and that stay for now.
    absent: u64,
    /// Pending transactions that were removed.
    removed: u64,
    /// Pairs of transactions that may be one, for a person to decide.
    suggested: u64,
    /// Rows that could not be read.
    unreadable: u64,
    /// The numbers of positions and prices.
    holdings: HoldingCountsBody,
}

/// How many positions and prices came to what.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SyncHoldingCounts)]
struct HoldingCountsBody {
    /// Positions that were opened.
    opened: u64,
    /// Positions of which the number of units or the cost changed.
    changed: u64,
    /// Positions that were closed, because the provider doesn't report them any more.
    closed: u64,
    /// Positions that were there already and didn't change.
    known: u64,
    /// Prices that were stated.
    priced: u64,
}

impl From<HoldingCounts> for HoldingCountsBody {
    fn from(counts: HoldingCounts) -> Self {
        let HoldingCounts { opened, changed, closed, known, priced } = counts;
        Self { opened, changed, closed, known, priced }
    }
}

/// What is worth knowing about an answer.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SyncWarning)]
pub(super) struct WarningBody {
    /// The code of the warning.
    code: SyncWarningName,
    /// A fixed sentence for each code.
    message: &'static str,
}

impl From<Counts> for CountsBody {
    fn from(counts: Counts) -> Self {
        let Counts {
            added,
            known,
            booked,
            corrected,
            identified,
            claimed,
            deleted_before,
            absent,
            removed,
            suggested,
            unreadable,
            holdings,
        } = counts;
        Self {
            added,
            known,
            booked,
            corrected,
            identified,
            claimed,
            deleted_before,
            absent,
            removed,
            suggested,
            unreadable,
            holdings: holdings.into(),
        }
    }
}

impl From<Warning> for WarningBody {
    fn from(warning: Warning) -> Self {
        Self { code: warning.into(), message: warning.sentence() }
    }
}

impl From<StoredPlan> for ChangesBody {
    fn from(plan: StoredPlan) -> Self {
        // A code that this version doesn't know is left out.
        let warnings = plan.warnings.iter().filter_map(|code| Warning::named(code));
        Self {
            account_id: plan.account.0,
            provider: plan.source,
            counts: plan.counts.into(),
            warnings: warnings.map(Into::into).collect(),
            undone_at: plan.undone_at.map(Time),
            revert_status: plan.revert_status.map(Into::into),
        }
    }
}
