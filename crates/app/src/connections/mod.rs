//! Connections to bank-data providers: what people do with them, and the runs that follow.
//!
//! * [`setup`]: a key is tried at the provider before it is stored.
//! * [`links`]: the accounts at the provider, and the family's accounts that they are linked to.
//! * [`schedule`]: which connection is synced next; a process runs several at a time.
//! * [`numbers`]: how many are in which state.
//! * `run`: one run, from the list of accounts to the result; `questions`, `asking`: what it asks
//!   for and what came of it; `booking`: what becomes of the answers.
//! * [`preview`]: what a run would change now.
//! * `removal_job`: a connection goes after what it knows, run by run.

mod asking;
mod booking;
#[cfg(test)]
mod histories;
pub mod links;
pub mod numbers;
pub mod preview;
mod questions;
pub(crate) mod removal_job;
mod run;
pub mod schedule;
pub mod setup;

use jiff::Timestamp;
use purser_core::connection::ConnectionStatus;
use purser_core::connection::condition::{ConnectionCondition, ConnectionFacts};
use purser_core::error::Result;
use purser_core::ids::ConnectionId;
use purser_core::named::Named as _;
use purser_providers::ProviderKind;
use purser_providers::registry::Traits;
use purser_store::FamilyTx;
use purser_store::connections::{self, changes, found, runs};
use purser_store::families;
use purser_store::syncs::{self, Sync};

use crate::jobs::job::{enqueue, is_live};
use crate::secrets::{SecretKeys, SecretOwner};
use removal_job::RemoveConnection;

pub use purser_store::connections::found::FoundAccount;
pub use purser_store::connections::history;
pub use purser_store::connections::{Connection, Institution};

/// A connection, and whether the server can use its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectionState {
    /// The connection as it is stored.
    pub connection: Connection,
    /// Whether a key is stored that this server can decrypt.
    pub is_key_readable: bool,
    /// Whether it is to be deleted, and the job that does it was given up.
    pub is_deletion_given_up: bool,
}

/// A provider as people choose it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProviderChoice {
    /// The name that is stored and sent.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// What is entered, for the label of the field.
    pub entered: &'static str,
    /// Whether what is entered works only once.
    pub is_entered_once: bool,
    /// The kind of the provider.
    pub provider_type: &'static str,
}

impl ConnectionState {
    /// Whether a person must renew the consent or enter a key.
    pub fn requires_update(&self) -> bool {
        let is_leaving = self.connection.scheduled_for_deletion;
        self.connection.status == ConnectionStatus::RequiresUpdate
            || (!self.is_key_readable && !is_leaving)
    }

    /// The most urgent of what is true of the connection.
    pub fn condition(&self, now: Timestamp) -> ConnectionCondition {
        let one = &self.connection;
        let facts = ConnectionFacts {
            is_deleting: one.scheduled_for_deletion,
            is_deletion_given_up: self.is_deletion_given_up,
            is_key_readable: self.is_key_readable,
            status: one.status,
            latest: one.latest.as_ref().map(|run| (run.status, run.error)),
            is_synced_once: one.coverage.synced_once,
            failed: one.coverage.failed,
            incomplete: one.coverage.incomplete,
            next_attempt_at: one.next_attempt_at,
            consent_expires_at: one.consent_expires_at,
            undecided: one.coverage.undecided(),
        };
        ConnectionCondition::of(&facts, now)
    }
}

/// The providers that there are clients for.
pub fn providers() -> impl Iterator<Item = ProviderChoice> {
    ProviderKind::ALL.iter().map(|kind| {
        let Traits { entered, is_entered_once, .. } = kind.traits();
        ProviderChoice {
            name: kind.as_str(),
            title: kind.title(),
            entered,
            is_entered_once,
            provider_type: kind.provider_type(),
        }
    })
}

/// The connections of the family, newest first.
pub fn list(tx: &mut FamilyTx<'_>, keys: &SecretKeys) -> Result<Vec<ConnectionState>> {
    let found = connections::list(tx)?;
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let family = families::get(tx)?.public_id;
    let states = found.into_iter().map(|connection| {
        let owner = SecretOwner { family, connection: connection.id.0 };
        state(tx, keys, &owner, connection)
    });
    states.collect()
}

/// One connection of the family.
pub fn get(tx: &mut FamilyTx<'_>, keys: &SecretKeys, id: ConnectionId) -> Result<ConnectionState> {
    let connection = connections::get(tx, id)?;
    let owner = SecretOwner::of(tx, id)?;
    state(tx, keys, &owner, connection)
}

fn state(
    tx: &mut FamilyTx<'_>,
    keys: &SecretKeys,
    owner: &SecretOwner,
    connection: Connection,
) -> Result<ConnectionState> {
    let sealed = connection.credentials.as_deref();
    let is_key_readable = sealed.is_some_and(|sealed| keys.open(owner, sealed).is_ok());
    let removal = RemoveConnection { connection: connection.id };
    let is_deletion_given_up = connection.scheduled_for_deletion && !is_live(tx, &removal)?;
    Ok(ConnectionState { connection, is_key_readable, is_deletion_given_up })
}

/// Fails unless the caller may see the connection.
pub fn require(tx: &mut FamilyTx<'_>, id: ConnectionId) -> Result<()> {
    connections::get(tx, id).map(drop)
}

/// Requests a run of one connection. One that waits or is under way is that run.
pub fn request_sync(tx: &mut FamilyTx<'_>, id: ConnectionId) -> Result<Sync> {
    // Whoever may not see the connection gets the answer of one that isn't there.
    connections::get(tx, id)?;
    runs::request(tx, id)
}

/// Requests a run of every connection. Returns the sync of the family, which is completed with
/// this, and how many runs are queued or under way.
pub fn request_all(tx: &mut FamilyTx<'_>) -> Result<(Sync, usize)> {
    let mut requested = 0;
    for connection in connections::list(tx)? {
        if !connection.scheduled_for_deletion {
            runs::request(tx, connection.id)?;
            requested += 1;
        }
    }
    Ok((syncs::request(tx)?, requested))
}

/// Has a connection removed: its key goes at once, the rest by a job. What it brought into the
/// ledger stays, but for what is pending and nobody touched. If the job of an earlier request was
/// given up, another one goes on.
pub fn remove(tx: &mut FamilyTx<'_>, id: ConnectionId) -> Result<()> {
    changes::schedule_removal(tx, id)?;
    for found in found::list(tx, id)? {
        links::withdraw_pending(tx, id, &found)?;
    }
    enqueue(tx, &RemoveConnection { connection: id }).map(drop)
}
