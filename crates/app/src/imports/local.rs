//! The pipeline without HTTP: for the command line and the demo data.

use std::io::Read;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use purser_core::error::{Error, Result};
use purser_core::ids::{FileId, ImportId};
use purser_core::import::import_type::ImportType;
use purser_core::text::size::size;
use purser_formats::decode::HEAD_BYTES;
use purser_store::files::FileStore;
use purser_store::imports::{self, Import};
use purser_store::jobs::{self, ClaimedJob};
use purser_store::{Access, Store};

use super::progress::{Registry, Running};
use super::publish::{self, PublishOrigin, Queued};
use super::reading::InterpretationContext;
use super::request::Request;
use super::size::bytes_max;
use super::stored::Stored;
use super::upload::{Retry, Upload, Uploaded};
use crate::jobs::execution::execute;
use crate::jobs::job::Work;
use crate::jobs::kinds::import_of;
use crate::limits::{
    JOB_LEASE, JOB_LEASE_RENEWAL, LOCAL_POLL_INTERVAL, PROGRESS_INTERVAL, UPLOAD_BUFFER_BYTES,
};

/// A claim takes the job that is due longest, whosesoever it is: on a busy cluster others' work
/// must not keep a command from ending.
const FOLLOW_UPS_MAX: u32 = 4;

/// Where files are imported to.
pub struct Local<'a> {
    /// The database, which is open.
    pub store: &'a Store,
    /// The store of uploaded files.
    pub files: &'a FileStore,
    /// The family that the data becomes part of, and who acts.
    pub access: Access,
}

