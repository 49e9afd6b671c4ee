//! SQLite's check of its own file. PostgreSQL finds damaged pages by its checksums.

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
