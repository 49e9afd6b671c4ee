//! Rows and entries with an equal key: the multiset of the rules that find entries by an id or by a
//! record.
//!
//! Of N rows against M entries N − M are left over. What a person made of an entry since doesn't
//! count. Living entries come before tombstones; among each those with an origin equal to the row,
//! then the others by their days: rows go by their days, too, so that as many as can find one.

use std::collections::VecDeque;

use super::matcher::ChunkDecisions;
use super::runs::join;
use super::{EntryKey, RowKey};
use crate::import::verdict::Verdict;

/// Entries of one key that are looked at for a row: more are far too many for any bank.
const LOOKED_AT_MAX: usize = 1_000;

/// What a rule finds out about a row and an entry of the same key.
pub(super) struct Rule<M, V> {
    /// Whether the row may stand for the entry.
    pub(super) may_stand: M,
    /// The reason if the entry lives.
    pub(super) verdict: V,
}

/// Rows take entries of the same key; those without one are left to the next rule.
pub(super) fn decide<K: Ord>(
    deciding: &mut ChunkDecisions<'_>,
    row_key: impl Fn(&RowKey) -> Option<K>,
    known_key: impl Fn(&EntryKey) -> Option<K>,
    rule: &Rule<impl Fn(&RowKey, &EntryKey) -> bool, impl Fn(&RowKey, &EntryKey) -> Verdict>,
) {
    let (all_rows, all_known) = (deciding.rows, deciding.known);
    let row_of = |at: &usize| row_key(&all_rows[*at]);
    let known_of = |at: &usize| known_key(&all_known[*at]);
    let is_candidate = |at: &usize| deciding.is_open(*at) && row_of(at).is_some();
    let mut rows: Vec<usize> = (0..all_rows.len()).filter(is_candidate).collect();
    let is_exact = |at: &usize| {
        all_known[*at].aspect.is_exact() && deciding.is_free(*at) && known_of(at).is_some()
    };
    let mut known: Vec<usize> = (0..all_known.len()).filter(is_exact).collect();
    // Positions stand for what the lists are sorted by, wherever the key is equal.
    rows.sort_unstable_by(|one, other| (row_of(one), one).cmp(&(row_of(other), other)));
    known.sort_unstable_by(|one, other| {
        let rank = |at: &usize| (known_of(at), all_known[*at].is_deleted(), *at);
        rank(one).cmp(&rank(other))
    });
    join(&rows, &known, row_of, known_of, |some_rows, some_known| {
        let (rows, known) = (&rows[some_rows], &known[some_known]);
        let living = known.partition_point(|at| !all_known[*at].is_deleted());
        take_run(deciding, rows, &known[..living], rule);
        take_run(deciding, rows, &known[living..], rule);
    });
}

/// Pairs rows and entries of one key, both sorted by amount, day and content.
fn take_run(
    deciding: &mut ChunkDecisions<'_>,
    rows: &[usize],
    known: &[usize],
    rule: &Rule<impl Fn(&RowKey, &EntryKey) -> bool, impl Fn(&RowKey, &EntryKey) -> Verdict>,
) {
    if known.is_empty() {
        return;
    }
    let (all_rows, all_known) = (deciding.rows, deciding.known);
    let reason = |row: usize, known: usize| (rule.verdict)(&all_rows[row], &all_known[known]);
    let may_stand = |row: usize, known: usize| (rule.may_stand)(&all_rows[row], &all_known[known]);
    let rows: Vec<usize> = rows.iter().copied().filter(|at| deciding.is_open(*at)).collect();
    let reading = |at: &usize| {
        let row = &all_rows[*at];
        (row.amount, row.currency, row.date, row.content)
    };
    let origin = |at: &usize| {
        let known = &all_known[*at];
        (known.amount, known.currency, known.date, known.content)
    };
    join(&rows, known, reading, origin, |some_rows, some_known| {
        for (row, known) in rows[some_rows].iter().zip(&known[some_known]) {
            deciding.take(*row, *known, reason(*row, *known));
        }
    });
    let mut free: Vec<usize> = known.iter().copied().filter(|at| deciding.is_free(*at)).collect();
    free.sort_unstable_by_key(|at| (all_known[*at].date, all_known[*at].entry));
    let mut free = VecDeque::from(free);
    let open: Vec<usize> = rows.into_iter().filter(|at| deciding.is_open(*at)).collect();
    for row in open {
        let found = free.iter().take(LOOKED_AT_MAX).position(|known| may_stand(row, *known));
        if let Some(known) = found.and_then(|at| free.remove(at)) {
            deciding.take(row, known, reason(row, known));
        }
    }
}
