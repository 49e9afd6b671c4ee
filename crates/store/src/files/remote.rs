//! Uploaded files in a bucket, and the copies of them that are read.

use std::fs::{self, File};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use purser_core::error::{Error, Result};
use purser_core::ids::FileId;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::cache::Cache;
use super::fetches::{Fetched, Fetches};
use super::objects::{Object, Objects, Stated, TakePiece};
use super::{Bucket, Content, DISK_FAILS, content_of, io_failed, temporary_file, unless_gone};
use crate::families::FamilyId;

/// Where files are set aside that no row names.
pub(super) const UNREFERENCED: &str = "unreferenced";
/// Where what a restore found in the place of a file is set aside.
pub(super) const REPLACED: &str = "replaced";
/// The object by which a bucket is known to be that of the database.
const MARK: &str = "purser-database";

/// One database's files in a bucket.
#[derive(Debug)]
pub(super) struct Remote {
    objects: Arc<dyn Objects>,
    database: Uuid,
    /// The database's directory, for what arrives.
    root: PathBuf,
    cache: Cache,
    fetches: Arc<Fetches>,
}

impl Remote {
    pub(super) fn new(bucket: Bucket, database: Uuid, root: &Path) -> Self {
        let cache = Cache::new(root.join("cache"), bucket.cache_bytes_max);
        let (objects, fetches) = (bucket.objects, Arc::default());
        Self { objects, database, root: root.to_owned(), cache, fetches }
    }

    /// The bucket for people.
    pub(super) fn shown(&self) -> String {
        self.objects.shown()
    }

    /// Whether the bucket is known to be that of the database.
    pub(super) fn is_marked(&self) -> Result<bool> {
        Ok(self.objects.find(&self.key(MARK))?.is_some())
    }

    /// Marks the bucket as that of the database.
    pub(super) fn mark(&self) -> Result<()> {
        let (path, mut file) = temporary_file(&self.root)?;
        let text = format!("{}\n", self.database);
        let written = file.write_all(text.as_bytes()).map_err(io_failed);
        let content =
            Content { bytes: text.len() as u64, sha256: Sha256::digest(text.as_bytes()).into() };
        let put = written.and_then(|()| self.put_named(MARK, &file, &content));
        fs::remove_file(path).map_err(io_failed)?;
        put
    }

    /// Stores what isn't a file of a family, of which the size and the checksum are known.
    pub(super) fn put_named(&self, name: &str, file: &File, content: &Content) -> Result<()> {
        self.objects.put(&self.key(name), file, content)
    }

    /// Removes what isn't a file of a family; it may be gone already.
    pub(super) fn remove_named(&self, name: &str) -> Result<()> {
        self.objects.delete(&self.key(name))
    }

    /// Stores a file, of which the size and the checksum are known.
    pub(super) fn put(
        &self,
        family: FamilyId,
        id: FileId,
        file: &File,
        content: &Content,
    ) -> Result<()> {
        self.objects.put(&self.file_key(family, id), file, content)
    }

    /// Takes a file that was stored as its copy; false if that can't be.
    pub(super) fn keep_copy(
        &self,
        temporary: &Path,
        family: FamilyId,
        id: FileId,
        bytes: u64,
    ) -> bool {
        let kept = self.cache.insert(temporary, family, id, bytes);
        if let Err(error) = &kept {
            tracing::warn!(cause = ?error, "a copy of an uploaded file isn't kept");
        }
        kept.is_ok()
    }

    /// Opens the copy of a file, which is fetched if there is none; `None` if the file isn't there.
    pub(super) fn read(self: &Arc<Self>, family: FamilyId, id: FileId) -> Result<Option<File>> {
        match self.copy(family, id)? {
            Copy::Open(file) => Ok(Some(file)),
            Copy::Missing => Ok(None),
            Copy::Altered => Err(altered(id)),
        }
    }

    fn copy(self: &Arc<Self>, family: FamilyId, id: FileId) -> Result<Copy> {
        // A copy may be removed between its arrival and this.
        for _ in 0..3 {
            if let Some(copy) = self.cache.open(family, id)? {
                return Ok(Copy::Open(copy));
            }
            let remote = self.clone();
            let fetch = move || remote.fetch(family, id);
            match self.fetches.wait(family, id, fetch)? {
                Some(Fetched::Copied) => {}
                Some(Fetched::Missing) => return Ok(Copy::Missing),
                Some(Fetched::Altered) => return Ok(Copy::Altered),
                Some(Fetched::Failed(message, cause)) => {
                    return Err(Error::Unavailable { message, cause: cause.into() });
                }
                None => {
                    return Err(Error::Unavailable {
                        message: "The uploaded file is still being fetched: try again in a moment."
                            .to_owned(),
                        cause: format!("fetching the file {id} takes long").into(),
                    });
                }
            }
        }
        Err(unavailable("copies are removed as they come".to_owned()))
    }

