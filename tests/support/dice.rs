//! Random numbers that a seed repeats; a failing test prints its seed.

use std::thread;
use std::time::Duration;

use super::repeats;

/// Random numbers that follow from a seed.
pub(crate) struct Dice(u64);

impl Dice {
    /// With the seed in `PURSER_TEST_SEED`. Without one it is always the same, so that a change
    /// fails for its own sake; proofs at length draw a new one.
    pub(crate) fn seeded() -> Self {
        let seed = std::env::var("PURSER_TEST_SEED").ok().and_then(|seed| seed.parse().ok());
        let seed = seed.unwrap_or_else(|| repeats(1, u64::from(std::process::id())));
        eprintln!("PURSER_TEST_SEED={seed}");
        Self(seed)
    }

    /// With a seed that another one has given.
    pub(crate) fn with_seed(seed: u64) -> Self {
        Self(seed)
    }

    /// A number from `low` to before `high`.
    pub(crate) fn between(&mut self, low: u64, high: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (self.0 >> 33) % (high - low)
    }

    /// Lets a random time pass, in microseconds, so that what comes next happens at any moment.
    pub(crate) fn pause(&mut self, low: u64, high: u64) {
        thread::sleep(Duration::from_micros(self.between(low, high)));
    }

    /// Yes in one of two cases.
    pub(crate) fn coin(&mut self) -> bool {
        self.between(0, 2) == 0
    }

    /// Yes in one of `count` cases.
    pub(crate) fn one_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }

    /// A number from zero to before `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.between(0, end)
    }

    /// One of several, which are at least one.
    pub(crate) fn one_of<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        let at = self.below(from.len() as u64);
        &from[usize::try_from(at).unwrap()]
    }

    /// The same as a value of its own.
    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        *self.one_of(from)
    }

    /// Dice for the next case; with the seed that is printed, that case is the first.
    pub(crate) fn next_case(&mut self) -> Self {
        let case = Self(self.0);
        eprintln!("PURSER_TEST_SEED={}", self.0);
        self.0 += 1;
        case
    }
}
