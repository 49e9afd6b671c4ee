//! Whether SQLite's files are still where they were opened.
//!
//! Who deletes or replaces the database of a running process leaves it with files that nobody else
//! can reach, and that go with the process. So they are compared with what is at their paths: by a
//! thread again and again, and after each commit, before anybody is answered. From the first
//! difference on, until the end of the process, nothing is written. What was opened before is still
//! read: it may be the last copy.

use std::fs::metadata;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use purser_core::error::Result;

use super::error::{DatabaseError, Kind};

/// The files of an open database.
#[derive(Debug)]
pub(crate) struct FileWatch {
    database: WatchedFile,
    /// The log and its index, through which processes see each other's locks; a database that is
    /// being built has neither.
    log: Option<(WatchedFile, WatchedFile)>,
    is_lost: AtomicBool,
}

#[derive(Debug)]
struct WatchedFile {
    path: PathBuf,
    identity: (u64, u64),
}

/// A path beside the database.
pub(crate) fn beside(database: &Path, suffix: &str) -> PathBuf {
    let mut path = database.as_os_str().to_owned();
    path.push(suffix);
    PathBuf::from(path)
}

impl FileWatch {
    /// Begins with what is there now: a connection must be open and have read.
    pub(super) fn begin(database: &Path) -> Result<Self> {
        let log = WatchedFile::now(beside(database, "-wal"))?;
        let index = WatchedFile::now(beside(database, "-shm"))?;
        Ok(Self { log: Some((log, index)), ..Self::without_log(database)? })
    }

    /// As [`FileWatch::begin`], for a database without a log.
    pub(super) fn without_log(database: &Path) -> Result<Self> {
        let database = WatchedFile::now(database.to_owned())?;
        Ok(Self { database, log: None, is_lost: AtomicBool::new(false) })
    }

    /// Looks at the paths, and returns the size of the log in bytes. An error if one of the files
    /// is no longer the one that is open; the first one is logged.
    pub(super) fn look(&self) -> Result<u64> {
        self.refuse()?;
        let log = match &self.log {
            Some((log, index)) => log.size().filter(|_| index.size().is_some()),
            None => Some(0),
        };
        let Some(log) = log.filter(|_| self.database.size().is_some()) else {
            if !self.is_lost.swap(true, Ordering::Relaxed) {
                tracing::error!(
                    database = %self.database.path.display(),
                    "the database was removed or replaced while it was open, and nothing is \
                     written any more: put it back, then start the server again"
                );
            }
            return self.refuse().map(|()| 0);
        };
        Ok(log)
    }

    /// Refuses to go on after a difference was found.
    pub(super) fn refuse(&self) -> Result<()> {
        if !self.is_lost.load(Ordering::Relaxed) {
            return Ok(());
        }
        Err(lost(format!("{} is another file by now", self.database.path.display())))
    }
}

impl WatchedFile {
    fn now(path: PathBuf) -> Result<Self> {
        match metadata(&path) {
            Ok(found) => Ok(Self { path, identity: (found.dev(), found.ino()) }),
            Err(error) => Err(lost(format!("{}: {error}", path.display()))),
        }
    }

    /// The size in bytes; `None` if another file or none is at the path.
    fn size(&self) -> Option<u64> {
        let found = metadata(&self.path).ok()?;
        ((found.dev(), found.ino()) == self.identity).then_some(found.len())
    }
}

fn lost(message: String) -> purser_core::error::Error {
    let (sql, constraints) = (String::new(), Vec::new());
    DatabaseError { kind: Kind::Replaced, message, sql, constraints }.into_error()
}
