//! Syncs: runs that retrieve data from providers. A run is of one connection, or of the whole
//! family. Errors are kept as codes only.
//!
//! A sync of a whole family requests one of each of its connections, and is itself completed in the
//! transaction that does so.
//!
//! Whoever sees only some accounts sees no sync, because a sync is of accounts beyond them.

use jiff::Timestamp;
use purser_core::connection::{SyncErrorCode, SyncStatus};
use purser_core::error::{Error, Result};
use purser_core::ids::{ConnectionId, SyncId};
use purser_core::limits::SYNCS_KEPT_MAX;

use crate::access::FamilyTx;
use crate::audit::Actor;
use crate::driver::{Row, Val, statements, vals};

statements! {
    /// The number of runs.
    SYNCS_COUNT = "SELECT CAST(COUNT(*) AS BIGINT) FROM syncs WHERE family_id = $1";
    /// A page of runs, newest first.
    SYNCS_PAGE = "SELECT id, connection_id, actor_kind, actor_id, status, error_code, created_at,
            syncing_at, completed_at, failed_at, accounts_failed, accounts_synced
        FROM syncs WHERE family_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3";
    /// The run with an id.
    SYNC_BY_ID = "SELECT id, connection_id, actor_kind, actor_id, status, error_code, created_at,
            syncing_at, completed_at, failed_at, accounts_failed, accounts_synced
        FROM syncs WHERE family_id = $1 AND id = $2";
    /// Inserts a new run.
    SYNC_INSERT = "INSERT INTO syncs (family_id, id, actor_kind, actor_id, connection_id, status,
            accounts_synced, accounts_failed, error_code, created_at, syncing_at, completed_at,
            failed_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
    /// A run as it is now.
    SYNC_UPDATE = "UPDATE syncs
        SET connection_id = $1, status = $2, accounts_synced = $3, accounts_failed = $4,
            error_code = $5, created_at = $6, syncing_at = $7, completed_at = $8, failed_at = $9
        WHERE family_id = $10 AND id = $11";
    /// The run of a connection, before the connection goes.
    SYNC_REMOVE = "DELETE FROM syncs WHERE family_id = $1 AND id = $2";
    /// Removes the oldest runs of the whole family, but for a number of the newest.
    SYNCS_PRUNE = "DELETE FROM syncs
        WHERE family_id = $1 AND connection_id IS NULL
            AND id IN (SELECT old.id FROM syncs old
                WHERE old.family_id = $1 AND old.connection_id IS NULL
                ORDER BY old.created_at DESC, old.id DESC LIMIT 100 OFFSET $2)";
}

/// A run that retrieves data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sync {
    /// The id of the run.
    pub id: SyncId,
    /// The connection of the run; `None` if it is of the whole family.
    pub connection: Option<ConnectionId>,
    /// Who requested the sync.
    pub actor: Actor,
    /// The state of the run.
    pub status: SyncStatus,
    /// The reason for a failure.
    pub error: Option<SyncErrorCode>,
    /// When it was requested.
    pub created_at: Timestamp,
    /// The time at which it began.
    pub syncing_at: Option<Timestamp>,
    /// When it was done.
    pub completed_at: Option<Timestamp>,
    /// The time at which it failed.
    pub failed_at: Option<Timestamp>,
    /// Accounts that failed although the run was completed.
    pub accounts_failed: u64,
    /// Accounts that were brought up to date.
    pub accounts_synced: u64,
}

/// A run as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyncRecord {
    /// The connection of the run; `None` if it is of the whole family.
    pub connection: Option<ConnectionId>,
    /// The state of the run.
    pub status: SyncStatus,
    /// Accounts that were brought up to date.
    pub accounts_synced: u64,
    /// The number of accounts that failed.
    pub accounts_failed: u64,
    /// The reason for a failure.
    pub error: Option<SyncErrorCode>,
    /// When it was requested.
    pub created_at: Timestamp,
    /// The time at which it began.
    pub syncing_at: Option<Timestamp>,
    /// When it was done.
    pub completed_at: Option<Timestamp>,
    /// The time at which it failed.
    pub failed_at: Option<Timestamp>,
}

impl Sync {
    /// The time of the latest change of its state.
    pub fn updated_at(&self) -> Timestamp {
        self.completed_at.or(self.failed_at).or(self.syncing_at).unwrap_or(self.created_at)
    }
}

