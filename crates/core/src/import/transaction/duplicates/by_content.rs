//! Rule 3: other rows take entries with an equal fingerprint, as a multiset.
//!
//! A row with an id never takes an entry that has another one (one with the same id was rule 2's),
//! so it takes only entries without. Those rows choose first: a row without an id has more to
//! choose from. It prefers entries without an id, because the others' rows may be yet to come. What
//! a person made of an entry since doesn't count.

use super::matcher::ChunkDecisions;
use super::runs::join;
use crate::import::verdict::Verdict;

pub(super) fn decide(deciding: &mut ChunkDecisions<'_>) {
    let (rows, known) = (deciding.rows, deciding.known);
    join(
        rows,
        known,
        |row| (row.account, row.amount, row.currency, row.date, row.content),
        |known| (known.account, known.amount, known.currency, known.date, known.content),
        |some_rows, some_known| {
            for row_has_id in [true, false] {
                let mut free = some_known.clone();
                for row in some_rows.clone() {
                    if rows[row].external.is_some() != row_has_id || !deciding.is_open(row) {
                        continue;
                    }
                    let next = free.find(|at| {
                        let allowed = !row_has_id || known[*at].external.is_none();
                        known[*at].aspect.is_exact() && allowed && deciding.is_free(*at)
                    });
                    let Some(next) = next else { break };
                    deciding.take(row, next, Verdict::MatchedByContent);
                }
            }
        },
    );
}
