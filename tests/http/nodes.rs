//! Several processes on one database, and a process that dies in the middle of its work.
//!
//! With PostgreSQL, nodes share the database and the data folder. Which node has a job is read from
//! the database; a trigger makes publishes slow where a test needs time.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::imports::{IMPORTS, assert_whole, balance, post, sql};
use crate::support::{Backend, Client, Family, Node, Options, Server, until, until_within};

/// How long a dead node's work may wait for another one.
const TAKEN_UP: Duration = Duration::from_secs(30);
/// How long the work of a node that was stopped may wait for another one: less than its lease.
const GIVEN_BACK: Duration = Duration::from_secs(8);
/// How long after a restart on SQLite the work that was broken off is done.
const DONE_AFTER_RESTART: Duration = Duration::from_secs(5);
const ROWS: u64 = 20_000;

fn csv(rows: u64) -> String {
    csv_of("Row", rows)
}

/// Rows that no file of another name has.
fn csv_of(name: &str, rows: u64) -> String {
    let rows = (0..rows).map(|row| format!("2024-01-{:02},-0.01,{name} {row}\n", 1 + row % 28));
    format!("Date,Amount,Name\n{}", rows.collect::<String>())
}

fn total(api: &Client) -> Value {
    let listed = api.get("/api/v1/transactions?per_page=1").expect_status(200).json();
    listed["pagination"]["total_count"].clone()
}

fn status(api: &Client, id: &str) -> Value {
    api.get(&format!("{IMPORTS}/{id}")).expect_status(200).json()["data"]["status"].clone()
}

/// A server and one more node, and a client of the latter with the family's key.
fn two_nodes(options: Options) -> (Server, Node, Family, Client) {
    let server = Server::start_with(Backend::Postgres, options);
    let node = server.start_beside();
    let family = server.family();
    let key = server.key(&family.email, crate::support::Scope::ReadWrite);
    let other = node.client().with_key(&key);
    (server, node, family, other)
}

/// Every statement that adds entries takes so long, until it is set to 0.
fn slow_down(server: &Server) {
    sql::run(
        server,
        "CREATE SCHEMA beside; CREATE TABLE beside.slowness (seconds double precision);
        INSERT INTO beside.slowness VALUES (1);
        CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql
            AS $$ BEGIN PERFORM pg_sleep(seconds) FROM beside.slowness; RETURN NULL; END $$;
        CREATE TRIGGER slow BEFORE INSERT ON entries FOR EACH STATEMENT EXECUTE FUNCTION slow()",
    );
}

fn speed_up(server: &Server) {
    sql::run(server, "UPDATE beside.slowness SET seconds = 0");
}

/// The process that works on the only job.
fn worker(server: &Server) -> u32 {
    until("a node to take the job", || {
        let rows = sql::query(server, "SELECT lease_owner FROM jobs WHERE state = 'running'");
        let (process, _) = rows.first()?[0].split_once('-')?;
        Some(process.parse().expect("a process id"))
    })
}

