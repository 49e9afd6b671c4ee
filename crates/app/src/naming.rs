//! What people name by its name or its id: on the command line, and by the folders of the inbox.

use purser_core::error::{Error, Result};
use purser_core::text::label::name_key;
use purser_store::accounts::{self, Account, Listing};
use purser_store::families::{self, Family};
use purser_store::{FamilyTx, Tx};
use uuid::Uuid;

/// The code of the error when several things have the name.
pub const AMBIGUOUS_NAME: &str = "ambiguous_name";

/// The family with this name or id.
pub fn family(tx: &mut Tx<'_>, text: &str) -> Result<Family> {
    let mut families = families::list(tx)?;
    let candidates = families.iter().map(|family| (family.public_id, name_key(&family.name)));
    let position = pick(text, "family", candidates)?;
    Ok(families.swap_remove(position))
}

/// The family's account with this name or id, whatever its status.
pub fn account(tx: &mut FamilyTx<'_>, text: &str) -> Result<Account> {
    let listing = Listing { include_disabled: true };
    let (mut accounts, _) = accounts::list(tx, listing, i64::MAX, 0)?;
    let candidates =
        accounts.iter().map(|account| (account.summary.id.0, name_key(&account.summary.name)));
    let position = pick(text, "account", candidates)?;
    Ok(accounts.swap_remove(position))
}

/// The position of the only candidate that has this id or this name.
fn pick(text: &str, noun: &str, candidates: impl Iterator<Item = (Uuid, String)>) -> Result<usize> {
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
        [] => Err(Error::Conflict {
            code: "not_found",
            message: format!("There is no {noun} {text}"),
        }),
        several => Err(Error::invalid_code(
            AMBIGUOUS_NAME,
            format!("There are {} with the name {text}: give the id of the {noun}", several.len()),
        )),
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
        assert_eq!(code, AMBIGUOUS_NAME);
        assert_eq!(message, "There are 2 with the name Smith: give the id of the family");
    }
}
