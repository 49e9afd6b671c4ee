//! Creating, changing and removing connections.

use jiff::Timestamp;
use purser_core::connection::{ConnectionStatus, SyncStatus, schedule};
use purser_core::error::{Error, Result};
use purser_core::ids::ConnectionId;
use purser_core::limits::CONNECTIONS_MAX;
use serde_json::{Value, json};

use super::{Institution, missing};
use crate::access::FamilyTx;
use crate::audit;
use crate::driver::{statements, vals};
use crate::due::{self, Kind};

statements! {
    /// Whether a run of a connection is being undone.
    RUN_REVERTING = "SELECT 1 FROM syncs s
        JOIN sync_plans p ON p.family_id = $1 AND p.sync_id = s.id
        WHERE s.family_id = $1 AND s.connection_id = $2 AND p.revert_status = 'reverting' LIMIT 1";
    /// The number of connections of a family.
    CONNECTION_COUNT = "SELECT CAST(COUNT(*) AS BIGINT) FROM connections WHERE family_id = $1";
    /// Inserts a new connection, which is due at once.
    CONNECTION_INSERT = "INSERT INTO connections (family_id, id, provider, provider_type, name,
            status, credentials, scheduled_for_deletion, next_attempt_at, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, FALSE, $8, $8, $8)";
    /// Gives a connection another name.
    CONNECTION_RENAME = "UPDATE connections SET name = $1, updated_at = $2
        WHERE family_id = $3 AND id = $4 AND NOT scheduled_for_deletion";
    /// Stores another key, with which everything begins anew; if it is the same one, the provider
    /// is left alone as long as it wants to. What is after $5 is no rest.
    CONNECTION_CREDENTIALS = "UPDATE connections
        SET credentials = $1, status = $2, failures = 0, updated_at = $3,
            next_attempt_at = CASE WHEN $4 AND not_before > $3 AND not_before <= $5
                THEN not_before ELSE $3 END,
            not_before = CASE WHEN $4 THEN not_before END
        WHERE family_id = $6 AND id = $7 AND NOT scheduled_for_deletion";
    /// The same key, encrypted with another one.
    CONNECTION_RESEAL = "UPDATE connections SET credentials = $1 WHERE family_id = $2 AND id = $3";
    /// The bank behind it, as far as it is known.
    CONNECTION_INSTITUTION = "UPDATE connections SET institution_name = $1,
            institution_domain = $2, institution_url = $3
        WHERE family_id = $4 AND id = $5";
    /// What the provider reports about it as a whole.
    CONNECTION_NOTICES = "UPDATE connections SET notices = $1 WHERE family_id = $2 AND id = $3";
    /// It is to be removed: nothing asks the provider any more, and the key is gone at once.
    CONNECTION_SCHEDULE = "UPDATE connections
        SET scheduled_for_deletion = TRUE, credentials = NULL, next_attempt_at = NULL,
            run_token = run_token + 1, run_owner = NULL, run_until = NULL, updated_at = $1
        WHERE family_id = $2 AND id = $3 AND NOT scheduled_for_deletion";
    /// A run that is under way ends with its connection.
    CONNECTION_RUNS_END = "UPDATE syncs SET status = $1
        WHERE family_id = $2 AND connection_id = $3 AND status IN ('pending', 'syncing')";
    /// Some runs, for a commit of the removal.
    CONNECTION_SYNCS = "SELECT id FROM syncs WHERE family_id = $1 AND connection_id = $2
        ORDER BY created_at, id LIMIT $3";
    /// The accounts that it found.
    CONNECTION_ACCOUNTS_REMOVE = "DELETE FROM connection_accounts
        WHERE family_id = $1 AND connection_id = $2";
    /// Removes the connection itself.
    CONNECTION_REMOVE = "DELETE FROM connections
        WHERE family_id = $1 AND id = $2 AND scheduled_for_deletion";
}

/// Runs that one commit of a removal takes.
const REMOVED_RUNS: i64 = 200;

/// A connection that is to be made.
#[derive(Debug, Clone, Copy)]
pub struct NewConnection<'a> {
    /// The id, which the key is bound to.
    pub id: ConnectionId,
    /// The provider that it connects to.
    pub provider: &'a str,
    /// The kind of the provider.
    pub provider_type: &'a str,
    /// The name that the family gave it.
    pub name: &'a str,
    /// The key for the provider, encrypted.
    pub credentials: &'a [u8],
}

/// Refuses another connection if the family has as many as it may.
pub fn require_room(tx: &mut FamilyTx<'_>) -> Result<()> {
    let family = tx.family();
    let count = tx.query_one(&CONNECTION_COUNT, vals![family], |row| row.count(0))?;
    if count < CONNECTIONS_MAX {
        return Ok(());
    }
    Err(Error::Conflict {
        code: "too_many_connections",
        message: format!("A family can have {CONNECTIONS_MAX} provider connections at most"),
    })
}