#[test]
fn two_nodes_do_all_work_once() {
    let (server, mut node, family, other) = two_nodes(Options::new().env("PURSER_RATE_LIMIT", "0"));
    let account = family.account("Main", "depository");
    let fields = json!({ "account_id": account, "publish": "true" });
    let clients = [&family.api, &other];
    let ids: Vec<String> = std::thread::scope(|scope| {
        let fields = &fields;
        let threads: Vec<_> = (0..4)
            .map(|thread: usize| {
                let client = clients[thread % 2];
                scope.spawn(move || {
                    let send = |file| {
                        let csv = csv_of(&format!("File {thread} {file}"), 50);
                        post(client, &csv, fields).expect_status(201).id()
                    };
                    (0..5).map(send).collect::<Vec<_>>()
                })
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a client")).collect()
    });
    for id in &ids {
        assert_eq!(other.wait_for_import(id)["status"], "complete");
    }
    for client in clients {
        assert_eq!(total(client), 20 * 50);
    }
    assert_eq!(balance(&family, &account), "-10.00");
    node.kill();
    assert_whole(&server);
}

#[test]
fn a_dead_nodes_work_is_done_by_another() {
    let (mut server, mut node, family, other) =
        two_nodes(Options::new().env("PURSER_RATE_LIMIT", "0"));
    let account = family.account("Main", "depository");
    slow_down(&server);
    let id = post(&other, &csv(ROWS), &json!({ "account_id": account, "publish": "true" }))
        .expect_status(201)
        .id();
    let survivor = if worker(&server) == node.process_id() {
        node.kill();
        &family.api
    } else {
        server.kill();
        &other
    };
    let killed = Instant::now();
    assert_eq!(sql::value(&server, "SELECT COUNT(*) FROM entries"), "0", "it was in the middle");
    speed_up(&server);
    until_within(TAKEN_UP, "the other node", || {
        (status(survivor, &id) == "complete").then_some(())
    });
    eprintln!("taken up and done after {:?}", killed.elapsed());
    assert_eq!(total(survivor), ROWS);
    node.kill();
    assert_whole(&server);
}

#[test]
fn a_node_that_stops_gives_its_work_to_another() {
    let (mut server, mut node, family, other) =
        two_nodes(Options::new().env("PURSER_RATE_LIMIT", "0"));
    let account = family.account("Main", "depository");
    slow_down(&server);
    let id = post(&other, &csv(ROWS), &json!({ "account_id": account, "publish": "true" }))
        .expect_status(201)
        .id();
    let first = worker(&server);
    let survivor = if first == node.process_id() {
        assert!(node.stop().success());
        &family.api
    } else {
        assert!(server.stop().success());
        &other
    };
    speed_up(&server);
    until_within(GIVEN_BACK, "the other node", || (worker(&server) != first).then_some(()));
    until_within(TAKEN_UP, "the publish", || (status(survivor, &id) == "complete").then_some(()));
    assert_eq!(total(survivor), ROWS);
    node.kill();
    assert_whole(&server);
}

#[test]
fn a_node_that_slept_past_its_lease_changes_nothing() {
    let (server, mut node, family, other) = two_nodes(Options::new().env("PURSER_RATE_LIMIT", "0"));
    let account = family.account("Main", "depository");
    slow_down(&server);
    let id = post(&other, &csv(ROWS), &json!({ "account_id": account, "publish": "true" }))
        .expect_status(201)
        .id();
    let sleeps = worker(&server) == node.process_id();
    let (signal, awake): (&dyn Fn(&str), &Client) = if sleeps {
        (&|name| node.signal(name), &family.api)
    } else {
        (&|name| server.signal(name), &other)
    };
    signal("STOP");
    speed_up(&server);
    // The lease, the sleeper's transaction, and the work itself.
    until_within(2 * TAKEN_UP, "the node that is awake", || {
        (status(awake, &id) == "complete").then_some(())
    });
    assert_eq!(total(awake), ROWS);
    signal("CONT");
    let log = || if sleeps { node.log() } else { server.log() };
    until("the sleeper to give up", || {
        (log().contains("another worker has the job")
            || log().contains("job failed")
            || log().contains("job waits")
            || log().contains("given back"))
        .then_some(())
    });
    assert_eq!(total(awake), ROWS, "nothing twice");
    assert_eq!(status(awake, &id), "complete");
    // It works again.
    let sleeper = if sleeps { &other } else { &family.api };
    let again = csv_of("Again", 10);
    let again = post(sleeper, &again, &json!({ "account_id": account, "publish": "true" }))
        .expect_status(201)
        .id();
    assert_eq!(sleeper.wait_for_import(&again)["status"], "complete");
    assert_eq!(total(sleeper), ROWS + 10);
    node.kill();
    assert_whole(&server);
}

#[test]
fn limits_are_per_node_and_keys_end_everywhere() {
    let (server, node, family, other) = two_nodes(Options::new().env("PURSER_RATE_LIMIT", "5"));
    let made = server.run_json(&["key", "add", "--user", &family.email, "--name", "both"], "");
    let here = server.client().with_key(made["key"].as_str().expect("a key"));
    for _ in 0..5 {
        here.get(IMPORTS).expect_status(200);
    }
    here.get(IMPORTS).expect_error(429, "rate_limit_exceeded");
    let there = node.client().with_key(made["key"].as_str().expect("a key"));
    there.get(IMPORTS).expect_status(200);
    server.run_json(&["key", "revoke", made["id"].as_str().expect("an id")], "");
    there.get(IMPORTS).expect_error(401, "unauthorized");
    here.get(IMPORTS).expect_error(401, "unauthorized");
    other.get(IMPORTS).expect_status(200);
    server.run_json(&["user", "deactivate", &family.email, "--force"], "");
    other.get(IMPORTS).expect_error(401, "unauthorized");
}

#[test]
fn on_sqlite_a_restart_finishes_what_a_kill_broke_off() {
    let options = Options::new().env("PURSER_RATE_LIMIT", "0");
    let mut server = Server::start_with(Backend::Sqlite, options);
    let family = server.family();
    let account = family.account("Main", "depository");
    let fields = json!({ "account_id": account, "publish": "true" });
    let mut published = 0;
    // A publish that was faster than the kill proves nothing: then another one.
    let id = (0..5).find_map(|_| {
        published += 1;
        let id = post(&family.api, &csv(ROWS), &fields).expect_status(201).id();
        until("the job to begin or end", || {
            let states = sql::query(&server, "SELECT state FROM jobs");
            states.iter().all(|row| row[0] == "running").then_some(())
        });
        server.kill();
        let broken_off = sql::value(&server, "SELECT COUNT(*) FROM jobs") == "1";
        server.start_again();
        broken_off.then_some(id)
    });
    let id = id.expect("a kill in the middle of a publish");
    until_within(DONE_AFTER_RESTART, "the work to be done", || {
        (status(&family.api, &id) == "complete").then_some(())
    });
    assert_eq!(total(&family.api), ROWS * published);
    assert_whole(&server);
}
