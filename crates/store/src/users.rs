//! Users: who belongs to a family, and the directory of sign-in names.
//!
//! Passwords come here as finished hashes; hashing is not the store's work.

use jiff::Timestamp;
use purser_core::error::{Error, Problem, Problems, Result};
use purser_core::ids::UserId;
use purser_core::ledger::input::required_label;

use crate::access::{Access, FamilyTx};
use crate::audit::Actor;
use crate::driver::{Row, Tx, is_unique_violation, statements, vals};
use crate::families::FamilyId;
use crate::secret::Secret;
use crate::sessions;
use crate::store::Store;

pub mod removal;

statements! {
    /// Inserts a user into the table.
    INSERT = "INSERT INTO users (family_id, id, email, name, role, password_hash, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    /// Reserves a sign-in name.
    INSERT_NAME = "INSERT INTO sign_in_names (email, family_id, user_id) VALUES ($1, $2, $3)";
    /// A family's users, oldest first.
    LIST = "SELECT id, email, name, role, deactivated_at, created_at, deletion_at FROM users
        WHERE family_id = $1 ORDER BY id";
    /// The user with a sign-in name, and the family.
    BY_EMAIL = "SELECT family_id, user_id FROM sign_in_names WHERE email = $1";
    /// One user with the password's hash, and whether the family is to be removed.
    SIGNING_IN = "SELECT u.id, u.email, u.name, u.role, u.deactivated_at, u.created_at,
            u.deletion_at, u.password_hash, f.deletion_at
        FROM users u
        JOIN families f ON f.id = $1
        WHERE u.family_id = $1 AND u.id = $2";
    /// Closes a user's access.
    DEACTIVATE = "UPDATE users SET deactivated_at = $1
        WHERE family_id = $2 AND id = $3 AND deactivated_at IS NULL";
    /// Whether there is such a user.
    EXISTS = "SELECT 1 FROM users WHERE family_id = $1 AND id = $2";
    /// Replaces the password's hash.
    SET_PASSWORD = "UPDATE users SET password_hash = $1 WHERE family_id = $2 AND id = $3";
    /// Changes the name that others see.
    RENAME = "UPDATE users SET name = $1 WHERE family_id = $2 AND id = $3";
    /// Whether anybody has signed up.
    ANY = "SELECT 1 FROM sign_in_names LIMIT 1";
}

/// Characters of a sign-in name: no e-mail address has more.
pub const EMAIL_CHARS_MAX: usize = 254;
const EMAIL_RULE: &str = "must be an e-mail address such as ann@example.org";

/// What a user may do in the family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// May do everything, people and settings included.
    Admin,
    /// May do everything except managing people.
    Member,
}

impl Role {
    /// The name that is stored and shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Member => "member",
        }
    }

    /// The role that a text names, exactly.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Admin, Self::Member].into_iter().find(|role| role.as_str() == text)
    }
}

/// A user who is to be added.
#[derive(Debug, Clone)]
pub struct NewUser<'a> {
    /// The sign-in name; one in the whole installation.
    pub email: &'a str,
    /// The name that others see.
    pub name: &'a str,
    /// What the user may do.
    pub role: Role,
    /// A finished hash with its parameters.
    pub password_hash: &'a Secret,
}

/// A user of a family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// The id of the user.
    pub id: UserId,
    /// The sign-in name, in lower case.
    pub email: String,
    /// The name that others see.
    pub name: String,
    /// What the user may do.
    pub role: Role,
    /// Since when the user may not come in any more.
    pub deactivated_at: Option<Timestamp>,
    /// When the user was added.
    pub created_at: Timestamp,
    /// When the user is removed for good; the user can't come in until then.
    pub deletion_at: Option<Timestamp>,
}

impl User {
    /// Whether the user can't come in: deactivated, or to be removed.
    pub fn is_closed(&self) -> bool {
        self.deactivated_at.is_some() || self.deletion_at.is_some()
    }
}

/// A user as found by the sign-in name.
#[derive(Debug, Clone)]
pub struct SignIn {
    /// The family that it belongs to.
    pub family: FamilyId,
    /// The user, who may be deactivated.
    pub user: User,
    /// What a password is compared with.
    pub password_hash: Secret,
    /// Whether the family is to be removed.
    is_family_closed: bool,
}

impl SignIn {
    /// Whether a right password is refused.
    pub fn is_closed(&self) -> bool {
        self.is_family_closed || self.user.is_closed()
    }

    /// The access that the user has once the password is right.
    pub fn access(&self) -> Access {
        Access::whole(self.family, Actor::User(self.user.id))
    }
}

/// Adds a user; `email_taken` if anybody has the sign-in name.
pub fn add(tx: &mut Tx<'_>, family: FamilyId, user: &NewUser<'_>) -> Result<UserId> {
    let (email, name) = (normal_email(user.email), user.name.trim());
    check(&email, name)?;
    let (id, now) = (tx.new_id()?, tx.now());
    let hash = user.password_hash.reveal();
    tx.execute(&INSERT, vals![family, id, &email, name, user.role.as_str(), hash, now])?;
    tx.execute(&INSERT_NAME, vals![&email, family, id]).map_err(|error| {
        if is_unique_violation(&error, "sign_in_names_pkey") { email_taken() } else { error }
    })?;
    Ok(id.into())
}

