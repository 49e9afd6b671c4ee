//! Random tokens: of sessions (in a cookie) and of forms. 256 bits, written in hexadecimal.

use std::fmt;

use purser_app::system::random_bytes;
use purser_core::error::Result;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

const BYTES: usize = 32;

/// A token. Can't be printed by accident.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Token(String);

impl Token {
    /// A new one, from the system's random numbers.
    pub(super) fn generate() -> Result<Self> {
        let random: [u8; BYTES] = random_bytes()?;
        Ok(Self(random.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// Reads one; `None` for what was never given out.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let digits = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        (text.len() == 2 * BYTES && digits).then(|| Self(text.to_owned()))
    }

    /// What the database knows of it.
    pub(super) fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.0.as_bytes()).into()
    }

    /// The text, for a cookie or a form.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[hidden]")
    }
}

/// Whether two tokens are the same, in a time that doesn't depend on where they differ.
pub(super) fn same(a: &str, b: &str) -> bool {
    !a.is_empty() && bool::from(a.as_bytes().ct_eq(b.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_read_back_and_nothing_else_does() {
        let token = Token::generate().unwrap();
        assert_eq!(Token::parse(token.reveal()).unwrap(), token);
        assert_ne!(Token::generate().unwrap(), token);
        assert_eq!(format!("{token:?}"), "[hidden]");
        for wrong in ["", "00", &"g".repeat(64), &"A".repeat(64), &"0".repeat(65)] {
            assert!(Token::parse(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn an_empty_token_is_like_no_other() {
        assert!(same("ab", "ab"));
        assert!(!same("ab", "ac") && !same("ab", "abc") && !same("", ""));
    }
}
