//! Moves SQLite's log into the database file, beside the writer.
//!
//! A commit only looks at the size of the log. When it has grown by [`STEP_BYTES`] the thread moves
//! it while reading and writing go on; a log that a large import left behind is then cut off,
//! unless a reader still needs it. The writer begins the log anew once all of it was moved.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use purser_core::error::{Error, Result};
use rusqlite::Connection;

use super::sqlite::{Role, open};

/// Growth of the log after which it is moved.
const STEP_BYTES: u64 = 4 * 1024 * 1024;
/// A log of this size is cut off.
const CUT_BYTES: u64 = 16 * 1024 * 1024;

/// The thread, and what it is waiting for.
pub(crate) struct Checkpointer {
    log: PathBuf,
    /// The size of the log at which the next move is due.
    due_bytes: Arc<AtomicU64>,
    wake: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpointer {
    pub(crate) fn start(database: &Path) -> Result<Self> {
        let mut log = database.as_os_str().to_owned();
        log.push("-wal");
        let log = PathBuf::from(log);
        let due_bytes = Arc::new(AtomicU64::new(STEP_BYTES));
        let connection = open(database, Role::Checkpointer)?;
        let (wake, woken) = sync_channel(1);
        let worker = Worker { connection, log: log.clone(), due_bytes: due_bytes.clone() };
        let thread = std::thread::Builder::new()
            .name("checkpoint".to_owned())
            .spawn(move || worker.run(&woken))
            .map_err(Error::internal)?;
        Ok(Self { log, due_bytes, wake: Some(wake), thread: Some(thread) })
    }

    /// To be called after every commit; costs one look at the file's size.
    pub(crate) fn committed(&self) {
        let size = size(&self.log);
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
    log: PathBuf,
    due_bytes: Arc<AtomicU64>,
}

impl Worker {
    fn run(&self, woken: &Receiver<()>) {
        while woken.recv().is_ok() {
            if let Err(error) = self.checkpoint() {
                tracing::warn!(%error, "the log could not be moved into the database");
            }
            self.due_bytes.store(size(&self.log) + STEP_BYTES, Ordering::Relaxed);
        }
    }

    fn checkpoint(&self) -> rusqlite::Result<()> {
        let moved_all = self.pragma("PRAGMA wal_checkpoint(PASSIVE)")?;
        if moved_all && size(&self.log) >= CUT_BYTES {
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

/// The log's size; 0 while there is none.
fn size(log: &Path) -> u64 {
    std::fs::metadata(log).map_or(0, |metadata| metadata.len())
}
