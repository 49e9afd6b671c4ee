//! Entries that were changed: rows stand for them by their origin, and resemble them by their
//! present values.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::super::{NEAR_DAYS, NUMBER_DAYS, is_running_number};
use super::laws::{Fate, after, decide_cut, fate, fields, import, ledger, rows_of};
use super::*;
use Verdict::{MatchedByContent, MatchedById, PossibleDuplicate};

/// The keys of an entry with an origin that differs from its present values.
fn changed(source: EntryKey, now: EntryKey) -> [EntryKey; 2] {
    assert_eq!(source.entry, now.entry);
    [EntryKey { aspect: Aspect::Source, ..source }, EntryKey { aspect: Aspect::Current, ..now }]
}

#[test]
fn a_changed_entry_is_resembled_as_it_is_now() {
    let keys = changed(known(7, 10, 1000, "Shop", ""), known(7, 10, 1200, "Shop", ""));
    type Case = (&'static str, RowKey, &'static [(u32, Verdict, u128)]);
    let cases: [Case; 6] = [
        ("the new amount", row(0, 10, 1200, "Shop", ""), &[(0, PossibleDuplicate, 7)]),
        ("it, days later", row(0, 13, 1200, "Other", ""), &[(0, PossibleDuplicate, 7)]),
        ("the old amount a day later", row(0, 11, 1000, "Shop", ""), &[]),
        ("the old amount under another name", row(0, 10, 1000, "Other", ""), &[]),
        ("what the source said", row(0, 10, 1000, "Shop", ""), &[(0, MatchedByContent, 7)]),
        ("its day, another amount", row(0, 10, 1100, "Shop", ""), &[]),
    ];
    for (what, row, expected) in cases {
        assert_eq!(plain(&decide(&[row], &keys)), expected, "{what}");
    }
}

#[test]
fn no_row_is_matched_with_a_change_by_a_person() {
    let keys = changed(known(7, 10, 1000, "Shop", "x1"), known(7, 10, 1200, "Shop", "x1"));
    let found = |row: RowKey| plain(&decide(&[row], &keys));
    assert_eq!(found(row(0, 16, 1000, "SHOP", "x1")), [(0, MatchedById, 7)]);
    assert_eq!(found(row(0, 10, 1200, "Shop", "x1")), [(0, PossibleDuplicate, 7)]);
    assert_eq!(found(row(0, 10, 1200, "Shop", "")), [(0, PossibleDuplicate, 7)]);
}

#[test]
fn an_entry_moved_to_another_account_or_currency_is_resembled_there() {
    let source = known(7, 10, 500, "Shop", "");
    for now in [
        EntryKey { account: 1, ..source },
        EntryKey { currency: Currency::USD, ..source },
        EntryKey { date: day(20), ..source },
    ] {
        let EntryKey { account, currency, date, .. } = now;
        let there = RowKey { account, currency, date, ..row(0, 10, 500, "Other", "") };
        let keys = changed(source, now);
        assert_eq!(plain(&decide(&[there], &keys)), [(0, PossibleDuplicate, 7)]);
        assert_eq!(plain(&decide(&[row(0, 10, 500, "Other", "")], &keys)), []);
    }
}

/// An entry that only got another name or category has equal keys, and counts once all the same.
#[test]
fn both_keys_are_one_entry() {
    let source = known(7, 10, 500, "Shop", "");
    let keys = changed(source, source);
    let shop = |at| row(at, 10, 500, "Shop", "");
    let other = |at| row(at, 10, 500, "Other", "");
    assert_eq!(plain(&decide(&[shop(0), shop(1)], &keys)), [(0, MatchedByContent, 7)]);
    assert_eq!(plain(&decide(&[other(0), shop(1)], &keys)), [(1, MatchedByContent, 7)]);
    assert_eq!(plain(&decide(&[other(0), other(1)], &keys)), [(0, PossibleDuplicate, 7)]);
    let twice = [keys, keys].concat();
    assert_eq!(plain(&decide(&[other(0), other(1)], &twice)), [(0, PossibleDuplicate, 7)]);
}

/// A pending entry that a row with its id takes isn't resembled by another row: that one is
/// compared with the booked entry. And it flags one row only.
#[test]
fn a_pending_entry_is_one_entry() {
    let pending = known(7, 10, 500, "Shop", "p");
    let keys = [pending, EntryKey { aspect: Aspect::Current, ..pending }];
    let all = [&keys[..], &[known(8, 12, 500, "Shop", "q")]].concat();
    let rows = [row(0, 10, 500, "Shop", "p"), row(1, 11, 500, "Other", "new")];
    let found = [(0, MatchedById, 7), (1, PossibleDuplicate, 8)];
    assert_eq!(plain(&decide(&rows, &all)), found);
    let others = [row(0, 9, 500, "Other", ""), row(1, 11, 500, "Other", "")];
    assert_eq!(plain(&decide(&others, &keys)), [(0, PossibleDuplicate, 7)]);
}

