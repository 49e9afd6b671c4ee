//! Users: joining a family, passwords, names, leaving.

use purser_core::error::{Error, Result};
use purser_core::ids::UserId;
use purser_store::users::{self, NewUser, Role, User};
use purser_store::{FamilyTx, Secret};

use super::{nothing, record};

/// Adds a user to a family that is there.
pub fn add(tx: &mut FamilyTx<'_>, new: &NewUser<'_>) -> Result<UserId> {
    let family = tx.family();
    let id = users::add(tx, family, new)?;
    record(tx, "user.create", ("user", id.0), nothing())?;
    Ok(id)
}

/// Gives a user a new password; whoever is signed in as the user is signed out.
pub fn set_password(tx: &mut FamilyTx<'_>, user: UserId, hash: &Secret) -> Result<()> {
    users::set_password_hash(tx, user, hash)?;
    record(tx, "user.password", ("user", user.0), nothing())
}

/// Changes the name that others see.
pub fn rename(tx: &mut FamilyTx<'_>, user: UserId, name: &str) -> Result<()> {
    users::rename(tx, user, name)?;
    record(tx, "user.rename", ("user", user.0), nothing())
}

/// Closes a user's access. Refuses to leave a family without an admin unless forced to.
pub fn deactivate(tx: &mut FamilyTx<'_>, id: UserId, force: bool) -> Result<User> {
    let all = users::list(tx)?;
    let user = get(&all, id)?;
    if !force && is_last_admin(&all, id) {
        return Err(Error::Conflict {
            code: "last_admin",
            message: format!("{} is the last active admin of the family", user.email),
        });
    }
    if user.deactivated_at.is_none() {
        users::deactivate(tx, id)?;
        record(tx, "user.deactivate", ("user", id.0), nothing())?;
    }
    get(&users::list(tx)?, id).cloned()
}

/// A user of the family.
pub fn get(all: &[User], id: UserId) -> Result<&User> {
    all.iter().find(|user| user.id == id).ok_or(Error::NotFound { what: "User" })
}

/// Whether the family would be left without anybody who can manage it.
pub(super) fn is_last_admin(users: &[User], id: UserId) -> bool {
    let mut admins = users.iter().filter(|user| user.role == Role::Admin && !user.is_closed());
    admins.next().is_some_and(|first| first.id == id) && admins.next().is_none()
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use uuid::Uuid;

    use super::*;

    fn user(number: u128, role: Role, active: bool) -> User {
        User {
            id: UserId(Uuid::from_u128(number)),
            email: String::new(),
            name: String::new(),
            role,
            deactivated_at: (!active).then_some(Timestamp::UNIX_EPOCH),
            created_at: Timestamp::UNIX_EPOCH,
            deletion_at: None,
        }
    }

    #[test]
    fn the_last_active_admin_is_recognised() {
        let is_last = |users: &[User]| is_last_admin(users, UserId(Uuid::from_u128(1)));
        let me = user(1, Role::Admin, true);
        assert!(is_last(std::slice::from_ref(&me)));
        assert!(is_last(&[user(2, Role::Admin, false), me.clone(), user(3, Role::Member, true)]));
        assert!(!is_last(&[me.clone(), user(2, Role::Admin, true)]));
        assert!(!is_last(&[user(2, Role::Admin, true), me]));
        assert!(!is_last(&[user(1, Role::Member, true), user(2, Role::Admin, true)]));
        assert!(!is_last(&[user(1, Role::Admin, false)]), "nothing is lost any more");
    }
}
