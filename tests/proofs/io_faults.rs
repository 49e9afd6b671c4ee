//! Errors of the disk are honest and pass (R11).
//!
//! Each request is repeated with a failure of its first change of a file, its second, and so on
//! until none is left to fail, with every kind of error; and some of a thousand changes fail at
//! random, whoever makes them. What is answered is true, reads go on, and as soon as the disk works
//! again, so does everything else.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::promises::{Promises, WISHES, Wish};
use crate::shim::{Fault, Shimmed};
use crate::support::{Answer, Backend, Dice, Options, repeats, rounds, sql};

/// The error numbers `EIO` and `ENOSPC`.
const ERRORS: [i64; 2] = [5, 28];
/// One failure; or several one after the other, of fewer calls: where the end of a job's try
/// can't be stored either, its lease must run out.
const MANNERS: [Manner; 2] = [Manner { repeats: 0, step: 1 }, Manner { repeats: 4, step: 10 }];
/// Faults between two whole comparisons.
const COMPARED_EVERY: u64 = 40;
/// Requests of a round of random faults, as a test and at length, and rounds between two whole
/// comparisons.
const REQUESTS_AT_RANDOM: [u64; 2] = [15, 30];
const ROUNDS_COMPARED: u64 = 10;

/// So many calls fail after the first one, which is each `step`-th.
#[derive(Debug, Clone, Copy)]
struct Manner {
    repeats: i64,
    step: usize,
}

fn options() -> Options {
    Options::new().env("PURSER_RATE_LIMIT", "0").env("PURSER_LOG", "error")
}

#[test]
fn io_faults_are_honest_and_pass() {
    let shimmed = Shimmed::start(Backend::Sqlite, options());
    let mut promises = Promises::of(&shimmed.server.family());
    let verify = |promises: &Promises| {
        promises.verify(&shimmed.server, 0).unwrap_or_else(|problem| panic!("{problem}"));
    };
    let [coarseness, manners] =
        [repeats(10, 1), repeats(1, 2)].map(|number| usize::try_from(number).expect("a number"));
    let mut faults = 0;
    for (wish, error, Manner { repeats, step }) in kinds(&MANNERS[..manners]) {
        for call in (1..).step_by(step * coarseness) {
            let what = format!("{wish:?}, call {call}, error {error}, {repeats} more");
            shimmed.plan(call, Fault::Fails { error, repeats });
            let answer = promises.ask(wish, || 0).unwrap_or_else(|| panic!("{what}: no answer"));
            assert!(is_honest(wish, &answer), "{what}: {} {}", answer.status, answer.text());
            let settled = promises.settle(&shimmed.server);
            settled.unwrap_or_else(|problem| panic!("{what}: {problem}"));
            if shimmed.heal() == 0 {
                break;
            }
            promise(&mut promises, wish);
            faults += 1;
            if faults % COMPARED_EVERY == 0 {
                verify(&promises);
            }
        }
    }
    verify(&promises);
    assert!(faults > 25, "only {faults} faults");
    eprintln!("{faults} faults");
}

/// Whether an answer states what it may while a disk fails. Only an upload that is stored although
/// its publish could not be queued is answered with 500, and named.
fn is_honest(wish: Wish, answer: &Answer) -> bool {
    match answer.status {
        200 | 201 | 503 | 507 => true,
        500 if wish == Wish::Import => {
            let body = answer.json();
            body["error"] == "publish_failed" && body["import_id"].is_string()
        }
        _ => false,
    }
}

#[test]
fn io_faults_find_answers_that_are_not_honest() {
    let shimmed = Shimmed::start(Backend::Sqlite, options());
    let family = shimmed.server.family();
    let mut promises = Promises::of(&family);
    sql::refuse_where(&shimmed.server, "jobs", "NEW.kind = 'import.publish'");
    let answer = promises.ask(Wish::Import, || 0).expect("an answer");
    assert_eq!(answer.status, 500, "{}", answer.text());
    assert!(is_honest(Wish::Import, &answer), "{}", answer.text());
    let named = answer.json()["import_id"].as_str().expect("an id").to_owned();
    let import = family.api.get(&format!("/api/v1/imports/{named}")).expect_status(200).json();
    assert_eq!(import["data"]["status"], "pending", "{import}");
    assert!(!is_honest(Wish::Transaction, &answer), "no other route may answer that");
    sql::refuse(&shimmed.server, "entries");
    let answer = promises.ask(Wish::Transaction, || 0).expect("an answer");
    assert_eq!(answer.status, 500, "{}", answer.text());
    WISHES.into_iter().for_each(|wish| assert!(!is_honest(wish, &answer), "{wish:?}"));
}

