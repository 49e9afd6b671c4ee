//! A SQLite database from a backup, in the place of the one that is there.
//!
//! It is built beside its place, under a name that nothing opens, and takes the place with one
//! rename when it is whole and on the disk. Until then the old database is untouched, but for its
//! log, which is moved into it; after that it is still there under another name.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use purser_core::error::{Error, Result};
use rusqlite::{ErrorCode, OpenFlags};

use super::{Restored, Source, restore_sqlite};
use crate::driver::beside;
use crate::files::{FilesLocation, io_failed, rename_unless_there, sync_directory};
use crate::lock::DataDirLock;
use crate::system::{Clock, SystemClock};

const BUILDING: &str = ".restoring";
/// What SQLite keeps beside a database: its log, and the index of the log.
const COMPANIONS: [&str; 2] = ["-wal", "-shm"];

/// Restores a backup to the path of the database, in a folder on which no server runs. A database
/// that has a family is replaced only if that is wanted, and is kept under another name. Blocks.
pub fn replace_sqlite(
    path: &Path,
    place: &FilesLocation,
    replace: bool,
    source: &mut dyn Source,
) -> Result<Restored> {
    let _lock = DataDirLock::acquire(&place.data_dir)?;
    if !replace && is_used(path) {
        return Err(Error::Conflict {
            code: "database_not_empty",
            message: format!(
                "There is a database {} with families already: give --replace to put the backup \
                 in its place. The old one is kept under another name then.",
                path.display()
            ),
        });
    }
    let building = beside(path, BUILDING);
    remove(&building)?;
    let restored = restore_sqlite(&building, place, source).and_then(|restored| {
        if !fold_log(&building)? {
            return Err(Error::internal("the restored database is damaged"));
        }
        File::open(&building).and_then(|file| file.sync_all()).map_err(io_failed)?;
        keep_old(path)?;
        fs::rename(&building, path).map_err(io_failed)?;
        sync_directory(&place.data_dir)?;
        Ok(restored)
    });
    if restored.is_err() {
        // What is left of it is removed by the next restore.
        let _ = remove(&building);
    }
    restored
}

/// Whether a database may have something that somebody needs: if it can't be read, it may.
fn is_used(path: &Path) -> bool {
    if fs::metadata(path).map_or(0, |found| found.len()) == 0 {
        return path.symlink_metadata().is_ok_and(|found| !found.is_file());
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let families = rusqlite::Connection::open_with_flags(path, flags).and_then(|connection| {
        connection.query_row("SELECT COUNT(*) FROM families", [], |row| row.get::<_, i64>(0))
    });
    families.map_or(true, |families| families > 0)
}

/// Gives the old database a second name, under which it stays when its place is taken.
fn keep_old(path: &Path) -> Result<()> {
    let kept = free_name(path);
    let is_there = fs::metadata(path).is_ok();
    if !is_there || !fold_log(path)? {
        // It is gone, or damaged. What is left of its log goes with it: the new database must not
        // find it.
        for companion in COMPANIONS {
            let (from, to) = (beside(path, companion), beside(&kept, companion));
            unless_gone(rename_unless_there(&from, &to))?;
        }
    }
    if is_there { fs::hard_link(path, &kept).map_err(io_failed) } else { Ok(()) }
}

/// A name for the old database that nothing has.
fn free_name(path: &Path) -> PathBuf {
    let time = SystemClock.now().strftime("%Y%m%dT%H%M%SZ").to_string();
    let first = beside(path, &format!(".replaced-{time}"));
    let others = (2..).map(|number| beside(path, &format!(".replaced-{time}-{number}")));
    let is_free = |name: &PathBuf| name.symlink_metadata().is_err();
    std::iter::once(first.clone()).chain(others).find(is_free).unwrap_or(first)
}

/// Moves the log into the database and removes it. False if the database is damaged.
fn fold_log(path: &Path) -> Result<bool> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let moved = rusqlite::Connection::open_with_flags(path, flags).and_then(|connection| {
        // Without a log nobody else can have it open.
        connection.query_row("PRAGMA journal_mode = DELETE", [], |row| row.get::<_, String>(0))
    });
    let error = match moved {
        Ok(mode) if mode == "delete" => return Ok(true),
        Ok(_) => return Err(in_use(path)),
        Err(error) => error,
    };
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Err(in_use(path)),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Ok(false),
        _ => Err(Error::Unavailable {
            message: format!("The log of {} can't be moved into it.", path.display()),
            cause: Box::new(error),
        }),
    }
}

fn in_use(path: &Path) -> Error {
    Error::Conflict {
        code: "database_in_use",
        message: format!(
            "Another process has the database {} open: stop every server and command first.",
            path.display()
        ),
    }
}

/// Removes a database that nobody knows yet.
fn remove(path: &Path) -> Result<()> {
    let companions = COMPANIONS.iter().map(|companion| beside(path, companion));
    std::iter::once(path.to_owned())
        .chain(companions)
        .try_for_each(|file| unless_gone(fs::remove_file(file)))
}

fn unless_gone(result: std::io::Result<()>) -> Result<()> {
    match result {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(io_failed(error)),
        _ => Ok(()),
    }
}
