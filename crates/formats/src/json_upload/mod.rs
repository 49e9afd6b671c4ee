//! The JSON body of an upload, read as it arrives.
//!
//! A push parser: chunks go in, the value of `raw_file_content` comes out decoded, piece by piece,
//! into a sink, and the other fields are collected. So the memory for an upload doesn't depend on
//! its size. The grammar is that of RFC 8259, checked in full, including what is skipped: escapes
//! and surrogate pairs, UTF-8, numbers, nesting up to [`DEPTH_MAX`].
//!
//! A field that is sent twice is an error: which of the two is meant can't be known.

mod number;
mod parser;
#[cfg(test)]
mod tests;
mod text;

use std::collections::BTreeMap;

pub use parser::JsonUpload;

/// The name of the field that has the text of the file.
pub const CONTENT_FIELD: &str = "raw_file_content";
/// Bytes of the name or the value of one field.
pub const FIELD_BYTES_MAX: usize = 64 * 1024;
/// Bytes of all names and values that are kept.
pub const FIELDS_BYTES_MAX: usize = 256 * 1024;
/// Fields of the object, the content not counted.
pub const FIELDS_MAX: usize = 64;
/// Objects and arrays inside each other.
pub const DEPTH_MAX: usize = 64;

/// The value of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scalar {
    /// A string, with escapes decoded.
    Text(String),
    /// The value `true` or `false`.
    Bool(bool),
    /// The JSON value `null`.
    Null,
    /// A number, as it was written.
    Number(String),
    /// An object or an array, which is not kept.
    Compound,
}

/// What was sent as `raw_file_content`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Content {
    /// The field is missing or null.
    #[default]
    Missing,
    /// A string, which went to the sink, and its length in bytes of UTF-8.
    Text(u64),
    /// Something else than a string.
    NotText,
}

/// The object that was read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fields {
    /// The fields but for the content.
    pub values: BTreeMap<String, Scalar>,
    /// What became of the content.
    pub content: Content,
}

/// Why the body is refused.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum UploadError<E> {
    /// The body is not JSON.
    #[error("The body is not valid JSON: {what} at byte {position}")]
    Syntax {
        /// The kind of the error.
        what: &'static str,
        /// The offset of the byte at which it was noticed, from 0.
        position: u64,
    },
    /// JSON, but no object.
    #[error("The body must be an object")]
    NotAnObject,
    /// More fields, or longer ones, than any request has.
    #[error("The body has {0}")]
    TooLarge(&'static str),
    /// A field is there twice.
    #[error("The {0} is sent twice")]
    Twice(String),
    /// The sink refused; reading on makes no sense.
    #[error(transparent)]
    Sink(E),
}
