//! SQLite's log stays small, whoever reads.

use std::fs::metadata;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::Scope;

use crate::store::Store;
use crate::testing::Fixture;

const MIB: u64 = 1024 * 1024;
/// So many commits of a megabyte are written beside the reads.
const COMMITS: u64 = 100;
/// The size from which on a write waits for reads however long they take, and a commit.
const LOG_BYTES_MAX: u64 = (24 + 2) * MIB;

/// A read that ends when the next one has begun.
fn read<'s>(
    scope: &'s Scope<'s, '_>,
    store: &'s Store,
    ended: &'s AtomicBool,
    begun: SyncSender<()>,
) {
    let done = store.read_directory_blocking(|tx| {
        crate::families::list(tx)?;
        let _ = begun.send(());
        if !ended.load(Ordering::SeqCst) {
            let (next, has_begun) = sync_channel(1);
            scope.spawn(move || read(scope, store, ended, next));
            let _ = has_begun.recv();
        }
        Ok(())
    });
    done.unwrap();
}

#[test]
fn readers_can_not_keep_the_log() {
    let fixture = Fixture::sqlite();
    let store = &fixture.store;
    store.write_directory_blocking(|tx| tx.script("CREATE TABLE heap (data BLOB)")).unwrap();
    let log = fixture.directory.join("purser.db-wal");
    let ended = AtomicBool::new(false);
    let largest = std::thread::scope(|scope| {
        let (first, has_begun) = sync_channel(1);
        let ended = &ended;
        scope.spawn(move || read(scope, store, ended, first));
        has_begun.recv().unwrap();
        let sizes = (0..COMMITS).map(|_| {
            let grow = "INSERT INTO heap VALUES (randomblob(1000000))";
            store.write_directory_blocking(|tx| tx.script(grow)).unwrap();
            metadata(&log).unwrap().len()
        });
        let largest = sizes.max().unwrap();
        ended.store(true, Ordering::SeqCst);
        largest
    });
    assert!(largest <= LOG_BYTES_MAX, "the log had {largest} bytes");
    let database = metadata(fixture.directory.join("purser.db")).unwrap().len();
    assert!(database > COMMITS / 2 * MIB, "its content is in the database: {database}");
}
