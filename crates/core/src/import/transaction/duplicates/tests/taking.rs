//! Rules 1 and 2 as tables: which rows stand for which entries.

use super::super::is_running_number;
use super::*;
use Verdict::{DeletedBefore, MatchedByContent, MatchedById, PossibleDuplicate};

/// One situation and what must come of it.
struct Case {
    what: &'static str,
    rows: Vec<RowKey>,
    known: Vec<EntryKey>,
    expected: Vec<(u32, Verdict, u128)>,
}

fn check(cases: Vec<Case>) {
    for Case { what, rows, known, expected } in cases {
        assert_eq!(plain(&decide(&rows, &known)), expected, "{what}");
        // Neither the order nor finding an entry twice makes a difference.
        let backwards: Vec<RowKey> = rows.iter().rev().copied().collect();
        let twice: Vec<EntryKey> = known.iter().rev().chain(&known).copied().collect();
        assert_eq!(plain(&decide(&backwards, &twice)), expected, "{what}, backwards");
    }
}

#[test]
fn running_numbers() {
    check(vec![
        Case {
            what: "a running number on a far-off day is not trusted, but flagged",
            rows: vec![row(0, 1, 500, "Rent", "3")],
            known: vec![known(7, 8, 500, "Rent", "3")],
            expected: vec![(0, PossibleDuplicate, 7)],
        },
        Case {
            what: "a fee that has its number in each statement isn't that of the month before",
            rows: vec![row(0, 31, 500, "Fee", "3"), row(1, 21, 500, "Fee", "3")],
            known: vec![known(7, 1, 500, "Fee", "3"), known(8, 60, 500, "Fee", "3")],
            expected: vec![(1, PossibleDuplicate, 7)],
        },
        Case {
            what: "nor keeps one that was deleted off another",
            rows: vec![row(0, 1, 500, "Rent", "3")],
            known: vec![tombstone(7, 8, 500, "Rent", "3")],
            expected: vec![],
        },
        Case {
            what: "of several with the id the one on a near day",
            rows: vec![row(0, 20, 500, "Rent", "3")],
            known: vec![known(7, 1, 500, "Rent", "3"), known(8, 21, 500, "RENT", "3")],
            expected: vec![(0, MatchedById, 8)],
        },
        Case {
            what: "by their days, so that as many as can find one",
            rows: vec![row(0, 1, 500, "Rent", "3"), row(1, 12, 500, "Rent", "3")],
            known: vec![known(7, 7, 500, "RENT", "3"), known(8, 2, 500, "RENT", "3")],
            expected: vec![(0, MatchedById, 8), (1, MatchedById, 7)],
        },
    ]);
}

#[test]
fn ids_of_deleted_entries() {
    check(vec![
        Case {
            what: "what was deleted stays deleted on any day",
            rows: vec![row(0, 1, 500, "Rent", "x3")],
            known: vec![tombstone(7, 28, 500, "Rent", "x3")],
            expected: vec![(0, DeletedBefore, 7)],
        },
        Case {
            what: "a deleted one stays deleted",
            rows: vec![row(0, 1, 500, "Shop", "x1")],
            known: vec![tombstone(7, 7, 500, "SHOP", "x1")],
            expected: vec![(0, DeletedBefore, 7)],
        },
        Case {
            what: "a living one comes before a tombstone, whatever it says",
            rows: vec![row(0, 1, 500, "a", "x1")],
            known: vec![tombstone(7, 1, 500, "a", "x1"), known(8, 2, 500, "b", "x1")],
            expected: vec![(0, MatchedById, 8)],
        },
    ]);
}

