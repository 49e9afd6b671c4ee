//! A year of use leaves nothing behind but its data (R20).
//!
//! The clock runs ahead day by day; every day each family imports a file. Memory, open files,
//! SQLite's log and the table of jobs must not grow with the days.

use serde_json::json;

use crate::shim::Shimmed;
use crate::support::{Backend, Family, Options, Server, Sql, repeats, until};

const DAY_SECONDS: i64 = 86_400;
/// SQLite's log may never be larger.
const LOG_BYTES_MAX: u64 = 64 << 20;
/// A few small imports need no more than this.
const SMALL_LOG_BYTES: u64 = 24 << 20;
/// Connections and threads come and go by so many.
const OPEN_FILES_MORE: u64 = 16;
/// Memory may grow by a part of what it was at most when two thirds of the days had passed.
const MEMORY_PERCENT_MORE: u64 = 25;

/// What a process and its database take.
#[derive(Debug, Clone, Copy)]
struct Footprint {
    memory_bytes: u64,
    open_files: u64,
    log_bytes: u64,
}

impl Footprint {
    fn by(server: &Server) -> Self {
        let process = format!("/proc/{}", server.process_id());
        let status = std::fs::read_to_string(format!("{process}/status")).expect("its status");
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kibibytes = resident.and_then(|text| text.split_whitespace().next()).expect("a size");
        let log = server.data_folder().join("purser.db-wal");
        Self {
            memory_bytes: kibibytes.parse::<u64>().expect("a number") << 10,
            open_files: std::fs::read_dir(format!("{process}/fd")).expect("its files").count()
                as u64,
            log_bytes: log.metadata().map_or(0, |file| file.len()),
        }
    }

    /// The larger of each.
    fn max(self, other: Self) -> Self {
        Self {
            memory_bytes: self.memory_bytes.max(other.memory_bytes),
            open_files: self.open_files.max(other.open_files),
            log_bytes: self.log_bytes.max(other.log_bytes),
        }
    }

    /// What is too much, compared with an earlier day.
    fn compare(self, early: Self, log_bytes_max: u64) -> Result<(), String> {
        let is_bounded = self.log_bytes <= log_bytes_max
            && self.open_files <= early.open_files + OPEN_FILES_MORE
            && self.memory_bytes * 100 <= early.memory_bytes * (100 + MEMORY_PERCENT_MORE);
        if is_bounded { Ok(()) } else { Err(format!("{early:?} and later {self:?}")) }
    }
}

fn import(family: &Family, account: &str, day: u64, rows: u64) {
    let rows: String = (0..rows).map(|row| format!("2024-01-02,-1.00,Day {day} {row}\n")).collect();
    let body = json!({ "account_id": account, "publish": "true",
        "raw_file_content": format!("Date,Amount,Name\n{rows}") });
    family.api.post("/api/v1/imports", &body).expect_status(201);
}

fn settle(server: &Server) {
    until("no jobs", || {
        let jobs = server.run_json(&["jobs", "list"], "");
        jobs["jobs"].as_array().expect("a list").is_empty().then_some(())
    });
}

#[test]
fn long_life_leaves_nothing_behind() {
    let shimmed = Shimmed::start(Backend::Sqlite, Options::new().env("PURSER_LOG", "error"));
    let server = &shimmed.server;
    let families: Vec<Family> = (0..repeats(2, 50)).map(|_| server.family()).collect();
    let accounts: Vec<String> =
        families.iter().map(|family| family.account("Main", "depository")).collect();
    let days = repeats(45, 365);
    let mut early = Footprint::by(server);
    for day in 0..days {
        shimmed.move_clock(DAY_SECONDS * i64::try_from(day).expect("a day"));
        for (family, account) in families.iter().zip(&accounts) {
            import(family, account, day, 20);
        }
        settle(server);
        let taken = Footprint::by(server);
        if day < days * 2 / 3 {
            // What a server takes in its first days it uses again.
            early = early.max(taken);
            continue;
        }
        let verdict = taken.compare(early, LOG_BYTES_MAX);
        verdict.unwrap_or_else(|problem| panic!("day {day}: {problem}"));
    }
    let checked = server.run(&["check"], "");
    assert!(checked.status.success(), "{}{}", checked.stdout, checked.stderr);
}

#[test]
fn long_life_finds_a_reader_that_stays_open() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    let account = family.account("Main", "depository");
    let sql = Sql::open(&server);
    let import_days = |days: std::ops::Range<u64>, rows| {
        days.into_iter().all(|day| {
            import(&family, &account, day, rows);
            settle(&server);
            let taken = Footprint::by(&server);
            taken.compare(taken, SMALL_LOG_BYTES).is_ok()
        })
    };
    assert!(import_days(0..12, 2_000), "{:?}", Footprint::by(&server));
    // As if a request had never ended.
    sql.run("BEGIN; SELECT COUNT(*) FROM entries");
    assert!(!import_days(12..36, 10_000), "{:?}", Footprint::by(&server));
}
