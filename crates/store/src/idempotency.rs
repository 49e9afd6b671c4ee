//! Idempotency keys: the same request twice has its effect once and the same answer.
//!
//! A request claims its key, does its work, and saves its answer in the transaction of the effect.
//! A claim is a lease that is renewed while the request lives, so a request that dies leaves one
//! that soon ends; a start on SQLite, where no other server can have claims, ends all of them. A
//! request with two commits binds the key to what the first one created, so that a retry finds it.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use purser_core::error::{Error, Result};
use uuid::Uuid;

use crate::access::{Access, FamilyTx};
use crate::audit::Actor;
use crate::driver::{Tx, statements, vals};
use crate::families::FamilyId;
use crate::store::{Store, Turn};

statements! {
    /// What is known about a key.
    FIND = "SELECT fingerprint, claimed_until, subject_id, status, body FROM idempotency_keys
        WHERE family_id = $1 AND route = $2 AND idempotency_key = $3 AND created_at > $4";
    /// Claims a key, over one that is too old.
    CLAIM = "INSERT INTO idempotency_keys (family_id, route, idempotency_key, fingerprint, claim,
            claimed_until, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (family_id, route, idempotency_key) DO UPDATE SET
            fingerprint = excluded.fingerprint, claim = excluded.claim,
            claimed_until = excluded.claimed_until, created_at = excluded.created_at,
            subject_id = NULL, status = NULL, body = NULL";
    /// Takes over a claim that ended, with what it is bound to.
    RECLAIM = "UPDATE idempotency_keys SET claim = $1, claimed_until = $2
        WHERE family_id = $3 AND route = $4 AND idempotency_key = $5";
    /// Binds a claim to what a first commit made.
    BIND = "UPDATE idempotency_keys SET subject_id = $1
        WHERE family_id = $2 AND route = $3 AND idempotency_key = $4 AND claim = $5";
    /// Stores the answer of a request.
    SAVE = "UPDATE idempotency_keys SET status = $1, body = $2
        WHERE family_id = $3 AND route = $4 AND idempotency_key = $5 AND claim = $6
            AND status IS NULL";
    /// Renews the claim of a request.
    RENEW = "UPDATE idempotency_keys SET claimed_until = $1
        WHERE family_id = $2 AND route = $3 AND idempotency_key = $4 AND claim = $5
            AND status IS NULL";
    /// Ends all claims of a family.
    END_ALL = "UPDATE idempotency_keys SET claimed_until = $1
        WHERE family_id = $2 AND status IS NULL";
    /// Lets the next request with the key go on from what this one made.
    HAND_OVER = "UPDATE idempotency_keys SET claimed_until = $1
        WHERE family_id = $2 AND route = $3 AND idempotency_key = $4 AND claim = $5
            AND status IS NULL";
    /// Lets the key go, as if it had never been used.
    RELEASE = "DELETE FROM idempotency_keys
        WHERE family_id = $1 AND route = $2 AND idempotency_key = $3 AND claim = $4
            AND status IS NULL";
    /// Families with keys that are as old as this.
    FAMILIES = "SELECT DISTINCT family_id FROM idempotency_keys WHERE NOT created_at > $1";
    /// Forgets keys of a family that are too old.
    PURGE = "DELETE FROM idempotency_keys WHERE family_id = $1 AND NOT created_at > $2";
}

/// How long an answer is repeated.
const KEPT: SignedDuration = SignedDuration::from_hours(24);
/// How long a claim lasts that isn't renewed: then a retry is let through.
const CLAIM_LEASE: SignedDuration = SignedDuration::from_secs(15);
/// How often a request has to renew its claim.
pub const CLAIM_RENEWAL: Duration = Duration::from_secs(5);

/// The right to answer for a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    family: FamilyId,
    route: String,
    key: String,
    id: Uuid,
}

/// The state of a key for a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claimed {
    /// The key is new: the request has to be executed.
    Fresh(Claim),
    /// The request was answered before.
    Replay {
        /// The status of the stored answer.
        status: u16,
        /// The body of the stored answer.
        body: String,
    },
    /// The key was sent with other content before.
    Reused,
    /// The first request is still at it.
    Running,
    /// An earlier request created something and died before it stored its answer: this one has to
    /// answer in its place.
    Bound {
        /// The right to answer.
        claim: Claim,
        /// The thing that the first commit created.
        subject_id: Uuid,
    },
}

struct StoredRequest {
    fingerprint: Vec<u8>,
    claimed_until: Timestamp,
    subject_id: Option<Uuid>,
    answer: Option<(i64, String)>,
}

