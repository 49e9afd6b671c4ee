//! Rule 1: rows with an id of the bank take entries with that id in the account and an equal
//! amount.
//!
//! Banks repeat ids, so this is a multiset too: of N rows against M entries N − M are left over.
//! What a person made of an entry since doesn't count. Living entries come before tombstones; among
//! each those with an origin equal to the row, then the others, older before younger.
//! An id with another amount is not trusted: its rows are left to the next rule.

use std::num::NonZeroU64;

use super::matcher::ChunkDecisions;
use super::runs::join;
use super::{EntryKey, RowKey};
use crate::import::verdict::Verdict;
use crate::money::Currency;

pub(super) fn decide(deciding: &mut ChunkDecisions<'_>) {
    let (all_rows, all_known) = (deciding.rows, deciding.known);
    let mut rows: Vec<usize> =
        (0..all_rows.len()).filter(|row| all_rows[*row].external.is_some()).collect();
    let has_id = |known: &EntryKey| known.external.is_some() && known.aspect.is_exact();
    let mut known: Vec<usize> =
        (0..all_known.len()).filter(|known| has_id(&all_known[*known])).collect();
    // Positions stand for what the lists are sorted by, wherever the first part is equal.
    rows.sort_unstable_by_key(|at| (row_id(&all_rows[*at]), *at));
    known.sort_unstable_by_key(|at| {
        let one = &all_known[*at];
        (known_id(one), one.is_deleted(), *at)
    });
    join(
        &rows,
        &known,
        |at| row_id(&all_rows[*at]),
        |at| known_id(&all_known[*at]),
        |some_rows, some_known| {
            let (rows, known) = (&rows[some_rows], &known[some_known]);
            let living = known.partition_point(|at| !all_known[*at].is_deleted());
            take_run(deciding, rows, &known[..living]);
            take_run(deciding, rows, &known[living..]);
        },
    );
}

/// Pairs rows and entries of one id and amount, both sorted by day and content.
fn take_run(deciding: &mut ChunkDecisions<'_>, rows: &[usize], known: &[usize]) {
    if known.is_empty() {
        return;
    }
    let (all_rows, all_known) = (deciding.rows, deciding.known);
    let rows: Vec<usize> = rows.iter().copied().filter(|at| deciding.is_open(*at)).collect();
    join(
        &rows,
        known,
        |at| (all_rows[*at].date, all_rows[*at].content),
        |at| (all_known[*at].date, all_known[*at].content),
        |some_rows, some_known| {
            for (row, known) in rows[some_rows].iter().zip(&known[some_known]) {
                deciding.take(*row, *known, Verdict::MatchedById);
            }
        },
    );
    let mut free: Vec<usize> = known.iter().copied().filter(|at| deciding.is_free(*at)).collect();
    free.sort_unstable_by_key(|at| all_known[*at].entry);
    let open: Vec<usize> = rows.into_iter().filter(|at| deciding.is_open(*at)).collect();
    for (row, known) in open.into_iter().zip(free) {
        deciding.take(row, known, Verdict::MatchedById);
    }
}

/// Account, id of the bank, amount, currency.
type Id = (u32, Option<NonZeroU64>, i64, Currency);

fn row_id(row: &RowKey) -> Id {
    (row.account, row.external, row.amount, row.currency)
}

fn known_id(known: &EntryKey) -> Id {
    (known.account, known.external, known.amount, known.currency)
}
