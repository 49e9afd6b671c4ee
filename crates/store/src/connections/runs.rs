//! Which connection is due, and which process runs it: one at a time on all nodes.
//!
//! A run asks a provider for minutes, so it is no job: it would hold up the family's other work. A
//! connection has a lease and a token that grows with every claim, as jobs do, and every commit of
//! a run checks them ([`hold`]). A run that ends with its process leaves a lease that ends; the
//! next claim notes it as stale and begins anew.

use std::time::Duration;

use jiff::Timestamp;
use purser_core::connection::outcome::RunResult;
use purser_core::connection::schedule::{self, AHEAD_MAX};
use purser_core::connection::{ConnectionStatus, SyncErrorCode, SyncStatus};
use purser_core::error::{Error, Result};
use purser_core::ids::{ConnectionId, SyncId};

use super::deaths::{end_dead, have_two_died};
use super::run_events::raise_events;
use super::{missing, rests};
use crate::access::{Access, FamilyTx};
use crate::driver::{Row, Tx, statements, vals};
use crate::due::{self, Kind};
use crate::syncs::{self, Sync, SyncRecord};

pub use super::deaths::{end_leases, with_leases};

statements! {
    /// The connection of a family that is due longest. It waits while a run is being undone in one
    /// of its accounts.
    CONNECTION_DUE = "SELECT id, provider, credentials, run_token, failures, status,
            consent_expires_at FROM connections
        WHERE family_id = $1 AND NOT scheduled_for_deletion
            AND ((run_until IS NULL AND (next_attempt_at <= $2 OR next_attempt_at > $3))
                OR run_until <= $2 OR run_until > $3 OR ($4 AND run_owner <> $5))
            AND NOT EXISTS (SELECT 1 FROM sync_plans p JOIN connection_accounts a
                    ON a.family_id = $1 AND a.account_id = p.account_id
                WHERE p.family_id = $1 AND p.revert_status = 'reverting'
                    AND a.connection_id = connections.id)
        ORDER BY next_attempt_at, id LIMIT 1";
    /// Takes a connection for a process.
    CONNECTION_CLAIM = "UPDATE connections
        SET run_token = run_token + 1, run_owner = $1, run_until = $2, failures = $3
        WHERE family_id = $4 AND id = $5";
    /// Leaves a connection alone for a while, because one run after the other dies, or because its
    /// provider wants that.
    CONNECTION_BACK_OFF = "UPDATE connections
        SET run_token = run_token + 1, run_owner = NULL, run_until = NULL, failures = $1,
            next_attempt_at = $2
        WHERE family_id = $3 AND id = $4";
    /// The run that somebody has requested.
    RUN_REQUESTED = "SELECT id FROM syncs
        WHERE family_id = $1 AND connection_id = $2 AND status = 'pending'
        ORDER BY created_at, id LIMIT 1";
    /// A run that waits or is under way.
    RUN_OPEN = "SELECT s.id FROM syncs s JOIN connections c
            ON c.family_id = $1 AND c.id = s.connection_id
        WHERE s.family_id = $1 AND s.connection_id = $2
            AND (s.status = 'pending' OR (s.status = 'syncing' AND c.run_until > $3))
        ORDER BY s.created_at DESC, s.id DESC LIMIT 1";
    /// Whether a connection with one of the accounts that a run changed is being synced.
    RUN_UNDER_WAY = "SELECT 1 FROM sync_plans p
        JOIN connection_accounts a ON a.family_id = $1 AND a.account_id = p.account_id
        JOIN connections c ON c.family_id = $1 AND c.id = a.connection_id
        WHERE p.family_id = $1 AND p.sync_id = $2
            AND c.run_owner IS NOT NULL AND c.run_until > $3 LIMIT 1";
    /// A requested run begins.
    RUN_BEGIN = "UPDATE syncs SET status = $1, syncing_at = $2 WHERE family_id = $3 AND id = $4";
    /// It is due as soon as the provider may be asked. What is after $2 is no rest.
    CONNECTION_WANTED = "UPDATE connections
        SET next_attempt_at = CASE WHEN not_before > $1 AND not_before <= $2 THEN not_before
            ELSE $1 END
        WHERE family_id = $3 AND id = $4 AND NOT scheduled_for_deletion";
    /// The lease goes on.
    CONNECTION_RENEW = "UPDATE connections SET run_until = $1
        WHERE family_id = $2 AND id = $3 AND run_token = $4 AND run_owner IS NOT NULL";
    /// The status of a connection, if the lease is still held.
    CONNECTION_HELD = "SELECT status FROM connections
        WHERE family_id = $1 AND id = $2 AND run_token = $3 AND run_owner IS NOT NULL";
    /// A run that ended.
    RUN_END = "UPDATE syncs SET status = $1, error_code = $2, accounts_synced = $3,
            accounts_failed = $4, completed_at = $5, failed_at = $6
        WHERE family_id = $7 AND id = $8";
    /// The connection waits for its next run.
    CONNECTION_DONE = "UPDATE connections
        SET status = $1, failures = $2, next_attempt_at = $3, not_before = $4, run_owner = NULL,
            run_until = NULL
        WHERE family_id = $5 AND id = $6 AND run_token = $7";
    /// What the newest completed run came to.
    CONNECTION_RESULT = "UPDATE connections SET accounts_failed = $1, accounts_incomplete = $2
        WHERE family_id = $3 AND id = $4";
    /// When the next connection of a family is due. What is after $1 is no time of the schedule.
    CONNECTION_NEXT = "SELECT MIN(CASE WHEN COALESCE(run_until, next_attempt_at) > $1 THEN $2
            ELSE COALESCE(run_until, next_attempt_at) END)
        FROM connections WHERE family_id = $3 AND NOT scheduled_for_deletion";
}

