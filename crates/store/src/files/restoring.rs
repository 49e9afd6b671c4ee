//! Uploaded files that come out of a backup, or from another place.

use std::fs;

use purser_core::error::Result;
use purser_core::ids::FileId;
use sha2::Digest;

use super::remote::{Present, REPLACED, Remote};
use super::{
    BUFFER_BYTES, Content, FileStore, content_of, io_failed, path, sync_directory, unless_gone,
};
use crate::families::FamilyId;
use crate::lock::make_private;
use crate::system::random_bytes;

impl FileStore {
    /// Stores a file under the id that it had. If there is one with the same content, that one
    /// stays; one with another content is set aside, below `replaced`.
    pub(crate) fn restore(
        &self,
        family: FamilyId,
        id: FileId,
        read: &mut dyn FnMut(&mut [u8]) -> Result<usize>,
    ) -> Result<Content> {
        let mut upload = self.begin()?;
        upload.is_restored = true;
        let mut buffer = vec![0; BUFFER_BYTES];
        loop {
            match read(&mut buffer)? {
                0 => break,
                length => upload.write(&buffer[..length])?,
            }
        }
        let content =
            Content { bytes: upload.bytes, sha256: upload.sha256.clone().finalize().into() };
        let present = match &self.remote {
            None => self.present(family, id, &content)?,
            Some(remote) => remote.has(family, id, &content)?,
        };
        match present {
            Present::Same => return Ok(content),
            Present::No => {}
            Present::Other => self.replace(self.remote.as_deref(), family, id)?,
        }
        upload.finish(family, id)
    }

    fn present(&self, family: FamilyId, id: FileId, content: &Content) -> Result<Present> {
        let file = unless_gone(fs::File::open(path(&self.root, family, id)))?;
        Ok(match file.map(content_of).transpose()? {
            None => Present::No,
            Some(found) if found == *content => Present::Same,
            Some(_) => Present::Other,
        })
    }

    fn replace(&self, remote: Option<&Remote>, family: FamilyId, id: FileId) -> Result<()> {
        let random = u64::from_ne_bytes(random_bytes()?);
        if let Some(remote) = remote {
            return remote.replace(family, id, random);
        }
        let aside = self.root.join(REPLACED).join(family.number().to_string());
        make_private(&aside).map_err(io_failed)?;
        let present = path(&self.root, family, id);
        fs::rename(present, aside.join(format!("{id}-{random:016x}"))).map_err(io_failed)?;
        sync_directory(&aside)
    }
}
