//! Headers of members: those of `ustar`, the form of tar archives that POSIX describes.

use super::error::{Result, damaged};

/// Headers and contents begin at multiples of this.
pub(super) const BLOCK: usize = 512;
/// Bytes of a name that fit into its field.
const NAME_BYTES_MAX: usize = 100;
/// The field of the checksum counts as spaces while it is computed.
const CHECKSUM: std::ops::Range<usize> = 148..156;
const SIZE: std::ops::Range<usize> = 124..136;
const TIME: std::ops::Range<usize> = 136..148;
/// Digits of a number of twelve bytes, of which the last is zero.
const LONG_DIGITS: usize = 11;

/// The block before a content.
pub(super) type Header = [u8; BLOCK];

/// The header of a regular file that only its owner may read; `None` if a field doesn't fit.
pub(super) fn header(name: &str, bytes: u64, seconds: u64) -> Option<Header> {
    let mut header = [0; BLOCK];
    if name.len() > NAME_BYTES_MAX {
        return None;
    }
    header[..name.len()].copy_from_slice(name.as_bytes());
    header[100..108].copy_from_slice(b"0000600\0");
    header[108..116].copy_from_slice(b"0000000\0");
    header[116..124].copy_from_slice(b"0000000\0");
    header[SIZE].copy_from_slice(&octal(bytes)?);
    header[TIME].copy_from_slice(&octal(seconds)?);
    header[156] = b'0';
    header[257..265].copy_from_slice(b"ustar\x0000");
    header[CHECKSUM].fill(b' ');
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[CHECKSUM].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    Some(header)
}

/// The name and the size in a header that [`header`] made; anything else is damaged.
pub(super) fn parse(block: &Header) -> Result<(&str, u64)> {
    let unfit = || damaged("there is something else where a member of the backup must begin");
    let end = block[..NAME_BYTES_MAX].iter().position(|byte| *byte == 0);
    let name = &block[..end.unwrap_or(NAME_BYTES_MAX)];
    let name = std::str::from_utf8(name).map_err(|_| unfit())?;
    let bytes = number(&block[SIZE]).ok_or_else(unfit)?;
    let seconds = number(&block[TIME]).ok_or_else(unfit)?;
    let is_ours = header(name, bytes, seconds).is_some_and(|ours| ours == *block);
    if is_ours { Ok((name, bytes)) } else { Err(unfit()) }
}

/// Zeros that follow a content of this size.
pub(super) fn padding(bytes: u64) -> usize {
    let over = (bytes % BLOCK as u64) as usize;
    if over == 0 { 0 } else { BLOCK - over }
}

fn octal(number: u64) -> Option<[u8; 12]> {
    let text = format!("{number:011o}\0");
    text.as_bytes().try_into().ok()
}

fn number(field: &[u8]) -> Option<u64> {
    let digits = std::str::from_utf8(field.get(..LONG_DIGITS)?).ok()?;
    u64::from_str_radix(digits, 8).ok()
}