/// The store looks at the days of each chunk, so a chunk may see one key without the other.
#[test]
fn chunks_may_see_one_key_each() {
    let [source, now] = changed(known(7, 10, 1000, "a", ""), known(7, 30, 1200, "a", ""));
    let (stands, resembles) = (row(0, 10, 1000, "a", ""), row(1, 30, 1200, "b", ""));
    let chunk = |row| Chunk::new(vec![row]);

    let mut matcher = Matcher::new();
    let first = matcher.decide(&chunk(stands), vec![source]);
    assert_eq!(plain(&first), [(0, MatchedByContent, 7)]);
    assert_eq!(plain(&matcher.decide(&chunk(resembles), vec![now])), [], "it was taken");

    let mut matcher = Matcher::new();
    let flagged = matcher.decide(&chunk(resembles), vec![now]);
    assert_eq!(plain(&flagged), [(1, PossibleDuplicate, 7)]);
    assert!(matcher.stands(&flagged[0]));
    assert_eq!(plain(&matcher.decide(&chunk(stands), vec![source])), [(0, MatchedByContent, 7)]);
    assert!(!matcher.stands(&flagged[0]), "its entry was taken");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// The verdict of a finding is right, and no entry is in two findings, in any chunks.
    #[test]
    fn findings_are_true(
        fields in prop::collection::vec(fields(), 0..16),
        known in ledger(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
    ) {
        let rows = rows_of(&fields);
        let findings = decide_cut(&rows, &cuts, &known);
        let entries: BTreeSet<EntryId> = findings.iter().map(|one| one.entry).collect();
        prop_assert_eq!(entries.len(), findings.len());
        for finding in findings {
            let row = &rows[finding.row as usize];
            let is_true = |one: &&EntryKey| {
                let alike = (one.account, one.amount, one.currency)
                    == (row.account, row.amount, row.currency);
                let hours = row.date.duration_until(one.date).as_hours().abs();
                let equal = hours == 0 && one.content == row.content;
                let by_id = row.external.is_some() && one.external == row.external;
                let is_number = row.external.is_some_and(is_running_number);
                let is_near = !is_number || hours <= 24 * i64::from(NUMBER_DAYS);
                alike && match finding.verdict {
                    MatchedById => by_id && is_near && one.is_exact_and_living(),
                    MatchedByContent => equal && one.is_exact_and_living(),
                    Verdict::DeletedBefore => (equal || (by_id && is_near)) && one.is_deleted(),
                    _ => (by_id || hours <= 24 * i64::from(NEAR_DAYS))
                        && matches!(one.aspect, Aspect::Unchanged | Aspect::Current),
                }
            };
            let keys = known.iter().filter(|one| one.entry == finding.entry);
            prop_assert!(keys.filter(is_true).count() > 0, "{:?}", finding);
        }
    }

    /// Whatever a person changes, the same rows stand for the same entries.
    #[test]
    fn changes_do_not_matter_to_matches(
        fields in prop::collection::vec(fields(), 0..16),
        known in ledger(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
    ) {
        let unchanged: Vec<EntryKey> = known
            .iter()
            .filter(|one| one.aspect != Aspect::Current)
            .map(|one| match one.aspect {
                Aspect::Source => EntryKey { aspect: Aspect::Unchanged, ..*one },
                _ => *one,
            })
            .collect();
        let rows = rows_of(&fields);
        let matches = |known: &[EntryKey]| {
            let mut findings = decide_cut(&rows, &cuts, known);
            findings.retain(|finding| finding.verdict != PossibleDuplicate);
            findings
        };
        prop_assert_eq!(matches(&known), matches(&unchanged));
    }

    /// A file is known row by row after its entries were changed, and nothing is flagged.
    #[test]
    fn what_was_changed_is_recognised(
        (fields, shuffled) in prop::collection::vec(fields(), 0..16)
            .prop_flat_map(|fields| (Just(fields.clone()), Just(fields).prop_shuffle())),
        known in ledger(),
        fates in prop::collection::vec(fate(), 64),
    ) {
        let unchanged = import(&rows_of(&fields), known);
        let ledger: Vec<EntryKey> = unchanged.into_iter().zip(&fates).flat_map(|(one, fate)| {
            let is_changed = one.aspect == Aspect::Unchanged && matches!(fate, Fate::Changed(_));
            if is_changed { after(one, fate) } else { vec![one] }
        }).collect();
        let again = rows_of(&shuffled);
        let found: BTreeMap<u32, Verdict> =
            decide(&again, &ledger).iter().map(|one| (one.row, one.verdict)).collect();
        prop_assert_eq!(found.len(), again.len());
        prop_assert!(found.values().all(|verdict| !verdict.creates()), "{:?}", found);
    }
}

impl EntryKey {
    fn is_exact_and_living(&self) -> bool {
        matches!(self.aspect, Aspect::Unchanged | Aspect::Source)
    }
}
