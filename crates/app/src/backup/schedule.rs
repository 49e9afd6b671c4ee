//! Backups that the server makes by itself, into a folder that the operator names.
//!
//! The folder is all that is remembered: a backup has its time in its name, and the next one is due
//! when the newest is old enough. So a folder that was emptied gets a backup at once, and nodes
//! that share a folder take turns. Only files with such a name are counted, and removed when there
//! are more than are to be kept.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Zoned};
use purser_core::error::Result;
use purser_store::files::{io_failed, sync_directory};

use super::new_file::{PARTIAL, remove_partial};
use super::{Created, create_alone};
use crate::App;
use crate::blocking::blocking;
use crate::limits::{BACKUP_LOOK_INTERVAL, BACKUP_REST_AFTER_ERROR};
use crate::metric_names::{BACKUP_AGE_SECONDS, BACKUPS};
use crate::settings::Backups;

const PREFIX: &str = "purser-";
const SUFFIX: &str = ".tar.gz";
/// The time in a name: in UTC, and without the colons that not every file system takes.
const TIME: &str = "%Y-%m-%dT%H-%M-%SZ";

/// Makes backups until the server stops. Does nothing if no folder is named.
pub async fn run(app: App, settings: Backups) {
    let Some(folder) = settings.folder else { return };
    let schedule = Schedule { folder, every: settings.every, keep: settings.keep };
    let mut interval = tokio::time::interval(BACKUP_LOOK_INTERVAL);
    let mut stopping = app.stopping.clone();
    let mut rests_until = None;
    loop {
        tokio::select! {
            _ = interval.tick() => {}
            _ = stopping.changed() => return,
        }
        let now = app.store.now();
        if rests_until.is_some_and(|until| now < until) {
            continue;
        }
        let (one, backups) = (app.clone(), schedule.clone());
        let looked = blocking(move || backups.look(&one)).await;
        rests_until = match looked {
            Ok(()) => None,
            Err(error) => {
                tracing::error!(
                    folder = %schedule.folder.display(),
                    cause = ?error,
                    "the backup failed: {error}"
                );
                metrics::counter!(BACKUPS, "result" => "failed").increment(1);
                Some(now.saturating_add(BACKUP_REST_AFTER_ERROR.min(schedule.every)).unwrap_or(now))
            }
        };
        schedule.report_age(app.store.now());
    }
}

#[derive(Debug, Clone)]
struct Schedule {
    folder: PathBuf,
    every: SignedDuration,
    keep: usize,
}

impl Schedule {
    /// Makes a backup, if it is time to.
    fn look(&self, app: &App) -> Result<()> {
        let now = app.store.now();
        let newest = self.backups()?.into_iter().map(|(at, _)| at).max();
        // One of the future is of a clock that was ahead.
        if newest.is_some_and(|newest| newest <= now && now.duration_since(newest) < self.every) {
            return Ok(());
        }
        if !self.remove_partials()? {
            return Ok(());
        }
        let path = self.folder.join(name(now));
        let created = match create_alone(&app.store, &app.files, &path, true) {
            Ok(Some(created)) => created,
            Ok(None) => return Ok(()),
            // Another node has begun in the same second.
            Err(error) if ["backup_in_use", "file_exists"].contains(&error.code()) => return Ok(()),
            Err(error) => return Err(error),
        };
        metrics::counter!(BACKUPS, "result" => "done").increment(1);
        let Created { rows, files, bytes, .. } = created;
        tracing::info!(file = %path.display(), rows, files, bytes, "made a backup");
        for (what, files) in
            [("missing", created.missing_files), ("altered", created.altered_files)]
        {
            if let Some(first) = files.first() {
                let count = files.len();
                tracing::warn!(what, count, first = %first.id, "uploaded files aren't as stored");
            }
        }
        self.remove_old()
    }

