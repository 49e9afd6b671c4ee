//! The directories: a sign-in name for each user, a hash for each key that may still be used,
//! sessions of users who may come in, and when something of a family is due.

use purser_core::error::Result;
use purser_core::ids::{KeyId, UserId};

use super::report::Findings;
use crate::driver::{Tx, statements};
use crate::due;

statements! {
    /// How many rows lead to each other.
    DIRECTORIES_COUNT = "SELECT CAST((SELECT COUNT(*) FROM users)
        + (SELECT COUNT(*) FROM api_keys) + (SELECT COUNT(*) FROM sessions)
        + (SELECT COUNT(*) FROM due) AS BIGINT)";
    /// Users who can't be found by their address.
    USERS_UNLISTED = "SELECT u.id, u.email FROM users u
        LEFT JOIN sign_in_names n
            ON n.email = u.email AND n.family_id = u.family_id AND n.user_id = u.id
        WHERE n.email IS NULL ORDER BY u.id";
    /// Addresses that lead to nobody who has them.
    NAMES_DANGLING = "SELECT n.email FROM sign_in_names n
        LEFT JOIN users u
            ON u.family_id = n.family_id AND u.id = n.user_id AND u.email = n.email
        WHERE u.id IS NULL ORDER BY n.email";
    /// Keys with another number of hashes than one, or with one although they are revoked.
    KEYS_WRONG = "SELECT k.id, k.revoked_at, COALESCE(h.hashes, 0) FROM api_keys k
        LEFT JOIN (SELECT family_id, key_id, CAST(COUNT(*) AS BIGINT) AS hashes
            FROM key_hashes GROUP BY family_id, key_id) h
            ON h.family_id = k.family_id AND h.key_id = k.id
        WHERE COALESCE(h.hashes, 0) <> CASE WHEN k.revoked_at IS NULL THEN 1 ELSE 0 END
        ORDER BY k.id";
    /// Hashes that belong to no key.
    HASHES_DANGLING = "SELECT h.key_id FROM key_hashes h
        LEFT JOIN api_keys k ON k.family_id = h.family_id AND k.id = h.key_id
        WHERE k.id IS NULL ORDER BY h.key_id";
    /// Sessions without a user, or of a user who was deactivated.
    SESSIONS_WRONG = "SELECT s.user_id, u.email FROM sessions s
        LEFT JOIN users u ON u.family_id = s.family_id AND u.id = s.user_id
        WHERE u.id IS NULL OR u.deactivated_at IS NOT NULL ORDER BY s.user_id";
}

/// The directories list exactly what the families have.
pub(super) fn complete(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    findings.count_rows(tx, &DIRECTORIES_COUNT)?;
    tx.for_each(&USERS_UNLISTED, &[], |row| {
        let (id, email): (UserId, _) = (row.id(0)?, row.text(1)?);
        findings.problem(|| format!("user {id} can't be found by the address {email}"));
        Ok(())
    })?;
    tx.for_each(&NAMES_DANGLING, &[], |row| {
        let email = row.text(0)?;
        findings.problem(|| format!("the address {email} leads to no user who has it"));
        Ok(())
    })?;
    tx.for_each(&KEYS_WRONG, &[], |row| {
        let (id, revoked): (KeyId, _) = (row.id(0)?, row.opt_int(1)?.is_some());
        let hashes = row.count(2)?;
        let state = if revoked { "is revoked and" } else { "can be used and" };
        findings.problem(|| format!("key {id} {state} has {hashes} hashes"));
        Ok(())
    })?;
    tx.for_each(&HASHES_DANGLING, &[], |row| {
        let id: KeyId = row.id(0)?;
        findings.problem(|| format!("a hash leads to the key {id}, which doesn't exist"));
        Ok(())
    })?;
    tx.for_each(&SESSIONS_WRONG, &[], |row| {
        let (id, email): (UserId, _) = (row.id(0)?, row.opt_text(1)?);
        let state = if email.is_some() { "is deactivated" } else { "doesn't exist" };
        findings.problem(|| format!("a session is of the user {id}, who {state}"));
        Ok(())
    })?;
    for due::Missed { family, kind, at } in due::missed(tx)? {
        let (family, kind) = (family.number(), kind.as_str());
        findings.problem(|| {
            format!("of family {family} something is due at {at} ({kind}), but nobody will look")
        });
    }
    Ok(())
}
