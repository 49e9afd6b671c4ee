//! Uploaded files: kept as they came, named by family and id.
//!
//! Content goes to a temporary file while it arrives, is synced, and gets its name only when it is
//! whole; its row is written after that. A crash in between leaves a file that no row names, which
//! [`FileStore::sweep`] removes once it is old enough that nobody can still be working on it.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use purser_core::error::{Error, Result};
use purser_core::ids::FileId;
use sha2::{Digest, Sha256};

use crate::driver::{Tx, statements, vals};
use crate::families::FamilyId;
use crate::lock::create_private;
use crate::store::Store;
use crate::system::random_bytes;

statements! {
    /// Adds a file.
    INSERT = "INSERT INTO files (family_id, id, name, bytes, sha256, created_at)
        VALUES ($1, $2, $3, $4, $5, $6)";
    /// One file.
    GET = "SELECT name, bytes, sha256, created_at FROM files WHERE family_id = $1 AND id = $2";
    /// Removes a file's row.
    DELETE = "DELETE FROM files WHERE family_id = $1 AND id = $2";
}

const INCOMING: &str = "incoming";
/// A file that no row names is left alone for so long.
const ORPHAN_AGE: Duration = Duration::from_secs(3600);

/// The directory of uploaded files.
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
    /// Its size.
    pub bytes: u64,
    /// Its checksum.
    pub sha256: [u8; 32],
}

/// A file's row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRecord {
    /// The name that it was uploaded with.
    pub name: Option<String>,
    /// What it holds.
    pub content: Content,
    /// When the row was written.
    pub created_at: Timestamp,
}

impl FileStore {
    /// Opens `files` in the data directory, creating it if needed.
    pub fn open(data_dir: &Path) -> Result<Self> {
        let root = data_dir.join("files");
        create_private(&root.join(INCOMING))?;
        sync_directory(data_dir)?;
        sync_directory(&root)?;
        Ok(Self { root })
    }

    /// Begins an upload.
    pub fn begin(&self) -> Result<Upload> {
        let name = format!("{:032x}", u128::from_ne_bytes(random_bytes()?));
        let temporary = self.root.join(INCOMING).join(name);
        let mut options = File::options();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&temporary).map_err(io)?;
        let root = self.root.clone();
        Ok(Upload { root, temporary, file, sha256: Sha256::new(), bytes: 0, finished: false })
    }

    /// Opens a family's file for reading.
    pub fn read(&self, family: FamilyId, id: FileId) -> Result<File> {
        File::open(path(&self.root, family, id)).map_err(io)
    }

    /// Removes a family's file; it may be gone already. Its row goes first, in a transaction.
    pub fn delete(&self, family: FamilyId, id: FileId) -> Result<()> {
        match fs::remove_file(path(&self.root, family, id)) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(io(error)),
            _ => Ok(()),
        }
    }

    /// Removes what crashes left behind, and returns how many files that was. Blocks.
    pub fn sweep(&self, store: &Store) -> Result<u64> {
        let now = SystemTime::from(store.now());
        let mut removed = 0;
        for leftover in old_files(&self.root.join(INCOMING), now)? {
            fs::remove_file(leftover).map_err(io)?;
            removed += 1;
        }
        for entry in fs::read_dir(&self.root).map_err(io)? {
            let directory = entry.map_err(io)?.path();
            // Names that are not a family's number are nothing of ours.
            let Some(number) = file_name(&directory).and_then(|name| name.parse().ok()) else {
                continue;
            };
            removed += sweep_family(store, FamilyId::from_number(number), &directory, now)?;
        }
        Ok(removed)
    }
}

impl Upload {
    /// Takes the next part.
    pub fn write(&mut self, part: &[u8]) -> Result<()> {
        self.file.write_all(part).map_err(io)?;
        self.sha256.update(part);
        self.bytes += part.len() as u64;
        Ok(())
    }

    /// Bytes so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Makes the content durable under its name. After this its row can be written.
    pub fn finish(mut self, family: FamilyId, id: FileId) -> Result<Content> {
        self.file.sync_all().map_err(io)?;
        let path = path(&self.root, family, id);
        let directory = self.root.join(family.number().to_string());
        if !directory.exists() {
            create_private(&directory)?;
            sync_directory(&self.root)?;
        }
        fs::rename(&self.temporary, path).map_err(io)?;
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
    tx: &mut Tx<'_>,
    family: FamilyId,
    id: FileId,
    name: Option<&str>,
    content: &Content,
) -> Result<()> {
    let bytes = i64::try_from(content.bytes).map_err(Error::internal)?;
    let now = tx.now();
    tx.execute(&INSERT, vals![family, id, name, bytes, &content.sha256, now]).map(|_| ())
}

/// A file's row.
pub fn file_get(tx: &mut Tx<'_>, family: FamilyId, id: FileId) -> Result<Option<FileRecord>> {
    tx.query_opt(&GET, vals![family, id], |row| {
        let sha256 = row.bytes(2)?.try_into().map_err(Error::internal)?;
        Ok(FileRecord {
            name: row.opt_string(0)?,
            content: Content { bytes: row.count(1)?, sha256 },
            created_at: row.timestamp(3)?,
        })
    })
}

/// Removes a file's row; whether there was one.
pub fn file_delete(tx: &mut Tx<'_>, family: FamilyId, id: FileId) -> Result<bool> {
    Ok(tx.execute(&DELETE, vals![family, id])? == 1)
}

fn path(root: &Path, family: FamilyId, id: FileId) -> PathBuf {
    root.join(family.number().to_string()).join(id.to_string())
}

fn file_name(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()
}

fn sweep_family(store: &Store, family: FamilyId, directory: &Path, now: SystemTime) -> Result<u64> {
    let mut removed = 0;
    for file in old_files(directory, now)? {
        let Some(id) = file_name(&file).and_then(|name| name.parse::<FileId>().ok()) else {
            continue;
        };
        if store.read_blocking(|tx| file_get(tx, family, id))?.is_none() {
            fs::remove_file(&file).map_err(io)?;
            removed += 1;
        }
    }
    Ok(removed)
}

/// The files of a directory that nobody has written to for a while.
fn old_files(directory: &Path, now: SystemTime) -> Result<Vec<PathBuf>> {
    let mut old = Vec::new();
    for entry in fs::read_dir(directory).map_err(io)? {
        let entry = entry.map_err(io)?;
        let modified = entry.metadata().and_then(|metadata| metadata.modified()).map_err(io)?;
        // A time in the future is not old.
        if now.duration_since(modified).is_ok_and(|age| age >= ORPHAN_AGE) {
            old.push(entry.path());
        }
    }
    Ok(old)
}

/// Makes names durable: a rename is only on disk once its directory is.
fn sync_directory(directory: &Path) -> Result<()> {
    File::open(directory).and_then(|directory| directory.sync_all()).map_err(io)
}

fn io(error: std::io::Error) -> Error {
    let message = match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "There is no space left for files.",
        _ => return Error::internal(error),
    };
    Error::Unavailable { message: message.to_owned(), cause: Box::new(error) }
}
