//! What of a family is due, and when: a directory for those who look without being asked.
//!
//! Families may be spread over machines, and a machine may be gone or hang. So nobody asks the rows
//! of all families what is due: whatever changes a family's schedule notes here, in the same
//! transaction, when to look at it. A look reads the families of a kind in the order in which they
//! are due, and then asks each in a transaction of its own, with a short limit
//! ([`crate::Store::write_briefly`]). A family that can't be asked is put off, longer each time,
//! and comes after the others.
//!
//! A time here is when a look finds something at the earliest. One that is too early costs a look,
//! which corrects it; one that is too late would be a fault: [`repair`] and `purser check` search
//! for those.

use jiff::{SignedDuration, Timestamp};
use purser_core::connection::schedule::AHEAD_MAX;
use purser_core::error::{Error, Result};

use crate::access::{Access, FamilyTx};
use crate::audit::Actor;
use crate::driver::{Tx, statements, vals};
use crate::families::FamilyId;
use crate::store::Store;

statements! {
    /// Notes a time, unless an earlier one is known.
    NOTE = "INSERT INTO due (family_id, kind, due_at, attempts) VALUES ($1, $2, $3, 0)
        ON CONFLICT (family_id, kind) DO UPDATE SET due_at =
            CASE WHEN excluded.due_at < due.due_at THEN excluded.due_at ELSE due.due_at END";
    /// Notes a time in the place of any other.
    SET = "INSERT INTO due (family_id, kind, due_at, attempts) VALUES ($1, $2, $3, 0)
        ON CONFLICT (family_id, kind) DO UPDATE SET due_at = excluded.due_at, attempts = 0";
    /// Nothing of the kind will be due.
    UNSET = "DELETE FROM due WHERE family_id = $1 AND kind = $2";
    /// The families with something due, those that could be asked last time first.
    FAMILIES = "SELECT d.family_id, d.attempts FROM (
            SELECT family_id, attempts, due_at FROM due WHERE kind = $1 AND due_at <= $2
            UNION ALL
            SELECT family_id, attempts, due_at FROM due WHERE kind = $1 AND due_at > $3) d
        ORDER BY CASE WHEN d.attempts = 0 THEN 0 ELSE 1 END, d.due_at, d.family_id LIMIT 200";
    /// Puts a family off, unless it was asked meanwhile or is just being written for.
    LEAVE_ALONE = "UPDATE due SET due_at = $1, attempts = attempts + 1
        WHERE (family_id, kind) IN (SELECT family_id, kind FROM due
            WHERE family_id = $2 AND kind = $3 AND attempts = $4 FOR UPDATE SKIP LOCKED)";
    /// Families with something that is due before the time that is noted, if there is one. Times up
    /// to $1 are those of families that were put off.
    MISSED = "SELECT m.family_id, m.kind, m.due_at FROM (
            SELECT family_id, 'sync' AS kind, MIN(COALESCE(run_until, next_attempt_at)) AS due_at
                FROM connections WHERE NOT scheduled_for_deletion GROUP BY family_id
            UNION ALL
            SELECT family_id, 'webhook', MIN(next_attempt_at)
                FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL GROUP BY family_id
            UNION ALL
            SELECT family_id, 'users', MIN(deletion_at)
                FROM users WHERE deletion_at IS NOT NULL GROUP BY family_id
            UNION ALL
            SELECT id, 'family', deletion_at FROM families WHERE deletion_at IS NOT NULL
            UNION ALL
            SELECT family_id, 'exports', MIN(updated_at) + 604800000000
                FROM family_exports GROUP BY family_id
            UNION ALL
            SELECT family_id, 'sessions', MIN(updated_at) + 604800000000
                FROM import_sessions WHERE import_id IS NULL GROUP BY family_id) m
        LEFT JOIN due d ON d.family_id = m.family_id AND d.kind = m.kind
        WHERE m.due_at IS NOT NULL
            AND (d.due_at IS NULL OR (d.due_at > m.due_at AND d.due_at > $1))
        ORDER BY m.family_id, m.kind";
}

/// What is done for families without being asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A connection is synced.
    Sync,
    /// A webhook is sent a delivery.
    Webhook,
    /// Users are removed.
    Users,
    /// The family itself is removed.
    Family,
    /// Exports are removed.
    Exports,
    /// Import sessions are removed that nobody went on with.
    Sessions,
}

/// Families that [`families`] lists at most.
pub const LISTED_MAX: usize = 200;
/// How long a family is left alone that couldn't be asked; the wait doubles each time.
const PUT_OFF: SignedDuration = SignedDuration::from_secs(5);
/// The longest wait.
const PUT_OFF_MAX: SignedDuration = SignedDuration::from_mins(5);

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

impl DueFamily {
    /// Whether the family couldn't be asked the last time.
    pub fn was_put_off(&self) -> bool {
        self.attempts > 0
    }
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

/// Families with something that is due within this time from now: those first that could be asked
/// last time, and of these the longest waiting.
pub fn families(tx: &mut Tx<'_>, kind: Kind, within: SignedDuration) -> Result<Vec<DueFamily>> {
    let until = tx.now().checked_add(within).map_err(Error::internal)?;
    tx.query(&FAMILIES, vals![kind.as_str(), until, kind.never(until)], |row| {
        let access = Access::whole(FamilyId::from_number(row.int(0)?), Actor::System);
        Ok(DueFamily { access, kind, attempts: row.int(1)? })
    })
}

/// Leaves a family alone for a while that couldn't be asked.
pub fn put_off(tx: &mut Tx<'_>, due: &DueFamily) -> Result<()> {
    let doublings = u32::try_from(due.attempts.clamp(0, 16)).map_err(Error::internal)?;
    let wait =
        PUT_OFF.checked_mul(1 << doublings).map_or(PUT_OFF_MAX, |wait| wait.min(PUT_OFF_MAX));
    let at = tx.now().checked_add(wait).map_err(Error::internal)?;
    let values = vals![at, due.access.family(), due.kind.as_str(), due.attempts];
    tx.execute(&LEAVE_ALONE, values).map(drop)
}

/// What is due earlier than is noted.
pub(crate) struct Missed {
    pub(crate) family: FamilyId,
    pub(crate) kind: Kind,
    pub(crate) at: Timestamp,
}

/// What is due earlier than is noted. It looks at the rows of all families.
pub(crate) fn missed(tx: &mut Tx<'_>) -> Result<Vec<Missed>> {
    let put_off = tx.now().checked_add(PUT_OFF_MAX).map_err(Error::internal)?;
    tx.query(&MISSED, vals![put_off], |row| {
        let kind = Kind::parse(row.text(1)?).ok_or_else(|| Error::internal("an unknown kind"))?;
        Ok(Missed { family: FamilyId::from_number(row.int(0)?), kind, at: row.timestamp(2)? })
    })
}

/// Notes what is due earlier than is noted, such as what a server of an earlier version planned
/// beside this one. Returns how much that was. Blocks.
pub fn repair(store: &Store) -> Result<usize> {
    let missed = store.read_directory_blocking(missed)?;
    for one in &missed {
        store.write_directory_blocking(|tx| {
            tx.of_family(one.family, |tx| note(tx, one.kind, one.at))
        })?;
    }
    Ok(missed.len())
}

#[cfg(test)]
mod tests;
