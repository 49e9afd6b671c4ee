//! Removing a user for good, after a pause in which the user can't sign in and which can be taken
//! back.
//!
//! What the user did stays with the family: entries, imports, and audit events, which name the user
//! by an id that nobody has any more. The name, the sign-in name, the password, the sessions and
//! the keys are gone.

use jiff::{SignedDuration, Timestamp};
use purser_core::error::{Error, Result};
use purser_core::ids::UserId;

use crate::access::FamilyTx;
use crate::driver::{Sql, statements, vals};
use crate::due::{self, Kind};
use crate::{families, keys, sessions};

statements! {
    /// Notes when a user is removed, or that the user isn't.
    SCHEDULE = "UPDATE users SET deletion_at = $1 WHERE family_id = $2 AND id = $3";
    /// The users that are due.
    DUE = "SELECT id FROM users
        WHERE family_id = $1 AND deletion_at IS NOT NULL AND NOT deletion_at > $2";
    /// When the next user is due.
    NEXT = "SELECT MIN(deletion_at) FROM users WHERE family_id = $1";
    /// The keys of a user, to forget their hashes.
    KEY_IDS = "SELECT id FROM api_keys WHERE family_id = $1 AND user_id = $2";
    /// The accounts that a user's keys are restricted to.
    KEY_ACCOUNTS = "DELETE FROM api_key_accounts WHERE family_id = $1 AND key_id IN (
        SELECT id FROM api_keys WHERE family_id = $1 AND user_id = $2)";
    /// The keys of a user.
    KEYS = "DELETE FROM api_keys WHERE family_id = $1 AND user_id = $2";
    /// Accounts of the user belong to nobody in particular.
    ACCOUNTS = "UPDATE accounts SET owner_id = NULL WHERE family_id = $1 AND owner_id = $2";
    /// The sign-in name, which others can have from now on.
    NAME = "DELETE FROM sign_in_names WHERE family_id = $1 AND user_id = $2";
    /// Removes the user's own row.
    USER = "DELETE FROM users WHERE family_id = $1 AND id = $2";
}

/// Every statement about users, for the test that prepares them.
pub(crate) fn statements() -> [(&'static str, &'static [(&'static str, Sql)]); 2] {
    [("users", super::STATEMENTS), ("users::removal", STATEMENTS)]
}

/// Has a user removed after a pause; from now on the user can't sign in.
pub fn schedule(tx: &mut FamilyTx<'_>, user: UserId, pause: SignedDuration) -> Result<Timestamp> {
    let (family, at) = (tx.family(), tx.now().checked_add(pause).map_err(Error::internal)?);
    tx.execute(&SCHEDULE, vals![at, family, user])?;
    due::note(tx, Kind::Users, at)?;
    Ok(at)
}

/// Takes the removal back.
pub fn take_back(tx: &mut FamilyTx<'_>, user: UserId) -> Result<()> {
    let (family, never) = (tx.family(), None::<Timestamp>);
    tx.execute(&SCHEDULE, vals![never, family, user]).map(drop)
}

/// The users with a pause that is over.
pub fn due(tx: &mut FamilyTx<'_>) -> Result<Vec<UserId>> {
    let key = vals![tx.family(), tx.now()];
    tx.query(&DUE, key, |row| row.id(0))
}

/// Notes when the next user is due, after those that are due were removed.
pub fn note_next(tx: &mut FamilyTx<'_>) -> Result<()> {
    let family = tx.family();
    let next = tx.query_one(&NEXT, vals![family], |row| row.opt_timestamp(0))?;
    due::set(tx, Kind::Users, next)
}

/// Removes a user with everything that lets somebody in.
pub fn remove(tx: &mut FamilyTx<'_>, user: UserId) -> Result<()> {
    let family = tx.family();
    sessions::end_all(tx, family, user)?;
    for key in tx.query(&KEY_IDS, vals![family, user], |row| row.uuid(0))? {
        tx.execute(&keys::DELETE_HASH, vals![family, key])?;
    }
    for statement in [&KEY_ACCOUNTS, &KEYS, &ACCOUNTS, &NAME, &USER] {
        tx.execute(statement, vals![family, user])?;
    }
    families::bump_version(tx).map(drop)
}
