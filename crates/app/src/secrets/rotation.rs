//! Encrypting every secret anew, with another key.
//!
//! With a file: a new key comes in front, every secret is encrypted with it, and of the others only
//! the one before stays, because a server may just be storing a secret with it. With keys of the
//! configuration: the operator puts the new one in front of the old one, and removes the old one
//! afterwards. Broken off anywhere it can be begun again: all keys that secrets need are there
//! until nothing is encrypted with them.

use purser_core::error::Result;
use purser_store::audit::Actor;
use purser_store::connections::{self, changes};
use purser_store::{Store, families, webhooks};

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
    /// Whether a new key was made.
    pub is_key_new: bool,
}

/// Makes a new key, if they are in a file, and encrypts everything with the current one. Blocks.
pub fn rotate(store: &Store, keys: &SecretKeys) -> Result<Rotated> {
    let file = keys.file();
    if let Some(path) = file {
        key_file::read_or_make(path)?;
        key_file::add_key(path)?;
    }
    let mut done = Rotated { is_key_new: file.is_some(), ..Rotated::default() };
    for family in store.read_directory_blocking(families::list)? {
        let access = family.access(Actor::CommandLine);
        let public_id = family.public_id;
        let part = store.write_blocking(access, |tx| {
            let mut part = Rotated::default();
            for connection in connections::list(tx)? {
                let Some(sealed) = &connection.credentials else { continue };
                let owner = SecretOwner { family: public_id, connection: connection.id.0 };
                match reseal(keys, &owner, sealed)? {
                    Resealed::New(sealed) => {
                        changes::reseal(tx, connection.id, &sealed)?;
                        part.resealed += 1;
                    }
                    Resealed::Current => part.current += 1,
                    Resealed::Unreadable => part.unreadable += 1,
                }
            }
            for webhook in webhooks::list(tx)? {
                let owner = SecretOwner { family: public_id, connection: webhook.id.0 };
                match reseal(keys, &owner, &webhook.secret)? {
                    Resealed::New(sealed) => {
                        webhooks::reseal(tx, webhook.id, &sealed)?;
                        part.resealed += 1;
                    }
                    Resealed::Current => part.current += 1,
                    Resealed::Unreadable => part.unreadable += 1,
                }
            }
            Ok(part)
        })?;
        done.resealed += part.resealed;
        done.current += part.current;
        done.unreadable += part.unreadable;
    }
    if let Some(path) = file
        && done.unreadable == 0
    {
        key_file::keep(path, KEYS_KEPT)?;
    }
    Ok(done)
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
