//! The folder on the disk: what lies in it, and where what was taken goes.
//!
//! ```text
//! inbox/statement.csv            a file to import
//! inbox/Checking/statement.csv   one for the account with this name or id
//! inbox/imported/…               what was imported
//! inbox/waiting/…                what a person has to look at, each with the reason beside it
//! ```

use std::fs::{self, File, Metadata, TryLockError};
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use purser_core::error::{Error, Result};
use purser_store::files::{io_failed, rename_unless_there, sync_directory};
use serde::{Deserialize, Serialize};

use crate::limits::INBOX_FILES_MAX;

const IMPORTED: &str = "imported";
const WAITING: &str = "waiting";
/// The file that nodes lock; hidden files are never taken.
const LOCK: &str = ".purser.lock";
/// What is behind the name of the file with the reason.
const REASON: &str = ".reason.txt";
/// Names that programs give to what they haven't written whole.
const UNFINISHED: [&str; 5] = [".part", ".partial", ".crdownload", ".tmp", ".filepart"];
pub(super) const OWNER_ONLY: u32 = 0o600;

/// The folder that is looked at.
#[derive(Debug, Clone)]
pub(super) struct Folder {
    root: PathBuf,
}

/// A file that was dropped.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Dropped {
    /// The place where it lies.
    #[serde(skip)]
    pub(super) path: PathBuf,
    /// The name without its folder, with signs in the place of what is no text.
    pub(super) name: String,
    /// The name of the folder that it lies in, if that isn't the inbox itself.
    pub(super) account: Option<String>,
    /// What it was when it was listed.
    pub(super) stamp: Stamp,
    /// It was imported before, and somebody has written to it since.
    pub(super) was_imported: bool,
}

/// What changes when somebody writes to a file, or puts another one into its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamp {
    pub(super) bytes: u64,
    pub(super) modified: Option<SystemTime>,
    pub(super) inode: u64,
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        Self { bytes: metadata.len(), modified: metadata.modified().ok(), inode: metadata.ino() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes == 0
    }
}

impl Dropped {
    /// Whether it is what it was when it was listed.
    pub(super) fn is_unchanged(&self) -> bool {
        self.is_still_at(&self.path)
    }

    fn is_still_at(&self, path: &Path) -> bool {
        path.symlink_metadata().is_ok_and(|found| Stamp::of(&found) == self.stamp)
    }

    /// Whether its last byte ends a line: what a writer has left in the middle of one doesn't.
    pub(super) fn ends_a_line(&self) -> bool {
        let last = || {
            let mut file = File::open(&self.path)?;
            let mut last = [0];
            file.seek(SeekFrom::End(-1))?;
            file.read_exact(&mut last)?;
            Ok::<_, std::io::Error>(last)
        };
        last().is_ok_and(|last| matches!(last, [b'\n' | b'\r']))
    }
}

/// Where a file was moved to, and whether a reason lies beside it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Moved {
    pub(super) file: Dropped,
    pub(super) place: PathBuf,
    pub(super) has_reason: bool,
}

impl Moved {
    /// The file as it is now, if somebody has written to it since: perhaps it was taken before it
    /// was whole. Another file in its place is left alone.
    pub(super) fn changed(&self) -> Option<Dropped> {
        let stamp = Stamp::of(&self.place.symlink_metadata().ok()?);
        let before = self.file.stamp;
        let is_it = stamp != before && stamp.inode == before.inode;
        let path = self.place.clone();
        is_it.then(|| Dropped { path, stamp, was_imported: true, ..self.file.clone() })
    }

    /// Adds a sentence to the reason of a file that waits, if the reason is still there.
    pub(super) fn add_to_reason(&self, sentence: &str) -> Result<()> {
        let reason = reason_beside(&self.place);
        if fs::read_to_string(&reason).is_ok_and(|text| text.contains(sentence)) {
            return Ok(());
        }
        let file = File::options().append(true).open(reason);
        match file.and_then(|mut file| file.write_all(format!("{sentence}\n").as_bytes())) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(unusable(error)),
            _ => Ok(()),
        }
    }
}

impl Folder {
    pub(super) fn new(root: PathBuf) -> Self {
        Self { root }
    }

