//! Random histories: whatever a family does in whatever order, both databases answer alike, what
//! is kept from step to step is what a rebuild gives, and the order of arrival doesn't matter.
//!
//! 300 histories run by default; `PURSER_TEST_HISTORIES=10000` runs that many.

mod answers;
mod steps;

use crate::check;
use crate::files::FileStore;
use crate::testing::Fixture;
use steps::{Family, Step};

/// Histories are divided among tests, so that several run at once.
const TESTS: u64 = 6;
/// Steps of a history.
const STEPS: usize = 24;

/// Numbers that follow from a seed: the same on every machine.
pub(super) struct Dice(u64);

impl Dice {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0xd1b5_4a32_d192_ed03)
    }

    /// From 0 to below `sides`.
    pub(super) fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % sides
    }
}

fn histories() -> u64 {
    std::env::var("PURSER_TEST_HISTORIES").map_or(300, |number| number.parse().unwrap())
}

/// Every history of one of the tests, on both databases.
fn both_answer_alike(test: u64) {
    let fixtures = [Fixture::sqlite(), Fixture::postgres()];
    let mut refused = 0;
    for seed in (0..histories()).filter(|seed| seed % TESTS == test) {
        let mut dice = Dice::new(seed);
        let steps: Vec<Step> = (0..STEPS).map(|_| Step::any(&mut dice)).collect();
        let [sqlite, postgres] = fixtures.each_ref().map(|fixture| {
            let mut family = Family::new(fixture, &format!("family{seed}"));
            let outcomes: Vec<String> = steps.iter().map(|step| family.take(step)).collect();
            (outcomes, answers::all(&family), answers::export(&family))
        });
        refused += sqlite.0.iter().filter(|outcome| outcome.starts_with("refused")).count();
        assert_eq!(sqlite, postgres, "history {seed}: {steps:#?}");
    }
    let taken = (histories() / TESTS) as usize * STEPS;
    assert!(refused < taken / 2, "most steps should do something: {refused} of {taken} didn't");
    for fixture in &fixtures {
        let files = FileStore::open(&fixture.directory, &fixture.store).unwrap();
        for outcome in check::run(&fixture.store, &files, |_| {}) {
            assert_eq!(outcome.problems, [""; 0], "{}", outcome.rule);
        }
    }
}

#[test]
fn both_answer_alike_0() {
    both_answer_alike(0);
}

#[test]
fn both_answer_alike_1() {
    both_answer_alike(1);
}

#[test]
fn both_answer_alike_2() {
    both_answer_alike(2);
}

#[test]
fn both_answer_alike_3() {
    both_answer_alike(3);
}

#[test]
fn both_answer_alike_4() {
    both_answer_alike(4);
}

#[test]
fn both_answer_alike_5() {
    both_answer_alike(5);
}

/// What is only added, each thing once, leads to the same numbers in any order.
#[test]
fn the_order_of_arrival_changes_no_number() {
    let fixture = Fixture::sqlite();
    for seed in 0..histories().div_ceil(5) {
        let mut dice = Dice::new(seed + 1_000_000);
        let steps = Step::distinct_additions(&mut dice, STEPS);
        let mut shuffled = steps.clone();
        for at in (1..shuffled.len()).rev() {
            let other = usize::try_from(dice.roll(at as u64 + 1)).unwrap();
            shuffled.swap(at, other);
        }
        let [first, second] = [("a", &steps), ("b", &shuffled)].map(|(name, steps)| {
            let mut family = Family::new(&fixture, &format!("{name}{seed}"));
            for step in steps {
                let outcome = family.take(step);
                assert!(!outcome.starts_with("refused"), "{outcome}: {step:?}");
            }
            let mut answers = answers::all(&family);
            // Of one day, entries are in the order of their arrival.
            answers.sort();
            answers
        });
        assert_eq!(first, second, "history {seed}: {steps:#?}");
    }
}
