//! Passwords: hashed with Argon2id, kept as PHC strings.
//!
//! The parameters (19 MiB, two passes, one lane) cost a guesser memory for every guess and a server
//! a few tens of milliseconds. They are part of each hash, so they can be raised later without
//! asking anybody for a new password. Hashing blocks: not for threads that serve connections.

mod common;

use std::sync::OnceLock;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{Error as HashError, PasswordHasher as _, PasswordVerifier as _};
use argon2::{Algorithm, Argon2, Params, Version};
use purser_core::error::{Error, Problem, Result};
use purser_store::Secret;
use purser_store::system::random_bytes;

use crate::App;
use crate::blocking::blocking;

/// Characters that a password must have.
pub const CHARS_MIN: usize = 8;
/// Nobody types more; without a limit, hashing could be made arbitrarily slow.
pub const BYTES_MAX: usize = 1024;

const COMMON: &str = "must not be a common one, such as a word with a few digits, a day or a row \
    of keys";

const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;
const SALT_BYTES: usize = 16;

/// Refuses passwords that are too short to be of use, and those that are tried first.
pub fn check(password: &Secret) -> Result<()> {
    let password = password.reveal();
    if password.chars().count() < CHARS_MIN {
        return Err(refused(format!("must have at least {CHARS_MIN} characters")));
    }
    if password.len() > BYTES_MAX {
        return Err(refused(format!("must have at most {BYTES_MAX} bytes")));
    }
    if common::is_common(password) {
        return Err(refused(COMMON.to_owned()));
    }
    Ok(())
}

fn refused(predicate: String) -> Error {
    Problem::field("password", predicate).into()
}

/// The hash of a password, with a new salt.
pub fn hash(password: &Secret) -> Result<Secret> {
    let salt: [u8; SALT_BYTES] = random_bytes()?;
    let hash = hasher()?
        .hash_password_with_salt(password.reveal().as_bytes(), &salt)
        .map_err(Error::internal)?;
    Ok(Secret::new(hash.to_string()))
}

/// Whether a hash is of this password; with the parameters of the hash, in constant time.
fn verify(password: &Secret, hash: &Secret) -> Result<bool> {
    let hash = PasswordHash::new(hash.reveal()).map_err(Error::internal)?;
    match hasher()?.verify_password(password.reveal().as_bytes(), &hash) {
        Ok(()) => Ok(true),
        Err(HashError::PasswordInvalid) => Ok(false),
        Err(error) => Err(Error::internal(error)),
    }
}

/// The hash of a new password, when it is its turn: hashing takes memory and keeps a core busy, so
/// only some are hashed at a time.
pub async fn hash_in_turn(app: &App, password: Secret) -> Result<Secret> {
    let _turn = app.hashings.acquire().await.map_err(Error::internal)?;
    blocking(move || hash(&password)).await
}

/// Whether a password is the one of a hash, compared in turn as in [`hash_in_turn`]. Without a hash
/// it never is, but that takes no less time.
pub async fn matches(app: &App, password: Secret, hash: Option<Secret>) -> Result<bool> {
    let _turn = app.hashings.acquire().await.map_err(Error::internal)?;
    blocking(move || match hash {
        // A longer one was never accepted; hashing it would only take time.
        _ if password.reveal().len() > BYTES_MAX => Ok(false),
        Some(hash) => verify(&password, &hash),
        None => verify(&password, nobodys_hash()?).map(|_| false),
    })
    .await
}

/// A hash with the same parameters as every other.
fn nobodys_hash() -> Result<&'static Secret> {
    static HASH: OnceLock<Secret> = OnceLock::new();
    match HASH.get() {
        Some(hash) => Ok(hash),
        None => {
            let hash = hash(&Secret::new("nobody"))?;
            Ok(HASH.get_or_init(|| hash))
        }
    }
}

fn hasher() -> Result<Argon2<'static>> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).map_err(Error::internal)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_of_its_password_only() {
        let password = Secret::new("correct horse");
        let first = hash(&password).unwrap();
        assert!(
            first.reveal().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
            "{}",
            first.reveal()
        );
        assert_ne!(hash(&password).unwrap(), first, "the salt is new each time");
        assert!(verify(&password, &first).unwrap());
        assert!(!verify(&Secret::new("correct horse "), &first).unwrap());
        assert!(verify(&password, &Secret::new("not a hash")).is_err());
    }

    #[test]
    fn hashes_with_earlier_parameters_stay_valid() {
        let params = Params::new(8, 1, 1, None).unwrap();
        let weak = Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
            .hash_password_with_salt(b"correct horse", &[7; SALT_BYTES])
            .unwrap();
        let weak = Secret::new(weak.to_string());
        assert!(weak.reveal().contains("m=8,t=1"));
        assert!(verify(&Secret::new("correct horse"), &weak).unwrap());
        assert!(!verify(&Secret::new("wrong"), &weak).unwrap());
    }

    #[test]
    fn the_length_counts_characters_and_is_limited() {
        for (text, fits) in [
            ("xkq7hw2", false),
            ("xkq7hw2m", true),
            ("äöüßéè", false),
            ("äöüßéèçñ", true),
            ("password1", false),
            ("", false),
        ] {
            assert_eq!(check(&Secret::new(text)).is_ok(), fits, "{text}");
        }
        let long = "xkq7hw2m".repeat(BYTES_MAX / 8);
        assert!(check(&Secret::new(&*long)).is_ok());
        assert!(check(&Secret::new(format!("{long}x"))).is_err());
    }
}
