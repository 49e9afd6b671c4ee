//! Files of thirty languages' banks, and each with a mistake: read right, or asked about; never
//! wrong.
//!
//! A generator writes transactions as banks do: the words of a language, its dates and numbers,
//! signs or columns or words for the direction, balances, preamble, footer. It knows what really
//! happened, and the reader of uploads gets the text and nothing else. A number in an error message
//! is the seed of a file: `PURSER_BANK_FILE=NUMBER` reads only that one and shows it, and
//! `PURSER_BANK_FILES=NUMBER` reads so many of each language.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test should stop")]

mod answers;
mod balance_changes;
mod combination;
mod languages;
mod mutations;
mod other_headers;
mod random;
mod reading;
mod styles;
mod table;
mod truth;
mod writing;

use std::collections::{BTreeMap, HashSet};

use answers::{Outcome, answered};
use balance_changes::CHANGES;
use combination::Direction::{Signed, UnsignedBothWays};
use combination::{Balance, Combination};
use languages::Language;
use mutations::Mutation;
use random::Random;
use reading::{Answers, Verdict, answered_verdict, described, is_asked, verdict};
use table::Table;
use truth::Truth;

/// Files of each language.
const FILES: u64 = 120;
/// Seeds of a language begin here times its number.
const SEEDS: u64 = 100_000;
/// Different files at least.
const COMBINATIONS_MIN: usize = 2_000;
/// So many of a hundred files as banks write them are read right with nothing set. The number may
/// only grow.
const RIGHT_PERCENT_MIN: usize = 90;
/// So many of a hundred files with questions are right once these are answered. The number may only
/// grow.
const ANSWERED_PERCENT_MIN: usize = 82;
/// The languages are read in so many tests at once.
const PARTS: usize = 8;
/// Failures that are shown with their files.
const SHOWN_MAX: usize = 6;

struct BankFile {
    seed: u64,
    combination: Combination,
    truth: Truth,
    table: Table,
}

impl BankFile {
    fn of(language: &'static Language, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut combination = Combination::of(language, &mut random);
        combination.vary(&mut Random::new(seed ^ 0xb4_4c1e5));
        let truth = Truth::of(&combination, &mut random);
        let table = writing::table(&combination, &truth, &mut random);
        Self { seed, combination, truth, table }
    }

    /// Random numbers for mistakes in it.
    fn random(&self) -> Random {
        Random::new(self.seed ^ 0x5eed)
    }

    /// Whether a bank may write it so and it has all that is needed to read it.
    fn is_realistic(&self) -> bool {
        self.combination.is_realistic() && self.truth.has_late_days()
    }

    fn verdict(&self, table: &Table) -> Verdict {
        verdict(table, &self.combination, &self.truth)
    }

    fn answers(&self, table: &Table) -> Answers {
        Answers::of(table, &self.combination, &self.truth)
    }

    /// What comes of it once a person has answered what only balances could show.
    fn answered_verdict(&self, table: &Table) -> Verdict {
        answered_verdict(table, &self.combination, &self.truth, &self.answers(table))
    }

    fn described(&self, table: &Table) -> String {
        format!("== {}\n{}", self.seed, described(table, &self.combination, &self.truth))
    }
}

/// The files of one part of the languages, or the one that somebody wants to see.
fn files(part: usize) -> impl Iterator<Item = BankFile> {
    let number = |name| std::env::var(name).ok().map(|seed| seed.parse::<u64>().unwrap());
    let only = number("PURSER_BANK_FILE");
    let count = number("PURSER_BANK_FILES").unwrap_or(FILES);
    let languages = languages::all().into_iter().enumerate();
    let languages = languages.filter(move |(index, _)| index % PARTS == part);
    languages
        .flat_map(move |(index, language)| {
            let first = index as u64 * SEEDS;
            (first..first + count).map(move |seed| (language, seed))
        })
        .filter(move |(_, seed)| only.is_none_or(|only| only == *seed))
        .map(|(language, seed)| BankFile::of(language, seed))
        .inspect(move |file| {
            if only.is_some() {
                eprintln!("{}{:?}", file.described(&file.table), file.verdict(&file.table));
            }
        })
}

