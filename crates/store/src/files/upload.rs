//! A file on its way to its place.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use purser_core::error::Result;
use purser_core::ids::FileId;
use sha2::{Digest as _, Sha256};

use super::remote::Remote;
use super::{Content, io_failed, path, sync_directory, temporary_file};
use crate::families::FamilyId;
use crate::lock::make_private;

/// A file that is arriving. Dropped before it is finished, it is removed.
#[derive(Debug)]
pub struct Upload {
    root: PathBuf,
    remote: Option<Arc<Remote>>,
    temporary: PathBuf,
    file: File,
    pub(super) sha256: Sha256,
    pub(super) bytes: u64,
    /// A row may name it already.
    pub(super) is_restored: bool,
    finished: bool,
}

impl Upload {
    /// Begins with a temporary file in a database's directory.
    pub(super) fn begin(root: &Path, remote: Option<Arc<Remote>>) -> Result<Self> {
        let (temporary, file) = temporary_file(root)?;
        let (root, sha256) = (root.to_owned(), Sha256::new());
        Ok(Self {
            root,
            remote,
            temporary,
            file,
            sha256,
            bytes: 0,
            is_restored: false,
            finished: false,
        })
    }

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
        let sha256 = std::mem::take(&mut self.sha256).finalize().into();
        let content = Content { bytes: self.bytes, sha256 };
        match self.remote.clone() {
            None => self.take_name(family, id)?,
            Some(remote) => {
                if let Err(error) = remote.put(family, id, &self.file, &content) {
                    // It may be there all the same. No row names it, but for one that is restored.
                    if !self.is_restored {
                        remote.delete_later(family, id)?;
                    }
                    return Err(error);
                }
                self.finished = remote.keep_copy(&self.temporary, family, id, content.bytes);
            }
        }
        Ok(content)
    }

    fn take_name(&mut self, family: FamilyId, id: FileId) -> Result<()> {
        let path = path(&self.root, family, id);
        let directory = self.root.join(family.number().to_string());
        if !directory.exists() {
            make_private(&directory).map_err(io_failed)?;
            sync_directory(&self.root)?;
        }
        fs::rename(&self.temporary, path).map_err(io_failed)?;
        self.finished = true;
        sync_directory(&directory)
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