#[test]
fn the_banks_id() {
    check(vec![
        Case {
            what: "day and name may differ",
            rows: vec![row(0, 1, 500, "Shop", "x1")],
            known: vec![known(7, 7, 500, "SHOP 0815", "x1")],
            expected: vec![(0, MatchedById, 7)],
        },
        Case {
            what: "however many days may be between",
            rows: vec![row(0, 1, 500, "Rent", "x3")],
            known: vec![known(7, 28, 500, "Rent", "x3")],
            expected: vec![(0, MatchedById, 7)],
        },
        Case {
            what: "another amount is not trusted",
            rows: vec![row(0, 1, 500, "Shop", "x1")],
            known: vec![known(7, 1, 501, "Shop", "x1")],
            expected: vec![],
        },
        Case {
            what: "an id with another amount leaves the row to the fingerprint",
            rows: vec![row(0, 1, 500, "Shop", "x1")],
            known: vec![known(7, 1, 501, "Shop", "x1"), known(8, 1, 500, "Shop", "")],
            expected: vec![(0, MatchedByContent, 8)],
        },
        Case {
            what: "another account",
            rows: vec![RowKey { account: 1, ..row(0, 1, 500, "Shop", "x1") }],
            known: vec![known(7, 1, 500, "Shop", "x1")],
            expected: vec![],
        },
        Case {
            what: "another currency",
            rows: vec![RowKey { currency: Currency::USD, ..row(0, 1, 500, "Shop", "x1") }],
            known: vec![known(7, 1, 500, "Shop", "x1")],
            expected: vec![],
        },
        Case {
            what: "N rows with the id against M entries",
            rows: vec![
                row(0, 1, 500, "a", "x1"),
                row(1, 2, 500, "b", "x1"),
                row(2, 3, 500, "c", "x1"),
            ],
            known: vec![known(8, 7, 500, "d", "x1"), known(7, 7, 500, "e", "x1")],
            expected: vec![(0, MatchedById, 7), (1, MatchedById, 8)],
        },
        Case {
            what: "of several with the id the one that says the same",
            rows: vec![row(0, 1, 500, "a", "x1"), row(1, 2, 500, "b", "x1")],
            known: vec![known(7, 2, 500, "b", "x1"), known(8, 1, 500, "a", "x1")],
            expected: vec![(0, MatchedById, 8), (1, MatchedById, 7)],
        },
        Case {
            what: "the id comes before the fingerprint",
            rows: vec![row(0, 1, 500, "a", "x1"), row(1, 1, 500, "a", "")],
            known: vec![known(7, 1, 500, "a", "x1"), known(8, 1, 500, "a", "")],
            expected: vec![(0, MatchedById, 7), (1, MatchedByContent, 8)],
        },
    ]);
}

#[test]
fn the_fingerprint() {
    let one = row(0, 1, 500, "Shop", "");
    let other = |change: fn(&mut EntryKey)| {
        let mut entry = known(7, 1, 500, "Shop", "");
        change(&mut entry);
        vec![entry]
    };
    check(vec![
        Case {
            what: "equal",
            rows: vec![one],
            known: other(|_| ()),
            expected: vec![(0, MatchedByContent, 7)],
        },
        Case {
            what: "another name is only near",
            rows: vec![one],
            known: other(|known| known.content += 1),
            expected: vec![(0, PossibleDuplicate, 7)],
        },
        Case {
            what: "another day is only near",
            rows: vec![one],
            known: other(|known| known.date = day(2)),
            expected: vec![(0, PossibleDuplicate, 7)],
        },
        Case {
            what: "another amount",
            rows: vec![one],
            known: other(|known| known.amount = -500),
            expected: vec![],
        },
        Case {
            what: "another account",
            rows: vec![one],
            known: other(|known| known.account = 1),
            expected: vec![],
        },
        Case {
            what: "another currency",
            rows: vec![one],
            known: other(|known| known.currency = Currency::USD),
            expected: vec![],
        },
        Case {
            what: "a tombstone, even in the same day and amount of a living one",
            rows: vec![one],
            known: vec![tombstone(7, 1, 500, "Shop", ""), known(8, 1, 500, "Bar", "")],
            expected: vec![(0, DeletedBefore, 7)],
        },
    ]);
}

#[test]
fn equal_rows_are_a_multiset() {
    let rows = |count| (0..count).map(|at| row(at, 1, 500, "Bus", "")).collect::<Vec<_>>();
    check(vec![
        Case {
            what: "three rows against two entries, the older first",
            rows: rows(3),
            known: vec![known(9, 1, 500, "Bus", ""), known(8, 1, 500, "Bus", "")],
            expected: vec![(0, MatchedByContent, 8), (1, MatchedByContent, 9)],
        },
        Case {
            what: "living before tombstones, and a tombstone keeps off one row",
            rows: rows(3),
            known: vec![tombstone(7, 1, 500, "Bus", ""), known(8, 1, 500, "Bus", "")],
            expected: vec![(0, MatchedByContent, 8), (1, DeletedBefore, 7)],
        },
        Case {
            what: "one row against three entries",
            rows: rows(1),
            known: (7..10).map(|id| known(id, 1, 500, "Bus", "")).collect(),
            expected: vec![(0, MatchedByContent, 7)],
        },
    ]);
}

