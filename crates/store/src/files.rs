//! Uploaded files: kept as they came, in `files/<database>/<family>/<id>`.
//!
//! Content goes to a temporary file while it arrives, is synced, and gets its name only when it is
//! whole; its row is written after that. A crash in between leaves a file that no row names, which
//! [`FileStore::sweep`] sets aside. The database's own id is in the path because families have the
//! same numbers in every database: two on one data directory never touch each other's files.

use std::fs::{self, File};
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};

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
use crate::lock::{create_private, make_private};
use crate::store::Store;
use crate::system::random_bytes;

mod orphans;
mod restoring;
mod sweep;

pub use orphans::{require_database_file, require_own_files};
pub use sweep::Swept;
pub(crate) use sweep::query_examples;

statements! {
    /// Adds the row of a file.
    INSERT = "INSERT INTO files (family_id, id, name, bytes, sha256, created_at)
        VALUES ($1, $2, $3, $4, $5, $6)";
    /// The row of a file.
    GET = "SELECT name, bytes, sha256, created_at FROM files WHERE family_id = $1 AND id = $2";
    /// Every file of every family.
    ALL = "SELECT family_id, id, bytes, sha256 FROM files ORDER BY family_id, id";
    /// Removes the row of a file.
    REMOVE = "DELETE FROM files WHERE family_id = $1 AND id = $2";
}

const INCOMING: &str = "incoming";
/// Bytes that are read from a file at a time.
const BUFFER_BYTES: usize = 64 * 1024;
/// What people read when a file doesn't fit on the disk.
pub(crate) const NO_SPACE: &str = "There is no space left for files.";
/// What people read when files can't be read or written for another reason.
pub(crate) const DISK_FAILS: &str = "Files on the server can't be read or written just now.";

/// The directory of one database's uploaded files.
#[derive(Debug, Clone)]
pub struct FileStore {
    root: PathBuf,
}

/// A file that is arriving. Dropped before it is finished, it is removed.
#[derive(Debug)]
pub struct Upload {
    root: PathBuf,
    temporary: PathBuf,
    file: File,
    sha256: Sha256,
    bytes: u64,
    finished: bool,
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
    /// Opens the database's directory below `files` in the data directory, creating it if needed.
    /// Blocks.
    pub fn open(data_dir: &Path, store: &Store) -> Result<Self> {
        Self::of_database(data_dir, installation::id(store)?)
    }

    /// As [`FileStore::open`], for the database with this id.
    pub(crate) fn of_database(data_dir: &Path, database: Uuid) -> Result<Self> {
        let files = data_dir.join("files");
        let root = files.join(database.to_string());
        create_private(&root.join(INCOMING))?;
        for directory in [data_dir, &files, &root] {
            sync_directory(directory)?;
        }
        Ok(Self { root })
    }

    /// What the file system of the directory has left for this process.
    pub fn free_bytes(&self) -> Result<u64> {
        let system = rustix::fs::statvfs(&self.root).map_err(|error| io_failed(error.into()))?;
        Ok(system.f_bavail.saturating_mul(system.f_frsize))
    }

    /// Begins an upload to a temporary file.
    pub fn begin(&self) -> Result<Upload> {
        let name = format!("{:032x}", u128::from_ne_bytes(random_bytes()?));
        let temporary = self.root.join(INCOMING).join(name);
        let mut options = File::options();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&temporary).map_err(io_failed)?;
        let root = self.root.clone();
        Ok(Upload { root, temporary, file, sha256: Sha256::new(), bytes: 0, finished: false })
    }

    /// Opens a family's file for reading. Unavailable if it isn't there: the folder may not be
    /// mounted.
    pub fn read(&self, family: FamilyId, id: FileId) -> Result<File> {
        self.read_if_there(family, id)?.ok_or_else(|| Error::Unavailable {
            message: format!("The uploaded file {id} is missing on the server."),
            cause: Box::new(std::io::Error::from(ErrorKind::NotFound)),
        })
    }

    /// As [`FileStore::read`]; `None` if the file isn't there.
    pub fn read_if_there(&self, family: FamilyId, id: FileId) -> Result<Option<File>> {
        let path = path(&self.root, family, id);
        if let Some(file) = unless_gone(File::open(&path))? {
            return Ok(Some(file));
        }
        // A row names it after all.
        self.take_back(family, id)?;
        unless_gone(File::open(&path))
    }

    /// The size and checksum of a family's file as it is now. Reads all of it.
    pub(crate) fn content(&self, family: FamilyId, id: FileId) -> Result<Content> {
        let mut file = self.read(family, id)?;
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

    /// Refuses a family's file that doesn't match its row: it is gone, or it was changed since it
    /// was stored. Reads all of it.
    pub fn verify(&self, family: FamilyId, id: FileId, record: &FileRecord) -> Result<()> {
        let refused = |code, what| {
            let name = record.name.as_deref().unwrap_or("without a name");
            let message = format!("The uploaded file {name} {what} (its id is {id}).");
            Err(Error::Conflict { code, message })
        };
        if self.read_if_there(family, id)?.is_none() {
            return refused("file_missing", "is missing on the server");
        }
        if self.content(family, id)? != record.content {
            return refused("file_altered", "was changed on the server after it was stored");
        }
        Ok(())
    }

    /// Removes a family's file that no row names; it may be gone already.
    pub fn delete(&self, family: FamilyId, id: FileId) -> Result<()> {
        self.take_back(family, id)?;
        unless_gone(fs::remove_file(path(&self.root, family, id))).map(|_| ())
    }
}

impl Upload {
    /// Takes the next part.
    pub fn write(&mut self, part: &[u8]) -> Result<()> {
        self.file.write_all(part).map_err(io_failed)?;
        self.sha256.update(part);
        self.bytes += part.len() as u64;
        Ok(())
    }

    /// The number of bytes written so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Makes the content durable under its name. After this its row can be written.
    pub fn finish(mut self, family: FamilyId, id: FileId) -> Result<Content> {
        self.file.sync_all().map_err(io_failed)?;
        let path = path(&self.root, family, id);
        let directory = self.root.join(family.number().to_string());
        if !directory.exists() {
            make_private(&directory).map_err(io_failed)?;
            sync_directory(&self.root)?;
        }
        fs::rename(&self.temporary, path).map_err(io_failed)?;
        self.finished = true;
        sync_directory(&directory)?;
        let sha256 = std::mem::take(&mut self.sha256).finalize().into();
        Ok(Content { bytes: self.bytes, sha256 })
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        if !self.finished {
            // If this fails too, the sweep will find it.
            let _ = fs::remove_file(&self.temporary);
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