    fn fetch(&self, family: FamilyId, id: FileId) -> Result<Fetched> {
        // Somebody else's fetch may have ended meanwhile.
        if self.cache.open(family, id)?.is_some() {
            return Ok(Fetched::Copied);
        }
        let (path, file) = match self.arrive(family, id)? {
            Arrived::Whole(path, file) => (path, file),
            Arrived::Missing => return Ok(Fetched::Missing),
            Arrived::Altered => return Ok(Fetched::Altered),
        };
        // After a power cut a name without its content would be taken for the copy.
        file.sync_all().map_err(io_failed)?;
        let bytes = file.metadata().map_err(io_failed)?.len();
        let kept = self.cache.insert(&path, family, id, bytes);
        if kept.is_err() {
            // If this fails too, the sweep will find it.
            let _ = fs::remove_file(path);
        }
        kept.map(|()| Fetched::Copied)
    }

    /// As [`Remote::read`], into a file without a name, past the copies.
    pub(super) fn download(&self, family: FamilyId, id: FileId) -> Result<Option<File>> {
        let (path, mut file) = match self.arrive(family, id)? {
            Arrived::Whole(path, file) => (path, file),
            Arrived::Missing => return Ok(None),
            Arrived::Altered => return Err(altered(id)),
        };
        fs::remove_file(path).map_err(io_failed)?;
        file.seek(SeekFrom::Start(0)).map_err(io_failed)?;
        Ok(Some(file))
    }

    /// Receives a file, compared with what its object states.
    fn arrive(&self, family: FamilyId, id: FileId) -> Result<Arrived> {
        let (path, mut file) = temporary_file(&self.root)?;
        let (mut sha256, mut bytes) = (Sha256::new(), 0);
        let found = self.get(family, id, &mut |piece| {
            sha256.update(piece);
            bytes += piece.len() as u64;
            file.write_all(piece).map_err(io_failed)
        });
        let content = Content { bytes, sha256: sha256.finalize().into() };
        match found {
            Ok(Some(stated)) if fits(&stated, &content) => Ok(Arrived::Whole(path, file)),
            other => {
                fs::remove_file(path).map_err(io_failed)?;
                Ok(if other?.is_some() { Arrived::Altered } else { Arrived::Missing })
            }
        }
    }

    /// Reads a file. One that was set aside is copied back: a row names it after all.
    fn get(
        &self,
        family: FamilyId,
        id: FileId,
        take: &mut TakePiece<'_>,
    ) -> Result<Option<Stated>> {
        let key = self.file_key(family, id);
        if let Some(stated) = self.objects.get(&key, take)? {
            return Ok(Some(stated));
        }
        // The copy that is set aside stays: another node may be about to set the file aside, too.
        self.objects.copy(&self.aside_key(family, id), &key)?;
        self.objects.get(&key, take)
    }

    /// The size and checksum of the object itself, whatever it states.
    pub(super) fn content(&self, family: FamilyId, id: FileId) -> Result<Option<Content>> {
        let (mut sha256, mut bytes) = (Sha256::new(), 0);
        let found = self.get(family, id, &mut |piece| {
            sha256.update(piece);
            bytes += piece.len() as u64;
            Ok(())
        })?;
        Ok(found.map(|_| Content { bytes, sha256: sha256.finalize().into() }))
    }

    /// The size and checksum of what will be read: of the copy if it is as expected, else of the
    /// object, and the copy goes.
    pub(super) fn verified(
        self: &Arc<Self>,
        family: FamilyId,
        id: FileId,
        expected: &Content,
    ) -> Result<Option<Content>> {
        if let Copy::Open(copy) = self.copy(family, id)?
            && content_of(copy)? == *expected
        {
            return Ok(Some(*expected));
        }
        self.cache.remove(family, id)?;
        self.content(family, id)
    }

    /// Whether the bucket has a file with this content.
    pub(super) fn has(&self, family: FamilyId, id: FileId, content: &Content) -> Result<Present> {
        Ok(match self.objects.find(&self.file_key(family, id))? {
            None => Present::No,
            Some(stated) if !fits(&stated, content) => Present::Other,
            Some(_) => match self.content(family, id)? {
                Some(found) if found == *content => Present::Same,
                Some(_) => Present::Other,
                None => Present::No,
            },
        })
    }

