//! What of a family is due, and when: a directory for those who look without being asked.
//!
//! Families may be spread over machines, and a machine may be gone or hang. So nobody asks the rows
//! of all families what is due: whatever changes a family's schedule notes here, in the same
//! transaction, when to look at it. A look reads the families of a kind in the order in which they
//! are due, and then asks each in a transaction of its own, with a short limit
//! ([`crate::Store::write_briefly`]). A family that can't be asked is put off, longer each time,
//! and comes after the others; a part of each look is for those. One that is only busy is put off
//! too, always for the same short time. The rows of a family go with the commit that removes it.
//!
//! A time here is when a look finds something at the earliest. One that is too early costs a look,
//! which corrects it; one that is too late would be a fault: [`repair`] and `purser check` search
//! for those.

use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};
use purser_core::connection::schedule::AHEAD_MAX;
use purser_core::error::{Error, Result};

use crate::access::{Access, FamilyTx};
use crate::audit::Actor;
use crate::driver::{Row, Tx, statements, vals};
use crate::families::FamilyId;
use crate::installation;
use crate::store::{Store, Turn};

statements! {
    /// Notes a time, unless an earlier one is known. Whoever does it has reached the family.
    NOTE = "INSERT INTO due (family_id, kind, due_at, attempts) VALUES ($1, $2, $3, 0)
        ON CONFLICT (family_id, kind) DO UPDATE SET due_at =
            CASE WHEN excluded.due_at < due.due_at THEN excluded.due_at ELSE due.due_at END,
            attempts = 0";
    /// Notes a time in the place of any other.
    SET = "INSERT INTO due (family_id, kind, due_at, attempts) VALUES ($1, $2, $3, 0)
        ON CONFLICT (family_id, kind) DO UPDATE SET due_at = excluded.due_at, attempts = 0";
    /// Nothing of the kind will be due.
    UNSET = "DELETE FROM due WHERE family_id = $1 AND kind = $2";
    /// Nothing of a family will be due.
    FORGET = "DELETE FROM due WHERE family_id = $1";
    /// The families with something due that could be asked last time. What is after $3 is no time
    /// of theirs.
    FAMILIES = "SELECT d.family_id, d.attempts, d.due_at FROM (
            SELECT family_id, attempts, due_at FROM due
                WHERE kind = $1 AND due_at <= $2 AND attempts = 0
            UNION ALL
            SELECT family_id, attempts, due_at FROM due
                WHERE kind = $1 AND due_at > $3 AND attempts = 0) d
        ORDER BY d.due_at, d.family_id LIMIT 150";
    /// Those that couldn't be asked. Nobody is put off until after $1 but by a clock that was
    /// ahead.
    FAMILIES_PUT_OFF = "SELECT family_id, attempts,
            CASE WHEN due_at > $1 THEN 0 ELSE due_at END AS since
        FROM due WHERE kind = $2 AND attempts > 0 AND (due_at <= $3 OR due_at > $1)
        ORDER BY since, family_id LIMIT 50";
    /// Puts a family off, unless it was asked meanwhile or is just being written for.
    LEAVE_ALONE = "UPDATE due SET due_at = $1, attempts = $2
        WHERE (family_id, kind) IN (SELECT family_id, kind FROM due
            WHERE family_id = $3 AND kind = $4 AND attempts = $5 FOR UPDATE SKIP LOCKED)";
    /// When something of families is due by their own rows, of those with a number after $1 and up
    /// to $2.
    PLANNED = "SELECT m.family_id, m.kind, m.due_at FROM (
            SELECT family_id, 'sync' AS kind, MIN(COALESCE(run_until, next_attempt_at)) AS due_at
                FROM connections WHERE NOT scheduled_for_deletion
                    AND family_id > $1 AND family_id <= $2 GROUP BY family_id
            UNION ALL
            SELECT family_id, 'webhook', MIN(next_attempt_at)
                FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL
                    AND family_id > $1 AND family_id <= $2 GROUP BY family_id
            UNION ALL
            SELECT family_id, 'users', MIN(deletion_at)
                FROM users WHERE deletion_at IS NOT NULL
                    AND family_id > $1 AND family_id <= $2 GROUP BY family_id
            UNION ALL
            SELECT id, 'family', deletion_at FROM families WHERE deletion_at IS NOT NULL
                    AND id > $1 AND id <= $2
            UNION ALL
            SELECT family_id, 'exports', MIN(updated_at) + 604800000000
                FROM family_exports
                WHERE family_id > $1 AND family_id <= $2 GROUP BY family_id
            UNION ALL
            SELECT family_id, 'sessions', MIN(updated_at) + 604800000000
                FROM import_sessions WHERE import_id IS NULL
                    AND family_id > $1 AND family_id <= $2 GROUP BY family_id) m
        WHERE m.due_at IS NOT NULL
        ORDER BY m.family_id, m.kind";
    /// What is noted of these families.
    NOTED = "SELECT family_id, kind, due_at FROM due WHERE family_id > $1 AND family_id <= $2";
}

