//! Backups that the server makes by itself, into a folder that the operator names, or into the
//! bucket of uploaded files.
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
use purser_core::error::{Error, Result};
use purser_store::due::CLOCKS_APART;
use purser_store::files::{FileStore, io_failed, sync_directory};

use super::new_file::{PARTIAL, remove_partial};
use super::{Created, create_alone};
use crate::App;
use crate::blocking::blocking;
use crate::limits::{BACKUP_LOOK_INTERVAL, BACKUP_REST_AFTER_ERROR};
use crate::metric_names::{BACKUP_AGE_SECONDS, BACKUPS};
use crate::settings::{BackupPlace, Backups};

const PREFIX: &str = "purser-";
const SUFFIX: &str = ".tar.gz";
/// The time in a name: in UTC, and without the colons that not every file system takes.
const TIME: &str = "%Y-%m-%dT%H-%M-%SZ";

/// Refuses the bucket as the place of backups if uploaded files aren't in one.
pub fn require_place(settings: &Backups, files: &FileStore) -> Result<()> {
    if settings.place == Some(BackupPlace::Bucket) && !files.is_remote() {
        return Err(Error::Conflict {
            code: "no_bucket",
            message: "Backups can't go to a bucket: set PURSER_S3_BUCKET and what belongs to it."
                .to_owned(),
        });
    }
    Ok(())
}

/// Makes backups until the server stops. Does nothing if no place is named.
pub async fn run(app: App, settings: Backups) {
    let Some(place) = settings.place else { return };
    let folder = match place {
        BackupPlace::Folder(folder) => Some(folder),
        BackupPlace::Bucket => None,
    };
    let schedule =
        Schedule { folder, files: app.files.clone(), every: settings.every, keep: settings.keep };
    let mut interval = tokio::time::interval(BACKUP_LOOK_INTERVAL);
    let mut stopping = app.stopping.clone();
    let (mut rests_until, mut newest) = (None, None);
    loop {
        tokio::select! {
            _ = interval.tick() => {}
            _ = stopping.changed() => return,
        }
        let now = app.store.now();
        if rests_until.is_some_and(|until| now < until) {
            show_age(newest, now);
            continue;
        }
        let (one, backups) = (app.clone(), schedule.clone());
        let looked = blocking(move || backups.look(&one)).await;
        rests_until = match looked {
            Ok(()) => None,
            Err(error) => {
                tracing::error!(
                    folder = ?schedule.folder,
                    cause = ?error,
                    "the backup failed: {error}"
                );
                metrics::counter!(BACKUPS, "result" => "failed").increment(1);
                Some(now.saturating_add(BACKUP_REST_AFTER_ERROR.min(schedule.every)).unwrap_or(now))
            }
        };
        let (backups, now) = (schedule.clone(), app.store.now());
        let found = blocking(move || backups.newest(now)).await.ok().flatten();
        newest = newest_known(newest, found, now);
        show_age(newest, now);
    }
}

/// The time of the newest backup that is there or, where the place can't be read or is empty, that
/// was there: its age goes on growing. One that was made while the clock was ahead is from now at
/// the latest.
fn newest_known(
    known: Option<Timestamp>,
    found: Option<Timestamp>,
    now: Timestamp,
) -> Option<Timestamp> {
    found.or(known.map(|known| known.min(now)))
}

fn show_age(newest: Option<Timestamp>, now: Timestamp) {
    if let Some(newest) = newest {
        metrics::gauge!(BACKUP_AGE_SECONDS).set(age(newest, now));
    }
}

fn age(newest: Timestamp, now: Timestamp) -> Duration {
    Duration::try_from(now.duration_since(newest)).unwrap_or_default()
}

#[derive(Debug, Clone)]
struct Schedule {
    /// The folder that they go to, and not to the bucket.
    folder: Option<PathBuf>,
    files: FileStore,
    every: SignedDuration,
    keep: usize,
}

impl Schedule {
    /// Makes a backup, if it is time to.
    fn look(&self, app: &App) -> Result<()> {
        let now = app.store.now();
        let newest = self.newest(now)?;
        if newest.is_some_and(|newest| now.duration_since(newest) < self.every) {
            return Ok(());
        }
        if !self.remove_partials()? {
            return Ok(());
        }
        let name = name(now);
        let path = match &self.folder {
            Some(folder) => folder.join(&name),
            None => self.files.backup_path(&name),
        };
        let created = match create_alone(&app.store, &app.files, &path, true) {
            Ok(Some(created)) => created,
            Ok(None) => return Ok(()),
            // Another node has begun in the same second.
            Err(error) if ["backup_in_use", "file_exists"].contains(&error.code()) => return Ok(()),
            Err(error) => return Err(error),
        };
        if self.folder.is_none() {
            let sent = self.files.send_backup(&path, &name);
            fs::remove_file(&path).map_err(io_failed)?;
            sent?;
        }
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
        self.remove_old(now)
    }

