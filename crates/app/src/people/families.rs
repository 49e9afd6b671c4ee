//! Families: signing up, and what members may change.

use jiff::tz::TimeZone;
use purser_core::error::Result;
use purser_core::ids::UserId;
use purser_core::money::Currency;
use purser_core::transfers::Matching;
use purser_store::audit::Actor;
use purser_store::families::{self, Family, NewFamily, Preferences};
use purser_store::users::NewUser;
use purser_store::{FamilyId, FamilyTx, Tx};
use serde_json::json;

use super::{nothing, record};

/// Who makes a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Founder {
    /// Somebody at the command line of the server.
    CommandLine,
    /// Its first admin, on the web pages.
    Admin {
        /// Only while there is no user at all.
        only_first: bool,
    },
}

/// Makes a family with its first admin, in a transaction of [`purser_store::Store::found`], which
/// has the number for it.
pub fn found(
    tx: &mut Tx<'_>,
    id: FamilyId,
    founder: Founder,
    family: &NewFamily<'_>,
    admin: &NewUser<'_>,
) -> Result<(Family, UserId)> {
    let (made, user) = match founder {
        Founder::Admin { only_first: true } => families::create_first(tx, id, family, admin)?,
        _ => families::create(tx, id, family, admin)?,
    };
    let actor = match founder {
        Founder::CommandLine => Actor::CommandLine,
        Founder::Admin { .. } => Actor::User(user),
    };
    tx.with_access(made.access(actor), |tx| {
        record(tx, "user.create", ("user", user.0), nothing())
    })?;
    Ok((made, user))
}

/// Renames a family and moves it to another time zone, which determines which day is today.
pub fn update(tx: &mut FamilyTx<'_>, name: &str, time_zone: &str) -> Result<()> {
    let before = families::get(tx)?;
    families::update(tx, name, time_zone)?;
    let after = families::get(tx)?;
    if before == after {
        return Ok(());
    }
    families::bump_version(tx)?;
    let fields =
        |family: &families::Family| json!({ "name": family.name, "time_zone": family.time_zone });
    let details = json!({ "before": fields(&before), "after": fields(&after) });
    record(tx, "family.update", ("family", after.public_id), details)
}

/// What is to change; what is `None` stays.
#[derive(Debug, Clone, Copy, Default)]
pub struct Changes<'a> {
    /// The new name, see [`update`].
    pub name: Option<&'a str>,
    /// The new time zone, see [`update`].
    pub time_zone: Option<&'a str>,
    /// What becomes of transfers that are found from now on.
    pub transfer_matching: Option<Matching>,
    /// What the family counts in from now on.
    pub currency: Option<Currency>,
    /// The day on which its months begin.
    pub month_start_day: Option<i8>,
    /// The code of a language.
    pub locale: Option<&'a str>,
    /// The date format, a strftime pattern.
    pub date_format: Option<&'a str>,
    /// A country; `Some(None)` clears it.
    pub country: Option<Option<&'a str>>,
}

/// Changes what a family has set, and returns the family as it is then.
pub fn configure(tx: &mut FamilyTx<'_>, changes: Changes<'_>) -> Result<families::Family> {
    let before = families::get(tx)?;
    if changes.name.is_some() || changes.time_zone.is_some() {
        let name = changes.name.unwrap_or(&before.name);
        let time_zone = changes.time_zone.unwrap_or(&before.time_zone);
        if (name, time_zone) != (before.name.as_str(), before.time_zone.as_str()) {
            update(tx, name, time_zone)?;
        }
    }
    if let Some(wanted) = changes.transfer_matching {
        set_transfer_matching(tx, wanted)?;
    }
    set_preferences(tx, changes)?;
    families::get(tx)
}

fn set_preferences(tx: &mut FamilyTx<'_>, changes: Changes<'_>) -> Result<()> {
    let before = families::get(tx)?;
    let Preferences { currency, month_start_day, locale, date_format, country } =
        before.preferences.clone();
    let after = Preferences {
        currency: changes.currency.unwrap_or(currency),
        month_start_day: changes.month_start_day.unwrap_or(month_start_day),
        locale: changes.locale.map_or(locale, str::to_owned),
        date_format: changes.date_format.map_or(date_format, str::to_owned),
        country: changes.country.map_or(country, |country| country.map(str::to_owned)),
    };
    if after == before.preferences {
        return Ok(());
    }
    families::set_preferences(tx, &after)?;
    families::bump_version(tx)?;
    let details = json!({ "before": before.preferences, "after": after });
    record(tx, "family.update", ("family", before.public_id), details)
}

fn set_transfer_matching(tx: &mut FamilyTx<'_>, wanted: Matching) -> Result<()> {
    let before = families::get(tx)?;
    if before.transfer_matching == wanted {
        return Ok(());
    }
    families::set_transfer_matching(tx, wanted)?;
    let details = json!({
        "before": { "transfer_matching": before.transfer_matching },
        "after": { "transfer_matching": wanted },
    });
    record(tx, "family.update", ("family", before.public_id), details)
}

/// The zone's own spelling of its name; `None` if there is no such zone.
pub fn time_zone(text: &str) -> Option<String> {
    let zone = TimeZone::get(text.trim()).ok()?;
    zone.iana_name().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_are_known_ones() {
        assert_eq!(time_zone("europe/berlin").as_deref(), Some("Europe/Berlin"));
        assert_eq!(time_zone(" UTC").as_deref(), Some("UTC"));
        assert!(time_zone("Europe/Nowhere").is_none() && time_zone("").is_none());
    }
}
