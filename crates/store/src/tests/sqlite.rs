//! SQLite alone: the log beside the database, a full disk, another process that writes.

use std::time::{Duration, Instant};

use purser_core::error::Error;

use crate::driver::Tx;
use crate::testing::Fixture;

const GROW: &str = "INSERT INTO heap (data) SELECT randomblob(1000000) FROM generate";

/// A table with room for a lot, and ten rows to multiply with.
fn create(fixture: &Fixture) {
    fixture.raw().script(
        "CREATE TABLE heap (data BLOB); CREATE TABLE generate (n INTEGER);
         INSERT INTO generate VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10)",
    );
}

#[test]
fn the_log_of_a_large_write_is_moved_and_cut_off() {
    let fixture = Fixture::sqlite();
    create(&fixture);
    let log = fixture.directory.join("purser.db-wal");
    let size = || std::fs::metadata(&log).unwrap().len();
    let grow = |tx: &mut Tx<'_>| (0..3).try_for_each(|_| tx.script(GROW));
    let before = Instant::now();
    fixture.store.write_directory_blocking(grow).unwrap();
    while size() > 0 {
        assert!(before.elapsed() < Duration::from_secs(30), "{} bytes are left", size());
        std::thread::sleep(Duration::from_millis(10));
    }
    let database = std::fs::metadata(fixture.directory.join("purser.db")).unwrap().len();
    assert!(database > 30_000_000, "the content is in the database: {database}");
}

#[test]
fn a_full_disk_is_an_unavailable_database_and_loses_nothing() {
    let fixture = Fixture::sqlite();
    create(&fixture);
    let limit = |pages: u32| {
        let text = format!("PRAGMA max_page_count = {pages}");
        fixture.store.write_directory_blocking(|tx| tx.script(&text)).unwrap();
    };
    limit(1_000);
    let full = fixture.store.write_directory_blocking(|tx| tx.script(GROW));
    assert!(matches!(full, Err(Error::Unavailable { .. })), "{full:?}");
    limit(1_000_000);
    fixture.store.write_directory_blocking(|tx| tx.script(GROW)).unwrap();
}

#[test]
fn another_process_that_holds_the_database_makes_it_unavailable() {
    let fixture = Fixture::sqlite();
    let mut other = fixture.raw();
    other.script("BEGIN IMMEDIATE");
    let busy = fixture.store.write_directory_blocking(|tx| tx.new_id());
    assert!(matches!(busy, Err(Error::Unavailable { .. })), "{busy:?}");
    fixture.store.read_blocking(crate::families::list).unwrap();
    other.script("COMMIT");
    fixture.store.write_directory_blocking(|tx| tx.new_id()).unwrap();
}
