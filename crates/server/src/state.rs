//! What every request and every job can reach.

use std::ops::Deref;
use std::sync::Arc;

use metrics_exporter_prometheus::PrometheusHandle;
use purser_core::error::Result;
use purser_store::files::FileStore;
use purser_store::{FamilyId, Store, Tx};
use tokio::sync::{Notify, Semaphore, watch};

use crate::computations::Computations;
use crate::config::{Feeds, Imports, Server};
use crate::edge::last_used::LastUsed;
use crate::edge::rate_limit::RateLimiter;
use crate::imports::events::Streams;
use crate::imports::progress::Registry;
use crate::imports::replans::Replans;
use crate::imports::retries::Retries;
use crate::limits::TimeLimits;
use crate::web::throttle::Throttle;

/// Shared by all; cheap to clone.
#[derive(Clone)]
pub(crate) struct AppState(Arc<App>);

/// The parts that all requests and jobs share.
pub(crate) struct App {
    /// The database. Its `now()` is the only clock.
    pub(crate) store: Store,
    /// The store of uploaded files.
    pub(crate) files: FileStore,
    /// How the server behaves.
    pub(crate) settings: Arc<Server>,
    /// What imports may do.
    pub(crate) imports: Imports,
    /// Where rates and prices come from.
    pub(crate) feeds: Feeds,
    /// How long peers may take.
    pub(crate) times: TimeLimits,
    /// The limit of requests per key.
    pub(crate) rate_limiter: RateLimiter,
    /// Tries to sign in.
    pub(crate) sign_ins: Throttle,
    /// How many passwords may be hashed at a time.
    pub(crate) hashings: Arc<Semaphore>,
    /// When keys were last used.
    pub(crate) last_used: Arc<LastUsed>,
    /// The name of this process among those that work on one database.
    pub(crate) node: String,
    /// Wakes the workers: there is a new job.
    pub(crate) job_queued: Notify,
    /// How far the imports are that this process works on.
    pub(crate) progress: Registry,
    /// Open streams of events.
    pub(crate) event_streams: Streams,
    /// Uploads that may be sent again.
    pub(crate) retries: Retries,
    /// Plans that are being made anew.
    pub(crate) replans: Replans,
    /// How many uploads may be read at a time: reading keeps a core busy.
    pub(crate) readings: Arc<Semaphore>,
    /// How many reports and previews may be computed at a time.
    pub(crate) computations: Computations,
    /// Renders the metrics for `/metrics`.
    pub(crate) metrics: PrometheusHandle,
    /// Becomes true when the server stops; long answers and workers watch it.
    pub(crate) stopping: watch::Receiver<bool>,
}

impl From<App> for AppState {
    fn from(app: App) -> Self {
        Self(Arc::new(app))
    }
}

impl AppState {
    /// Reads in one snapshot what may take long to compute for a family: only so many at a time,
    /// and one of each family; the others wait. A computation keeps its place until it is over,
    /// even if its client went away.
    pub(crate) async fn compute<T, F>(&self, family: FamilyId, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut Tx<'_>) -> Result<T> + Send + 'static,
    {
        let place = self.computations.place(family).await?;
        let work = move |tx: &mut Tx<'_>| {
            let _place = place;
            work(tx)
        };
        self.store.read(work).await
    }
}

impl Deref for AppState {
    type Target = App;

    fn deref(&self) -> &App {
        &self.0
    }
}
