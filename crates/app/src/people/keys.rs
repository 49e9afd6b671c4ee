//! API keys: giving them out and ending them.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, KeyId};
use purser_store::keys::{self, Key, NewKey, Scope};
use purser_store::users::User;
use purser_store::{FamilyTx, families};

use super::{nothing, record};
use crate::api_key::ApiKey;

/// A key as somebody wishes for it.
#[derive(Debug, Clone)]
pub struct Wish<'a> {
    /// What people call it.
    pub name: &'a str,
    /// What it may do.
    pub scope: Scope,
    /// The only accounts that it may see; `None` for all.
    pub accounts: Option<&'a [AccountId]>,
    /// The last day on which it works, in the family's time zone.
    pub last_day: Option<Date>,
}

/// Gives out a key of a user.
pub fn issue(tx: &mut FamilyTx<'_>, user: &User, wish: &Wish<'_>, key: &ApiKey) -> Result<KeyId> {
    if user.is_closed() {
        return Err(Error::Conflict {
            code: "user_deactivated",
            message: format!("{} is deactivated: a key would not work", user.email),
        });
    }
    let expires_at = match wish.last_day {
        Some(day) => Some(end_of(day, &families::get(tx)?.time_zone, tx.now())?),
        None => None,
    };
    let new = NewKey {
        user: user.id,
        name: wish.name,
        scope: wish.scope,
        accounts: wish.accounts,
        expires_at,
        hash: &key.hash(),
    };
    let id = keys::create(tx, &new)?;
    record(tx, "key.create", ("key", id.0), nothing())?;
    Ok(id)
}

/// Ends a key. Again changes nothing.
pub fn revoke(tx: &mut FamilyTx<'_>, key: &Key) -> Result<()> {
    if key.revoked_at.is_some() {
        return Ok(());
    }
    keys::revoke(tx, key.id)?;
    record(tx, "key.revoke", ("key", key.id.0), nothing())
}

/// Why a key does or doesn't work: `active`, `revoked`, `expired`, `user deactivated`.
pub fn state(key: &Key, user: &User, now: Timestamp) -> &'static str {
    if key.revoked_at.is_some() {
        "revoked"
    } else if key.expires_at.is_some_and(|end| end <= now) {
        "expired"
    } else if user.is_closed() {
        "user deactivated"
    } else {
        "active"
    }
}

/// When a day ends in a zone; it must not be over.
fn end_of(day: Date, zone: &str, now: Timestamp) -> Result<Timestamp> {
    let zone = TimeZone::get(zone).map_err(Error::internal)?;
    let end = day
        .tomorrow()
        .and_then(|next| next.to_zoned(zone))
        .map_err(|_| Error::invalid("The last day is too far away"))?
        .timestamp();
    if end <= now {
        return Err(Error::invalid(format!(
            "The last day, {day}, is over: the key would not work"
        )));
    }
    Ok(end)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn a_key_works_until_its_last_day_ends_where_the_family_lives() {
        let now: Timestamp = "2024-05-17T22:30:00Z".parse().unwrap();
        let end = |day, zone| end_of(day, zone, now).map(|end| end.to_string());
        assert_eq!(end(date(2024, 5, 17), "UTC").unwrap(), "2024-05-18T00:00:00Z");
        assert_eq!(end(date(2024, 5, 18), "Europe/Berlin").unwrap(), "2024-05-18T22:00:00Z");
        let over = end(date(2024, 5, 17), "Europe/Berlin").unwrap_err();
        assert_eq!(over.to_string(), "The last day, 2024-05-17, is over: the key would not work");
        assert!(end(Date::MAX, "UTC").is_err());
    }
}
