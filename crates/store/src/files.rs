//! Uploaded files: kept as they came, as `files/<database>/<family>/<id>` in the data directory, or
//! as `<database>/<family>/<id>` in a bucket of an object store.
//!
//! Content goes to a temporary file while it arrives, is synced, and gets its name only when it is
//! whole; its row is written after that. A crash in between leaves a file that no row names, which
//! [`FileStore::sweep`] sets aside. The database's own id is in the path because families have the
//! same numbers in every database: two on one data directory, or on one bucket, never touch each
//! other's files.
//!
//! With a bucket the directory has copies of what is read (`cache`): whoever reads gets an open
//! file in either case.

use std::fs::{self, File};
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use purser_core::error::{Error, Result};
use purser_core::ids::FileId;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::access::{Access, FamilyTx};
use crate::audit::Actor;
use crate::driver::{Tx, statements, vals};
use crate::families::FamilyId;
use crate::installation;
use crate::lock::{create_private, free_bytes};
use crate::store::Store;
use crate::system::random_bytes;
use remote::Remote;

mod backups;
mod cache;
mod fetches;
mod moving;
mod objects;
mod orphans;
mod place;
mod remote;
mod restoring;
mod sweep;
#[cfg(test)]
mod tests;
mod upload;

pub use moving::{Moved, move_files};
pub use objects::{Object, Objects, Stated, TakePiece};
pub use orphans::{require_database_file, require_own_files};
pub use place::{Bucket, FilesLocation, FilesPlace};
pub use sweep::Swept;
pub(crate) use sweep::query_examples;
pub use upload::Upload;

statements! {
    /// Adds the row of a file.
    INSERT = "INSERT INTO files (family_id, id, name, bytes, sha256, created_at)
        VALUES ($1, $2, $3, $4, $5, $6)";
    /// The row of a file.
    GET = "SELECT name, bytes, sha256, created_at FROM files WHERE family_id = $1 AND id = $2";
    /// Every file of every family.
    ALL = "SELECT family_id, id, bytes, sha256 FROM files ORDER BY family_id, id";
    /// Whether there is any file.
    ANY = "SELECT 1 FROM files LIMIT 1";
    /// Removes the row of a file.
    REMOVE = "DELETE FROM files WHERE family_id = $1 AND id = $2";
}

const INCOMING: &str = "incoming";
/// Bytes that are read from a file at a time.
const BUFFER_BYTES: usize = 64 * 1024;
/// What people read when a file doesn't fit on the disk.
pub const NO_SPACE: &str = "There is no space left for files.";
/// What people read when files can't be read or written for another reason.
pub const DISK_FAILS: &str = "Files on the server can't be read or written just now.";

/// One database's uploaded files.
#[derive(Debug, Clone)]
pub struct FileStore {
    root: PathBuf,
    /// Where the files are if not in the directory.
    remote: Option<Arc<Remote>>,
}

/// What is known of content that was stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Content {
    /// The size in bytes.
    pub bytes: u64,
    /// The checksum of the content.
    pub sha256: [u8; 32],
}

/// A file that a row names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredFile {
    /// The family that it belongs to.
    pub family: FamilyId,
    /// Its id within the family.
    pub id: FileId,
    /// The size and checksum that it had when it was stored.
    pub content: Content,
}

/// The row of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRecord {
    /// The name that it was uploaded with.
    pub name: Option<String>,
    /// The size and checksum of its content.
    pub content: Content,
    /// When the row was written.
    pub created_at: Timestamp,
}

impl FileStore {
    /// Opens the place of the database's files, and makes a directory below `files` in the data
    /// directory if needed. A place in which they aren't is refused, and so is a bucket that
    /// doesn't answer. Blocks.
    pub fn open(place: impl Into<FilesLocation>, store: &Store) -> Result<Self> {
        let place = place.into();
        let files = Self::of_database(&place, installation::id(store)?)?;
        place::agree(&files, store, true)?;
        Ok(files)
    }

    /// As [`FileStore::open`], for a command: a bucket that doesn't answer keeps nobody from what
    /// needs no file.
    pub fn open_for_command(place: impl Into<FilesLocation>, store: &Store) -> Result<Self> {
        let place = place.into();
        let files = Self::of_database(&place, installation::id(store)?)?;
        place::agree(&files, store, false)?;
        Ok(files)
    }

