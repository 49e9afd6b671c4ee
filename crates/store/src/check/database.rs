//! SQLite's check of its own file. PostgreSQL enforces foreign keys and types in its server, where
//! only an administrator could switch that off, and finds damaged pages by its checksums, so there
//! is nothing to check there.

use purser_core::error::Result;

use super::report::Findings;
use crate::driver::Tx;

const NOT_NEEDED: &str = "PostgreSQL guards this itself";

/// Damaged pages, rows that indexes don't have, values of a wrong type.
pub(super) fn integrity(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    match tx.sqlite_integrity()? {
        Some(problems) => {
            findings.count(1);
            problems.into_iter().for_each(|problem| findings.problem(|| problem));
        }
        None => findings.not_needed(NOT_NEEDED),
    }
    Ok(())
}

/// Rows that point to rows that don't exist.
pub(super) fn foreign_keys(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    match tx.sqlite_foreign_keys()? {
        Some(dangling) => {
            findings.count(1);
            for (table, parent, rows) in dangling {
                findings.problem(|| format!("{rows} rows of {table} point to no row of {parent}"));
            }
        }
        None => findings.not_needed(NOT_NEEDED),
    }
    Ok(())
}
