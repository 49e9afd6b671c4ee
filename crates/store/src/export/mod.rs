//! Everything that a family has, as the server's own NDJSON: one object on each line. The kinds of
//! records and their fields are in `docs/native.md`.
//!
//! The caller gives a transaction, so all lines are of one snapshot, and a sink for the bytes.
//! Lists that a family has few of are read whole; of entries a page is in memory at a time, with
//! what belongs to it.
//!
//! Not exported is what follows from other columns, what only this server can use (files, sessions,
//! jobs, counters), and the times at which it stored something. `check/tests/exported` has the
//! reason for each column, and compares it with the schema.

mod accounts;
mod entries;
mod line;
mod plans;
mod records;
mod rules;
mod securities;
mod split_lines;
mod transfers;

use purser_core::error::{Error, Result};

use crate::access::FamilyTx;
use crate::driver::Sql;
use line::Lines;

/// Every constant statement of exports, for the test that prepares them.
pub(crate) fn statements() -> [(&'static str, &'static [(&'static str, Sql)]); 8] {
    [
        ("export::accounts", accounts::STATEMENTS),
        ("export::entries", entries::STATEMENTS),
        ("export::plans", plans::STATEMENTS),
        ("export::rules", rules::STATEMENTS),
        ("export::securities", securities::STATEMENTS),
        ("export::split_lines", split_lines::STATEMENTS),
        ("export::transfers", transfers::STATEMENTS),
        ("family_exports", crate::family_exports::STATEMENTS),
    ]
}

/// Writes every record of the family to the sink, piece by piece, and returns their number. It is
/// for those who see all accounts.
pub fn write(tx: &mut FamilyTx<'_>, sink: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<u64> {
    if tx.accounts().is_restricted() {
        return Err(Error::internal("an export has all accounts"));
    }
    let mut lines = Lines::new(sink);
    accounts::write(tx, &mut lines)?;
    securities::write(tx, &mut lines)?;
    entries::write(tx, &mut lines)?;
    transfers::write(tx, &mut lines)?;
    plans::write(tx, &mut lines)?;
    rules::write(tx, &mut lines)?;
    lines.finish()
}
