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

use jiff::civil::Date;
use jiff::tz::TimeZone;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, SyncId};
use purser_providers::ProviderKind;
use purser_providers::snapshot::{BalanceSnapshot, HoldingsSnapshot, TransactionsSnapshot};
use purser_providers::window::Window;
use purser_store::connections::found;
use purser_store::sync_plans::{self, undo as store_undo};
use purser_store::sync_rows::SourceAccount;
use purser_store::{FamilyTx, sync_rows, syncs};

use crate::transfers::{self, Scope};

pub use holdings::PlannedHolding;
pub use plan::{
    AccountPlan, LINES_MAX, PlannedLine, PreparedPlan, Progress, apply, prepare, preview,
};
pub use purser_core::sync::holdings::{HoldingCounts, HoldingReason};
pub use purser_core::sync::{Counts, Doubt, Reason, Warning};
pub use purser_store::sync_plans::StoredPlan;
pub use purser_store::sync_plans::undo::UndoOutcome;
pub use reported::currency_of;

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
}

/// An account of the family that is linked to one at the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkedAccount {
    /// The account of the family.
    pub account: AccountId,
    /// The day up to which it is known; `None` before the first run.
    pub watermark: Option<Date>,
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
    let first_days = run.provider.traits().first_days;
    Ok(days::window(linked.watermark, oldest, run.today, first_days))
}

/// What a run changed, one for each account.
pub fn changes_of(tx: &mut FamilyTx<'_>, sync: SyncId) -> Result<Vec<StoredPlan>> {
    sync_plans::of_sync(tx, sync)
}

/// What an undo of a run would do.
///
/// # Errors
/// `sync_not_newest` if a later run has changed one of the accounts, too.
pub fn undo_preview(tx: &mut FamilyTx<'_>, sync: SyncId) -> Result<UndoOutcome> {
    store_undo::preview(tx, sync)
}

/// Takes back what a run did. The next run asks for the same days again.
///
/// # Errors
/// `sync_not_ended` while the run is under way, and `sync_not_newest` if a later run has changed
/// one of the accounts, too.
pub fn undo(tx: &mut FamilyTx<'_>, sync: SyncId) -> Result<UndoOutcome> {
    if syncs::get(tx, sync)?.status.is_running() {
        return Err(Error::Conflict {
            code: "sync_not_ended",
            message: "The sync is queued or under way: wait for its end".to_owned(),
        });
    }
    let outcome = store_undo::undo(tx, sync)?;
    for (account, before) in &outcome.watermarks {
        found::set_watermark_back(tx, *account, *before)?;
    }
    if outcome.removed + outcome.restored > 0 {
        transfers::queue(tx, Scope::All)?;
    }
    Ok(outcome)
}

#[cfg(test)]
mod tests;
