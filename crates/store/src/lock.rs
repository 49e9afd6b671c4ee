//! One server for each data directory.
//!
//! The lock is the operating system's, on a file in the directory, so it ends with the process
//! however that ends. Network file systems are refused: neither their locks nor SQLite's log can be
//! relied on there.

use std::fs::{DirBuilder, File, Metadata, OpenOptions, TryLockError, metadata};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use purser_core::error::{Error, Result};

const LOCK_FILE: &str = "purser.lock";
/// How often a server tries to take the lock: a process that only reads holds it for a moment.
const TRIES: u32 = 10;
const WAIT: Duration = Duration::from_millis(50);
/// File systems with locks and shared memory that don't do what SQLite needs.
const NETWORK_FILE_SYSTEMS: [&str; 9] =
    ["nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "fuse.sshfs", "fuse.glusterfs"];

/// The lock of a data directory; dropped, it is free.
#[derive(Debug)]
pub struct DataDirLock {
    _file: File,
}

impl DataDirLock {
    /// Creates the directory if it is not there, and locks it for this server.
    pub fn acquire(directory: &Path) -> Result<Self> {
        create_private(directory)?;
        require_local(directory)?;
        let file = open(directory)?;
        for _ in 0..TRIES {
            match file.try_lock() {
                Ok(()) => return Ok(Self { _file: file }),
                Err(TryLockError::WouldBlock) => std::thread::sleep(WAIT),
                Err(TryLockError::Error(error)) => return Err(unusable(directory, &error)),
            }
        }
        Err(refused(format!(
            "Another Purser server is running on the data directory {}.",
            directory.display()
        )))
    }
}

/// Whether a server runs on the directory.
pub fn is_server_running(directory: &Path) -> Result<bool> {
    let path = directory.join(LOCK_FILE);
    if !path.exists() {
        return Ok(false);
    }
    match open(directory)?.try_lock_shared() {
        Ok(()) => Ok(false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => Err(unusable(directory, &error)),
    }
}

/// Whether an open file is still the one at a path.
pub fn is_at(file: &File, path: &Path) -> bool {
    let identity = |found: Metadata| (found.dev(), found.ino());
    let (open, there) = (file.metadata().map(identity), metadata(path).map(identity));
    matches!((open, there), (Ok(open), Ok(there)) if open == there)
}

/// What the file system of a directory has left for this process.
pub(crate) fn free_bytes(directory: &Path) -> std::io::Result<u64> {
    let system = rustix::fs::statvfs(directory)?;
    Ok(system.f_bavail.saturating_mul(system.f_frsize))
}

/// Creates a directory that only its owner can enter; it may be there already. A data directory
/// that can't be made is refused.
pub fn create_private(directory: &Path) -> Result<()> {
    make_private(directory).map_err(|error| unusable(directory, &error))
}

/// As [`create_private`], for directories that are made later.
pub(crate) fn make_private(directory: &Path) -> std::io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory)
}

/// Refuses a directory on a network file system, for whoever opens SQLite or its lock there.
pub(crate) fn require_local(directory: &Path) -> Result<()> {
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    require_local_in(&mounts, directory)
}

fn require_local_in(mounts: &str, directory: &Path) -> Result<()> {
    let path = directory.canonicalize().map_err(|error| unusable(directory, &error))?;
    match file_system_in(mounts, &path).filter(|kind| is_network(kind)) {
        None => Ok(()),
        Some(kind) => Err(refused(format!(
            "The data directory {} is on a network file system ({kind}), where SQLite can lose \
             data: use a local disk, or PostgreSQL.",
            directory.display()
        ))),
    }
}

fn open(directory: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(directory.join(LOCK_FILE)).map_err(|error| unusable(directory, &error))
}

fn unusable(directory: &Path, error: &std::io::Error) -> Error {
    refused(format!("The data directory {} can't be used: {error}.", directory.display()))
}

fn refused(message: String) -> Error {
    Error::Conflict { code: "data_directory_refused", message }
}

/// The kind of file system that a path is on, if the system lists it: that of the longest mount
/// point above it. A line has six fields or more, a dash, and then the kind; the fifth field is the
/// mount point.
fn file_system_in(mounts: &str, path: &Path) -> Option<String> {
    let mut best: Option<(usize, &str)> = None;
    for line in mounts.lines() {
        let Some((before, after)) = line.split_once(" - ") else { continue };
        let (Some(point), Some(kind)) = (before.split(' ').nth(4), after.split(' ').next()) else {
            continue;
        };
        let point = PathBuf::from(point.replace("\\040", " "));
        let depth = point.components().count();
        // A later mount on the same point hides the earlier.
        if path.starts_with(&point) && best.is_none_or(|(most, _)| depth >= most) {
            best = Some((depth, kind));
        }
    }
    best.map(|(_, kind)| kind.to_owned())
}

fn is_network(kind: &str) -> bool {
    NETWORK_FILE_SYSTEMS.contains(&kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_server_is_refused_and_others_can_see_the_first() {
        let directory = tempfile::tempdir().unwrap();
        assert!(!is_server_running(directory.path()).unwrap());
        let first = DataDirLock::acquire(directory.path()).unwrap();
        assert!(is_server_running(directory.path()).unwrap());
        let refusal = DataDirLock::acquire(directory.path()).unwrap_err().to_string();
        assert!(refusal.starts_with("Another Purser server is running"), "{refusal}");
        assert_eq!(refusal.lines().count(), 1);
        drop(first);
        assert!(!is_server_running(directory.path()).unwrap());
        DataDirLock::acquire(directory.path()).unwrap();
    }

    #[test]
    fn the_innermost_mount_decides() {
        let mounts = "1 0 8:1 / / rw - ext4 /dev/a rw\n\
             2 1 0:5 / /mnt/my\\040nas rw shared:7 - nfs4 nas:/x rw\n\
             3 2 8:2 / /mnt/my\\040nas/disk rw - xfs /dev/b rw\n";
        let kind = |path: &str| file_system_in(mounts, Path::new(path)).unwrap();
        assert_eq!(kind("/home"), "ext4");
        assert_eq!(kind("/mnt/my nas/purser"), "nfs4");
        assert_eq!(kind("/mnt/my nas/disk/purser"), "xfs");
        assert_eq!(kind("/mnt/my nasty"), "ext4");
        assert!(is_network("nfs4") && !is_network("xfs"));
    }

    #[test]
    fn a_network_file_system_is_refused_in_one_line() {
        let directory = tempfile::tempdir().unwrap();
        let mounts = |kind| format!("1 0 8:1 / / rw - {kind} /dev/a rw\n");
        require_local_in(&mounts("ext4"), directory.path()).unwrap();
        require_local_in("", directory.path()).unwrap();
        let refusal = require_local_in(&mounts("cifs"), directory.path()).unwrap_err().to_string();
        assert!(refusal.contains("is on a network file system (cifs)"), "{refusal}");
        assert_eq!(refusal.lines().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn the_lock_s_file_is_its_owner_s() {
        use std::os::unix::fs::PermissionsExt as _;
        let directory = tempfile::tempdir().unwrap();
        let _lock = DataDirLock::acquire(directory.path()).unwrap();
        let mode = directory.path().join(LOCK_FILE).metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
