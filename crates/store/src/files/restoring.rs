//! Uploaded files that come out of a backup.

use std::fs;

use purser_core::error::Result;
use purser_core::ids::FileId;
use sha2::Digest as _;

use super::{BUFFER_BYTES, Content, FileStore, io_failed, path, sync_directory};
use crate::families::FamilyId;
use crate::lock::make_private;
use crate::system::random_bytes;

/// Where files are kept that a restore found in the place of others.
const REPLACED: &str = "replaced";

impl FileStore {
    /// Stores a file under the id that it had. If there is one with the same content, that one
    /// stays; one with another content is set aside, below `replaced`.
    pub(crate) fn restore(
        &self,
        family: FamilyId,
        id: FileId,
        read: &mut dyn FnMut(&mut [u8]) -> Result<usize>,
    ) -> Result<()> {
        let mut upload = self.begin()?;
        let mut buffer = vec![0; BUFFER_BYTES];
        loop {
            match read(&mut buffer)? {
                0 => break,
                length => upload.write(&buffer[..length])?,
            }
        }
        let present = path(&self.root, family, id);
        if present.exists() {
            let sha256 = upload.sha256.clone().finalize().into();
            if self.content(family, id)? == (Content { bytes: upload.bytes, sha256 }) {
                return Ok(());
            }
            let aside = self.root.join(REPLACED).join(family.number().to_string());
            make_private(&aside).map_err(io_failed)?;
            let random = u64::from_ne_bytes(random_bytes()?);
            fs::rename(&present, aside.join(format!("{id}-{random:016x}"))).map_err(io_failed)?;
            sync_directory(&aside)?;
        }
        upload.finish(family, id).map(drop)
    }
}
