//! An account has one valuation of a day, however many state it at once (R8).

use std::thread;

use serde_json::{Value, json};

use crate::support::{Answer, Backend, Client, Options, Server, Sql, repeats};

/// Requests that are sent at once.
const WRITERS: u64 = 64;

/// The writers of a round: whether all of them ask for an `upsert`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asking {
    Upserts,
    Anything,
}

fn state(api: &Client, account: &str, day: &str, writer: u64, asking: Asking) -> Answer {
    let mut inner = json!({ "account_id": account, "date": day, "amount": writer.to_string() });
    let body = match (asking, writer % 4) {
        (Asking::Upserts, _) | (Asking::Anything, 0) => {
            json!({ "valuation": inner, "upsert": true })
        }
        (_, 1) => {
            inner["upsert"] = true.into();
            json!({ "valuation": inner })
        }
        (_, 2) => json!({ "valuation": inner, "upsert": "false" }),
        _ => json!({ "valuation": inner }),
    };
    api.post("/api/v1/valuations", &body)
}

/// The valuations of a day.
fn of_day(api: &Client, account: &str, day: &str) -> Vec<Value> {
    let path = format!("/api/v1/valuations?account_id={account}&start_date={day}&end_date={day}");
    let list = api.get(&path).expect_status(200).json();
    list["valuations"].as_array().expect("a list").clone()
}

/// Compares the answers of one round with what is there after it.
fn verify(api: &Client, account: &str, day: &str, made: &[u16]) -> Result<(), String> {
    let there = of_day(api, account, day);
    let [one] = there.as_slice() else { return Err(format!("{} valuations", there.len())) };
    let is_sent = (0..WRITERS).any(|writer| one["amount_decimal"] == format!("{writer}.00"));
    let first = made.iter().filter(|status| **status == 201).count();
    if is_sent && first == 1 {
        return Ok(());
    }
    Err(format!("{first} answers of 201, then {one}"))
}

fn rounds(backend: Backend, rounds: u64) {
    let server = Server::start_with(backend, Options::new().env("PURSER_RATE_LIMIT", "0"));
    let family = server.family();
    let account = family.account("Main", "depository");
    let (api, account) = (&family.api, account.as_str());
    for round in 0..rounds {
        let asking = if round % 2 == 0 { Asking::Upserts } else { Asking::Anything };
        let day =
            format!("{}-{:02}-{:02}", 2000 + round / 336, 1 + round / 28 % 12, 1 + round % 28);
        let day = day.as_str();
        let mut made: Vec<u16> = thread::scope(|scope| {
            let write = |writer| move || state(api, account, day, writer, asking).status;
            let sent: Vec<_> = (0..WRITERS).map(|writer| scope.spawn(write(writer))).collect();
            sent.into_iter().map(|one| one.join().expect("a writer")).collect()
        });
        assert!(made.iter().all(|status| [200, 201].contains(status)), "round {round}: {made:?}");
        if asking == Asking::Anything {
            // Without `upsert` a valuation that replaces another one is a 201, too.
            made = vec![201];
        }
        let verdict = verify(api, account, day, &made);
        verdict.unwrap_or_else(|problem| panic!("round {round}: {problem}"));
        let last = state(api, account, day, round % WRITERS, Asking::Upserts).expect_status(200);
        assert_eq!(last.json()["amount_decimal"], format!("{}.00", round % WRITERS));
        let there = of_day(api, account, day);
        assert_eq!(there[0]["amount_decimal"], last.json()["amount_decimal"], "{there:?}");
    }
    let checked = server.run(&["check"], "");
    assert!(checked.status.success(), "{}{}", checked.stdout, checked.stderr);
}

#[test]
fn same_day_has_one_valuation_on_sqlite() {
    rounds(Backend::Sqlite, repeats(6, 1_000));
}

#[test]
fn same_day_has_one_valuation_on_postgres() {
    rounds(Backend::Postgres, repeats(6, 1_000));
}

#[test]
fn same_day_finds_a_valuation_that_was_inserted_twice() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    let account = family.account("Main", "depository");
    let day = "2024-05-01";
    let made = state(&family.api, &account, day, 1, Asking::Upserts).status;
    verify(&family.api, &account, day, &[made]).expect("nothing is wrong yet");
    // As if two writers had looked first and inserted then.
    let other = "2024-05-02";
    state(&family.api, &account, other, 2, Asking::Upserts).expect_status(201);
    let sql = Sql::open(&server);
    for index in sql.query(
        "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'entries'
            AND sql LIKE '%UNIQUE%'",
    ) {
        sql.run(&format!("DROP INDEX {}", index[0]));
    }
    sql.run("UPDATE entries SET date = date - 1 WHERE date = (SELECT MAX(date) FROM entries)");
    let problem = verify(&family.api, &account, day, &[201]).expect_err("there are two");
    assert_eq!(problem, "2 valuations");
    verify(&family.api, &account, other, &[201, 201]).expect_err("none is there");
}