/// A connection that this process may run until its lease ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedRun {
    /// The access to the family's data, in the name of the program.
    pub access: Access,
    /// The connection to run.
    pub connection: ConnectionId,
    /// The run, which is under way.
    pub sync: SyncId,
    /// The name of the provider.
    pub provider: String,
    /// The key for the provider, encrypted.
    pub credentials: Option<Vec<u8>>,
    /// The fencing token, which grows with every claim.
    pub token: i64,
    /// The failed runs in a row before this one.
    pub failures: u32,
    /// Whether it needed a person before.
    pub required_update: bool,
    /// When the bank's consent ends.
    pub consent_expires_at: Option<Timestamp>,
}

/// Which process asks for runs.
#[derive(Debug, Clone, Copy)]
pub struct Runner<'a> {
    /// The name of this process among those that work on the database.
    pub node: &'a str,
    /// Whether no other process can be at work: then leases of others are those of dead ones.
    pub is_alone: bool,
}

/// Takes the family's connection that is due longest, and begins its run.
pub fn claim(
    tx: &mut FamilyTx<'_>,
    runner: Runner<'_>,
    lease: Duration,
) -> Result<Option<ClaimedRun>> {
    // Those that wait for a while are passed over, each once.
    loop {
        match claim_first(tx, runner, lease)? {
            Claim::Run(run) => return Ok(Some(*run)),
            Claim::PassedOver => {}
            Claim::Nothing => return Ok(None),
        }
    }
}

/// What came of a look for the connection that is due longest.
enum Claim {
    Run(Box<ClaimedRun>),
    /// Its runs die, or its provider wants to be left alone, so it waits for a while.
    PassedOver,
    Nothing,
}

fn claim_first(tx: &mut FamilyTx<'_>, runner: Runner<'_>, lease: Duration) -> Result<Claim> {
    let (family, (now, ahead)) = (tx.family(), due_times(tx));
    let access = tx.access().clone();
    let key = vals![family, now, ahead, runner.is_alone, runner.node];
    let found = tx.query_opt(&CONNECTION_DUE, key, |row| {
        let known = (row.named::<ConnectionStatus>(5)?, row.opt_timestamp(6)?);
        let credentials = row.opt_bytes(2)?.map(<[u8]>::to_vec);
        Ok((row.id(0)?, row.string(1)?, credentials, counters(row)?, known))
    })?;
    let Some((connection, provider, credentials, (token, failures), known)) = found else {
        let next = next_due(tx)?;
        due::set_later(tx, Kind::Sync, next)?;
        return Ok(Claim::Nothing);
    };
    let (status, consent_expires_at) = known;
    let died = end_dead(tx, connection)?;
    let failures = failures.saturating_add(u32::from(died));
    let rest = rests::rest_of(tx, connection)?.filter(|_| died);
    // One process may end by chance. If it happens again, the run may be the cause.
    let may_be_cause = died && have_two_died(tx, connection)? && !is_requested(tx, connection)?;
    if may_be_cause || rest.is_some() {
        let result = RunResult::interrupted();
        let after = schedule::next_attempt(now, connection.0, &result, failures, None);
        let next = rest.max(may_be_cause.then_some(after)).unwrap_or(now);
        tx.execute(&CONNECTION_BACK_OFF, vals![failures, next, family, connection])?;
        return Ok(Claim::PassedOver);
    }
    let until = lease_end(now, lease)?;
    tx.execute(&CONNECTION_CLAIM, vals![runner.node, until, failures, family, connection])?;
    let sync = begin(tx, connection)?;
    let next = next_due(tx)?;
    due::set(tx, Kind::Sync, next)?;
    Ok(Claim::Run(Box::new(ClaimedRun {
        access,
        connection,
        sync,
        provider,
        credentials,
        token: token + 1,
        failures,
        required_update: status == ConnectionStatus::RequiresUpdate,
        consent_expires_at,
    })))
}

