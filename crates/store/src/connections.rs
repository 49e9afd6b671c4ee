//! Connections to bank-data providers, with their newest syncs.
//!
//! Credentials are encrypted by the code that stores them, and are never read here.

use std::collections::HashMap;

use jiff::Timestamp;
use purser_core::connection::{ConnectionStatus, Coverage};
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, ConnectionId};

use crate::access::FamilyTx;
use crate::driver::{Row, Val, statements};
use crate::syncs::{self, Sync};

statements! {
    /// All connections, newest first.
    CONNECTIONS_BY_FAMILY = "SELECT id, provider, provider_type, name, status,
            CASE WHEN credentials IS NULL THEN 0 ELSE 1 END, scheduled_for_deletion,
            institution_name, institution_domain, institution_url, consent_expires_at,
            next_attempt_at, created_at, updated_at
        FROM connections WHERE family_id = $1 ORDER BY created_at DESC, id DESC";
    /// How many accounts each connection found, and how many are linked.
    CONNECTION_COVERAGE = "SELECT connection_id, COUNT(*), COUNT(account_id)
        FROM connection_accounts WHERE family_id = $1 GROUP BY connection_id";
    /// The newest run of each connection.
    SYNCS_LATEST = "SELECT s.id, s.connection_id, s.actor_kind, s.actor_id, s.status,
            s.error_code, s.created_at, s.syncing_at, s.completed_at, s.failed_at,
            s.accounts_failed
        FROM connections c
        JOIN syncs s ON s.family_id = $1 AND s.id = (SELECT l.id FROM syncs l
            WHERE l.family_id = $1 AND l.connection_id = c.id
            ORDER BY l.created_at DESC, l.id DESC LIMIT 1)
        WHERE c.family_id = $1";
    /// The newest completed run of each connection.
    SYNCS_COMPLETED = "SELECT s.id, s.connection_id, s.actor_kind, s.actor_id, s.status,
            s.error_code, s.created_at, s.syncing_at, s.completed_at, s.failed_at,
            s.accounts_failed
        FROM connections c
        JOIN syncs s ON s.family_id = $1 AND s.id = (SELECT l.id FROM syncs l
            WHERE l.family_id = $1 AND l.connection_id = c.id
                AND l.status = 'completed'
            ORDER BY l.created_at DESC, l.id DESC LIMIT 1)
        WHERE c.family_id = $1";
    /// Inserts a new connection.
    CONNECTION_INSERT = "INSERT INTO connections (family_id, id, provider, provider_type, name,
            status, credentials, scheduled_for_deletion, institution_name, institution_domain,
            institution_url, consent_expires_at, next_attempt_at, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14)";
    /// A connection as it is now.
    CONNECTION_UPDATE = "UPDATE connections
        SET provider = $1, provider_type = $2, name = $3, status = $4, credentials = $5,
            scheduled_for_deletion = $6, institution_name = $7, institution_domain = $8,
            institution_url = $9, consent_expires_at = $10, next_attempt_at = $11,
            updated_at = $12
        WHERE family_id = $13 AND id = $14";
    /// The accounts that a connection found, before they are written again.
    CONNECTION_ACCOUNTS_CLEAR = "DELETE FROM connection_accounts
        WHERE family_id = $1 AND connection_id = $2";
    /// An account that a connection found.
    CONNECTION_ACCOUNT_INSERT = "INSERT INTO connection_accounts (family_id, connection_id,
            external_id, name, account_id, created_at)
        VALUES ($1, $2, $3, $4, $5, $6)";
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
    /// Whether credentials are stored.
    pub credentials_stored: bool,
    /// Whether it is going to be deleted; it is listed until then.
    pub scheduled_for_deletion: bool,
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

/// A connection as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectionRecord<'a> {
    /// The provider that it connects to.
    pub provider: &'a str,
    /// The kind of the provider.
    pub provider_type: &'a str,
    /// The name that the family gave it.
    pub name: &'a str,
    /// The state of the connection.
    pub status: ConnectionStatus,
    /// The key for the provider, encrypted.
    pub credentials: Option<&'a [u8]>,
    /// Whether it is going to be deleted; it is listed until then.
    pub scheduled_for_deletion: bool,
    /// The bank behind the connection.
    pub institution: Institution,
    /// When the bank's consent ends.
    pub consent_expires_at: Option<Timestamp>,
    /// When the next run is planned.
    pub next_attempt_at: Option<Timestamp>,
    /// What it found at the provider.
    pub accounts: Vec<DiscoveredAccount>,
}

