//! The size of SQLite's log while files are published and others read without pause.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use serde_json::json;

use crate::imports::{IMPORTS, assert_whole};
use crate::support::{Backend, Client, Family, Multipart, Options, Server, Sql, until};

const MIB: u64 = 1024 * 1024;
pub(crate) const LOG_BYTES_MAX: u64 = 64 * MIB;
const READERS: usize = 4;
/// Long texts make much to write of few rows.
const NOTES_CHARS: usize = 9_000;
/// Rows that one commit can't write.
const MANY_ROWS: usize = 9_000;

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
    let mut csv = "Date,Amount,Name,Category,Tags,Notes\n".to_owned();
    for row in 0..rows {
        let day = 1 + row % 28;
        writeln!(csv, "2024-01-{day:02},-0.25,File {number} row {row},Food,Trip,{notes}").unwrap();
    }
    csv
}

pub(crate) fn publish(api: &Client, account: &str, csv: &str) {
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
        publish(&family.api, &account, &csv(0, MANY_ROWS));
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

/// A read of another process that takes long keeps the log. It is cut off when the read has ended,
/// although nobody writes, and it stays as small as ever after that.
#[test]
fn a_log_that_a_long_read_kept_is_cut_off_when_the_read_ends() {
    let server = server();
    let family = server.family();
    let account = family.account("Main", "depository");
    let log = server.data_folder().join("purser.db-wal");
    let size = || std::fs::metadata(&log).expect("the log").len();
    let reader = Sql::open(&server);
    reader.run("BEGIN");
    reader.query("SELECT COUNT(*) FROM entries");
    publish(&family.api, &account, &csv(0, 3_500));
    assert!(size() > 24 * MIB, "too little to show anything: {}", size());
    reader.run("ROLLBACK");
    until("the log to be cut off", || (size() < MIB).then_some(()));
    let largest = beside_readers(&server, &family, || {
        (1..4).for_each(|number| publish(&family.api, &account, &csv(number, 1_000)));
    });
    assert!(largest <= LOG_BYTES_MAX, "the log had {largest} bytes");
    assert_whole(&server);
}

/// The id of the only label of a list that has a name.
fn label(family: &Family, list: &str, name: &str) -> String {
    let answer = family.api.get(&format!("/api/v1/{list}")).expect_status(200).json();
    let labels = answer.as_array().or(answer[list].as_array()).unwrap().clone();
    let found = labels.iter().find(|label| label["name"] == name);
    found.unwrap()["id"].as_str().unwrap().to_owned()
}

fn count(sql: &Sql, rows: &str) -> String {
    sql.query(&format!("SELECT COUNT(*) FROM {rows}"))[0][0].clone()
}

#[test]
fn labels_of_many_entries_go_in_several_commits() {
    let server = server();
    let family = server.family();
    let account = family.account("Main", "depository");
    publish(&family.api, &account, &csv(0, MANY_ROWS));
    let food = label(&family, "categories", "Food");
    let trip = label(&family, "tags", "Trip");
    let largest = beside_readers(&server, &family, || {
        family.api.delete(&format!("/api/v1/categories/{food}")).expect_status(200);
        family.api.delete(&format!("/api/v1/tags/{trip}")).expect_status(204);
    });
    assert!(largest <= LOG_BYTES_MAX, "the log had {largest} bytes");
    assert!(largest > 16 * MIB, "too little to show anything: {largest}");
    let sql = Sql::open(&server);
    assert_eq!(count(&sql, "entries WHERE category_id IS NULL"), MANY_ROWS.to_string());
    assert_eq!(count(&sql, "entry_tags"), "0");
    for kind in ["category", "tag"] {
        let parts = count(&sql, &format!("audit_events WHERE action = '{kind}.detach'"));
        assert!(parts.parse::<u64>().unwrap() > 1, "{parts} commits of {kind}");
    }
    // A job that finds nothing left to do.
    until("no jobs", || {
        sql.run("UPDATE jobs SET run_at = 0 WHERE state = 'queued'");
        sql.query("SELECT id FROM jobs").is_empty().then_some(())
    });
    assert_whole(&server);
}

/// The second commit fails, and then the process ends.
#[test]
fn a_removal_that_was_broken_off_goes_on_by_itself() {
    let mut server = server();
    let family = server.family();
    let account = family.account("Main", "depository");
    publish(&family.api, &account, &csv(0, MANY_ROWS));
    let home = family.api.post("/api/v1/categories", &json!({ "name": "Home" })).id();
    let food = label(&family, "categories", "Food");
    let sql = Sql::open(&server);
    sql.run(
        "CREATE TRIGGER refuse_second BEFORE INSERT ON audit_events
            WHEN NEW.action = 'category.detach' AND EXISTS
                (SELECT 1 FROM audit_events WHERE action = 'category.detach')
            BEGIN SELECT RAISE(ABORT, 'refused'); END",
    );
    let path = format!("/api/v1/categories/{food}");
    let refused = family.api.delete(&format!("{path}?replacement_id={home}"));
    assert!(refused.status >= 500, "{}", refused.text());
    server.kill();
    sql.run("DROP TRIGGER refuse_second");
    // The job comes when this test wants it, and not after its ten seconds.
    sql.run("UPDATE jobs SET run_at = run_at + 180000000 WHERE kind = 'label.remove'");
    let having = |id: &str| {
        let having = format!("entries WHERE category_id = {}", sql.uuid(id));
        count(&sql, &having).parse::<usize>().unwrap()
    };
    let (left, moved) = (having(&food), having(&home));
    assert!(left > 0 && moved > 0 && left + moved == MANY_ROWS, "{left} and {moved}");
    server.start_again();
    family.api.get(&path).expect_status(200);
    assert_whole(&server);
    until("the removal", || {
        sql.run("UPDATE jobs SET run_at = 0 WHERE state = 'queued'");
        (family.api.get(&path).status == 404).then_some(())
    });
    assert_eq!(having(&home), MANY_ROWS);
    assert_whole(&server);
}

/// What the last commit would refuse keeps the first one from being made.
#[test]
fn a_removal_that_is_refused_changes_nothing() {
    let server = server();
    let family = server.family();
    let account = family.account("Main", "depository");
    let rows = (0..1_100).map(|row| format!("2024-01-02,-0.25,Row {row},Food\n"));
    let csv = format!("Date,Amount,Name,Category\n{}", rows.collect::<String>());
    publish(&family.api, &account, &csv);
    let food = label(&family, "categories", "Food");
    let make = |fields| family.api.post("/api/v1/categories", &fields).expect_status(201);
    make(json!({ "name": "Bars", "parent_id": food }));
    make(json!({ "name": "Bars" }));
    let path = format!("/api/v1/categories/{food}");
    let refused = family.api.delete(&path).expect_error(422, "validation_failed");
    assert!(refused["message"].as_str().unwrap().contains("Bars"), "{refused}");
    let sql = Sql::open(&server);
    let having = format!("entries WHERE category_id = {}", sql.uuid(&food));
    assert_eq!(count(&sql, &having), "1100");
    assert_eq!(count(&sql, "jobs WHERE kind = 'label.remove'"), "0");
    assert_whole(&server);
}
