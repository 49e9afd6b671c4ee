//! From a password to the key of a document (ISO 32000-2, 7.6.4; earlier revisions in ISO 32000-1).

use md5::{Digest as _, Md5};
use sha2::{Sha256, Sha384, Sha512};

use super::ciphers::{aes128_encrypt_blocks, aes256_blocks, rc4};
use crate::pdf::error::{PdfError, Result};
use crate::pdf::object::{Dict, Object};

/// What fills up a password to 32 bytes.
#[rustfmt::skip]
const FILLING: [u8; 32] = [
    0x28, 0xBF, 0x4E, 0x5E, 0x4E, 0x75, 0x8A, 0x41, 0x64, 0x00, 0x4E, 0x56, 0xFF, 0xFA, 0x01, 0x08,
    0x2E, 0x2E, 0x00, 0xB6, 0xD0, 0x68, 0x3E, 0x80, 0x2F, 0x0C, 0xA9, 0xFE, 0x64, 0x53, 0x69, 0x7A,
];
/// Bytes of a password in documents with the longest keys; the rest doesn't count.
const PASSWORD_BYTES_MAX: usize = 127;
/// A key has so many bytes unless the document states another length in bits.
const KEY_BYTES: usize = 5;

/// What a document has to check passwords.
#[derive(Debug)]
pub(super) enum Lock<'d> {
    /// Keys of up to 128 bits, by MD5 and RC4.
    Short {
        revision: i64,
        key_bytes: usize,
        owner: &'d [u8],
        user: &'d [u8],
        permissions: [u8; 4],
        identifier: &'d [u8],
        metadata: bool,
    },
    /// Keys of 256 bits, by SHA-2 and AES.
    Long { revision: i64, owner: Half<'d>, user: Half<'d>, whole_user: &'d [u8] },
}

/// The two values that check one of the passwords of a document with a long key.
#[derive(Debug, Clone, Copy)]
pub(super) struct Half<'d> {
    hash: &'d [u8],
    check_salt: &'d [u8],
    key_salt: &'d [u8],
    key: &'d [u8],
}

fn text<'d>(dict: &'d Dict, name: &str) -> &'d [u8] {
    match dict.get(name) {
        Object::Text(bytes) => bytes,
        _ => &[],
    }
}

impl<'d> Lock<'d> {
    pub(super) fn of(
        encrypt: &'d Dict,
        identifier: &'d [u8],
        metadata: bool,
        is_long: bool,
    ) -> Result<Self> {
        let revision = encrypt.get("R").whole().unwrap_or(0);
        let [owner, user] = ["O", "U"].map(|name| text(encrypt, name));
        match (is_long, revision) {
            (true, 5 | 6) => {
                let half =
                    |name: &str, key: &str| Half::of(text(encrypt, name), text(encrypt, key));
                let halves = half("O", "OE").zip(half("U", "UE"));
                let (owner, user_half) = halves.ok_or(PdfError::UnknownEncryption)?;
                let whole_user = &user[..Half::BYTES];
                Ok(Self::Long { revision, owner, user: user_half, whole_user })
            }
            (false, 2..=4) if owner.len() >= 32 && user.len() >= 16 => {
                let bits = encrypt.get("Length").index();
                let stated = bits.map_or(KEY_BYTES, |bits| (bits / 8).clamp(KEY_BYTES, 16));
                // A dictionary of filters has keys of 128 bits, whatever it states.
                let is_v4 = encrypt.get("V").whole() == Some(4);
                let key_bytes = match revision {
                    2 => KEY_BYTES,
                    _ if is_v4 => 16,
                    _ => stated,
                };
                // Whole numbers of 32 bits, of which the first is a sign.
                let permissions = encrypt.get("P").whole().unwrap_or(0);
                let [a, b, c, d, ..] = permissions.to_le_bytes();
                Ok(Self::Short {
                    revision,
                    key_bytes,
                    owner: &owner[..32],
                    user,
                    permissions: [a, b, c, d],
                    identifier,
                    metadata,
                })
            }
            _ => Err(PdfError::UnknownEncryption),
        }
    }

