//! Syncs of connected accounts: what the answers of a provider change in an account of the family.
//!
//! ```text
//! Answers ─► reported (signs, currency, days) ─► core::sync::reconcile ─► plan ─► preview
//!                                                                            └─► store: execution
//! ```
//!
//! Nothing here asks a provider. The caller has the answers, and stores outcome and watermark in
//! the same transaction. `docs/sync.md` has the design.

mod days;
pub mod duplicates;
mod evaluated_rules;
mod holdings;
mod plan;
mod reported;
pub mod revert;
pub(crate) mod revert_job;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use purser_core::error::Result;
use purser_core::ids::{AccountId, SyncId};
use purser_core::money::Currency;
use purser_core::sync::{KnownAccount, ReportedRows, SyncPlan};
use purser_providers::ProviderKind;
use purser_providers::snapshot::{BalanceSnapshot, HoldingsSnapshot, TransactionsSnapshot};
use purser_providers::window::Window;
use purser_store::sync_plans;
use purser_store::sync_rows::SourceAccount;
use purser_store::{FamilyTx, sync_rows};

pub use holdings::PlannedHolding;
pub use plan::{
    AccountPlan, LINES_MAX, PlannedLine, PreparedPlan, Progress, apply, prepare, preview,
};
pub use purser_core::sync::holdings::{HoldingCounts, HoldingReason};
pub use purser_core::sync::{Counts, Doubt, Reason, Warning, reconcile};
pub use purser_store::sync_plans::StoredPlan;
pub use purser_store::sync_plans::undo::UndoOutcome;
pub use reported::currency_of;

/// What decides what an answer means: [`reconcile`], or another one in a test that shows what is
/// found of a defect.
pub type Planner = fn(&KnownAccount, &ReportedRows, Date) -> SyncPlan;

/// What holds for all accounts of a run.
#[derive(Debug, Clone)]
pub struct RunSettings {
    /// The run, which an undo takes back.
    pub sync: SyncId,
    /// The day in the family's time zone.
    pub today: Date,
    /// The time zone of the family, in which times become days.
    pub time_zone: TimeZone,
    /// Whether transactions that aren't booked yet are wanted.
    pub include_pending: bool,
    /// The provider, by which the rows of an account are known.
    pub provider: ProviderKind,
    /// The days of the first window of an account.
    pub first_days: u32,
    /// What makes the plan of an account.
    pub planner: Planner,
}

/// An account of the family that is linked to one at the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkedAccount {
    /// The account of the family.
    pub account: AccountId,
    /// The day up to which it is known; `None` before the first run.
    pub watermark: Option<Date>,
    /// The currency that the provider stated last, if it ever stated one.
    pub stated: Option<Currency>,
}

impl LinkedAccount {
    fn of(self, run: &RunSettings) -> SourceAccount<'static> {
        SourceAccount { account: self.account, source: run.provider.as_str() }
    }
}

/// What came for one account. `None` was not asked for or failed, and changes nothing; an empty
/// list is a statement.
#[derive(Debug, Clone, Copy, Default)]
pub struct Answers<'a> {
    /// The transactions, and the days that were asked for.
    pub transactions: Option<(Window, &'a TransactionsSnapshot)>,
    /// The balance that the bank reports.
    pub balance: Option<&'a BalanceSnapshot>,
    /// The holdings that the bank reports.
    pub holdings: Option<&'a HoldingsSnapshot>,
}

/// The days to ask for: from ten days before those that are known, or from before the oldest
/// pending transaction, to tomorrow.
pub fn window(tx: &mut FamilyTx<'_>, linked: &LinkedAccount, run: &RunSettings) -> Result<Window> {
    let oldest = sync_rows::oldest_pending(tx, linked.of(run))?;
    let days_max = run.provider.traits().days_max;
    Ok(days::window(linked.watermark, oldest, run.today, (run.first_days, days_max)))
}

/// What a run changed, one for each account.
pub fn changes_of(tx: &mut FamilyTx<'_>, sync: SyncId) -> Result<Vec<StoredPlan>> {
    sync_plans::of_sync(tx, sync)
}

#[cfg(test)]
mod tests;