/// Refuses a text that can't be a sign-in name, before any other input is needed.
pub fn check_email(email: &str) -> Result<()> {
    if is_email(&normal_email(email)) {
        Ok(())
    } else {
        Err(Problem::field("email", EMAIL_RULE).into())
    }
}

/// The error for a sign-in name that is in use.
pub fn email_taken() -> Error {
    Error::Conflict {
        code: "email_taken",
        message: "There is already a user with this e-mail address.".to_owned(),
    }
}

/// A family's users, oldest first.
pub fn list(tx: &mut FamilyTx<'_>) -> Result<Vec<User>> {
    let family = tx.family();
    tx.query(&LIST, vals![family], read)
}

/// The user with a sign-in name, in whichever family. The directory has the family; all else is
/// read from the family's rows, as the family's own read.
pub async fn sign_in(store: &Store, email: &str) -> Result<Option<SignIn>> {
    let email = email.to_owned();
    store.read_by_directory(move |tx| by_email(tx, &email), signing_in).await
}

/// As [`sign_in`], in one transaction: for the command line, and for a write of the user's family.
pub fn find_by_email(tx: &mut Tx<'_>, email: &str) -> Result<Option<SignIn>> {
    match by_email(tx, email)? {
        Some((access, user)) => tx.with_access(access, |tx| signing_in(tx, user)),
        None => Ok(None),
    }
}

/// Whether somebody has a sign-in name, in whichever family. Only the directory is asked.
pub fn is_taken(tx: &mut Tx<'_>, email: &str) -> Result<bool> {
    Ok(by_email(tx, email)?.is_some())
}

fn by_email(tx: &mut Tx<'_>, email: &str) -> Result<Option<(Access, UserId)>> {
    tx.query_opt(&BY_EMAIL, vals![&normal_email(email)], |row| {
        let user = row.id(1)?;
        Ok((Access::whole(FamilyId::from_number(row.int(0)?), Actor::User(user)), user))
    })
}

fn signing_in(tx: &mut FamilyTx<'_>, user: UserId) -> Result<Option<SignIn>> {
    let family = tx.family();
    tx.query_opt(&SIGNING_IN, vals![family, user], |row| {
        Ok(SignIn {
            family,
            user: read(row)?,
            password_hash: Secret::new(row.text(7)?),
            is_family_closed: row.opt_timestamp(8)?.is_some(),
        })
    })
}

/// Closes a user's access; the keys of the user stop working at once, and the sessions end. Again
/// changes nothing.
pub fn deactivate(tx: &mut FamilyTx<'_>, user: UserId) -> Result<()> {
    let family = tx.family();
    let now = tx.now();
    sessions::end_all(tx, family, user)?;
    if tx.execute(&DEACTIVATE, vals![now, family, user])? == 1 {
        return Ok(());
    }
    tx.query_opt(&EXISTS, vals![family, user], |_| Ok(()))?.ok_or(Error::NotFound { what: "User" })
}

/// Replaces the password's hash and ends every session of the user: whoever knew the old one is
/// out.
pub fn set_password_hash(tx: &mut FamilyTx<'_>, user: UserId, hash: &Secret) -> Result<()> {
    let family = tx.family();
    sessions::end_all(tx, family, user)?;
    match tx.execute(&SET_PASSWORD, vals![hash.reveal(), family, user])? {
        1 => Ok(()),
        _ => Err(Error::NotFound { what: "User" }),
    }
}

/// Changes the name that others see.
pub fn rename(tx: &mut FamilyTx<'_>, user: UserId, name: &str) -> Result<()> {
    let family = tx.family();
    let mut problems = Problems::new();
    let name = required_label("name", name, &mut problems);
    problems.into_result()?;
    match tx.execute(&RENAME, vals![name, family, user])? {
        1 => Ok(()),
        _ => Err(Error::NotFound { what: "User" }),
    }
}

/// Whether anybody has signed up, in any family.
pub fn is_any(tx: &mut Tx<'_>) -> Result<bool> {
    Ok(tx.query_opt(&ANY, &[], |_| Ok(()))?.is_some())
}

fn read(row: &Row<'_>) -> Result<User> {
    let role = Role::parse(row.text(3)?).ok_or_else(|| Error::internal("an unknown role"))?;
    Ok(User {
        id: row.id(0)?,
        email: row.string(1)?,
        name: row.string(2)?,
        role,
        deactivated_at: row.opt_timestamp(4)?,
        created_at: row.timestamp(5)?,
        deletion_at: row.opt_timestamp(6)?,
    })
}

/// The form in which sign-in names are stored and looked up.
pub(crate) fn normal_email(email: &str) -> String {
    email.trim().to_lowercase()
}

fn check(email: &str, name: &str) -> Result<()> {
    let mut problems = Problems::new();
    if !is_email(email) {
        problems.field("email", EMAIL_RULE);
    }
    required_label("name", name, &mut problems);
    problems.into_result()
}

/// Whether a text is a sign-in name as it is stored.
pub(crate) fn is_sign_in_name(text: &str) -> bool {
    normal_email(text) == text && is_email(text)
}

/// Something on both sides of one `@`, and nothing that mail programs would not take.
fn is_email(email: &str) -> bool {
    let parts = email.split_once('@');
    let unfit = email.chars().any(|c| c.is_whitespace() || c.is_control());
    parts.is_some_and(|(user, host)| !user.is_empty() && !host.is_empty() && !host.contains('@'))
        && !unfit
        && email.chars().count() <= EMAIL_CHARS_MAX
}
