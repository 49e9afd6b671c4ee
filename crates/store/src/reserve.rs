//! A little of the disk that is set aside for the next start.
//!
//! SQLite needs 32 KiB for the index of its log before anything can be read. On a disk without a
//! free byte a server gives its reserve back and starts all the same.

use std::fs;
use std::io::Write as _;
use std::path::Path;

const RESERVE_FILE: &str = "purser.reserve";
const RESERVE_BYTES: usize = 128 * 1024;

/// Sets the reserve aside unless that was done. Without room there is none.
pub fn set_aside(directory: &Path) {
    let path = directory.join(RESERVE_FILE);
    if path.exists() {
        return;
    }
    let made = fs::File::create(&path).and_then(|mut file| {
        // Not only a length: the blocks must be there.
        file.write_all(&vec![0xFF; RESERVE_BYTES])?;
        file.sync_all()
    });
    if let Err(error) = made {
        tracing::warn!(%error, "nothing is set aside for a start on a full disk");
        // Half of it would look like all of it.
        let _ = fs::remove_file(path);
    }
}

/// Gives the reserve back to the disk. False if there is none.
pub fn give_back(directory: &Path) -> bool {
    fs::remove_file(directory.join(RESERVE_FILE)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reserve_is_made_once_and_given_back_once() {
        let directory = tempfile::tempdir().unwrap();
        assert!(!give_back(directory.path()));
        set_aside(directory.path());
        set_aside(directory.path());
        let file = fs::metadata(directory.path().join(RESERVE_FILE)).unwrap();
        assert_eq!(file.len(), RESERVE_BYTES as u64);
        assert!(give_back(directory.path()));
        assert!(!give_back(directory.path()));
        set_aside(&directory.path().join("missing"));
    }
}
