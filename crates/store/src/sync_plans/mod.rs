//! What runs of syncs did in accounts: execution of a plan, what is kept of it, and its undo.
//!
//! A plan is executed by the ledger's executor, in the caller's transaction. Beside it an image is
//! kept of whatever changes: what a provider reported before, a pending entry that goes, a
//! valuation that is replaced. An undo goes back over the images ([`undo`]).

mod balance;
mod execution;
pub(crate) mod facts;
pub(crate) mod images;
mod position;
pub(crate) mod securities;
pub mod undo;
mod withdrawal;

use jiff::Timestamp;
use jiff::civil::Date;
use purser_core::connection::RevertStatus;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, EntryId, SyncId};
use purser_core::sync::Counts;

use crate::access::FamilyTx;
use crate::driver::{Row, statements, vals};

pub use balance::Balance;
pub use execution::{Execution, execute, execute_part};
pub use position::Position;
pub use securities::HoldingsOf;
pub use withdrawal::withdraw_pending;

statements! {
    /// What a run did in an account until now; what it adds has consecutive ids.
    PLAN_PUT = "INSERT INTO sync_plans (family_id, sync_id, account_id, source, counts, warnings,
            first_entry_id, last_entry_id, watermark_before, undone_at, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, NULL, $10)
        ON CONFLICT (family_id, sync_id, account_id) DO UPDATE
        SET counts = excluded.counts, warnings = excluded.warnings,
            first_entry_id = excluded.first_entry_id, last_entry_id = excluded.last_entry_id";
    /// What a run did in all accounts.
    PLANS_BY_SYNC = "SELECT account_id, source, counts, warnings, first_entry_id, last_entry_id,
            watermark_before, undone_at, created_at, revert_status
        FROM sync_plans WHERE family_id = $1 AND sync_id = $2 ORDER BY account_id";
    /// When the newest run but one had an account.
    PLAN_NEWEST_BUT = "SELECT created_at FROM sync_plans
        WHERE family_id = $1 AND account_id = $2 AND sync_id <> $3
        ORDER BY created_at DESC LIMIT 1";
    /// How it was before.
    IMAGE_INSERT = "INSERT INTO sync_images (family_id, sync_id, account_id, number, image)
        VALUES ($1, $2, $3, $4, $5)";
    /// How it was before the last changes of a run, the last one first.
    IMAGES_BY_PLAN = "SELECT number, image FROM sync_images
        WHERE family_id = $1 AND sync_id = $2 AND account_id = $3 ORDER BY number DESC LIMIT $4";
    /// Images that nobody needs any more.
    IMAGES_REMOVE = "DELETE FROM sync_images WHERE family_id = $1 AND sync_id = $2";
    /// What a run did, before the run itself goes.
    PLANS_REMOVE = "DELETE FROM sync_plans WHERE family_id = $1 AND sync_id = $2";
    /// A pair that may be one transaction.
    SUGGESTION_PUT = "INSERT INTO sync_suggestions (family_id, entry_id, other_id, id, account_id,
            doubt, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (family_id, entry_id, other_id) DO NOTHING";
    /// Pairs with an entry that is gone.
    SUGGESTIONS_DROP = "DELETE FROM sync_suggestions
        WHERE family_id = $1 AND (entry_id = $2 OR other_id = $2)";
}

/// What a run did in an account, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPlan {
    /// The account of the family.
    pub account: AccountId,
    /// The name of the provider.
    pub source: String,
    /// How many rows and entries came to what.
    pub counts: Counts,
    /// The codes of what is worth knowing.
    pub warnings: Vec<String>,
    /// The first and the last entry that was added.
    pub range: Option<(EntryId, EntryId)>,
    /// The day up to which the account was known before the run.
    pub watermark_before: Option<Date>,
    /// When it was undone.
    pub undone_at: Option<Timestamp>,
    /// How far an undo is; `None` if there was none.
    pub revert_status: Option<RevertStatus>,
    /// When it was executed.
    pub created_at: Timestamp,
}

/// What a run did, one for each account.
pub fn of_sync(tx: &mut FamilyTx<'_>, sync: SyncId) -> Result<Vec<StoredPlan>> {
    let family = tx.family();
    tx.query(&PLANS_BY_SYNC, vals![family, sync], read)
}

/// When the newest run had the account, without one of them.
pub fn newest_but(
    tx: &mut FamilyTx<'_>,
    account: AccountId,
    sync: SyncId,
) -> Result<Option<Timestamp>> {
    let family = tx.family();
    tx.query_opt(&PLAN_NEWEST_BUT, vals![family, account, sync], |row| row.timestamp(0))
}

/// Forgets what a run did, before the run itself is removed. It can't be undone from then on.
pub(crate) fn remove_of_sync(tx: &mut FamilyTx<'_>, sync: SyncId) -> Result<()> {
    let family = tx.family();
    tx.execute(&IMAGES_REMOVE, vals![family, sync])?;
    tx.execute(&PLANS_REMOVE, vals![family, sync]).map(drop)
}

fn read(row: &Row<'_>) -> Result<StoredPlan> {
    Ok(StoredPlan {
        account: row.id(0)?,
        source: row.string(1)?,
        counts: serde_json::from_str(row.text(2)?).map_err(Error::internal)?,
        warnings: serde_json::from_str(row.text(3)?).map_err(Error::internal)?,
        range: row.opt_id(4)?.zip(row.opt_id(5)?),
        watermark_before: row.opt_date(6)?,
        undone_at: row.opt_timestamp(7)?,
        revert_status: match row.opt_timestamp(7)? {
            Some(_) => Some(RevertStatus::Reverted),
            None => row.opt_named(9)?,
        },
        created_at: row.timestamp(8)?,
    })
}

#[cfg(test)]
mod tests;
