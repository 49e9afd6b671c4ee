//! An account has one valuation of a day, however many state it at once (R8).

use std::thread;
use std::time::Instant;

use serde_json::{Value, json};

use crate::support::{Answer, Backend, Client, Options, Server, Sql, rounds};

/// Days of the past that valuations of an account may have, one for each round: 336 of each year.
const DAYS_MAX: u64 = 25 * 336;
/// Requests that are sent at once.
const WRITERS: u64 = 64;

/// The writers of a round: whether all of them ask for an `upsert`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asking {
    Upserts,
    Anything,
}

/// A writer's request, and its answer.
struct Written {
    writer: u64,
    is_upsert: bool,
    status: u16,
    sent: Instant,
    answered: Instant,
}

/// The body of a writer, and whether it asks for an `upsert`: at the top or inside of the wrapper,
/// as text or not.
fn body(account: &str, day: &str, writer: u64, asking: Asking) -> (Value, bool) {
    let mut inner = json!({ "account_id": account, "date": day, "amount": writer.to_string() });
    let kind = if asking == Asking::Upserts { writer % 3 } else { writer % 5 };
    let body = match kind {
        0 => json!({ "valuation": inner, "upsert": true }),
        1 => {
            inner["upsert"] = true.into();
            json!({ "valuation": inner })
        }
        2 => json!({ "valuation": inner, "upsert": "true" }),
        3 => json!({ "valuation": inner, "upsert": "false" }),
        _ => json!({ "valuation": inner }),
    };
    (body, kind < 3)
}

fn state(api: &Client, account: &str, day: &str, writer: u64, asking: Asking) -> (Answer, Written) {
    let (body, is_upsert) = body(account, day, writer, asking);
    let sent = Instant::now();
    let answer = api.post("/api/v1/valuations", &body);
    let status = answer.status;
    (answer, Written { writer, is_upsert, status, sent, answered: Instant::now() })
}

/// The valuations of a day.
fn of_day(api: &Client, account: &str, day: &str) -> Vec<Value> {
    let path = format!("/api/v1/valuations?account_id={account}&start_date={day}&end_date={day}");
    let list = api.get(&path).expect_status(200).json();
    list["valuations"].as_array().expect("a list").clone()
}

/// Compares the answers of one round with what is there after it.
fn verify(api: &Client, account: &str, day: &str, written: &[Written]) -> Result<(), String> {
    let there = of_day(api, account, day);
    let [one] = there.as_slice() else { return Err(format!("{} valuations", there.len())) };
    let is_last = |last: &&Written| {
        // Nobody began after its end.
        one["amount_decimal"] == format!("{}.00", last.writer)
            && written.iter().all(|other| other.sent <= last.answered)
    };
    if written.iter().find(is_last).is_none() {
        return Err(format!("{one} was replaced by a later one"));
    }
    judge_statuses(written)
}

/// Without `upsert` a valuation that replaces another one is a 201, too. Of the upserts exactly one
/// finds nothing; none if another request may have been first.
fn judge_statuses(written: &[Written]) -> Result<(), String> {
    let count = |is_upsert: bool, status: u16| {
        let is_one = |one: &&Written| one.is_upsert == is_upsert && one.status == status;
        written.iter().filter(is_one).count()
    };
    let (made, found, other) = (count(true, 201), count(true, 200), count(false, 201));
    let is_right = made + found + other == written.len() && (made == 1 || (made == 0 && other > 0));
    if is_right {
        return Ok(());
    }
    Err(format!("{} requests: {made} upserts made one and {found} found one", written.len()))
}

fn write_at_once(backend: Backend) {
    let server = Server::start_with(backend, Options::new().env("PURSER_RATE_LIMIT", "0"));
    let family = server.family();
    let (api, mut account) = (&family.api, String::new());
    for round in rounds(6, 1_000) {
        let number = round % DAYS_MAX;
        if number == 0 {
            account = family.account(&format!("From round {round}"), "depository");
        }
        let account = account.as_str();
        let asking = if round % 2 == 0 { Asking::Upserts } else { Asking::Anything };
        let day =
            format!("{}-{:02}-{:02}", 2000 + number / 336, 1 + number / 28 % 12, 1 + number % 28);
        let day = day.as_str();
        let mut written: Vec<Written> = thread::scope(|scope| {
            let write = |writer| move || state(api, account, day, writer, asking).1;
            let sent: Vec<_> = (0..WRITERS).map(|writer| scope.spawn(write(writer))).collect();
            sent.into_iter().map(|one| one.join().expect("a writer")).collect()
        });
        let verdict = verify(api, account, day, &written);
        verdict.unwrap_or_else(|problem| panic!("round {round}: {problem}"));
        let (answer, last) = state(api, account, day, round % WRITERS, Asking::Upserts);
        assert_eq!(
            answer.expect_status(200).json()["amount_decimal"],
            format!("{}.00", last.writer)
        );
        written.push(last);
        let verdict = verify(api, account, day, &written);
        verdict.unwrap_or_else(|problem| panic!("round {round}, the last: {problem}"));
    }
    let checked = server.run(&["check"], "");
    assert!(checked.status.success(), "{}{}", checked.stdout, checked.stderr);
}

#[test]
fn same_day_has_one_valuation_on_sqlite() {
    write_at_once(Backend::Sqlite);
}

#[test]
fn same_day_has_one_valuation_on_postgres() {
    write_at_once(Backend::Postgres);
}

#[test]
fn same_day_finds_a_valuation_that_was_inserted_twice() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    let account = family.account("Main", "depository");
    let day = "2024-05-01";
    let (_, first) = state(&family.api, &account, day, 1, Asking::Upserts);
    let (_, second) = state(&family.api, &account, day, 2, Asking::Upserts);
    let mut written = vec![first, second];
    verify(&family.api, &account, day, &written).expect("nothing is wrong yet");
    // As if the earlier one had been stored last.
    written.swap(0, 1);
    (written[0].writer, written[1].writer) = (1, 2);
    let problem = verify(&family.api, &account, day, &written).expect_err("an earlier one is left");
    assert!(problem.contains("was replaced"), "{problem}");
    (written[0].writer, written[1].writer) = (2, 1);
    // As if two writers had looked first and inserted then.
    written[0].status = 201;
    let problem = verify(&family.api, &account, day, &written).expect_err("both found nothing");
    assert_eq!(problem, "2 requests: 2 upserts made one and 0 found one");
    let other = "2024-05-02";
    state(&family.api, &account, other, 2, Asking::Upserts).0.expect_status(201);
    let sql = Sql::open(&server);
    for index in sql.query(
        "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'entries'
            AND sql LIKE '%UNIQUE%'",
    ) {
        sql.run(&format!("DROP INDEX {}", index[0]));
    }
    sql.run("UPDATE entries SET date = date - 1 WHERE date = (SELECT MAX(date) FROM entries)");
    let problem = verify(&family.api, &account, day, &written).expect_err("there are two");
    assert_eq!(problem, "2 valuations");
    verify(&family.api, &account, other, &written).expect_err("none is there");
}
