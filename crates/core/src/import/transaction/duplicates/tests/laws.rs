//! Laws over random small files and ledgers, dense enough that everything collides.

use std::collections::BTreeSet;
use std::num::NonZeroU64;

use proptest::prelude::*;

use super::naive;
use super::*;

/// Account, day, amount, currency, name, id (0 is none).
pub(super) type Fields = (u32, i64, i64, bool, u8, u8);

pub(super) fn fields() -> impl Strategy<Value = Fields> {
    (0u32..2, 1i64..9, 1i64..3, prop::bool::weighted(0.9), 0u8..3, 0u8..4)
}

/// Ids; two are running numbers.
const IDS: [&str; 4] = ["", "A-1", "2", "0003"];

pub(super) fn row_of(number: usize, fields: &Fields) -> RowKey {
    let (account, number_of_day, amount, euros, name, id) = *fields;
    let currency = if euros { Currency::EUR } else { Currency::USD };
    RowKey {
        row: number as u32,
        account,
        date: day(number_of_day),
        amount,
        currency,
        content: content_key(currency, &format!("name {name}")),
        external: (id > 0).then(|| external_key(IDS[usize::from(id)])),
        record: None,
    }
}

pub(super) fn rows_of(fields: &[Fields]) -> Vec<RowKey> {
    fields.iter().enumerate().map(|(at, one)| row_of(at, one)).collect()
}

/// What became of an entry.
#[derive(Debug, Clone)]
pub(super) enum Fate {
    Unchanged,
    /// It has other values now.
    Changed(Fields),
    /// Its bank has not booked it yet.
    Pending,
    Deleted,
}

pub(super) fn fate() -> impl Strategy<Value = Fate> {
    prop_oneof![
        Just(Fate::Unchanged),
        fields().prop_map(Fate::Changed),
        Just(Fate::Pending),
        Just(Fate::Deleted)
    ]
}

/// The keys of an unchanged entry after that.
pub(super) fn after(entry: EntryKey, fate: &Fate) -> Vec<EntryKey> {
    match fate {
        Fate::Unchanged => vec![entry],
        Fate::Pending => vec![entry, EntryKey { aspect: Aspect::Current, ..entry }],
        Fate::Deleted => vec![EntryKey { aspect: Aspect::Tombstone, ..entry }],
        Fate::Changed(now) => {
            let now = created(&row_of(0, now), entry.entry.0.as_u128());
            vec![
                EntryKey { aspect: Aspect::Source, ..entry },
                EntryKey { aspect: Aspect::Current, ..now },
            ]
        }
    }
}

/// Entries with gaps between their ids, some of them changed or deleted; in no order.
pub(super) fn ledger() -> impl Strategy<Value = Vec<EntryKey>> {
    prop::collection::vec((fields(), fate()), 0..16)
        .prop_map(|entries| {
            let entries = (100u128..).zip(entries);
            let keys = entries.flat_map(|(id, (fields, fate))| {
                after(created(&row_of(0, &fields), id + id / 3), &fate)
            });
            keys.collect::<Vec<_>>()
        })
        .prop_shuffle()
}

/// Deletes the entries of some keys.
fn bury(ledger: &mut Vec<EntryKey>, deleted: &[bool]) {
    let chosen = ledger.iter().zip(deleted).filter(|(_, deleted)| **deleted);
    let chosen: BTreeSet<EntryId> = chosen.map(|(known, _)| known.entry).collect();
    ledger.retain(|known| known.aspect != Aspect::Current || !chosen.contains(&known.entry));
    for known in ledger.iter_mut().filter(|known| chosen.contains(&known.entry)) {
        known.aspect = Aspect::Tombstone;
    }
}

/// Decides in chunks; withdrawn flags are left out.
fn decide_in(chunks: &[&[RowKey]], known: &[EntryKey]) -> Vec<Finding> {
    let mut matcher = Matcher::new();
    let mut findings = Vec::new();
    for chunk in chunks {
        findings.extend(matcher.decide(&Chunk::new(chunk.to_vec()), known.to_vec()));
    }
    findings.retain(|finding| matcher.stands(finding));
    findings
}

