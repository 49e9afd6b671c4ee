use jiff::civil::date;
use proptest::prelude::*;
use rust_decimal::Decimal;

use super::*;
use crate::snapshot::{RowProblem, StatedCurrency};
use crate::window::later;

/// A bank with rows on days, numbered from the first day of the window.
struct Bank {
    days: Vec<u32>,
    rows_max: usize,
    total: fn(in_window: usize, all: usize) -> Option<u64>,
}

fn first() -> jiff::civil::Date {
    date(2026, 1, 1)
}

fn whole() -> Window {
    Window::new(first(), later(first(), 89)).unwrap()
}

fn row(index: usize, day: u32) -> TransactionSnapshot {
    TransactionSnapshot {
        // Every third row has no id, as pending rows have.
        id: (!index.is_multiple_of(3)).then(|| format!("t{index}")),
        amount: Decimal::from(index as u64 % 7),
        currency: StatedCurrency::Absent,
        date: later(first(), day),
        moment: None,
        payee: None,
        description: None,
        pending: index.is_multiple_of(3),
    }
}

impl Bank {
    /// The newest rows of a window, as many as one answer has.
    fn answer(&self, window: Window) -> Part {
        let mut rows: Vec<_> =
            self.days.iter().enumerate().map(|(index, day)| row(index, *day)).collect();
        rows.retain(|row| window.contains(row.date));
        rows.sort_by_key(|row| std::cmp::Reverse(row.date));
        let total = (self.total)(rows.len(), self.days.len());
        rows.truncate(self.rows_max);
        Part { rows, total, ..Part::default() }
    }

    fn ask(&self) -> (usize, TransactionsSnapshot) {
        let mut splitter = Splitter::new(whole());
        while let Some(window) = splitter.next_window() {
            splitter.add(self.answer(window));
        }
        (splitter.requests(), splitter.finish())
    }
}

fn sorted(mut rows: Vec<TransactionSnapshot>) -> Vec<String> {
    rows.sort_by_key(|row| (row.date, row.id.clone(), row.amount));
    rows.iter().map(|row| format!("{row:?}")).collect()
}

#[test]
fn an_answer_without_a_number_is_whole() {
    let bank = Bank { days: vec![0, 1, 89, 90], rows_max: 100, total: |_, _| None };
    let (requests, snapshot) = bank.ask();
    assert_eq!((requests, snapshot.rows.len()), (1, 3), "a day outside is left out");
    assert_eq!(snapshot.completeness, Completeness::Whole);
}

#[test]
fn what_is_cut_off_is_asked_for_in_halves() {
    // Everything in the later half: the first halves bring nothing new, but their numbers add up.
    let days: Vec<u32> = (0..60).map(|index| 60 + index / 2).collect();
    let bank = Bank { days, rows_max: 10, total: |window, _| u64::try_from(window).ok() };
    let (requests, snapshot) = bank.ask();
    assert_eq!(snapshot.rows.len(), 60);
    assert_eq!(snapshot.completeness, Completeness::Whole);
    assert!(requests <= 30, "{requests}");
}

#[test]
fn a_number_that_is_always_wrong_costs_two_requests() {
    let bank =
        Bank { days: vec![3, 40, 80], rows_max: 100, total: |window, _| Some(window as u64 + 1) };
    let (requests, snapshot) = bank.ask();
    assert_eq!((requests, snapshot.rows.len()), (3, 3));
    assert_eq!(snapshot.completeness, Completeness::NumberDiffers, "no answer is cut off");
    let bank = Bank { days: vec![3, 40, 80], rows_max: 100, total: |_, _| Some(5_000) };
    let (requests, snapshot) = bank.ask();
    assert_eq!((requests, snapshot.completeness), (3, Completeness::NumberDiffers));
}

/// A bank counts rows that it never gives, such as pending ones that weren't asked for.
#[test]
fn a_number_that_counts_what_is_never_given_is_wrong() {
    let hidden = later(first(), 80);
    let ask = |rows_max, whole: Window| {
        let bank =
            Bank { days: (0..40).map(|day| day * 2).collect(), rows_max, total: |_, _| None };
        let mut splitter = Splitter::new(whole);
        while let Some(window) = splitter.next_window() {
            let mut part = bank.answer(window);
            let given = bank.days.iter().filter(|day| window.contains(later(first(), **day)));
            let never = if window.contains(hidden) { 2 } else { 0 };
            part.total = Some(given.count() as u64 + never);
            splitter.add(part);
        }
        (splitter.requests(), splitter.finish())
    };
    let (requests, snapshot) = ask(100, whole());
    assert_eq!((snapshot.rows.len(), snapshot.completeness), (40, Completeness::NumberDiffers));
    assert!(requests <= 5, "{requests}");
    let (_, cut) = ask(12, whole());
    assert_eq!((cut.rows.len(), cut.completeness), (40, Completeness::NumberDiffers));
    let years = Window::new(first(), later(first(), 729)).unwrap();
    assert_eq!(ask(100, years).1.completeness, Completeness::NumberDiffers);
}

