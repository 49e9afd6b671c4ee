//! A file on the disk that no row names yet.
//!
//! It is deleted when it is dropped, because its sender may have gone. From the moment that a row
//! may name it, it stays: after an error that leaves open whether the row was committed, only the
//! sweep can decide.

use std::sync::atomic::{AtomicBool, Ordering};

use purser_core::error::Result;
use purser_core::ids::FileId;
use purser_store::FamilyId;
use purser_store::files::{Content, FileStore, Upload};

/// A file on the disk, synced.
#[derive(Debug)]
pub struct Stored {
    /// The id of the file.
    pub id: FileId,
    /// The size and the checksum.
    pub content: Content,
    family: FamilyId,
    files: FileStore,
    stays: AtomicBool,
}

impl Stored {
    /// Makes what was uploaded durable. Blocks.
    pub fn finish(upload: Upload, files: &FileStore, family: FamilyId, id: FileId) -> Result<Self> {
        let content = upload.finish(family, id)?;
        Ok(Self { id, content, family, files: files.clone(), stays: AtomicBool::new(false) })
    }

    /// A row may name it from now on.
    pub fn keep(&self) {
        self.stays.store(true, Ordering::Relaxed);
    }

    /// No row names it after all.
    pub fn discard(&self) {
        self.stays.store(false, Ordering::Relaxed);
    }
}

impl Drop for Stored {
    fn drop(&mut self) {
        if self.stays.load(Ordering::Relaxed) {
            return;
        }
        if let Err(error) = self.files.delete_later(self.family, self.id) {
            tracing::warn!(cause = ?error, "an unused file stays until the next sweep");
        }
    }
}
