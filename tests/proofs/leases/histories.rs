//! Random orders of what happens to nodes and to their leases: publishes begin, workers wait in the
//! middle of them, nodes sleep, wake up and die, leases are over before their time.
//!
//! The database notes with each end of a job who had its lease then. Only that process may report
//! the job as done, and every publish has its rows once.

use std::collections::BTreeMap;
use std::time::Duration;

use postgres::NoTls;
use serde_json::json;

use super::{PART_ROWS, in_parts};
use crate::support::{Backend, Dice, Family, Node, Server, Sql, rounds, sql, until_within};

/// Nodes beside the server, which the client asks and to which nothing happens.
const NODES: usize = 3;
const FAMILIES: usize = 2;
/// Publishes of each family in a history: the rows of one that takes several commits, and of one
/// that takes one.
const ROWS: [u64; 2] = [3 * PART_ROWS, PART_ROWS / 2];
const STEPS: u64 = 14;
/// Pauses between steps, in microseconds: up to more than the time between two looks at the queue.
const PAUSE_MAX: u64 = 700_000;
/// A lease and the work.
const SETTLING: Duration = Duration::from_secs(60);
/// Histories until the planted defect must be found.
const CONTROL_MAX: u64 = 20;

/// Notes who had the lease of a job when it ended.
const PREPARE: &str = "CREATE SCHEMA beside; CREATE TABLE beside.ended (job text, owner text);
    CREATE FUNCTION note_end() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO beside.ended VALUES (OLD.id::text, OLD.lease_owner); RETURN NULL; END $$;
    CREATE TRIGGER note_end AFTER DELETE ON jobs FOR EACH ROW EXECUTE FUNCTION note_end()";
/// The planted defect: no claim has a newer token than the one before, so that all of them count.
const KEEP_TOKENS: &str = "CREATE FUNCTION keep_token() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN NEW.lease_token := OLD.lease_token; RETURN NEW; END $$;
    CREATE TRIGGER keep_token BEFORE UPDATE ON jobs FOR EACH ROW EXECUTE FUNCTION keep_token()";
/// A publish reads this table before it writes anything.
const HOLD: &str = "BEGIN; LOCK TABLE import_offsets IN ACCESS EXCLUSIVE MODE";
const STEAL: &str = "UPDATE jobs SET lease_until = 0 WHERE state = 'running'";

/// A node, and whether it sleeps.
struct Worker {
    node: Node,
    is_asleep: bool,
}

/// An import that is to be published.
struct Upload {
    family: usize,
    import: String,
    rows: u64,
}

/// All processes, and what was asked of them.
struct Cluster {
    workers: Vec<Worker>,
    /// What killed processes had logged, by their ids.
    logs: Vec<(u32, String)>,
    server: Server,
    families: Vec<(Family, String)>,
    /// Rows that are published by family.
    published: Vec<u64>,
    /// Whoever holds workers up and ends leases.
    beside: postgres::Client,
    histories: u64,
}

impl Cluster {
    fn start() -> Self {
        let options = in_parts().env("PURSER_RATE_LIMIT", "0");
        let server = Server::start_with(Backend::Postgres, options);
        Sql::open(&server).run(PREPARE);
        let family = |_| {
            let family = server.family();
            let account = family.account("Main", "depository");
            (family, account)
        };
        let families = (0..FAMILIES).map(family).collect();
        let url = server.database_url().expect("PostgreSQL");
        let mut beside = postgres::Client::connect(url, NoTls).expect("the database");
        // A node that sleeps amid a transaction holds its locks, for which nobody waits here.
        let settings = "SET lock_timeout = '300ms'; SET purser.family = 'all'";
        beside.batch_execute(settings).expect("a bound, and every family's rows");
        let workers = (0..NODES).map(|_| Worker::start(&server)).collect();
        let (logs, published) = (Vec::new(), vec![0; FAMILIES]);
        Self { workers, logs, server, families, published, beside, histories: 0 }
    }

    /// Uploads, one after the other of each family, to be published in a history.
    fn uploads(&mut self) -> Vec<Upload> {
        self.histories += 1;
        let mut uploads = Vec::new();
        for count in ROWS {
            for (at, (family, account)) in self.families.iter().enumerate() {
                let row =
                    |row| format!("2024-01-02,-0.01,History {} {count} {row}\n", self.histories);
                let rows: String = (0..count).map(row).collect();
                let fields = json!({ "account_id": account,
                    "raw_file_content": format!("Date,Amount,Name\n{rows}") });
                let made = family.api.post("/api/v1/imports", &fields).expect_status(201);
                uploads.push(Upload { family: at, import: made.id(), rows: count });
            }
        }
        uploads
    }

    /// Lives through a history; the error is what was wrong in the end.
    fn live(&mut self, dice: &mut Dice) -> Result<(), String> {
        let mut uploads = self.uploads();
        let mut is_held = false;
        for _ in 0..STEPS {
            match dice.below(12) {
                0..3 => self.publish(&mut uploads),
                3 | 4 => self.put_to_sleep(dice),
                5 | 6 => self.wake_one(dice),
                7 => self.kill_one(dice),
                8 | 9 => drop(self.beside.batch_execute(STEAL)),
                _ => is_held = self.hold(!is_held),
            }
            dice.pause(0, PAUSE_MAX);
        }
        self.kill_one(dice);
        self.hold(false);
        self.workers.iter_mut().for_each(Worker::wake);
        while !uploads.is_empty() {
            self.publish(&mut uploads);
        }
        // Those of killed nodes.
        drop(self.beside.batch_execute(STEAL));
        self.verify()
    }

