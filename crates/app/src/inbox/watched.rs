//! Files that were moved a short time ago: a writer that has stopped for long may go on.
//!
//! They are in a hidden file of the folder, too, a line for each, so that a process that starts
//! watches what the one before has moved. Whichever node begins adds its lines, and of a place the
//! last line counts.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use purser_core::error::{Error, Result};
use purser_store::files::io_failed;
use serde::{Deserialize, Serialize};

use super::folder::{Folder, Moved, OWNER_ONLY};
use crate::limits::{INBOX_FILES_MAX, INBOX_WATCH};

const NAME: &str = ".purser.moved";

/// What is watched, and until when.
#[derive(Debug)]
pub(super) struct Watched {
    list: PathBuf,
    moved: VecDeque<(Instant, Moved)>,
}

/// A line of the list.
#[derive(Serialize, Deserialize)]
struct Line {
    at: Timestamp,
    moved: Moved,
}

impl Watched {
    /// What an earlier process has left in the folder. A line that can't be read is left out: the
    /// process may have ended while it wrote it.
    pub(super) fn load(folder: &Folder, at: Timestamp, now: Instant) -> Result<Self> {
        let list = folder.path(NAME);
        let mut watched = Self { list, moved: VecDeque::new() };
        let content = match fs::read(&watched.list) {
            Ok(content) => content,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(watched),
            Err(error) => return Err(io_failed(error)),
        };
        let lines = content.split(|byte| *byte == b'\n');
        for line in lines.filter_map(|line| serde_json::from_slice::<Line>(line).ok()) {
            let passed = Duration::try_from(at.duration_since(line.at)).unwrap_or_default();
            if let Some(left) = INBOX_WATCH.checked_sub(passed) {
                watched.put(line.moved, now + left);
            }
        }
        watched.write(at, now)?;
        Ok(watched)
    }

    /// Those that are watched at a moment.
    pub(super) fn at(&mut self, now: Instant) -> Vec<Moved> {
        self.moved.retain(|(until, _)| *until > now);
        self.moved.iter().map(|(_, moved)| moved.clone()).collect()
    }

    /// The file that was moved to a place.
    pub(super) fn of(&self, place: &Path) -> Option<Moved> {
        self.moved.iter().map(|(_, moved)| moved).find(|moved| moved.place == place).cloned()
    }

    /// Begins to watch a file that is about to be moved, or that was looked at again. If it can't
    /// be noted in the list, it is moved nevertheless, and watched by this process alone.
    pub(super) fn add(&mut self, moved: Moved, at: Timestamp) {
        let noted = line(&Line { at, moved: moved.clone() }).and_then(|line| self.note(&line));
        if let Err(error) = noted {
            tracing::warn!(cause = ?error, "a file of the inbox isn't watched after a restart");
        }
        self.put(moved, Instant::now() + INBOX_WATCH);
    }

    fn note(&self, line: &str) -> Result<()> {
        let mut options = File::options();
        let file = options.append(true).create(true).mode(OWNER_ONLY).open(&self.list);
        let mut file = file.map_err(io_failed)?;
        file.write_all(line.as_bytes()).map_err(io_failed)?;
        file.sync_data().map_err(io_failed)
    }

    /// Watches the files at these places no longer.
    pub(super) fn forget(&mut self, places: &[PathBuf]) {
        self.moved.retain(|(_, moved)| !places.contains(&moved.place));
    }

    fn put(&mut self, moved: Moved, until: Instant) {
        self.moved.retain(|(_, other)| other.place != moved.place);
        if self.moved.len() >= INBOX_FILES_MAX {
            self.moved.pop_front();
        }
        self.moved.push_back((until, moved));
    }

    /// Writes the list anew without what isn't watched any more.
    fn write(&self, at: Timestamp, now: Instant) -> Result<()> {
        let mut text = String::new();
        for (until, moved) in &self.moved {
            let passed = INBOX_WATCH.saturating_sub(until.saturating_duration_since(now));
            let at = at.checked_sub(passed).unwrap_or(at);
            text.push_str(&line(&Line { at, moved: moved.clone() })?);
        }
        let new = self.list.with_extension("moved.new");
        let mut options = File::options();
        options.write(true).create(true).truncate(true).mode(OWNER_ONLY);
        let mut file = options.open(&new).map_err(io_failed)?;
        file.write_all(text.as_bytes()).map_err(io_failed)?;
        file.sync_data().map_err(io_failed)?;
        fs::rename(new, &self.list).map_err(io_failed)
    }
}

fn line(line: &Line) -> Result<String> {
    Ok(serde_json::to_string(line).map_err(Error::internal)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_ends_within_a_letter_is_read_as_far_as_it_goes() {
        let directory = tempfile::tempdir().unwrap();
        let folder = Folder::new(directory.path().to_owned());
        fs::write(directory.path().join(NAME), b"{\"at\":\"\xc3").unwrap();
        let mut watched = Watched::load(&folder, Timestamp::UNIX_EPOCH, Instant::now()).unwrap();
        assert!(watched.at(Instant::now()).is_empty());
    }
}
