//! Backups in the bucket, beside the files that are in them: `<database>/backups/<name>`.
//!
//! A backup is made in the data directory, where the sweep finds what a crash leaves of it, and is
//! sent when it is whole.

use std::fs::File;
use std::path::{Path, PathBuf};

use purser_core::error::{Error, Result};

use super::remote::Remote;
use super::{FileStore, INCOMING, content_of, io_failed};

const BACKUPS: &str = "backups/";

impl FileStore {
    /// The names of the backups in the bucket. Blocks.
    pub fn backups(&self) -> Result<Vec<String>> {
        let mut names = Vec::new();
        self.bucket()?.for_each(BACKUPS, &mut |objects| {
            let name = |object: &super::Object| Some(object.key.rsplit_once('/')?.1.to_owned());
            names.extend(objects.iter().filter_map(name));
            Ok(())
        })?;
        Ok(names)
    }

    /// Where a backup is made that is sent to the bucket.
    pub fn backup_path(&self, name: &str) -> PathBuf {
        self.root.join(INCOMING).join(name)
    }

    /// Sends a file to the bucket as a backup with this name. When it returns, the bucket has it
    /// whole. Blocks.
    pub fn send_backup(&self, path: &Path, name: &str) -> Result<()> {
        let open = || File::open(path).map_err(io_failed);
        let content = content_of(open()?)?;
        self.bucket()?.put_named(&format!("{BACKUPS}{name}"), &open()?, &content)
    }

    /// Removes a backup from the bucket; it may be gone already. Blocks.
    pub fn remove_backup(&self, name: &str) -> Result<()> {
        self.bucket()?.remove_named(&format!("{BACKUPS}{name}"))
    }

    fn bucket(&self) -> Result<&Remote> {
        self.remote.as_deref().ok_or_else(|| Error::internal("there is no bucket for backups"))
    }
}
