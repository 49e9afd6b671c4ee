//! Keeps SQLite's log small.
//!
//! A commit only looks at the size of the log. When it has grown by [`STEP_BYTES`] a thread moves
//! it into the database file while reading and writing go on. The writer begins the log anew when
//! all of it was moved and no reader needs it; if others read and write without pause, that moment
//! never comes by itself. So a write that finds a log of [`ROOM_BYTES`] makes it, before its
//! transaction begins: it moves the rest and waits for the reads that began before. Reads that
//! begin meanwhile need only the database file: they neither wait nor hold anybody up.
//!
//! The thread also looks whether the files are still there: see [`super::file_watch`].

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use purser_core::error::{Error, Result};
use rusqlite::Connection;

use super::file_watch::FileWatch;
use super::sqlite::{Role, open};

/// Growth of the log after which it is moved.
const STEP_BYTES: u64 = 4 * 1024 * 1024;
/// A log of this size is begun anew.
const ROOM_BYTES: u64 = 16 * 1024 * 1024;
/// How long a write waits for reads, so that it can be.
const WAIT: Duration = Duration::from_millis(50);
/// A log of this size must be, so that a transaction finds room.
const LIMIT_BYTES: u64 = 24 * 1024 * 1024;
/// A transaction that can be cut up ends when the log has this size. What it has not written yet is
/// in the writer's cache, of 16 MiB: the log stays below 64 MiB.
pub(super) const FULL_BYTES: u64 = 36 * 1024 * 1024;
/// How long a write waits then. Hardly a read takes longer but one in another process, such as
/// `purser check`; the log grows until it ends.
const WAIT_AT_LIMIT: Duration = Duration::from_secs(20);
/// How often the thread looks whether the files are still there, and whether a log that is too
/// large can be cut off, if nobody writes.
const LOOK_INTERVAL: Duration = Duration::from_millis(400);
// One look is enough, so what is lost is noticed within a second.
const _: () = assert!(LOOK_INTERVAL.as_millis() < 1_000);

/// The log, and the thread that moves it.
pub(crate) struct Checkpointer {
    log: Arc<Log>,
    wake: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

struct Log {
    connection: Mutex<Connection>,
    files: Arc<FileWatch>,
    /// The size at which it is moved next.
    move_at: AtomicU64,
    /// The size at which a write tries next to have it begun anew.
    begin_anew_at: AtomicU64,
    /// Whether a read took longer than [`WAIT_AT_LIMIT`]: until it has ended nobody waits so long.
    is_pinned: AtomicBool,
    /// Whether the last try failed: a disk that is full is tried again and again, but named once.
    has_failed: AtomicBool,
}

impl Checkpointer {
    pub(crate) fn start(database: &Path, files: Arc<FileWatch>) -> Result<Self> {
        let log = Arc::new(Log {
            connection: Mutex::new(open(database, Role::Checkpointer)?),
            files,
            move_at: AtomicU64::new(STEP_BYTES),
            begin_anew_at: AtomicU64::new(ROOM_BYTES),
            is_pinned: AtomicBool::new(false),
            has_failed: AtomicBool::new(false),
        });
        let (wake, woken) = sync_channel(1);
        let worker = log.clone();
        let thread = std::thread::Builder::new()
            .name("checkpoint".to_owned())
            .spawn(move || worker.work(&woken))
            .map_err(Error::internal)?;
        Ok(Self { log, wake: Some(wake), thread: Some(thread) })
    }

    /// To be called before every write, by who has the right to write, with the size of the log.
    pub(crate) fn make_room(&self, size: u64) {
        if size < STEP_BYTES {
            // Another process may have begun it anew.
            self.log.has_room();
        } else if size >= self.log.begin_anew_at.load(Ordering::Relaxed) {
            self.log.begin_anew(size);
        }
    }