/// A bank counts a row of each week, or of each day, that it never gives: no reason to ask for
/// every day, or to take the rows for incomplete for ever.
#[test]
fn a_number_that_counts_what_is_never_given_on_many_days_is_wrong() {
    for (days, every, each) in [(91, 7, 2), (32, 1, 5), (730, 7, 1), (12, 3, 1)] {
        let rows = (0..days).flat_map(|day| std::iter::repeat_n(day, each)).collect();
        let bank = Bank { days: rows, rows_max: usize::MAX, total: |_, _| None };
        let mut splitter = Splitter::new(Window::new(first(), later(first(), days - 1)).unwrap());
        while let Some(window) = splitter.next_window() {
            let mut part = bank.answer(window);
            let never = (0..days).step_by(every).map(|day| later(first(), day));
            let never = never.filter(|day| window.contains(*day)).count();
            part.total = Some((part.rows.len() + never) as u64);
            splitter.add(part);
        }
        let requests = splitter.requests();
        let snapshot = splitter.finish();
        assert_eq!(snapshot.rows.len(), days as usize * each);
        assert_eq!(snapshot.completeness, Completeness::NumberDiffers, "{days} days");
        assert!(requests <= 9, "{requests} requests for {days} days");
    }
}

/// A provider counts the rows of a bank that isn't ready: they are asked for again another day.
#[test]
fn an_answer_without_most_of_the_rows_that_it_counts_is_partial() {
    let ask = |days: Vec<u32>, counted: u64| {
        let bank = Bank { days, rows_max: usize::MAX, total: |_, _| None };
        let mut splitter = Splitter::new(whole());
        while let Some(window) = splitter.next_window() {
            let total = counted * u64::from(window.days()) / 90;
            splitter.add(Part { total: Some(total), ..bank.answer(window) });
        }
        (splitter.requests(), splitter.finish().completeness)
    };
    assert_eq!(ask(Vec::new(), 400), (3, Completeness::Partial));
    assert_eq!(ask(vec![3, 40, 80], 400), (3, Completeness::Partial));
    assert_eq!(ask(Vec::new(), 4), (3, Completeness::NumberDiffers), "a few pending rows");
    // An account that is hardly used, and rows of each week that never come.
    assert_eq!(ask(vec![3, 20, 40, 60], 17).1, Completeness::NumberDiffers);
}

/// A number that is always too high doesn't hide that answers are cut off.
#[test]
fn what_is_cut_off_is_asked_for_although_the_number_is_wrong() {
    let days: Vec<u32> = (0..60).map(|index| 60 + index / 2).collect();
    let bank =
        Bank { days: days.clone(), rows_max: 12, total: |window, _| Some(window as u64 + 1) };
    let (requests, snapshot) = bank.ask();
    assert_eq!((snapshot.rows.len(), snapshot.completeness), (60, Completeness::NumberDiffers));
    assert!(requests <= 40, "{requests}");
    // All of one day: nobody can know how many there are.
    let bank = Bank { days: vec![5; 30], rows_max: 12, total: |_, all| Some(all as u64 + 1) };
    assert_eq!(bank.ask().1.completeness, Completeness::Partial);
}

/// A provider that cuts answers by bytes or by time: they differ in length, and those that are left
/// when the requests are used up look shorter than the longest.
#[test]
fn what_is_cut_off_when_the_requests_are_used_up_is_partial() {
    let days: Vec<u32> = (0..730).flat_map(|day| [day; 9]).collect();
    let bank = Bank { days, rows_max: usize::MAX, total: |window, _| u64::try_from(window).ok() };
    let mut splitter = Splitter::new(Window::new(first(), later(first(), 729)).unwrap());
    while let Some(window) = splitter.next_window() {
        let mut part = bank.answer(window);
        part.rows.truncate(98 - splitter.requests() / 2);
        splitter.add(part);
    }
    assert!(splitter.requests() > REQUESTS_MAX - 2, "{}", splitter.requests());
    let snapshot = splitter.finish();
    assert!(snapshot.rows.len() < 730 * 9);
    assert_eq!(snapshot.completeness, Completeness::Partial);
}