/// Whether somebody has requested a run that hasn't begun.
fn is_requested(tx: &mut FamilyTx<'_>, connection: ConnectionId) -> Result<bool> {
    let key = vals![tx.family(), connection];
    Ok(tx.query_opt(&RUN_REQUESTED, key, |_| Ok(()))?.is_some())
}

/// The run that was requested, or a new one of the schedule.
fn begin(tx: &mut FamilyTx<'_>, connection: ConnectionId) -> Result<SyncId> {
    let (family, now) = (tx.family(), tx.now());
    let requested: Option<SyncId> =
        tx.query_opt(&RUN_REQUESTED, vals![family, connection], |row| row.id(0))?;
    if let Some(sync) = requested {
        let syncing = SyncStatus::Syncing.as_str();
        tx.execute(&RUN_BEGIN, vals![syncing, now, family, sync])?;
        return Ok(sync);
    }
    let run = SyncRecord { syncing_at: Some(now), ..new_run(connection, SyncStatus::Syncing, now) };
    syncs::put(tx, None, &run)
}

/// Requests a run, as soon as the provider may be asked. A run that waits or is under way is that
/// run.
pub fn request(tx: &mut FamilyTx<'_>, connection: ConnectionId) -> Result<Sync> {
    let (family, now) = (tx.family(), tx.now());
    let open = tx.query_opt(&RUN_OPEN, vals![family, connection, now], |row| row.id(0))?;
    if let Some(open) = open {
        return syncs::get(tx, open);
    }
    want(tx, connection)?;
    let id = syncs::put(tx, None, &new_run(connection, SyncStatus::Pending, now))?;
    syncs::get(tx, id)
}

/// Requests a run that begins after now, for what a run under way may have missed.
pub fn request_another(tx: &mut FamilyTx<'_>, connection: ConnectionId) -> Result<()> {
    let now = tx.now();
    want(tx, connection)?;
    if !is_requested(tx, connection)? {
        syncs::put(tx, None, &new_run(connection, SyncStatus::Pending, now))?;
    }
    Ok(())
}

/// The connection is due as soon as the provider may be asked.
fn want(tx: &mut FamilyTx<'_>, connection: ConnectionId) -> Result<()> {
    let (family, now) = (tx.family(), tx.now());
    let last = schedule::last_rest(now);
    if tx.execute(&CONNECTION_WANTED, vals![now, last, family, connection])? == 0 {
        return Err(missing());
    }
    due::note(tx, Kind::Sync, now)
}

/// When the next connection of the family is due, or the lease of its run ends.
fn next_due(tx: &mut FamilyTx<'_>) -> Result<Option<Timestamp>> {
    let (family, (now, ahead)) = (tx.family(), due_times(tx));
    tx.query_one(&CONNECTION_NEXT, vals![ahead, now, family], |row| row.opt_timestamp(0))
}

/// Whether one of the accounts that a run changed is being synced.
pub fn is_under_way(tx: &mut FamilyTx<'_>, sync: SyncId) -> Result<bool> {
    let key = vals![tx.family(), sync, tx.now()];
    Ok(tx.query_opt(&RUN_UNDER_WAY, key, |_| Ok(()))?.is_some())
}

/// Renews the lease from now on; [`is_over`] if another process has the connection.
pub fn renew(tx: &mut FamilyTx<'_>, run: &ClaimedRun, lease: Duration) -> Result<()> {
    let (family, until) = (tx.family(), lease_end(tx.now(), lease)?);
    held(tx.execute(&CONNECTION_RENEW, vals![until, family, run.connection, run.token])?)
}

