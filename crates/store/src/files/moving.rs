//! All files from one place to the other, while nobody else is at work.
//!
//! Files are copied, and the database notes the new place in one commit when all of them are there.
//! A move that was broken off is begun again and finds what it has copied. What is in the old place
//! stays until somebody removes it.

use std::io::Read as _;

use purser_core::error::{Error, Result};
use purser_core::ids::FileId;

use super::{FileStore, FilesLocation, FilesPlace, all, io_failed, place};
use crate::backup::require_alone;
use crate::installation;
use crate::store::Store;

/// What a move has done.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Moved {
    /// The number of files that are in the new place.
    pub files: u64,
    /// The size of all of them.
    pub bytes: u64,
    /// Files that have a row but were not there.
    pub missing: Vec<FileId>,
    /// Files that are not what their row states; they were copied as they are.
    pub altered: Vec<FileId>,
}

/// Moves all files into a bucket, or out of it. The place has both. Refused while another process
/// is connected to PostgreSQL; on SQLite the caller holds the lock of the directory. Blocks.
pub fn move_files(store: &Store, both: &FilesLocation, to: FilesPlace) -> Result<Moved> {
    let database = installation::id(store)?;
    let folder = FilesLocation { bucket: None, ..both.clone() };
    let folder = FileStore::of_database(&folder, database)?;
    let bucket = FileStore::of_database(both, database)?;
    let Some(remote) = &bucket.remote else {
        return Err(Error::Conflict {
            code: "no_bucket",
            message: "No bucket is set: set PURSER_S3_BUCKET and what belongs to it.".to_owned(),
        });
    };
    let (noted, files) = store.write_directory_blocking(|tx| {
        require_alone(tx)?;
        Ok((installation::files_place(tx)?, all(tx)?))
    })?;
    if noted == to {
        return Err(Error::Conflict {
            code: "files_there",
            message: "The uploaded files are there already.".to_owned(),
        });
    }
    let (from, target) = match to {
        FilesPlace::Bucket => (&folder, &bucket),
        FilesPlace::Folder => (&bucket, &folder),
    };
    if to == FilesPlace::Bucket {
        remote.mark()?;
    }
    let mut moved = Moved::default();
    for file in &files {
        let Some(mut content) = from.read_if_there(file.family, file.id)? else {
            moved.missing.push(file.id);
            continue;
        };
        let found = target
            .restore(file.family, file.id, &mut |buffer| content.read(buffer).map_err(io_failed))?;
        if found != file.content {
            moved.altered.push(file.id);
        }
        moved.files += 1;
        moved.bytes += found.bytes;
    }
    store.write_directory_blocking(|tx| {
        require_alone(tx)?;
        if all(tx)? != files {
            return Err(Error::Conflict {
                code: "database_in_use",
                message:
                    "Files were stored or removed meanwhile: stop every server, and move again."
                        .to_owned(),
            });
        }
        place::set(tx, to)
    })?;
    Ok(moved)
}
