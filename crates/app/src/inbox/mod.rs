//! A folder of which the server imports every file (`docs/inbox.md`).
//!
//! A look lists the folder. A file that nobody has written to for a while is stored as an upload
//! and published if nothing about it is open; else it waits as an import that a person looks at.
//! Then it is moved out of the way, after the commit that stored it.

mod decision;
mod folder;
mod quiet;
mod taking;
mod watched;
mod written_on;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use purser_core::error::{Error, Result};
use purser_store::families::{self, Family};
use purser_store::system::{Clock as _, SystemClock};

use self::folder::{Dropped, Folder, Moved};
use self::quiet::{Quiet, Rested};
use self::watched::Watched;
use crate::blocking::blocking;
use crate::limits::{INBOX_LOOK_INTERVAL, INBOX_REST_AFTER_ERROR};
use crate::metric_names::INBOX_FILES;
use crate::settings::Inbox;
use crate::{App, naming};

/// What is added to the reason of a file that waits.
const WRITTEN_ON: &str = "It was written on after it was read, so that the import that waits may \
                          have only a part of it: remove that import, and put the file back into \
                          the inbox to have it read anew.";

/// Imports what is dropped into the folder until the server stops. Does nothing if none is named.
pub async fn run(app: App, settings: Inbox) {
    let Some(folder) = settings.folder.clone() else { return };
    let mut look = Look {
        folder: Folder::new(folder),
        quiet: Quiet::new(settings.quiet),
        settings,
        failing: BTreeMap::new(),
        failed: None,
        written_on: BTreeSet::new(),
        watched: None,
    };
    let mut interval = tokio::time::interval(INBOX_LOOK_INTERVAL);
    let mut stopping = app.stopping.clone();
    loop {
        tokio::select! {
            _ = interval.tick() => {}
            _ = stopping.changed() => return,
        }
        let result = look.look(&app).await;
        look.note(result);
    }
}

/// What is remembered from one look to the next.
struct Look {
    folder: Folder,
    quiet: Quiet,
    settings: Inbox,
    /// Files that couldn't be taken, and until when each of them rests. Each is reported once.
    failing: BTreeMap<PathBuf, Instant>,
    /// Why the latest look failed, which is reported once.
    failed: Option<String>,
    /// Files that were changed while they were imported, so that they are still there.
    written_on: BTreeSet<PathBuf>,
    /// Files that were moved a short time ago, once the folder could be read.
    watched: Option<Arc<Mutex<Watched>>>,
}

impl Look {
    async fn look(&mut self, app: &App) -> Result<()> {
        let (folder, now) = (self.folder.clone(), Instant::now());
        let mut listed = blocking(move || folder.files()).await?;
        if self.watched.is_none() {
            let folder = self.folder.clone();
            let watched = blocking(move || Watched::load(&folder, SystemClock.now(), now)).await?;
            self.watched = Some(Arc::new(Mutex::new(watched)));
        }
        self.written_on.retain(|path| listed.iter().any(|file| file.path == *path));
        for file in &mut listed {
            file.was_imported = self.written_on.contains(&file.path);
        }
        listed.extend(self.changed(now).await?);
        self.failing.retain(|path, _| listed.iter().any(|file| file.path == *path));
        let mut rested = self.quiet.of(listed, now);
        rested.retain(|one| self.failing.get(&one.file.path).is_none_or(|until| *until <= now));
        let is_due = |one: &Rested| one.is_long || one.file.ends_a_line();
        let due: Vec<Dropped> = match rested.is_empty() {
            true => return Ok(()),
            false => {
                blocking(move || {
                    Ok(rested.into_iter().filter(is_due).map(|one| one.file).collect())
                })
                .await?
            }
        };
        if due.is_empty() {
            return Ok(());
        }
        let choice = self.settings.family.clone();
        let Some(family) = app.store.read_directory(move |tx| chosen(tx, choice)).await? else {
            // The first page makes the family.
            return Ok(());
        };
        // Nodes that share the folder take turns.
        let folder = self.folder.clone();
        let Some(_lock) = blocking(move || folder.lock()).await? else { return Ok(()) };
        for file in due {
            if *app.stopping.borrow() {
                return Ok(());
            }
            let path = file.path.clone();
            match self.take(app, &family, file).await {
                Ok(()) => _ = self.failing.remove(&path),
                Err(error) => self.report(path, &error),
            }
        }
        Ok(())
    }

