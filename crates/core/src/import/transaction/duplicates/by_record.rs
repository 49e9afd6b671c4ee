//! Rule 1: rows take entries that were made of, or matched with, an equal record of an earlier file
//! in the same account, however that was read.
//!
//! A file may have equal records, so this is a multiset: see [`super::keyed`]. Where the bank's id
//! or the fingerprint is the same too, that is the reason that people read.

use super::keyed::{self, Rule};
use super::matcher::ChunkDecisions;
use super::{EntryKey, RowKey};
use crate::import::verdict::Verdict;

pub(super) fn decide(deciding: &mut ChunkDecisions<'_>) {
    keyed::decide(
        deciding,
        |row| Some((row.account, row.record?)),
        |known| Some((known.account, known.record?)),
        &Rule { may_stand: |_: &RowKey, _: &EntryKey| true, verdict },
    );
}

/// The plainest reason for which a row of the same record stands for an entry.
pub(super) fn verdict(row: &RowKey, known: &EntryKey) -> Verdict {
    let is_same_amount = (row.amount, row.currency) == (known.amount, known.currency);
    if is_same_amount && row.external.is_some() && row.external == known.external {
        Verdict::MatchedById
    } else if is_same_amount && (row.date, row.content) == (known.date, known.content) {
        Verdict::MatchedByContent
    } else {
        Verdict::MatchedByRecord
    }
}
