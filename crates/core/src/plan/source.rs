//! Transactions that follow what their source reports.

use crate::ids::EntryId;
use crate::sync::SourceRow;

/// What the source of a transaction reported before, and what it reports now. A field that still is
/// what was reported before, and that no person has locked, follows; others stay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceUpdate<'a> {
    /// The transaction that follows.
    pub entry: EntryId,
    /// The name of the source.
    pub source: &'a str,
    /// The row as it was reported before.
    pub before: &'a SourceRow,
    /// The row as it is reported now, with the id that the transaction has from now on. Its
    /// currency is that of before.
    pub after: &'a SourceRow,
    /// Notes for a transaction that has none.
    pub notes: Option<&'a str>,
}
