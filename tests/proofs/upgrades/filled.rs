//! A filled database of an older version is upgraded, and the process is killed at each of its
//! calls: what comes out of the next start is what an upgrade without a death makes.
//!
//! `old` has dumps of databases that a program with the schema of version 12 wrote, with two
//! families, on SQLite and on PostgreSQL, and their uploaded files.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::process::ExitStatusExt as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use postgres::NoTls;

use crate::shim::{Fault, Shimmed};
use crate::support::{Backend, Options, Server, Sql, State, repeats, rounds, sql, until};

/// The schema of the dumps.
const OLD_VERSION: &str = "12";
/// The calls of an upgrade that are tried as a test.
const POINTS: u64 = 4;
/// Deaths of one database on its way.
const MANY_DEATHS: u64 = 6;
/// How the program announces that it takes requests.
const READY: &str = "purser listening on";
/// The number of the signal `KILL`.
const KILL: i32 = 9;

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, target).expect("a file");
        }
    }
}

/// The dump of a database, and the folder with its files.
fn dump(backend: Backend) -> (String, PathBuf) {
    let name = if backend == Backend::Sqlite { "sqlite" } else { "postgres" };
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/proofs/upgrades/old");
    let text = fs::read_to_string(old.join(format!("{name}.sql"))).expect("a dump");
    (text, old.join("files").join(name))
}

/// A server that doesn't run yet, on the old database.
fn old(backend: Backend) -> Shimmed {
    let options = Options::new().env("PURSER_LOG", "error");
    let shimmed = Shimmed::prepared(backend, options);
    let (dump, files) = dump(backend);
    let data = shimmed.server.data_folder();
    copy(&files, &data.join("files"));
    match shimmed.server.database_url() {
        None => {
            let database = rusqlite::Connection::open(data.join("purser.db")).expect("a database");
            database.execute_batch(&dump).expect("the dump");
        }
        Some(url) => {
            let mut database = postgres::Client::connect(url, NoTls).expect("a database");
            database.batch_execute(&dump).expect("the dump");
        }
    }
    assert_eq!(version(&shimmed.server), OLD_VERSION);
    shimmed
}

fn version(server: &Server) -> String {
    sql::value(server, "SELECT MAX(version) FROM schema_version")
}

/// Starts the program, which dies at a call if it comes so far before it takes requests.
fn serve_and_die(shimmed: &Shimmed, call: u64) {
    shimmed.plan(call, Fault::Dies);
    let mut command = shimmed.server.command();
    command.args(["serve", "--listen", "127.0.0.1:0"]);
    let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
    let lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    if lines.map_while(Result::ok).any(|line| line.contains(READY)) {
        child.kill().expect("its end");
    }
    let status = child.wait().expect("its status");
    assert_eq!(status.signal(), Some(KILL), "{status:?}");
    shimmed.heal();
}

/// The calls until a start on the old database takes requests.
fn calls_of_a_start(backend: Backend) -> u64 {
    let shimmed = old(backend);
    serve_and_die(&shimmed, u64::from(u32::MAX));
    let calls = shimmed.calls();
    assert_ne!(version(&shimmed.server), OLD_VERSION);
    eprintln!("{calls} calls");
    assert!(calls > 2 * POINTS, "an upgrade has more than {calls} calls");
    calls
}

/// What an upgrade has made: tables, indexes and policies, the versions, and all rows.
struct Upgraded {
    schema: Vec<Vec<String>>,
    versions: Vec<Vec<String>>,
    /// The families in which positions were folded again.
    refolds: Vec<Vec<String>>,
    rows: State,
}

