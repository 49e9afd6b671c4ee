//! A folder for a moment.

use std::fs;
use std::path::{Path, PathBuf};

use purser_core::error::Result;
use purser_store::lock::create_private;
use purser_store::system::random_bytes;

/// A folder among the temporary ones of the system, which goes when this is dropped.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// Makes the folder, for nobody but the owner.
    pub(super) fn new() -> Result<Self> {
        let random = u64::from_ne_bytes(random_bytes()?);
        let path = std::env::temp_dir().join(format!("purser-verify-{random:016x}"));
        create_private(&path)?;
        Ok(Self(path))
    }

    /// Where the folder is.
    pub(super) fn path(&self) -> &Path {
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
