//! Removing families and users for good, each after a pause that can be taken back.

use jiff::{SignedDuration, Timestamp};
use purser_core::error::{Error, Result};
use purser_core::ids::UserId;
use purser_store::FamilyTx;
use purser_store::families::{self, removal as families_removal};
use purser_store::users::{self, User, removal as users_removal};
use serde_json::json;

use super::family_removal_job::RemoveFamily;
use super::users::{get, is_last_admin};
use super::{nothing, record};
use crate::jobs::job::{enqueue, is_given_up};

/// Has a family removed with everything that belongs to it, after a pause in which nobody of it can
/// sign in; returns when.
///
/// # Errors
/// `deletion_begun` if an earlier pause is over.
pub fn schedule_family(tx: &mut FamilyTx<'_>, pause: SignedDuration) -> Result<Timestamp> {
    let at = families_removal::schedule(tx, pause)?;
    let id = families::get(tx)?.public_id;
    record(tx, "family.delete", ("family", id), json!({ "deletion_at": at.to_string() }))?;
    if pause.is_zero() {
        enqueue(tx, &RemoveFamily {})?;
    }
    Ok(at)
}

/// Takes the removal of a family back.
///
/// # Errors
/// `deletion_begun` if the pause is over.
pub fn keep_family(tx: &mut FamilyTx<'_>) -> Result<()> {
    let before = families::get(tx)?;
    if before.deletion_at.is_none() {
        return Ok(());
    }
    families_removal::take_back(tx)?;
    record(tx, "family.undelete", ("family", before.public_id), nothing())
}

/// Has a user removed after a pause, at once if it is zero; returns when.
///
/// # Errors
/// `last_admin` for the last one of a family who can manage it.
pub fn schedule_user(
    tx: &mut FamilyTx<'_>,
    id: UserId,
    pause: SignedDuration,
) -> Result<Timestamp> {
    let all = users::list(tx)?;
    let user = get(&all, id)?;
    if is_last_admin(&all, id) {
        return Err(Error::Conflict {
            code: "last_admin",
            message: format!(
                "{} is the last active admin of the family: add another one first, or delete the \
                 family",
                user.email
            ),
        });
    }
    let at = users_removal::schedule(tx, id, pause)?;
    record(tx, "user.delete", ("user", id.0), json!({ "deletion_at": at.to_string() }))?;
    if pause.is_zero() {
        users_removal::remove(tx, id)?;
    }
    Ok(at)
}

/// Takes the removal of a user back; returns the user.
pub fn keep_user(tx: &mut FamilyTx<'_>, id: UserId) -> Result<User> {
    if get(&users::list(tx)?, id)?.deletion_at.is_some() {
        users_removal::take_back(tx, id)?;
        record(tx, "user.undelete", ("user", id.0), nothing())?;
    }
    get(&users::list(tx)?, id).cloned()
}

/// Removes the users of the family with a pause that is over.
pub(crate) fn remove_users(tx: &mut FamilyTx<'_>) -> Result<()> {
    for user in users_removal::due(tx)? {
        record(tx, "user.remove", ("user", user.0), nothing())?;
        users_removal::remove(tx, user)?;
    }
    users_removal::note_next(tx)
}

/// Queues the removal of the family if its pause is over. One that was given up is left to the
/// operator (`purser jobs retry`).
pub(crate) fn remove_family(tx: &mut FamilyTx<'_>) -> Result<()> {
    if families_removal::is_due(tx)? && !is_given_up(tx, &RemoveFamily {})? {
        enqueue(tx, &RemoveFamily {})?;
    }
    families_removal::note_next(tx)
}
