//! Connections to bank-data providers, with their newest syncs.
//!
//! * [`changes`]: creating, changing and removing them.
//! * [`found`]: the accounts that each found at its provider, and their links.
//! * [`history`]: the runs of one.
//! * [`numbers`]: how many of all families are in which state.
//! * [`rests`]: how long providers want to be left alone.
//! * [`runs`]: which one is due, and which process runs it; `deaths`: those that ended with their
//!   process.
//!
//! Credentials are bytes that another part has encrypted; nothing here can read them.

pub mod changes;
mod deaths;
pub mod found;
pub mod history;
pub mod numbers;
pub mod rests;
mod run_events;
pub mod runs;

use std::collections::HashMap;

use jiff::Timestamp;
use purser_core::connection::{ConnectionStatus, Coverage, SyncErrorCode, SyncStatus};
use purser_core::error::{Error, Result};
use purser_core::ids::ConnectionId;

use crate::access::FamilyTx;
use crate::driver::{Row, Sql, statements};
use crate::syncs::{self, Sync};

statements! {
    /// All connections, newest first.
    CONNECTIONS_BY_FAMILY = "SELECT id, provider, provider_type, name, status, credentials,
            scheduled_for_deletion, institution_name, institution_domain, institution_url,
            consent_expires_at, next_attempt_at, created_at, updated_at, run_until,
            accounts_incomplete, notices
        FROM connections WHERE family_id = $1 ORDER BY created_at DESC, id DESC";
    /// How many accounts each connection found, how many are linked, and how many are left alone.
    CONNECTION_COVERAGE = "SELECT connection_id, COUNT(*), COUNT(account_id),
            COUNT(CASE WHEN is_ignored AND account_id IS NULL THEN 1 END)
        FROM connection_accounts WHERE family_id = $1 GROUP BY connection_id";
    /// How many linked accounts the newest completed run of each connection has come to.
    ACCOUNTS_COVERED = "SELECT c.id, CAST(COUNT(*) AS BIGINT)
        FROM connections c
        JOIN connection_accounts a ON a.family_id = $1 AND a.connection_id = c.id
            AND a.account_id IS NOT NULL
        WHERE c.family_id = $1 AND EXISTS (SELECT 1 FROM sync_outcomes o
            WHERE o.family_id = $1 AND o.found_account_id = a.id
                AND o.sync_id = (SELECT l.id FROM syncs l
                    WHERE l.family_id = $1 AND l.connection_id = c.id AND l.status = 'completed'
                    ORDER BY l.created_at DESC, l.id DESC LIMIT 1))
        GROUP BY c.id";
    /// The newest run of each connection.
    SYNCS_LATEST = "SELECT s.id, s.connection_id, s.actor_kind, s.actor_id, s.status,
            s.error_code, s.created_at, s.syncing_at, s.completed_at, s.failed_at,
            s.accounts_failed, s.accounts_synced
        FROM connections c
        JOIN syncs s ON s.family_id = $1 AND s.id = (SELECT l.id FROM syncs l
            WHERE l.family_id = $1 AND l.connection_id = c.id
            ORDER BY l.created_at DESC, l.id DESC LIMIT 1)
        WHERE c.family_id = $1";
    /// The newest completed run of each connection.
    SYNCS_COMPLETED = "SELECT s.id, s.connection_id, s.actor_kind, s.actor_id, s.status,
            s.error_code, s.created_at, s.syncing_at, s.completed_at, s.failed_at,
            s.accounts_failed, s.accounts_synced
        FROM connections c
        JOIN syncs s ON s.family_id = $1 AND s.id = (SELECT l.id FROM syncs l
            WHERE l.family_id = $1 AND l.connection_id = c.id
                AND l.status = 'completed'
            ORDER BY l.created_at DESC, l.id DESC LIMIT 1)
        WHERE c.family_id = $1";
}

