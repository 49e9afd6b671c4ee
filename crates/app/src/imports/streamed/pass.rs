//! The passes in which a publish goes over its file.

/// The rows that a pass over the file executes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::imports) enum Pass {
    /// All rows of the file.
    Whole,
    /// Rows that become transactions. The blocks with rows that fill something are noted.
    Additions,
    /// Rows that fill empty fields of entries that they match.
    Fills,
}
