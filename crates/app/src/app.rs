//! What every use case can reach, in a process that serves.

use std::ops::Deref;
use std::sync::Arc;

use purser_core::error::Result;
use purser_core::ids::FileId;
use purser_store::files::{FileStore, Upload};
use purser_store::shares::{Holder, Share, Shares};
use purser_store::system::random_bytes;
use purser_store::{Access, FamilyId, FamilyTx, Store};
use tokio::sync::{Semaphore, watch};

use crate::blocking::blocking;
use crate::imports::events::Streams;
use crate::imports::progress::Registry;
use crate::imports::replans::Replans;
use crate::imports::retries::Retries;
use crate::imports::stored::Stored;
use crate::limits::{
    COMPUTATIONS_MAX, ENROLMENTS_MAX, HASHINGS_MAX, READINGS_MAX, RECOGNITIONS_MAX, SENDINGS_MAX,
};
use crate::providers::Providers;
use crate::settings::{Feeds, Imports};
use crate::webhooks::address::WebhookHosts;

/// Shared by all requests and jobs; cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Shared>);

/// The parts that all requests and jobs share.
pub struct Shared {
    /// The database. Its `now()` is the only clock.
    pub store: Store,
    /// The store of uploaded files.
    pub files: FileStore,
    /// What imports may do.
    pub imports: Imports,
    /// Where rates and prices come from.
    pub feeds: Feeds,
    /// How providers of bank data are asked.
    pub providers: Providers,
    /// Which inner addresses webhooks may have.
    pub webhook_hosts: WebhookHosts,
    /// How many keys of providers may be tried at a time, of a family one.
    pub(crate) enrolments: Arc<Shares>,
    /// How many passwords may be hashed at a time.
    pub(crate) hashings: Semaphore,
    /// The name of this process among those that work on one database.
    pub node: String,
    /// How far the imports are that this process works on.
    pub progress: Registry,
    /// Open streams of events.
    pub event_streams: Streams,
    /// Uploads that may be sent again.
    pub retries: Retries,
    /// Plans that are being made anew.
    pub(crate) replans: Replans,
    /// How many uploads may be read at a time, of a family one: reading keeps a core busy.
    pub(crate) readings: Arc<Shares>,
    /// Scans in which words are recognised; one of each family.
    pub(crate) recognitions: Arc<Shares>,
    /// How many uploads may be sent to a bucket at a time, of a family one.
    pub(crate) sendings: Arc<Shares>,
    /// How many reports and previews may be computed at a time, of a family one.
    pub(crate) computations: Arc<Shares>,
    /// Becomes true when the server stops; long answers and workers watch it.
    pub stopping: watch::Receiver<bool>,
}

impl App {
    /// Over a database and its files, until `stopping` becomes true.
    pub fn new(
        store: Store,
        files: FileStore,
        imports: Imports,
        feeds: Feeds,
        (providers, webhook_hosts): (Providers, WebhookHosts),
        stopping: watch::Receiver<bool>,
    ) -> Result<Self> {
        Ok(Self(Arc::new(Shared {
            store,
            files,
            imports,
            feeds,
            providers,
            webhook_hosts,
            enrolments: Shares::new(ENROLMENTS_MAX, 1),
            hashings: Semaphore::new(HASHINGS_MAX),
            node: node_name()?,
            progress: Registry::default(),
            event_streams: Streams::default(),
            retries: Retries::default(),
            replans: Replans::default(),
            readings: Shares::new(READINGS_MAX, 1),
            recognitions: Shares::new(RECOGNITIONS_MAX, 1),
            sendings: Shares::new(SENDINGS_MAX, 1),
            computations: Shares::new(COMPUTATIONS_MAX, 1),
            stopping,
        })))
    }

    /// Reads a file that is in memory, when it is the family's turn: reading keeps a core busy, and
    /// what was read takes several times the memory of the file. The turn lasts as long as the
    /// share that comes with it.
    pub async fn read_file<T: Send + 'static>(
        &self,
        access: &Access,
        read: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<(T, Share)> {
        let share = self.readings.take(access.into(), 1).await?;
        let content = blocking(read).await?;
        Ok((content, share))
    }

    /// Makes what was uploaded durable. A bucket may keep a thread waiting, so only so many are
    /// sent to one at a time. If nobody waits for it any more, the file is removed.
    pub async fn store_upload(
        &self,
        upload: Upload,
        family: FamilyId,
        id: FileId,
    ) -> Result<Stored> {
        let turn = match self.files.is_remote() {
            true => Some(self.sendings.take(family.into(), 1).await?),
            false => None,
        };
        let files = self.files.clone();
        blocking(move || {
            let _turn = turn;
            Stored::finish(upload, &files, family, id)
        })
        .await
    }

    /// Reads in one snapshot what may take long to compute for a family: only so many at a time,
    /// and one of each family; the others wait. A computation keeps its share until it is over,
    /// even if its client went away.
    pub async fn compute<T, F>(&self, access: Access, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut FamilyTx<'_>) -> Result<T> + Send + 'static,
    {
        let share = self.computations.take(Holder::from(&access), 1).await?;
        let work = move |tx: &mut FamilyTx<'_>| {
            let _share = share;
            work(tx)
        };
        self.store.read_at_length(access, work).await
    }
}

impl Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

/// Distinguishes this process from others on the same database, also after a restart.
fn node_name() -> Result<String> {
    let random = u64::from_ne_bytes(random_bytes()?);
    Ok(format!("{}-{random:016x}", std::process::id()))
}
