//! Backups: one compressed file with every table and every uploaded file of a database.
//!
//! A backup is a `tar` archive inside `gzip`, so that it can be looked into, and read in an
//! emergency, with the tools of any system. Its members, in this order:
//!
//! * `manifest.json`: the [`Manifest`], which has the version of the format and of the schema, the
//!   id of the database, and every table with its columns and their types.
//! * `tables/<table>/<number>.jsonl`: the rows of a table in parts of about a mebibyte, each row a
//!   JSON array with a value for each column of the manifest ([`cells`]). The same row is the same
//!   text, whichever database it was read from.
//! * `files/<family>/<id>`: the uploaded files, as they came.
//! * `end.json`: the [`Ending`], with the number of rows and files and the SHA-256 of all bytes of
//!   the archive before it. An archive without it is not whole.
//!
//! The [`Reader`] accepts only this: a header must be, byte for byte, the one that the [`Writer`]
//! would write for its name and size. What is named in an archive is never a path: numbers and ids
//! are parsed, and whoever restores a file makes its path from them. A reader holds one part of a
//! table in memory, and no file.

pub mod cells;
mod error;
mod manifest;
mod reader;
mod tar;
#[cfg(test)]
mod tests;
mod writer;

pub use cells::{Cell, CellType};
pub use error::ArchiveError;
pub use manifest::{Ending, FileName, Manifest, TableColumns};
pub use reader::{Member, Reader};
pub use writer::{Writer, compressed};

/// Names the format in a manifest.
const FORMAT: &str = "purser backup";
/// The version of the format that is written, and the newest that can be read.
pub const FORMAT_VERSION: u32 = 1;
/// Bytes of a part of a table; a part ends with the row that reaches it.
const PART_BYTES: usize = 1024 * 1024;
/// Bytes of a part that a reader takes: a single row may be larger than a part.
const PART_BYTES_MAX: u64 = 256 * 1024 * 1024;
/// Bytes of the first and of the last member that a reader takes.
const DOCUMENT_BYTES_MAX: u64 = 16 * 1024 * 1024;

const MANIFEST: &str = "manifest.json";
const ENDING: &str = "end.json";
