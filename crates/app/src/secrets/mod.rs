//! Secrets of families, encrypted before they are stored: the keys for providers, and those that
//! sign what webhooks are sent.
//!
//! * [`SecretKeys`]: the keys of the server, from its configuration or from a file.
//! * `key_file`: that file, which only its owner can read.
//! * [`rotation`]: encrypting everything anew with another key.
//!
//! A sealed secret is `version (1 byte) · id of the key (8) · nonce (12) · ChaCha20-Poly1305`. What
//! it belongs to ([`SecretOwner`]) is authenticated with it, so that a secret that was copied to
//! another family or connection can't be opened there. Nonces are random: there are far fewer
//! secrets than the 2³² for which that is safe.

mod key_file;
mod keys;
pub mod rotation;

pub use keys::{KeyTextError, SecretKeys};

use purser_core::error::{Error, Result};
use purser_core::ids::{ConnectionId, WebhookId};
use purser_store::system::random_bytes;
use purser_store::{FamilyTx, Secret, families};
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use uuid::Uuid;

use self::keys::{KEY_ID_LEN, SecretKey};

const VERSION: u8 = 1;
const HEAD_LEN: usize = 1 + KEY_ID_LEN + NONCE_LEN;

/// What a secret belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SecretOwner {
    /// The public id of the family.
    pub family: Uuid,
    /// The id of the connection or the webhook.
    pub connection: Uuid,
}

impl SecretOwner {
    /// A webhook of the transaction's family. Ids are unique, whatever they are of.
    pub(crate) fn of_webhook(tx: &mut FamilyTx<'_>, webhook: WebhookId) -> Result<Self> {
        Self::of(tx, ConnectionId(webhook.0))
    }

    /// A connection of the transaction's family.
    pub(crate) fn of(tx: &mut FamilyTx<'_>, connection: ConnectionId) -> Result<Self> {
        let family = families::get(tx)?.public_id;
        Ok(Self { family, connection: connection.0 })
    }
}

/// Why a sealed secret can't be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// The server doesn't have the key.
    #[error("the secret was encrypted with a key that the server doesn't have")]
    KeyMissing,
    /// The bytes were changed, or belong to something else.
    #[error("the encrypted secret is damaged, or belongs to something else")]
    Damaged,
}

impl SecretKeys {
    /// Encrypts a secret with the current key. Blocks.
    pub fn seal(&self, owner: &SecretOwner, secret: &Secret) -> Result<Vec<u8>> {
        let key = self.current()?;
        seal_with(&key, owner, secret)
    }

    /// Decrypts a secret with whichever key it was encrypted with. Blocks.
    pub fn open(
        &self,
        owner: &SecretOwner,
        sealed: &[u8],
    ) -> std::result::Result<Secret, Unreadable> {
        let id = key_id(sealed).ok_or(Unreadable::Damaged)?;
        let key = self.with_id(id).ok_or(Unreadable::KeyMissing)?;
        open_with(&key, owner, sealed).ok_or(Unreadable::Damaged)
    }

    /// Whether a secret is encrypted with the current key. Blocks.
    pub fn is_current(&self, sealed: &[u8]) -> Result<bool> {
        Ok(key_id(sealed) == Some(self.current()?.id()))
    }
}

fn seal_with(key: &SecretKey, owner: &SecretOwner, secret: &Secret) -> Result<Vec<u8>> {
    let nonce: [u8; NONCE_LEN] = random_bytes()?;
    let mut bytes = secret.reveal().as_bytes().to_vec();
    let cipher = cipher(key).ok_or_else(|| Error::internal("the secret key has a wrong length"))?;
    let nonce_of_cipher = Nonce::assume_unique_for_key(nonce);
    cipher
        .seal_in_place_append_tag(nonce_of_cipher, authenticated(owner), &mut bytes)
        .map_err(|_| Error::internal("a secret can't be encrypted"))?;
    Ok([&[VERSION][..], &key.id(), &nonce, &bytes].concat())
}

fn open_with(key: &SecretKey, owner: &SecretOwner, sealed: &[u8]) -> Option<Secret> {
    let (head, encrypted) = sealed.split_at_checked(HEAD_LEN)?;
    let nonce = Nonce::try_assume_unique_for_key(&head[1 + KEY_ID_LEN..]).ok()?;
    let mut bytes = encrypted.to_vec();
    let plain = cipher(key)?.open_in_place(nonce, authenticated(owner), &mut bytes).ok()?;
    std::str::from_utf8(plain).ok().map(Secret::new)
}

/// The id of the key that a secret was encrypted with.
fn key_id(sealed: &[u8]) -> Option<[u8; KEY_ID_LEN]> {
    let (head, _) = sealed.split_at_checked(HEAD_LEN)?;
    (head[0] == VERSION).then(|| head[1..=KEY_ID_LEN].try_into().ok()).flatten()
}

fn cipher(key: &SecretKey) -> Option<LessSafeKey> {
    UnboundKey::new(&CHACHA20_POLY1305, key.bytes()).ok().map(LessSafeKey::new)
}

fn authenticated(owner: &SecretOwner) -> Aad<Vec<u8>> {
    let purpose = b"purser provider credentials";
    let (family, connection) = (owner.family.as_bytes(), owner.connection.as_bytes());
    Aad::from([&purpose[..], family, connection].concat())
}

#[cfg(test)]
mod tests;
