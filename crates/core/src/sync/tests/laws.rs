//! Laws over small banks in which days pass, dense enough that everything collides.

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestRunner;

use super::history::{Bank, DAYS, bank};
use super::ledger::{Deed, Ledger, Planner, sorted};
use super::*;

/// The day from which on nothing happens at the bank any more.
const QUIET: i64 = DAYS + 4;
/// The last day of a history: pending rows that are gone have been missed by then.
const END: i64 = QUIET + 3;

/// What happens on a day beside the bank: whether there is a sync, whether its answer is whole,
/// what a person does, and whether one decides on questions, which else stay open.
#[derive(Debug, Clone)]
struct Happening {
    syncs: bool,
    is_whole: bool,
    decides: bool,
    deed: Option<(Index, Deed)>,
}

fn happening() -> impl Strategy<Value = Happening> {
    let deed = prop_oneof![Just(Deed::Delete), Just(Deed::Touch)];
    let deed = prop::option::weighted(0.3, (any::<Index>(), deed));
    let likely = prop::bool::weighted;
    (likely(0.8), likely(0.9), likely(0.3), deed)
        .prop_map(|(syncs, is_whole, decides, deed)| Happening { syncs, is_whole, decides, deed })
}

/// Lets the days pass; in the end the bank is quiet and the answers are whole.
fn live(planner: Planner, bank: &Bank, happenings: &[Happening]) -> Ledger {
    let mut ledger = Ledger::with(planner);
    let mut synced_to = -80;
    for today in 0..=END {
        let quiet = Happening { syncs: true, is_whole: true, decides: true, deed: None };
        let Happening { syncs, is_whole, decides, deed } =
            happenings.get(today as usize).filter(|_| today < QUIET).unwrap_or(&quiet);
        if *syncs {
            let days = (ledger.from(synced_to), today + 1);
            let mut reported = bank.answer(today, days, true);
            if !is_whole {
                // A partial answer lacks its older half.
                reported.is_whole = false;
                let half = reported.rows.len() / 2;
                reported.rows.drain(..half);
            } else {
                synced_to = today + 1;
            }
            let deleted = ledger.deleted();
            ledger.sync(&reported, today);
            assert!(ledger.deleted() >= deleted, "what was deleted stays deleted");
        }
        if *decides {
            ledger.dismiss_all();
        }
        if let Some((which, deed)) = deed {
            ledger.person(which.index(64), *deed);
        }
    }
    ledger
}

/// Banks with what happens on each day until they are quiet.
fn histories() -> impl Strategy<Value = (Bank, Vec<Happening>)> {
    let happenings = prop::collection::vec(happening(), QUIET as usize);
    (bank(), happenings).prop_map(|(bank, happenings)| {
        // A new id in a partial answer is a question, so both don't come together here.
        let is_whole = bank.has_moving_ids();
        let whole = happenings
            .into_iter()
            .map(|one| Happening { is_whole: one.is_whole || is_whole, ..one });
        let whole = whole.collect();
        (bank, whole)
    })
}

fn comes_to_the_bank(
    planner: Planner,
    bank: &Bank,
    happenings: &[Happening],
) -> Result<(), TestCaseError> {
    let ledger = live(planner, bank, happenings);
    prop_assert_eq!(ledger.booked(), sorted(bank.booked(END)));
    prop_assert_eq!(ledger.untouched_pending(), 0);
    Ok(())
}

/// Whether the law finds a defect.
fn is_found(planner: Planner) -> bool {
    let config = ProptestConfig {
        cases: 1000,
        failure_persistence: None,
        max_shrink_iters: 0,
        ..ProptestConfig::default()
    };
    let mut runner = TestRunner::new(config);
    let law =
        |(bank, happenings): (Bank, Vec<Happening>)| comes_to_the_bank(planner, &bank, &happenings);
    runner.run(&histories(), law).is_err()
}

