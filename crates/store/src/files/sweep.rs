//! Tidying: what crashes left of uploads is removed, and files that no row names are set aside.
//!
//! Set aside and not removed, because the database may be an older one that was restored: the files
//! of the days that it lost are all that is left of them. They wait in `unreferenced`, under the
//! same names, until somebody removes them, moves them back, or reads one of which a row has come
//! to be. Nothing is touched that was written within a day, so that nobody can still be working on
//! it.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use purser_core::error::Result;
use purser_core::ids::FileId;

use super::remote::{Remote, UNREFERENCED};
use super::{FileStore, INCOMING, io_failed, sync_directory, unless_gone};
use crate::access::{Access, FamilyTx};
use crate::audit::Actor;
use crate::driver::{Filter, Query};
use crate::families::FamilyId;
use crate::lock::make_private;
use crate::store::Store;

/// What was written to later than this is left alone.
const AGE: Duration = Duration::from_secs(24 * 3600);
/// Files that are looked up at once.
const BATCH: usize = 256;

/// What a sweep did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Swept {
    /// The number of unfinished uploads that were removed.
    pub removed: u64,
    /// Files that no row names, moved to `unreferenced`.
    pub set_aside: u64,
}

impl FileStore {
    /// Removes what crashes left of uploads, and sets files aside that no row names. Blocks.
    pub fn sweep(&self, store: &Store) -> Result<Swept> {
        let now = SystemTime::from(store.now());
        let mut swept = Swept::default();
        for leftover in old_files(&self.root.join(INCOMING), now)? {
            swept.removed += u64::from(unless_gone(fs::remove_file(leftover))?.is_some());
        }
        swept.set_aside = match &self.remote {
            None => self.sweep_folder(store, now)?,
            Some(remote) => sweep_bucket(remote, store, now)?,
        };
        Ok(swept)
    }

    fn sweep_folder(&self, store: &Store, now: SystemTime) -> Result<u64> {
        let mut moved = 0;
        for entry in fs::read_dir(&self.root).map_err(io_failed)? {
            let directory = entry.map_err(io_failed)?.path();
            // Names that are not a family's number are nothing of ours.
            let number = file_name(&directory).and_then(|name| name.parse::<i64>().ok());
            let Some(family) = number.map(FamilyId::from_number) else { continue };
            let aside = self.root.join(UNREFERENCED).join(family.number().to_string());
            let files = with_ids(old_files(&directory, now)?);
            unnamed(store, family, files, |id, path| {
                make_private(&aside).map_err(io_failed)?;
                let to = aside.join(id.to_string());
                moved += u64::from(unless_gone(fs::rename(path, to))?.is_some());
                Ok(())
            })?;
        }
        Ok(moved)
    }

    /// Moves a file back that was set aside, if it was. Whether a file is old depends on the clock,
    /// and one that was put right may have made an upload look old that is still on its way: its
    /// row is written later.
    pub(super) fn take_back(&self, family: FamilyId, id: FileId) -> Result<()> {
        let number = family.number().to_string();
        let aside = self.root.join(UNREFERENCED).join(&number).join(id.to_string());
        let directory = self.root.join(number);
        if unless_gone(fs::rename(aside, directory.join(id.to_string())))?.is_some() {
            sync_directory(&directory)?;
        }
        Ok(())
    }

    /// Removes all files of a family that is removed, those that were set aside among them. Blocks.
    pub fn delete_family(&self, family: FamilyId) -> Result<()> {
        if let Some(remote) = &self.remote {
            return remote.delete_family(family);
        }
        let number = family.number().to_string();
        for directory in [self.root.join(&number), self.root.join(UNREFERENCED).join(&number)] {
            unless_gone(fs::remove_dir_all(directory))?;
        }
        sync_directory(&self.root)
    }
}

/// Sets objects aside that no row names, and removes copies of such files: other nodes have removed
/// them.
fn sweep_bucket(remote: &Remote, store: &Store, now: SystemTime) -> Result<u64> {
    let mut moved = 0;
    remote.for_each_file(&mut |files| {
        let mut families: BTreeMap<i64, Vec<(FileId, ())>> = BTreeMap::new();
        for (family, id, object) in files {
            if is_old(SystemTime::from(object.modified), now) {
                families.entry(family.number()).or_default().push((id, ()));
            }
        }
        for (number, files) in families {
            let family = FamilyId::from_number(number);
            unnamed(store, family, files, |id, ()| {
                moved += 1;
                remote.set_aside(family, id)
            })?;
        }
        Ok(())
    })?;
    for (family, directory) in remote.copies()? {
        let copies = with_ids(old_files(&directory, now)?);
        unnamed(store, family, copies, |_, copy| remote.remove_copy(&copy))?;
    }
    Ok(moved)
}

/// Hands on those files of a family that no row names.
fn unnamed<T>(
    store: &Store,
    family: FamilyId,
    files: Vec<(FileId, T)>,
    mut each: impl FnMut(FileId, T) -> Result<()>,
) -> Result<()> {
    let access = Access::whole(family, Actor::System);
    let mut files = files.into_iter().peekable();
    while files.peek().is_some() {
        let batch: Vec<(FileId, T)> = files.by_ref().take(BATCH).collect();
        let named =
            store.read_blocking(access.clone(), |tx| named(tx, batch.iter().map(|(id, _)| *id)))?;
        for (id, file) in batch.into_iter().filter(|(id, _)| !named.contains(id)) {
            each(id, file)?;
        }
    }
    Ok(())
}

/// Files of which the name is an id.
fn with_ids(files: Vec<PathBuf>) -> Vec<(FileId, PathBuf)> {
    files.into_iter().filter_map(|path| Some((file_name(&path)?.parse().ok()?, path))).collect()
}

/// Those of the ids that have a row.
fn named(tx: &mut FamilyTx<'_>, ids: impl Iterator<Item = FileId>) -> Result<HashSet<FileId>> {
    let family = tx.family();
    let query = query(family, ids);
    Ok(tx.query(&query, &[], |row| row.id(0))?.into_iter().collect())
}

fn query<'a>(family: FamilyId, ids: impl Iterator<Item = FileId>) -> Query<'a> {
    Filter::of_family("family_id = ?", family).and_in("id", ids.map(Into::into)).query(
        "SELECT id FROM files",
        "",
        [],
    )
}

/// The widest query, for the test that prepares it.
pub(crate) fn query_examples() -> Vec<Query<'static>> {
    let ids = std::iter::repeat_n(FileId(uuid::Uuid::nil()), BATCH);
    vec![query(FamilyId::from_number(1), ids)]
}

fn file_name(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()
}

/// The files of a directory that nobody has written to for a while.
fn old_files(directory: &Path, now: SystemTime) -> Result<Vec<PathBuf>> {
    let mut old = Vec::new();
    for entry in fs::read_dir(directory).map_err(io_failed)? {
        let entry = entry.map_err(io_failed)?;
        // Uploads end while this looks.
        let Some(metadata) = unless_gone(entry.metadata())? else { continue };
        let modified = metadata.modified().map_err(io_failed)?;
        if is_old(modified, now) {
            old.push(entry.path());
        }
    }
    Ok(old)
}

/// A time in the future is not old.
fn is_old(written: SystemTime, now: SystemTime) -> bool {
    now.duration_since(written).is_ok_and(|age| age >= AGE)
}