    /// Removes what servers left that died while they made a backup. False if one makes one at the
    /// moment.
    fn remove_partials(&self) -> Result<bool> {
        let folder = self.folder.as_deref();
        for path in folder.map(files).transpose()?.unwrap_or_default() {
            let whole = path.to_str().and_then(|path| path.strip_suffix(PARTIAL));
            let is_ours = whole.is_some_and(|whole| time_of(Path::new(whole)).is_some());
            if is_ours && !remove_partial(&path)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Removes the oldest, but for as many as are to be kept. One of the future is a file of a
    /// person by now: neither does it take the place of another, nor is it removed.
    fn remove_old(&self, now: Timestamp) -> Result<()> {
        let mut backups = self.backups()?;
        backups.retain(|(at, _)| is_past(*at, now));
        backups.sort();
        let surplus = backups.len().saturating_sub(self.keep);
        for (_, name) in &backups[..surplus] {
            match &self.folder {
                Some(folder) => fs::remove_file(folder.join(name)).map_err(io_failed)?,
                None => self.files.remove_backup(name)?,
            }
            tracing::info!(file = %name, "removed an old backup");
        }
        match &self.folder {
            Some(folder) if surplus > 0 => sync_directory(folder),
            _ => Ok(()),
        }
    }

    /// The names of the backups that are there, with their times.
    fn backups(&self) -> Result<Vec<(Timestamp, String)>> {
        let names = match &self.folder {
            None => self.files.backups()?,
            Some(folder) => {
                let files = files(folder)?.into_iter();
                files.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect()
            }
        };
        Ok(names.into_iter().filter_map(|name| Some((time_of(Path::new(&name))?, name))).collect())
    }

    /// When the newest backup was made; nothing while there is none.
    fn newest(&self, now: Timestamp) -> Result<Option<Timestamp>> {
        let times = self.backups()?.into_iter().map(|(at, _)| at);
        Ok(times.filter(|at| is_past(*at, now)).max())
    }
}

/// Whether a time isn't one of the future, which a clock has made that was ahead: such a backup
/// shows nothing about the age of the others. Clocks of nodes may differ by a little.
fn is_past(at: Timestamp, now: Timestamp) -> bool {
    at.duration_since(now) <= CLOCKS_APART
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(io_failed)?;
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(io_failed)).collect()
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
    use purser_store::{Store, StoreOptions, Target};

    /// A schedule that keeps two backups in a folder, and the home of its files.
    fn schedule(folder: &Path) -> (tempfile::TempDir, Schedule) {
        let home = tempfile::tempdir().unwrap();
        let database = Target::Sqlite(home.path().join("purser.db"));
        let store = Store::open(StoreOptions::new(database)).unwrap();
        let files = FileStore::open(home.path(), &store).unwrap();
        let (folder, every) = (Some(folder.to_owned()), SignedDuration::from_hours(24));
        (home, Schedule { folder, files, every, keep: 2 })
    }

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
        let (_home, schedule) = schedule(folder.path());
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
    fn the_age_of_the_newest_grows_while_the_folder_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("backups");
        fs::create_dir(&place).unwrap();
        fs::write(place.join("purser-2026-01-03T00-00-00Z.tar.gz"), "x").unwrap();
        let (_home, schedule) = schedule(&place);
        let now: Timestamp = "2026-02-01T00:00:00Z".parse().unwrap();
        let found = || schedule.newest(now);
        let newest = newest_known(None, found().unwrap(), now).unwrap();
        fs::remove_dir_all(&place).unwrap();
        assert!(found().is_err());
        let later = newest_known(Some(newest), found().ok().flatten(), now).unwrap();
        assert_eq!(age(later, newest + SignedDuration::from_hours(9)), Duration::from_hours(9));
        fs::create_dir(&place).unwrap();
        assert_eq!(newest_known(Some(newest), found().unwrap(), now), Some(newest));
        // It was made while the clock was ahead.
        let ahead = now + SignedDuration::from_hours(1_000);
        assert_eq!(newest_known(Some(ahead), found().unwrap(), now), Some(now));
        fs::write(place.join("purser-2026-01-04T00-00-00Z.tar.gz"), "x").unwrap();
        assert!(newest_known(Some(newest), found().unwrap(), now) > Some(newest));
    }

    #[test]
    fn the_oldest_go_and_only_backups_count() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str| fs::write(folder.path().join(name), "x").unwrap();
        for day in ["03", "01", "02", "04"] {
            put(&format!("purser-2026-01-{day}T00-00-00Z.tar.gz"));
        }
        put("purser-mine.tar.gz");
        let (_home, schedule) = schedule(folder.path());
        // A clock was ahead: this one is in nobody's way.
        put("purser-2036-01-01T00-00-00Z.tar.gz");
        let now: Timestamp = "2026-01-04T12:00:00Z".parse().unwrap();
        schedule.remove_old(now).unwrap();
        let newest = schedule.newest(now).unwrap().unwrap();
        assert_eq!(name(newest), "purser-2026-01-04T00-00-00Z.tar.gz");
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
                "purser-2036-01-01T00-00-00Z.tar.gz",
                "purser-mine.tar.gz"
            ]
        );
    }
}
