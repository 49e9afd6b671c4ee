//! The runs of one connection.

use purser_core::error::Result;
use purser_core::ids::{ConnectionId, SyncId};

use super::get;
use crate::access::FamilyTx;
use crate::driver::{statements, vals};
use crate::syncs::{self, Sync};

statements! {
    /// The newest runs of a connection.
    SYNCS_OF_CONNECTION = "SELECT id, connection_id, actor_kind, actor_id, status, error_code,
            created_at, syncing_at, completed_at, failed_at, accounts_failed, accounts_synced
        FROM syncs WHERE family_id = $1 AND connection_id = $2
        ORDER BY created_at DESC, id DESC LIMIT $3";
    /// The ended runs of a connection beyond the newest.
    RUNS_OLD = "SELECT id FROM syncs
        WHERE family_id = $1 AND connection_id = $2 AND status IN ('completed', 'failed', 'stale')
        ORDER BY created_at DESC, id DESC LIMIT 20 OFFSET $3";
}

/// The newest runs of a connection, the newest first.
pub fn list(tx: &mut FamilyTx<'_>, connection: ConnectionId, limit: i64) -> Result<Vec<Sync>> {
    get(tx, connection)?;
    let family = tx.family();
    tx.query(&SYNCS_OF_CONNECTION, vals![family, connection, limit], syncs::read)
}

/// The oldest runs beyond those that are kept, for the caller to remove.
pub fn old(tx: &mut FamilyTx<'_>, connection: ConnectionId, kept: i64) -> Result<Vec<SyncId>> {
    let family = tx.family();
    tx.query(&RUNS_OLD, vals![family, connection, kept], |row| row.id(0))
}
