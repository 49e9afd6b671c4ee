//! A year of use leaves nothing behind but its data (R20).
//!
//! The clock runs ahead day by day; every day each family syncs with its bank and imports a file.
//! Memory, open files, SQLite's log and the table of jobs must not grow with the days.

use std::time::Instant;

use jiff::ToSpan as _;
use purser_bank_simulator::world::World;
use serde_json::{Value, json};

use crate::shim::Shimmed;
use crate::support::{
    Backend, Banks, Client, Family, Options, Server, Sql, repeats, rounds, until,
};

const CONNECTIONS: &str = "/api/v1/provider_connections";
const DAY_SECONDS: i64 = 86_400;
const MONTH_DAYS: i128 = 30;
/// As a test, and at length.
const DAYS: [u64; 2] = [9, 365];
/// Fewer have no first third.
const DAYS_MIN: usize = 3;
/// What the bank knows of the time before.
const HISTORY_DAYS: i64 = 20;
/// SQLite's log may never be larger.
const LOG_BYTES_MAX: u64 = 64 << 20;
/// Connections and threads come and go by so many.
const OPEN_FILES_MORE: u64 = 16;
/// Memory may grow by a part of what it was at most when a third of the days had passed.
const MEMORY_PERCENT_MORE: u64 = 25;
/// By so many hundredths of a percent memory may grow each month, over months.
const MONTHLY_GROWTH_MAX: i128 = 100;
/// Fewer days show no growth by month.
const DAYS_OF_GROWTH: usize = 180;

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

fn settle(sql: &Sql) {
    until("no jobs", || sql.query("SELECT id FROM jobs").is_empty().then_some(()));
}

/// A family with a bank.
struct Household {
    family: Family,
    account: String,
    connection: String,
}

impl Household {
    fn begin(server: &Server, key: &str) -> Self {
        let family = server.family_in("EUR");
        let account = family.account("Main", "depository");
        let body = json!({ "provider": "lunchflow", "key": key });
        let connection = family.api.post(CONNECTIONS, &body).expect_status(201).id();
        let accounts = format!("{CONNECTIONS}/{connection}/accounts");
        let found = family.api.get(&accounts).expect_status(200).json();
        let found = found["data"].as_array().expect("a list").iter();
        let id = found.filter(|one| one["currency"] == "EUR").find_map(|one| one["id"].as_str());
        let link = format!("{accounts}/{}/link", id.expect("an account"));
        family.api.post(&link, &json!({ "currency": "EUR" })).expect_status(200);
        Self { family, account, connection }
    }

    fn request_sync(&self) {
        let path = format!("{CONNECTIONS}/{}/sync", self.connection);
        self.family.api.post(&path, &json!({})).expect_status(202);
    }

    fn wait_for_sync(&self) {
        let path = format!("{CONNECTIONS}/{}", self.connection);
        let sync = until("the end of a run", || {
            let sync = self.family.api.get(&path).expect_status(200).json()["sync"].clone();
            (sync["syncing"] == json!(false)).then_some(sync)
        });
        assert_eq!(sync["latest"]["status"], "completed", "{sync}");
    }
}

/// By how many hundredths of a percent of its mean a figure grows each month, by the line that fits
/// its days best.
fn monthly_growth(days: &[u64]) -> i128 {
    let count = i128::try_from(days.len()).expect("a number of days");
    let points = || (0..count).zip(days.iter().map(|figure| i128::from(*figure)));
    let sum: i128 = points().map(|(_, figure)| figure).sum();
    let sum_of_days: i128 = points().map(|(day, _)| day).sum();
    let products: i128 = points().map(|(day, figure)| day * figure).sum();
    let squares: i128 = points().map(|(day, _)| day * day).sum();
    let slope = count * products - sum_of_days * sum;
    let divisor = count * squares - sum_of_days * sum_of_days;
    // The mean is the sum of the figures by their number.
    slope * MONTH_DAYS * 10_000 * count / (divisor * sum)
}

fn judge_growth(memory: &[u64]) -> Result<(), String> {
    let growth = monthly_growth(memory);
    if growth < MONTHLY_GROWTH_MAX {
        eprintln!("memory grows by {growth}/100 % a month");
        return Ok(());
    }
    let (first, last) = (memory.first(), memory.last());
    Err(format!("memory grows by {growth}/100 % a month: {first:?}, and {last:?} bytes"))
}

/// Compares each later day with the first third: what a server takes then it uses again.
fn judge(first: Footprint, days: &[Footprint], log_bytes_max: u64) -> Result<(), String> {
    assert!(days.len() >= DAYS_MIN, "so few days show nothing");
    let (early, later) = days.split_at(days.len() / 3);
    let early = early.iter().copied().fold(first, Footprint::max);
    for (day, taken) in later.iter().enumerate() {
        let day = days.len() / 3 + day;
        taken.compare(early, log_bytes_max).map_err(|problem| format!("day {day}: {problem}"))?;
    }
    let memory: Vec<u64> = later.iter().map(|taken| taken.memory_bytes).collect();
    if memory.len() < DAYS_OF_GROWTH { Ok(()) } else { judge_growth(&memory) }
}

