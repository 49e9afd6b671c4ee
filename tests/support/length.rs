//! How long proofs are.
//!
//! Each file of tests has its own use of them.

use std::time::{Duration, Instant};

/// `long` for proofs at length.
const LENGTH: &str = "PURSER_PROOF_LENGTH";
/// So many minutes each proof goes on, whatever its number of rounds.
const MINUTES: &str = "PURSER_PROOF_MINUTES";

/// How often a proof repeats itself: as part of the tests, or at length.
pub(crate) fn repeats(short: u64, long: u64) -> u64 {
    match std::env::var(LENGTH).as_deref() {
        Err(_) | Ok("short") => short,
        Ok("long") => long,
        Ok(other) => panic!("{LENGTH} is short or long, not {other}"),
    }
}

/// The rounds of a proof, counted from zero: as many as [`repeats`] has, or as many as begin before
/// the minutes are over.
pub(crate) fn rounds(short: u64, long: u64) -> Rounds {
    let minutes = std::env::var(MINUTES).ok().map(|text| match text.parse::<u32>() {
        Ok(minutes) => Duration::from_secs(60) * minutes,
        Err(_) => panic!("{MINUTES} is a number of minutes, not {text}"),
    });
    Rounds::new(repeats(short, long), minutes)
}

/// What [`rounds`] returns, an iterator.
#[derive(Debug)]
pub(crate) struct Rounds {
    next: u64,
    count: u64,
    at_least: u64,
    end: Option<Instant>,
}

impl Rounds {
    fn new(count: u64, time: Option<Duration>) -> Self {
        Self { next: 0, count, at_least: 1, end: time.map(|time| Instant::now() + time) }
    }

    /// The same with so many rounds if the minutes are over before.
    pub(crate) fn at_least(self, rounds: u64) -> Self {
        Self { at_least: rounds, ..self }
    }

    /// As many as they are, or `short` if minutes decide: a number for what is to be there before
    /// the first.
    pub(crate) fn expected(&self, short: u64) -> u64 {
        if self.end.is_some() { short } else { self.count }
    }
}

impl Iterator for Rounds {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let is_over = match self.end {
            Some(end) => self.next >= self.at_least && Instant::now() >= end,
            None => self.next >= self.count,
        };
        if is_over {
            eprintln!("{} rounds", self.next);
            return None;
        }
        self.next += 1;
        Some(self.next - 1)
    }
}

#[test]
fn rounds_are_counted_or_end_with_their_time() {
    assert_eq!(Rounds::new(3, None).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(Rounds::new(0, None).count(), 0);
    assert_eq!(Rounds::new(3, Some(Duration::ZERO)).collect::<Vec<_>>(), [0]);
    assert_eq!(Rounds::new(9, Some(Duration::ZERO)).at_least(3).count(), 3);
    assert_eq!(Rounds::new(2, None).at_least(3).count(), 2);
    assert_eq!(Rounds::new(10_000, Some(Duration::ZERO)).expected(300), 300);
    assert_eq!(Rounds::new(10_000, None).expected(300), 10_000);
    let beyond = Rounds::new(3, Some(Duration::from_secs(3_600))).take(10);
    assert_eq!(beyond.last(), Some(9));
}
