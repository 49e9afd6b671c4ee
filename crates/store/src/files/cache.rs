//! Copies of objects in the data directory, up to a size.
//!
//! A copy is whole and was compared with the checksum of its object before it got its name. What
//! was not read for the longest time goes first; what was read a moment ago stays, even if that is
//! more than the bound, because somebody is about to read on. An open file is read on after its
//! name is gone.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use purser_core::error::Result;
use purser_core::ids::FileId;
use rustix::fs::{Timespec, Timestamps, UTIME_NOW, futimens};

use super::{io_failed, path, unless_gone};
use crate::families::FamilyId;
use crate::lock::make_private;

/// What was read within this time before the newest stays.
const RECENT: Duration = Duration::from_secs(60);
/// How much of the bound is left in use when copies are removed, in percent.
const KEPT_PERCENT: u64 = 90;

/// The copies below one directory.
#[derive(Debug)]
pub(super) struct Cache {
    root: PathBuf,
    bytes_max: u64,
    /// At least what this process has added since it looked at the whole directory.
    bytes: AtomicU64,
}

impl Cache {
    /// For the copies in a directory, which may not be there yet.
    pub(super) fn new(root: PathBuf, bytes_max: u64) -> Self {
        // The first copy looks at what others have left.
        Self { root, bytes_max, bytes: AtomicU64::new(bytes_max) }
    }

    /// Opens a copy, if there is one.
    pub(super) fn open(&self, family: FamilyId, id: FileId) -> Result<Option<File>> {
        let file = unless_gone(File::open(path(&self.root, family, id)))?;
        if let Some(file) = &file {
            read_now(file);
        }
        Ok(file)
    }

    /// Takes a file that is whole, and removes what is too much.
    pub(super) fn insert(
        &self,
        temporary: &Path,
        family: FamilyId,
        id: FileId,
        bytes: u64,
    ) -> Result<()> {
        let place = path(&self.root, family, id);
        if let Some(directory) = place.parent() {
            make_private(directory).map_err(io_failed)?;
        }
        fs::rename(temporary, &place).map_err(io_failed)?;
        if let Ok(file) = File::open(&place) {
            read_now(&file);
        }
        let total = self.bytes.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        if total > self.bytes_max { self.trim() } else { Ok(()) }
    }

    /// Removes a copy; it may be gone already.
    pub(super) fn remove(&self, family: FamilyId, id: FileId) -> Result<()> {
        unless_gone(fs::remove_file(path(&self.root, family, id))).map(drop)
    }

    /// Removes all copies of a family.
    pub(super) fn remove_family(&self, family: FamilyId) -> Result<()> {
        unless_gone(fs::remove_dir_all(self.root.join(family.number().to_string()))).map(drop)
    }

    /// The families that have copies, with the directory of each.
    pub(super) fn families(&self) -> Result<Vec<(FamilyId, PathBuf)>> {
        let Some(entries) = unless_gone(fs::read_dir(&self.root))? else { return Ok(Vec::new()) };
        let mut families = Vec::new();
        for entry in entries {
            let directory = entry.map_err(io_failed)?.path();
            let number = directory.file_name().and_then(|name| name.to_str()?.parse().ok());
            families.extend(number.map(|number| (FamilyId::from_number(number), directory)));
        }
        Ok(families)
    }

    /// Removes the copies that were not read for the longest time, until the rest fits.
    fn trim(&self) -> Result<()> {
        let mut copies = Vec::new();
        for (_, directory) in self.families()? {
            let Some(entries) = unless_gone(fs::read_dir(directory))? else { continue };
            for entry in entries {
                let entry = entry.map_err(io_failed)?;
                // Others remove copies while this looks.
                let Some(metadata) = unless_gone(entry.metadata())? else { continue };
                let read = metadata.modified().map_err(io_failed)?;
                copies.push((read, metadata.len(), entry.path()));
            }
        }
        copies.sort();
        let mut total: u64 = copies.iter().map(|(_, bytes, _)| bytes).sum();
        let newest = copies.last().map_or(SystemTime::UNIX_EPOCH, |(read, ..)| *read);
        for (read, bytes, copy) in copies {
            let is_recent = newest.duration_since(read).is_ok_and(|age| age < RECENT);
            if total <= self.bytes_max / 100 * KEPT_PERCENT || is_recent {
                break;
            }
            unless_gone(fs::remove_file(copy))?;
            total -= bytes;
        }
        self.bytes.store(total, Ordering::Relaxed);
        Ok(())
    }
}

/// Notes that a copy is read. Without the note it goes earlier than it should, no more.
fn read_now(file: &File) {
    let now = Timespec { tv_sec: 0, tv_nsec: UTIME_NOW };
    let _ = futimens(file, &Timestamps { last_access: now, last_modification: now });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_read_for_the_longest_time_goes_first() {
        let home = tempfile::tempdir().unwrap();
        let cache = Cache::new(home.path().join("cache"), 100);
        let id = |number| FileId(uuid::Uuid::from_u128(number));
        let family = FamilyId::from_number(7);
        let insert = |number, bytes: usize| {
            let temporary = home.path().join("incoming");
            fs::write(&temporary, vec![0; bytes]).unwrap();
            cache.insert(&temporary, family, id(number), bytes as u64).unwrap();
        };
        let grow_old = |number, seconds| {
            let file = File::options().append(true).open(path(&cache.root, family, id(number)));
            let file = file.unwrap();
            let read = file.metadata().unwrap().modified().unwrap();
            file.set_modified(read - Duration::from_secs(seconds)).unwrap();
        };
        let there = |number| cache.open(family, id(number)).unwrap().is_some();
        insert(1, 40);
        insert(2, 40);
        grow_old(1, 300);
        grow_old(2, 200);
        insert(3, 30);
        assert!(!there(1), "the oldest");
        assert!(there(2) && there(3), "the others fit");
        grow_old(2, 300);
        let open = cache.open(family, id(2)).unwrap().unwrap();
        insert(4, 60);
        assert!(there(2) && there(3) && there(4), "all of them were read within the minute");
        grow_old(2, 300);
        insert(5, 1);
        assert!(!there(2) && there(5));
        assert_eq!(open.metadata().unwrap().len(), 40, "whoever reads it reads on");
        insert(6, 500);
        assert!(there(6), "even one that is larger than the bound");
        cache.remove_family(family).unwrap();
        assert!(!there(6));
    }
}
