//! A file that appears under its name only when it is whole and on the disk.
//!
//! It is written beside its place as `<name>.partial`, which another process that writes the same
//! file finds locked, and which a process that dies leaves for the next one to write over.

use std::fs::{self, File, Permissions, TryLockError};
use std::io::{self, BufWriter, ErrorKind, Seek as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use purser_core::error::{Error, Result};
use purser_store::files::{io_failed, rename_unless_there, sync_directory};
use purser_store::lock::is_at;

/// Bytes that are collected before they are written.
const BUFFER_BYTES: usize = 256 * 1024;
/// What is behind the name of a file that isn't whole.
pub(super) const PARTIAL: &str = ".partial";
const OWNER_ONLY: u32 = 0o600;

/// A file that is being written. Dropped before [`NewFile::commit`], it is removed.
pub(super) struct NewFile {
    path: PathBuf,
    partial: PathBuf,
    file: File,
    is_committed: bool,
}

impl NewFile {
    /// Begins a file where there is none.
    pub(super) fn begin(path: &Path) -> Result<Self> {
        if path.symlink_metadata().is_ok() {
            return Err(exists(path));
        }
        let mut partial = path.as_os_str().to_owned();
        partial.push(PARTIAL);
        let partial = PathBuf::from(partial);
        let mut options = File::options();
        // Bank statements: nobody but the owner may read them.
        options.write(true).create(true).truncate(false).mode(OWNER_ONLY);
        let cant = |error: io::Error| Error::Conflict {
            code: "backup_refused",
            message: format!("{} can't be written: {error}.", partial.display()),
        };
        let file = options.open(&partial).map_err(cant)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(in_use(&partial)),
            Err(TryLockError::Error(error)) => return Err(cant(error)),
        }
        // Between the two the other process may have ended, and the file is whole by now.
        if !is_at(&file, &partial) {
            return Err(in_use(&partial));
        }
        // What another one left has its rights.
        file.set_permissions(Permissions::from_mode(OWNER_ONLY)).map_err(io_failed)?;
        let new = Self { path: path.to_owned(), partial, file, is_committed: false };
        new.empty()?;
        Ok(new)
    }

    /// Forgets what was written.
    pub(super) fn empty(&self) -> Result<()> {
        self.file.set_len(0).and_then(|()| (&self.file).rewind()).map_err(io_failed)
    }

    /// What writes to the file.
    pub(super) fn writer(&self) -> BufWriter<&File> {
        BufWriter::with_capacity(BUFFER_BYTES, &self.file)
    }

    /// Makes the file durable, and gives it its name unless another one has got it meanwhile.
    /// Returns its size.
    pub(super) fn commit(mut self) -> Result<u64> {
        self.file.sync_all().map_err(io_failed)?;
        let bytes = self.file.metadata().map_err(io_failed)?.len();
        match rename_unless_there(&self.partial, &self.path) {
            Ok(()) => self.is_committed = true,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                return Err(exists(&self.path));
            }
            Err(error) => return Err(io_failed(error)),
        }
        let folder = self.path.parent().filter(|folder| *folder != Path::new(""));
        sync_directory(folder.unwrap_or(Path::new(".")))?;
        Ok(bytes)
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.is_committed {
            // If this fails too, the next one writes over it.
            let _ = fs::remove_file(&self.partial);
        }
    }
}

/// Removes what a process left of a file that it wrote. False if one still writes it.
pub(super) fn remove_partial(partial: &Path) -> Result<bool> {
    let file = match File::open(partial) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(true),
        Err(error) => return Err(io_failed(error)),
    };
    match file.try_lock() {
        Ok(()) if is_at(&file, partial) => fs::remove_file(partial).map_err(io_failed)?,
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(false),
        Err(TryLockError::Error(error)) => return Err(io_failed(error)),
    }
    Ok(true)
}

fn exists(path: &Path) -> Error {
    Error::Conflict {
        code: "file_exists",
        message: format!(
            "There is {} already: a backup replaces no file. Give another name.",
            path.display()
        ),
    }
}

fn in_use(partial: &Path) -> Error {
    Error::Conflict {
        code: "backup_in_use",
        message: format!("Another process writes {} at the moment.", partial.display()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_file_appears_when_it_is_whole_and_only_for_its_owner() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.tar.gz");
        // What a process left that died.
        fs::write(folder.path().join("a.tar.gz.partial"), "half of an older one").unwrap();
        let new = NewFile::begin(&path).unwrap();
        new.writer().write_all(b"too much").unwrap();
        new.empty().unwrap();
        new.writer().write_all(b"whole").unwrap();
        assert_eq!(names(folder.path()), ["a.tar.gz.partial"]);
        let partial = folder.path().join("a.tar.gz.partial");
        assert!(!remove_partial(&partial).unwrap(), "it is being written");
        let refusal = NewFile::begin(&path).err().unwrap();
        assert_eq!(refusal.code(), "backup_in_use");
        assert_eq!(new.commit().unwrap(), 5);
        assert!(remove_partial(&partial).unwrap(), "there is none");
        assert_eq!(names(folder.path()), ["a.tar.gz"]);
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_file_that_is_there_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let new = NewFile::begin(&path).unwrap();
        fs::write(&path, "of somebody else").unwrap();
        assert_eq!(new.commit().unwrap_err().code(), "file_exists");
        assert_eq!(NewFile::begin(&path).err().unwrap().code(), "file_exists");
        assert_eq!(names(folder.path()), ["a"]);
        assert_eq!(fs::read_to_string(&path).unwrap(), "of somebody else");
        let nowhere = folder.path().join("missing").join("a");
        assert_eq!(NewFile::begin(&nowhere).err().unwrap().code(), "backup_refused");
    }
}
