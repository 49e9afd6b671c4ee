//! Reads that take minutes beside a server that writes: SQLite's log stays small.

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::json;

use crate::family_exports::export;
use crate::imports::assert_whole;
use crate::log_size::{LOG_BYTES_MAX, publish};
use crate::support::{Backend, Family, Options, Server, Sql, until, until_within};

/// Transactions with more text than a log may hold.
const ROWS: usize = 9_000;
/// A removal of a category of all transactions ends before.
const REMOVAL_TIME_MAX: Duration = Duration::from_secs(100);
/// Texts that hardly get smaller by compressing.
const ADD_NOTES: &str = "UPDATE entries SET notes = hex(randomblob(4500))";
const CATEGORIES: &str = "/api/v1/categories";

/// A family with a large database.
struct Large {
    server: Server,
    family: Family,
}

impl Large {
    fn new() -> Self {
        Self::with(Options::new())
    }

    fn with(options: Options) -> Self {
        let server = Server::start_with(Backend::Sqlite, options.env("PURSER_RATE_LIMIT", "0"));
        let family = server.family();
        let account = family.account("Main", "depository");
        let rows = (0..ROWS).map(|row| format!("2024-01-{:02},-0.25,Row {row}\n", 1 + row % 28));
        let csv = format!("Date,Amount,Name\n{}", rows.collect::<String>());
        publish(&family.api, &account, &csv);
        Sql::open(&server).run(ADD_NOTES);
        Self { server, family }
    }

    /// A new category, which all transactions have.
    fn category(&self, name: &str) -> String {
        let id = self.family.api.post(CATEGORIES, &json!({ "name": name })).id();
        let sql = Sql::open(&self.server);
        sql.run(&format!("UPDATE entries SET category_id = {}", sql.uuid(&id)));
        // What this process wrote is to be no part of what is measured.
        until("the log to be empty", || {
            let moved = sql.query("PRAGMA wal_checkpoint(TRUNCATE)");
            (moved[0][0] == "0").then_some(())
        });
        id
    }

    fn log_bytes(&self) -> u64 {
        fs::metadata(self.server.data_folder().join("purser.db-wal")).expect("the log").len()
    }

    /// Removes the category of all transactions, for which they are written again with their notes.
    /// The largest size of the log meanwhile.
    fn remove(&self, category: &str) -> u64 {
        let path = format!("{CATEGORIES}/{category}");
        let is_done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let watch = scope.spawn(|| {
                let mut largest = 0;
                until_within(REMOVAL_TIME_MAX, "the end of the removal", || {
                    largest = self.log_bytes().max(largest);
                    is_done.load(Ordering::SeqCst).then_some(largest)
                })
            });
            let answer = self.family.api.delete(&path);
            is_done.store(true, Ordering::SeqCst);
            answer.expect_status(200);
            watch.join().expect("the size of the log").max(self.log_bytes())
        })
    }
}

/// A command that has begun to read, and goes on only when it is let.
struct Sleeper(Option<Child>);

impl Drop for Sleeper {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill();
        }
    }
}

impl Sleeper {
    fn begin(server: &Server, arguments: &[&str]) -> Self {
        let mut command = server.command();
        let piped = command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        Self(Some(piped.spawn().expect("the program starts")))
    }

    fn child(&self) -> &Child {
        self.0.as_ref().expect("it runs")
    }

    /// Waits for the first byte that it prints.
    fn wait_for_output(&mut self) {
        let mut byte = [0];
        let output = self.0.as_mut().and_then(|child| child.stdout.as_mut());
        output.expect("its output").read_exact(&mut byte).expect("a byte");
    }

    fn signal(&self, name: &str) {
        let pid = self.child().id().to_string();
        let sent = Command::new("kill").args([&format!("-{name}"), &pid]).status();
        assert!(sent.expect("kill").success());
    }

    /// Lets it come to its end, which must be a good one. What it complained of.
    fn finish(mut self) -> String {
        self.signal("CONT");
        let child = self.0.take().expect("it runs");
        let ended = child.wait_with_output().expect("its end");
        let errors = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(ended.status.success(), "{errors}");
        errors
    }

    fn mode_of_copy(&self) -> Option<u32> {
        mode_of_copy(self.child().id())
    }
}

/// The mode of a copy of the database that a process has open, which has no name any more.
fn mode_of_copy(process: u32) -> Option<u32> {
    fs::read_dir(format!("/proc/{process}/fd")).expect("its files").find_map(|entry| {
        let path = entry.expect("a file").path();
        let to = fs::read_link(&path).ok()?;
        let is_copy = to.to_str()?.ends_with("/purser.db.being-copied (deleted)");
        Some(fs::metadata(&path).ok().filter(|_| is_copy)?.mode() & 0o777)
    })
}

/// A backup that has begun and sleeps, and its file.
fn sleeping_backup(server: &Server) -> (Sleeper, PathBuf) {
    let backup = server.data_folder().with_file_name("backup.tar.gz");
    let partial = backup.with_file_name("backup.tar.gz.partial");
    let sleeper = Sleeper::begin(server, &["backup", backup.to_str().unwrap()]);
    let size = || fs::metadata(&partial).map_or(0, |file| file.len());
    until("the backup to begin", || (size() > 0).then_some(()));
    sleeper.signal("STOP");
    (sleeper, backup)
}

