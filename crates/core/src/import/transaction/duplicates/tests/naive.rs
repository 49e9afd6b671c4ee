//! The same rules, written down plainly and slowly: pairs of all with all, best first.
//!
//! Origins and present values are two lists here, so that no rule can see the other one's.

use super::super::{FAR_DAYS, NEAR_DAYS, NUMBER_DAYS, is_running_number};
use super::*;

/// How good a pair of a row and an entry is under a rule; less is better, `None` is no pair.
type Rank = (bool, bool, Date, EntryId);

/// Decides one chunk of rows in the order of their keys.
pub(super) fn decide(rows: &[RowKey], known: &[EntryKey]) -> Vec<Finding> {
    let mut rows = rows.to_vec();
    rows.sort_by_key(|row| {
        let reading = (row.amount, row.currency, row.date, row.content, row.external);
        (reading, row.record, row.row)
    });
    let mut findings: Vec<Finding> = Vec::new();
    let is_open = |findings: &[Finding], row: &RowKey| findings.iter().all(|f| f.row != row.row);
    let is_free =
        |findings: &[Finding], known: &EntryKey| findings.iter().all(|f| f.entry != known.entry);
    let of = |wanted: &[Aspect]| -> Vec<EntryKey> {
        known.iter().filter(|one| wanted.contains(&one.aspect)).copied().collect()
    };
    let origins = of(&[Aspect::Unchanged, Aspect::Source, Aspect::Tombstone]);
    let is_now = of(&[Aspect::Unchanged, Aspect::Current]);
    take_by_record(&rows, &origins, &mut findings);
    for (deleted, same) in ORDERS {
        let rank = |row: &RowKey, known: &EntryKey| {
            let equal = row.date == known.date && row.content == known.content;
            let pair = has_id_of(row, known)
                && (!row.external.is_some_and(is_running_number)
                    || hours_apart(row, known) <= 24 * i64::from(NUMBER_DAYS))
                && (known.aspect == Aspect::Tombstone) == deleted
                && (equal || !same);
            pair.then_some((false, false, day_of(known, same), known.entry))
        };
        take(&rows, &origins, &mut findings, |_, _| Verdict::MatchedById, rank);
    }
    // By content: rows with ids, then rows without.
    for with_id in [true, false] {
        let rank = |row: &RowKey, known: &EntryKey| {
            let pair = is_of_one_amount(row, known)
                && row.date == known.date
                && row.content == known.content
                && row.external.is_some() == with_id
                && (known.external.is_none() || !with_id);
            let deleted = known.aspect == Aspect::Tombstone;
            pair.then_some((deleted, known.external.is_some(), Date::MIN, known.entry))
        };
        take(&rows, &origins, &mut findings, |_, _| Verdict::MatchedByContent, rank);
    }
    // Near: all pairs, the nearest first.
    let mut pairs = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        for known in is_now.iter().filter(|known| is_of_one_amount(row, known)) {
            let hours = hours_apart(row, known);
            if hours <= 24 * i64::from(NEAR_DAYS) {
                pairs.push((hours, known.entry, at, *known));
            }
        }
    }
    pairs.sort_by_key(|(hours, entry, at, _)| (*hours, *entry, *at));
    for (_, entry, at, known) in pairs {
        if is_open(&findings, &rows[at]) && is_free(&findings, &known) {
            let RowKey { row, account, date, amount, .. } = rows[at];
            let verdict = Verdict::PossibleDuplicate;
            findings.push(Finding { row, verdict, entry, account, date, amount });
        }
    }
    take(&rows, &is_now, &mut findings, |_, _| Verdict::PossibleDuplicate, far_off);
    findings.sort_by_key(|finding| finding.row);
    findings
}

/// The same id on a far-off day.
fn far_off(row: &RowKey, known: &EntryKey) -> Option<Rank> {
    let is_near = !row.external.is_some_and(is_running_number)
        || hours_apart(row, known) <= 24 * i64::from(FAR_DAYS);
    (has_id_of(row, known) && is_near).then_some((false, false, known.date, known.entry))
}

fn has_id_of(row: &RowKey, known: &EntryKey) -> bool {
    row.external.is_some() && row.external == known.external && is_of_one_amount(row, known)
}

fn hours_apart(row: &RowKey, known: &EntryKey) -> i64 {
    row.date.duration_until(known.date).as_hours().abs()
}

/// Living, then tombstones; in each the equal ones, then the rest.
const ORDERS: [(bool, bool); 4] = [(false, true), (false, false), (true, true), (true, false)];

/// Gives rows the entries of an equal record.
fn take_by_record(rows: &[RowKey], origins: &[EntryKey], findings: &mut Vec<Finding>) {
    for (deleted, same) in ORDERS {
        let rank = |row: &RowKey, known: &EntryKey| {
            let equal = is_of_one_amount(row, known)
                && row.date == known.date
                && row.content == known.content;
            let pair = row.record.is_some()
                && (row.record, row.account) == (known.record, known.account)
                && (known.aspect == Aspect::Tombstone) == deleted
                && (equal || !same);
            pair.then_some((
                false,
                same && known.external.is_some(),
                day_of(known, same),
                known.entry,
            ))
        };
        take(rows, origins, findings, by_record, rank);
    }
}

/// Why a row of the same record stands for an entry: the bank's id, the fingerprint, or neither.
fn by_record(row: &RowKey, known: &EntryKey) -> Verdict {
    let is_equal = is_of_one_amount(row, known);
    if is_equal && row.external.is_some() && row.external == known.external {
        Verdict::MatchedById
    } else if is_equal && row.date == known.date && row.content == known.content {
        Verdict::MatchedByContent
    } else {
        Verdict::MatchedByRecord
    }
}

/// Days come first where they may differ.
fn day_of(known: &EntryKey, same: bool) -> Date {
    if same { Date::MIN } else { known.date }
}

fn is_of_one_amount(row: &RowKey, known: &EntryKey) -> bool {
    (row.account, row.amount, row.currency) == (known.account, known.amount, known.currency)
}

/// Gives each open row the best free entry.
fn take(
    rows: &[RowKey],
    known: &[EntryKey],
    findings: &mut Vec<Finding>,
    verdict: impl Fn(&RowKey, &EntryKey) -> Verdict,
    rank: impl Fn(&RowKey, &EntryKey) -> Option<Rank>,
) {
    for row in rows {
        if findings.iter().any(|finding| finding.row == row.row) {
            continue;
        }
        let free = known.iter().filter(|one| findings.iter().all(|f| f.entry != one.entry));
        let ranked = free.filter_map(|one| Some((rank(row, one)?, one)));
        if let Some((_, best)) = ranked.min_by_key(|(rank, _)| *rank) {
            let verdict = match best.aspect {
                Aspect::Tombstone => Verdict::DeletedBefore,
                _ => verdict(row, best),
            };
            let RowKey { row, account, date, amount, .. } = *row;
            findings.push(Finding { row, verdict, entry: best.entry, account, date, amount });
        }
    }
}
