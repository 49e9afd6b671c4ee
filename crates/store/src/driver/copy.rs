//! A copy of a SQLite database, for reads that take long.
//!
//! A read has one snapshot, and what is written until it ends stays in the log. So who may read for
//! minutes reads a copy of the file instead: its pages are copied in one read, which takes
//! seconds, and then nobody holds the log of the database.
//!
//! The copy is made beside the database under one name, locked, and for its owner only. It loses
//! the name as soon as it is open, so that it goes with the process, however that ends. What a
//! process leaves that dies before is removed by the next one that opens the database. Nothing of
//! it is synced.

use std::fs::{self, File, OpenOptions, Permissions, TryLockError};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use purser_core::error::{Error, Result};
use purser_core::text::size::size;
use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};

use super::file_watch::beside;
use super::sqlite::{Role, failed, open, open_copy};
use crate::lock::{free_bytes, is_at};

const MIB: u64 = 1024 * 1024;
/// A database of this size is read within seconds, whatever is read, so it isn't copied.
const SMALL_BYTES: u64 = 64 * MIB;
/// What must be left on the disk beside the copy, so that nobody else notices it.
const ROOM_LEFT_BYTES: u64 = 1024 * MIB;
/// What is behind the name of the database while it is copied.
const SUFFIX: &str = ".copy";
const OWNER_ONLY: u32 = 0o600;
/// How often a copy waits for another one to be made: for a minute in all.
const TRIES: u32 = 600;
const WAIT: Duration = Duration::from_millis(100);
/// Copies all pages in one read.
const ALL_PAGES: i32 = -1;

/// Whether a database is large enough for a copy, and not larger than `bytes_max`.
pub(super) fn is_worth_it(source: &Connection, bytes_max: u64) -> Result<bool> {
    Ok((SMALL_BYTES..=bytes_max).contains(&bytes_of(source)?))
}

/// Copies a database as it is now, and returns a connection to the copy.
pub(super) fn make(source: &Connection, name: &CopyName) -> Result<Connection> {
    let (bytes, begun) = (bytes_of(source)?, Instant::now());
    require_room(&name.path, bytes)?;
    copy_pages(source, &name.path)?;
    let connection = open_copy(&name.path)?;
    let millis = begun.elapsed().as_millis();
    tracing::debug!(bytes, millis, "copied the database, to read it for long");
    Ok(connection)
}

/// Removes what a process left that died while it copied a database.
pub(super) fn remove_left(database: &Path) {
    let path = beside(database, SUFFIX);
    if path.symlink_metadata().is_err() {
        return;
    }
    match CopyName::try_claim(&path) {
        Ok(Some(file)) => drop(CopyName { path, _file: file }),
        // It is being made.
        Ok(None) => {}
        Err(error) => stays(&path, &error),
    }
}

fn stays(path: &Path, error: &std::io::Error) {
    tracing::warn!(%error, copy = %path.display(), "a copy of the database stays");
}

fn bytes_of(source: &Connection) -> Result<u64> {
    const BYTES: &str = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
    let bytes = source.query_row(BYTES, [], |row| row.get::<_, i64>(0));
    let bytes = bytes.map_err(|error| failed(source, BYTES, &error))?;
    Ok(u64::try_from(bytes).unwrap_or(0))
}

fn require_room(path: &Path, bytes: u64) -> Result<()> {
    let free = free_bytes(path.parent().unwrap_or(path)).map_err(|error| refused(path, error))?;
    if free >= bytes.saturating_add(ROOM_LEFT_BYTES) {
        return Ok(());
    }
    let needed = size(bytes.saturating_add(ROOM_LEFT_BYTES).next_multiple_of(MIB));
    Err(refused(
        path,
        format!("{needed} must be free for that, and only {} are", size(free / MIB * MIB)),
    ))
}

fn copy_pages(source: &Connection, path: &Path) -> Result<()> {
    let mut target = open(path, Role::Builder)?;
    let copied = Backup::new(source, &mut target).and_then(|backup| backup.step(ALL_PAGES));
    match copied {
        Ok(StepResult::Done) => Ok(()),
        Ok(step) => Err(refused(path, format!("the database is in use ({step:?})"))),
        Err(error) => Err(failed(source, "a copy of all pages", &error)),
    }
}

fn refused(path: &Path, cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    let message = format!("The database can't be copied to {}.", path.display());
    Error::Unavailable { message, cause: cause.into() }
}

/// The name of a copy while it is made: locked, and dropped, gone.
pub(crate) struct CopyName {
    path: PathBuf,
    _file: File,
}

impl CopyName {
    /// Takes the name with an empty file. Another one may have it at the moment.
    pub(super) fn claim(database: &Path) -> Result<Self> {
        let path = beside(database, SUFFIX);
        for attempt in 0..TRIES {
            if attempt > 0 {
                std::thread::sleep(WAIT);
            }
            match Self::try_claim(&path) {
                Ok(Some(file)) => return Ok(Self { path, _file: file }),
                Ok(None) => {}
                Err(error) => return Err(refused(&path, error)),
            }
        }
        Err(refused(&path, "another copy is being made"))
    }

    fn try_claim(path: &Path) -> std::io::Result<Option<File>> {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false).mode(OWNER_ONLY);
        let file = options.open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        // Between the two it may have lost its name.
        if !is_at(&file, path) {
            return Ok(None);
        }
        file.set_permissions(Permissions::from_mode(OWNER_ONLY))?;
        file.set_len(0)?;
        Ok(Some(file))
    }
}

impl Drop for CopyName {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_file(&self.path) {
            stays(&self.path, &error);
        }
    }
}