#[test]
fn rows_and_entries_with_and_without_ids() {
    check(vec![
        Case {
            what: "an unknown id takes an entry without",
            rows: vec![row(0, 1, 500, "a", "x1")],
            known: vec![known(7, 1, 500, "a", "")],
            expected: vec![(0, MatchedByContent, 7)],
        },
        Case {
            what: "an unknown id does not take an entry with another, but is flagged",
            rows: vec![row(0, 1, 500, "a", "x1")],
            known: vec![known(7, 1, 500, "a", "x2")],
            expected: vec![(0, PossibleDuplicate, 7)],
        },
        Case {
            what: "nor its tombstone",
            rows: vec![row(0, 1, 500, "a", "x1")],
            known: vec![tombstone(7, 1, 500, "a", "x2")],
            expected: vec![],
        },
        Case {
            what: "a row without an id takes an entry with one",
            rows: vec![row(0, 1, 500, "a", "")],
            known: vec![known(7, 1, 500, "a", "x2")],
            expected: vec![(0, MatchedByContent, 7)],
        },
        Case {
            what: "it prefers an entry without, even a younger one",
            rows: vec![row(0, 1, 500, "a", "")],
            known: vec![known(7, 1, 500, "a", "x2"), known(8, 1, 500, "a", "")],
            expected: vec![(0, MatchedByContent, 8)],
        },
        Case {
            what: "but a living one with an id before a tombstone without",
            rows: vec![row(0, 1, 500, "a", "")],
            known: vec![known(8, 1, 500, "a", "x2"), tombstone(7, 1, 500, "a", "")],
            expected: vec![(0, MatchedByContent, 8)],
        },
        Case {
            what: "who can take less chooses first",
            rows: vec![row(0, 1, 500, "a", ""), row(1, 1, 500, "a", "x1")],
            known: vec![known(7, 1, 500, "a", ""), known(8, 1, 500, "a", "x2")],
            expected: vec![(0, MatchedByContent, 8), (1, MatchedByContent, 7)],
        },
        Case {
            what: "what is left of an id takes entries without by fingerprint",
            rows: vec![row(0, 1, 500, "a", "x1"), row(1, 1, 500, "a", "x1")],
            known: vec![known(7, 1, 500, "a", "x1"), known(8, 1, 500, "a", "")],
            expected: vec![(0, MatchedById, 7), (1, MatchedByContent, 8)],
        },
    ]);
}

#[test]
fn what_a_chunk_took_the_next_can_not_take() {
    let mut matcher = Matcher::new();
    let ledger = vec![known(7, 1, 500, "Bus", ""), tombstone(8, 1, 500, "Bus", "")];
    let mut verdicts = Vec::new();
    for at in 0..3 {
        let chunk = Chunk::new(vec![row(at, 1, 500, "Bus", "")]);
        verdicts.extend(plain(&matcher.decide(&chunk, ledger.clone())));
    }
    assert_eq!(verdicts, [(0, MatchedByContent, 7), (1, DeletedBefore, 8)]);
}

#[test]
fn keys_distinguish_texts_and_stay_the_same() {
    assert_eq!(content_key(Currency::EUR, "Shop"), content_key(Currency::EUR, "Shop"));
    assert_ne!(content_key(Currency::EUR, "Shop"), content_key(Currency::USD, "Shop"));
    assert_ne!(content_key(Currency::EUR, "Shop"), content_key(Currency::EUR, "shop"));
    assert_ne!(content_key(Currency::EUR, ""), content_key(Currency::EUR, " "));
    assert_eq!(external_key("1"), external_key("1"));
    assert_ne!(external_key("1"), external_key("2"));
    let is_number = |id| is_running_number(external_key(id));
    assert!(["1", "0001", "9999", "000012", "#0001"].into_iter().all(is_number));
    assert!(["10000", "A1", "1-1", "FT2403"].into_iter().all(|id| !is_number(id)));
}
