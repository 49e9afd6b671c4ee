//! Pending entries that no bank is asked about any more, because their account isn't linked.

use purser_core::error::Result;
use purser_core::plan::Change;
use purser_core::sync::{SyncChange, drop_pending};
use serde_json::json;

use super::SUGGESTIONS_DROP;
use crate::access::FamilyTx;
use crate::driver::vals;
use crate::ledger::{Event, Executor};
use crate::sync_rows::{self, SourceAccount};

/// Takes away the pending entries of an account that nobody touched: nobody would ever book them.
/// They leave no tombstone, so a later link brings back what is pending then.
pub fn withdraw_pending(tx: &mut FamilyTx<'_>, of: SourceAccount<'_>) -> Result<()> {
    let family = tx.family();
    let changes = drop_pending(&sync_rows::pending(tx, of)?);
    if changes.is_empty() {
        return Ok(());
    }
    let mut executor = Executor::begin(tx, 0)?;
    for change in changes {
        let SyncChange::Remove { entry, .. } = change else { continue };
        executor.apply(tx, &Change::WithdrawTransaction { entry })?;
        sync_rows::remove(tx, of.source, entry)?;
        tx.execute(&SUGGESTIONS_DROP, vals![family, entry])?;
    }
    let event = Event {
        actor: tx.actor(),
        action: "sync.withdraw",
        subject_kind: "account",
        subject_id: of.account.0,
        details: json!({ "source": of.source }),
    };
    executor.finish(tx, event).map(drop)
}
