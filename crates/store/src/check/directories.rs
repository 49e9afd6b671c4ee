//! The directories: a sign-in name for each user, a hash for each key that may still be used,
//! sessions of users who may come in, and when something of a family is due.
//!
//! Directories and rows of families may be on several machines, so no statement has both. They are
//! read one after the other and compared here, for some thousand families at a time.

use std::collections::{BTreeMap, BTreeSet};

use purser_core::error::Result;
use purser_core::ids::{KeyId, UserId};
use uuid::Uuid;

use super::report::Findings;
use crate::driver::{Row, Sql, Tx, statements, vals};
use crate::{due, installation};

statements! {
    /// How many rows of families lead to a directory.
    LISTED_COUNT = "SELECT CAST((SELECT COUNT(*) FROM users) + (SELECT COUNT(*) FROM api_keys)
        AS BIGINT)";
    /// How many rows of directories lead to families.
    LISTING_COUNT = "SELECT CAST((SELECT COUNT(*) FROM sessions) + (SELECT COUNT(*) FROM due)
        AS BIGINT)";
    /// Users of families with a number after $1 and up to $2.
    USERS = "SELECT family_id, id, email, deactivated_at IS NOT NULL FROM users
        WHERE family_id > $1 AND family_id <= $2 ORDER BY family_id, id";
    /// Addresses that lead to them.
    NAMES = "SELECT family_id, user_id, email FROM sign_in_names
        WHERE family_id > $1 AND family_id <= $2";
    /// Sessions of these families.
    SESSIONS = "SELECT family_id, user_id, CAST(COUNT(*) AS BIGINT) FROM sessions
        WHERE family_id > $1 AND family_id <= $2 GROUP BY family_id, user_id";
    /// Keys of these families.
    KEYS = "SELECT family_id, id, revoked_at IS NOT NULL FROM api_keys
        WHERE family_id > $1 AND family_id <= $2 ORDER BY family_id, id";
    /// Hashes that lead to keys.
    HASHES = "SELECT family_id, key_id, CAST(COUNT(*) AS BIGINT) FROM key_hashes
        WHERE family_id > $1 AND family_id <= $2 GROUP BY family_id, key_id";
}

/// The directories list exactly what the families have.
pub(super) fn complete(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    findings.count_rows(tx, &LISTED_COUNT)?;
    findings.count_rows(tx, &LISTING_COUNT)?;
    if let Some((last, newest)) = installation::count_behind(tx)? {
        findings.problem(|| {
            format!("the counter of families is at {last}, but there is a family {newest}")
        });
    }
    for range in installation::family_ranges(tx)? {
        users(tx, range, findings)?;
        keys(tx, range, findings)?;
    }
    for due::Missed { family, kind, at } in due::missed(tx)? {
        let (family, kind) = (family.number(), kind.as_str());
        findings.problem(|| {
            format!("of family {family} something is due at {at} ({kind}), but nobody will look")
        });
    }
    Ok(())
}

/// Every user is found by the own address, and every address and session leads to a user.
fn users(tx: &mut Tx<'_>, (after, last): (i64, i64), findings: &mut Findings) -> Result<()> {
    let mut names: BTreeSet<(i64, Uuid, String)> = tx
        .query(&NAMES, vals![after, last], |row| Ok((row.int(0)?, row.uuid(1)?, row.string(2)?)))?
        .into_iter()
        .collect();
    let mut sessions = counted(tx, &SESSIONS, (after, last))?;
    tx.for_each(&USERS, vals![after, last], |row| {
        let (family, id, email) = (row.int(0)?, row.uuid(1)?, row.text(2)?);
        let user = UserId(id);
        if !names.remove(&(family, id, email.to_owned())) {
            findings.problem(|| format!("user {user} can't be found by the address {email}"));
        }
        if sessions.remove(&(family, id)).is_some() && row.bool(3)? {
            findings.problem(|| format!("a session is of the user {user}, who is deactivated"));
        }
        Ok(())
    })?;
    for (_, _, email) in names {
        findings.problem(|| format!("the address {email} leads to no user who has it"));
    }
    for ((_, id), _) in sessions {
        let user = UserId(id);
        findings.problem(|| format!("a session is of the user {user}, who doesn't exist"));
    }
    Ok(())
}

/// Every key that isn't revoked has one hash, and every hash a key.
fn keys(tx: &mut Tx<'_>, (after, last): (i64, i64), findings: &mut Findings) -> Result<()> {
    let mut hashes = counted(tx, &HASHES, (after, last))?;
    tx.for_each(&KEYS, vals![after, last], |row| {
        let (family, id, is_revoked) = (row.int(0)?, row.uuid(1)?, row.bool(2)?);
        let (key, hashes) = (KeyId(id), hashes.remove(&(family, id)).unwrap_or(0));
        if hashes != i64::from(!is_revoked) {
            let state = if is_revoked { "is revoked and" } else { "can be used and" };
            findings.problem(|| format!("key {key} {state} has {hashes} hashes"));
        }
        Ok(())
    })?;
    for ((_, id), _) in hashes {
        let key = KeyId(id);
        findings.problem(|| format!("a hash leads to the key {key}, which doesn't exist"));
    }
    Ok(())
}

/// How many rows a directory has for each thing of these families.
fn counted(
    tx: &mut Tx<'_>,
    sql: &Sql,
    (after, last): (i64, i64),
) -> Result<BTreeMap<(i64, Uuid), i64>> {
    let read = |row: &Row<'_>| Ok(((row.int(0)?, row.uuid(1)?), row.int(2)?));
    Ok(tx.query(sql, vals![after, last], read)?.into_iter().collect())
}