#[test]
fn a_planner_that_books_by_the_amount_alone_is_found() {
    fn same_name(row: &SourceRow) -> SourceRow {
        SourceRow { name: "any".to_owned(), ..row.clone() }
    }
    let by_amount: Planner = |known, reported, today| {
        let (mut known, mut reported) = (known.clone(), reported.clone());
        known.rows.iter_mut().for_each(|one| one.row = same_name(&one.row));
        reported.rows.iter_mut().for_each(|one| one.row = same_name(&one.row));
        reconcile(&known, &reported, today)
    };
    assert!(is_found(by_amount));
}

#[test]
fn a_planner_that_takes_equal_rows_for_one_is_found() {
    let without_occurrence: Planner = |known, reported, today| {
        let plan = reconcile(known, reported, today);
        let content = |row: usize| reported.rows[row].row.content();
        let is_repeated = |change: &SyncChange| match change {
            SyncChange::Add { row, .. } => (0..*row).any(|other| content(other) == content(*row)),
            _ => false,
        };
        let changes = plan.changes.iter().filter(|one| !is_repeated(one)).copied().collect();
        SyncPlan { changes, ..plan }
    };
    assert!(is_found(without_occurrence));
}

#[test]
fn a_planner_that_brings_deleted_entries_back_is_found() {
    let without_tombstones: Planner = |known, reported, today| {
        let mut known = known.clone();
        known.rows.retain(|one| one.state != KnownState::Deleted);
        reconcile(&known, reported, today)
    };
    assert!(is_found(without_tombstones));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Once the bank is quiet the booked entries are those of the bank, but for what people did;
    /// nothing stays pending that nobody touched.
    #[test]
    fn the_ledger_comes_to_what_the_bank_has((bank, happenings) in histories()) {
        comes_to_the_bank(reconcile, &bank, &happenings)?;
    }

    /// The order of the rows in an answer doesn't matter.
    #[test]
    fn the_order_of_an_answer_does_not_matter(
        bank in bank(),
        seed in any::<[u8; 8]>(),
    ) {
        let (mut one, mut other) = (Ledger::default(), Ledger::default());
        for today in 0..=END {
            let reported = bank.answer(today, (-1, today + 1), true);
            let mut shuffled = reported.clone();
            let key = |at: usize| seed[at % 8].wrapping_mul(31).wrapping_add(at as u8);
            let mut order: Vec<usize> = (0..shuffled.rows.len()).collect();
            order.sort_by_key(|at| key(*at));
            shuffled.rows = order.iter().map(|at| reported.rows[*at].clone()).collect();
            let (plan, again) = (one.sync(&reported, today), other.sync(&shuffled, today));
            prop_assert_eq!(plan.counts, again.counts);
        }
        prop_assert_eq!(one.booked(), other.booked());
    }

    /// Windows in any order give what one window over all days gives.
    #[test]
    fn windows_do_not_matter(
        bank in bank(),
        windows in prop::collection::vec((-1..DAYS, 0i64..6), 0..8),
    ) {
        let mut ledger = Ledger::default();
        for (from, days) in windows {
            ledger.sync(&bank.answer(END, (from, from + days), false), END);
        }
        ledger.sync(&bank.answer(END, (-1, END), false), END);
        prop_assert_eq!(ledger.booked(), sorted(bank.booked(END)));
    }

    /// An answer that isn't whole removes nothing, and counts nothing as missing.
    #[test]
    fn a_partial_answer_removes_nothing(bank in bank(), today in 0..END, keep in any::<u64>()) {
        let mut ledger = Ledger::default();
        ledger.sync(&bank.answer(today, (-1, today), true), today);
        let mut partial = bank.answer(today + 1, (-1, today + 1), true);
        partial.is_whole = false;
        let mut bits = (0..64).map(|bit| keep >> bit & 1 == 1).cycle();
        partial.rows.retain(|_| bits.next() == Some(true));
        let plan = ledger.sync(&partial, today + 1);
        prop_assert_eq!((plan.counts.removed, plan.counts.absent), (0, 0));
    }
}
