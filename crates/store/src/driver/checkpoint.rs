//! Moves SQLite's log into the database file, beside the writer.
//!
//! (The same thread looks whether the files are still there: see [`super::file_watch`].)
//!
//! A commit only looks at the size of the log. When it has grown by [`STEP_BYTES`] the thread moves
//! it while reading and writing go on; a log that a large import left behind is then cut off,
//! unless a reader still needs it. The writer begins the log anew once all of it was moved.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use purser_core::error::{Error, Result};
use rusqlite::Connection;

use super::file_watch::FileWatch;
use super::sqlite::{Role, open};

/// Growth of the log after which it is moved.
const STEP_BYTES: u64 = 4 * 1024 * 1024;
/// A log of this size is cut off.
const CUT_BYTES: u64 = 16 * 1024 * 1024;
/// How often the thread looks whether the files are still there, if nobody writes.
const LOOK_INTERVAL: Duration = Duration::from_millis(400);

/// The thread, and what it is waiting for.
pub(crate) struct Checkpointer {
    /// The size of the log at which the next move is due.
    due_bytes: Arc<AtomicU64>,
    wake: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpointer {
    pub(crate) fn start(database: &Path, files: Arc<FileWatch>) -> Result<Self> {
        let due_bytes = Arc::new(AtomicU64::new(STEP_BYTES));
        let connection = open(database, Role::Checkpointer)?;
        let (wake, woken) = sync_channel(1);
        let worker = Worker { connection, files, due_bytes: due_bytes.clone() };
        let thread = std::thread::Builder::new()
            .name("checkpoint".to_owned())
            .spawn(move || worker.run(&woken))
            .map_err(Error::internal)?;
        Ok(Self { due_bytes, wake: Some(wake), thread: Some(thread) })
    }

    /// To be called after every commit, with the size of the log.
    pub(crate) fn committed(&self, size: u64) {
        if size >= self.due_bytes.load(Ordering::Relaxed) {
            // When the channel is full the thread is awake already.
            let _ = self.wake.as_ref().map(|wake| wake.try_send(()));
        } else if size < STEP_BYTES {
            self.due_bytes.store(STEP_BYTES, Ordering::Relaxed);
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

struct Worker {
    connection: Connection,
    files: Arc<FileWatch>,
    due_bytes: Arc<AtomicU64>,
}

impl Worker {
    fn run(&self, woken: &Receiver<()>) {
        loop {
            let waited = woken.recv_timeout(LOOK_INTERVAL);
            if waited == Err(RecvTimeoutError::Disconnected) {
                return;
            }
            // What is lost is logged there, and then there is nothing left to move.
            let Ok(before) = self.files.look() else { continue };
            if waited.is_err() {
                continue;
            }
            if let Err(error) = self.checkpoint(before) {
                tracing::warn!(%error, "the log could not be moved into the database");
            }
            let after = self.files.look().unwrap_or(before);
            self.due_bytes.store(after + STEP_BYTES, Ordering::Relaxed);
        }
    }

    fn checkpoint(&self, log_bytes: u64) -> rusqlite::Result<()> {
        let moved_all = self.pragma("PRAGMA wal_checkpoint(PASSIVE)")?;
        if moved_all && log_bytes >= CUT_BYTES {
            self.pragma("PRAGMA wal_checkpoint(TRUNCATE)")?;
        }
        Ok(())
    }

    /// Whether everything that is in the log was moved.
    fn pragma(&self, pragma: &str) -> rusqlite::Result<bool> {
        self.connection.query_row(pragma, [], |row| {
            let (busy, in_log, moved): (i64, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok(busy == 0 && in_log == moved)
        })
    }
}
