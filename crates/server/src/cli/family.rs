//! The family that a command works on.
//!
//! With one family none has to be named. With several, the command must name one: by name or id, or
//! as the family of one of its users.

use purser_app::audit::Actor;
use purser_app::families::{self, Family, ListedFamily};
use purser_app::users::{self, User};
use purser_app::{Tx, naming};
use purser_core::error::{Error, Result};
use serde::Serialize;
use uuid::Uuid;

use super::output::{harmless, usage};

/// The options that name a family.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct FamilyChoice {
    /// The family, if there are several
    #[arg(long, value_name = "NAME_OR_ID")]
    family: Option<String>,
    /// The family of this user
    #[arg(long, visible_alias = "family-of", value_name = "EMAIL", conflicts_with = "family")]
    user: Option<String>,
}

impl FamilyChoice {
    /// The family that was chosen, or the only one.
    pub(crate) fn find(&self, tx: &mut Tx<'_>) -> Result<Family> {
        match (&self.family, &self.user) {
            (Some(text), _) => naming::family(tx, text),
            (None, Some(email)) => of_user(tx, email),
            (None, None) => only(tx, "--family NAME or --user EMAIL"),
        }
    }

    /// As [`FamilyChoice::find`], but all families when none was chosen.
    pub(crate) fn find_all(&self, tx: &mut Tx<'_>) -> Result<Vec<Family>> {
        match self {
            Self { family: None, user: None } => families::list(tx),
            _ => self.find(tx).map(|family| vec![family]),
        }
    }
}

/// The family of a user.
pub(super) fn of_user(tx: &mut Tx<'_>, email: &str) -> Result<Family> {
    Ok(user(tx, email)?.0)
}

/// The user with a sign-in name, and the family.
pub(super) fn user(tx: &mut Tx<'_>, email: &str) -> Result<(Family, User)> {
    let found = users::find_by_email(tx, email)?.ok_or_else(|| {
        not_found(format!("There is no user with the e-mail address {}", email.trim()))
    })?;
    let family = tx.with_access(found.access(), |tx| families::get(tx))?;
    Ok((family, found.user))
}

/// The only family. If there are several, the error lists the `options` that select one.
pub(super) fn only(tx: &mut Tx<'_>, options: &str) -> Result<Family> {
    let mut families = families::every(tx, Actor::CommandLine)?;
    match (families.pop(), families.as_slice()) {
        (None, _) => Err(not_found(
            "There is no family yet: make one with `purser user add --email EMAIL --family NAME`",
        )),
        (Some(only), []) => tx.with_access(only.access, |tx| families::get(tx)),
        _ => Err(usage(format!("There are several families: say which with {options}"))),
    }
}

/// Reports a family that a command for all families leaves out.
pub(super) fn report_unreached(family: &ListedFamily, error: &Error) {
    eprintln!("The family of {} can't be reached: {error}", harmless(&family.email));
}

/// An error if a command for all families left some out.
pub(super) fn require_all_reached(unreached: usize) -> Result<()> {
    let message = match unreached {
        0 => return Ok(()),
        1 => "One family could not be reached, and is left out".to_owned(),
        several => format!("{several} families could not be reached, and are left out"),
    };
    Err(Error::Conflict { code: "families_unreached", message })
}

/// Something that was named and isn't there.
pub(super) fn not_found(message: impl Into<String>) -> Error {
    Error::Conflict { code: "not_found", message: message.into() }
}

/// A family in JSON.
#[derive(Debug, Serialize)]
pub(super) struct FamilyBody {
    id: Uuid,
    name: String,
    currency: &'static str,
    time_zone: String,
}

impl From<&Family> for FamilyBody {
    fn from(family: &Family) -> Self {
        Self {
            id: family.public_id,
            name: family.name.clone(),
            currency: family.currency.code(),
            time_zone: family.time_zone.clone(),
        }
    }
}
