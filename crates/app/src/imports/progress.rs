//! The progress of running publishes and undos, in this process.
//!
//! The job reports to its [`Running`] how many rows are done, and requests to this process read the
//! number from memory. Other processes read it from the database, where [`Running::note`] writes it
//! every second, beside the job's own transaction. On SQLite that write has to wait for the job
//! like any other, and so comes between the parts of a large publish.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use purser_core::error::Result;
use purser_core::ids::ImportId;
use purser_core::import::status::ImportStatus;
use purser_store::audit::Actor;
use purser_store::imports::{Import, Progress};
use purser_store::jobs::{self, ClaimedJob};
use purser_store::{Access, FamilyTx, Store, imports};

use super::publish_job::Publish;
use super::revert_job::Revert;
use crate::jobs::job::Job as _;

/// The jobs of this process that work on an import.
#[derive(Debug, Default)]
pub struct Registry(Mutex<HashMap<ImportId, Arc<AtomicU64>>>);

/// A job that works on an import; it is known to the registry as long as this value lives.
#[derive(Debug)]
pub struct Running<'a> {
    registry: &'a Registry,
    access: Access,
    import: ImportId,
    rows: Arc<AtomicU64>,
    /// What stands in the database.
    noted: Option<u64>,
}

/// How far a publish or an undo is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// Where the import stands.
    pub status: ImportStatus,
    /// Rows that are done. Starts again from 0 if the job does.
    pub rows_done: u64,
    /// Rows of the file; while the import is undone, the transactions that it created.
    pub rows_total: u64,
}

impl Registry {
    /// A job that is about to run, on this import.
    pub fn begin(&self, job: &ClaimedJob, import: ImportId) -> Running<'_> {
        let rows = Arc::new(AtomicU64::new(0));
        self.lock().insert(import, rows.clone());
        // The status that led here set the number to 0; a try that failed may have left another.
        let noted = (job.token <= 1).then_some(0);
        let access = job.access(Actor::System);
        Running { registry: self, access, import, rows, noted }
    }

    /// How many rows are done, if this process works on the import.
    pub fn rows_done(&self, import: ImportId) -> Option<u64> {
        self.lock().get(&import).map(|rows| rows.load(Ordering::Relaxed))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<ImportId, Arc<AtomicU64>>> {
        // A map is whole after every call on it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Running<'_> {
    /// A function that the job calls with the number of rows that are done.
    pub fn reporter(&self) -> impl Fn(u64) + Send + Sync + use<> {
        let rows = self.rows.clone();
        move |done| rows.store(done, Ordering::Relaxed)
    }

    /// What is to be written for other processes, if it isn't there yet.
    fn news(&mut self) -> Option<impl FnMut(&mut FamilyTx<'_>) -> Result<()> + use<>> {
        let rows = self.rows.load(Ordering::Relaxed);
        if self.noted.replace(rows) == Some(rows) {
            return None;
        }
        let import = self.import;
        Some(move |tx: &mut FamilyTx<'_>| imports::note_progress(tx, import, rows))
    }

    /// Reports to other processes, through the database.
    pub async fn note(&mut self, store: &Store) {
        if let Some(news) = self.news() {
            log(store.write_aside(self.access.clone(), news).await);
        }
    }

    /// As [`Running::note`], for threads that may block.
    pub fn note_blocking(&mut self, store: &Store) {
        if let Some(news) = self.news() {
            log(store.write_aside_blocking(self.access.clone(), news));
        }
    }
}

fn log(noted: Result<()>) {
    if let Err(error) = noted {
        tracing::warn!(cause = ?error, "the progress can't be noted");
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let mut running = self.registry.lock();
        // A later try of the same job may stand there by now.
        if running.get(&self.import).is_some_and(|rows| Arc::ptr_eq(rows, &self.rows)) {
            running.remove(&self.import);
        }
    }
}

/// Why the publish or the undo of an import waits for its next try, in one sentence for people.
/// `None` if it doesn't wait.
pub fn waits_for(tx: &mut FamilyTx<'_>, import: &Import) -> Result<Option<&'static str>> {
    let import_id = import.id;
    let key = match import.status {
        ImportStatus::Importing => Publish { import_id }.dedupe_key(),
        ImportStatus::Reverting => Revert { import_id }.dedupe_key(),
        _ => None,
    };
    key.map_or(Ok(None), |key| jobs::waiting(tx, &key))
}

impl State {
    /// The progress in the database, or that of the job itself if it runs here.
    pub fn new(stored: Progress, here: Option<u64>) -> Self {
        let Progress { status, rows_done, rows, created } = stored;
        let done = here.unwrap_or(rows_done);
        let (rows_done, rows_total) = match status {
            ImportStatus::Importing => (done.min(rows), rows),
            ImportStatus::Reverting => (done.min(created), created),
            ImportStatus::Complete => (rows, rows),
            ImportStatus::Pending | ImportStatus::Failed => (0, rows),
            ImportStatus::RevertFailed => (0, created),
        };
        Self { status, rows_done, rows_total }
    }
}

#[cfg(test)]
mod tests {
    use purser_core::ids::JobId;
    use purser_store::FamilyId;
    use serde_json::json;
    use uuid::Uuid;

    use super::*;
    use crate::testing::TestStore;

    const IMPORT: ImportId = ImportId(Uuid::from_u128(7));

    fn job(family: FamilyId, token: i64) -> ClaimedJob {
        ClaimedJob {
            id: JobId(Uuid::nil()),
            family,
            kind: "import.publish".to_owned(),
            payload: json!({}),
            token,
            attempts: 0,
            attempts_max: 5,
            deaths: 0,
        }
    }

    #[test]
    fn a_job_is_known_while_it_runs() {
        let (registry, family) =
            (Registry::default(), TestStore::new().family("admin@example.org"));
        let first = registry.begin(&job(family, 1), IMPORT);
        first.reporter()(12);
        assert_eq!(registry.rows_done(IMPORT), Some(12));
        let second = registry.begin(&job(family, 2), IMPORT);
        drop(first);
        assert_eq!(registry.rows_done(IMPORT), Some(0), "the second is still there");
        drop(second);
        assert_eq!(registry.rows_done(IMPORT), None);
    }

    #[test]
    fn only_news_is_noted() {
        let (registry, family) =
            (Registry::default(), TestStore::new().family("admin@example.org"));
        let mut running = registry.begin(&job(family, 1), IMPORT);
        assert!(running.news().is_none());
        running.reporter()(5);
        assert!(running.news().is_some());
        assert!(running.news().is_none());
        let mut again = registry.begin(&job(family, 2), IMPORT);
        assert!(again.news().is_some(), "what the first try left is overwritten");
    }

    #[test]
    fn the_state_follows_from_the_status() {
        let state = |status, here| {
            let stored = Progress { status, rows_done: 4, rows: 10, created: 8 };
            let state = State::new(stored, here);
            (state.rows_done, state.rows_total)
        };
        assert_eq!(state(ImportStatus::Importing, None), (4, 10));
        assert_eq!(state(ImportStatus::Importing, Some(11)), (10, 10));
        assert_eq!(state(ImportStatus::Reverting, Some(3)), (3, 8));
        assert_eq!(state(ImportStatus::Complete, None), (10, 10));
        assert_eq!(state(ImportStatus::Pending, None), (0, 10));
        assert_eq!(state(ImportStatus::RevertFailed, None), (0, 8));
    }
}
