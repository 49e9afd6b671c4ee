//! API keys as text: `purser_`, 32 random bytes in base62 (43 characters), and the CRC32 of what
//! comes before in base62 (6 characters).
//!
//! The prefix lets secret scanners find a leaked key; the checksum lets them, and the server,
//! refuse a mistyped or invented one without asking the database. Only the SHA-256 of the whole
//! text is stored. That is enough, and a slow hash isn't needed, because the key itself has 256
//! random bits. Searching for keys: `purser_[0-9A-Za-z]{49}`.

use std::fmt;

use purser_core::error::Result;
use purser_store::system::random_bytes;
use sha2::{Digest, Sha256};

const PREFIX: &str = "purser_";
const RANDOM_BYTES: usize = 32;
const RANDOM_CHARS: usize = 43;
const CHECKSUM_CHARS: usize = 6;
const KEY_CHARS: usize = PREFIX.len() + RANDOM_CHARS + CHECKSUM_CHARS;
const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The SHA-256 of a key: what the database knows of it.
pub type KeyHash = [u8; 32];

/// A key, checked for its form. Can't be printed by accident.
#[derive(Clone)]
pub struct ApiKey(String);

impl ApiKey {
    /// A new key from the system's random numbers.
    pub fn generate() -> Result<Self> {
        random_bytes().map(|random| Self::from_random(&random))
    }

    /// The key of random bytes that somebody else drew.
    pub fn from_random(random: &[u8; RANDOM_BYTES]) -> Self {
        let mut text = String::with_capacity(KEY_CHARS);
        text.push_str(PREFIX);
        text.push_str(&base62(random, RANDOM_CHARS));
        text.push_str(&checksum(&text));
        Self(text)
    }

    /// Reads a key; `None` for anything that was never given out.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() != KEY_CHARS || !text.is_ascii() {
            return None;
        }
        let digits = text.strip_prefix(PREFIX)?;
        if !digits.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return None;
        }
        let (checked, sum) = text.split_at(KEY_CHARS - CHECKSUM_CHARS);
        (checksum(checked) == sum).then(|| Self(text.to_owned()))
    }

    /// What the database is asked for.
    pub fn hash(&self) -> KeyHash {
        Sha256::digest(self.0.as_bytes()).into()
    }

    /// The text, to be shown once to who asked for the key.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[hidden]")
    }
}

fn checksum(text: &str) -> String {
    base62(&crc32fast::hash(text.as_bytes()).to_be_bytes(), CHECKSUM_CHARS)
}

/// The big-endian number in `bytes` as `width` digits; the caller knows that it fits.
fn base62(bytes: &[u8], width: usize) -> String {
    let mut number = bytes.to_vec();
    let mut digits = vec![b'0'; width];
    for digit in digits.iter_mut().rev() {
        let mut remainder = 0_u32;
        for byte in &mut number {
            let value = (remainder << 8) | u32::from(*byte);
            *byte = (value / 62) as u8;
            remainder = value % 62;
        }
        *digit = DIGITS[remainder as usize];
    }
    digits.into_iter().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generated_key_has_the_form_and_reads_back() {
        let key = ApiKey::generate().unwrap();
        assert_eq!(key.reveal().len(), 56);
        assert!(key.reveal().starts_with("purser_"));
        let read = ApiKey::parse(key.reveal()).unwrap();
        assert_eq!(read.hash(), key.hash());
        assert_ne!(ApiKey::generate().unwrap().hash(), key.hash());
    }

    #[test]
    fn base62_is_a_big_endian_number_of_fixed_width() {
        assert_eq!(base62(&[0, 0], 4), "0000");
        assert_eq!(base62(&[61], 2), "0z");
        assert_eq!(base62(&[62], 2), "10");
        assert_eq!(base62(&[0x01, 0x00], 3), "048");
        assert_eq!(base62(&[0xff; 4], 6), "4gfFC3");
        // 62^43 is more than 2^256: the largest key keeps all its digits.
        let largest = ApiKey::from_random(&[0xff; 32]);
        let almost = ApiKey::from_random(&{
            let mut bytes = [0xff; 32];
            bytes[0] = 0x7f;
            bytes
        });
        assert!(largest.reveal() > almost.reveal());
    }

    #[test]
    fn every_changed_or_swapped_character_is_refused() {
        let key = ApiKey::from_random(&[7; 32]);
        for position in 0..KEY_CHARS {
            let mut changed = key.reveal().as_bytes().to_vec();
            changed[position] = if changed[position] == b'x' { b'y' } else { b'x' };
            assert!(ApiKey::parse(std::str::from_utf8(&changed).unwrap()).is_none(), "{position}");
        }
        for text in ["", "purser_", "PURSER_", &key.reveal()[1..], &format!("{}0", key.reveal())] {
            assert!(ApiKey::parse(text).is_none(), "{text}");
        }
        let spaced = key.reveal().replacen('_', " ", 1);
        assert!(ApiKey::parse(&spaced).is_none());
    }

    #[test]
    fn debug_output_hides_the_key() {
        let key = ApiKey::from_random(&[7; 32]);
        assert!(!format!("{key:?}").contains(&key.reveal()[7..20]));
    }
}
