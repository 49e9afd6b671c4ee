//! What a reader made of an export, for its tests.

use std::io::Cursor;

use purser_core::import::register::Program;

use super::{RewriteError, rewrite};
use crate::csv::Reader;

/// The records of the register, its header first.
pub(super) fn rewritten(program: Program, export: &[u8]) -> Result<Vec<Vec<String>>, RewriteError> {
    let mut register = Vec::new();
    rewrite(program, Cursor::new(export), &mut register)?;
    let mut reader = Reader::new(Cursor::new(register), b',');
    let mut records = Vec::new();
    while let Some(record) = reader.read().unwrap() {
        records.push(record.cells.iter().map(str::to_owned).collect());
    }
    Ok(records)
}
