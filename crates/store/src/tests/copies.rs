//! Copies of a SQLite database, for reads that take long.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::SignedDuration;

use crate::driver::statements;
use crate::store::{Store, StoreOptions, Target};
use crate::testing::{Fixture, options};

statements! {
    /// The rows of the table that makes a database large.
    COUNT = "SELECT COUNT(*) FROM heap";
}

const MIB: u64 = 1024 * 1024;
/// More megabytes than a small database has.
const ROWS: i64 = 80;

fn rows(store: &Store) -> i64 {
    store.read_directory_blocking(|tx| tx.query_one(&COUNT, &[], |row| row.int(0))).unwrap()
}

fn add_row(store: &Store) {
    let row = "INSERT INTO heap VALUES (randomblob(1000000))";
    store.write_directory_blocking(|tx| tx.script(row)).unwrap();
}

/// Makes a database large enough for a copy.
fn fill(store: &Store) {
    store.write_directory_blocking(|tx| tx.script("CREATE TABLE heap (data BLOB)")).unwrap();
    (0..ROWS).for_each(|_| add_row(store));
}

fn name_of_copy(directory: &Path) -> PathBuf {
    directory.join("purser.db.copy")
}

#[test]
fn a_copy_is_what_was_there_and_keeps_nobody_from_writing() {
    let fixture = Fixture::sqlite();
    fill(&fixture.store);
    let copy = fixture.store.copy_for_long_reads(u64::MAX).expect("a copy");
    let moment = fixture.store.now();
    fixture.clock.advance(SignedDuration::from_hours(1));
    copy.read_directory_blocking(|tx| {
        assert_eq!(tx.query_one(&COUNT, &[], |row| row.int(0))?, ROWS);
        (0..ROWS).for_each(|_| add_row(&fixture.store));
        assert_eq!(tx.query_one(&COUNT, &[], |row| row.int(0))?, ROWS);
        Ok(())
    })
    .unwrap();
    let log = fs::metadata(fixture.directory.join("purser.db-wal")).unwrap().len();
    assert!(log < 32 * MIB, "the log has {log} bytes");
    assert_eq!((rows(&copy), rows(&fixture.store)), (ROWS, 2 * ROWS));
    // It goes with the process: nothing of it has a name, its log neither.
    let entries = fs::read_dir(&fixture.directory).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["purser.db", "purser.db-shm", "purser.db-wal"]);
    assert_eq!(copy.now(), moment);
    assert!(copy.is_sqlite());
    assert_eq!(STATEMENTS.len(), 1);
    copy.write_directory_blocking(|tx| tx.script("DELETE FROM heap")).unwrap_err();
    // A copy isn't copied.
    assert!(copy.copy_for_long_reads(u64::MAX).is_none());
    assert_eq!(rows(&copy.for_long_reads()), ROWS);
}

#[test]
fn what_is_small_or_larger_than_is_wanted_is_not_copied() {
    let fixture = Fixture::sqlite();
    assert!(fixture.store.copy_for_long_reads(u64::MAX).is_none());
    fill(&fixture.store);
    assert!(fixture.store.copy_for_long_reads(u64::try_from(ROWS).unwrap() * MIB / 2).is_none());
    let postgres = Fixture::postgres();
    assert!(postgres.store.copy_for_long_reads(u64::MAX).is_none());
}

#[test]
fn a_database_that_can_not_be_copied_is_read_itself() {
    let fixture = Fixture::sqlite();
    fill(&fixture.store);
    fs::create_dir(name_of_copy(&fixture.directory)).unwrap();
    assert!(fixture.store.copy_for_long_reads(u64::MAX).is_none());
    let itself = fixture.store.for_long_reads();
    add_row(&fixture.store);
    assert_eq!(rows(&itself), ROWS + 1);
}

#[test]
fn what_was_left_of_a_copy_goes_unless_it_is_being_made() {
    let fixture = Fixture::sqlite();
    fill(&fixture.store);
    let name = name_of_copy(&fixture.directory);
    let open = || Store::open(options(&fixture.target, &fixture.clock)).unwrap();
    fs::write(&name, "half").unwrap();
    let file = File::open(&name).unwrap();
    file.lock().unwrap();
    open();
    assert!(name.exists());
    // Who wants one waits for the other.
    std::thread::scope(|scope| {
        let made = scope.spawn(|| fixture.store.copy_for_long_reads(u64::MAX));
        std::thread::sleep(Duration::from_millis(200));
        assert!(!made.is_finished());
        drop(file);
        let copy = made.join().unwrap().expect("a copy");
        assert_eq!(rows(&copy), ROWS);
    });
    assert!(!name.exists());
    fs::write(&name, "half").unwrap();
    open();
    assert!(!name.exists());
}

#[test]
fn the_folder_may_have_any_name() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("a?b=c #ä%41&d");
    fs::create_dir(&folder).unwrap();
    let store = Store::open(StoreOptions::new(Target::Sqlite(folder.join("purser.db")))).unwrap();
    fill(&store);
    assert_eq!(rows(&store.copy_for_long_reads(u64::MAX).expect("a copy")), ROWS);
    assert!(!name_of_copy(&folder).exists());
}
