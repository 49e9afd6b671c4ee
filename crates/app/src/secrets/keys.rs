//! The keys of the server: the first encrypts, each of them decrypts.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use purser_core::error::{Error, Result};
use purser_store::Secret;
use sha2::{Digest as _, Sha256};

use super::key_file;

/// Bytes of the id of a key.
pub(super) const KEY_ID_LEN: usize = 8;
/// The shortest text of a key: 32 random hexadecimal digits are 128 bits.
pub(super) const KEY_CHARS_MIN: usize = 32;

/// The keys that secrets are encrypted with.
///
/// They come from the configuration, or from a file in the data directory, which is made when the
/// first secret is to be encrypted. Nodes on one database need the same keys, so there they come
/// from the configuration.
pub struct SecretKeys {
    source: Source,
    /// What was read last: the file changes with a rotation.
    read: RwLock<Vec<SecretKey>>,
}

enum Source {
    Configuration,
    File(PathBuf),
}

/// A key, and the id that names it in what is encrypted with it.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct SecretKey {
    id: [u8; KEY_ID_LEN],
    bytes: [u8; 32],
}

/// Why a text is no key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyTextError {
    /// It could be guessed.
    #[error(
        "a secret key needs at least 32 characters, which must be random: `openssl rand -hex 32`"
    )]
    TooShort,
    /// There is no key in the text.
    #[error("there is no secret key")]
    Missing,
}

impl SecretKey {
    /// The key of a text. A hash, because texts have any length; they are random, so a slow one
    /// would add nothing.
    pub(super) fn of_text(text: &str) -> std::result::Result<Self, KeyTextError> {
        if text.len() < KEY_CHARS_MIN {
            return Err(KeyTextError::TooShort);
        }
        let hash = |purpose: &str, bytes: &[u8]| -> [u8; 32] {
            Sha256::new().chain_update(purpose).chain_update(bytes).finalize().into()
        };
        let bytes = hash("purser secret key: ", text.as_bytes());
        let named = hash("purser id of a secret key: ", &bytes);
        let mut id = [0; KEY_ID_LEN];
        id.copy_from_slice(&named[..KEY_ID_LEN]);
        Ok(Self { id, bytes })
    }

    pub(super) fn id(&self) -> [u8; KEY_ID_LEN] {
        self.id
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl SecretKeys {
    /// Keys of the configuration: texts with commas or white space between them. The first is the
    /// current one.
    pub fn configured(texts: &Secret) -> std::result::Result<Self, KeyTextError> {
        let separators = |letter: char| letter == ',' || letter.is_whitespace();
        let texts = texts.reveal().split(separators).filter(|text| !text.is_empty());
        let keys = texts.map(SecretKey::of_text).collect::<std::result::Result<Vec<_>, _>>()?;
        if keys.is_empty() {
            return Err(KeyTextError::Missing);
        }
        Ok(Self { source: Source::Configuration, read: RwLock::new(keys) })
    }

    /// Keys in a file of the data directory. Nothing is read or made yet.
    pub fn in_directory(data_dir: &Path) -> Self {
        let path = data_dir.join(key_file::NAME);
        Self { source: Source::File(path), read: RwLock::default() }
    }

    /// The file that the keys are in; `None` if they come from the configuration.
    pub(super) fn file(&self) -> Option<&Path> {
        match &self.source {
            Source::Configuration => None,
            Source::File(path) => Some(path),
        }
    }

    /// The key that encrypts. The file is read again each time, because a command may have changed
    /// it, and is made if there is none.
    pub(super) fn current(&self) -> Result<SecretKey> {
        if let Source::File(path) = &self.source {
            let keys = key_file::read_or_make(path)?;
            *self.read.write().unwrap_or_else(PoisonError::into_inner) = keys;
        }
        let keys = self.read.read().unwrap_or_else(PoisonError::into_inner);
        keys.first().cloned().ok_or_else(|| Error::internal("there is no secret key"))
    }

    /// The key with an id. The file is read again if it isn't known.
    pub(super) fn with_id(&self, id: [u8; KEY_ID_LEN]) -> Option<SecretKey> {
        let known = || {
            let keys = self.read.read().unwrap_or_else(PoisonError::into_inner);
            keys.iter().find(|key| key.id == id).cloned()
        };
        if let Some(key) = known() {
            return Some(key);
        }
        let Source::File(path) = &self.source else { return None };
        match key_file::read(path) {
            Ok(Some(keys)) => {
                *self.read.write().unwrap_or_else(PoisonError::into_inner) = keys;
            }
            Ok(None) => {}
            Err(error) => tracing::error!(cause = ?error, "the secret keys can't be read"),
        }
        known()
    }
}

impl fmt::Debug for SecretKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecretKeys").field("file", &self.file()).finish_non_exhaustive()
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretKey(…)")
    }
}
