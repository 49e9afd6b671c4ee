//! The size of SQLite's log while files are published and others read without pause.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use serde_json::json;

use crate::imports::{IMPORTS, assert_whole};
use crate::support::{Backend, Client, Family, Multipart, Options, Server, until};

const MIB: u64 = 1024 * 1024;
const LOG_BYTES_MAX: u64 = 64 * MIB;
const READERS: usize = 4;
/// Long texts make much to write of few rows.
const NOTES_CHARS: usize = 9_000;

fn server() -> Server {
    let options = Options::new()
        .env("PURSER_RATE_LIMIT", "0")
        .env("PURSER_MAX_CSV_BYTES", 200 * MIB)
        .env("PURSER_MAX_CONNECTIONS_PER_IP", "64");
    Server::start_with(Backend::Sqlite, options)
}

/// Rows that no file with another number has.
fn csv(number: usize, rows: usize) -> String {
    let notes = "n".repeat(NOTES_CHARS);
    let mut csv = "Date,Amount,Name,Notes\n".to_owned();
    for row in 0..rows {
        let day = 1 + row % 28;
        writeln!(csv, "2024-01-{day:02},-0.25,File {number} row {row},{notes}").unwrap();
    }
    csv
}

fn publish(api: &Client, account: &str, csv: &str) {
    let form = Multipart::new().text("account_id", account).text("publish", "true").file(
        "file",
        "a.csv",
        "text/csv",
        csv.as_bytes(),
    );
    let id = api.post_form(IMPORTS, &form).expect_status(201).id();
    let import = api.wait_for_import(&id);
    assert_eq!(import["status"], "complete", "{import}");
}

/// Works while others read; the largest size of the log, which only a write can change.
fn beside_readers(server: &Server, family: &Family, work: impl FnOnce()) -> u64 {
    let log = server.data_folder().join("purser.db-wal");
    let (largest, ended) = (AtomicU64::new(0), AtomicBool::new(false));
    std::thread::scope(|scope| {
        for reader in 0..READERS {
            let (log, largest, ended) = (&log, &largest, &ended);
            let page = format!("/api/v1/transactions?per_page=20&page={}", reader + 1);
            let api = &family.api;
            scope.spawn(move || {
                while !ended.load(Ordering::SeqCst) {
                    api.get(&page).expect_status(200);
                    largest.fetch_max(std::fs::metadata(log).unwrap().len(), Ordering::SeqCst);
                }
            });
        }
        work();
        ended.store(true, Ordering::SeqCst);
    });
    largest.into_inner()
}

#[test]
fn many_imports_beside_readers_leave_a_small_log() {
    let server = server();
    let family = server.family();
    let account = family.account("Main", "depository");
    let largest = beside_readers(&server, &family, || {
        (0..10).for_each(|number| publish(&family.api, &account, &csv(number, 1_000)));
    });
    assert!(largest <= LOG_BYTES_MAX, "the log had {largest} bytes");
}

#[test]
fn one_publish_and_its_undo_write_no_more_than_the_log_may_hold() {
    let server = server();
    let family = server.family();
    let account = family.account("Main", "depository");
    let largest = beside_readers(&server, &family, || {
        publish(&family.api, &account, &csv(0, 9_000));
        let imports = family.api.get(IMPORTS).expect_status(200).json();
        let import = format!("{IMPORTS}/{}", imports["data"][0]["id"].as_str().unwrap());
        family.api.post(&format!("{import}/revert"), &json!({})).expect_status(202);
        until("the undo", || {
            let status = family.api.get(&import).json()["data"]["status"].clone();
            (status == "pending").then_some(())
        });
    });
    assert!(largest <= LOG_BYTES_MAX, "the log had {largest} bytes");
    assert!(largest > 16 * MIB, "too little to show anything: {largest}");
    assert_whole(&server);
}