    /// To be called after every commit, with the size of the log.
    pub(crate) fn committed(&self, size: u64) {
        if size >= self.log.move_at.load(Ordering::Relaxed) {
            // When the channel is full the thread is awake already.
            let _ = self.wake.as_ref().map(|wake| wake.try_send(()));
        } else if size < STEP_BYTES {
            self.log.move_at.store(STEP_BYTES, Ordering::Relaxed);
        }
    }
}

impl Drop for Checkpointer {
    fn drop(&mut self) {
        self.wake = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Log {
    fn work(&self, woken: &Receiver<()>) {
        loop {
            let waited = woken.recv_timeout(LOOK_INTERVAL);
            if waited == Err(RecvTimeoutError::Disconnected) {
                return;
            }
            // What is lost is logged there, and then there is nothing left to move.
            let Ok(size) = self.files.look() else { continue };
            // What a long read has kept is cut off when it ends, although nobody writes.
            if waited.is_ok() || size >= LIMIT_BYTES {
                self.move_up_to(size);
            }
        }
    }

    /// Moves what readers allow. What a large import left behind is cut off if nobody needs it.
    fn move_up_to(&self, size: u64) {
        let moved = self.pragma("PRAGMA wal_checkpoint(PASSIVE)", Duration::ZERO);
        let cut = moved.and_then(|moved_all| {
            let is_due = moved_all && size >= ROOM_BYTES;
            if is_due { self.pragma(TRUNCATE, Duration::ZERO) } else { Ok(false) }
        });
        let has_failed = self.has_failed.swap(cut.is_err(), Ordering::Relaxed);
        match cut {
            Ok(true) => self.has_room(),
            Ok(false) => {}
            Err(_) if has_failed => {}
            Err(error) => tracing::warn!(%error, "the log could not be moved into the database"),
        }
        let size = self.files.look().unwrap_or(size);
        self.move_at.store(size + STEP_BYTES, Ordering::Relaxed);
    }

    /// The log is small: it may grow as at first.
    fn has_room(&self) {
        self.is_pinned.store(false, Ordering::Relaxed);
        self.begin_anew_at.store(ROOM_BYTES, Ordering::Relaxed);
    }

    /// Moves all of it, waits until no read needs it, and cuts it off.
    fn begin_anew(&self, size: u64) {
        let waits_long = size >= LIMIT_BYTES && !self.is_pinned.load(Ordering::Relaxed);
        let begun = Instant::now();
        let is_empty = self.pragma(TRUNCATE, if waits_long { WAIT_AT_LIMIT } else { WAIT });
        match is_empty {
            Ok(true) => return self.has_room(),
            // Another process moves the log at the moment, which isn't waited for.
            Ok(false) if waits_long && begun.elapsed() < WAIT_AT_LIMIT / 2 => return,
            Ok(false) if waits_long => {
                self.is_pinned.store(true, Ordering::Relaxed);
                tracing::warn!(size, "the log grows until a long read of the database ends");
            }
            Ok(false) => {}
            Err(error) => tracing::warn!(%error, "the log could not be begun anew"),
        }
        self.begin_anew_at.store(later_than(size), Ordering::Relaxed);
    }

    /// Whether everything was done that was to be done.
    fn pragma(&self, pragma: &str, wait: Duration) -> rusqlite::Result<bool> {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        connection.busy_timeout(wait)?;
        connection.query_row(pragma, [], |row| {
            let (busy, in_log, moved): (i64, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok(busy == 0 && in_log == moved)
        })
    }
}

/// The size at which a log that could not be begun anew is tried again: a step later, but not past
/// the size from which on a write waits for reads.
fn later_than(size: u64) -> u64 {
    let next = size + STEP_BYTES;
    if size < LIMIT_BYTES { next.min(LIMIT_BYTES) } else { next }
}

const TRUNCATE: &str = "PRAGMA wal_checkpoint(TRUNCATE)";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::sqlite::{create, script};

    #[test]
    fn one_look_of_the_thread_notices_that_the_database_is_gone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("t.db");
        create(&path).unwrap();
        let writer = open(&path, Role::Writer).unwrap();
        script(&writer, "CREATE TABLE t (x)").unwrap();
        let files = Arc::new(FileWatch::begin(&path).unwrap());
        let checkpointer = Checkpointer::start(&path, files.clone()).unwrap();
        assert!(files.look().is_ok() && files.refuse().is_ok());
        std::fs::remove_file(&path).unwrap();
        // What wakes the thread is one look; after it the thread ends.
        checkpointer.wake.as_ref().unwrap().send(()).unwrap();
        drop(checkpointer);
        assert!(files.refuse().is_err(), "nothing is written any more");
    }

    #[test]
    fn a_log_that_another_process_has_begun_anew_has_room_again() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("t.db");
        create(&path).unwrap();
        let writer = open(&path, Role::Writer).unwrap();
        script(&writer, "CREATE TABLE t (a)").unwrap();
        let files = Arc::new(FileWatch::begin(&path).unwrap());
        let checkpointer = Checkpointer::start(&path, files).unwrap();
        let log = &checkpointer.log;
        // As after a read that took long.
        log.is_pinned.store(true, Ordering::Relaxed);
        log.begin_anew_at.store(5 * LIMIT_BYTES, Ordering::Relaxed);
        checkpointer.make_room(LIMIT_BYTES);
        assert!(log.is_pinned.load(Ordering::Relaxed), "it is as large as before");
        checkpointer.make_room(STEP_BYTES - 1);
        assert!(!log.is_pinned.load(Ordering::Relaxed));
        assert_eq!(log.begin_anew_at.load(Ordering::Relaxed), ROOM_BYTES);
    }
}
