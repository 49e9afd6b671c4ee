//! Who doesn't hold the lease of a job changes nothing (R4).
//!
//! Two nodes have claimed the same publish: one with a lease that is over by the clock, and one
//! that has taken the work over. The second sleeps when the first wakes up, so whatever is stored
//! then was stored without a lease. That dead nodes' work is taken up in time is shown by `nodes`
//! of the tests over HTTP.

mod histories;

use serde_json::json;

use crate::shim::Shimmed;
use crate::support::{Backend, Node, Options, Sql, rounds, sql, until};

const ROWS: u64 = 200;
/// Rows of a commit where a publish has several.
const PART_ROWS: u64 = 50;
/// So far the clock is ahead when the second node claims the job: longer than a lease, and shorter
/// than the longest wait in the queue. When the clock is right again, its lease lasts that long.
const AHEAD_SECONDS: i64 = 200;
const ENDS: [&str; 2] = ["another worker has the job by now", "job done"];

/// What the first node still knows of its lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    /// It is older than that of the job.
    Fenced,
    /// It counts again, as if nobody compared it.
    Valid,
}

/// Two nodes on PostgreSQL with one clock.
struct Nodes {
    node: Node,
    shimmed: Shimmed,
}

impl Nodes {
    fn start(options: Options) -> Self {
        let shimmed = Shimmed::start_unrecorded(Backend::Postgres, options);
        Self { node: shimmed.server.start_beside(), shimmed }
    }

    /// The process that has the only job, other than one.
    fn worker(&self, other_than: Option<u32>) -> u32 {
        until("a node to take the job", || {
            let owner = "SELECT lease_owner FROM jobs WHERE state = 'running'";
            let rows = sql::query(&self.shimmed.server, owner);
            let process = rows.first()?[0].split_once('-')?.0.parse().expect("a process id");
            (Some(process) != other_than).then_some(process)
        })
    }

    /// Waits until so many connections wait for a lock.
    fn wait_for_blocked(&self, connections: usize) {
        let waiting = "SELECT pid FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'";
        until("a worker to wait for the table", || {
            (sql::query(&self.shimmed.server, waiting).len() == connections).then_some(())
        });
    }

    fn signal(&self, process: u32, name: &str) {
        if process == self.node.process_id() {
            self.node.signal(name);
        } else {
            self.shimmed.server.signal(name);
        }
    }

    fn log(&self, process: u32) -> String {
        let is_node = process == self.node.process_id();
        if is_node { self.node.log() } else { self.shimmed.server.log() }
    }
}

/// The error is what was stored without a lease, or what is wrong in the end.
fn wake_late(options: Options, token: Token) -> Result<(), String> {
    let nodes = Nodes::start(options.env("PURSER_RATE_LIMIT", "0"));
    let server = &nodes.shimmed.server;
    let family = server.family();
    let account = family.account("Main", "depository");
    let rows: String = (0..ROWS).map(|row| format!("2024-01-02,-0.01,Row {row}\n")).collect();
    let fields = json!({ "account_id": account,
        "raw_file_content": format!("Date,Amount,Name\n{rows}") });
    let id = family.api.post("/api/v1/imports", &fields).expect_status(201).id();

    // A publish looks for its rows before it writes anything.
    let table = Sql::open(server);
    table.run("BEGIN; LOCK TABLE import_offsets IN ACCESS EXCLUSIVE MODE");
    family.api.post(&format!("/api/v1/imports/{id}/publish"), &json!({})).expect_status(202);
    let late = nodes.worker(None);
    nodes.wait_for_blocked(1);
    nodes.signal(late, "STOP");
    nodes.shimmed.move_clock(AHEAD_SECONDS);
    let holder = nodes.worker(Some(late));
    nodes.wait_for_blocked(2);
    nodes.signal(holder, "STOP");
    nodes.shimmed.move_clock(0);
    if token == Token::Valid {
        Sql::open(server).run("UPDATE jobs SET lease_token = lease_token - 1");
    }
    table.run("ROLLBACK");

    nodes.signal(late, "CONT");
    until("the node without the lease", || {
        let log = nodes.log(late);
        ENDS.iter().any(|end| log.contains(end)).then_some(())
    });
    let stored = sql::value(server, "SELECT COUNT(*) FROM entries");
    nodes.signal(holder, "CONT");
    if stored != "0" {
        return Err(format!("{stored} rows were stored without a lease"));
    }
    let import = family.api.wait_for_import(&id);
    let listed = family.api.get("/api/v1/transactions?per_page=1").expect_status(200).json();
    let total = &listed["pagination"]["total_count"];
    if import["status"] != "complete" || *total != ROWS {
        return Err(format!("{total} rows, {import}"));
    }
    let checked = server.run(&["check"], "");
    if checked.status.success() { Ok(()) } else { Err(checked.stdout + &checked.stderr) }
}

fn in_parts() -> Options {
    Options::new().env("PURSER_PUBLISH_PART_ROWS", PART_ROWS)
}

#[test]
fn leases_that_are_over_change_nothing() {
    for _ in rounds(1, 50) {
        for options in [Options::new(), in_parts()] {
            wake_late(options, Token::Fenced).unwrap_or_else(|problem| panic!("{problem}"));
        }
    }
}

#[test]
fn leases_find_a_token_that_is_not_compared() {
    let problem = wake_late(Options::new(), Token::Valid).expect_err("the late one could store");
    assert!(problem.contains("200 rows were stored without a lease"), "{problem}");
}