/// Claims a key for a request with this content.
pub fn claim(tx: &mut FamilyTx<'_>, route: &str, key: &str, fingerprint: &[u8]) -> Result<Claimed> {
    let family = tx.family();
    let now = tx.now();
    let oldest = now.checked_sub(KEPT).map_err(Error::internal)?;
    let stored = tx.query_opt(&FIND, vals![family, route, key, oldest], |row| {
        let answer = match row.opt_int(3)? {
            Some(status) => Some((status, row.string(4)?)),
            None => None,
        };
        Ok(StoredRequest {
            fingerprint: row.bytes(0)?.to_owned(),
            claimed_until: row.timestamp(1)?,
            subject_id: row.opt_uuid(2)?,
            answer,
        })
    })?;
    let until = lease_end(now)?;
    let mine = Claim { family, route: route.to_owned(), key: key.to_owned(), id: tx.new_id()? };
    match stored {
        Some(stored) if stored.fingerprint != fingerprint => Ok(Claimed::Reused),
        Some(StoredRequest { answer: Some((status, body)), .. }) => {
            Ok(Claimed::Replay { status: u16::try_from(status).map_err(Error::internal)?, body })
        }
        // One that lasts longer than a lease is of a clock that was ahead: it doesn't count.
        Some(stored) if stored.claimed_until > now && stored.claimed_until <= until => {
            Ok(Claimed::Running)
        }
        Some(StoredRequest { subject_id: Some(subject_id), .. }) => {
            tx.execute(&RECLAIM, vals![mine.id, until, family, route, key])?;
            Ok(Claimed::Bound { claim: mine, subject_id })
        }
        _ => {
            tx.execute(&CLAIM, vals![family, route, key, fingerprint, mine.id, until, now])?;
            Ok(Claimed::Fresh(mine))
        }
    }
}

/// Binds the claim to what was made, in the transaction that makes it.
pub fn bind(tx: &mut FamilyTx<'_>, claim: &Claim, subject_id: Uuid) -> Result<()> {
    let Claim { family, route, key, id } = claim;
    let bound = tx.execute(&BIND, vals![subject_id, *family, route, key, *id])?;
    held(bound)
}

/// Stores the answer, in the transaction of the effect. If the claim ended and another request has
/// it, this is an error and the effect is rolled back.
pub fn save(tx: &mut FamilyTx<'_>, claim: &Claim, status: u16, body: &str) -> Result<()> {
    let Claim { family, route, key, id } = claim;
    let saved = tx.execute(&SAVE, vals![status, body, *family, route, key, *id])?;
    held(saved)
}

/// Renews the claim for a lease from now. Without effect if the request is answered, or another one
/// has the claim by now.
pub fn renew(tx: &mut FamilyTx<'_>, claim: &Claim) -> Result<()> {
    let Claim { family, route, key, id } = claim;
    let until = lease_end(tx.now())?;
    tx.execute(&RENEW, vals![until, *family, route, key, *id]).map(|_| ())
}

/// Ends every claim, for a start on SQLite, before the first request: whoever made them is dead.
pub fn end_all(tx: &mut Tx<'_>) -> Result<()> {
    let now = tx.now();
    for access in with_keys(tx, Timestamp::MAX)? {
        tx.execute(&END_ALL, vals![now, access.family()])?;
    }
    Ok(())
}

/// Lets the key go in a transaction of its own, whoever had it: an API key may be revoked by now.
pub async fn let_go(store: &Store, claim: Claim) -> Result<()> {
    let access = Access::whole(claim.family, Actor::System);
    store.write(access, move |tx| release(tx, &claim)).await
}

/// Lets the key go after a request without effect, so that it can be tried again.
pub fn release(tx: &mut FamilyTx<'_>, claim: &Claim) -> Result<()> {
    let Claim { family, route, key, id } = claim;
    tx.execute(&RELEASE, vals![*family, route, key, *id]).map(|_| ())
}

/// Ends the claim of a request that made something and could not finish it: its retry need not wait
/// to go on from there.
pub fn hand_over(tx: &mut FamilyTx<'_>, claim: &Claim) -> Result<()> {
    let Claim { family, route, key, id } = claim;
    let now = tx.now();
    tx.execute(&HAND_OVER, vals![now, *family, route, key, *id]).map(|_| ())
}

/// Forgets keys that are older than a day, family by family; for a regular job. Those of a family
/// that can't be reached are left for the next time. Returns how many families were left.
pub async fn purge(store: &Store) -> Result<usize> {
    let oldest = store.now().checked_sub(KEPT).map_err(Error::internal)?;
    let families = store.read_every_family(move |tx| with_keys(tx, oldest)).await?;
    let families = families.into_iter().map(|access| (access, ())).collect();
    let forget = move |tx: &mut FamilyTx<'_>, (): &()| {
        let family = tx.family();
        tx.execute(&PURGE, vals![family, oldest]).map(drop)
    };
    let swept = store.sweep("old idempotency keys", families, Turn::Take, forget).await;
    Ok(swept.left.len())
}

/// Families with keys that were claimed at this time or before: few beside all that there are.
fn with_keys(tx: &mut Tx<'_>, until: Timestamp) -> Result<Vec<Access>> {
    tx.query(&FAMILIES, vals![until], |row| {
        Ok(Access::whole(FamilyId::from_number(row.int(0)?), Actor::System))
    })
}

fn lease_end(now: Timestamp) -> Result<Timestamp> {
    now.checked_add(CLAIM_LEASE).map_err(Error::internal)
}

fn held(rows: u64) -> Result<()> {
    if rows == 1 {
        return Ok(());
    }
    Err(Error::Conflict {
        code: "idempotency_claim_lost",
        message: "Another request with the same idempotency key took over.".to_owned(),
    })
}