/// Cuts rows at the given places.
fn cut(rows: &[RowKey], cuts: &[prop::sample::Index]) -> Vec<Vec<RowKey>> {
    let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(rows.len() + 1)).collect();
    places.extend([0, rows.len()]);
    places.sort_unstable();
    places.windows(2).map(|pair| rows[pair[0]..pair[1]].to_vec()).collect()
}

pub(super) fn decide_cut(
    rows: &[RowKey],
    cuts: &[prop::sample::Index],
    known: &[EntryKey],
) -> Vec<Finding> {
    let chunks = cut(rows, cuts);
    let chunks: Vec<&[RowKey]> = chunks.iter().map(Vec::as_slice).collect();
    decide_in(&chunks, known)
}

/// An id that belongs to one content.
fn id_of(date: Date, content: u64) -> NonZeroU64 {
    external_key(&format!("{date} {content}"))
}

/// The ledger after an import.
pub(super) fn import(rows: &[RowKey], mut ledger: Vec<EntryKey>) -> Vec<EntryKey> {
    let findings = decide(rows, &ledger);
    for row in rows {
        let finding = findings.iter().find(|finding| finding.row == row.row);
        if finding.is_none_or(|finding| finding.verdict.creates()) {
            ledger.push(created(row, 1000 + u128::from(row.row)));
        }
    }
    ledger
}

/// Flags apart, how a row ends: chunks may flag other rows.
fn outcome(verdict: Verdict) -> &'static str {
    if verdict.creates() { "created" } else { verdict.as_str() }
}

