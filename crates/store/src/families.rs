//! Families: the groups of users that data belongs to.

pub mod removal;

use jiff::Timestamp;
use purser_core::error::{Error, Problems, Result};
use purser_core::ids::UserId;
use purser_core::ledger::input::required_label;
use purser_core::money::Currency;
use purser_core::transfers::Matching;
use serde::Serialize;
use uuid::Uuid;

use crate::access::{Access, FamilyTx};
use crate::audit::Actor;
use crate::driver::{DirectoryLock, Row, Sql, Tx, Val, statements, vals};
use crate::users::{self, NewUser};

statements! {
    /// Adds a new family.
    INSERT = "INSERT INTO families (id, public_id, name, currency, time_zone, version, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    /// Every family, oldest first.
    LIST = "SELECT id, public_id, name, currency, time_zone, created_at,
            transfer_matching, updated_at, month_start_day, locale, date_format, country,
            deletion_at
        FROM families
        ORDER BY id";
    /// All families: each has a user, and every user has a name to sign in with.
    LISTED = "SELECT family_id, MIN(email) FROM sign_in_names
        GROUP BY family_id ORDER BY family_id";
    /// One family by its number.
    GET = "SELECT id, public_id, name, currency, time_zone, created_at,
            transfer_matching, updated_at, month_start_day, locale, date_format, country,
            deletion_at
        FROM families
        WHERE id = $1";
    /// The same with the family's lock, which makes its writes serial on every node. Rows that
    /// point to the family can still be added by others.
    LOCK = "SELECT id, public_id, name, currency, time_zone, created_at,
            transfer_matching, updated_at, month_start_day, locale, date_format, country,
            deletion_at
        FROM families
        WHERE id = $1 FOR NO KEY UPDATE";
    /// Changes what members may change.
    UPDATE = "UPDATE families SET name = $1, time_zone = $2, updated_at = $3 WHERE id = $4";
    /// Changes what members may choose.
    UPDATE_PREFERENCES = "UPDATE families SET currency = $1, month_start_day = $2, locale = $3,
            date_format = $4, country = $5, updated_at = $6
        WHERE id = $7";
    /// Changes what becomes of transfers that are found.
    UPDATE_MATCHING = "UPDATE families SET transfer_matching = $1, updated_at = $2 WHERE id = $3";
    /// The version of a family.
    VERSION = "SELECT version FROM families WHERE id = $1";
    /// Increases the version of a family.
    BUMP = "UPDATE families SET version = version + 1 WHERE id = $1 RETURNING version";
}

/// Every statement about families, for the test that prepares them.
pub(crate) fn statements() -> Vec<(&'static str, &'static [(&'static str, Sql)])> {
    let mut all = vec![("families", STATEMENTS)];
    all.extend(removal::statements());
    all
}

/// The internal number of a family, never shown.
///
/// Only this crate makes one: by authentication, from a claimed job, or for the command line by
/// [`list`]. Whoever has one may touch the family's data, so a handler can't forget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FamilyId(i64);

impl FamilyId {
    /// The number of no family.
    pub(crate) const NONE: Self = Self(0);
    /// In the place of all numbers.
    pub(crate) const EVERY: Self = Self(-1);

    pub(crate) fn from_number(number: i64) -> Self {
        Self(number)
    }

    /// For the paths of files.
    pub fn number(self) -> i64 {
        self.0
    }
}

impl From<FamilyId> for Val<'_> {
    fn from(family: FamilyId) -> Self {
        Val::Int(family.0)
    }
}

/// A family that is to be made.
#[derive(Debug, Clone)]
pub struct NewFamily<'a> {
    /// As its members call it.
    pub name: &'a str,
    /// The currency that it counts in.
    pub currency: Currency,
    /// An IANA name such as `Europe/Berlin`; the caller knows that it exists.
    pub time_zone: &'a str,
}

/// A family with its settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Family {
    /// The internal number of the family.
    pub id: FamilyId,
    /// The id that people see.
    pub public_id: Uuid,
    /// As its members call it.
    pub name: String,
    /// The currency that it counts in.
    pub currency: Currency,
    /// The time zone, an IANA name.
    pub time_zone: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// What becomes of transfers that are found.
    pub transfer_matching: Matching,
    /// When its settings changed last.
    pub updated_at: Timestamp,
    /// What members may choose besides.
    pub preferences: Preferences,
    /// When it is removed for good; nobody can sign in until then.
    pub deletion_at: Option<Timestamp>,
}

impl Family {
    /// Access to everything of the family, for the command line and for what the program does by
    /// itself.
    pub fn access(&self, actor: Actor) -> Access {
        Access::whole(self.id, actor)
    }
}

/// A family as a directory has it.
#[derive(Debug, Clone)]
pub struct ListedFamily {
    /// Access to everything of the family.
    pub access: Access,
    /// The address with which one of its users signs in.
    pub email: String,
}

/// What members may choose for how the family counts and what it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Preferences {
    /// The currency that it counts in; accounts keep theirs, reports convert.
    pub currency: Currency,
    /// The day on which its months begin, 1 to 28.
    pub month_start_day: i8,
    /// A language such as `en`, for clients.
    pub locale: String,
    /// A strftime pattern, for clients.
    pub date_format: String,
    /// A code of ISO 3166, for clients.
    pub country: Option<String>,
}

/// Makes a family with its first user, in a transaction of [`crate::Store::found`], which has the
/// number for it.
pub fn create(
    tx: &mut Tx<'_>,
    id: FamilyId,
    family: &NewFamily<'_>,
    admin: &NewUser<'_>,
) -> Result<(Family, UserId)> {
    let mut problems = Problems::new();
    let name = required_label("family_name", family.name, &mut problems);
    problems.into_result()?;
    let (public_id, now) = (tx.new_id()?, tx.now());
    let (currency, zone) = (family.currency.code(), family.time_zone);
    tx.execute(&INSERT, vals![id, public_id, name, currency, zone, 1_i64, now])?;
    let user = users::add(tx, id, admin)?;
    Ok((tx.of_family(id, get)?, user))
}

