//! Many equal rows and many entries: a matcher that compares all with all would not end.

use super::*;
use crate::ids::IdGenerator;

const MANY: u32 = 200_000;

#[test]
fn many_equal_rows() {
    for id in ["", "x1"] {
        let rows: Vec<RowKey> = (0..MANY).map(|at| row(at, 1, 500, "Bus", id)).collect();
        let half = u128::from(MANY / 2);
        let ledger: Vec<EntryKey> = (0..half).map(|at| known(at, 1, 500, "Bus", id)).collect();
        let findings = decide(&rows, &ledger);
        assert_eq!(findings.len() as u128, half);
        assert!(findings.iter().all(|finding| finding.verdict.matches()));
    }
}

#[test]
fn many_that_are_only_near() {
    let days = |at: u32| i64::from(at % 20) * 10;
    let rows: Vec<RowKey> = (0..MANY).map(|at| row(at, days(at), 500, "a", "")).collect();
    let ledger: Vec<EntryKey> =
        (0..MANY).map(|at| known(at.into(), days(at) + 3, 500, "b", "")).collect();
    let findings = decide(&rows, &ledger);
    assert_eq!(findings.len(), MANY as usize);
    assert!(findings.iter().all(|finding| finding.verdict == Verdict::PossibleDuplicate));
}

/// An import's entries have consecutive ids: however rows come, what was taken stays small.
#[test]
fn what_was_taken_stays_small() {
    let block = IdGenerator::default().reserve(1_700_000_000_000, u128::MAX, u64::from(MANY));
    let row = |at: u32| row(at, i64::from(at % 365), i64::from(at * 7919 % 1000), "a", "");
    let mut matcher = Matcher::new();
    for chunk in 0..4 {
        let numbers = (0..MANY).filter(|at| at % 4 == chunk);
        let rows: Vec<RowKey> = numbers.map(row).collect();
        let ledger =
            rows.iter().map(|row| created(row, block.get(u64::from(row.row)).as_u128())).collect();
        assert_eq!(matcher.decide(&Chunk::new(rows), ledger).len(), MANY as usize / 4);
    }
    assert!(matcher.intervals() <= 2, "{} intervals", matcher.intervals());
}