    fn publish(&mut self, uploads: &mut Vec<Upload>) {
        let Some(Upload { family, import, rows }) = uploads.pop() else { return };
        let path = format!("/api/v1/imports/{import}/publish");
        self.families[family].0.api.post(&path, &json!({})).expect_status(202);
        self.published[family] += rows;
    }

    /// Holds all workers up that begin a publish, or lets them go on.
    fn hold(&mut self, is_wanted: bool) -> bool {
        let done = self.beside.batch_execute(if is_wanted { HOLD } else { "ROLLBACK" });
        if done.is_err() {
            drop(self.beside.batch_execute("ROLLBACK"));
        }
        is_wanted && done.is_ok()
    }

    fn put_to_sleep(&mut self, dice: &mut Dice) {
        let worker = &mut self.workers[usize::try_from(dice.below(NODES as u64)).unwrap()];
        if !worker.is_asleep {
            worker.node.signal("STOP");
            worker.is_asleep = true;
        }
    }

    fn wake_one(&mut self, dice: &mut Dice) {
        self.workers[usize::try_from(dice.below(NODES as u64)).unwrap()].wake();
    }

    fn kill_one(&mut self, dice: &mut Dice) {
        let at = usize::try_from(dice.below(NODES as u64)).unwrap();
        let mut killed = self.workers.remove(at).node;
        killed.kill();
        self.logs.push((killed.process_id(), killed.log()));
        self.workers.push(Worker::start(&self.server));
    }

    fn verify(&mut self) -> Result<(), String> {
        let sql = Sql::open(&self.server);
        until_within(SETTLING, "all jobs", || {
            sql.run("UPDATE jobs SET run_at = 0 WHERE state = 'queued'");
            sql.query("SELECT id FROM jobs").is_empty().then_some(())
        });
        self.compare_ends(&sql)?;
        for ((family, _), published) in self.families.iter().zip(&self.published) {
            let listed = family.api.get("/api/v1/transactions?per_page=1").expect_status(200);
            let total = listed.json()["pagination"]["total_count"].clone();
            if total != *published {
                return Err(format!("{total} rows of {published}"));
            }
        }
        Ok(())
    }

    /// Who reported a job as done had its lease when it ended.
    fn compare_ends(&self, sql: &Sql) -> Result<(), String> {
        let ended = sql.query("SELECT job, owner FROM beside.ended").into_iter();
        let ended: BTreeMap<String, String> =
            ended.map(|mut row| (row.remove(0), row.remove(0))).collect();
        let alive = self.workers.iter().map(|worker| &worker.node);
        let alive = alive.map(|node| (node.process_id(), node.log()));
        let own = [(self.server.process_id(), self.server.log())];
        for (process, log) in self.logs.iter().cloned().chain(alive).chain(own) {
            for job in done(&log) {
                let owner = ended.get(job).map_or("nobody", String::as_str);
                if !owner.starts_with(&format!("{process}-")) {
                    return Err(format!("{process} ended a job of which {owner} had the lease"));
                }
            }
        }
        Ok(())
    }
}

impl Worker {
    fn start(server: &Server) -> Self {
        Self { node: server.start_beside(), is_asleep: false }
    }

    fn wake(&mut self) {
        self.node.signal("CONT");
        self.is_asleep = false;
    }
}

/// The jobs that a log reports as done.
fn done(log: &str) -> impl Iterator<Item = &str> {
    let lines = log.lines().filter(|line| line.contains("job done"));
    lines.map(|line| {
        let job = line.split_once(" job=").map(|(_, rest)| rest);
        job.and_then(|rest| rest.split_whitespace().next()).expect("the id of a job")
    })
}

#[test]
fn leases_hold_in_any_order() {
    let (mut cluster, mut dice) = (Cluster::start(), Dice::seeded());
    for _ in rounds(1, 300) {
        let lived = cluster.live(&mut dice.next_case());
        lived.unwrap_or_else(|problem| panic!("{problem}"));
    }
    let checked = cluster.server.run(&["check"], "");
    assert!(checked.status.success(), "{}{}", checked.stdout, checked.stderr);
    let jobs = sql::value(&cluster.server, "SELECT COUNT(*) FROM beside.ended");
    eprintln!("{jobs} jobs ended, {} nodes were killed", cluster.logs.len());
}

#[test]
fn leases_find_tokens_that_never_grow() {
    let (mut cluster, mut dice) = (Cluster::start(), Dice::seeded());
    Sql::open(&cluster.server).run(KEEP_TOKENS);
    let found = (0..CONTROL_MAX).find_map(|_| cluster.live(&mut dice.next_case()).err());
    let found = found.expect("every holder of an older lease kept still");
    assert!(found.contains("had the lease"), "{found}");
}