impl Local<'_> {
    /// Copies a file into the data directory and reads it. Nothing is in the database yet.
    pub fn read(
        &self,
        request: Request,
        source: &mut impl Read,
        name: Option<String>,
        csv_bytes_max: u64,
    ) -> Result<Upload> {
        let account = request.account;
        let context = self.store.read_blocking(self.access.clone(), |tx| {
            InterpretationContext::of_upload(tx, account)
        })?;
        let content =
            self.copy(source, request.import_type, csv_bytes_max)?.map(|stored| (stored, name));
        Upload::read(request, content, &context, self.store, self.files)
    }

    /// Copies a file into the data directory, if it is no larger than one of its type may be;
    /// `None` if it is blank.
    pub(crate) fn copy(
        &self,
        source: &mut impl Read,
        import_type: ImportType,
        csv_bytes_max: u64,
    ) -> Result<Option<Stored>> {
        let mut target = self.files.begin()?;
        let mut buffer = vec![0; UPLOAD_BUFFER_BYTES];
        let mut blank = true;
        let (mut head, mut most) = (Vec::new(), csv_bytes_max);
        loop {
            let read = source.read(&mut buffer).map_err(Error::internal)?;
            let Some(part) = buffer.get(..read).filter(|part| !part.is_empty()) else { break };
            blank = blank && part.iter().all(u8::is_ascii_whitespace);
            target.write(part)?;
            let missing = HEAD_BYTES.saturating_sub(head.len()).min(part.len());
            if missing > 0 {
                head.extend_from_slice(&part[..missing]);
                most = bytes_max(&head, Some(import_type), true, csv_bytes_max);
            }
            if target.bytes() > most {
                return Err(Error::invalid_code(
                    "file_too_large",
                    format!("The file is larger than {}", size(most)),
                ));
            }
        }
        if blank {
            return Ok(None);
        }
        let id = FileId(self.store.new_id()?);
        Stored::finish(target, self.files, self.access.family(), id).map(Some)
    }

    /// Makes the first commit.
    pub fn store(&self, upload: &Upload) -> Result<Uploaded> {
        self.store.write_blocking(self.access.clone(), |tx| upload.store(tx, Retry::default()))
    }

    /// Makes the second commit.
    pub fn queue(&self, id: ImportId) -> Result<Queued> {
        self.store
            .write_blocking(self.access.clone(), |tx| publish::queue(tx, id, PublishOrigin::Upload))
    }

    /// Runs jobs in this process until the import and what it set off have ended, or waits for the
    /// server that runs on the same data, whichever there is at the moment.
    pub fn run(
        &self,
        id: ImportId,
        is_elsewhere: &dyn Fn() -> Result<bool>,
        progress: &dyn Fn(u64),
    ) -> Result<Import> {
        let node = format!("local-{}", self.store.new_id()?);
        let work = || {
            if is_elsewhere()? {
                return Ok(false);
            }
            let claimed = jobs::claim(self.store, &node, JOB_LEASE)?;
            let Some(job) = claimed else { return Ok(false) };
            self.execute(&job, progress)?;
            Ok(true)
        };
        let import = self.until_ended(id, progress, work)?;
        if let Err(error) = self.follow_up(&node, is_elsewhere) {
            // What was asked for is done; the next process that works on jobs takes this up.
            tracing::warn!(cause = ?error, "what the import set off is left for later");
        }
        Ok(import)
    }

    /// Runs what an import set off, such as the look for transfers.
    fn follow_up(&self, node: &str, is_elsewhere: &dyn Fn() -> Result<bool>) -> Result<()> {
        for _ in 0..FOLLOW_UPS_MAX {
            let is_due = self
                .store
                .read_blocking(self.access.clone(), |tx| jobs::is_due(tx, self.access.family()))?;
            if !is_due || is_elsewhere()? {
                break;
            }
            let Some(job) = jobs::claim(self.store, node, JOB_LEASE)? else { break };
            self.execute(&job, &|_| {})?;
        }
        Ok(())
    }

    /// Runs a job; meanwhile it renews the lease and reports progress. An error if the job has to
    /// wait: a full disk may stay full.
    fn execute(&self, job: &ClaimedJob, progress: &dyn Fn(u64)) -> Result<()> {
        let registry = Registry::default();
        let running = import_of(job).map(|import| registry.begin(job, import));
        let reporter = running.as_ref().map(Running::reporter);
        let report_everywhere = |rows| {
            progress(rows);
            if let Some(report) = &reporter {
                report(rows);
            }
        };
        let (done, until_done) = mpsc::channel::<()>();
        let (worked, until_worked) = mpsc::channel::<()>();
        thread::scope(|scope| {
            // Neither waits for the other: a note may, and the lease would end meanwhile.
            scope.spawn(move || every(JOB_LEASE_RENEWAL, &until_done, || self.renew(job)));
            scope.spawn(move || self.note_regularly(running, &until_worked));
            // On SQLite no server runs: nobody waits, and one commit would do as well.
            let result = execute(&Work {
                store: self.store,
                files: self.files,
                claim: job,
                part_rows: None,
                progress: &report_everywhere,
            });
            drop((done, worked));
            result
        })
    }

    /// Reports progress to other processes. On SQLite there are none: this one runs only while no
    /// server does.
    fn note_regularly(&self, running: Option<Running<'_>>, done: &Receiver<()>) {
        if let Some(mut running) = running.filter(|_| !self.store.is_sqlite()) {
            every(PROGRESS_INTERVAL, done, || running.note_blocking(self.store));
        }
    }

    fn renew(&self, job: &ClaimedJob) {
        let renewed = self.store.write_directory_blocking(|tx| jobs::renew(tx, job, JOB_LEASE));
        if let Err(error) = renewed {
            tracing::debug!(cause = ?error, "the lease can't be renewed");
        }
    }

    /// Works or waits until the import is no longer running. `progress` is called with what another
    /// process notes; for the work of this process the job calls it.
    fn until_ended(
        &self,
        id: ImportId,
        progress: &dyn Fn(u64),
        mut work: impl FnMut() -> Result<bool>,
    ) -> Result<Import> {
        loop {
            let stored =
                self.store.read_blocking(self.access.clone(), |tx| imports::progress(tx, id))?;
            if !stored.is_running() {
                return self.store.read_blocking(self.access.clone(), |tx| imports::get(tx, id));
            }
            if !work()? {
                progress(stored.rows_done);
                thread::sleep(LOCAL_POLL_INTERVAL);
            }
        }
    }
}

/// Does something regularly until the other end of the channel is dropped.
fn every(period: Duration, done: &Receiver<()>, mut what: impl FnMut()) {
    while done.recv_timeout(period) == Err(RecvTimeoutError::Timeout) {
        what();
    }
}

const _: () = assert!(LOCAL_POLL_INTERVAL.as_millis() < Duration::from_secs(1).as_millis());
