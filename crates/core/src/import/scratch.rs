//! Memory for interpreting records.

use super::native::Record;
use super::register::PartsBuf;
use super::transaction::tags::Tags;
use crate::money::Currency;

/// Memory that is used again from record to record.
#[derive(Debug, Default)]
pub struct Scratch {
    /// The number of the record's row; 0 if it isn't known, or if the record is no row.
    pub row: u64,
    pub(super) tags: Tags,
    pub(super) parts: PartsBuf,
    pub(super) name: String,
    pub(super) notes: String,
    pub(super) account: String,
    pub(super) account_currency: Option<Currency>,
    pub(super) native: Option<Record>,
}
