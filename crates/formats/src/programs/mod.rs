//! Exports of other programs, rewritten as registers (`purser_core::import::register`).
//!
//! A reader knows the columns of its program and what rows mean for each other. It changes no cell
//! of a day or an amount: how these are written is found later, by looking at all of them, and a
//! person can correct single ones. Whatever it can't understand stays a record, with the reason.

mod actual;
mod archived;
mod mint;
mod qif;
mod recognition;
mod register;
mod splits;
mod table;
mod ynab;
mod ynab_plan;

use std::io::{self, Read, Seek, Write};

use purser_core::import::register::Program;

use crate::csv::ReadError;
pub use archived::{rewrite_archive, unpack_native};
pub use recognition::import_type_of;

/// Why an export can't be rewritten.
#[derive(Debug, thiserror::Error)]
pub enum RewriteError {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is no export of the program; the sentence has no full stop.
    #[error("{0}")]
    Foreign(String),
    /// The file is broken from some line on.
    #[error("{0}")]
    Broken(ReadError),
}

impl From<ReadError> for RewriteError {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Io(error) => Self::Io(error),
            error => Self::Broken(error),
        }
    }
}

/// Rewrites an export in UTF-8, from its start, as the register of what it holds.
///
/// # Errors
/// If the file is none of the program, or broken, or if reading or writing fails.
pub fn rewrite(
    program: Program,
    input: impl Read + Seek,
    output: impl Write,
) -> Result<(), RewriteError> {
    match program {
        Program::Mint => mint::rewrite(input, output),
        Program::Ynab => ynab::rewrite(input, output),
        Program::Actual => actual::rewrite(input, output),
        Program::Qif => qif::rewrite(input, output),
    }
}

#[cfg(test)]
mod testing;