/// Whether anything is created for the row.
fn existence(verdict: Verdict) -> &'static str {
    if verdict.creates() { "created" } else { "known" }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn the_fast_matcher_equals_the_slow_one(
        fields in prop::collection::vec(fields(), 0..16),
        known in ledger(),
    ) {
        let rows = rows_of(&fields);
        prop_assert_eq!(decide(&rows, &known), naive::decide(&rows, &known));
    }

    /// In one chunk nothing at all depends on the order, flags included.
    #[test]
    fn the_order_of_rows_does_not_matter(
        (fields, shuffled) in prop::collection::vec(fields(), 0..16)
            .prop_flat_map(|fields| (Just(fields.clone()), Just(fields).prop_shuffle())),
        known in ledger(),
    ) {
        let (rows, shuffled) = (rows_of(&fields), rows_of(&shuffled));
        let one = tally(&rows, &decide(&rows, &known), Verdict::as_str);
        let other = tally(&shuffled, &decide(&shuffled, &known), Verdict::as_str);
        prop_assert_eq!(one, other);
    }

    /// Any chunks, any order: with ids that belong to one content, in files in which all rows have
    /// ids or none has, and ledgers of any kind.
    #[test]
    fn chunks_do_not_matter(
        (fields, shuffled) in prop::collection::vec(fields(), 0..16)
            .prop_flat_map(|fields| (Just(fields.clone()), Just(fields).prop_shuffle())),
        known in ledger(),
        with_ids in any::<bool>(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
    ) {
        let (mut rows, mut shuffled, mut known) = (rows_of(&fields), rows_of(&shuffled), known);
        rows.iter_mut().chain(&mut shuffled).for_each(|row| {
            row.external = with_ids.then(|| id_of(row.date, row.content));
        });
        for known in &mut known {
            known.external = known.external.map(|_| id_of(known.date, known.content));
        }
        let whole = tally(&rows, &decide(&rows, &known), outcome);
        let in_chunks = decide_cut(&shuffled, &cuts, &known);
        prop_assert_eq!(whole, tally(&shuffled, &in_chunks, outcome));
    }

    /// What was imported once is not created again, whatever the ledger had before.
    #[test]
    fn importing_twice_is_importing_once(
        (fields, shuffled) in prop::collection::vec(fields(), 0..16)
            .prop_flat_map(|fields| (Just(fields.clone()), Just(fields).prop_shuffle())),
        known in ledger(),
    ) {
        let rows = rows_of(&fields);
        let ledger = import(&rows, known);
        let again = rows_of(&shuffled);
        let counts = tally(&again, &decide(&again, &ledger), existence);
        prop_assert!(counts.keys().all(|key| key.6 == "known"), "{:?}", counts);
    }

    /// Nor if some of it was deleted since, as long as an id belongs to one content.
    #[test]
    fn what_was_deleted_stays_deleted(
        (fields, shuffled) in prop::collection::vec(fields(), 0..16)
            .prop_flat_map(|fields| (Just(fields.clone()), Just(fields).prop_shuffle())),
        known in ledger(),
        deleted in prop::collection::vec(any::<bool>(), 32),
    ) {
        let (mut rows, mut again, mut known) = (rows_of(&fields), rows_of(&shuffled), known);
        rows.iter_mut().chain(&mut again).for_each(|row| {
            row.external = row.external.map(|_| id_of(row.date, row.content));
        });
        for known in &mut known {
            known.external = known.external.map(|_| id_of(known.date, known.content));
        }
        let mut ledger = import(&rows, known);
        bury(&mut ledger, &deleted);
        let counts = tally(&again, &decide(&again, &ledger), existence);
        prop_assert!(counts.keys().all(|key| key.6 == "known"), "{:?}", counts);
    }

    /// The same in any chunks, if the ledger has nothing but the import.
    #[test]
    fn importing_twice_in_chunks_is_importing_once(
        (fields, shuffled) in prop::collection::vec(fields(), 0..16)
            .prop_flat_map(|fields| (Just(fields.clone()), Just(fields).prop_shuffle())),
        deleted in prop::collection::vec(any::<bool>(), 16),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
    ) {
        let (mut rows, mut again) = (rows_of(&fields), rows_of(&shuffled));
        rows.iter_mut().chain(&mut again).for_each(|row| {
            row.external = row.external.map(|_| id_of(row.date, row.content));
        });
        let mut ledger = import(&rows, Vec::new());
        bury(&mut ledger, &deleted);
        let findings = decide_cut(&again, &cuts, &ledger);
        let counts = tally(&again, &findings, existence);
        prop_assert!(counts.keys().all(|key| key.6 == "known"), "{:?}", counts);
        let deleted = |finding: &&Finding| finding.verdict == Verdict::DeletedBefore;
        let tombstones = ledger.iter().filter(|known| known.is_deleted()).count();
        prop_assert_eq!(findings.iter().filter(deleted).count(), tombstones);
    }

    #[test]
    fn of_equal_rows_only_the_surplus_is_created(
        rows in 0u32..40, living in 0u128..40, deleted in 0u128..40, with_id in any::<bool>(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
    ) {
        let id = if with_id { "x1" } else { "" };
        let file: Vec<RowKey> = (0..rows).map(|at| row(at, 1, 500, "Bus", id)).collect();
        let ledger: Vec<EntryKey> = (0..living)
            .map(|at| known(at, 1, 500, "Bus", id))
            .chain((0..deleted).map(|at| tombstone(1000 + at, 1, 500, "Bus", id)))
            .collect();
        let findings = decide_cut(&file, &cuts, &ledger);
        let count = |verdict: Verdict| {
            findings.iter().filter(|finding| finding.verdict == verdict).count() as u128
        };
        let rows = u128::from(rows);
        let matched = if with_id { Verdict::MatchedById } else { Verdict::MatchedByContent };
        prop_assert_eq!(count(matched), rows.min(living));
        let left = rows.saturating_sub(living);
        prop_assert_eq!(count(Verdict::DeletedBefore), left.min(deleted));
        prop_assert_eq!(findings.len() as u128, rows.min(living + deleted), "nothing is flagged");
    }

    /// Deleting one entry turns exactly one row of a repeated import into "deleted before".
    #[test]
    fn a_tombstone_keeps_off_exactly_one_row(
        fields in prop::collection::vec(fields(), 1..16),
        which in any::<prop::sample::Index>(),
    ) {
        let rows = rows_of(&fields);
        let mut ledger: Vec<EntryKey> =
            rows.iter().map(|row| created(row, u128::from(row.row))).collect();
        let which = which.index(rows.len());
        ledger[which].aspect = Aspect::Tombstone;
        let findings = decide(&rows, &ledger);
        let deleted: Vec<&Finding> =
            findings.iter().filter(|one| one.verdict == Verdict::DeletedBefore).collect();
        prop_assert_eq!(deleted.len(), 1);
        prop_assert_eq!(deleted[0].entry, ledger[which].entry);
        prop_assert_eq!(findings.len(), rows.len());
        prop_assert!(findings.iter().all(|finding| !finding.verdict.creates()));
    }
}
