//! Who is signed in to the web pages: a directory of sessions.
//!
//! A session is found by the SHA-256 of the token in its cookie, so that a copy of the database
//! signs nobody in. It ends when nobody has used it for [`IDLE_DAYS`], when its user signs out,
//! gets another password, or is deactivated.

use jiff::{SignedDuration, Timestamp};
use purser_core::error::{Error, Result};
use purser_core::ids::UserId;
use purser_core::money::Currency;

use crate::access::{Access, Credential, FamilyTx};
use crate::audit::Actor;
use crate::driver::{Tx, statements, vals};
use crate::families::FamilyId;
use crate::store::Store;
use crate::users::Role;

statements! {
    /// Inserts a new session.
    INSERT = "INSERT INTO sessions (hash, family_id, user_id, form_token, created_at,
            last_used_at, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    /// A session that has not ended, with its family and its user.
    BY_HASH = "SELECT family_id, user_id, form_token, last_used_at FROM sessions
        WHERE hash = $1 AND expires_at > $2";
    /// Everything else that a page needs to know about who asks for it.
    VISITOR = "SELECT u.name, u.email, u.role, f.name, f.currency, f.time_zone
        FROM users u
        JOIN families f ON f.id = $1
        WHERE u.family_id = $1 AND u.id = $2 AND u.deactivated_at IS NULL
            AND u.deletion_at IS NULL AND f.deletion_at IS NULL";
    /// Notes a use and moves the end, unless a later use is known.
    TOUCH = "UPDATE sessions SET last_used_at = $1, expires_at = $2
        WHERE hash = $3 AND last_used_at < $4";
    /// Removes a session that ends.
    DELETE = "DELETE FROM sessions WHERE hash = $1";
    /// Ends every session of a user.
    DELETE_OF_USER = "DELETE FROM sessions WHERE family_id = $1 AND user_id = $2";
    /// Forgets what has ended by itself.
    PURGE = "DELETE FROM sessions WHERE NOT expires_at > $1";
}

/// Days without use after which a session has ended.
pub const IDLE_DAYS: i64 = 30;
/// The last use is written when the one that is known is older.
const TOUCH_AFTER: SignedDuration = SignedDuration::from_secs(60);

/// The SHA-256 of a session's token: what the database knows of it.
pub type SessionHash = [u8; 32];

/// A session that is valid now: who it is, and of which family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The family of the user.
    pub family: FamilyId,
    /// The name of the family.
    pub family_name: String,
    /// The currency that the family counts in.
    pub family_currency: Currency,
    /// The family's time zone, an IANA name.
    pub time_zone: String,
    /// Who is signed in.
    pub user: UserId,
    /// The name of the user.
    pub user_name: String,
    /// The user's sign-in name.
    pub email: String,
    /// What the user may do.
    pub role: Role,
    /// Stands in every form of this session.
    pub form_token: String,
    /// About when it was last used.
    pub last_used_at: Timestamp,
    hash: SessionHash,
}

impl Session {
    /// What the person may reach.
    pub fn access(&self) -> Access {
        let access = Access::whole(self.family, Actor::User(self.user));
        access.by(Credential::Session(self.hash))
    }

    /// What the database knows of the session's token.
    pub fn hash(&self) -> &SessionHash {
        &self.hash
    }

    /// Whether a use at this time is worth writing down: see [`touch`].
    pub fn is_due(&self, now: Timestamp) -> bool {
        now.duration_since(self.last_used_at) > TOUCH_AFTER
    }
}

/// Begins a session of a user who may come in.
pub fn begin(
    tx: &mut Tx<'_>,
    family: FamilyId,
    user: UserId,
    hash: &SessionHash,
    form_token: &str,
) -> Result<()> {
    let now = tx.now();
    tx.execute(&INSERT, vals![hash, family, user, form_token, now, now, end(now)?])?;
    Ok(())
}

/// The session of a token; `None` alike for unknown and ended ones and for deactivated users.
/// The directory has the family; all else is read from the family's rows, as the family's own read.
/// That waits for the family's turn, so it looks at the session once more.
pub async fn find(store: &Store, hash: SessionHash) -> Result<Option<Session>> {
    let rows = move |tx: &mut FamilyTx<'_>, _| visitor(tx, &hash);
    store.read_by_directory(move |tx| by_hash(tx, &hash), rows).await
}

/// Refuses what a session may not do any more that ended while its request waited, as did one of
/// which the user or the family is to be deleted.
pub(crate) fn require(tx: &mut FamilyTx<'_>, hash: &SessionHash) -> Result<()> {
    match visitor(tx, hash)? {
        Some(_) => Ok(()),
        None => Err(Error::Conflict {
            code: "session_ended",
            message: "You were signed out meanwhile. Sign in again.".to_owned(),
        }),
    }
}

/// What the directory has of a session.
struct Listed {
    user: UserId,
    form_token: String,
    last_used_at: Timestamp,
}

fn by_hash(tx: &mut Tx<'_>, hash: &SessionHash) -> Result<Option<(Access, Listed)>> {
    let now = tx.now();
    tx.query_opt(&BY_HASH, vals![hash, now], |row| {
        let user = row.id(1)?;
        let access = Access::whole(FamilyId::from_number(row.int(0)?), Actor::User(user));
        let (form_token, last_used_at) = (row.string(2)?, row.timestamp(3)?);
        Ok((access, Listed { user, form_token, last_used_at }))
    })
}

fn visitor(tx: &mut FamilyTx<'_>, hash: &SessionHash) -> Result<Option<Session>> {
    let Some((_, listed)) = by_hash(tx, hash)? else { return Ok(None) };
    let family = tx.family();
    tx.query_opt(&VISITOR, vals![family, listed.user], |row| {
        let role = row.text(2)?;
        Ok(Session {
            family,
            user: listed.user,
            user_name: row.string(0)?,
            email: row.string(1)?,
            role: Role::parse(role).ok_or_else(|| Error::internal("an unknown role"))?,
            family_name: row.string(3)?,
            family_currency: row.currency(4)?,
            time_zone: row.string(5)?,
            form_token: listed.form_token.clone(),
            last_used_at: listed.last_used_at,
            hash: *hash,
        })
    })
}

/// Notes that a session was used; it lives on from there.
pub fn touch(tx: &mut Tx<'_>, hash: &SessionHash) -> Result<()> {
    let now = tx.now();
    tx.execute(&TOUCH, vals![now, end(now)?, hash, now])?;
    Ok(())
}

/// Ends a session. Again changes nothing.
pub fn end_one(tx: &mut Tx<'_>, hash: &SessionHash) -> Result<()> {
    tx.execute(&DELETE, vals![hash]).map(|_| ())
}

/// Ends every session of a user.
pub(crate) fn end_all(tx: &mut Tx<'_>, family: FamilyId, user: UserId) -> Result<()> {
    tx.execute(&DELETE_OF_USER, vals![family, user]).map(|_| ())
}

/// Forgets sessions that have ended by themselves.
pub fn purge(tx: &mut Tx<'_>) -> Result<()> {
    let now = tx.now();
    tx.execute(&PURGE, vals![now]).map(|_| ())
}

fn end(now: Timestamp) -> Result<Timestamp> {
    now.checked_add(SignedDuration::from_hours(24 * IDLE_DAYS)).map_err(Error::internal)
}
