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
    fixture.store.read_directory_blocking(crate::families::list).unwrap();
    other.script("COMMIT");
    fixture.store.write_directory_blocking(|tx| tx.new_id()).unwrap();
}

/// Locks of this process on a file, as the kernel lists them.
#[cfg(target_os = "linux")]
fn locks_on(path: &std::path::Path) -> usize {
    use std::os::unix::fs::MetadataExt as _;

    let inode = format!(":{} ", std::fs::metadata(path).unwrap().ino());
    let process = format!(" {} ", std::process::id());
    let listed = std::fs::read_to_string("/proc/locks").unwrap();
    let ours = |line: &&str| line.contains(&process) && line.contains(&inode);
    listed.lines().filter(ours).count()
}

/// Without its locks another process would think that it is alone, and take the log away with all
/// that is committed into it.
#[cfg(target_os = "linux")]
#[test]
fn a_new_writer_does_not_drop_the_locks_of_the_process() {
    let fixture = Fixture::sqlite();
    let (family, _) = fixture.family("one");
    let crate::Target::Sqlite(path) = &fixture.target else { panic!("not SQLite") };
    // The shared lock that a connection keeps on the log's index while it is open.
    let index = path.with_file_name(format!("{}-shm", path.file_name().unwrap().to_str().unwrap()));
    let before = (locks_on(path), locks_on(&index));
    assert!(before.0 + before.1 > 0, "the kernel lists no lock: {before:?}");
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        fixture.store.write_blocking(family, |_| -> Result<(), Error> { panic!("as a test") })
    }));
    assert!(panicked.is_err());
    fixture.store.write_blocking(family, |_| Ok(())).unwrap();
    assert_eq!((locks_on(path), locks_on(&index)), before);
}