/// As [`create`], but only while there is no user at all: of two at once, one is refused with
/// `sign_up_closed`.
pub fn create_first(
    tx: &mut Tx<'_>,
    id: FamilyId,
    family: &NewFamily<'_>,
    admin: &NewUser<'_>,
) -> Result<(Family, UserId)> {
    tx.lock_directory(DirectoryLock::Families)?;
    require_nobody(tx)?;
    create(tx, id, family, admin)
}

/// Fails with `sign_up_closed` when there is a user.
pub fn require_nobody(tx: &mut Tx<'_>) -> Result<()> {
    if !users::is_any(tx)? {
        return Ok(());
    }
    Err(Error::Conflict {
        code: "sign_up_closed",
        message: "Somebody has set this server up already: sign in, or ask to be added.".to_owned(),
    })
}

/// Renames a family and moves it to another time zone; the caller knows that the zone exists.
pub fn update(tx: &mut FamilyTx<'_>, name: &str, time_zone: &str) -> Result<()> {
    let family = tx.family();
    let mut problems = Problems::new();
    let name = required_label("name", name, &mut problems);
    problems.into_result()?;
    let now = tx.now();
    tx.forget_locked_family();
    match tx.execute(&UPDATE, vals![name, time_zone, now, family])? {
        1 => Ok(()),
        _ => Err(Error::NotFound { what: "Family" }),
    }
}

/// Changes what members may choose; the caller has checked the values.
pub fn set_preferences(tx: &mut FamilyTx<'_>, wanted: &Preferences) -> Result<()> {
    let family = tx.family();
    let (day, now) = (i64::from(wanted.month_start_day), tx.now());
    let (locale, format) = (&wanted.locale, &wanted.date_format);
    let country = wanted.country.as_ref();
    let row = vals![wanted.currency.code(), day, locale, format, country, now, family];
    tx.forget_locked_family();
    match tx.execute(&UPDATE_PREFERENCES, row)? {
        1 => Ok(()),
        _ => Err(Error::NotFound { what: "Family" }),
    }
}

/// Sets what becomes of transfers that are found from now on.
pub fn set_transfer_matching(tx: &mut FamilyTx<'_>, matching: Matching) -> Result<()> {
    let family = tx.family();
    let now = tx.now();
    tx.forget_locked_family();
    match tx.execute(&UPDATE_MATCHING, vals![matching.as_str(), now, family])? {
        1 => Ok(()),
        _ => Err(Error::NotFound { what: "Family" }),
    }
}

/// Every family, oldest first.
pub fn list(tx: &mut Tx<'_>) -> Result<Vec<Family>> {
    tx.query(&LIST, &[], read)
}

/// Every family, oldest first. Only the directory of names is asked, so this is for what then goes
/// family by family: one that can't be reached stops no other.
pub fn every(tx: &mut Tx<'_>, actor: Actor) -> Result<Vec<ListedFamily>> {
    tx.query(&LISTED, &[], |row| {
        let access = Access::whole(FamilyId(row.int(0)?), actor);
        Ok(ListedFamily { access, email: row.string(1)? })
    })
}

/// The family of a transaction. A write has read it with the family's lock, so nobody else can have
/// changed it since.
pub fn get(tx: &mut FamilyTx<'_>) -> Result<Family> {
    if let Some(family) = tx.locked_family() {
        return Ok(family.clone());
    }
    let family = tx.family();
    tx.query_opt(&GET, vals![family], read)?.ok_or(Error::NotFound { what: "Family" })
}

/// Whether an error means that there is no such family (any more).
pub fn is_gone(error: &Error) -> bool {
    matches!(error, Error::NotFound { what: "Family" })
}

/// Waits until no other node writes for a family, and reads it.
pub(crate) fn lock(tx: &mut Tx<'_>, family: FamilyId) -> Result<Family> {
    tx.query_opt(&LOCK, vals![family], read)?.ok_or(Error::NotFound { what: "Family" })
}

/// The family's version: whatever was read before it moved may have changed since.
pub fn version(tx: &mut FamilyTx<'_>) -> Result<i64> {
    let family = tx.family();
    tx.query_opt(&VERSION, vals![family], |row| row.int(0))?
        .ok_or(Error::NotFound { what: "Family" })
}

/// Increases the family's version, which marks a change of its data, and returns it.
pub fn bump_version(tx: &mut FamilyTx<'_>) -> Result<i64> {
    let family = tx.family();
    tx.query_opt(&BUMP, vals![family], |row| row.int(0))?.ok_or(Error::NotFound { what: "Family" })
}

fn read(row: &Row<'_>) -> Result<Family> {
    Ok(Family {
        id: FamilyId(row.int(0)?),
        public_id: row.uuid(1)?,
        name: row.string(2)?,
        currency: row.currency(3)?,
        time_zone: row.string(4)?,
        created_at: row.timestamp(5)?,
        transfer_matching: row.named(6)?,
        updated_at: row.opt_timestamp(7)?.map_or_else(|| row.timestamp(5), Ok)?,
        preferences: Preferences {
            currency: row.currency(3)?,
            month_start_day: i8::try_from(row.int(8)?).map_err(Error::internal)?,
            locale: row.string(9)?,
            date_format: row.string(10)?,
            country: row.opt_string(11)?,
        },
        deletion_at: row.opt_timestamp(12)?,
    })
}
