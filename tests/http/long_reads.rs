//! Reads that take minutes beside a server that writes: SQLite's log stays small.

use std::fmt::Write as _;
use std::fs;
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use crate::imports::assert_whole;
use crate::log_size::{LOG_BYTES_MAX, beside_readers, publish, server};
use crate::support::{Dice, Server, until};

/// Rows with texts that hardly get smaller by compressing: more than a log may hold.
const ROWS: usize = 9_000;
const NOTES_CHARS: usize = 9_000;
/// From this text all others are cut; equal parts are too far from each other to be noticed.
const NOISE_CHARS: usize = 1_000_000;

fn noise() -> String {
    let mut dice = Dice::with_seed(7);
    let words = (0..NOISE_CHARS / 8).map(|_| format!("{:08x}", dice.below(1 << 31)));
    words.collect()
}

/// Rows that no file with another number has.
fn csv(number: usize, rows: usize, noise: &str) -> String {
    let mut csv = "Date,Amount,Name,Notes\n".to_owned();
    for row in 0..rows {
        let begin = row * 7_919 % (NOISE_CHARS - NOTES_CHARS);
        let notes = &noise[begin..begin + NOTES_CHARS];
        writeln!(csv, "2024-01-{:02},-0.25,File {number} row {row},{notes}", 1 + row % 28).unwrap();
    }
    csv
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

    /// The mode of its copy of the database, which has no name any more.
    fn mode_of_copy(&self) -> Option<u32> {
        let folder = format!("/proc/{}/fd", self.child().id());
        fs::read_dir(folder).expect("its files").find_map(|entry| {
            let path = entry.expect("a file").path();
            let to = fs::read_link(&path).ok()?;
            let is_copy = to.to_str()?.ends_with("/purser.db.copy (deleted)");
            is_copy.then(|| fs::metadata(&path).expect("the copy").mode() & 0o777)
        })
    }
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
    let server = server();
    let family = server.family();
    let account = family.account("Main", "depository");
    let noise = noise();
    publish(&family.api, &account, &csv(0, ROWS, &noise));
    let write = |number| {
        let csv = csv(number, ROWS, &noise);
        beside_readers(&server, &family, || publish(&family.api, &account, &csv))
    };
    let name_of_copy = server.data_folder().join("purser.db.copy");

    let (sleeper, backup) = sleeping_backup(&server);
    let largest = write(1);
    assert!(!backup.exists(), "the backup was too quick to show anything");
    assert!(largest <= LOG_BYTES_MAX, "beside a backup the log had {largest} bytes");
    assert_eq!(sleeper.mode_of_copy(), Some(0o600));
    assert!(!name_of_copy.exists(), "it has no name");
    assert_eq!(sleeper.finish(), "");
    let verified = server.run(&["backup", "--verify", backup.to_str().unwrap()], "");
    assert!(verified.status.success(), "{verified:?}");

    let mut sleeper = Sleeper::begin(&server, &["check"]);
    sleeper.wait_for_output();
    sleeper.signal("STOP");
    let largest = write(2);
    assert!(largest <= LOG_BYTES_MAX, "beside a check the log had {largest} bytes");
    assert_eq!(sleeper.mode_of_copy(), Some(0o600));
    assert_eq!(sleeper.finish(), "");

    // It needs no halt: nobody takes what it writes.
    let mut sleeper = Sleeper::begin(&server, &["export", "-"]);
    sleeper.wait_for_output();
    let largest = write(3);
    assert!(largest <= LOG_BYTES_MAX, "beside an export the log had {largest} bytes");
    assert_eq!(sleeper.finish(), "");
    assert!(!name_of_copy.exists());
    assert_whole(&server);
}

/// The control: a backup that reads the database itself, because there can be no copy.
#[test]
fn a_backup_without_a_copy_keeps_the_log() {
    let server = server();
    let family = server.family();
    let account = family.account("Main", "depository");
    let noise = noise();
    publish(&family.api, &account, &csv(0, ROWS, &noise));
    fs::create_dir(server.data_folder().join("purser.db.copy")).unwrap();
    let (sleeper, backup) = sleeping_backup(&server);
    let parts = [csv(1, 3_500, &noise), csv(2, ROWS, &noise)];
    let largest = beside_readers(&server, &family, || {
        publish(&family.api, &account, &parts[0]);
        // What is written next waits for the backup, but not for ever.
        family.account("Later", "depository");
        publish(&family.api, &account, &parts[1]);
    });
    assert!(!backup.exists(), "the backup was too quick to show anything");
    assert!(largest > LOG_BYTES_MAX, "the log had only {largest} bytes");
    let warning = sleeper.finish();
    assert!(warning.contains("no copy of the database can be made"), "{warning}");
    assert!(backup.exists());
}
