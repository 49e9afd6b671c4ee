//! Files of a database that isn't there.
//!
//! A server that finds no database begins a new one, where whoever comes first makes a family. If
//! there are uploaded files of a database, or the log of one, it is more likely that a volume isn't
//! mounted, or that the address of PostgreSQL is another one: then it is refused.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use purser_core::error::{Error, Result};
use uuid::Uuid;

use super::{Bucket, FilesLocation, io_failed};
use crate::installation;
use crate::store::{Store, Target};

/// Refuses to begin a new SQLite database beside what is left of one. Before [`Store::open`], which
/// creates it.
pub fn require_database_file(target: &Target, data_dir: &Path) -> Result<()> {
    let Target::Sqlite(path) = target else { return Ok(()) };
    let left = left_of_a_database(path, data_dir)?;
    // After the look at what is left: somebody else may be at it, and makes the file first.
    if bytes(path)? > 0 {
        return Ok(());
    }
    let missing = format!("the database {} isn't there", path.display());
    refuse(&missing, "mount its volume, or restore it from a backup", left)
}

/// Refuses to begin with an empty database beside files of another one. After [`Store::open`], and
/// before [`FileStore::open`](super::FileStore::open), from which on it isn't empty.
pub fn require_own_files(store: &Store, place: &FilesLocation) -> Result<()> {
    if installation::find(store)?.is_some() {
        return Ok(());
    }
    let left = match databases_with_files(&place.data_dir)? {
        None => place.bucket.as_ref().map(database_in_bucket).transpose()?.flatten(),
        left => left,
    };
    let hint = "give the address of the database that they belong to, or restore it from a backup";
    refuse("the database is empty", hint, left)
}

fn refuse(missing: &str, hint: &str, left: Option<String>) -> Result<()> {
    let Some(left) = left else { return Ok(()) };
    Err(Error::Conflict {
        code: "database_missing",
        message: format!(
            "There is {left}, but {missing}: {hint}. To begin with an empty database all the same, \
             give --new-database once."
        ),
    })
}

fn left_of_a_database(path: &Path, data_dir: &Path) -> Result<Option<String>> {
    let log = crate::driver::beside(path, "-wal");
    if bytes(&log)? > 0 {
        return Ok(Some(format!("the log {} of a database", log.display())));
    }
    databases_with_files(data_dir)
}

/// One of the folders of uploaded files: each is named after its database.
fn databases_with_files(data_dir: &Path) -> Result<Option<String>> {
    let files = data_dir.join("files");
    let entries = match fs::read_dir(&files) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(io_failed(error)),
    };
    for entry in entries {
        let name = entry.map_err(io_failed)?.file_name();
        if name.to_str().is_some_and(|name| Uuid::try_parse(name).is_ok()) {
            let folder = files.join(name);
            return Ok(Some(format!("the folder {} with files of a database", folder.display())));
        }
    }
    Ok(None)
}

/// One of the databases with files in a bucket.
fn database_in_bucket(bucket: &Bucket) -> Result<Option<String>> {
    let folders = bucket.objects.folders()?;
    let is_database = |folder: &&String| Uuid::try_parse(folder.trim_end_matches('/')).is_ok();
    let found = folders.iter().find(is_database);
    Ok(found.map(|folder| {
        format!("{folder} with files of a database in the bucket {}", bucket.objects.shown())
    }))
}

/// The size of a file; 0 if there is none.
fn bytes(path: &Path) -> Result<u64> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(metadata.len()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(0),
        Err(error) => Err(io_failed(error)),
    }
}
