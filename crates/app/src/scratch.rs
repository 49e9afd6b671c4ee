//! Folders and files for a moment, among the temporary ones of the system.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use purser_core::error::{Error, Result};
use purser_store::files::io_failed;
use purser_store::lock::create_private;
use purser_store::system::random_bytes;

/// A folder that goes when this is dropped.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// Makes the folder, for nobody but the owner.
    pub(crate) fn new() -> Result<Self> {
        let random = u64::from_ne_bytes(random_bytes()?);
        let path = std::env::temp_dir().join(format!("purser-{random:016x}"));
        create_private(&path)?;
        Ok(Self(path))
    }

    /// Where the folder is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            tracing::warn!(folder = %self.0.display(), %error, "a temporary folder stays");
        }
    }
}

/// A file without a name, to be written and read by this process alone: it goes when it is closed,
/// whatever becomes of the process.
///
/// # Errors
/// If the disk refuses the file; what needs it can wait for the disk.
pub(crate) fn unnamed_file() -> Result<File> {
    let folder = Scratch::new().map_err(|error| match error {
        Error::Conflict { message, .. } => io_failed(io::Error::other(message)),
        error => error,
    })?;
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    options.open(folder.path().join("file")).map_err(io_failed)
}
