//! Runs that ended with their processes.
//!
//! Such a run leaves a lease that ends. Whoever looks next notes the run as stale and begins anew,
//! or lets the connection wait, if one run after the other dies.

use purser_core::connection::outcome::RunResult;
use purser_core::connection::{SyncErrorCode, SyncStatus};
use purser_core::error::Result;
use purser_core::ids::{ConnectionId, SyncId};

use super::run_events::raise_result;
use crate::access::{Access, FamilyTx};
use crate::audit::Actor;
use crate::driver::{Tx, statements, vals};
use crate::due::{self, Kind};
use crate::families::FamilyId;

statements! {
    /// The newest two runs of a connection that have begun.
    RUNS_NEWEST = "SELECT status FROM syncs
        WHERE family_id = $1 AND connection_id = $2 AND status <> 'pending'
        ORDER BY created_at DESC, id DESC LIMIT 2";
    /// Runs of a connection of which the process is gone.
    RUNS_DEAD = "SELECT id FROM syncs
        WHERE family_id = $1 AND connection_id = $2 AND status = 'syncing'";
    /// The families with leases.
    FAMILIES_WITH_LEASES = "SELECT DISTINCT family_id FROM connections
        WHERE run_until IS NOT NULL";
    /// Ends the leases of a family.
    LEASES_END = "UPDATE connections SET run_until = $1
        WHERE family_id = $2 AND run_until IS NOT NULL";
    /// Runs of a process that is gone.
    RUNS_STALE = "UPDATE syncs SET status = $1, error_code = $2
        WHERE family_id = $3 AND connection_id = $4 AND status = 'syncing'";
}

/// Notes runs of the connection as dead, and reports them. Whether there were any.
pub(super) fn end_dead(tx: &mut FamilyTx<'_>, connection: ConnectionId) -> Result<bool> {
    let family = tx.family();
    let dead: Vec<SyncId> = tx.query(&RUNS_DEAD, vals![family, connection], |row| row.id(0))?;
    if dead.is_empty() {
        return Ok(false);
    }
    let (stale, interrupted) = (SyncStatus::Stale.as_str(), SyncErrorCode::Interrupted.as_str());
    tx.execute(&RUNS_STALE, vals![stale, interrupted, family, connection])?;
    for sync in dead {
        raise_result(tx, (sync, connection), &RunResult::interrupted())?;
    }
    Ok(true)
}

/// Whether the newest two runs of a connection ended with their processes.
pub(super) fn have_two_died(tx: &mut FamilyTx<'_>, connection: ConnectionId) -> Result<bool> {
    let key = vals![tx.family(), connection];
    let newest: Vec<SyncStatus> = tx.query(&RUNS_NEWEST, key, |row| row.named(0))?;
    Ok(newest == [SyncStatus::Stale, SyncStatus::Stale])
}

/// Families with leases, for a start on SQLite: whoever had those is dead.
pub fn with_leases(tx: &mut Tx<'_>) -> Result<Vec<Access>> {
    tx.query(&FAMILIES_WITH_LEASES, &[], |row| {
        Ok(Access::whole(FamilyId::from_number(row.int(0)?), Actor::System))
    })
}

/// Ends the leases of a family, however long a clock that was ahead has made them.
pub fn end_leases(tx: &mut FamilyTx<'_>) -> Result<()> {
    let (family, now) = (tx.family(), tx.now());
    tx.execute(&LEASES_END, vals![now, family])?;
    due::note(tx, Kind::Sync, now)
}