    /// The path of a file that lies in the folder itself.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// Files in the folder and in those of accounts, by their names; at most [`INBOX_FILES_MAX`]
    /// of each folder and of all of them, the others come later.
    pub(super) fn files(&self) -> Result<Vec<Dropped>> {
        let mut files = Vec::new();
        for (path, name, metadata) in entries(&self.root)? {
            if metadata.is_file() {
                files.push(dropped(path, name, None, &metadata));
            } else if metadata.is_dir() && ![IMPORTED, WAITING].contains(&name.as_str()) {
                for (path, inner, metadata) in entries(&path)? {
                    if metadata.is_file() {
                        files.push(dropped(path, inner, Some(name.clone()), &metadata));
                    }
                }
            }
        }
        files.sort_by(|one, other| one.path.cmp(&other.path));
        files.truncate(INBOX_FILES_MAX);
        Ok(files)
    }

    /// The lock of the folder; `None` while another process has it.
    pub(super) fn lock(&self) -> Result<Option<File>> {
        let mut options = File::options();
        options.write(true).create(true).truncate(false).mode(OWNER_ONLY);
        let file = options.open(self.root.join(LOCK)).map_err(unusable)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(unusable(error)),
        }
    }

    /// Moves a file to what was imported, or with a reason to what waits. Returns its new place;
    /// `None` if it was changed meanwhile: then it stays, and is taken anew.
    ///
    /// It is announced before it is moved: a process that ends in between leaves no file unwatched.
    pub(super) fn put_away(
        &self,
        file: &Dropped,
        reason: Option<&str>,
        mut announce: impl FnMut(Moved),
    ) -> Result<Option<PathBuf>> {
        let folder = self.root.join(if reason.is_some() { WAITING } else { IMPORTED });
        fs::create_dir_all(&folder).map_err(unusable)?;
        for number in 1.. {
            let place = folder.join(numbered(&file.name, number));
            if place.symlink_metadata().is_ok() {
                continue;
            }
            if let Some(reason) = reason {
                write_reason(&place, reason)?;
            }
            let has_reason = reason.is_some();
            announce(Moved { file: file.clone(), place: place.clone(), has_reason });
            match rename_unless_there(&file.path, &place) {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(unusable(error)),
            }
            if !file.is_still_at(&place) {
                rename_unless_there(&place, &file.path).map_err(unusable)?;
                if reason.is_some() {
                    fs::remove_file(reason_beside(&place)).map_err(unusable)?;
                }
                return Ok(None);
            }
            for changed in [folder.as_path(), file.path.parent().unwrap_or(&self.root)] {
                sync_directory(changed)?;
            }
            return Ok(Some(place));
        }
        Ok(None)
    }
}

fn dropped(path: PathBuf, name: String, account: Option<String>, metadata: &Metadata) -> Dropped {
    Dropped { path, name, account, stamp: Stamp::of(metadata), was_imported: false }
}

/// What a folder holds, but for hidden and unfinished files. Links aren't followed: they could
/// lead to any file of the machine.
fn entries(folder: &Path) -> Result<Vec<(PathBuf, String, Metadata)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(unusable)? {
        let entry = entry.map_err(unusable)?;
        // A name that is no text gets signs that are one; the path stays what it is.
        let name = entry.file_name().to_string_lossy().into_owned();
        let lower = name.to_lowercase();
        if name.starts_with('.') || UNFINISHED.iter().any(|ending| lower.ends_with(ending)) {
            continue;
        }
        match entry.metadata() {
            Ok(metadata) => found.push((entry.path(), name, metadata)),
            // Somebody has taken it away.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(unusable(error)),
        }
        if found.len() >= INBOX_FILES_MAX {
            break;
        }
    }
    Ok(found)
}

/// `statement.csv`, then `statement (2).csv` and so on.
fn numbered(name: &str, number: u32) -> String {
    let at = name.rfind('.').filter(|at| *at > 0).unwrap_or(name.len());
    match number {
        1 => name.to_owned(),
        _ => format!("{} ({number}){}", &name[..at], &name[at..]),
    }
}

fn reason_beside(place: &Path) -> PathBuf {
    let mut path = place.as_os_str().to_owned();
    path.push(REASON);
    PathBuf::from(path)
}

fn write_reason(place: &Path, reason: &str) -> Result<()> {
    let mut options = File::options();
    options.write(true).create(true).truncate(true).mode(OWNER_ONLY);
    let mut file = options.open(reason_beside(place)).map_err(unusable)?;
    file.write_all(format!("{reason}\n").as_bytes()).map_err(io_failed)?;
    file.sync_all().map_err(io_failed)
}