    /// As [`FileStore::open`], for the database with this id, wherever its files are.
    pub(crate) fn of_database(place: &FilesLocation, database: Uuid) -> Result<Self> {
        let files = place.data_dir.join("files");
        let root = files.join(database.to_string());
        create_private(&root.join(INCOMING))?;
        for directory in [&place.data_dir, &files, &root] {
            sync_directory(directory)?;
        }
        let remote = place.bucket.clone().map(|bucket| Remote::new(bucket, database, &root));
        Ok(Self { root, remote: remote.map(Arc::new) })
    }

    /// What the file system of the directory has left for this process.
    pub fn free_bytes(&self) -> Result<u64> {
        free_bytes(&self.root).map_err(io_failed)
    }

    /// Whether the files are in a bucket, so that others may keep whoever stores one waiting.
    pub fn is_remote(&self) -> bool {
        self.remote.is_some()
    }

    /// Begins an upload to a temporary file.
    pub fn begin(&self) -> Result<Upload> {
        Upload::begin(&self.root, self.remote.clone())
    }

    /// A new file without a name, to be written and read by this process alone: it goes when it is
    /// closed.
    pub fn unnamed(&self) -> Result<File> {
        let (path, file) = temporary_file(&self.root)?;
        fs::remove_file(path).map_err(io_failed)?;
        Ok(file)
    }

    /// Opens a family's file for reading. Unavailable if it isn't there: the folder may not be
    /// mounted. A copy from a bucket is waited for only for some seconds; it arrives all the same.
    pub fn read(&self, family: FamilyId, id: FileId) -> Result<File> {
        let found = match &self.remote {
            None => self.open_in_folder(family, id)?,
            Some(remote) => remote.read(family, id)?,
        };
        found.ok_or_else(|| missing(id))
    }

    /// As [`FileStore::read`], past all copies; `None` if the file isn't there.
    pub fn read_if_there(&self, family: FamilyId, id: FileId) -> Result<Option<File>> {
        match &self.remote {
            None => self.open_in_folder(family, id),
            Some(remote) => remote.download(family, id),
        }
    }

    /// The size and checksum of a family's file as it is now. Reads all of it.
    pub(crate) fn content(&self, family: FamilyId, id: FileId) -> Result<Content> {
        let found = match &self.remote {
            None => self.open_in_folder(family, id)?.map(content_of).transpose()?,
            Some(remote) => remote.content(family, id)?,
        };
        found.ok_or_else(|| missing(id))
    }

    /// Refuses a family's file that doesn't match its row: it is gone, or it was changed since it
    /// was stored. Reads all of it.
    pub fn verify(&self, family: FamilyId, id: FileId, record: &FileRecord) -> Result<()> {
        let refused = |code, what| {
            let name = record.name.as_deref().unwrap_or("without a name");
            let message = format!("The uploaded file {name} {what} (its id is {id}).");
            Err(Error::Conflict { code, message })
        };
        let found = match &self.remote {
            None => self.open_in_folder(family, id)?.map(content_of).transpose()?,
            Some(remote) => remote.verified(family, id, &record.content)?,
        };
        match found {
            None => refused("file_missing", "is missing on the server"),
            Some(found) if found != record.content => {
                refused("file_altered", "was changed on the server after it was stored")
            }
            Some(_) => Ok(()),
        }
    }

    /// Removes a family's file that no row names; it may be gone already.
    pub fn delete(&self, family: FamilyId, id: FileId) -> Result<()> {
        if let Some(remote) = &self.remote {
            return remote.delete(family, id);
        }
        self.take_back(family, id)?;
        unless_gone(fs::remove_file(path(&self.root, family, id))).map(|_| ())
    }

    /// Opens a file of the directory. One that was set aside is moved back: a row names it.
    fn open_in_folder(&self, family: FamilyId, id: FileId) -> Result<Option<File>> {
        let path = path(&self.root, family, id);
        if let Some(file) = unless_gone(File::open(&path))? {
            return Ok(Some(file));
        }
        self.take_back(family, id)?;
        unless_gone(File::open(&path))
    }

    /// As [`FileStore::delete`], without waiting for a bucket, of which a failure is only logged.
    pub fn delete_later(&self, family: FamilyId, id: FileId) -> Result<()> {
        match &self.remote {
            None => self.delete(family, id),
            Some(remote) => remote.delete_later(family, id),
        }
    }
}

/// Writes a file's row; its content is stored already.
pub fn file_insert(
    tx: &mut FamilyTx<'_>,
    id: FileId,
    name: Option<&str>,
    content: &Content,
) -> Result<()> {
    let family = tx.family();
    let bytes = i64::try_from(content.bytes).map_err(Error::internal)?;
    let now = tx.now();
    tx.execute(&INSERT, vals![family, id, name, bytes, &content.sha256, now]).map(|_| ())
}