/// Every statement about connections, for the test that prepares them.
pub(crate) fn statements() -> [(&'static str, &'static [(&'static str, Sql)]); 8] {
    [
        ("connections", STATEMENTS),
        ("connections::changes", changes::STATEMENTS),
        ("connections::deaths", deaths::STATEMENTS),
        ("connections::found", found::STATEMENTS),
        ("connections::history", history::STATEMENTS),
        ("connections::numbers", numbers::STATEMENTS),
        ("connections::rests", rests::STATEMENTS),
        ("connections::runs", runs::STATEMENTS),
    ]
}

/// A connection as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connection {
    /// The id of the connection.
    pub id: ConnectionId,
    /// The provider that it connects to.
    pub provider: String,
    /// The kind of the provider.
    pub provider_type: String,
    /// The name that the family gave it.
    pub name: String,
    /// The state of the connection.
    pub status: ConnectionStatus,
    /// The key for the provider, encrypted.
    pub credentials: Option<Vec<u8>>,
    /// Whether it is going to be deleted; it is listed until then.
    pub scheduled_for_deletion: bool,
    /// What is wrong with the connection as a whole, in sentences of this program.
    pub notices: Vec<String>,
    /// The bank behind the connection.
    pub institution: Institution,
    /// When the bank's consent ends.
    pub consent_expires_at: Option<Timestamp>,
    /// When the next run is planned.
    pub next_attempt_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it changed last.
    pub updated_at: Timestamp,
    /// How many accounts it covers.
    pub coverage: Coverage,
    /// The newest run, if there is any.
    pub latest: Option<Sync>,
    /// When a run was completed last.
    pub last_synced_at: Option<Timestamp>,
}

/// The bank behind a connection, as far as it is known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Institution {
    /// The name that is shown.
    pub name: Option<String>,
    /// The domain of its web site.
    pub domain: Option<String>,
    /// The address of its web site.
    pub url: Option<String>,
}

/// All connections of the family, newest first. Whoever sees only some accounts sees none, because
/// a connection has accounts beyond them.
pub fn list(tx: &mut FamilyTx<'_>) -> Result<Vec<Connection>> {
    let (family, now) = (tx.family(), tx.now());
    if tx.accounts().is_restricted() {
        return Ok(Vec::new());
    }
    let key = [family.into()];
    let coverage = tx.query(&CONNECTION_COVERAGE, &key, |row| {
        let found = Coverage {
            total: row.count(1)?,
            linked: row.count(2)?,
            ignored: row.count(3)?,
            ..Coverage::default()
        };
        Ok((row.id::<ConnectionId>(0)?, found))
    })?;
    let mut coverage: HashMap<_, _> = coverage.into_iter().collect();
    let latest = tx.query(&SYNCS_LATEST, &key, read_sync)?;
    let mut latest: HashMap<_, _> = latest.into_iter().collect();
    let completed = tx.query(&SYNCS_COMPLETED, &key, read_sync)?;
    let completed: HashMap<_, _> = completed.into_iter().collect();
    let covered = tx.query(&ACCOUNTS_COVERED, &key, |row| Ok((row.id(0)?, row.count(1)?)))?;
    let covered: HashMap<ConnectionId, u64> = covered.into_iter().collect();
    let mut connections = tx.query(&CONNECTIONS_BY_FAMILY, &key, read)?;
    for (connection, _) in &mut connections {
        let incomplete = connection.coverage.incomplete;
        connection.coverage = coverage.remove(&connection.id).unwrap_or_default();
        connection.latest = latest.remove(&connection.id);
        if let Some(run) = completed.get(&connection.id) {
            connection.coverage.synced_once = true;
            connection.coverage.failed = run.accounts_failed;
            connection.coverage.incomplete = incomplete;
            connection.coverage.covered = covered.get(&connection.id).copied().unwrap_or(0);
            connection.last_synced_at = run.completed_at;
        }
    }
    for (connection, run_until) in &mut connections {
        let is_over = run_until.is_some_and(|until| until <= now);
        let run = connection.latest.as_mut().filter(|run| run.status == SyncStatus::Syncing);
        // Its process is gone; the next look takes it up again.
        if let Some(run) = run.filter(|_| is_over) {
            run.status = SyncStatus::Stale;
            run.error = Some(SyncErrorCode::Interrupted);
        }
    }
    Ok(connections.into_iter().map(|(connection, _)| connection).collect())
}

/// One connection of the family.
pub fn get(tx: &mut FamilyTx<'_>, id: ConnectionId) -> Result<Connection> {
    let found = list(tx)?.into_iter().find(|connection| connection.id == id);
    found.ok_or_else(missing)
}

fn missing() -> Error {
    Error::NotFound { what: "Provider connection" }
}

/// A connection, and until when a process runs it.
fn read(row: &Row<'_>) -> Result<(Connection, Option<Timestamp>)> {
    let connection = Connection {
        id: row.id(0)?,
        provider: row.string(1)?,
        provider_type: row.string(2)?,
        name: row.string(3)?,
        status: row.named(4)?,
        credentials: row.opt_bytes(5)?.map(<[u8]>::to_vec),
        scheduled_for_deletion: row.bool(6)?,
        institution: Institution {
            name: row.opt_string(7)?,
            domain: row.opt_string(8)?,
            url: row.opt_string(9)?,
        },
        consent_expires_at: row.opt_timestamp(10)?,
        next_attempt_at: row.opt_timestamp(11)?,
        created_at: row.timestamp(12)?,
        updated_at: row.timestamp(13)?,
        coverage: Coverage { incomplete: row.count(15)?, ..Coverage::default() },
        notices: notices(row.opt_text(16)?),
        latest: None,
        last_synced_at: None,
    };
    Ok((connection, row.opt_timestamp(14)?))
}

/// Sentences about a connection as they are stored.
fn notices(stored: Option<&str>) -> Vec<String> {
    stored.and_then(|stored| serde_json::from_str(stored).ok()).unwrap_or_default()
}

/// A run with its connection.
fn read_sync(row: &Row<'_>) -> Result<(ConnectionId, Sync)> {
    let run = syncs::read(row)?;
    let connection = run.connection.ok_or_else(|| Error::internal("a run without a connection"))?;
    Ok((connection, run))
}

#[cfg(test)]
mod run_tests;
#[cfg(test)]
pub(crate) mod tests;
