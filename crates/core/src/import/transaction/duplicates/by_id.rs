//! Rule 2: rows with an id of the bank take entries with that id in the account and an equal
//! amount.
//!
//! Banks repeat ids, so this is a multiset: see [`super::keyed`]. An id with another amount is not
//! trusted: its rows are left to the next rule.

use super::keyed;
use super::matcher::ChunkDecisions;
use crate::import::verdict::Verdict;

pub(super) fn decide(deciding: &mut ChunkDecisions<'_>) {
    keyed::decide(
        deciding,
        |row| Some((row.account, row.external?, row.amount, row.currency)),
        |known| Some((known.account, known.external?, known.amount, known.currency)),
        |_, _| Verdict::MatchedById,
    );
}