    /// The key, if this is the password for reading, or the owner's.
    pub(super) fn key(&self, password: &str) -> Option<Vec<u8>> {
        match self {
            Self::Short { .. } => {
                // One byte for each letter; others don't occur in such passwords.
                let password: Vec<u8> = password
                    .chars()
                    .map(u8::try_from)
                    .collect::<std::result::Result<_, _>>()
                    .ok()?;
                let as_user = self.short_key(&password);
                as_user.or_else(|| self.short_key(&self.user_password(&password)?))
            }
            Self::Long { revision, owner, user, whole_user } => {
                let password = password.as_bytes();
                let password = &password[..password.len().min(PASSWORD_BYTES_MAX)];
                let hash = |salt: &[u8], more: &[u8]| match revision {
                    5 => Sha256::new()
                        .chain_update(password)
                        .chain_update(salt)
                        .chain_update(more)
                        .finalize()
                        .to_vec(),
                    _ => hardened(password, salt, more),
                };
                let open = |half: &Half<'_>, more: &[u8]| {
                    let is_right = hash(half.check_salt, more) == half.hash;
                    is_right.then(|| aes256_blocks(&hash(half.key_salt, more), half.key)).flatten()
                };
                open(user, b"").or_else(|| open(owner, whole_user))
            }
        }
    }

    fn short_key(&self, password: &[u8]) -> Option<Vec<u8>> {
        let Self::Short { revision, key_bytes, owner, user, permissions, identifier, metadata } =
            self
        else {
            return None;
        };
        let mut hash = Md5::new()
            .chain_update(filled(password))
            .chain_update(owner)
            .chain_update(permissions)
            .chain_update(identifier);
        if *revision >= 4 && !metadata {
            hash.update([0xFF; 4]);
        }
        let mut hash = hash.finalize();
        if *revision >= 3 {
            for _ in 0..50 {
                hash = Md5::digest(&hash[..*key_bytes]);
            }
        }
        let key = hash[..*key_bytes].to_vec();
        let is_right = if *revision == 2 {
            let mut proof = FILLING;
            rc4(&key, &mut proof);
            proof[..] == **user
        } else {
            let mut proof = Md5::new().chain_update(FILLING).chain_update(identifier).finalize();
            for round in 0..20 {
                rc4(&mixed(&key, round), &mut proof);
            }
            // The rest is filled up with anything.
            user.starts_with(&proof)
        };
        is_right.then_some(key)
    }

    /// The password for reading, which the owner's decrypts.
    fn user_password(&self, owner_password: &[u8]) -> Option<Vec<u8>> {
        let Self::Short { revision, key_bytes, owner, .. } = self else { return None };
        let mut hash = Md5::digest(filled(owner_password));
        if *revision >= 3 {
            for _ in 0..50 {
                hash = Md5::digest(hash);
            }
        }
        let key = &hash[..*key_bytes];
        let mut password = owner.to_vec();
        let rounds = if *revision == 2 { 1 } else { 20 };
        for round in (0..rounds).rev() {
            rc4(&mixed(key, round), &mut password);
        }
        Some(password)
    }
}

impl<'d> Half<'d> {
    /// A hash and two salts.
    const BYTES: usize = 48;

    fn of(value: &'d [u8], key: &'d [u8]) -> Option<Self> {
        let value = value.get(..Self::BYTES)?;
        let (hash, salts) = value.split_at(32);
        let (check_salt, key_salt) = salts.split_at(8);
        Some(Self { hash, check_salt, key_salt, key: key.get(..32)? })
    }
}

/// The first 32 bytes of a password, filled up.
fn filled(password: &[u8]) -> [u8; 32] {
    let mut filled = [0; 32];
    let bytes = password.iter().chain(&FILLING);
    filled.iter_mut().zip(bytes).for_each(|(target, byte)| *target = *byte);
    filled
}

fn mixed(key: &[u8], round: u8) -> Vec<u8> {
    key.iter().map(|byte| byte ^ round).collect()
}

/// The hash of revision 6: as many rounds as its own results ask for, 64 at least.
fn hardened(password: &[u8], salt: &[u8], more: &[u8]) -> Vec<u8> {
    const ROUNDS_MIN: usize = 64;
    // Each round ends it with a chance of an eighth or more, so that this many never happen.
    const ROUNDS_MAX: usize = 2_000;
    let first = Sha256::new().chain_update(password).chain_update(salt).chain_update(more);
    let mut hash = first.finalize().to_vec();
    for round in 1..=ROUNDS_MAX {
        let once = [password, &hash, more].concat();
        let mut bytes = once.repeat(64);
        let (key, vector) = (&hash[..16], &hash[16..32]);
        // The length is a multiple of a block's, whatever the password: 64 times anything is.
        if aes128_encrypt_blocks(key, vector, &mut bytes).is_none() {
            return Vec::new();
        }
        let rest = bytes[..16].iter().map(|byte| u32::from(*byte)).sum::<u32>() % 3;
        hash = match rest {
            0 => Sha256::digest(&bytes).to_vec(),
            1 => Sha384::digest(&bytes).to_vec(),
            _ => Sha512::digest(&bytes).to_vec(),
        };
        let last = bytes.last().map_or(0, |byte| usize::from(*byte));
        if round >= ROUNDS_MIN && last + 32 <= round {
            break;
        }
    }
    hash.truncate(32);
    hash
}