#[test]
fn long_life_leaves_nothing_behind() {
    let banks = Banks::start();
    let first_day = banks.world().today;
    banks.set_world(World::with_days(1, first_day, HISTORY_DAYS));
    let keys: Vec<String> = (0..repeats(2, 50)).map(|number| format!("key-{number}")).collect();
    banks.set_keys(&keys.iter().map(String::as_str).collect::<Vec<_>>());
    let options = banks.options().env("PURSER_LOG", "error").env("PURSER_RATE_LIMIT", "0");
    let shimmed = Shimmed::start_unrecorded(Backend::Sqlite, options);
    let server = &shimmed.server;
    let households: Vec<Household> = keys.iter().map(|key| Household::begin(server, key)).collect();
    let (sql, begun) = (Sql::open(server), Instant::now());
    let first = Footprint::by(server);
    let mut taken = Vec::new();
    for day in rounds(DAYS[0], DAYS[1]).at_least(DAYS_MIN as u64) {
        let number = i64::try_from(day).expect("a day");
        shimmed.move_clock(DAY_SECONDS * number);
        banks.set_today(first_day.saturating_add(number.days()));
        households.iter().for_each(Household::request_sync);
        for Household { family, account, .. } in &households {
            import(family, account, day, 20);
        }
        households.iter().for_each(Household::wait_for_sync);
        settle(&sql);
        taken.push(Footprint::by(server));
        if number % 30 == 29 {
            eprintln!("day {day} after {} s: {:?}", begun.elapsed().as_secs(), taken.last());
        }
    }
    judge(first, &taken, LOG_BYTES_MAX).unwrap_or_else(|problem| panic!("{problem}"));
    let days = taken.len() as u64;
    households.iter().for_each(|household| assert_synced(&household.family.api, days));
    let checked = server.run(&["check"], "");
    assert!(checked.status.success(), "{}{}", checked.stdout, checked.stderr);
}

/// More came from the bank than what it had at first, and all files are there.
fn assert_synced(api: &Client, days: u64) {
    let total = |filter: &str| -> Value {
        let path = format!("/api/v1/transactions?per_page=1{filter}");
        api.get(&path).expect_status(200).json()["pagination"]["total_count"].clone()
    };
    let (all, imported) = (total(""), total("&search=Day"));
    assert_eq!(imported, days * 20);
    let synced = all.as_u64().expect("a number") - days * 20;
    assert!(synced > days / 2, "{synced} came from the bank");
}

#[test]
fn long_life_finds_memory_that_grows() {
    let steady: Vec<u64> = (0..240).map(|day| (60 << 20) + (day % 7) * (1 << 18)).collect();
    judge_growth(&steady).expect("it only varies");
    // Two hundredths a month.
    let leak = |(day, bytes): (usize, &u64)| bytes + day as u64 * (60 << 20) / (30 * 50);
    let leaking: Vec<u64> = steady.iter().enumerate().map(leak).collect();
    judge_growth(&leaking).expect_err("it grows");
}

/// What the days of a steady life take: some more and some less.
fn steady(count: u64) -> Vec<Footprint> {
    let day = |day| Footprint {
        memory_bytes: (60 << 20) + (day % 7) * (1 << 18),
        open_files: 40 + day % 5,
        log_bytes: (day % 3) * (8 << 20),
    };
    (0..count).map(day).collect()
}

#[test]
fn long_life_finds_whatever_grows() {
    for count in [9, 365] {
        let days = steady(count);
        judge(days[0], &days, LOG_BYTES_MAX).expect("it only varies");
        let leaks: [fn(&mut Footprint, u64); 3] = [
            |taken, day| taken.memory_bytes += day * (taken.memory_bytes / 20),
            |taken, day| taken.open_files += day * 4,
            |taken, day| taken.log_bytes += day * (8 << 20),
        ];
        for (number, leak) in leaks.into_iter().enumerate() {
            let mut leaking = days.clone();
            leaking.iter_mut().zip(0..).for_each(|(taken, day)| leak(taken, day));
            let verdict = judge(days[0], &leaking, LOG_BYTES_MAX);
            verdict.expect_err(&format!("leak {number} over {count} days"));
        }
    }
}

/// Small writes of a day, which all write some pages.
const WRITES: u64 = 25;
/// The length of their notes.
const NOTES_CHARS: usize = 9_000;
/// The log is begun anew at 16 MiB, and here each commit is small. A larger log than this makes
/// writes wait, which shows nothing more.
const SMALL_LOG_BYTES: u64 = 20 << 20;

#[test]
fn long_life_finds_a_reader_that_stays_open() {
    let options = Options::new().env("PURSER_RATE_LIMIT", "0");
    let server = Server::start_with(Backend::Sqlite, options);
    let family = server.family();
    let account = family.account("Main", "depository");
    let (sql, settled) = (Sql::open(&server), Sql::open(&server));
    let notes = "n".repeat(NOTES_CHARS);
    let first = Footprint::by(&server);
    let live = |days: std::ops::Range<u64>| {
        let mut taken = Vec::new();
        for day in days {
            import(&family, &account, day, 1);
            for number in 0..WRITES {
                let name = format!("{day} {number}");
                let body = json!({ "account_id": account, "date": "2024-01-03",
                    "amount": "1.00", "name": name, "notes": notes });
                family.api.post("/api/v1/transactions", &body).expect_status(201);
            }
            settle(&settled);
            // Of memory and files nothing follows from so few days.
            taken.push(Footprint { log_bytes: Footprint::by(&server).log_bytes, ..first });
            if taken.len() >= DAYS_MIN {
                judge(first, &taken, SMALL_LOG_BYTES)?;
            }
        }
        Ok::<(), String>(())
    };
    live(0..30).expect("nothing is wrong yet");
    // As if a request had never ended.
    sql.run("BEGIN; SELECT COUNT(*) FROM entries");
    let problem = live(30..80).expect_err("the log can't be begun anew");
    assert!(problem.starts_with("day "), "{problem}");
}
