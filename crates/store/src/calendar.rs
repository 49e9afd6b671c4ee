//! Which day it is for a family.
//!
//! Balances "of today" and the last day that an entry may have follow the family's time zone, not
//! the server's.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use purser_core::error::{Error, Result};

use crate::access::FamilyTx;

use crate::families;

/// The family's day at the time of the transaction.
pub fn today(tx: &mut FamilyTx<'_>) -> Result<Date> {
    let now = tx.now();
    day_of(tx, now)
}

/// The family's day at a time.
pub(crate) fn day_of(tx: &mut FamilyTx<'_>, at: Timestamp) -> Result<Date> {
    let zone = families::get(tx)?.time_zone;
    day_in(&zone, at)
}

/// The day in a zone.
pub(crate) fn day_in(zone: &str, now: Timestamp) -> Result<Date> {
    let zone = TimeZone::get(zone).map_err(Error::internal)?;
    Ok(now.to_zoned(zone).date())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_day_follows_the_zone() {
        let now: Timestamp = "2024-05-17T22:30:00Z".parse().unwrap();
        let day = |zone: &str| day_in(zone, now).unwrap().to_string();
        assert_eq!(day("UTC"), "2024-05-17");
        assert_eq!(day("Europe/Berlin"), "2024-05-18");
        assert_eq!(day("Pacific/Honolulu"), "2024-05-17");
        assert!(day_in("Europe/Nowhere", now).is_err());
    }
}