    /// Files that were imported and that somebody has written to since, where they are now. They
    /// are taken anew, for a person to look at. What waits is a person's, who may be at work on it.
    async fn changed(&mut self, now: Instant) -> Result<Vec<Dropped>> {
        let moved = self.watched(|watched| watched.at(now)).unwrap_or_default();
        if moved.is_empty() {
            return Ok(Vec::new());
        }
        let (imported, waiting) = blocking(move || {
            let (mut imported, mut waiting) = (Vec::new(), Vec::new());
            for one in moved {
                let Some(changed) = one.changed() else { continue };
                if !one.has_reason {
                    imported.push(changed);
                    continue;
                }
                let file = one.file.name.as_str();
                tracing::warn!(file, "a file of the inbox that waits was written on");
                if let Err(error) = one.add_to_reason(WRITTEN_ON) {
                    tracing::error!(file, cause = ?error, "its reason can't be written: {error}");
                }
                waiting.push(one.place);
            }
            Ok((imported, waiting))
        })
        .await?;
        self.watched(|watched| watched.forget(&waiting));
        Ok(imported)
    }

    async fn take(&mut self, app: &App, family: &Family, file: Dropped) -> Result<()> {
        // Another node may have taken it, or somebody has taken it back.
        if !file.is_unchanged() {
            return Ok(());
        }
        let outcome = taking::take(app, family, &file).await?;
        let path = file.path.clone();
        if outcome.reason().is_none()
            && let Some(its) = self.watched(|watched| watched.of(&path)).flatten()
        {
            // Only its time has changed.
            return self.watch(Moved { file, ..its }).await;
        }
        let (folder, name) = (self.folder.clone(), file.name.clone());
        let reason = outcome.reason().map(str::to_owned);
        let dropped = file.clone();
        let watched = self.watched.clone();
        let place = blocking(move || {
            folder.put_away(&dropped, reason.as_deref(), |moved| announce(&watched, moved))
        });
        let place = place.await?;
        let Some(place) = place else {
            tracing::warn!(file = name, "a file of the inbox was changed while it was read");
            if outcome.reason().is_none() {
                self.written_on.insert(path);
            }
            return Ok(());
        };
        self.written_on.remove(&path);
        self.watched(|watched| watched.forget(&[path]));
        let (place, import) = (place.display(), outcome.import());
        count(if outcome.reason().is_some() { "waits" } else { "imported" });
        match outcome.reason() {
            None => tracing::info!(file = name, %place, ?import, "imported a file of the inbox"),
            Some(reason) => {
                tracing::warn!(file = name, %place, ?import, reason, "a file of the inbox waits");
            }
        }
        Ok(())
    }

    /// Asks or changes what is watched.
    fn watched<T>(&self, ask: impl FnOnce(&mut Watched) -> T) -> Option<T> {
        let watched = self.watched.as_ref()?;
        Some(ask(&mut watched.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    async fn watch(&self, moved: Moved) -> Result<()> {
        let watched = self.watched.clone();
        blocking(move || {
            announce(&watched, moved);
            Ok(())
        })
        .await
    }

    /// Writes an error to the log when it is new.
    fn report(&mut self, path: PathBuf, error: &Error) {
        let file = path.display();
        if !self.failing.contains_key(&path) {
            tracing::error!(%file, cause = ?error, "a file of the inbox can't be taken: {error}");
            count("failed");
        }
        self.failing.insert(path, Instant::now() + INBOX_REST_AFTER_ERROR);
    }

    fn note(&mut self, result: Result<()>) {
        let failed = result.err().map(|error| error.to_string());
        if let Some(error) = failed.as_ref().filter(|error| self.failed.as_ref() != Some(error)) {
            let folder = self.settings.folder.as_deref().unwrap_or(std::path::Path::new(""));
            tracing::error!(folder = %folder.display(), "the inbox can't be looked at: {error}");
        }
        self.failed = failed;
    }
}

/// Begins to watch a file.
fn announce(watched: &Option<Arc<Mutex<Watched>>>, moved: Moved) {
    let Some(watched) = watched else { return };
    watched.lock().unwrap_or_else(PoisonError::into_inner).add(moved, SystemClock.now());
}

fn count(result: &'static str) {
    metrics::counter!(INBOX_FILES, "result" => result).increment(1);
}

/// The family that the files are for; `None` while there is none.
fn chosen(tx: &mut purser_store::Tx<'_>, choice: Option<String>) -> Result<Option<Family>> {
    if let Some(text) = choice {
        return naming::family(tx, &text).map(Some);
    }
    let mut families = families::list(tx)?;
    if families.len() > 1 {
        let message = "There are several families: PURSER_INBOX_FAMILY names one".to_owned();
        return Err(Error::Conflict { code: naming::AMBIGUOUS_NAME, message });
    }
    Ok(families.pop())
}
