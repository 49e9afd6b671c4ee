//! Rule 3 as tables: which rows are flagged, with which entries.

use super::*;
use Verdict::{MatchedByContent, PossibleDuplicate};

/// Row, entry, of rows named differently from every entry.
fn flags(rows: &[RowKey], known: &[EntryKey]) -> Vec<(u32, u128)> {
    let findings = decide(rows, known);
    assert!(findings.iter().all(|one| one.verdict == PossibleDuplicate), "{findings:?}");
    plain(&findings).into_iter().map(|(row, _, entry)| (row, entry)).collect()
}

#[test]
fn three_days_are_near_and_four_are_not() {
    for (days, near) in [(-4, false), (-3, true), (0, true), (3, true), (4, false)] {
        let found = flags(&[row(0, 10, 500, "a", "")], &[known(7, 10 + days, 500, "b", "")]);
        assert_eq!(!found.is_empty(), near, "{days} days");
    }
    // Over the end of a year.
    let found = flags(&[row(0, 214, 500, "a", "")], &[known(7, 217, 500, "b", "")]);
    assert_eq!((day(214), found), (Date::constant(2024, 12, 31), vec![(0, 7)]));
}

#[test]
fn the_nearest_comes_first() {
    // Days of rows, ids and days of entries, rows that are flagged and with which entry.
    type Case = (&'static str, &'static [i64], &'static [(u128, i64)], &'static [(u32, u128)]);
    let cases: [Case; 7] = [
        ("same day", &[10], &[(7, 9), (8, 10), (9, 11)], &[(0, 8)]),
        ("one day before three", &[10], &[(7, 7), (8, 11)], &[(0, 8)]),
        ("the older of two that are equally far", &[10], &[(8, 9), (7, 11)], &[(0, 7)]),
        ("the nearer row", &[10, 11], &[(7, 12)], &[(1, 7)]),
        ("the earlier row of two that are equally far", &[11, 9], &[(7, 10)], &[(1, 7)]),
        ("each entry flags one", &[10, 10], &[(7, 10)], &[(0, 7)]),
        ("each row is flagged once", &[10], &[(7, 10), (8, 10)], &[(0, 7)]),
    ];
    for (what, rows, entries, expected) in cases {
        let rows: Vec<RowKey> =
            (0..).zip(rows).map(|(at, day)| row(at, *day, 500, "a", "")).collect();
        let known: Vec<EntryKey> =
            entries.iter().map(|(id, day)| known(*id, *day, 500, "b", "")).collect();
        assert_eq!(flags(&rows, &known), expected, "{what}");
    }
}

#[test]
fn what_is_no_neighbour() {
    let one = row(0, 10, 500, "a", "");
    let entry = known(7, 10, 500, "b", "");
    assert_eq!(flags(&[one], &[entry]), [(0, 7)]);
    for (what, other) in [
        ("another amount", EntryKey { amount: 501, ..entry }),
        ("another account", EntryKey { account: 1, ..entry }),
        ("another currency", EntryKey { currency: Currency::USD, ..entry }),
        ("a tombstone", EntryKey { aspect: Aspect::Tombstone, ..entry }),
    ] {
        assert_eq!(flags(&[one], &[other]), [], "{what}");
    }
}

#[test]
fn an_entry_that_a_row_stands_for_flags_nothing() {
    let rows = [row(0, 10, 500, "a", ""), row(1, 10, 500, "b", "")];
    assert_eq!(plain(&decide(&rows, &[known(7, 10, 500, "b", "")])), [(1, MatchedByContent, 7)]);
}

#[test]
fn chunks_share_what_flagged_and_withdraw_what_was_taken() {
    let mut matcher = Matcher::new();
    let ledger = vec![known(7, 10, 500, "b", ""), known(8, 12, 500, "c", "")];
    let decide =
        |matcher: &mut Matcher, row| matcher.decide(&Chunk::new(vec![row]), ledger.clone());
    let first = decide(&mut matcher, row(0, 10, 500, "a", ""));
    let second = decide(&mut matcher, row(1, 10, 500, "a", ""));
    assert_eq!(plain(&first), [(0, PossibleDuplicate, 7)]);
    assert_eq!(plain(&second), [(1, PossibleDuplicate, 8)]);
    assert!(matcher.stands(&first[0]) && matcher.stands(&second[0]));
    let third = decide(&mut matcher, row(2, 10, 500, "b", ""));
    assert_eq!(plain(&third), [(2, MatchedByContent, 7)], "being flagged does not keep it away");
    assert!(!matcher.stands(&first[0]), "its entry was taken");
    assert!(matcher.stands(&second[0]) && matcher.stands(&third[0]));
    assert!(decide(&mut matcher, row(3, 10, 500, "a", "")).is_empty(), "nothing is left");
}
