//! Connections and runs put into the database, in states that are hard to reach.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::Value;

use crate::support::{Family, Server, Sql};

/// What every column with a secret or a raw text holds.
pub(super) const CANARY: &str = "canary-7d1f";

/// A new id, later than those before.
pub(super) fn new_id() -> String {
    static COUNTER: AtomicU64 = AtomicU64::new(1);
    format!("01900000-0000-7000-8000-{:012x}", COUNTER.fetch_add(1, Ordering::Relaxed))
}

/// A connection; times are in seconds since 1970.
pub(super) struct Connection {
    pub(super) id: String,
    pub(super) name: &'static str,
    pub(super) status: &'static str,
    pub(super) has_credentials: bool,
    pub(super) scheduled_for_deletion: bool,
    /// Name, domain and address of the bank.
    pub(super) institution: [Option<&'static str>; 3],
    pub(super) consent_expires_at: Option<i64>,
    pub(super) next_attempt_at: Option<i64>,
    pub(super) created_at: i64,
    /// Discovered accounts; those that are linked have an id.
    pub(super) accounts: Vec<Option<String>>,
}

impl Default for Connection {
    fn default() -> Self {
        Self {
            id: new_id(),
            name: "My banks",
            status: "good",
            has_credentials: true,
            scheduled_for_deletion: false,
            institution: [None; 3],
            consent_expires_at: None,
            next_attempt_at: None,
            created_at: 1_000,
            accounts: Vec::new(),
        }
    }
}

/// A run; times are in seconds since 1970.
#[derive(Clone, Copy)]
pub(super) struct Run {
    pub(super) status: &'static str,
    pub(super) failed_accounts: i64,
    pub(super) error_code: Option<&'static str>,
    pub(super) created_at: i64,
    pub(super) syncing_at: Option<i64>,
    pub(super) completed_at: Option<i64>,
    pub(super) failed_at: Option<i64>,
}

impl Run {
    pub(super) fn new(status: &'static str, created_at: i64) -> Self {
        Self {
            status,
            failed_accounts: 0,
            error_code: None,
            created_at,
            syncing_at: None,
            completed_at: None,
            failed_at: None,
        }
    }

    pub(super) fn completed(created_at: i64, failed_accounts: i64) -> Self {
        Self {
            failed_accounts,
            syncing_at: Some(created_at + 1),
            completed_at: Some(created_at + 2),
            ..Self::new("completed", created_at)
        }
    }

    pub(super) fn failed(created_at: i64, error_code: Option<&'static str>) -> Self {
        Self {
            error_code,
            syncing_at: Some(created_at + 1),
            failed_at: Some(created_at + 3),
            ..Self::new("failed", created_at)
        }
    }
}

/// The rows of the family.
pub(super) struct Table {
    sql: Sql,
    family: String,
}

impl Table {
    pub(super) fn of(server: &Server, family: &Family) -> Self {
        let email = &family.email;
        let family = format!("(SELECT family_id FROM sign_in_names WHERE email = '{email}')");
        Self { sql: Sql::open(server), family }
    }

    /// Puts a connection in; its id.
    pub(super) fn connection(&self, connection: &Connection) -> String {
        let (sql, family, id) = (&self.sql, &self.family, self.sql.uuid(&connection.id));
        let Connection { name, status, .. } = connection;
        let key = sql.bytes(CANARY.as_bytes());
        let credentials = if connection.has_credentials { &key } else { "NULL" };
        let [bank, domain, url] = connection.institution.map(quoted);
        let [consent, next] =
            [connection.consent_expires_at, connection.next_attempt_at].map(micros);
        let created = micros(Some(connection.created_at));
        let deleted = sql.flag(connection.scheduled_for_deletion);
        sql.run(&format!(
            "INSERT INTO connections (family_id, id, provider, provider_type, name, status,
                credentials, scheduled_for_deletion, institution_name, institution_domain,
                institution_url, consent_expires_at, next_attempt_at, created_at, updated_at)
             VALUES ({family}, {id}, 'lunchflow', 'aggregator', '{name}', '{status}',
                {credentials}, {deleted}, {bank}, {domain}, {url}, {consent}, {next}, {created},
                {created})"
        ));
        for (number, account) in connection.accounts.iter().enumerate() {
            let (key, yes, no) = (sql.uuid(&new_id()), sql.flag(true), sql.flag(false));
            let account = account.as_ref().map_or("NULL".to_owned(), |account| sql.uuid(account));
            sql.run(&format!(
                "INSERT INTO connection_accounts (family_id, id, connection_id, external_id, name,
                    state, is_listed, is_ignored, account_id, seen_at, created_at)
                 VALUES ({family}, {key}, {id}, '{CANARY}-{number}', '{CANARY}', 'active', {yes},
                    {no}, {account}, 0, 0)"
            ));
        }
        connection.id.clone()
    }

    /// Puts a run in; its id.
    pub(super) fn run(&self, connection: &str, run: Run) -> String {
        let (sql, family, id) = (&self.sql, &self.family, new_id());
        let (key, connection) = (sql.uuid(&id), sql.uuid(connection));
        let Run { status, failed_accounts, .. } = run;
        let error = quoted(run.error_code);
        let [created, syncing, completed, failed] =
            [Some(run.created_at), run.syncing_at, run.completed_at, run.failed_at].map(micros);
        sql.run(&format!(
            "INSERT INTO syncs (family_id, id, connection_id, actor_kind, status, accounts_synced,
                accounts_failed, error_code, created_at, syncing_at, completed_at, failed_at)
             VALUES ({family}, {key}, {connection}, 'system', '{status}',
                (SELECT CASE WHEN COUNT(*) > {failed_accounts} THEN COUNT(*) - {failed_accounts}
                        ELSE 0 END
                    FROM connection_accounts WHERE family_id = {family}
                    AND connection_id = {connection} AND account_id IS NOT NULL),
                {failed_accounts},
                {error}, {created}, {syncing}, {completed}, {failed})"
        ));
        sql.run(&format!(
            "INSERT INTO sync_outcomes (family_id, sync_id, found_account_id, step, failure,
                rows_read, rows_unreadable)
             SELECT family_id, {key}, id, 'balance', NULL, 1, 0 FROM connection_accounts
             WHERE family_id = {family} AND connection_id = {connection}
                AND account_id IS NOT NULL"
        ));
        id
    }
}

fn quoted(text: Option<&str>) -> String {
    text.map_or("NULL".to_owned(), |text| format!("'{text}'"))
}

fn micros(seconds: Option<i64>) -> String {
    seconds.map_or("NULL".to_owned(), |seconds| (seconds * 1_000_000).to_string())
}

/// The time as the API writes it, in the first minutes of 1970 plus a thousand seconds.
pub(super) fn at(seconds: i64) -> String {
    let time = jiff::Timestamp::from_second(seconds).unwrap();
    format!("{time:.3}")
}

/// The connections of the family.
pub(super) fn list(family: &Family) -> Vec<Value> {
    let body = family.api.get("/api/v1/provider_connections").expect_status(200).json();
    assert_eq!(body.as_object().map(serde_json::Map::len), Some(1), "only data: {body}");
    body["data"].as_array().expect("a list").clone()
}

/// A time that hasn't come, but that the schedule could have set.
#[expect(clippy::disallowed_methods, reason = "a test has no other clock")]
pub(super) fn soon() -> i64 {
    jiff::Timestamp::now().as_second() + 3_600
}