/// What came of many files.
#[derive(Default)]
struct Tally {
    right: usize,
    nameless: usize,
    asked: usize,
    /// Why something was asked or what was wrong, and how often.
    reasons: BTreeMap<String, usize>,
    wrong: Vec<String>,
}

impl Tally {
    fn add(&mut self, verdict: Verdict, described: impl FnOnce() -> String) {
        match verdict {
            Verdict::Right => self.right += 1,
            Verdict::Nameless(name) => {
                self.nameless += 1;
                *self.reasons.entry(format!("nameless: {name}")).or_default() += 1;
            }
            Verdict::Question(reason) => {
                self.asked += 1;
                *self.reasons.entry(reason).or_default() += 1;
            }
            Verdict::Wrong(what) => self.wrong.push(format!("{}wrong: {what}\n", described())),
        }
    }

    fn count(&self) -> usize {
        self.right + self.nameless + self.asked + self.wrong.len()
    }

    fn shown(&self) -> String {
        let Self { right, nameless, asked, .. } = self;
        format!("{right} right, {nameless} nameless, {asked} asked, {} wrong", self.wrong.len())
    }

    fn assert_none_wrong(&self) {
        println!("{} files: {}", self.count(), self.shown());
        let first: Vec<&str> = self.wrong.iter().take(SHOWN_MAX).map(String::as_str).collect();
        assert!(self.wrong.is_empty(), "{}\n{}", self.shown(), first.join("\n"));
    }
}

/// Each file is right or asked about, and most of those that banks write are right.
fn read_files(part: usize) {
    let (mut all, mut realistic) = (Tally::default(), Tally::default());
    for file in files(part) {
        let verdict = file.verdict(&file.table);
        if file.is_realistic() {
            realistic.add(verdict.clone(), String::new);
            if verdict != Verdict::Right {
                println!("{} {} {verdict:?}", file.seed, file.combination.language.name);
            }
        }
        all.add(verdict, || file.described(&file.table));
    }
    all.assert_none_wrong();
    println!("as banks write them: {}", realistic.shown());
    let (right, count) = (realistic.right, realistic.count());
    assert!(
        right * 100 >= count * RIGHT_PERCENT_MIN,
        "{right} of {count}: {:?}",
        realistic.reasons
    );
}

/// Files with a mistake are right or asked about, too.
fn read_mutated_files(part: usize) {
    let mut tally = Tally::default();
    for file in files(part) {
        let mut random = file.random();
        let all = Mutation::all(&file.table, &file.combination, &mut random);
        for mutation in all.into_iter().take(MUTATIONS) {
            let table = mutation.apply(&file.table);
            tally.add(file.verdict(&table), || format!("{}{mutation:?}\n", file.described(&table)));
        }
    }
    tally.assert_none_wrong();
}

/// Whoever answers each question by the rows that are shown with it has every number right: after
/// one question, or two if two things are in doubt.
fn read_answered_files(part: usize) {
    let (mut all, mut unanswered) = (Tally::default(), Vec::new());
    for file in files(part) {
        if !matches!(file.verdict(&file.table), Verdict::Question(_)) {
            continue;
        }
        match answered(&file.table, &file.combination, &file.truth) {
            Outcome::Answered(verdict) => all.add(verdict, || file.described(&file.table)),
            Outcome::WithoutTrueAnswer(problems) => {
                unanswered.push(format!("{}{problems:?}", file.described(&file.table)));
            }
            Outcome::Open => {}
        }
    }
    all.assert_none_wrong();
    assert!(unanswered.is_empty(), "no answer is true:\n{}", unanswered.join("\n"));
    let (right, count) = (all.right + all.nameless, all.count());
    println!("{right} of {count} after their questions");
    assert!(right * 100 >= count * ANSWERED_PERCENT_MIN, "{right} of {count}: {:?}", all.reasons);
    let mut mutated = Tally::default();
    let is_plain = |file: &BankFile| !file.combination.direction.needs_balance();
    for file in files(part).filter(is_plain) {
        let mut random = file.random();
        let all = Mutation::all(&file.table, &file.combination, &mut random);
        for mutation in all.into_iter().take(MUTATIONS) {
            let table = mutation.apply(&file.table);
            let outcome = answered(&table, &file.combination, &file.truth);
            if let Outcome::Answered(verdict) = outcome {
                mutated.add(verdict, || format!("{}{mutation:?}\n", file.described(&table)));
            }
        }
    }
    mutated.assert_none_wrong();
}