/// Creates a connection, which is due at once.
pub fn create(tx: &mut FamilyTx<'_>, new: &NewConnection<'_>) -> Result<()> {
    require_room(tx)?;
    let (family, now) = (tx.family(), tx.now());
    let status = ConnectionStatus::Good.as_str();
    let NewConnection { id, provider, provider_type, name, credentials } = *new;
    let values = vals![family, id, provider, provider_type, name, status, credentials, now];
    tx.execute(&CONNECTION_INSERT, values)?;
    due::note(tx, Kind::Sync, now)?;
    record(tx, "connection.create", id, json!({ "provider": provider, "name": name }))
}

/// Gives it another name.
pub fn rename(tx: &mut FamilyTx<'_>, id: ConnectionId, name: &str) -> Result<()> {
    let (family, now) = (tx.family(), tx.now());
    let changed = tx.execute(&CONNECTION_RENAME, vals![name, now, family, id])?;
    found(changed)?;
    record(tx, "connection.rename", id, json!({ "name": name }))
}

/// Stores another key, with which the connection is due at once, or once the provider has rested.
pub fn set_credentials(
    tx: &mut FamilyTx<'_>,
    id: ConnectionId,
    sealed: &[u8],
    keeps_rest: bool,
) -> Result<()> {
    let (family, now) = (tx.family(), tx.now());
    let status = ConnectionStatus::Good.as_str();
    let values = vals![sealed, status, now, keeps_rest, schedule::last_rest(now), family, id];
    found(tx.execute(&CONNECTION_CREDENTIALS, values)?)?;
    due::note(tx, Kind::Sync, now)?;
    record(tx, "connection.key", id, json!({}))
}

/// Stores the same key, encrypted with another one.
pub fn reseal(tx: &mut FamilyTx<'_>, id: ConnectionId, sealed: &[u8]) -> Result<()> {
    let family = tx.family();
    found(tx.execute(&CONNECTION_RESEAL, vals![sealed, family, id])?)
}

/// Stores what is known of the bank.
pub fn set_institution(
    tx: &mut FamilyTx<'_>,
    id: ConnectionId,
    institution: &Institution,
) -> Result<()> {
    let family = tx.family();
    let Institution { name, domain, url } = institution;
    let values = vals![name.as_deref(), domain.as_deref(), url.as_deref(), family, id];
    found(tx.execute(&CONNECTION_INSTITUTION, values)?)
}

/// Stores what the provider reports about the connection as a whole.
pub fn set_notices(tx: &mut FamilyTx<'_>, id: ConnectionId, notices: &[String]) -> Result<()> {
    let family = tx.family();
    let stored = match notices {
        [] => None,
        some => Some(serde_json::to_string(some).map_err(Error::internal)?),
    };
    found(tx.execute(&CONNECTION_NOTICES, vals![stored.as_deref(), family, id])?)
}

/// Has a connection removed: its key goes at once, and it is listed until [`remove_more`] has
/// removed the rest. False if that was so before.
///
/// # Errors
/// `sync_not_ended` while one of its runs is being undone, in several commits: the rest of the undo
/// needs what is known of the run.
pub fn schedule_removal(tx: &mut FamilyTx<'_>, id: ConnectionId) -> Result<bool> {
    let (family, now): (_, Timestamp) = (tx.family(), tx.now());
    super::get(tx, id)?;
    if tx.query_opt(&RUN_REVERTING, vals![family, id], |_| Ok(()))?.is_some() {
        return Err(Error::Conflict {
            code: "sync_not_ended",
            message: "A sync of the connection is being undone: wait for its end".to_owned(),
        });
    }
    if tx.execute(&CONNECTION_SCHEDULE, vals![now, family, id])? == 0 {
        return Ok(false);
    }
    let stale = SyncStatus::Stale.as_str();
    tx.execute(&CONNECTION_RUNS_END, vals![stale, family, id])?;
    record(tx, "connection.remove", id, json!({}))?;
    Ok(true)
}

/// Removes more of a connection that is to be removed, for the job that does that. Returns whether
/// it is gone. What it brought into the ledger stays.
pub fn remove_more(tx: &mut FamilyTx<'_>, id: ConnectionId) -> Result<bool> {
    let family = tx.family();
    let runs = tx.query(&CONNECTION_SYNCS, vals![family, id, REMOVED_RUNS], |row| row.id(0))?;
    for run in &runs {
        crate::syncs::remove(tx, *run)?;
    }
    if !runs.is_empty() {
        return Ok(false);
    }
    tx.execute(&CONNECTION_ACCOUNTS_REMOVE, vals![family, id])?;
    tx.execute(&CONNECTION_REMOVE, vals![family, id])?;
    Ok(true)
}

fn record(tx: &mut FamilyTx<'_>, action: &str, id: ConnectionId, details: Value) -> Result<()> {
    let event = audit::Event {
        actor: tx.actor(),
        action,
        subject_kind: "connection",
        subject_id: Some(id.0),
        details,
    };
    audit::record(tx, &event).map(drop)
}

fn found(changed: u64) -> Result<()> {
    if changed == 1 { Ok(()) } else { Err(missing()) }
}
