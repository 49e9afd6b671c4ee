//! A request that is sent again has its effect once (R7): many at once, after the server died, with
//! another body, by another family.

use std::thread;

use serde_json::{Value, json};

use crate::support::{Answer, Backend, Client, Dice, Options, Server, Sql, repeats, until};

/// Keys between two deaths of the server.
const KEYS_PER_LIFE: u64 = 20;

/// An account, and who may write into it.
struct Book {
    api: Client,
    account: String,
}

impl Book {
    fn new(server: &Server) -> Self {
        let family = server.family();
        let account = family.account("Main", "depository");
        Self { api: family.api, account }
    }

    /// Creates a transaction with a key; `None` if the server died.
    fn send(&self, key: u64, amount: &str) -> Option<Answer> {
        let api = self.api.with_header("Idempotency-Key", &format!("key-{key}"));
        let body = json!({ "account_id": self.account, "date": "2024-03-01", "amount": amount,
            "name": format!("Row {key}") });
        api.try_post("/api/v1/transactions", &body)
    }

    /// Sends until the answer isn't that the first is still in progress.
    fn send_until_done(&self, key: u64, amount: &str) -> Answer {
        until("the first request", || {
            self.send(key, amount).filter(|answer| ![409, 503].contains(&answer.status))
        })
    }

    fn effects(&self, key: u64) -> u64 {
        let path = format!("/api/v1/transactions?search=Row+{key}&per_page=100");
        let list = self.api.get(&path).expect_status(200).json();
        let names = list["transactions"].as_array().expect("a list").iter();
        names.filter(|row| row["name"] == format!("Row {key}")).count() as u64
    }
}

/// Sends a request with a key several times at once, and then once more. The error is what was
/// wrong with it.
fn try_key(book: &Book, key: u64, at_once: u64) -> Result<(), String> {
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
    match (last.status, book.effects(key)) {
        (201, 1) => Ok(()),
        (status, effects) => Err(format!("key {key}: {status}, {effects} effects")),
    }
}

fn survive(backend: Backend, keys: u64) {
    let mut server = Server::start_with(backend, Options::new().env("PURSER_RATE_LIMIT", "0"));
    let mut dice = Dice::seeded();
    let (book, other) = (Book::new(&server), Book::new(&server));
    for key in 0..keys {
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
        let tried = try_key(&book, key, dice.between(2, 17));
        tried.unwrap_or_else(|problem| panic!("{problem}"));
        if key % 5 == 0 {
            book.send(key, "2.00").expect("an answer").expect_error(422, "idempotency_key_reused");
            try_key(&other, key, 2).unwrap_or_else(|problem| panic!("another family: {problem}"));
        }
    }
}

#[test]
fn retries_have_one_effect_on_sqlite() {
    survive(Backend::Sqlite, repeats(60, 10_000));
}

#[test]
fn retries_have_one_effect_on_postgres() {
    survive(Backend::Postgres, repeats(40, 2_000));
}

#[test]
fn retries_find_a_key_that_is_forgotten() {
    let server = Server::start(Backend::Sqlite);
    let book = Book::new(&server);
    try_key(&book, 1, 2).expect("nothing is wrong yet");
    // As if the key were stored after the effect, and the server had died between the two.
    Sql::open(&server).run("DELETE FROM idempotency_keys");
    let problem = try_key(&book, 1, 2).expect_err("it was done twice");
    assert!(problem.contains("2 effects"), "{problem}");
    let _: Value = book.send_until_done(1, "1.00").json();
}