/// Why the folder can't be used, with the words of the operating system: only the log has them.
fn unusable(error: std::io::Error) -> Error {
    Error::Unavailable {
        message: format!("The folder of the inbox can't be used: {error}."),
        cause: Box::new(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, Folder) {
        let directory = tempfile::tempdir().unwrap();
        let folder = Folder::new(directory.path().to_owned());
        (directory, folder)
    }

    fn put(folder: &Folder, path: &str, content: &str) {
        let path = folder.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    fn unseen(_: Moved) {}

    fn names(folder: &Folder) -> Vec<(Option<String>, String)> {
        folder.files().unwrap().into_iter().map(|file| (file.account, file.name)).collect()
    }

    #[test]
    fn hidden_unfinished_and_linked_files_and_what_was_taken_are_left_alone() {
        let (_directory, folder) = folder();
        for path in ["b.csv", "A/a.csv", ".x.csv", "c.csv.part", "D.TMP", "A/deeper/e.csv"] {
            put(&folder, path, "x");
        }
        put(&folder, "imported/f.csv", "x");
        put(&folder, "waiting/g.csv", "x");
        std::os::unix::fs::symlink("/etc/hostname", folder.root.join("link.csv")).unwrap();
        let expected = [(Some("A".to_owned()), "a.csv".to_owned()), (None, "b.csv".to_owned())];
        assert_eq!(names(&folder), expected);
    }

    #[test]
    fn what_is_put_away_replaces_nothing() {
        let (_directory, folder) = folder();
        for expected in ["a.csv", "a (2).csv", "a (3).csv"] {
            put(&folder, "a.csv", expected);
            let [file] = folder.files().unwrap().try_into().unwrap();
            let place = folder.put_away(&file, None, unseen).unwrap().unwrap();
            assert_eq!(place, folder.root.join(IMPORTED).join(expected));
            assert_eq!(fs::read_to_string(place).unwrap(), expected);
        }
        put(&folder, "noextension", "x");
        let [file] = folder.files().unwrap().try_into().unwrap();
        let place = folder.put_away(&file, Some("It is unknown."), unseen).unwrap().unwrap();
        assert_eq!(fs::read_to_string(reason_beside(&place)).unwrap(), "It is unknown.\n");
    }

    #[test]
    fn a_file_that_was_changed_meanwhile_stays() {
        let (_directory, folder) = folder();
        put(&folder, "a.csv", "one");
        let [file] = folder.files().unwrap().try_into().unwrap();
        put(&folder, "a.csv", "one and two");
        assert_eq!(folder.put_away(&file, Some("A reason."), unseen).unwrap(), None);
        assert_eq!(names(&folder), [(None, "a.csv".to_owned())]);
        assert_eq!(fs::read_dir(folder.root.join(WAITING)).unwrap().count(), 0);
    }

    #[test]
    fn a_file_that_is_changed_where_it_was_moved_to_is_noticed() {
        let (_directory, folder) = folder();
        put(&folder, "A/a.csv", "a\nb");
        let [file] = folder.files().unwrap().try_into().unwrap();
        assert!(!file.ends_a_line());
        let mut writer = File::options().append(true).open(&file.path).unwrap();
        let mut announced = None;
        let announce = |moved| announced = Some(moved);
        let place = folder.put_away(&file, Some("A reason."), announce).unwrap().unwrap();
        let moved = announced.unwrap();
        assert!(moved.place == place && moved.has_reason);
        assert!(moved.changed().is_none());
        writer.write_all(b"c\n").unwrap();
        let changed = moved.changed().unwrap();
        assert!(changed.ends_a_line() && changed.is_unchanged() && changed.was_imported);
        assert_eq!((&changed.path, changed.account.as_deref()), (&place, Some("A")));
        moved.add_to_reason("Another.").unwrap();
        let reason = reason_beside(&place);
        assert_eq!(fs::read_to_string(&reason).unwrap(), "A reason.\nAnother.\n");
        // The folder of the account, and the reason, may be gone by now.
        fs::remove_dir(folder.root.join("A")).unwrap();
        fs::remove_file(&reason).unwrap();
        moved.add_to_reason("Another.").unwrap();
        assert!(!reason.exists() && moved.changed().is_some());
        // Another file in its place is left alone.
        fs::rename(&place, folder.root.join("b.csv")).unwrap();
        put(&folder, "waiting/a.csv", "much longer than before");
        assert!(moved.changed().is_none());
    }

    #[test]
    fn one_process_at_a_time_takes_files() {
        let (_directory, folder) = folder();
        let lock = folder.lock().unwrap();
        assert!(lock.is_some());
        assert!(folder.lock().unwrap().is_none());
        drop(lock);
        assert!(folder.lock().unwrap().is_some());
    }
}
