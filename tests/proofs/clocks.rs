//! The machine's clock may be wrong, and may be put right (R19).

use jiff::Timestamp;
use purser_store::system::{Clock as _, SystemClock};

use crate::promises::{Promises, WISHES, Wish};
use crate::shim::Shimmed;
use crate::support::{Backend, Client, Options};

/// Where the clock jumps to, and back from.
#[derive(Debug, Clone, Copy)]
enum Jump {
    By(i64),
    To(&'static str),
}

const JUMPS: [Jump; 8] = [
    Jump::By(-86_400),
    Jump::By(86_400),
    Jump::By(-1),
    Jump::To("2028-02-29T23:59:58Z"),
    // The hours that clocks in Berlin leave out, and have twice.
    Jump::To("2027-03-28T00:59:58Z"),
    Jump::To("2027-10-31T00:59:58Z"),
    Jump::To("1970-01-01T00:00:01Z"),
    Jump::To("9999-12-30T12:00:00Z"),
];

impl Jump {
    /// In seconds from now.
    fn seconds(self) -> i64 {
        match self {
            Self::By(seconds) => seconds,
            Self::To(time) => {
                let time: Timestamp = time.parse().expect("a time");
                time.as_second() - SystemClock.now().as_second()
            }
        }
    }
}

fn clocks(backend: Backend) {
    let mut shimmed = Shimmed::start(backend, Options::new().env("PURSER_RATE_LIMIT", "0"));
    let family = shimmed.server.family();
    shimmed.server.run_json(&["family", "set", "--time-zone", "Europe/Berlin"], "");
    let mut promises = Promises::of(&family);
    for jump in JUMPS {
        for is_restarted in [false, true] {
            let what = format!("{jump:?}, restarted: {is_restarted}");
            shimmed.move_clock(jump.seconds());
            if is_restarted {
                shimmed.server.kill();
                shimmed.server.start_again();
            }
            for wish in WISHES {
                let answer = promises.ask(wish, || 0).expect("an answer");
                // A day may be too far in the future now.
                let is_known = matches!(answer.status, 200 | 201 | 422);
                assert!(is_known, "{what}: {} {}", answer.status, answer.text());
            }
            shimmed.move_clock(0);
            let verdict = promises.verify(&shimmed.server, 0);
            verdict.unwrap_or_else(|problem| panic!("{what}: {problem}"));
            let log = shimmed.server.log();
            assert!(!log.contains("panicked"), "{what}: {log}");
        }
    }
}

#[test]
fn clocks_may_be_wrong_on_sqlite() {
    clocks(Backend::Sqlite);
}

#[test]
fn clocks_may_be_wrong_on_postgres() {
    clocks(Backend::Postgres);
}

#[test]
fn clocks_find_what_is_done_twice() {
    let shimmed = Shimmed::start(Backend::Sqlite, Options::new());
    let mut promises = Promises::of(&shimmed.server.family());
    promises.ask(Wish::Transaction, || 0);
    promises.verify(&shimmed.server, 0).expect("nothing is wrong yet");
    promises.repeat_last();
    let problem = promises.verify(&shimmed.server, 0).expect_err("it is there twice");
    assert!(problem.contains("2 rows of request 0"), "{problem}");
}

/// Requests that a key has left.
fn requests_left(api: &Client) -> u64 {
    let answer = api.get("/api/v1/tags").expect_status(200);
    let left = answer.header("X-RateLimit-Remaining").expect("what is left");
    left.parse().expect("a number")
}

/// Compares what a key has left with what it had: one request is taken, and one a minute comes.
fn compare_left(api: &Client, before: u64) -> Result<(), String> {
    let left = requests_left(api);
    let is_close = left < before + REQUESTS / 2 && left + REQUESTS / 2 > before;
    if is_close { Ok(()) } else { Err(format!("{before} requests left, and then {left}")) }
}

/// The requests that a key makes, of twice as many that it may.
const REQUESTS: u64 = 100;

#[test]
fn clocks_neither_fill_nor_empty_the_bucket_of_requests() {
    let options = Options::new().env("PURSER_RATE_LIMIT", 1);
    let options = options.env("PURSER_RATE_BURST", 2 * REQUESTS);
    let mut shimmed = Shimmed::start(Backend::Sqlite, options);
    let family = shimmed.server.family();
    for _ in 0..REQUESTS {
        requests_left(&family.api);
    }
    for jump in JUMPS {
        let before = requests_left(&family.api);
        for seconds in [jump.seconds(), 0] {
            shimmed.move_clock(seconds);
            let verdict = compare_left(&family.api, before);
            verdict.unwrap_or_else(|problem| panic!("{jump:?}: {problem}"));
        }
    }
    // The control: a bucket that is full again, as after a start.
    let before = requests_left(&family.api);
    shimmed.server.kill();
    shimmed.server.start_again();
    compare_left(&family.api, before).expect_err("it is full");
}