/// Fails if this process has lost the connection, so that what the run changes is rolled back.
pub fn hold(tx: &mut FamilyTx<'_>, run: &ClaimedRun) -> Result<()> {
    status_while_held(tx, run).map(drop)
}

fn status_while_held(tx: &mut FamilyTx<'_>, run: &ClaimedRun) -> Result<ConnectionStatus> {
    let key = vals![tx.family(), run.connection, run.token];
    let found = tx.query_opt(&CONNECTION_HELD, key, |row| row.named(0))?;
    found.ok_or_else(|| Error::internal(RunOver))
}

/// Ends a run with its result, and plans the next one. `rest` is how long the provider wants to be
/// left alone.
pub fn finish(
    tx: &mut FamilyTx<'_>,
    run: &ClaimedRun,
    result: &RunResult,
    rest: Option<Duration>,
) -> Result<Timestamp> {
    let (family, now) = (tx.family(), tx.now());
    let has_failed = result.error.is_some();
    // Only a run that was completed shows that the key works and the bank gives data again, or a
    // key that was entered meanwhile.
    let required_update = status_while_held(tx, run)? == ConnectionStatus::RequiresUpdate;
    let is_waiting = result.requires_update || (has_failed && required_update);
    let result = &RunResult { requires_update: is_waiting, ..*result };
    let (completed, failed) = ((!has_failed).then_some(now), has_failed.then_some(now));
    let status = if has_failed { SyncStatus::Failed } else { SyncStatus::Completed };
    let code = result.error.map(SyncErrorCode::as_str);
    let count = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let (synced, in_vain) = (count(result.accounts_synced), count(result.accounts_failed));
    let values = vals![status.as_str(), code, synced, in_vain, completed, failed, family, run.sync];
    tx.execute(&RUN_END, values)?;
    let failures = if has_failed { run.failures.saturating_add(1) } else { 0 };
    let mut next = schedule::next_attempt(now, run.connection.0, result, failures, rest);
    // Somebody wants another run, perhaps because of an account that was linked meanwhile.
    if is_requested(tx, run.connection)? {
        next = rest.map_or(now, |rest| schedule::not_before(now, rest));
    }
    // Somebody else may have found out about a rest while the run was under way.
    let noted = rests::rest_of(tx, run.connection)?;
    let not_before = rest.map(|rest| schedule::not_before(now, rest)).max(noted);
    let next = noted.map_or(next, |noted| next.max(noted));
    let health = match result.requires_update {
        true => ConnectionStatus::RequiresUpdate,
        false => ConnectionStatus::Good,
    };
    let values =
        vals![health.as_str(), failures, next, not_before, family, run.connection, run.token];
    held(tx.execute(&CONNECTION_DONE, values)?)?;
    if !has_failed {
        let lacking = count(result.accounts_incomplete);
        tx.execute(&CONNECTION_RESULT, vals![in_vain, lacking, family, run.connection])?;
    }
    let next_of_family = next_due(tx)?;
    due::set(tx, Kind::Sync, next_of_family)?;
    raise_events(tx, run, result)?;
    Ok(next)
}

/// Why a run can't go on: its connection was taken over, or is to be removed.
#[derive(Debug, thiserror::Error)]
#[error("the run of the connection is over")]
struct RunOver;

/// Whether an error means that a run has lost its connection.
pub fn is_over(error: &Error) -> bool {
    matches!(error, Error::Internal { cause } if cause.is::<RunOver>())
}

fn held(rows: u64) -> Result<()> {
    if rows == 1 { Ok(()) } else { Err(Error::internal(RunOver)) }
}

fn counters(row: &Row<'_>) -> Result<(i64, u32)> {
    Ok((row.int(3)?, u32::try_from(row.int(4)?).map_err(Error::internal)?))
}

fn new_run(connection: ConnectionId, status: SyncStatus, now: Timestamp) -> SyncRecord {
    SyncRecord {
        connection: Some(connection),
        status,
        accounts_synced: 0,
        accounts_failed: 0,
        error: None,
        created_at: now,
        syncing_at: None,
        completed_at: None,
        failed_at: None,
    }
}

/// Up to when something is due now, and after when again: no time of the schedule is that far off.
fn due_times(tx: &Tx<'_>) -> (Timestamp, Timestamp) {
    let now = tx.now();
    (now, now.checked_add(AHEAD_MAX).unwrap_or(now))
}

fn lease_end(now: Timestamp, lease: Duration) -> Result<Timestamp> {
    now.checked_add(lease).map_err(Error::internal)
}