/// A page of runs, newest first, and how many there are in all.
pub fn list(tx: &mut FamilyTx<'_>, limit: i64, offset: i64) -> Result<(Vec<Sync>, u64)> {
    if tx.accounts().is_restricted() {
        return Ok((Vec::new(), 0));
    }
    let family = tx.family();
    let total = tx.query_one(&SYNCS_COUNT, vals![family], |row| row.count(0))?;
    Ok((tx.query(&SYNCS_PAGE, vals![family, limit, offset], read)?, total))
}

/// The newest run, if there is any.
pub fn latest(tx: &mut FamilyTx<'_>) -> Result<Option<Sync>> {
    Ok(list(tx, 1, 0)?.0.pop())
}

/// The run with an id.
pub fn get(tx: &mut FamilyTx<'_>, id: SyncId) -> Result<Sync> {
    let missing = Error::NotFound { what: "Sync" };
    if tx.accounts().is_restricted() {
        return Err(missing);
    }
    let family = tx.family();
    tx.query_opt(&SYNC_BY_ID, vals![family, id], read)?.ok_or(missing)
}

/// Syncs the whole family.
pub fn request(tx: &mut FamilyTx<'_>) -> Result<Sync> {
    let (family, now) = (tx.family(), tx.now());
    let run = SyncRecord {
        connection: None,
        status: SyncStatus::Completed,
        accounts_synced: 0,
        accounts_failed: 0,
        error: None,
        created_at: now,
        syncing_at: Some(now),
        completed_at: Some(now),
        failed_at: None,
    };
    let id = put(tx, None, &run)?;
    tx.execute(&SYNCS_PRUNE, vals![family, SYNCS_KEPT_MAX])?;
    get(tx, id)
}

/// Stores a run: a new one in the name of the transaction's actor, or a change of `id`.
pub fn put(tx: &mut FamilyTx<'_>, id: Option<SyncId>, record: &SyncRecord) -> Result<SyncId> {
    let family = tx.family();
    let count = |number: u64| Val::Int(i64::try_from(number).unwrap_or(i64::MAX));
    let values = [
        record.connection.into(),
        Val::Text(record.status.as_str()),
        count(record.accounts_synced),
        count(record.accounts_failed),
        record.error.map(SyncErrorCode::as_str).into(),
        record.created_at.into(),
        record.syncing_at.into(),
        record.completed_at.into(),
        record.failed_at.into(),
    ];
    let Some(id) = id else {
        let id = SyncId(tx.new_id()?);
        let (actor_kind, actor_id) = tx.actor().parts();
        let key = [family.into(), id.into(), Val::Text(actor_kind), actor_id.into()];
        tx.execute(&SYNC_INSERT, &[&key[..], &values[..]].concat())?;
        return Ok(id);
    };
    let key = [family.into(), id.into()];
    let changed = tx.execute(&SYNC_UPDATE, &[&values[..], &key[..]].concat())?;
    if changed == 1 { Ok(id) } else { Err(Error::NotFound { what: "Sync" }) }
}

/// Removes a run with what is known of its steps, and what its undo would need. What it changed
/// in the ledger stays.
pub fn remove(tx: &mut FamilyTx<'_>, id: SyncId) -> Result<()> {
    let family = tx.family();
    crate::sync_outcomes::remove(tx, id)?;
    crate::sync_plans::remove_of_sync(tx, id)?;
    tx.execute(&SYNC_REMOVE, vals![family, id]).map(drop)
}

pub(crate) fn read(row: &Row<'_>) -> Result<Sync> {
    let status: SyncStatus = row.named(4)?;
    Ok(Sync {
        id: row.id(0)?,
        connection: row.opt_id(1)?,
        actor: Actor::read(row, 2, 3)?,
        status,
        // A code that this version doesn't know counts as none.
        error: status.error(row.opt_text(5)?.and_then(SyncErrorCode::parse)),
        created_at: row.timestamp(6)?,
        syncing_at: row.opt_timestamp(7)?,
        completed_at: row.opt_timestamp(8)?,
        failed_at: row.opt_timestamp(9)?,
        accounts_failed: row.count(10)?,
        accounts_synced: row.count(11)?,
    })
}

#[cfg(test)]
mod tests;