/// Files of which only the balances show the directions are right once the oldest rows are known.
fn read_unsigned_files(part: usize) {
    let (mut all, mut realistic) = (Tally::default(), Tally::default());
    let is_unsigned = |file: &BankFile| {
        file.combination.direction == UnsignedBothWays && file.truth.goes_both_ways()
    };
    for file in files(part).filter(is_unsigned) {
        let verdict = file.answered_verdict(&file.table);
        let as_signed = Combination { direction: Signed, ..file.combination.clone() };
        if as_signed.is_realistic() && file.truth.has_late_days() {
            realistic.add(verdict.clone(), String::new);
        }
        all.add(verdict, || file.described(&file.table));
    }
    all.assert_none_wrong();
    let (right, count) = (realistic.right, realistic.count());
    println!("as banks write them: {}", realistic.shown());
    // There are a few of them in each part.
    assert!(right * 4 >= count * 3, "{right} of {count}: {:?}", realistic.reasons);
}

/// Mistakes that are made in each file.
const MUTATIONS: usize = 2;

/// Every mistake that the balances of a file can show is noticed.
fn read_files_with_changed_rows(part: usize) {
    let (mut noticed, mut missed) = (0, Vec::new());
    for file in files(part) {
        let has_proof = file.combination.balance != Balance::None || file.combination.states_ends();
        if !has_proof || file.answered_verdict(&file.table) != Verdict::Right {
            continue;
        }
        let mut random = file.random();
        for change in CHANGES {
            let record = *random.pick(&file.table.rows());
            let transaction = file.table.records[record].transaction.unwrap();
            let is_provable = change.is_provable(transaction, &file.combination, &file.truth);
            let Some(table) = change.apply(&file.table, record, &mut random) else { continue };
            let BankFile { combination, truth, .. } = &file;
            let place = (&table, record);
            if !is_provable
                || change.makes_another_right_file(place, transaction, combination, truth)
            {
                continue;
            }
            if is_asked(&table.text().0, combination, truth, &file.answers(&table)) {
                noticed += 1;
            } else {
                missed.push(format!("{}{change:?} of {record}", file.described(&table)));
            }
        }
    }
    println!("{noticed} noticed");
    let first: Vec<&str> = missed.iter().take(SHOWN_MAX).map(String::as_str).collect();
    let count = missed.len();
    assert!(missed.is_empty(), "{noticed} noticed, {count} missed\n{}", first.join("\n"));
    assert!(noticed > 0 || std::env::var("PURSER_BANK_FILE").is_ok());
}

/// A module of tests for each part, so that they run at the same time.
macro_rules! parts {
    ($($name:ident = $part:literal),+) => {$(
        mod $name {
            #[test]
            fn files_are_read_right_or_asked_about() {
                super::read_files($part);
            }

            #[test]
            fn files_with_a_mistake_are_never_wrong() {
                super::read_mutated_files($part);
            }

            #[test]
            fn files_without_signs_are_right_once_the_oldest_rows_are_known() {
                super::read_unsigned_files($part);
            }

            #[test]
            fn files_are_right_once_their_questions_are_answered() {
                super::read_answered_files($part);
            }

            #[test]
            fn whatever_a_balance_proves_is_noticed() {
                super::read_files_with_changed_rows($part);
            }
        }
    )+};
}

parts!(one = 0, two = 1, three = 2, four = 3, five = 4, six = 5, seven = 6, eight = 7);

#[test]
fn there_are_many_different_files() {
    let all: HashSet<String> = (0..PARTS)
        .flat_map(files)
        .map(|file| {
            let headers = &file.table.header;
            format!("{:?} {headers:?}", file.combination)
        })
        .collect();
    assert!(all.len() >= COMBINATIONS_MIN, "{}", all.len());
}
