//! Encrypting every secret anew, with another key.
//!
//! With a file: a new key comes in front, every secret is encrypted with it, and of the others only
//! the one before stays, because a server may just be storing a secret with it. With keys of the
//! configuration: the operator puts the new one in front of the old one, and removes the old one
//! afterwards. Broken off anywhere it can be begun again: all keys that secrets need are there
//! until nothing is encrypted with them.

use purser_core::error::{Error, Result};
use purser_store::audit::Actor;
use purser_store::connections::{self, changes};
use purser_store::families::ListedFamily;
use purser_store::{FamilyTx, Store, families, webhooks};

use super::{SecretKeys, SecretOwner, Unreadable, key_file};

/// Keys that stay in the file: the new one and the one before.
const KEYS_KEPT: usize = 2;

/// What a rotation did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rotated {
    /// Secrets that are now encrypted with the current key.
    pub resealed: u64,
    /// Secrets that were already.
    pub current: u64,
    /// Secrets that no key opens: they have to be entered again.
    pub unreadable: u64,
    /// Families that couldn't be reached: their secrets are encrypted as they were.
    pub unreached: u64,
    /// Whether a new key was made.
    pub is_key_new: bool,
}

/// Makes a new key, if they are in a file, and encrypts everything with the current one. A family
/// that can't be reached is reported to `unreached`, and the others go on. Blocks.
pub fn rotate(
    store: &Store,
    keys: &SecretKeys,
    mut unreached: impl FnMut(&ListedFamily, &Error),
) -> Result<Rotated> {
    let file = keys.file();
    if let Some(path) = file {
        key_file::read_or_make(path)?;
        key_file::add_key(path)?;
    }
    let mut done = Rotated { is_key_new: file.is_some(), ..Rotated::default() };
    for family in store.read_directory_blocking(|tx| families::every(tx, Actor::CommandLine))? {
        match store.write_blocking(family.access.clone(), |tx| reseal_all(tx, keys)) {
            Ok(part) => {
                done.resealed += part.resealed;
                done.current += part.current;
                done.unreadable += part.unreadable;
            }
            Err(error) => {
                unreached(&family, &error);
                done.unreached += 1;
            }
        }
    }
    if let Some(path) = file
        && done.unreadable + done.unreached == 0
    {
        key_file::keep(path, KEYS_KEPT)?;
    }
    Ok(done)
}

/// Encrypts every secret of a family.
fn reseal_all(tx: &mut FamilyTx<'_>, keys: &SecretKeys) -> Result<Rotated> {
    let (family, mut part) = (families::get(tx)?.public_id, Rotated::default());
    for one in connections::list(tx)? {
        let Some(sealed) = &one.credentials else { continue };
        let owner = SecretOwner { family, connection: one.id.0 };
        if let Some(new) = part.note(reseal(keys, &owner, sealed)?) {
            changes::reseal(tx, one.id, &new)?;
        }
    }
    for one in webhooks::list(tx)? {
        let owner = SecretOwner { family, connection: one.id.0 };
        if let Some(new) = part.note(reseal(keys, &owner, &one.secret)?) {
            webhooks::reseal(tx, one.id, &new)?;
        }
    }
    Ok(part)
}

impl Rotated {
    /// Counts a secret, and returns what is to be stored in its place.
    fn note(&mut self, resealed: Resealed) -> Option<Vec<u8>> {
        match resealed {
            Resealed::New(sealed) => {
                self.resealed += 1;
                return Some(sealed);
            }
            Resealed::Current => self.current += 1,
            Resealed::Unreadable => self.unreadable += 1,
        }
        None
    }
}

enum Resealed {
    New(Vec<u8>),
    Current,
    Unreadable,
}

fn reseal(keys: &SecretKeys, owner: &SecretOwner, sealed: &[u8]) -> Result<Resealed> {
    match keys.open(owner, sealed) {
        Ok(_) if keys.is_current(sealed)? => Ok(Resealed::Current),
        Ok(secret) => keys.seal(owner, &secret).map(Resealed::New),
        Err(Unreadable::KeyMissing | Unreadable::Damaged) => Ok(Resealed::Unreadable),
    }
}
