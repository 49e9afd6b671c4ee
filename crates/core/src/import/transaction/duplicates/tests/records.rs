//! Rows that are the same record of a file: as a table, and as laws over files that are read in any
//! two ways.

use std::num::NonZeroU64;

use proptest::prelude::*;

use super::laws::{Fate, Fields, after, decide_cut, fate, fields, ledger, row_of};
use super::naive;
use super::*;
use Verdict::{DeletedBefore, MatchedByContent, MatchedById, MatchedByRecord, PossibleDuplicate};

fn record(number: u64) -> Option<NonZeroU64> {
    // Bits of a hash lie anywhere.
    NonZeroU64::new(number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// The row with a record.
fn of(number: u64, row: RowKey) -> RowKey {
    RowKey { record: record(number), ..row }
}

/// The entry with a record.
fn made_of(number: u64, known: EntryKey) -> EntryKey {
    EntryKey { record: record(number), ..known }
}

/// One situation and what must come of it.
type Case = (&'static str, Vec<RowKey>, Vec<EntryKey>, Vec<(u32, Verdict, u128)>);

fn check(cases: Vec<Case>) {
    for (what, rows, known, expected) in cases {
        assert_eq!(plain(&decide(&rows, &known)), expected, "{what}");
        let backwards: Vec<RowKey> = rows.iter().rev().copied().collect();
        let twice: Vec<EntryKey> = known.iter().rev().chain(&known).copied().collect();
        assert_eq!(plain(&decide(&backwards, &twice)), expected, "{what}, backwards");
    }
}

#[test]
fn a_record_is_known_however_it_is_read() {
    let shop = || made_of(1, known(7, 1, 500, "Shop", "x1"));
    let found = |row: RowKey, verdict| (vec![of(1, row)], vec![shop()], vec![(0, verdict, 7)]);
    let cases = [
        ("read in the same way", found(row(0, 1, 500, "Shop", ""), MatchedByContent)),
        ("with the bank's id", found(row(0, 9, 500, "Other", "x1"), MatchedById)),
        ("another id", found(row(0, 1, 500, "Other", "x2"), MatchedByRecord)),
        ("another name", found(row(0, 1, 500, "Other", ""), MatchedByRecord)),
        ("another day", found(row(0, 200, 500, "Shop", ""), MatchedByRecord)),
        ("the other sign", found(row(0, 1, -500, "Shop", ""), MatchedByRecord)),
        ("another number, with the id", found(row(0, 1, 50_000, "Shop", "x1"), MatchedByRecord)),
    ];
    check(
        cases.into_iter().map(|(what, (rows, known, found))| (what, rows, known, found)).collect(),
    );
    let other_currency = RowKey { currency: Currency::USD, ..of(1, row(0, 1, 500, "Shop", "")) };
    assert_eq!(plain(&decide(&[other_currency], &[shop()])), [(0, MatchedByRecord, 7)]);
}

#[test]
fn what_is_no_such_record() {
    let shop = made_of(1, known(7, 1, 500, "Shop", ""));
    let elsewhere = RowKey { account: 1, ..of(1, row(0, 1, 500, "Shop", "")) };
    check(vec![
        ("in another account", vec![elsewhere], vec![shop], vec![]),
        ("another record", vec![of(2, row(0, 9, 500, "Other", ""))], vec![shop], vec![]),
        ("no record", vec![row(0, 9, 500, "Other", "")], vec![shop], vec![]),
        (
            "an entry of an earlier version has none",
            vec![of(1, row(0, 9, 500, "Other", ""))],
            vec![known(7, 1, 500, "Shop", "")],
            vec![],
        ),
    ]);
}

#[test]
fn which_entry_a_record_stands_for() {
    let gone = |entry, number, amount| made_of(1, tombstone(entry, number, amount, "Shop", ""));
    let made = |entry, number, amount| made_of(1, known(entry, number, amount, "Shop", ""));
    let bus = |number| of(1, row(number, 2, 300, "Bus", ""));
    check(vec![
        (
            "a deleted one stays deleted",
            vec![bus(0)],
            vec![gone(7, 1, 500)],
            vec![(0, DeletedBefore, 7)],
        ),
        (
            "the living come before the deleted",
            vec![bus(0), bus(1)],
            vec![gone(7, 2, 300), made(8, 1, 500)],
            vec![(0, MatchedByRecord, 8), (1, DeletedBefore, 7)],
        ),
        (
            "equal ones first, then the oldest",
            vec![of(1, row(0, 1, 500, "Shop", "")), bus(1)],
            vec![made(7, 5, 900), made(8, 1, 500), made(9, 6, 900)],
            vec![(0, MatchedByContent, 8), (1, MatchedByRecord, 7)],
        ),
        (
            "of equal records only the surplus is new",
            vec![bus(0), bus(1), bus(2)],
            vec![made(7, 1, 500), made(8, 1, 500)],
            vec![(0, MatchedByRecord, 7), (1, MatchedByRecord, 8)],
        ),
    ]);
}

/// A payment and its refund, with the signs the other way round than before: each looks like the
/// other's entry.
#[test]
fn a_row_that_looks_like_another_takes_its_own_entry() {
    let ledger = [
        made_of(1, known(7, 1, 500, "Shop", "")),
        made_of(2, known(8, 1, -500, "Shop", "")),
        made_of(3, known(9, 4, 700, "Shop", "")),
    ];
    let again = [
        of(1, row(0, 1, -500, "Shop", "")),
        of(2, row(1, 1, 500, "Shop", "")),
        // A new record that resembles an entry, which its own row takes.
        of(4, row(2, 4, 700, "Shop", "")),
        of(3, row(3, 4, -700, "Shop", "")),
    ];
    let expected = [(0, MatchedByRecord, 7), (1, MatchedByRecord, 8), (3, MatchedByRecord, 9)];
    assert_eq!(plain(&decide(&again, &ledger)), expected);
}

#[test]
fn a_changed_entry_is_known_by_its_record() {
    let source = made_of(1, known(7, 1, 500, "Shop", ""));
    let keys = [
        EntryKey { aspect: Aspect::Source, ..source },
        EntryKey { aspect: Aspect::Current, ..made_of(1, known(7, 2, 900, "Mine", "")) },
    ];
    let as_it_is_now = of(1, row(0, 2, 900, "Mine", ""));
    assert_eq!(plain(&decide(&[as_it_is_now], &keys)), [(0, MatchedByRecord, 7)]);
    let other = row(0, 2, 900, "Other", "");
    assert_eq!(plain(&decide(&[other], &keys)), [(0, PossibleDuplicate, 7)]);
}

#[test]
fn a_chunk_wants_its_records() {
    let chunk = Chunk::new(vec![of(1, row(0, 1, 5, "a", "")), of(3, row(1, 1, 5, "b", ""))]);
    let wanted = |number| chunk.wants_record(record(number).unwrap());
    assert_eq!([1, 2, 3, 4].map(wanted), [true, false, true, false]);
    assert!(!Chunk::new(vec![row(0, 1, 5, "a", "")]).wants_record(NonZeroU64::MIN));
}

/// A file that is read in two ways: the account is the same, everything else may differ.
type ReadTwice = Vec<(Fields, Fields, u64)>;

fn read_twice() -> impl Strategy<Value = ReadTwice> {
    let row = (fields(), fields(), 1u64..12).prop_map(|(first, mut second, record)| {
        second.0 = first.0;
        (first, second, record)
    });
    // Equal records are read equally.
    prop::collection::vec(row, 0..16).prop_map(|rows| {
        let first_of = |number: u64| rows.iter().find(|row| row.2 == number).copied();
        rows.iter().filter_map(|row| first_of(row.2)).collect()
    })
}

/// The ledger after an import, which notes the records of the rows with their entries.
fn import(rows: &[RowKey], mut ledger: Vec<EntryKey>) -> Vec<EntryKey> {
    let findings = decide(rows, &ledger);
    for row in rows {
        match findings.iter().find(|finding| finding.row == row.row) {
            Some(finding) if !finding.verdict.creates() => {
                let keys = ledger.iter_mut().filter(|known| known.entry == finding.entry);
                keys.for_each(|known| known.record = row.record);
            }
            _ => ledger.push(created(row, 1000 + u128::from(row.row))),
        }
    }
    ledger
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn the_fast_matcher_equals_the_slow_one_with_records(
        file in prop::collection::vec((fields(), 0u64..4), 0..16),
        ledger in ledger(),
        records in prop::collection::vec(0u64..4, 40),
    ) {
        let rows = file.iter().enumerate().map(|(at, (fields, number))| {
            RowKey { record: record(*number), ..row_of(at, fields) }
        });
        let rows: Vec<RowKey> = rows.collect();
        // Both keys of an entry have its record.
        let known = ledger.into_iter().map(|known| {
            let at = known.entry.0.as_u128() as usize % records.len();
            EntryKey { record: record(records[at]), ..known }
        });
        let known: Vec<EntryKey> = known.collect();
        prop_assert_eq!(decide(&rows, &known), naive::decide(&rows, &known));
    }

    /// The same export with any other settings creates nothing, in any order and chunks, whatever
    /// the ledger had before and whatever became of its entries since.
    #[test]
    fn read_in_any_other_way_it_creates_nothing(
        (file, shuffled) in read_twice()
            .prop_flat_map(|file| (Just(file.clone()), Just(file).prop_shuffle())),
        before in ledger(),
        fates in prop::collection::vec(fate(), 64),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
    ) {
        let rows = file.iter().enumerate().map(|(at, (first, _, number))| {
            RowKey { record: record(*number), ..row_of(at, first) }
        });
        let imported = import(&rows.collect::<Vec<_>>(), before);
        let ledger = imported.into_iter().zip(&fates).flat_map(|(one, fate)| match fate {
            fate if one.aspect == Aspect::Unchanged => after(one, fate),
            _ => vec![one],
        });
        let ledger: Vec<EntryKey> = ledger.collect();
        let again = shuffled.iter().enumerate().map(|(at, (_, second, number))| {
            RowKey { record: record(*number), ..row_of(at, second) }
        });
        let again: Vec<RowKey> = again.collect();
        let findings = decide_cut(&again, &cuts, &ledger);
        prop_assert_eq!(findings.len(), again.len());
        prop_assert!(findings.iter().all(|one| !one.verdict.creates()), "{:?}", findings);
        let is_deleted = |entry: EntryId| {
            ledger.iter().any(|one| one.entry == entry && one.aspect == Aspect::Tombstone)
        };
        for finding in findings {
            let deleted = finding.verdict == DeletedBefore;
            prop_assert_eq!(deleted, is_deleted(finding.entry));
        }
    }
}

#[test]
fn fates_have_records() {
    let keys = after(made_of(1, known(7, 1, 500, "a", "")), &Fate::Changed((0, 2, 1, true, 1, 0)));
    let records: Vec<_> = keys.iter().map(|key| (key.aspect, key.record)).collect();
    assert_eq!(records, [(Aspect::Source, record(1)), (Aspect::Current, None)]);
}
