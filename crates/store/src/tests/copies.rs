//! Copies of a SQLite database, for reads that take long.

use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use jiff::SignedDuration;
use purser_core::error::Error;

use crate::check;
use crate::driver::statements;
use crate::files::FileStore;
use crate::store::{Store, StoreOptions, Target};
use crate::testing::{Fixture, options};

statements! {
    /// The rows of the table that makes a database large.
    COUNT = "SELECT COUNT(*) FROM heap";
}

const MIB: u64 = 1024 * 1024;
const PAGE_BYTES: u64 = 4096;
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
    directory.join("purser.db.being-copied")
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
        assert!(!made.is_finished());
        drop(file);
        let copy = made.join().unwrap().expect("a copy");
        assert_eq!(rows(&copy), ROWS);
    });
    assert!(!name.exists());
    fs::write(&name, "half").unwrap();
    open();
    assert!(!name.exists());
    // Beside a server nobody may open the database for long.
    fs::write(&name, "half").unwrap();
    fixture.store.remove_left_copy().unwrap();
    assert!(!name.exists());
}

/// It may have taken the room without which the database can't be opened.
#[test]
fn what_was_left_of_a_copy_goes_before_the_database_is_opened() {
    let home = tempfile::tempdir().unwrap();
    let (database, name) = (home.path().join("purser.db"), name_of_copy(home.path()));
    fs::write(&database, "This is no database, but a file with a sentence.").unwrap();
    fs::write(&name, "half").unwrap();
    assert!(Store::open(StoreOptions::new(Target::Sqlite(database))).is_err());
    assert!(!name.exists());
}

/// A second name of the database, under the name of a copy or another one, and a file of somebody.
#[test]
fn what_is_no_copy_stays_as_it_is() {
    let fixture = Fixture::sqlite();
    fill(&fixture.store);
    let (database, name) = (fixture.directory.join("purser.db"), name_of_copy(&fixture.directory));
    let kept = fixture.directory.join("purser.db.copy");
    fs::copy(&database, &kept).unwrap();
    let bytes = fs::metadata(&kept).unwrap().len();
    let link = |hard: bool| match hard {
        true => fs::hard_link(&database, &name).unwrap(),
        false => std::os::unix::fs::symlink(&database, &name).unwrap(),
    };
    for hard in [true, false] {
        link(hard);
        let before = fs::metadata(&database).unwrap();
        let again = Store::open(options(&fixture.target, &fixture.clock)).unwrap();
        fixture.store.remove_left_copy().unwrap_err();
        assert!(again.copy_for_long_reads(u64::MAX).is_none());
        let after = fs::metadata(&database).unwrap();
        assert_eq!((after.len(), after.permissions()), (before.len(), before.permissions()));
        assert!(name.symlink_metadata().is_ok());
        assert_eq!(rows(&again), ROWS);
        fs::remove_file(&name).unwrap();
    }
    assert_eq!(fs::metadata(&kept).unwrap().len(), bytes);
    assert_eq!(rows(&fixture.store.copy_for_long_reads(u64::MAX).expect("a copy")), ROWS);
}

/// Overwrites all pages of a copy that this process has open but the first.
fn damage_copy(directory: &Path) {
    let gone = format!("{} (deleted)", name_of_copy(directory).display());
    let links = fs::read_dir("/proc/self/fd").unwrap().map(|entry| entry.unwrap().path());
    let is_copy = |link: &PathBuf| fs::read_link(link).is_ok_and(|to| to == Path::new(&gone));
    let link = links.into_iter().find(is_copy).expect("the copy");
    let file = File::options().write(true).open(link).unwrap();
    let bytes = file.metadata().unwrap().len();
    let junk = vec![0xFF; usize::try_from(bytes - PAGE_BYTES).unwrap()];
    file.write_all_at(&junk, PAGE_BYTES).unwrap();
}

#[test]
fn damage_of_a_copy_is_none_of_the_database() {
    let fixture = Fixture::sqlite();
    fill(&fixture.store);
    let copied = || {
        let copy = fixture.store.copy_for_long_reads(u64::MAX).expect("a copy");
        damage_copy(&fixture.directory);
        copy
    };
    let count = |store: &Store| {
        store.read_directory_blocking(|tx| tx.query_one(&COUNT, &[], |row| row.int(0)))
    };
    let error = count(&copied()).unwrap_err();
    assert!(error.to_string().starts_with("The copy of the database"), "{error}");
    add_row(&fixture.store);
    // The database itself is asked, and that is whole.
    let mut asked = 0;
    let error = fixture.store.confirm(error, |store| {
        asked += 1;
        count(store).map(drop)
    });
    assert!(error.to_string().starts_with("The copy of the database"), "{error}");
    assert_eq!(asked, 1);
    let other = Error::invalid("no");
    fixture.store.confirm(other, |_| panic!("nothing is to be confirmed"));
    // The checks find nothing that the database doesn't have.
    let files = FileStore::open(&*fixture.directory, &fixture.store).unwrap();
    let of_database = check::run(&fixture.store, &files, |_| {});
    let on_copy = check::run_on(&fixture.store, Some(copied()), &files, |_| {});
    assert_eq!(on_copy, of_database);
    add_row(&fixture.store);
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
