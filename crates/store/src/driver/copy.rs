//! A copy of a SQLite database, for reads that take long.
//!
//! A read has one snapshot, and what is written until it ends stays in the log. So who may read for
//! minutes reads a copy of the file instead: its pages are copied in one read, which takes
//! seconds, and then nobody holds the log of the database.
//!
//! The copy is made beside the database under one name, locked, and for its owner only. It loses
//! the name as soon as it is open, so that it goes with the process, however that ends. What a
//! process leaves that dies before is removed by the next one that opens the database, and by the
//! server. Nothing of it is synced.
//!
//! Something else may have the name, such as a link to the database itself. So what is there is
//! only unlinked, never written, and only if it is a file with no other name. A copy is always a
//! new file.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use purser_core::error::{Error, Result};
use purser_core::text::size::size;
use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};
use rustix::fs::OFlags;

use super::file_watch::beside;
use super::sqlite::{Role, failed, open, open_copy};
use crate::lock::{free_bytes, is_at};

const MIB: u64 = 1024 * 1024;
/// A database of this size is read within seconds, whatever is read, so it isn't copied.
const SMALL_BYTES: u64 = 64 * MIB;
/// What must at least be left on the disk beside the copy. It must also be as much as the copy has,
/// for what is written of it, such as an export.
const ROOM_LEFT_BYTES: u64 = 1024 * MIB;
/// What is behind the name of the database while it is copied.
const SUFFIX: &str = ".being-copied";
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
pub(super) fn remove_left(database: &Path) -> Result<()> {
    let path = beside(database, SUFFIX);
    remove_dead(&path).map(drop).map_err(|error| refused(&path, error))
}

/// Removes a copy that nobody makes any more; false if it is being made.
fn remove_dead(path: &Path) -> io::Result<bool> {
    // Looked at before it is opened: who closes a second name of the database drops its locks.
    match path.symlink_metadata() {
        Ok(found) => require_own_file(&found)?,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(true),
        Err(error) => return Err(error),
    }
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(OFlags::NOFOLLOW.bits().cast_signed());
    let file = match options.open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(true),
        file => file?,
    };
    require_own_file(&file.metadata()?)?;
    // Before it was locked it may have lost its name.
    if !is_locked(&file)? || !is_at(&file, path) {
        return Ok(false);
    }
    fs::remove_file(path).map(|()| true)
}

/// Refuses what can't be a copy that was left.
fn require_own_file(found: &Metadata) -> io::Result<()> {
    if found.is_file() && found.nlink() <= 1 {
        return Ok(());
    }
    Err(io::Error::other("what has its name is no file, or a file with other names"))
}

/// Locks a file unless somebody else has.
fn is_locked(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn bytes_of(source: &Connection) -> Result<u64> {
    const BYTES: &str = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
    let bytes = source.query_row(BYTES, [], |row| row.get::<_, i64>(0));
    let bytes = bytes.map_err(|error| failed(source, BYTES, &error))?;
    Ok(u64::try_from(bytes).unwrap_or(0))
}

fn require_room(path: &Path, bytes: u64) -> Result<()> {
    let free = free_bytes(path.parent().unwrap_or(path)).map_err(|error| refused(path, error))?;
    let needed = needed_bytes(bytes);
    if free >= needed {
        return Ok(());
    }
    let needed = size(needed.next_multiple_of(MIB));
    Err(refused(
        path,
        format!("{needed} must be free for that, and only {} are", size(free / MIB * MIB)),
    ))
}

/// The room for a copy of so many bytes.
fn needed_bytes(bytes: u64) -> u64 {
    bytes.saturating_add(bytes.max(ROOM_LEFT_BYTES))
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
    file: File,
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
                Ok(Some(file)) => return Ok(Self { path, file }),
                Ok(None) => {}
                Err(error) => return Err(refused(&path, error)),
            }
        }
        Err(refused(&path, "another copy is being made"))
    }

    fn try_claim(path: &Path) -> io::Result<Option<File>> {
        if !remove_dead(path)? {
            return Ok(None);
        }
        let mut options = OpenOptions::new();
        let file = match options.write(true).create_new(true).mode(OWNER_ONLY).open(path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(None),
            file => file?,
        };
        // Who found it before it was locked has taken it for one that was left.
        Ok((is_locked(&file)? && is_at(&file, path)).then_some(file))
    }
}

impl Drop for CopyName {
    fn drop(&mut self) {
        if !is_at(&self.file, &self.path) {
            return;
        }
        if let Err(error) = fs::remove_file(&self.path) {
            tracing::warn!(%error, copy = %self.path.display(), "a copy of the database stays");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_leaves_as_much_room_as_it_has_and_a_gibibyte_at_least() {
        const GIB: u64 = 1024 * MIB;
        assert_eq!(needed_bytes(64 * MIB), GIB + 64 * MIB);
        assert_eq!(needed_bytes(2 * GIB), 4 * GIB);
        assert_eq!(needed_bytes(u64::MAX), u64::MAX);
    }
}