    /// Removes what servers left that died while they made a backup. False if one makes one at the
    /// moment.
    fn remove_partials(&self) -> Result<bool> {
        for path in self.files()? {
            let whole = path.to_str().and_then(|path| path.strip_suffix(PARTIAL));
            let is_ours = whole.is_some_and(|whole| time_of(Path::new(whole)).is_some());
            if is_ours && !remove_partial(&path)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Removes the oldest, but for as many as are to be kept.
    fn remove_old(&self) -> Result<()> {
        let mut backups = self.backups()?;
        backups.sort();
        let surplus = backups.len().saturating_sub(self.keep);
        for (_, path) in &backups[..surplus] {
            fs::remove_file(path).map_err(io_failed)?;
            tracing::info!(file = %path.display(), "removed an old backup");
        }
        if surplus > 0 { sync_directory(&self.folder) } else { Ok(()) }
    }

    /// The backups in the folder, with their times.
    fn backups(&self) -> Result<Vec<(Timestamp, PathBuf)>> {
        let files = self.files()?.into_iter();
        Ok(files.filter_map(|path| Some((time_of(&path)?, path))).collect())
    }

    fn files(&self) -> Result<Vec<PathBuf>> {
        let entries = fs::read_dir(&self.folder).map_err(io_failed)?;
        entries.map(|entry| entry.map(|entry| entry.path()).map_err(io_failed)).collect()
    }

    /// Shows how old the newest backup is; nothing while there is none.
    fn report_age(&self, now: Timestamp) {
        let newest = self.backups().unwrap_or_default().into_iter().map(|(at, _)| at).max();
        if let Some(newest) = newest {
            let age = Duration::try_from(now.duration_since(newest)).unwrap_or_default();
            metrics::gauge!(BACKUP_AGE_SECONDS).set(age);
        }
    }
}

fn name(at: Timestamp) -> String {
    format!("{PREFIX}{}{SUFFIX}", at.strftime(TIME))
}

/// The time in a name that [`name`] made.
fn time_of(path: &Path) -> Option<Timestamp> {
    let file = path.file_name()?.to_str()?;
    let text = file.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
    let civil = jiff::civil::DateTime::strptime(TIME, text).ok()?;
    let at = Zoned::timestamp(&civil.to_zoned(TimeZone::UTC).ok()?);
    (name(at) == file).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backup::new_file::NewFile;

    #[test]
    fn names_have_their_time_and_others_are_left_alone() {
        let at: Timestamp = "2026-02-03T04:05:06Z".parse().unwrap();
        assert_eq!(name(at), "purser-2026-02-03T04-05-06Z.tar.gz");
        assert_eq!(time_of(Path::new("/b/purser-2026-02-03T04-05-06Z.tar.gz")), Some(at));
        for other in [
            "purser-2026-02-03T04-05-06Z.tar.gz.partial",
            "purser-2026-2-3T04-05-06Z.tar.gz",
            "purser-2026-02-30T04-05-06Z.tar.gz",
            "purser-before-the-move.tar.gz",
            "notes.txt",
        ] {
            assert_eq!(time_of(Path::new(other)), None, "{other}");
        }
    }

    #[test]
    fn what_a_server_left_that_died_goes_unless_another_one_makes_a_backup() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let every = SignedDuration::from_hours(24);
        let schedule = Schedule { folder: folder.path().to_owned(), every, keep: 2 };
        let left = path("purser-2026-01-03T00-00-00Z.tar.gz.partial");
        let other = path("mine.tar.gz.partial");
        for file in [&left, &other] {
            fs::write(file, "half").unwrap();
        }
        assert!(schedule.remove_partials().unwrap());
        assert!(!left.exists() && other.exists());
        let new = NewFile::begin(&path("purser-2026-01-04T00-00-00Z.tar.gz")).unwrap();
        assert!(!schedule.remove_partials().unwrap());
        drop(new);
        assert!(schedule.remove_partials().unwrap());
    }

    #[test]
    fn the_oldest_go_and_only_backups_count() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str| fs::write(folder.path().join(name), "x").unwrap();
        for day in ["03", "01", "02", "04"] {
            put(&format!("purser-2026-01-{day}T00-00-00Z.tar.gz"));
        }
        put("purser-mine.tar.gz");
        let every = SignedDuration::from_hours(24);
        let schedule = Schedule { folder: folder.path().to_owned(), every, keep: 2 };
        schedule.remove_old().unwrap();
        let mut left: Vec<String> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        assert_eq!(
            left,
            [
                "purser-2026-01-03T00-00-00Z.tar.gz",
                "purser-2026-01-04T00-00-00Z.tar.gz",
                "purser-mine.tar.gz"
            ]
        );
    }
}