    /// Sets a file aside that isn't the one of its row.
    pub(super) fn replace(&self, family: FamilyId, id: FileId, random: u64) -> Result<()> {
        let to = format!("{REPLACED}/{}/{id}-{random:016x}", family.number());
        self.cache.remove(family, id)?;
        self.move_object(&self.file_key(family, id), &self.key(&to))
    }

    /// Sets a file aside that no row names.
    pub(super) fn set_aside(&self, family: FamilyId, id: FileId) -> Result<()> {
        self.move_object(&self.file_key(family, id), &self.aside_key(family, id))
    }

    /// Gives an object another name: at no time it has neither. Nothing is done if it is gone.
    fn move_object(&self, from: &str, to: &str) -> Result<()> {
        if self.objects.copy(from, to)? { self.objects.delete(from) } else { Ok(()) }
    }

    pub(super) fn delete(&self, family: FamilyId, id: FileId) -> Result<()> {
        self.cache.remove(family, id)?;
        self.objects.delete(&self.file_key(family, id))?;
        self.objects.delete(&self.aside_key(family, id))
    }

    pub(super) fn delete_later(&self, family: FamilyId, id: FileId) -> Result<()> {
        self.objects.delete_later(&self.file_key(family, id));
        self.cache.remove(family, id)
    }

    /// Removes all files of a family, those that were set aside among them.
    pub(super) fn delete_family(&self, family: FamilyId) -> Result<()> {
        self.cache.remove_family(family)?;
        let number = family.number();
        for folder in [format!("{number}/"), format!("{UNREFERENCED}/{number}/")] {
            self.for_each(&folder, &mut |objects| {
                objects.iter().try_for_each(|object| self.objects.delete(&object.key))
            })?;
        }
        Ok(())
    }

    /// The database's files in the bucket, some at a time: the family, the id, and the object.
    pub(super) fn for_each_file(
        &self,
        each: &mut dyn FnMut(Vec<(FamilyId, FileId, Object)>) -> Result<()>,
    ) -> Result<()> {
        let folder = self.key("");
        self.for_each("", &mut |objects| {
            let parsed = |object: Object| {
                let (family, id) = object.key.strip_prefix(&folder)?.split_once('/')?;
                Some((FamilyId::from_number(family.parse().ok()?), id.parse().ok()?, object))
            };
            each(objects.into_iter().filter_map(parsed).collect())
        })
    }

    /// The objects in a folder of the database, some at a time.
    pub(super) fn for_each(
        &self,
        folder: &str,
        each: &mut dyn FnMut(Vec<Object>) -> Result<()>,
    ) -> Result<()> {
        let (prefix, mut after) = (self.key(folder), String::new());
        loop {
            let (objects, is_more) = self.objects.list(&prefix, &after)?;
            if let Some(last) = objects.last() {
                after.clone_from(&last.key);
            }
            each(objects)?;
            if !is_more {
                return Ok(());
            }
        }
    }

    /// The directories of copies, by family.
    pub(super) fn copies(&self) -> Result<Vec<(FamilyId, PathBuf)>> {
        self.cache.families()
    }

    /// Removes the copy of a file; it may be gone already.
    pub(super) fn remove_copy(&self, copy: &Path) -> Result<()> {
        unless_gone(fs::remove_file(copy)).map(drop)
    }

    fn file_key(&self, family: FamilyId, id: FileId) -> String {
        self.key(&format!("{}/{id}", family.number()))
    }

    fn aside_key(&self, family: FamilyId, id: FileId) -> String {
        self.key(&format!("{UNREFERENCED}/{}/{id}", family.number()))
    }

    fn key(&self, name: &str) -> String {
        format!("{}/{name}", self.database)
    }
}

/// The copy of a file that somebody reads.
enum Copy {
    /// It is whole, and open.
    Open(File),
    /// There is no such object.
    Missing,
    /// The object has another content than it states.
    Altered,
}

/// What came of the content of an object.
enum Arrived {
    /// All of it, in a file with this path.
    Whole(PathBuf, File),
    /// There is no such object.
    Missing,
    /// Something else than it states.
    Altered,
}

/// What is in the place of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Present {
    /// There is no object.
    No,
    /// It is the file itself.
    Same,
    /// It is something else.
    Other,
}

/// Without a checksum it may be anything, such as the page of somebody in between.
fn fits(stated: &Stated, content: &Content) -> bool {
    (stated.bytes, stated.sha256) == (content.bytes, Some(content.sha256))
}

fn altered(id: FileId) -> Error {
    unavailable(format!("the object of the file {id} has another content than it states"))
}

fn unavailable(cause: String) -> Error {
    Error::Unavailable { message: DISK_FAILS.to_owned(), cause: cause.into() }
}
