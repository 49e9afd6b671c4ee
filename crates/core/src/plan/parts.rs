//! What a plan adds to transactions: parts, and values for empty fields.

use super::Target;
use crate::ids::{EntryId, ImportId};

/// A part of a transaction that a plan adds. It has the name, the merchant and the tags of the
/// whole, and perhaps a tag of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartDraft<'a> {
    /// The amount in the scale of the whole's currency; positive = money out.
    pub amount: i64,
    /// At most one category.
    pub category: Option<Target>,
    /// Free text of the source.
    pub notes: Option<&'a str>,
    /// A tag beside those of the whole.
    pub tag: Option<Target>,
}

/// Values of an import for empty fields of a transaction that exists. The transaction doesn't count
/// as changed by them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransactionFill<'a> {
    /// The transaction that is filled.
    pub entry: EntryId,
    /// The import that fills it, and that takes the values back when it is undone.
    pub import: ImportId,
    /// The category, if the transaction has none.
    pub category: Option<Target>,
    /// The notes, if the transaction has none.
    pub notes: Option<&'a str>,
    /// The tags, each once, if the transaction has none.
    pub tags: &'a [Target],
    /// The id that the bank gave it, if the transaction has none.
    pub external_id: Option<&'a str>,
}