/// A backup, a check and an export that come to a halt: what is written meanwhile doesn't stay in
/// the log.
#[test]
fn reads_that_take_long_leave_a_small_log() {
    let large = Large::new();
    let name_of_copy = large.server.data_folder().join("purser.db.being-copied");

    let category = large.category("A");
    let (sleeper, backup) = sleeping_backup(&large.server);
    let largest = large.remove(&category);
    assert!(!backup.exists(), "the backup was too quick to show anything");
    assert!(largest <= LOG_BYTES_MAX, "beside a backup the log had {largest} bytes");
    assert_eq!(sleeper.mode_of_copy(), Some(0o600));
    assert!(!name_of_copy.exists(), "it has no name");
    assert_eq!(sleeper.finish(), "");
    let verified = large.server.run(&["backup", "--verify", backup.to_str().unwrap()], "");
    assert!(verified.status.success(), "{verified:?}");

    let category = large.category("B");
    let mut sleeper = Sleeper::begin(&large.server, &["check"]);
    sleeper.wait_for_output();
    sleeper.signal("STOP");
    let largest = large.remove(&category);
    assert!(largest <= LOG_BYTES_MAX, "beside a check the log had {largest} bytes");
    assert_eq!(sleeper.mode_of_copy(), Some(0o600));
    assert_eq!(sleeper.finish(), "");

    // It needs no halt: nobody takes what it writes.
    let category = large.category("C");
    let mut sleeper = Sleeper::begin(&large.server, &["export", "-"]);
    sleeper.wait_for_output();
    let largest = large.remove(&category);
    assert!(largest <= LOG_BYTES_MAX, "beside an export the log had {largest} bytes");
    assert_eq!(sleeper.finish(), "");
    assert!(!name_of_copy.exists());
    assert_whole(&large.server);
}

/// A family that seems to have so many transactions that its export is worth a copy.
#[test]
fn large_exports_read_a_copy() {
    let large = Large::with(Options::new().env("PURSER_LOG", "debug"));
    let sql = Sql::open(&large.server);
    let category = large.category("A");
    let set_count = |count: usize| {
        sql.run(&format!("UPDATE accounts SET transactions_count = {count}"));
    };
    set_count(300_000);
    let mut sleeper = Sleeper::begin(&large.server, &["export", "-"]);
    sleeper.wait_for_output();
    assert_eq!(sleeper.mode_of_copy(), Some(0o600));
    let largest = large.remove(&category);
    assert!(largest <= LOG_BYTES_MAX, "beside an export the log had {largest} bytes");
    sleeper.finish();
    // As a job, in the server.
    let copies = |server: &Server| server.log().matches("copied the database").count();
    assert_eq!(copies(&large.server), 0);
    export(&large.family.api);
    assert_eq!(copies(&large.server), 1);
    assert_eq!(mode_of_copy(large.server.process_id()), None);
    set_count(ROWS);
    assert_whole(&large.server);
}

/// Nobody writes to a database on which no server runs, or that was made to verify a backup.
#[test]
fn what_nobody_writes_is_not_copied() {
    let mut large = Large::new();
    let backup = large.server.data_folder().with_file_name("backup.tar.gz");
    let backup = backup.to_str().unwrap();
    let is_copied = |server: &Server, arguments: &[&str]| {
        let mut command = server.command();
        let ended = command.env("PURSER_LOG", "debug").args(arguments).output().expect("it runs");
        let errors = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(ended.status.success(), "{errors}");
        errors.contains("copied the database")
    };
    assert!(is_copied(&large.server, &["backup", backup]));
    assert!(!is_copied(&large.server, &["backup", "--verify", backup]));
    assert!(is_copied(&large.server, &["check"]));
    assert!(large.server.stop().success());
    assert!(!is_copied(&large.server, &["check"]));
}

/// An export to standard output is written wherever there may be temporary files, and if nowhere.
#[test]
fn an_export_needs_no_room_for_temporary_files() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    family.account("Main", "depository");
    let export = || {
        let mut command = server.command();
        let ended = command.env("TMPDIR", "/proc/nowhere").args(["export", "-"]).output();
        let ended = ended.expect("it runs");
        assert!(ended.status.success(), "{ended:?}");
        assert!(String::from_utf8_lossy(&ended.stdout).contains("\"Main\""));
        String::from_utf8_lossy(&ended.stderr).into_owned()
    };
    export();
    let mut folders = fs::read_dir(server.data_folder().join("files")).expect("files");
    let incoming = folders.next().expect("a folder").unwrap().path().join("incoming");
    fs::remove_dir(&incoming).unwrap();
    // Nobody can make a file there.
    std::os::unix::fs::symlink("/proc/self/fdinfo", &incoming).unwrap();
    let warning = export();
    fs::remove_file(&incoming).unwrap();
    fs::create_dir(&incoming).unwrap();
    assert!(warning.contains("the export can't be in a temporary file"), "{warning}");
}

/// The control: a backup that reads the database itself, because there can be no copy.
#[test]
fn a_backup_without_a_copy_keeps_the_log() {
    let large = Large::new();
    fs::create_dir(large.server.data_folder().join("purser.db.being-copied")).unwrap();
    let category = large.category("A");
    let (sleeper, backup) = sleeping_backup(&large.server);
    let largest = large.remove(&category);
    assert!(!backup.exists(), "the backup was too quick to show anything");
    assert!(largest > LOG_BYTES_MAX, "the log had only {largest} bytes");
    let warning = sleeper.finish();
    assert!(warning.contains("no copy of the database can be made"), "{warning}");
    assert!(backup.exists());
}
