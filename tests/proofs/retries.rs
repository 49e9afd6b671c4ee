//! A request that is sent again has its effect once (R7): many at once, after the server died, with
//! another body, by another family.

use std::collections::BTreeSet;
use std::thread;

use jiff::ToSpan as _;
use jiff::civil::date;
use serde_json::{Value, json};

use crate::support::{Answer, Backend, Client, Dice, Options, Rounds, Server, Sql, rounds, until};

/// Keys between two deaths of the server.
const KEYS_PER_LIFE: u64 = 20;

/// A family, and which keys it was sent.
struct Book {
    api: Client,
    account: String,
    stated: String,
    keys: BTreeSet<u64>,
}

/// What is asked for with a key, which follows from its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Route {
    Transaction,
    Import,
    /// With `upsert`, so that a second effect has another status.
    Balance,
}

const ROUTES: [Route; 3] = [Route::Transaction, Route::Import, Route::Balance];

impl Route {
    fn of(key: u64) -> Self {
        ROUTES[usize::try_from(key % 3).expect("a small number")]
    }
}

impl Book {
    fn new(server: &Server) -> Self {
        let family = server.family();
        let account = family.account("Main", "depository");
        let stated = family.account("Stated", "depository");
        Self { api: family.api, account, stated, keys: BTreeSet::new() }
    }

    fn request(&self, key: u64, amount: &str) -> (&'static str, Value) {
        match Route::of(key) {
            Route::Transaction => (
                "/api/v1/transactions",
                json!({ "account_id": self.account, "date": "2024-03-01", "amount": amount,
                    "name": format!("Row {key}") }),
            ),
            Route::Import => {
                let csv = format!("Date,Amount,Name\n2024-03-02,-{amount},Imported {key}\n");
                let body = json!({ "account_id": self.account, "publish": "true",
                    "raw_file_content": csv });
                ("/api/v1/imports", body)
            }
            Route::Balance => {
                let day = date(1990, 1, 1) + i64::try_from(key).expect("a day").days();
                let valuation = json!({ "account_id": self.stated, "date": day.to_string(),
                    "amount": amount });
                ("/api/v1/valuations", json!({ "valuation": valuation, "upsert": true }))
            }
        }
    }

    /// Sends a request with a key; `None` if the server died.
    fn send(&self, key: u64, amount: &str) -> Option<Answer> {
        let api = self.api.with_header("Idempotency-Key", &format!("key-{key}"));
        let (path, body) = self.request(key, amount);
        api.try_post(path, &body)
    }

    /// Sends until the answer isn't that the first is still in progress.
    fn send_until_done(&self, key: u64, amount: &str) -> Answer {
        until("the first request", || {
            self.send(key, amount).filter(|answer| ![409, 503].contains(&answer.status))
        })
    }

    /// How many effects all keys of a route have had.
    fn effects(&self, route: Route) -> u64 {
        let (path, part) = match route {
            Route::Transaction => ("/api/v1/transactions?search=Row&", "pagination"),
            Route::Import => ("/api/v1/imports?", "meta"),
            Route::Balance => ("/api/v1/valuations?", "pagination"),
        };
        let list = self.api.get(&format!("{path}per_page=1")).expect_status(200).json();
        list[part]["total_count"].as_u64().expect("a number")
    }
}

/// Sends a request with a key several times at once, and then once more. The error is what was
/// wrong with it.
fn try_key(book: &mut Book, key: u64, at_once: u64) -> Result<(), String> {
    book.keys.insert(key);
    let book = &*book;
    let answers: Vec<Option<Answer>> = thread::scope(|scope| {
        let sent: Vec<_> = (0..at_once).map(|_| scope.spawn(|| book.send(key, "1.00"))).collect();
        sent.into_iter().map(|one| one.join().expect("a client")).collect()
    });
    let last = book.send_until_done(key, "1.00");
    for answer in answers.into_iter().flatten() {
        let is_same = answer.status == last.status && answer.bytes == last.bytes;
        if !is_same && ![409, 503].contains(&answer.status) {
            return Err(format!("{} and then {}", answer.text(), last.text()));
        }
    }
    let route = Route::of(key);
    let sent = book.keys.iter().filter(|key| Route::of(**key) == route).count() as u64;
    match (last.status, book.effects(route)) {
        (201, effects) if effects == sent => Ok(()),
        (status, effects) => {
            Err(format!("{route:?}, key {key}: {status}, {sent} keys and {effects} effects"))
        }
    }
}

fn survive(backend: Backend, keys: Rounds) {
    let mut server = Server::start_with(backend, Options::new().env("PURSER_RATE_LIMIT", "0"));
    let mut dice = Dice::seeded();
    let (mut book, mut other) = (Book::new(&server), Book::new(&server));
    for key in keys {
        if key % KEYS_PER_LIFE == KEYS_PER_LIFE - 1 {
            // One that is in flight when the server dies, and is sent again.
            thread::scope(|scope| {
                let sent = scope.spawn(|| book.send(key, "1.00"));
                dice.pause(0, 4_000);
                server.kill();
                sent.join().expect("a client");
            });
            server.start_again();
        }
        let tried = try_key(&mut book, key, dice.between(2, 17));
        tried.unwrap_or_else(|problem| panic!("{problem}"));
        if key % 5 == 0 {
            book.send(key, "2.00").expect("an answer").expect_error(422, "idempotency_key_reused");
            try_key(&mut other, key, 2)
                .unwrap_or_else(|problem| panic!("another family: {problem}"));
        }
    }
}

#[test]
fn retries_have_one_effect_on_sqlite() {
    survive(Backend::Sqlite, rounds(60, 10_000));
}

#[test]
fn retries_have_one_effect_on_postgres() {
    survive(Backend::Postgres, rounds(40, 2_000));
}

#[test]
fn retries_find_a_key_that_is_forgotten() {
    let server = Server::start(Backend::Sqlite);
    let mut book = Book::new(&server);
    for (key, found) in [(3, "1 keys and 2 effects"), (4, "1 keys and 2 effects"), (5, "200,")] {
        try_key(&mut book, key, 2).expect("nothing is wrong yet");
        // As if the key were stored after the effect, and the server had died between the two.
        Sql::open(&server).run("DELETE FROM idempotency_keys");
        let problem = try_key(&mut book, key, 1).expect_err("it was done twice");
        assert!(problem.contains(found), "{problem}");
    }
}