impl Upgraded {
    /// Starts as usual, waits for what an upgrade leaves to be done, and reads everything.
    fn read(shimmed: &mut Shimmed) -> Self {
        shimmed.server.start_again();
        let sql = Sql::open(&shimmed.server);
        until("the jobs of an upgrade", || {
            sql.run("UPDATE jobs SET run_at = 0 WHERE state = 'queued'");
            sql.query("SELECT id FROM jobs").is_empty().then_some(())
        });
        let checked = shimmed.server.run(&["check"], "");
        assert!(checked.status.success(), "{}{}", checked.stdout, checked.stderr);
        shimmed.server.kill();
        let schema = match sql {
            Sql::Sqlite(_) => "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY 1, 2",
            Sql::Postgres(_) => {
                "SELECT table_name, column_name, data_type, is_nullable, column_default
                    FROM information_schema.columns WHERE table_schema = 'public'
                 UNION ALL SELECT tablename, indexname, indexdef, '', '' FROM pg_indexes
                    WHERE schemaname = 'public'
                 UNION ALL SELECT tablename, policyname, qual, with_check, '' FROM pg_policies
                 ORDER BY 1, 2, 3"
            }
        };
        let versions = "SELECT version, name FROM schema_version ORDER BY version";
        // Each has its own id and its own time, and a try that died leaves one of its own, so they
        // are not compared.
        let refolds = "SELECT DISTINCT family_id FROM audit_events
            WHERE action = 'positions.refold' ORDER BY family_id";
        let refolds = sql.query(refolds);
        assert!(!refolds.is_empty(), "the schema folds positions again");
        sql.run("DELETE FROM audit_events WHERE action = 'positions.refold'");
        // Each commit of a try counts.
        sql.run("UPDATE families SET version = 0");
        Self {
            schema: sql.query(schema),
            versions: sql.query(versions),
            refolds,
            rows: State::read(&sql).without(&["schema_version"]),
        }
    }

    #[track_caller]
    fn assert_is(&self, wanted: &Self, what: &str) {
        assert_eq!(self.versions, wanted.versions, "{what}");
        assert_eq!(self.schema, wanted.schema, "{what}");
        assert_eq!(self.refolds, wanted.refolds, "{what}");
        self.rows.assert_is(&wanted.rows, what);
    }
}

fn survive(backend: Backend) {
    let wanted = Upgraded::read(&mut old(backend));
    let calls = calls_of_a_start(backend);
    let newest = wanted.versions.last().expect("a version")[0].clone();
    let (step, mut amid) = (repeats(calls / POINTS, 1), 0);
    for round in rounds(POINTS, calls) {
        let call = 1 + (step / 2 + round * step) % calls;
        let mut shimmed = old(backend);
        serve_and_die(&shimmed, call);
        let at = version(&shimmed.server);
        amid += u64::from(at != OLD_VERSION && at != newest);
        let what = format!("killed at call {call} of {calls}, version {at}");
        Upgraded::read(&mut shimmed).assert_is(&wanted, &what);
    }
    eprintln!("{amid} deaths between two steps or amid one");
    assert!(amid > 0, "no death was amid the upgrade");
    let mut shimmed = old(backend);
    for death in 1..=MANY_DEATHS {
        serve_and_die(&shimmed, death * calls / MANY_DEATHS / 2);
    }
    Upgraded::read(&mut shimmed).assert_is(&wanted, "killed many times");
}

#[test]
fn upgrades_of_filled_databases_survive_kills_on_sqlite() {
    survive(Backend::Sqlite);
}

#[test]
fn upgrades_of_filled_databases_survive_kills_on_postgres() {
    survive(Backend::Postgres);
}

/// As if a step were several transactions: one of its statements was done when the process died.
#[test]
fn upgrades_find_a_step_that_is_not_one_transaction() {
    let wanted = Upgraded::read(&mut old(Backend::Sqlite));
    for statement in [
        // Of step 14, which would add it again.
        "ALTER TABLE trades ADD COLUMN date INTEGER",
        "DELETE FROM entry_tags WHERE tag_id = (SELECT MIN(tag_id) FROM entry_tags)",
        "CREATE INDEX left_over ON entries (family_id)",
    ] {
        let mut shimmed = old(Backend::Sqlite);
        Sql::open(&shimmed.server).run(statement);
        let compared = catch_unwind(AssertUnwindSafe(|| {
            Upgraded::read(&mut shimmed).assert_is(&wanted, statement);
        }));
        assert!(compared.is_err(), "{statement} was not found");
    }
}
