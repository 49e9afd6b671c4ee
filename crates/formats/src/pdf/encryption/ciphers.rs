//! The ciphers of documents.

use aes::cipher::block_padding::{NoPadding, Pkcs7};
use aes::cipher::{BlockModeDecrypt as _, BlockModeEncrypt as _, KeyIvInit as _};
use aes::{Aes128, Aes256};
use rc4::{KeyInit as _, Rc4, StreamCipher as _};

use crate::pdf::error::{PdfError, Result};

const BLOCK_BYTES: usize = 16;
const DAMAGED: PdfError = PdfError::Damaged("an encrypted part of it is cut off or changed");

/// Encrypts or decrypts: both are the same.
pub(super) fn rc4(key: &[u8], bytes: &mut [u8]) {
    // A key of no bytes is none.
    if let Ok(mut cipher) = Rc4::new_from_slice(key) {
        cipher.apply_keystream(bytes);
    }
}

/// Decrypts a stream that begins with what it was mixed with, and ends with padding.
pub(super) fn aes128_stream(key: &[u8], bytes: &mut Vec<u8>) -> Result<()> {
    stream(bytes, |vector, rest| {
        let cipher = cbc::Decryptor::<Aes128>::new_from_slices(key, vector).ok()?;
        cipher.decrypt_padded::<Pkcs7>(rest).ok().map(<[u8]>::len)
    })
}

/// The same with a longer key.
pub(super) fn aes256_stream(key: &[u8], bytes: &mut Vec<u8>) -> Result<()> {
    stream(bytes, |vector, rest| {
        let cipher = cbc::Decryptor::<Aes256>::new_from_slices(key, vector).ok()?;
        cipher.decrypt_padded::<Pkcs7>(rest).ok().map(<[u8]>::len)
    })
}

fn stream(
    bytes: &mut Vec<u8>,
    decrypt: impl FnOnce(&[u8], &mut [u8]) -> Option<usize>,
) -> Result<()> {
    if bytes.is_empty() {
        return Ok(());
    }
    let (vector, rest) = bytes.split_at_mut_checked(BLOCK_BYTES).ok_or(DAMAGED)?;
    // Some programs write more behind the last whole block.
    let whole = rest.len() / BLOCK_BYTES * BLOCK_BYTES;
    let length = decrypt(vector, &mut rest[..whole]).ok_or(DAMAGED)?;
    bytes.truncate(BLOCK_BYTES + length);
    bytes.drain(..BLOCK_BYTES);
    Ok(())
}

/// Decrypts whole blocks that weren't mixed with anything and have no padding.
pub(super) fn aes256_blocks(key: &[u8], bytes: &[u8]) -> Option<Vec<u8>> {
    let cipher = cbc::Decryptor::<Aes256>::new_from_slices(key, &[0; BLOCK_BYTES]).ok()?;
    let mut bytes = bytes.to_vec();
    cipher.decrypt_padded::<NoPadding>(&mut bytes).ok().map(<[u8]>::to_vec)
}

/// Encrypts whole blocks without padding.
pub(super) fn aes128_encrypt_blocks(key: &[u8], vector: &[u8], bytes: &mut [u8]) -> Option<()> {
    let cipher = cbc::Encryptor::<Aes128>::new_from_slices(key, vector).ok()?;
    let length = bytes.len();
    cipher.encrypt_padded::<NoPadding>(bytes, length).ok().map(|_| ())
}