/// An account that a connection found at the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiscoveredAccount {
    /// The id at the provider.
    pub external_id: String,
    /// The name at the provider.
    pub name: String,
    /// The family's account that it is linked to.
    pub account: Option<AccountId>,
}

/// All connections of the family, newest first.
pub fn list(tx: &mut FamilyTx<'_>) -> Result<Vec<Connection>> {
    let family = tx.family();
    let key = [family.into()];
    let coverage = tx.query(&CONNECTION_COVERAGE, &key, |row| {
        let found = Coverage { total: row.count(1)?, linked: row.count(2)?, ..Coverage::default() };
        Ok((row.id::<ConnectionId>(0)?, found))
    })?;
    let mut coverage: HashMap<_, _> = coverage.into_iter().collect();
    let latest = tx.query(&SYNCS_LATEST, &key, read_sync)?;
    let mut latest: HashMap<_, _> = latest.into_iter().collect();
    let completed = tx.query(&SYNCS_COMPLETED, &key, read_sync)?;
    let completed: HashMap<_, _> = completed.into_iter().collect();
    let mut connections = tx.query(&CONNECTIONS_BY_FAMILY, &key, read)?;
    for connection in &mut connections {
        connection.coverage = coverage.remove(&connection.id).unwrap_or_default();
        connection.latest = latest.remove(&connection.id);
        if let Some(run) = completed.get(&connection.id) {
            connection.coverage.synced_once = true;
            connection.coverage.failed = run.accounts_failed;
            connection.last_synced_at = run.completed_at;
        }
    }
    Ok(connections)
}

/// Stores a connection with the accounts that it found: a new one, or a change of `id`.
pub fn connection_put(
    tx: &mut FamilyTx<'_>,
    id: Option<ConnectionId>,
    record: &ConnectionRecord<'_>,
) -> Result<ConnectionId> {
    let family = tx.family();
    let now = tx.now();
    let institution = &record.institution;
    let values = [
        Val::Text(record.provider),
        Val::Text(record.provider_type),
        Val::Text(record.name),
        Val::Text(record.status.as_str()),
        record.credentials.into(),
        Val::Bool(record.scheduled_for_deletion),
        institution.name.as_deref().into(),
        institution.domain.as_deref().into(),
        institution.url.as_deref().into(),
        record.consent_expires_at.into(),
        record.next_attempt_at.into(),
        now.into(),
    ];
    let id = match id {
        None => {
            let id = tx.new_id()?;
            let key = [family.into(), Val::Uuid(id)];
            tx.execute(&CONNECTION_INSERT, &[&key[..], &values[..]].concat())?;
            ConnectionId(id)
        }
        Some(id) => {
            let key = [family.into(), id.into()];
            let changed = tx.execute(&CONNECTION_UPDATE, &[&values[..], &key[..]].concat())?;
            if changed == 0 {
                return Err(Error::NotFound { what: "Provider connection" });
            }
            tx.execute(&CONNECTION_ACCOUNTS_CLEAR, &key)?;
            id
        }
    };
    for account in &record.accounts {
        let values = [
            family.into(),
            id.into(),
            Val::Text(&account.external_id),
            Val::Text(&account.name),
            account.account.into(),
            now.into(),
        ];
        tx.execute(&CONNECTION_ACCOUNT_INSERT, &values)?;
    }
    Ok(id)
}

fn read(row: &Row<'_>) -> Result<Connection> {
    Ok(Connection {
        id: row.id(0)?,
        provider: row.string(1)?,
        provider_type: row.string(2)?,
        name: row.string(3)?,
        status: row.named(4)?,
        credentials_stored: row.int(5)? == 1,
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
        coverage: Coverage::default(),
        latest: None,
        last_synced_at: None,
    })
}

/// A run with its connection.
fn read_sync(row: &Row<'_>) -> Result<(ConnectionId, Sync)> {
    let run = syncs::read(row)?;
    let connection = run.connection.ok_or_else(|| Error::internal("a run without a connection"))?;
    Ok((connection, run))
}

#[cfg(test)]
mod tests;