/// The row of a file.
pub fn file_get(tx: &mut FamilyTx<'_>, id: FileId) -> Result<Option<FileRecord>> {
    let family = tx.family();
    find(tx, family, id)
}

/// The row of a family's file.
pub(crate) fn find(tx: &mut Tx<'_>, family: FamilyId, id: FileId) -> Result<Option<FileRecord>> {
    tx.query_opt(&GET, vals![family, id], |row| {
        let sha256 = row.bytes(2)?.try_into().map_err(Error::internal)?;
        Ok(FileRecord {
            name: row.opt_string(0)?,
            content: Content { bytes: row.count(1)?, sha256 },
            created_at: row.timestamp(3)?,
        })
    })
}

/// Every file of every family.
pub(crate) fn all(tx: &mut Tx<'_>) -> Result<Vec<StoredFile>> {
    tx.query(&ALL, &[], |row| {
        let sha256 = row.bytes(3)?.try_into().map_err(Error::internal)?;
        Ok(StoredFile {
            family: FamilyId::from_number(row.int(0)?),
            id: row.id(1)?,
            content: Content { bytes: row.count(2)?, sha256 },
        })
    })
}

/// Whether any family has a file.
pub(crate) fn any(tx: &mut Tx<'_>) -> Result<bool> {
    Ok(tx.query_opt(&ANY, &[], |_| Ok(()))?.is_some())
}

/// Whether a file still has its row. Blocks.
pub fn has_row(store: &Store, file: &StoredFile) -> Result<bool> {
    let access = Access::whole(file.family, Actor::System);
    store.read_blocking(access, |tx| Ok(file_get(tx, file.id)?.is_some()))
}

/// Removes a file's row, which nothing may name any more; its content is to be deleted after the
/// commit.
pub fn file_remove(tx: &mut FamilyTx<'_>, id: FileId) -> Result<()> {
    let family = tx.family();
    tx.execute(&REMOVE, vals![family, id]).map(drop)
}

fn path(root: &Path, family: FamilyId, id: FileId) -> PathBuf {
    root.join(family.number().to_string()).join(id.to_string())
}

/// A new file for content that arrives.
fn temporary_file(root: &Path) -> Result<(PathBuf, File)> {
    let name = format!("{:032x}", u128::from_ne_bytes(random_bytes()?));
    let temporary = root.join(INCOMING).join(name);
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(&temporary).map_err(io_failed)?;
    Ok((temporary, file))
}

/// The size and checksum of a file from its beginning.
fn content_of(mut file: File) -> Result<Content> {
    let (mut sha256, mut bytes) = (Sha256::new(), 0);
    let mut buffer = vec![0; BUFFER_BYTES];
    loop {
        match file.read(&mut buffer).map_err(io_failed)? {
            0 => return Ok(Content { bytes, sha256: sha256.finalize().into() }),
            length => {
                sha256.update(&buffer[..length]);
                bytes += length as u64;
            }
        }
    }
}

fn missing(id: FileId) -> Error {
    Error::Unavailable {
        message: format!("The uploaded file {id} is missing on the server"),
        cause: Box::new(std::io::Error::from(ErrorKind::NotFound)),
    }
}

/// Makes names durable: a rename is only on disk once its directory is.
pub fn sync_directory(directory: &Path) -> Result<()> {
    File::open(directory).and_then(|directory| directory.sync_all()).map_err(io_failed)
}

/// Renames a file unless there is one with the new name, which is `AlreadyExists` then.
pub fn rename_unless_there(from: &Path, to: &Path) -> std::io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;

    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        // Not every file system can do both at once.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => match to.symlink_metadata() {
            Ok(_) => Err(ErrorKind::AlreadyExists.into()),
            Err(_) => fs::rename(from, to),
        },
        result => Ok(result?),
    }
}

/// The result of an operation on a file; `None` if the file didn't exist.
fn unless_gone<T>(result: std::io::Result<T>) -> Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(io_failed(error)),
    }
}

/// A failure of the disk while files are read or written. It is nobody's defect and may pass, but
/// for content that isn't what it should be.
pub fn io_failed(error: std::io::Error) -> Error {
    let message = match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => NO_SPACE,
        ErrorKind::InvalidData | ErrorKind::InvalidInput => return Error::internal(error),
        _ => DISK_FAILS,
    };
    Error::Unavailable { message: message.to_owned(), cause: Box::new(error) }
}