/// What is done for families without being asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A connection is synced.
    Sync,
    /// A webhook is sent a delivery.
    Webhook,
    /// Removed users are to go for good.
    Users,
    /// The family itself is removed.
    Family,
    /// Old exports are to be removed.
    Exports,
    /// Import sessions are removed that nobody went on with.
    Sessions,
}

/// How long a family is left alone that couldn't be asked; the wait doubles each time.
const PUT_OFF: SignedDuration = SignedDuration::from_secs(5);
/// The longest wait of a family that was put off.
const PUT_OFF_MAX: SignedDuration = SignedDuration::from_mins(5);
/// How far apart the clocks of nodes may be.
pub const CLOCKS_APART: SignedDuration = SignedDuration::from_mins(1);

impl Kind {
    const ALL: [Self; 6] =
        [Self::Sync, Self::Webhook, Self::Users, Self::Family, Self::Exports, Self::Sessions];

    /// The name in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sync => "sync",
            Self::Webhook => "webhook",
            Self::Users => "users",
            Self::Family => "family",
            Self::Exports => "exports",
            Self::Sessions => "sessions",
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }

    /// Nothing is planned for a time as far off as this: a clock that was ahead did it.
    fn never(self, now: Timestamp) -> Timestamp {
        match self {
            Self::Sync => now.checked_add(AHEAD_MAX).unwrap_or(Timestamp::MAX),
            _ => Timestamp::MAX,
        }
    }
}

/// A family with something due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueFamily {
    /// The access to the family's data, in the name of the program.
    pub access: Access,
    kind: Kind,
    attempts: i64,
}

/// Notes in the transaction of a change that something is due at this time.
pub(crate) fn note(tx: &mut FamilyTx<'_>, kind: Kind, at: Timestamp) -> Result<()> {
    let family = tx.family();
    tx.execute(&NOTE, vals![family, kind.as_str(), at]).map(drop)
}

/// Notes when the next thing of the kind is due, of all that the family has; `None` if there is
/// nothing. The family must be locked, so that nobody else plans anything meanwhile.
pub(crate) fn set(tx: &mut FamilyTx<'_>, kind: Kind, at: Option<Timestamp>) -> Result<()> {
    let family = tx.family();
    match at {
        Some(at) => tx.execute(&SET, vals![family, kind.as_str(), at]),
        None => tx.execute(&UNSET, vals![family, kind.as_str()]),
    }
    .map(drop)
}

/// As [`set`], after a look that found nothing to do: what is due waits for something else, so the
/// next look isn't at once.
pub(crate) fn set_later(tx: &mut FamilyTx<'_>, kind: Kind, at: Option<Timestamp>) -> Result<()> {
    let soon = tx.now().checked_add(PUT_OFF).map_err(Error::internal)?;
    set(tx, kind, at.map(|at| at.max(soon)))
}

/// When something is due that is removed so long after its last change.
pub(crate) fn after(
    changed_at: Option<Timestamp>,
    kept_for: SignedDuration,
) -> Result<Option<Timestamp>> {
    changed_at.map(|at| at.checked_add(kept_for)).transpose().map_err(Error::internal)
}