/// Rows that weren't asked for, and come all the same, count for the length of an answer.
#[test]
fn a_cut_answer_with_unwanted_rows_is_as_long_as_it_came() {
    let last = later(first(), 1);
    let mut splitter = Splitter::new(Window::new(first(), last).unwrap());
    while let Some(window) = splitter.next_window() {
        // Twelve rows are in an answer at most. On the first day there are as many, on the last one
        // twenty, and two of those that come are pending.
        let (unwanted, total) = match window.to() == last {
            true if window.days() > 1 => (2, 32),
            true => (2, 20),
            false => (0, 12),
        };
        let day = window.days() - 1;
        let rows = (unwanted..12).map(|at| row(at, day)).collect();
        splitter.add(Part { rows, unwanted, total: Some(total), ..Part::default() });
    }
    assert_eq!(splitter.finish().completeness, Completeness::Partial);
}

#[test]
fn a_bank_that_ignores_windows_is_asked_three_times() {
    let days: Vec<u32> = (0..60).collect();
    let bank = Bank { days, rows_max: 25, total: |_, all| Some(all as u64) };
    let mut splitter = Splitter::new(whole());
    while splitter.next_window().is_some() {
        splitter.add(bank.answer(whole()));
    }
    assert_eq!(splitter.requests(), 3);
    assert_eq!(splitter.finish().completeness, Completeness::Partial);
}

#[test]
fn a_number_that_is_too_small_is_no_matter() {
    let bank = Bank { days: vec![3, 40], rows_max: 100, total: |_, _| Some(0) };
    let (requests, snapshot) = bank.ask();
    assert_eq!((requests, snapshot.rows.len()), (1, 2));
    assert_eq!(snapshot.completeness, Completeness::Whole);
}

#[test]
fn a_day_that_is_cut_off_is_partial() {
    let bank = Bank { days: vec![5; 30], rows_max: 10, total: |window, _| Some(window as u64) };
    let (requests, snapshot) = bank.ask();
    assert_eq!(snapshot.completeness, Completeness::Partial);
    assert!(requests <= REQUESTS_MAX);
    assert_eq!(snapshot.rows.len(), 10);
}

#[test]
fn an_answer_that_is_too_large_is_asked_for_in_halves() {
    let days: Vec<u32> = (0..90).collect();
    let bank = Bank { days, rows_max: 1_000, total: |window, _| u64::try_from(window).ok() };
    let mut splitter = Splitter::new(whole());
    while let Some(window) = splitter.next_window() {
        let part = bank.answer(window);
        if part.rows.len() > 20 {
            assert!(splitter.add_too_large());
        } else {
            splitter.add(part);
        }
    }
    assert_eq!(splitter.requests(), 1 + 2 + 4 + 8);
    let snapshot = splitter.finish();
    assert_eq!((snapshot.rows.len(), snapshot.completeness), (90, Completeness::Whole));

    let mut splitter = Splitter::new(whole());
    while splitter.next_window().is_some_and(|window| window.days() > 1) {
        assert!(splitter.add_too_large());
    }
    assert!(!splitter.add_too_large(), "a day is the smallest window");
}

#[test]
fn a_row_that_cannot_be_read_is_reported_once() {
    let mut splitter = Splitter::new(whole());
    while splitter.next_window().is_some() {
        let problem = UnreadableRow {
            position: splitter.requests(),
            id: Some("a".to_owned()),
            problem: RowProblem::Date,
        };
        splitter.add(Part { unreadable: vec![problem], total: Some(2), ..Part::default() });
    }
    assert_eq!(splitter.finish().unreadable.len(), 1);
}

proptest! {
    /// With numbers that mean the window, everything comes, as often as it is there.
    #[test]
    fn everything_comes_in_the_end(days in prop::collection::vec(0..90_u32, 0..60)) {
        // No day has more than an answer has.
        let busiest = (0..90).map(|day| days.iter().filter(|d| **d == day).count()).max();
        let rows_max = busiest.unwrap_or(0).max(15);
        let expected = sorted(days.iter().enumerate().map(|(at, day)| row(at, *day)).collect());
        let bank = Bank { days, rows_max, total: |window, _| u64::try_from(window).ok() };
        let (requests, snapshot) = bank.ask();
        prop_assert!(requests <= REQUESTS_MAX);
        prop_assert_eq!(snapshot.completeness, Completeness::Whole);
        prop_assert_eq!(sorted(snapshot.rows), expected);
    }

    /// Whatever numbers come, it ends, and nothing is there twice.
    #[test]
    fn it_ends_whatever_the_numbers_are(
        days in prop::collection::vec(0..90_u32, 0..40), rows_max in 0..20_usize, seed: u64,
    ) {
        let bank = Bank { days: days.clone(), rows_max, total: |_, _| None };
        let mut splitter = Splitter::new(whole());
        let mut dice = seed;
        while let Some(window) = splitter.next_window() {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let total = Some((dice >> 33) % 100);
            splitter.add(Part { total, has_more: dice & 1 == 0, ..bank.answer(window) });
        }
        prop_assert!(splitter.requests() <= REQUESTS_MAX);
        let count = splitter.finish().rows.len();
        prop_assert!(count <= days.len());
    }
}
