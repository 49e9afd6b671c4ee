//! The family that a command works on.
//!
//! With one family none has to be named. With several, the command must name one: by name or id, or
//! as the family of one of its users.

use purser_app::Tx;
use purser_app::families::{self, Family};
use purser_app::users::{self, User};
use purser_core::error::{Error, Result};
use purser_core::text::label::name_key;
use serde::Serialize;
use uuid::Uuid;

use super::output::usage;

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
            (Some(text), _) => by_name_or_id(tx, text),
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
    let mut families = families::list(tx)?;
    match (families.pop(), families.as_slice()) {
        (None, _) => Err(not_found(
            "There is no family yet: make one with `purser user add --email EMAIL --family NAME`",
        )),
        (Some(only), []) => Ok(only),
        _ => Err(usage(format!("There are several families: say which with {options}"))),
    }
}

/// The family with this name or id.
pub(super) fn by_name_or_id(tx: &mut Tx<'_>, text: &str) -> Result<Family> {
    let families = families::list(tx)?;
    let position = pick(
        text,
        "family",
        families.iter().map(|family| (family.public_id, name_key(&family.name))),
    )?;
    families.into_iter().nth(position).ok_or_else(|| Error::internal("lost a family"))
}

/// The position of the only candidate that has this id or this name.
pub(super) fn pick(
    text: &str,
    noun: &str,
    candidates: impl Iterator<Item = (Uuid, String)>,
) -> Result<usize> {
    let (id, key) = (text.trim().parse::<Uuid>().ok(), name_key(text));
    let mut found = Vec::new();
    for (position, (candidate, candidate_key)) in candidates.enumerate() {
        if id == Some(candidate) {
            return Ok(position);
        }
        if candidate_key == key {
            found.push(position);
        }
    }
    match found.as_slice() {
        [only] => Ok(*only),
        [] => Err(not_found(format!("There is no {noun} {text}"))),
        several => Err(usage(format!(
            "There are {} with the name {text}: give the id of the {noun}",
            several.len()
        ))),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn picked(text: &str) -> std::result::Result<usize, (&'static str, String)> {
        let named = [(1, "smith"), (2, "jones"), (3, "smith")];
        let candidates = named.map(|(id, key)| (Uuid::from_u128(id), key.to_owned()));
        pick(text, "family", candidates.into_iter())
            .map_err(|error| (error.code(), error.to_string()))
    }

    #[test]
    fn a_name_means_one_thing_only_and_an_id_always() {
        assert_eq!(picked(" Jones "), Ok(1));
        assert_eq!(picked(&Uuid::from_u128(3).to_string()), Ok(2));
        assert_eq!(picked("Miller"), Err(("not_found", "There is no family Miller".to_owned())));
        let (code, message) = picked("Smith").unwrap_err();
        assert_eq!(code, "usage");
        assert_eq!(message, "There are 2 with the name Smith: give the id of the family");
    }
}
