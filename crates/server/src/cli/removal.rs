//! `purser family delete` and `purser user delete`, and taking them back.

use jiff::{SignedDuration, Timestamp};
use purser_app::audit::Actor;
use purser_app::data::Data;
use purser_app::families::Family;
use purser_app::people::removal;
use purser_app::{Store, naming};
use purser_core::error::Result;
use serde_json::json;

use super::{Globals, family, open_existing, output};
use crate::http::time::Time;

/// A pause unless another is named.
const PAUSE: &str = "7d";
/// The longest pause that may be chosen.
const PAUSE_DAYS_MAX: i64 = 366;

/// The pause before something is removed for good.
#[derive(Debug, clap::Args)]
pub(super) struct Pause {
    /// Remove for good after this time, such as 30d or 12h; until then it can be taken back
    #[arg(long, value_name = "TIME", value_parser = pause, default_value = PAUSE)]
    after: SignedDuration,
    /// Remove for good at once; this can't be taken back
    #[arg(long, conflicts_with = "after")]
    now: bool,
}

impl Pause {
    fn time(&self) -> SignedDuration {
        if self.now { SignedDuration::ZERO } else { self.after }
    }
}

fn pause(text: &str) -> std::result::Result<SignedDuration, String> {
    let hours = match text.char_indices().next_back() {
        Some((end, 'd')) => text[..end].parse::<i64>().ok().and_then(|days| days.checked_mul(24)),
        Some((end, 'h')) => text[..end].parse::<i64>().ok(),
        _ => None,
    };
    hours
        .filter(|hours| (1..=PAUSE_DAYS_MAX * 24).contains(hours))
        .map(SignedDuration::from_hours)
        .ok_or_else(|| format!("must be hours or days such as 12h or 7d, up to {PAUSE_DAYS_MAX}d"))
}

/// The family with a name or an id, and the store that it is in.
fn find(globals: &Globals, name: &str) -> Result<(Store, Family)> {
    let Data { store, .. } = open_existing(globals)?;
    let family = store.read_directory_blocking(|tx| naming::family(tx, name))?;
    Ok((store, family))
}

/// Schedules the removal of a family, or removes it at once.
pub(super) fn delete_family(globals: &Globals, name: &str, pause: &Pause) -> Result<()> {
    let (store, family) = find(globals, name)?;
    let access = family.access(Actor::CommandLine);
    let at = store.write_blocking(access, |tx| removal::schedule_family(tx, pause.time()))?;
    if globals.json {
        let id = family.public_id;
        return output::json(&json!({ "id": id, "name": family.name, "deletion_at": Time(at) }));
    }
    let name = &family.name;
    output::line(if pause.now {
        format!("The server removes the family {name} now, or when it is started.")
    } else {
        scheduled(&format!("The family {name}"), at, &format!("purser family undelete {name:?}"))
    })
}

/// Takes the removal of a family back.
pub(super) fn keep_family(globals: &Globals, name: &str) -> Result<()> {
    let (store, family) = find(globals, name)?;
    store.write_blocking(family.access(Actor::CommandLine), removal::keep_family)?;
    if globals.json {
        let (id, name) = (family.public_id, family.name);
        return output::json(&json!({ "id": id, "name": name, "deletion_at": null }));
    }
    output::line(format!("The family {} stays, and can sign in again.", family.name))
}

/// Schedules the removal of a user, or removes the user at once.
pub(super) fn delete_user(globals: &Globals, email: &str, pause: &Pause) -> Result<()> {
    let Data { store, .. } = open_existing(globals)?;
    let (family, user) = store.read_directory_blocking(|tx| family::user(tx, email))?;
    let access = family.access(Actor::CommandLine);
    let at =
        store.write_blocking(access, |tx| removal::schedule_user(tx, user.id, pause.time()))?;
    if globals.json {
        let (id, email) = (user.id, user.email);
        return output::json(&json!({ "id": id, "email": email, "deletion_at": Time(at) }));
    }
    let email = &user.email;
    output::line(if pause.now {
        format!("{email} is removed.")
    } else {
        scheduled(email, at, &format!("purser user undelete {email}"))
    })
}

/// Takes the removal of a user back.
pub(super) fn keep_user(globals: &Globals, email: &str) -> Result<()> {
    let Data { store, .. } = open_existing(globals)?;
    let (family, user) = store.read_directory_blocking(|tx| family::user(tx, email))?;
    let access = family.access(Actor::CommandLine);
    let user = store.write_blocking(access, |tx| removal::keep_user(tx, user.id))?;
    if globals.json {
        let (id, email) = (user.id, user.email);
        return output::json(&json!({ "id": id, "email": email, "deletion_at": null }));
    }
    output::line(format!("{} stays.", user.email))
}

fn scheduled(who: &str, at: Timestamp, take_back: &str) -> String {
    let at = output::time(at);
    format!(
        "{who} is removed for good at {at}, and can't sign in until then. To take it back: \
         {take_back}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_is_hours_or_days() {
        assert_eq!(pause("7d"), Ok(SignedDuration::from_hours(168)));
        assert_eq!(pause("12h"), Ok(SignedDuration::from_hours(12)));
        for wrong in ["", "d", "7", "0d", "-1d", "367d", "1w", "7é", "9223372036854775807d"] {
            assert!(pause(wrong).is_err(), "{wrong}");
        }
    }
}
