//! How bytes become UTF-8.
//!
//! A byte-order mark decides; else the file is UTF-8 if all of it is; else UTF-16 if its zero bytes
//! are where UTF-16 puts them; else a statistical guess. [`detect`] answers which, [`transcode`]
//! writes the text. A byte that has no character in the encoding is an error with its position: no
//! replacement character, no control character instead of a letter. Where the answer is a guess
//! that another hint could change, [`Encoding::certain`] is false.

mod content_kind;
mod detect;
#[cfg(test)]
mod tests;
mod transcode;

use std::io;

pub use content_kind::{ContentKind, content_kind};
pub use detect::detect;
pub use transcode::{head_text, transcode};

/// Bytes of a file's start that decide what it looks like.
pub const HEAD_BYTES: usize = 64 * 1024;
/// What is read and decoded at a time.
const CHUNK_BYTES: usize = 64 * 1024;
/// The name of the encoding that needs no conversion.
pub const UTF_8: &str = "UTF-8";

/// The encoding of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Encoding {
    /// The name in the WHATWG registry: `UTF-8`, `windows-1252`, `UTF-16LE`.
    pub name: &'static str,
    /// Bytes of the byte-order mark: 0, 2 or 3.
    pub bom_len: usize,
    /// False where a statistical guess could have gone another way.
    pub certain: bool,
}

impl Encoding {
    /// Whether the file can be read as it is (the mark is skipped by the CSV reader).
    pub fn is_utf8(&self) -> bool {
        self.name == UTF_8
    }
}

/// Why bytes are not text.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// The source or the target failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A byte has no character in this encoding.
    #[error("Byte {position} of the file is not valid {encoding}")]
    Unmappable {
        /// What the rest of the file is written in.
        encoding: &'static str,
        /// 0-based, from the start of the file.
        position: u64,
    },
}

/// Fills `buffer` from `filled` on, as far as the source goes, and returns the new fill.
pub(crate) fn fill(
    reader: &mut impl io::Read,
    buffer: &mut [u8],
    mut filled: usize,
) -> io::Result<usize> {
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