fn kinds(manners: &[Manner]) -> impl Iterator<Item = (Wish, i64, Manner)> {
    let with_errors = |wish| ERRORS.into_iter().map(move |error| (wish, error));
    let pairs = WISHES.into_iter().flat_map(with_errors);
    pairs.flat_map(|(wish, error)| manners.iter().map(move |manner| (wish, error, *manner)))
}

/// One to five of a hundred changes of files fail, those in the background too.
#[test]
fn io_faults_at_random_are_honest_and_pass() {
    let shimmed = Shimmed::start(Backend::Sqlite, options());
    let family = shimmed.server.family();
    let (mut promises, mut dice) = (Promises::of(&family), Dice::seeded());
    let verify = |promises: &Promises| {
        promises.verify(&shimmed.server, 0).unwrap_or_else(|problem| panic!("{problem}"));
    };
    let (mut faults, mut count) = (0, 0);
    for round in rounds(1, 100) {
        let (rate, error) = (dice.between(10, 51), dice.pick(&ERRORS));
        let what = format!("{rate} of a thousand, error {error}");
        shimmed.fail_at_random(rate, error, dice.below(1 << 40));
        for number in 0..repeats(REQUESTS_AT_RANDOM[0], REQUESTS_AT_RANDOM[1]) {
            let wish = WISHES[usize::try_from(number % 3).expect("a small number")];
            let answer = promises.ask(wish, || 0).unwrap_or_else(|| panic!("{what}: no answer"));
            assert!(is_honest(wish, &answer), "{what}: {} {}", answer.status, answer.text());
            family.api.get("/api/v1/transactions").expect_status(200);
        }
        faults += shimmed.heal();
        count = round + 1;
        let settled = promises.settle(&shimmed.server);
        settled.unwrap_or_else(|problem| panic!("{what}: {problem}"));
        WISHES.into_iter().for_each(|wish| promise(&mut promises, wish));
        if round % ROUNDS_COMPARED == 0 {
            verify(&promises);
        }
    }
    verify(&promises);
    eprintln!("{faults} faults");
    // So many each round on average: 1,000 at length.
    let least = count * repeats(2, 10);
    assert!(faults >= least, "only {faults} faults in {count} rounds");
}

/// Everything works, so it is acknowledged.
#[track_caller]
fn promise(promises: &mut Promises, wish: Wish) {
    let answer = promises.ask(wish, || 0).expect("an answer");
    assert!(answer.status < 300, "{wish:?}: {} {}", answer.status, answer.text());
}

/// A disk that stays full: whatever is written is refused, reads go on, and writes work again at
/// once when there is room.
#[test]
fn io_faults_that_last_leave_reads_alone() {
    let shimmed = Shimmed::start(Backend::Sqlite, options());
    let family = shimmed.server.family();
    let mut promises = Promises::of(&family);
    for _ in rounds(2, 20) {
        for (wish, error) in WISHES.into_iter().zip(ERRORS.into_iter().cycle()) {
            promise(&mut promises, wish);
            promises.settle(&shimmed.server).unwrap_or_else(|problem| panic!("{problem}"));
            shimmed.plan(1, Fault::Fails { error, repeats: i64::from(i32::MAX) });
            for wish in WISHES {
                let answer = promises.ask(wish, || 0).expect("an answer");
                let what = format!("{wish:?}, error {error}: {} {}", answer.status, answer.text());
                assert!([503, 507].contains(&answer.status), "{what}");
                family.api.get("/api/v1/transactions").expect_status(200);
                family.api.get("/api/v1/accounts").expect_status(200);
            }
            assert!(shimmed.heal() > 0);
            promise(&mut promises, wish);
        }
    }
    promises.verify(&shimmed.server, 0).unwrap_or_else(|problem| panic!("{problem}"));
}

#[test]
fn io_faults_find_writes_that_never_happened() {
    let mut shimmed = Shimmed::start(Backend::Sqlite, options());
    let mut promises = Promises::of(&shimmed.server.family());
    let mut find = |call| {
        shimmed.plan(call, Fault::Pretends);
        let answer = promises.ask(Wish::Transaction, || 0);
        shimmed.heal();
        shimmed.server.kill();
        shimmed.server.start_again();
        answer.is_some_and(|answer| answer.status >= 500)
            || promises.verify(&shimmed.server, 0).is_err()
    };
    let mut is_found = |call| catch_unwind(AssertUnwindSafe(|| find(call))).unwrap_or(true);
    assert!((1..20).any(&mut is_found), "nothing was missed");
}
