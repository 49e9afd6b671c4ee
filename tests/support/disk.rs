//! A disk that is full, without a disk: the running server may not make any file larger than so.
//!
//! Writes beyond it fail (`EFBIG`), at whichever step comes to them. Start the server with
//! [`Options::outlive_limits`](super::Options::outlive_limits), or the first of them ends it.

use std::process::Command;

use super::sql::Sql;
use super::{Backend, Server, wait};

/// What stands before the first frame of SQLite's log.
const LOG_HEADER_BYTES: u64 = 32;
/// A page and the balance before it.
const LOG_FRAME_BYTES: u64 = 24 + 4096;

impl Server {
    /// No file may grow beyond this many bytes; nothing takes the limit away.
    pub(crate) fn limit_files(&self, bytes: Option<u64>) {
        let bytes = bytes.map_or_else(|| "unlimited".to_owned(), |bytes| bytes.to_string());
        let pid = self.process_id().to_string();
        // Only the soft limit, which can be raised again.
        let limited =
            Command::new("prlimit").args(["--pid", &pid, &format!("--fsize={bytes}:")]).output();
        let limited = limited.expect("prlimit");
        assert!(limited.status.success(), "{}", String::from_utf8_lossy(&limited.stderr));
    }

    /// Leaves room for so many frames in SQLite's log, which is empty then, and as much for files.
    #[track_caller]
    pub(crate) fn leave_room(&self, frames: u64) {
        assert_eq!(self.backend(), Backend::Sqlite, "only SQLite's files are the server's");
        let sql = Sql::open(self);
        wait::until("the log to be empty", || {
            let moved = sql.query("PRAGMA wal_checkpoint(TRUNCATE)");
            (moved[0][0] == "0").then_some(())
        });
        self.limit_files(Some(LOG_HEADER_BYTES + frames * LOG_FRAME_BYTES));
    }
}
