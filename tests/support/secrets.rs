//! Secrets of the simulated providers, which nothing that the program answers, logs, prints or
//! stores may ever have. Every test looks for them.

use std::fs;
use std::path::Path;
use std::thread;

use memchr::memmem;
use purser_bank_simulator::{API_KEY, SIMPLEFIN_PASSWORD};

/// The password as it stands in an address.
const PASSWORD_IN_ADDRESSES: &str = "p%40ss%3Aword";

/// Fails if a secret of a simulated provider is there.
#[track_caller]
pub(super) fn require_none(place: &str, bytes: &[u8]) {
    for secret in [API_KEY, SIMPLEFIN_PASSWORD, PASSWORD_IN_ADDRESSES] {
        let is_there = memmem::find(bytes, secret.as_bytes()).is_some();
        // One panic while another one goes on would hide the first.
        assert!(!is_there || thread::panicking(), "{place} has the secret {secret:?}");
    }
}

/// The same for all files below a folder.
#[track_caller]
pub(super) fn require_none_in_files(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            require_none_in_files(&path);
        } else if path.is_file() {
            // Other processes may still remove files.
            require_none(&path.display().to_string(), &fs::read(&path).unwrap_or_default());
        }
    }
}