/// Families with something due, 200 at most: first those that could be asked last time, and then
/// some of the others, of each the longest waiting first. Of the others one comes before all if it
/// waits in vain for its turn.
pub fn families(tx: &mut Tx<'_>, kind: Kind) -> Result<Vec<DueFamily>> {
    let now = tx.now();
    let read = |row: &Row<'_>| {
        let access = Access::whole(FamilyId::from_number(row.int(0)?), Actor::System);
        Ok((row.timestamp(2)?, DueFamily { access, kind, attempts: row.int(1)? }))
    };
    let mut all = tx.query(&FAMILIES, vals![kind.as_str(), now, kind.never(now)], read)?;
    let put_off_until = now.checked_add(PUT_OFF_MAX).map_err(Error::internal)?;
    let mut others = tx.query(&FAMILIES_PUT_OFF, vals![put_off_until, kind.as_str(), now], read)?;
    if others.first().is_some_and(|(since, _)| now.duration_since(*since) > PUT_OFF_MAX) {
        all.insert(0, others.remove(0));
    }
    Ok(all.into_iter().chain(others).map(|(_, due)| due).collect())
}

/// Leaves a family alone for a while that couldn't be asked.
pub fn put_off(tx: &mut Tx<'_>, due: &DueFamily) -> Result<()> {
    let doublings = u32::try_from(due.attempts.clamp(0, 16)).map_err(Error::internal)?;
    let wait =
        PUT_OFF.checked_mul(1 << doublings).map_or(PUT_OFF_MAX, |wait| wait.min(PUT_OFF_MAX));
    leave_alone(tx, due, wait, due.attempts.saturating_add(1))
}

/// Leaves a family alone for a moment that is only busy.
pub fn put_off_busy(tx: &mut Tx<'_>, due: &DueFamily) -> Result<()> {
    leave_alone(tx, due, PUT_OFF, due.attempts)
}

fn leave_alone(
    tx: &mut Tx<'_>,
    due: &DueFamily,
    wait: SignedDuration,
    attempts: i64,
) -> Result<()> {
    let at = tx.now().checked_add(wait).map_err(Error::internal)?;
    let (family, kind) = (due.access.family(), due.kind.as_str());
    tx.execute(&LEAVE_ALONE, vals![at, attempts, family, kind, due.attempts]).map(drop)
}

/// Forgets a family that is removed.
pub fn forget(tx: &mut Tx<'_>, family: FamilyId) -> Result<()> {
    tx.execute(&FORGET, vals![family]).map(drop)
}

/// What is due earlier than is noted.
#[derive(Debug, Clone)]
pub(crate) struct Missed {
    pub(crate) family: FamilyId,
    pub(crate) kind: Kind,
    pub(crate) at: Timestamp,
}

/// What is due earlier than is noted. It looks at the rows of all families, and compares them with
/// the directory here: some thousand families at a time.
pub(crate) fn missed(tx: &mut Tx<'_>) -> Result<Vec<Missed>> {
    let late = PUT_OFF_MAX.checked_add(CLOCKS_APART).unwrap_or(PUT_OFF_MAX);
    // Times up to then are those of families that were put off.
    let put_off = tx.now().checked_add(late).map_err(Error::internal)?;
    let mut missed = Vec::new();
    for (after, last) in installation::family_ranges(tx)? {
        let mut noted: HashMap<(i64, Kind), Timestamp> = HashMap::new();
        tx.for_each(&NOTED, vals![after, last], |row| {
            // A later version may know other kinds.
            if let Some(kind) = Kind::parse(row.text(1)?) {
                noted.insert((row.int(0)?, kind), row.timestamp(2)?);
            }
            Ok(())
        })?;
        tx.for_each(&PLANNED, vals![after, last], |row| {
            let kind = Kind::parse(row.text(1)?);
            let kind = kind.ok_or_else(|| Error::internal("an unknown kind"))?;
            let (family, at) = (row.int(0)?, row.timestamp(2)?);
            if noted.get(&(family, kind)).is_none_or(|noted| *noted > at && *noted > put_off) {
                missed.push(Missed { family: FamilyId::from_number(family), kind, at });
            }
            Ok(())
        })?;
    }
    Ok(missed)
}

/// Notes what is due earlier than is noted, such as what a server of an earlier version planned
/// beside this one. Returns how much that was. What can't be noted just now is left for the next
/// time.
pub async fn repair(store: &Store) -> Result<usize> {
    let missed = store.read_every_family(missed).await?;
    let families =
        missed.into_iter().map(|one| (Access::whole(one.family, Actor::System), one)).collect();
    // With the family's lock, because the family may be removed meanwhile.
    let note = |tx: &mut FamilyTx<'_>, one: &Missed| note(tx, one.kind, one.at);
    Ok(store.sweep("what is due", families, Turn::Take, note).await.done)
}

#[cfg(test)]
mod tests;
