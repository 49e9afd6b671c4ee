//! Documents of which the contents are encrypted (ISO 32000-2, 7.6).
//!
//! Many banks encrypt statements so that nobody changes them, and leave the password for reading
//! empty. So the empty password is tried, and the one that was sent, as the password of the reader
//! and of the owner. Only streams are decrypted: nothing that is read of a document stands in texts
//! outside of them.

mod ciphers;
mod password;

use md5::{Digest as _, Md5};

use super::error::{PdfError, Result};
use super::object::{Dict, Object, ObjectId};

/// How the streams of a document are encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    /// Streams aren't encrypted at all.
    Identity,
    Rc4,
    Aes128,
    Aes256,
}

/// What decrypts the streams of a document.
#[derive(Debug)]
pub(super) struct Decryption {
    method: Method,
    key: Vec<u8>,
    /// Whether descriptions of the document are encrypted, too.
    metadata: bool,
}

impl Decryption {
    /// Finds the key by the dictionary `Encrypt`, of which all values are resolved, and the first
    /// identifier of the document.
    pub(super) fn open(encrypt: &Dict, identifier: &[u8], password: &str) -> Result<Self> {
        if !encrypt.is("Filter", "Standard") {
            return Err(PdfError::UnknownEncryption);
        }
        let metadata = *encrypt.get("EncryptMetadata") != Object::Bool(false);
        let method = method(encrypt)?;
        let lock = password::Lock::of(encrypt, identifier, metadata, method == Method::Aes256)?;
        // Most documents that can be read by everybody have no password for that.
        let key = lock.key("").or_else(|| lock.key(password)).ok_or(match password {
            "" => PdfError::Encrypted,
            _ => PdfError::WrongPassword,
        })?;
        Ok(Self { method, key, metadata })
    }

    /// The bytes of a stream as they were before the document was encrypted.
    pub(super) fn decrypt(&self, dict: &Dict, id: ObjectId, bytes: &mut Vec<u8>) -> Result<()> {
        let is_plain = dict.is("Type", "XRef") || (!self.metadata && dict.is("Type", "Metadata"));
        if is_plain || names_crypt(dict) {
            return Ok(());
        }
        match self.method {
            Method::Identity => Ok(()),
            Method::Rc4 => {
                ciphers::rc4(&self.key_of(id, b""), bytes);
                Ok(())
            }
            Method::Aes128 => ciphers::aes128_stream(&self.key_of(id, b"sAlT"), bytes),
            Method::Aes256 => ciphers::aes256_stream(&self.key, bytes),
        }
    }

    /// The key of one object: a hash of the document's and the object's number.
    fn key_of(&self, id: ObjectId, salt: &[u8]) -> Vec<u8> {
        const KEY_BYTES_MAX: usize = 16;
        let hash = Md5::new()
            .chain_update(&self.key)
            .chain_update(&id.number.to_le_bytes()[..3])
            .chain_update(id.generation.to_le_bytes())
            .chain_update(salt)
            .finalize();
        hash[..(self.key.len() + 5).min(KEY_BYTES_MAX)].to_vec()
    }
}

/// Whether a stream has a way of its own: the only one that is used is not to be encrypted.
fn names_crypt(dict: &Dict) -> bool {
    let filter = dict.get("Filter");
    let filters = filter.array().unwrap_or(std::slice::from_ref(filter));
    filters.iter().any(|filter| filter.name() == Some(b"Crypt"))
}

fn method(encrypt: &Dict) -> Result<Method> {
    match encrypt.get("V").whole() {
        Some(1 | 2) => Ok(Method::Rc4),
        Some(4 | 5) => {
            let name = encrypt.get("StmF").name().unwrap_or(b"Identity");
            if name == b"Identity" {
                return Ok(Method::Identity);
            }
            let filters = encrypt.get("CF").dict();
            let filter = filters.and_then(|all| all.0.get(name)).and_then(Object::dict);
            match filter.and_then(|filter| filter.get("CFM").name()) {
                Some(b"V2") => Ok(Method::Rc4),
                Some(b"AESV2") => Ok(Method::Aes128),
                Some(b"AESV3") => Ok(Method::Aes256),
                Some(b"None") => Ok(Method::Identity),
                _ => Err(PdfError::UnknownEncryption),
            }
        }
        _ => Err(PdfError::UnknownEncryption),
    }
}
